"""TextClassifier: raw text in, label out."""

import warnings
from collections.abc import Callable, Mapping, Set
from copy import deepcopy
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes._targets import encode_labels
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.text import TermSelector, TextAnalyzer
from honeybayes.zoo import make_model

WHAT_TO_DO = {
    "widen": "It cannot learn in batches; NB, MVNB, MVNB+JM, mNB, MNB, CNB and OVA can.",
    "predict_proba": "It gives no probabilities: use decision_function, or another model.",
    "decision_function": "It gives no such scores: use predict_proba.",
}


def _model_has(method: str) -> Callable[["TextClassifier"], bool]:
    def check(classifier: "TextClassifier") -> bool:
        model = getattr(classifier, "model_", None)
        if hasattr(classifier._unfitted_model() if model is None else model, method):
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
        (see the page "Choosing a default").
    language : str, default="english"
        Language of the texts, for lower case, stop words and stems; see
        `honeybayes.text.TextAnalyzer`.
    stop_words : bool or collection of str, default=True
        Words to leave out: True takes the list of the language, False none.
    stem : bool, default=True
        Reduce words to their stems.
    min_df : int, default=1
        Leave out terms that occur in fewer training documents.
    n_terms : int or None, default=None
        Keep this many terms, the best by information gain in the training documents. None keeps
        all, which is mostly better.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    model_ : estimator
        The model, fitted to counts of terms.
    terms_ : ndarray of str, shape (n_terms,)
        The terms, in the order of the model's columns.

    See Also
    --------
    honeybayes.list_models : The names of all models.
    honeybayes.save_model : Keep a fitted classifier in a file.

    Examples
    --------
    >>> from honeybayes import TextClassifier
    >>> texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
    >>> classifier = TextClassifier(model="HCNB")
    >>> classifier = classifier.fit(texts, ["delivery", "delivery", "billing", "billing"])
    >>> classifier.predict(["where are my parcels?", "a charge I do not know"])
    array(['delivery', 'billing'], dtype='<U8')
    """

    def __init__(
        self,
        model: Any = "LogisticRegression-tfidf",
        *,
        language: str = "english",
        stop_words: Any = True,
        stem: bool = True,
        min_df: int = 1,
        n_terms: int | None = None,
    ) -> None:
        self.model = model
        self.language = language
        self.stop_words = stop_words
        self.stem = stem
        self.min_df = min_df
        self.n_terms = n_terms

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled texts.

        Parameters
        ----------
        X : iterable of str
            The texts.
        y : array-like of shape (n_samples,)
            Label of each text, two different ones at least.

        Returns
        -------
        self : object
        """
        texts, y = _check_texts_and_labels(X, y)
        model = self._unfitted_model()
        labeled = y[encode_labels(y, getattr(model, "unlabeled", None))[1] >= 0]
        classes, sizes = np.unique(labeled, return_counts=True)
        if len(classes) < 2:
            raise ValueError(
                f"Every text has the label {y.tolist()[0]!r}: to tell classes apart there must be "
                "texts of at least one other."
            )
        if sizes.min() < 2:
            warnings.warn(
                f"Only one text of class(es) {classes[sizes < 2].tolist()}: label more, or expect "
                "them to be missed.",
                FewDocumentsWarning,
                stacklevel=2,
            )
        vectorizer, selector = CountVectorizer(analyzer=self._analyzer(), min_df=self.min_df), None
        counts = vectorizer.fit_transform(texts)
        if self.n_terms is not None:
            selector = TermSelector(n_terms=self.n_terms)
            counts = selector.fit_transform(counts, y)
        self.model_ = model.fit(counts, y)
        self._vectorizer, self._selector, self.classes_ = vectorizer, selector, classes
        return self

    @available_if(_model_has("widen"))
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from some more labeled texts; new words are taken up as they come.

        There for models whose counts add up (NB, MVNB, MVNB+JM, mNB, MNB, CNB, OVA), with
        ``min_df=1`` and ``n_terms=None``.

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
        model, vectorizer = self._unfitted_model(), CountVectorizer(analyzer=self._analyzer())
        if hasattr(self, "model_"):
            self._refuse_other_settings(model, vectorizer)
            # copies, so that a batch that is refused leaves the classifier as it was
            model, vectorizer = deepcopy(self.model_), deepcopy(self._vectorizer)
            for text in texts:
                for term in vectorizer.analyzer(text):
                    vectorizer.vocabulary_.setdefault(term, len(vectorizer.vocabulary_))
            counts = vectorizer.transform(texts)
            model.widen(counts.shape[1])
        else:
            counts = vectorizer.fit_transform(texts)
        model.partial_fit(counts, y, classes)
        self.model_, self._vectorizer, self._selector = model, vectorizer, None
        self.classes_ = model.classes_
        return self

    def _refuse_other_settings(self, model: Any, vectorizer: CountVectorizer) -> None:
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
        """Probability of each class given the text.

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
        return self.model_.predict_proba(terms)

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

    @property
    def terms_(self) -> np.ndarray:
        """The terms, in the order of the model's columns."""
        check_is_fitted(self, "model_")
        terms = self._vectorizer.get_feature_names_out()
        return terms if self._selector is None else terms[self._selector.get_support()]

    def _unfitted_model(self) -> Any:
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


def _check_texts_and_labels(X: Any, y: Any) -> tuple[list[str], np.ndarray]:
    texts, labels = _check_texts(X), _check_labels(y)
    if len(texts) != len(labels):
        raise ValueError(f"X has {len(texts)} texts, y has {len(labels)} labels.")
    return texts, labels


def _check_texts(X: Any) -> list[str]:
    if isinstance(X, str | bytes):
        raise ValueError("X must be a list of texts, got a single text: put it in a list, [text].")
    if isinstance(X, Mapping | Set) or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"X must be a list of texts or one column of them, got {type(X).__name__}: of a data "
            'frame pass the column with the texts, such as df["text"].'
        )
    texts = list(X)
    if not texts:
        raise ValueError("X has no texts.")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(
                f"X[{place}] is not a text but {text!r} ({type(text).__name__}). Leave out rows "
                "without text, or turn them into strings."
            )
    return texts


def _check_labels(y: Any) -> np.ndarray:
    if y is None:
        raise ValueError("y is missing: fit wants a label for each text, y cannot be None.")
    if getattr(y, "ndim", 1) != 1 or isinstance(y, str):
        raise ValueError(
            f"y must hold one label a text; got {type(y).__name__} of shape {np.shape(y)}."
        )
    # looked at before NumPy makes strings of them all
    labels = list(y)
    missing = [place for place, label in enumerate(labels) if _is_missing(label)]
    if missing:
        raise ValueError(
            f"y has missing labels (the first is y[{missing[0]}]): leave out the texts without."
        )
    if len({isinstance(label, str) for label in labels}) > 1:
        raise ValueError("y mixes strings with other labels: turn all of them into strings.")
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"y must hold one label a text; got an array of shape {array.shape}.")
    check_classification_targets(array)
    return array


def _is_missing(label: Any) -> bool:
    if label is None or type(label).__name__ in ("NAType", "NaTType"):  # those of pandas
        return True
    if isinstance(label, str):
        return not label.strip()
    return isinstance(label, float) and label != label
