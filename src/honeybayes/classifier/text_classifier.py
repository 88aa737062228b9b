"""TextClassifier: predict classes from raw text."""

import warnings
from collections.abc import Iterable, Sized
from copy import copy, deepcopy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from honeybayes.calibration.temperature_scaled import TemperatureScaledClassifier, scale_fitted
from honeybayes.classifier.choices import SEMISUPERVISED, SUPERVISED, choose_model
from honeybayes.classifier.columns import read_rows
from honeybayes.classifier.fitted_pipeline import FittedPipelineMixin, check_labeled, model_has
from honeybayes.classifier.pipeline_settings import fit_last_step
from honeybayes.scale import fit_in_parts, make_parts
from honeybayes.sources.answers import encode_answers, without_answers
from honeybayes.sources.bill import make_bill
from honeybayes.text import TextVectorizer, check_seeds
from honeybayes.text.encoder import SharedEncoderMixin
from honeybayes.utils import labels, matrices, meta_estimators, scores, tags, validation
from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.state import Array, Fitted, Integer, Record, State
from honeybayes.utils.texts import add_digests, check_texts, digest_texts, make_digests
from honeybayes.zoo import is_model_name, make_model

UNKNOWN_CLASSES = (
    "No label of y is a class of the model. If this is a cross-validation with missing labels, "
    "scikit-learn has ignored the classes: pass cv=honeybayes.evaluate.LabeledFolds()."
)
POOL_ADVICE = (
    "pool has {} texts, as many as X. If this fit is part of a search or a cross-validation, "
    "scikit-learn has split the pool as it has split X: pass a function, pool=lambda: texts."
)


