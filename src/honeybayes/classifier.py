"""TextClassifier: raw text in, label out."""

import warnings
from collections.abc import Callable, Mapping, Set, Sized
from copy import deepcopy
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.calibration import calibrated_proba, can_score, find_temperature
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.model_choice import SEMISUPERVISED, SUPERVISED, choose_model
from honeybayes.text import TermSelector, TextAnalyzer
from honeybayes.text._spellings import SpellingCounter
from honeybayes.text._vocabulary import learn_vocabulary
from honeybayes.utils.folds import LabeledCounts
from honeybayes.utils.labeled_score import accuracy_of_labeled
from honeybayes.utils.labels import encode_labels, is_missing, refuse_missing_mark
from honeybayes.utils.state import Fitted, Integer, Number, Record, State, Strings
from honeybayes.utils.tags import mark_of_unlabeled, unlabeled_parameter
from honeybayes.utils.validation import check_integer
from honeybayes.zoo import make_model, models_with

WHAT_TO_DO = {
    "widen": "It cannot learn in batches; NB, MVNB, MVNB+JM, mNB, MNB, CNB and OVA can.",
    "predict_proba": 'It gives no probabilities: pass calibrate="auto", or another model.',
    "decision_function": "It gives no such scores: use predict_proba.",
}


def _model_has(method: str) -> Callable[["TextClassifier"], bool]:
    def check(classifier: "TextClassifier") -> bool:
        if hasattr(classifier, "model_"):
            model, calibrated = classifier.model_, classifier.temperature_ is not None
        else:
            model, calibrated = classifier._unfitted_model(), classifier.calibrate is not None
        if hasattr(model, method) or (
            method == "predict_proba" and calibrated and can_score(model)
        ):
            return True
        raise AttributeError(f"The model is {classifier.model!r}. {WHAT_TO_DO[method]}")

    return check