@described_like(TextVectorizer)
@estimator
class TextClassifier(SharedEncoderMixin, FittedPipelineMixin, ClassifierMixin, BaseEstimator):
    """Classify raw text: `TextVectorizer`, a model and calibration in one estimator.

    Parameters
    ----------
    model : str or estimator, default="auto"
        A name of `honeybayes.list_models`, or any scikit-learn classifier that takes counts of
        terms. "auto" uses "FewLabels" if there are unlabeled texts, seeds or vectors, otherwise a
        linear model on tf-idf; ``choice_`` says which and why, and
        `honeybayes.classifier.choose_model` how. You can also set parameters of a model:
        "CNB alpha=0.5", or ``model__alpha``. With "auto", ``model__C`` settles for
        "LogisticRegression-tfidf", and a parameter that only "FewLabels" has, for this.
    language : str or None, default="auto"
        Language of the texts, for stop words and stems. "auto" finds it in the texts, also those of
        the pool; see ``language_`` and `honeybayes.text.detect_language`. None, or a language that
        is not found, has no stop words and no stems.
    stop_words : "auto", bool or collection of str, default="auto"
        Words to leave out: True uses the list of the language, False keeps every word. "auto"
        decides by labels or by the length of the texts if the model is "FewLabels", "auto" or uses
        tf-idf; see ``stop_words_``. For other models, it removes stop words. Seed words are never
        removed.
    n_terms : int or None, default=None
        Number of terms to keep: the terms with the highest information gain in the training
        documents. None keeps all terms, which is better in most cases.
    calibrate : "auto" or None, default="auto"
        "auto" divides the model's scores by a temperature, and a share of the probability, the
        doubt, evenly among the classes, so that about 80 % of the texts whose predicted class has
        probability 0.8 are predicted correctly. The temperature is measured on
        held-out labeled texts, which takes up to five more fits. It is 1 if fewer than ten texts
        can be held out, and after ``partial_fit`` without ``fit``. With None, the probabilities of
        the model are returned unchanged. The predictions are the same in both cases. Models that
        set their confidence by held-out texts, such as "FewLabels", have no temperature. See
        `honeybayes.TemperatureScaledClassifier`.
    encoder : str, function, object with a method encode, TextEncoder or None, default="auto"
        Gives each text a vector, which the model gets in addition to the counts of terms: a model
        of sentence-transformers or model2vec, or the name of one; see
        `honeybayes.text.TextEncoder`. Models of counts, such as "CNB", cannot use it. "auto" uses
        "multilingual" if the extra ``vectors`` is installed and can read the letters of the texts,
        and the model is "FewLabels", which gives vectors as much say as they earn, or "auto"
        chooses this model; otherwise the words only, as None does. The names of classes get
        vectors, too, and count as far as the labels confirm them. ``encoder_`` says what was used.
    columns : dict, optional
        For data frames with more than a text: the name of the column ``"text"``, and lists of
        columns with ``"numbers"`` and ``"categories"``, which the model gets in addition to the
        words. Then X and pool are data frames. Models of counts, such as "CNB", cannot use them.

    Attributes
    ----------
    pipeline_ : Pipeline
        The fitted steps, from texts to predictions.
    vectorizer_ : TextVectorizer
        The vectorizer, fitted.
    encoder_ : str or None
        Name of the encoder that was used; None if the model uses the words only.
    n_dense_ : int
        Number of dense features: those of the encoder and of other ``columns``. They are the last
        columns of the model.
    column_features_ : ndarray of str
        Names of those that come from ``columns``: "price", or "shop=north" for a category.
    columns_left_out_ : ndarray of str
        Names of ``columns`` that are not used, because the labels do not show that they differ
        between the classes.
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    model_ : estimator
        The model, fitted to counts of terms.
    choice_ : dict or None
        With ``model="auto"``: the name of the ``model``, and the ``reason`` for the choice. None
        otherwise.
    temperature_ : float or None
        The number that scores are divided by. None with ``calibrate=None``, and for a model that
        sets its confidence itself.
    language_ : str or None
        The language that was given or found; None if it is unknown.
    stop_words_ : bool or frozenset of str
        What was used: True if the stop words of the language were removed, False if every word was
        kept, or your own list.
    seeds_check_ : dict or None
        With ``seeds``: the ``verdict``, "good", "unsure" or "poor", the ``trust`` from 0 to 1, and
        the ``missing`` words that do not occur, in a string for each class. None otherwise.
    sources_ : dict or None
        With ``sources``: what each is worth; see `honeybayes.sources.describe_bill`. None
        otherwise.
    memory_ : ndarray of float32, shape (n, 3), or None
        What `honeybayes.evaluate.remember_texts` keeps of up to 2,000 texts: number of words, place
        of the answer in ``classes_`` (-1 if the text had a label), and confidence.
    memory_terms_ : ndarray of uint16, or None
        Digests of their words.
    memory_vectors_ : ndarray of int8, shape (n, n_vector), or None
        Their vectors, up to a factor, if there is an encoder.
    n_held_out_ : int
        Number of texts that the temperature was measured on; 0 if it was not measured.
    held_out_ : ndarray of float32, shape (n, 2), or None
        For up to 1,000 labeled texts, answers of models that had not seen them: the confidence, and
        the probability of the label. A text that is the only one of its class has the probability
        0, because no other model knows the class. With ``is_random``, only random texts are among
        them. None if there were too few labels, or ``calibrate=None``.
    terms_ : ndarray of str, shape (n_terms,)
        The terms, in the order of the model's columns.
    spellings_ : ndarray of str, shape (n_terms,)
        For each term, its most frequent spelling in the training texts: "delivery" for "deliveri".
        After ``partial_fit``, the most frequent spelling in the first batch that contains the term.

    Examples
    --------
    >>> from honeybayes import TextClassifier
    >>> texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
    >>> classifier = TextClassifier(model="HCNB")
    >>> classifier = classifier.fit(texts, ["delivery", "delivery", "billing", "billing"])
    >>> classifier.predict(["where are my parcels?", "a charge I do not know"])
    array(['delivery', 'billing'], dtype='<U8')
    >>> [name for name, _ in classifier.pipeline_.steps]
    ['vectorizer', 'calibrated']
    """

    inner_model = "model"
    fitted_attributes = State(
        pipeline_=Fitted("predict"),
        choice_=Record(optional=True),
        seeds_check_=Record(optional=True),
        sources_=Record(optional=True),
        _salt=Integer(),  # which is mixed into the digests
        _digests=Array(("digests",), dtype=("uint64",)),  # of the labeled texts, for has_seen
        _table=Record(optional=True),  # where texts came from, if ``honeybayes fit`` read them
        memory_=Array(("remembered", 3), dtype=("float32",), low=-1, optional=True),
        memory_terms_=Array(("words remembered",), dtype=("uint16",), optional=True),
        memory_vectors_=Array(("remembered", "vector"), dtype=("int8",), optional=True),
    )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, including those of a named model, such as ``model__alpha``.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of the model.
        """
        parameters = super().get_params(deep=deep)
        if deep and isinstance(self.model, str) and is_model_name(self.model):
            inner = make_model(self.model).get_params()
            parameters.update((f"model__{name}", value) for name, value in inner.items())
        return parameters

    def set_params(self, **params: Any) -> Self:
        """Set parameters. If one belongs to a named model, the estimator replaces the name.

        Parameters
        ----------
        **params
            Parameters of the classifier, or of its model, such as ``model__alpha``. In a pipeline,
            a parameter of the last step has a short name, too: ``model__C``.
        """
        own = {name: name.removeprefix("model__") for name in params if name.startswith("model__")}
        if own:
            model = params.get("model", self.model)
            model = _model_with(own.values()) if labels.is_auto(model) else model
            params["model"] = model = make_model(model) if isinstance(model, str) else model
            known, prefix = model.get_params(), tags.last_step(model)[0]
            for name, short in own.items():
                if short not in known and prefix + short in known:
                    params[f"model__{prefix}{short}"] = params.pop(name)
        return super().set_params(**params)

    def fit(
        self,
        X: Any,
        y: Any = None,
        pool: Any = None,
        sample_weight: Any = None,
        seeds: Any = None,
        is_random: Any = None,
        sources: Any = None,
    ) -> Self:
        """Learn from labeled texts, and from unlabeled texts and seed words if the model can.

        Parameters
        ----------
        X : iterable of str
            The texts. A Series or a Bag of Dask is read part by part; see
            `honeybayes.scale.fit_in_parts`.
        y : array-like of shape (n_samples,)
            Label of each text, with at least two classes. With ``model="auto"`` and models with
            ``unlabeled="auto"``, such as "FewLabels", None, NaN, "" and -1 among at least two other
            integers mean that a text has no label. With ``seeds``, y=None means that no text has a
            label.
        pool : iterable of str or callable, optional
            Unlabeled texts, or a function without arguments that returns them. An error is raised
            if the model learns from labeled texts only.
            Cross-validation and searches of scikit-learn split a list that has the same length as
            X, but no function.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each text in the fit of the model. Texts of the pool have weight 1. The
            weights have no effect on the selection of terms and on the temperature. An error is
            raised if the model cannot use weights.
        seeds : dict or list of classes, optional
            For each class, words that are typical of it, in a string or a list. The name of a class
            is used as well, so that a list of names is enough if they are words of the texts. The
            model must be "FewLabels" or "auto", which then uses "FewLabels". No label is needed,
            and X may be empty if there is a pool. See ``seeds_check_``.
        is_random : array-like of bool, shape (n_samples,), optional
            Which texts are a random sample of the texts to answer, if others were chosen, for
            example by active learning. Then ``find_threshold`` and ``predict_set`` use only these
            of the texts that were held out, as ``held_out_`` does. By default, all labeled texts
            are taken as random.
        sources : dict or data frame, optional
            For each source of answers, such as rules or a language model, a class for each text of
            X, "", None or -1 for no answer; or a dict from classes to probabilities. A data frame
            has a column for each source, and cross-validation splits it as X. The model must be
            "FewLabels" or "auto", which then uses "FewLabels". No label is needed. See
            ``sources_`` and ``combine``.
        """
        may_be_split, pool = not callable(pool), pool() if callable(pool) else pool
        if any(hasattr(each, "__dask_graph__") for each in (X, y, pool)):
            if not (is_random is None and sample_weight is None and sources is None):
                raise ValueError("Texts of Dask have no weights, is_random or sources. Omit them.")
            parts = make_parts(X, y, needs_labels=seeds is None)
            others = make_parts(pool, name="pool", needs_labels=False)
            fit_in_parts(self, parts, others, seeds=seeds)
            return self
        self._check_parameters()
        words = None if seeds is None else check_seeds(seeds)
        if self.columns is not None:
            if words is not None:
                raise ValueError("Seeds say nothing about other columns: set columns=None.")
            X = read_rows(X, self.columns)
            pool = None if pool is None else read_rows(pool, self.columns, "pool")
        model = self._unfitted_model(words is not None or sources is not None)
        has_booleans = y is not None and labels.are_booleans(y)
        texts, y, mark = self._check_texts_and_labels(X, y, model, words, sources is not None)
        weights = None if sample_weight is None else validation.check_weights(sample_weight, texts)
        is_labeled = ~labels.is_unlabeled(y, mark)
        if is_random is not None:
            is_random = validation.check_is_random(is_random, len(texts)) & is_labeled
        labeled_texts = [texts[row] for row in np.flatnonzero(is_labeled)]
        answers = None
        if sources is not None:
            answers = encode_answers(sources, len(texts), {*y[is_labeled].tolist(), *(words or ())})
        known = np.where(is_labeled, y.astype(object), None)
        # nobody asked the sources about the pool
        asked: tuple[Any, Any, Any] = answers, known, is_random
        pool_texts: list[str] = []
        if pool is not None:  # an iterator that is exhausted was read before: an error
            pool_texts = check_texts(pool, "pool", allow_empty=isinstance(pool, Sized))
        if pool_texts:
            self._check_takes_pool(model)
            if may_be_split and len(pool_texts) == len(texts):
                warnings.warn(POOL_ADVICE.format(len(texts)), UserWarning, stacklevel=2)
            mark = labels.unused_label(y) if mark is None else mark
            texts, n = texts + pool_texts, len(pool_texts)
            y = np.append(y, np.full(n, mark))
            weights = None if weights is None else np.append(weights, np.ones(n))
            is_random = None if is_random is None else np.append(is_random, np.zeros(n, dtype=bool))
            answers = None if answers is None else without_answers(answers, n)
        choice = None
        if labels.is_auto(self.model):
            choice = choose_model(
                len(labeled_texts) / max(1, len(labels.encode_labels(y, mark)[0])),
                has_unlabeled=mark is not None,
                has_seeds=words is not None or answers is not None,
                is_calibrated=self.calibrate is not None,
                has_vectors=self._may_use_vectors(labeled_texts),
            )
            model = make_model(choice["model"])
        if (parameter := tags.unlabeled_parameter(model)) is not None:
            model.set_params(**{parameter: mark})
        more = {"sample_weight": weights, "is_random": is_random, "sources": answers}
        with matrices.one_thread():
            pipeline, columns = self._fit_first_steps(model, texts, y, mark, words)
            self.seeds_check_ = fit_last_step(pipeline, columns, y, mark, words, **more)
        if has_booleans and mark is not None:  # it learned numbers, as some texts have no label
            for step in (pipeline[-1], getattr(pipeline[-1], "estimator_", pipeline[-1])):
                tags.last_step(step)[1].classes_ = tags.last_step(step)[1].classes_.astype(bool)
        self.pipeline_, self.choice_, self._table = pipeline, choice, None
        others = self._part("columns")
        if others is not None and len(others.left_out_) and not len(self.column_features_):
            unused = f"No other column is used ({', '.join(others.left_out_)})"
            why = "the labels do not show that one of them differs between the classes"
            warnings.warn(f"{unused}: {why}. Give more labels.", stacklevel=2)
        self.memory_ = self.memory_terms_ = self.memory_vectors_ = None
        self._salt, self._digests = make_digests(labeled_texts)
        self.sources_ = None
        if answers is not None:
            compared = self.model_.compare_sources(self.compute_features(texts), answers)
            self.sources_ = make_bill(*asked, self.model_.source_weights_, *compared)
        return self

    def combine(self, X: Any, sources: Any) -> np.ndarray:
        """Return the probability of each class for texts with answers of the sources of ``fit``.

        ``predict_proba`` uses the text only.

        Parameters
        ----------
        sources : dict
            As in ``fit``, with the same names.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        texts = check_texts(self._read(X))
        if self.sources_ is None:
            raise ValueError("The classifier was fitted without sources. Use predict_proba.")
        if set(sources) != set(self.sources_):
            raise ValueError(f"The sources must be {list(self.sources_)}; got {list(sources)}.")
        sources = {name: sources[name] for name in self.sources_}
        answers = encode_answers(sources, len(texts), self.classes_.tolist(), only_known=True)
        return self.model_.combine(self.compute_features(texts), answers)

    def _check_texts_and_labels(
        self, X: Any, y: Any, model: Any, words: dict[Any, str] | None, with_sources: bool
    ) -> tuple[list[str], np.ndarray, Any]:
        """Return texts, labels, and the mark of unlabeled texts or None."""
        mark = tags.mark_of_unlabeled(model)
        labels.check_mark(mark)
        if words is not None and isinstance(X, Sized) and not isinstance(X, str) and not len(X):
            _check_classes_of_seeds(words, [])
            return [], np.zeros(0, dtype=str), None
        if y is None and (words is not None or with_sources):
            X = check_texts(X)
            y = np.full(len(X), "")
        if labels.is_auto(self.model) or labels.is_auto(mark):
            y, mark = labels.with_one_mark(y, labels.AUTO)
        texts, y = check_labeled(X, y, mark)
        if with_sources:  # they may name the classes
            return texts, y, mark
        if words is None:
            classes, position = labels.encode_labels(y, mark)
            sizes = np.bincount(position[position >= 0], minlength=len(classes))
            self.check_class_sizes(classes, sizes, mark, bool((position >= 0).all()))
        else:
            _check_classes_of_seeds(words, y[~labels.is_unlabeled(y, mark)].tolist())
        return texts, y, mark

    @meta_estimators.available_if(model_has("widen"))
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from more labeled texts, and add their new words.

        Available for models that only add up counts (NB, MVNB+JM, MNB, CNB, OVA), with
        ``min_df=1`` and ``n_terms=None``. Without ``fit``, ``language="auto"`` is the language of
        the first texts, and ``stop_words="auto"`` removes stop words.

        Parameters
        ----------
        classes : array-like of shape (n_classes,), optional
            All labels that will ever occur; required on the first call.
        """
        model = self._unfitted_model()
        if self.min_df != 1 or self.n_terms is not None or self._unfitted_parts(model):
            raise ValueError(
                "partial_fit adds every term after the last column: set min_df=1, n_terms=None and "
                f"encoder=None (min_df is {self.min_df}, n_terms is {self.n_terms}), or call fit "
                "with all texts."
            )
        texts, y = check_labeled(X, y)
        self._check_parameters()
        table = getattr(self, "_table", None)
        if not hasattr(self, "pipeline_"):
            vectorizer = self._unfitted_vectorizer().partial_fit(texts)
            last = TemperatureScaledClassifier(model)
            salt, digests = make_digests(texts)
        else:
            self._check_same_settings(model)
            # copies, so that an error leaves the classifier unchanged
            vectorizer = copy(self.vectorizer_).partial_fit(texts)
            last = deepcopy(self._part("calibrated") or scale_fitted(self.model_))
            last.widen(len(vectorizer.terms_))
            salt = self._salt
            digests = add_digests(self._digests, digest_texts(texts, salt))
        last.partial_fit(vectorizer.transform(texts), y, classes)
        last = last.estimator_ if self.calibrate is None else last
        self.take_parts(vectorizer, last, salt=salt, digests=digests)
        self._table = table
        return self

    def _check_same_settings(self, model: Any) -> None:
        fitted = self.vectorizer_
        vectorizer = self._unfitted_vectorizer().settle(fitted.build_analyzer())
        if labels.is_auto(self.stop_words):
            vectorizer.stop_words = self.stop_words_
        same = (
            self.n_dense_ == 0
            and type(model) is type(self.model_)
            and model.get_params() == self.model_.get_params()
            and vectorizer.build_analyzer() == fitted.build_analyzer()
            and vectorizer.min_df == fitted.min_df
            and self._part("selector") is None
        )
        if not same:
            raise ValueError(
                "The classifier was fitted with other parameters than it has now: partial_fit "
                "continues with the same ones. Call fit to start again."
            )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on the texts with a label.

        Texts with the mark of unlabeled texts are ignored. ``cross_val_score`` and searches of
        scikit-learn also ignore them, unless you set another ``scoring``.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each text, or the mark of the model.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each text.
        """
        # not that of model_: a mark that fit chose for the pool may be a label of the user here
        mark = tags.mark_of_unlabeled(self._unfitted_model())
        unlabeled = labels.AUTO if labels.is_auto(self.model) else mark
        y, mark = labels.with_one_mark(y, unlabeled, self.classes_)
        if not np.isin(np.asarray(y), self.classes_).any():
            warnings.warn(UNKNOWN_CLASSES, UserWarning, stacklevel=2)
        return scores.accuracy_of_labeled(y, self.predict(X), mark, sample_weight)


def _check_classes_of_seeds(words: dict[Any, str], known: list[Any]) -> None:
    """Raise ValueError if seeds and labels are too few, or of different types."""
    classes = {*words, *known}
    if len(classes) < 2:
        raise ValueError(
            f"Seeds and labels name too few classes: {sorted(classes)}. Name at least two classes."
        )
    if len({isinstance(label, str) for label in classes}) > 1:
        both = f"got seeds for {list(words)} and labels {sorted(set(known))}"
        raise ValueError(f"Classes of seeds and labels must be all strings or all numbers; {both}.")


def _model_with(names: Iterable[str]) -> str:
    """Return the model that "auto" may choose and that has these parameters."""
    for model in (SUPERVISED, SEMISUPERVISED):
        known, prefix = make_model(model).get_params(), tags.last_step(make_model(model))[0]
        if all(name in known or prefix + name in known for name in names):
            return model
    raise ValueError(
        f'With model="auto", a parameter of {SUPERVISED} or {SEMISUPERVISED} can be set; got '
        f"{', '.join(names)}. Set model to a name or an estimator that has it."
    )