class TextClassifier(ClassifierMixin, BaseEstimator):
    """Classify raw text: words, stop words, stems, counts and a model in one estimator.

    Parameters
    ----------
    model : str or estimator, default="LogisticRegression-tfidf"
        A name of `honeybayes.list_models`, or any scikit-learn classifier that takes counts of
        terms. The default is the one that did best under a clean protocol with ten labels a class
        (see the page "Choosing a default"). "auto" is a fixed choice with fewer than ten labels a
        class, on average, and else compares some models by cross-validation on the labeled texts;
        see ``choice_``.
    language : str, default="english"
        Language of the texts, for lower case, stop words and stems; see
        `honeybayes.text.TextAnalyzer`.
    stop_words : bool or collection of str, default=True
        Words to leave out: True takes the list of the language, False none.
    stem : bool, default=True
        Reduce words to their stems.
    min_df : int, default=1
        Leave out terms that occur in fewer training documents: a number of them, not a share.
    n_terms : int or None, default=None
        Keep this many terms, the best by information gain in the training documents. None keeps
        all, which is mostly better.
    calibrate : "auto" or None, default="auto"
        "auto" divides the model's scores by a temperature, so that of the texts that
        ``predict_proba`` is 80 % sure of about 80 % are right. The temperature is measured on
        labeled texts that are held out, which takes up to five more fits; with fewer than ten such
        texts, and after ``partial_fit``, it follows from the length of the text alone. None gives
        the model's own probabilities. Predicted labels are the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    model_ : estimator
        The model, fitted to counts of terms.
    choice_ : dict or None
        With ``model="auto"``: the name of the ``model``, the ``reason`` why it was chosen, and
        the ``accuracy`` of each candidate in cross-validation. None otherwise.
    temperature_ : float or None
        What the scores are divided by. None with ``calibrate=None``.
    n_held_out_ : int
        On how many texts the temperature was measured; 0 if it was not.
    terms_ : ndarray of str, shape (n_terms,)
        The terms, in the order of the model's columns.
    spellings_ : ndarray of str, shape (n_terms,)
        For each term, the word that the training texts have most often for it: "delivery" for
        "deliveri". After ``partial_fit``, of the texts that the term was first met in.

    See Also
    --------
    honeybayes.list_models : The names of all models.
    honeybayes.save_model : Keep a fitted classifier in a file.
    honeybayes.calibration : The temperature, and how to measure calibration.

    Examples
    --------
    >>> from honeybayes import TextClassifier
    >>> texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
    >>> classifier = TextClassifier(model="HCNB")
    >>> classifier = classifier.fit(texts, ["delivery", "delivery", "billing", "billing"])
    >>> classifier.predict(["where are my parcels?", "a charge I do not know"])
    array(['delivery', 'billing'], dtype='<U8')
    """

    inner_model = "model"
    fitted_attributes = State(
        model_=Fitted("predict"),
        _vectorizer=Fitted("transform"),
        _selector=Fitted("transform", optional=True),
        _spellings=Strings("terms"),
        choice_=Record(optional=True),
        temperature_=Number(above=0, optional=True),
        n_held_out_=Integer(),
    )

    def __init__(
        self,
        model: Any = "LogisticRegression-tfidf",
        *,
        language: str = "english",
        stop_words: Any = True,
        stem: bool = True,
        min_df: int = 1,
        n_terms: int | None = None,
        calibrate: str | None = "auto",
    ) -> None:
        self.model = model
        self.language = language
        self.stop_words = stop_words
        self.stem = stem
        self.min_df = min_df
        self.n_terms = n_terms
        self.calibrate = calibrate

    def _check_state(self) -> None:
        n_terms = len(self._vectorizer.vocabulary_)
        if len(self._spellings) != n_terms:
            raise ValueError(f"_spellings has {len(self._spellings)} of {n_terms} terms")
        if self._selector is not None and self._selector.n_features_in_ != n_terms:
            raise ValueError("_selector expects a different number of terms")
        if getattr(self.model_, "n_features_in_", len(self.terms_)) != len(self.terms_):
            raise ValueError("model_ expects a different number of terms")
        if not np.array_equal(self.classes_, self.model_.classes_):
            raise ValueError("classes_ are not those of model_")
        if self.temperature_ is not None and not can_score(self.model_):
            raise ValueError("temperature_ is set, but model_ has no scores")

    def fit(self, X: Any, y: Any, pool: Any = None) -> Self:
        """Learn from labeled texts, and from unlabeled ones if the model can.

        Parameters
        ----------
        X : iterable of str
            The texts.
        y : array-like of shape (n_samples,)
            Label of each text, two different ones at least.
        pool : iterable of str or callable, optional
            Texts without a label; none if it is empty. An error if the model learns from labeled
            texts only; ``model="auto"`` uses them if it helps. Or a function without arguments
            that returns them: cross-validation and searches of scikit-learn cut every fit
            parameter that is as long as X, and leave a function as it is.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        model = self._unfitted_model()
        mark = mark_of_unlabeled(model)
        refuse_missing_mark(mark)
        texts, y = _check_texts_and_labels(X, y, mark)
        unlabeled_texts = _check_pool(pool)
        classes, position = encode_labels(y, mark)
        sizes = np.bincount(position[position >= 0], minlength=len(classes))
        if not len(classes):
            raise ValueError(
                f"No text has a label: all are marked with {mark!r}. Label texts of two classes at "
                "least."
            )
        if len(classes) < 2:
            every = "Every text" if (position >= 0).all() else "Every text with a label"
            raise ValueError(
                f"{every} has the label {classes.tolist()[0]!r}: to tell classes apart there must "
                "be texts of at least one other."
            )
        if sizes.min() < 2:
            warnings.warn(
                f"Only one text of class(es) {classes[sizes < 2].tolist()}: label more, or expect "
                "them to be missed.",
                FewDocumentsWarning,
                stacklevel=2,
            )
        choice = None
        if self._is_auto():
            choice = self._choose(texts, y, unlabeled_texts)
            model = make_model(choice["model"])
            if unlabeled_parameter(model) is None:
                unlabeled_texts = []
        vectorizer, spellings, documents = self._count(texts, y, unlabeled_texts, model)
        counts, selector = documents.X, documents.selector
        if selector is not None:
            seen = documents.labeled_only()
            selector = clone(selector).fit(seen.X, seen.y)
            counts = selector.transform(counts)
        temperature, n_held_out = None, 0
        if self.calibrate is not None and can_score(model):
            temperature, n_held_out = find_temperature(model, documents)
        self.model_ = model.fit(counts, documents.y)
        self._vectorizer, self._selector, self.classes_ = vectorizer, selector, classes
        self._spellings = spellings
        self.choice_, self.temperature_, self.n_held_out_ = choice, temperature, n_held_out
        return self

    def _count(
        self, texts: list[str], y: np.ndarray, pool: list[str], model: Any
    ) -> tuple[CountVectorizer, np.ndarray, LabeledCounts]:
        """Count terms; label the pool with a mark, and tell it to the model if that has none."""
        parameter, mark = unlabeled_parameter(model), mark_of_unlabeled(model)
        if pool:
            if parameter is None:
                can_use_it = models_with("learns_from_unlabeled")
                raise ValueError(
                    f"The model is {self.model!r}, which learns from labeled texts only: leave "
                    f'out pool, or take model="auto" or one of {", ".join(can_use_it)}.'
                )
            if mark is None:
                mark = _unused_label(y)
                model.set_params(**{parameter: mark})
            y = np.concatenate([y, np.full(len(pool), mark)])
        vectorizer, spellings, counts = learn_vocabulary(
            self._analyzer(), texts + pool, self.min_df
        )
        selector = None if self.n_terms is None else TermSelector(n_terms=self.n_terms)
        position = encode_labels(y, mark)[1]
        return vectorizer, spellings, LabeledCounts(counts, y, position, self.min_df, selector)

    def _choose(self, texts: list[str], y: np.ndarray, pool: list[str]) -> dict[str, Any]:
        for_both = make_model(SEMISUPERVISED)
        *_, documents = self._count(texts, y, pool, for_both)
        return choose_model(documents, mark_of_unlabeled(for_both))

    def _is_auto(self) -> bool:
        return isinstance(self.model, str) and self.model == "auto"

    def _check_parameters(self) -> None:
        check_integer("min_df", self.min_df, least=1)  # of documents: a share is not meant
        if self.calibrate not in ("auto", None):
            raise ValueError(f'calibrate must be "auto" or None; got {self.calibrate!r}.')

    @available_if(_model_has("widen"))
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from some more labeled texts; new words are taken up as they come.

        There for models whose counts add up (NB, MVNB, MVNB+JM, mNB, MNB, CNB, OVA), with
        ``min_df=1`` and ``n_terms=None``. After ``fit`` with ``model="auto"`` it goes on with
        the model that was chosen, if that is one of them.

        Parameters
        ----------
        X : iterable of str
            The texts.
        y : array-like of shape (n_samples,)
            Label of each text.
        classes : array-like of shape (n_classes,), optional
            All labels that will ever come; wanted at the first call.

        Returns
        -------
        self : object
        """
        if self.min_df != 1 or self.n_terms is not None:
            raise ValueError(
                "partial_fit takes up every word: set min_df=1 and n_terms=None "
                f"(they are {self.min_df} and {self.n_terms})."
            )
        texts, y = _check_texts_and_labels(X, y)
        self._check_parameters()
        choice = getattr(self, "choice_", None) if self._is_auto() else None
        model = self._unfitted_model() if choice is None else make_model(choice["model"])
        if hasattr(self, "model_"):
            self._refuse_other_settings(model)
            # copies, so that a batch that is refused leaves the classifier as it was
            model, vectorizer = deepcopy(self.model_), deepcopy(self._vectorizer)
            counter, n_known = SpellingCounter(vectorizer.analyzer), len(vectorizer.vocabulary_)
            for text in texts:
                for term in counter(text):
                    vectorizer.vocabulary_.setdefault(term, len(vectorizer.vocabulary_))
            new_terms = list(vectorizer.vocabulary_)[n_known:]
            spellings = np.concatenate([self.spellings_, counter.of_terms(new_terms)])
            counts = vectorizer.transform(texts)
            model.widen(counts.shape[1])
        else:
            vectorizer, spellings, counts = learn_vocabulary(self._analyzer(), texts)
        model.partial_fit(counts, y, classes)
        self.model_, self._vectorizer, self._selector = model, vectorizer, None
        self._spellings = spellings
        self.classes_, self.choice_ = model.classes_, choice
        if getattr(self, "temperature_", None) is None or self.calibrate is None:
            # 1: of the square root of the length, which is all that single batches can tell
            self.temperature_, self.n_held_out_ = None if self.calibrate is None else 1.0, 0
        return self

    def _refuse_other_settings(self, model: Any) -> None:
        vectorizer = CountVectorizer(analyzer=self._analyzer())
        same = (
            type(model) is type(self.model_)
            and model.get_params() == self.model_.get_params()
            and vectorizer.get_params() == self._vectorizer.get_params()
            and self._selector is None
        )
        if not same:
            raise ValueError(
                "The classifier was fitted with other parameters than it has now: partial_fit goes "
                "on with the same ones. Call fit to start anew."
            )

    def predict(self, X: Any) -> np.ndarray:
        """Most probable class of each text.

        Parameters
        ----------
        X : iterable of str
            The texts.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of ``classes_``.
        """
        terms = self._to_terms(X)
        return self.model_.predict(terms)

    @available_if(_model_has("predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each class given the text, calibrated unless ``calibrate`` is None.

        Parameters
        ----------
        X : iterable of str
            The texts.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        terms = self._to_terms(X)
        if self.temperature_ is None:
            return self.model_.predict_proba(terms)
        return calibrated_proba(self.model_, terms, self.temperature_)

    @available_if(_model_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, as the model gives them.

        Parameters
        ----------
        X : iterable of str
            The texts.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        terms = self._to_terms(X)
        return self.model_.decision_function(terms)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right answers among the texts with a label.

        If the model has a mark for texts without a label, those are left out. ``cross_val_score``
        and searches of scikit-learn do so too, unless they are told to use another ``scoring``.

        Parameters
        ----------
        X : iterable of str
            The texts.
        y : array-like of shape (n_samples,)
            Label of each text, or the mark of the model.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each text.

        Returns
        -------
        float
        """
        mark = mark_of_unlabeled(self._unfitted_model())
        return accuracy_of_labeled(y, self.predict(X), mark, sample_weight)

    @property
    def terms_(self) -> np.ndarray:
        """The terms, in the order of the model's columns."""
        check_is_fitted(self, "model_")
        return self._that_were_kept(self._vectorizer.get_feature_names_out())

    @property
    def spellings_(self) -> np.ndarray:
        """For each term, the word that the training texts have most often for it."""
        check_is_fitted(self, "model_")
        return self._that_were_kept(self._spellings)

    def _that_were_kept(self, of_terms: np.ndarray) -> np.ndarray:
        return of_terms if self._selector is None else of_terms[self._selector.get_support()]

    def _unfitted_model(self) -> Any:
        if self._is_auto():
            return make_model(SUPERVISED)
        return make_model(self.model) if isinstance(self.model, str) else clone(self.model)

    def _analyzer(self) -> TextAnalyzer:
        return TextAnalyzer(self.language, stop_words=self.stop_words, stem=self.stem)

    def _to_terms(self, X: Any) -> sparse.csr_matrix:
        check_is_fitted(self, "model_")
        counts = self._vectorizer.transform(_check_texts(X))
        return counts if self._selector is None else self._selector.transform(counts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags


def _check_texts_and_labels(X: Any, y: Any, mark: Any = None) -> tuple[list[str], np.ndarray]:
    texts, labels = _check_texts(X), _check_labels(y, mark)
    if len(texts) != len(labels):
        raise ValueError(f"X has {len(texts)} texts, y has {len(labels)} labels.")
    return texts, labels


def _check_texts(X: Any, name: str = "X") -> list[str]:
    if isinstance(X, str | bytes):
        raise ValueError(
            f"{name} must be a list of texts, got a single text: put it in a list, [text]."
        )
    if isinstance(X, Mapping | Set) or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"{name} must be a list of texts or one column of them, got {type(X).__name__}: of a "
            'data frame pass the column with the texts, such as df["text"].'
        )
    texts = list(X)
    if not texts:
        raise ValueError(f"{name} has no texts.")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(
                f"{name}[{place}] is not a text but {text!r} ({type(text).__name__}). Leave out "
                "rows without text, or turn them into strings."
            )
    return texts


def _check_pool(pool: Any) -> list[str]:
    pool = pool() if callable(pool) else pool
    # an iterator that is at its end was read before: an error, not an empty pool
    if pool is None or (isinstance(pool, Sized) and not isinstance(pool, str) and not len(pool)):
        return []
    return _check_texts(pool, "pool")


def _check_labels(y: Any, mark: Any) -> np.ndarray:
    if y is None:
        raise ValueError("y is missing: fit wants a label for each text, y cannot be None.")
    if getattr(y, "ndim", 1) != 1 or isinstance(y, str):
        raise ValueError(
            f"y must hold one label a text; got {type(y).__name__} of shape {np.shape(y)}."
        )
    # looked at before NumPy makes strings of them all
    labels = list(y)
    missing = [place for place, label in enumerate(labels) if _is_blank(label, mark)]
    if missing:
        raise ValueError(
            f"y has missing labels (the first is y[{missing[0]}]): leave out the texts without, or "
            "pass them as pool to a model that learns from unlabeled texts."
        )
    if len({isinstance(label, str) for label in labels}) > 1:
        raise ValueError("y mixes strings with other labels: turn all of them into strings.")
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"y must hold one label a text; got an array of shape {array.shape}.")
    check_classification_targets(array)
    return array


def _unused_label(y: np.ndarray) -> Any:
    """Make a mark for unlabeled texts that is no label, and of the same kind."""
    if y.dtype.kind == "U":
        return ""  # as a label it would be missing
    if y.dtype.kind == "b":
        raise ValueError("With a pool, labels cannot be True and False: turn them into strings.")
    return y.min().item() - 1


def _is_blank(label: Any, mark: Any) -> bool:
    if isinstance(label, str):
        return not label.strip() and label != mark
    return is_missing(label)
