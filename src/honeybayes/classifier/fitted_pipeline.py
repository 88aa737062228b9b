"""What a fitted `TextClassifier` answers and knows."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2
from sklearn.utils.validation import check_is_fitted

from honeybayes import calibration
from honeybayes.calibration.temperature import below_best, soften
from honeybayes.calibration.temperature_scaled import TemperatureScaledClassifier, held_out_of
from honeybayes.classifier.columns import ColumnFeatures, read_rows
from honeybayes.classifier.pipeline_settings import FIRST_STEP, PipelineSettingsMixin
from honeybayes.scale import predict_collection
from honeybayes.tables import Attributes
from honeybayes.text import TermSelector, TextEncoder, TextVectorizer, encoder_name, find_encoder
from honeybayes.utils.labels import UNLABELED, is_auto
from honeybayes.utils.meta_estimators import available_if
from honeybayes.utils.parameters import described_like, documented
from honeybayes.utils.texts import check_labels_of_texts, check_texts, digest_texts
from honeybayes.zoo import models_with

KINDS_IN_TABLE = {"text": str, "unlabeled": str, "fold_case": bool}
OF_FIRST_STEP = ("words", "meaning", "columns")
BLOCK = 10_000  # texts, which bounds the memory for their counts
QUICK = ([TfidfTransformer, LogisticRegression], [TfidfTransformer, LinearSVC])
WHAT_TO_DO = {
    "predict_proba": 'It has no probabilities: pass calibrate="auto", or use another model.',
    "decision_function": "It has no decision function: use predict_proba.",
    "outlier_score": "It cannot tell texts of no class: use FewLabelsClassifier(outliers=True).",
}


def model_has(method: str) -> Callable[[Any], bool]:
    """Return a check for ``available_if``, which says what to do if a method is missing."""

    def check(classifier: Any) -> bool:
        if hasattr(classifier, "pipeline_"):
            model = classifier.pipeline_[-1]
        else:  # with an encoder, "auto" may choose the model that learns from seeds, too
            found = find_encoder() if is_auto(classifier.encoder) else classifier.encoder
            may_choose = is_auto(classifier.model) and found is not None
            model = classifier._add_calibration(classifier._unfitted_model(may_choose))
        if hasattr(model, method):
            return True
        if (advice := WHAT_TO_DO.get(method)) is None:
            others = ", ".join(models_with("learns_in_batches"))
            advice = f"It cannot learn in batches; {others} can."
        raise AttributeError(f"The model is {classifier.model!r}. {advice}")

    return check


@documented
class FittedPipelineMixin(PipelineSettingsMixin):
    """Answers and attributes of a fitted `TextClassifier`, from its pipeline."""

    choice_: Any  # dict or None
    seeds_check_: Any
    sources_: Any
    _table: dict[str, Any] | None
    memory_: np.ndarray | None
    memory_terms_: np.ndarray | None
    memory_vectors_: np.ndarray | None

    def take_parts(
        self, vectorizer: TextVectorizer, last: Any, *, salt: int, digests: np.ndarray
    ) -> Self:
        """Become fitted by what was learned from parts."""
        name = "calibrated" if isinstance(last, TemperatureScaledClassifier) else "model"
        self.pipeline_ = Pipeline([(FIRST_STEP[TextVectorizer], vectorizer), (name, last)])
        self.choice_ = self.seeds_check_ = self.sources_ = self._table = None
        self.memory_ = self.memory_terms_ = self.memory_vectors_ = None
        self._salt, self._digests = salt, digests
        return self

    def count_terms(self, X: Any) -> sparse.csr_matrix:
        """Return the counts of terms that are the input of ``model_``, without dense features.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
            Columns in the order of ``terms_``.
        """
        return self.vectorizer_.transform(self._read(X))[:, self._kept_terms]

    def compute_features(self, X: Any) -> sparse.csr_matrix:
        """Return the input of ``model_``: counts of terms, then the vector of each text.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms + n_dense)
            The first columns in the order of ``terms_``; without an encoder there are no others.
        """
        texts, selector = self._read(X), self._part("selector")
        columns = self.pipeline_[0].transform(texts)
        return columns if selector is None else selector.transform(columns)

    def has_seen(self, X: Any) -> np.ndarray:
        """Return which texts are among the labeled texts that the model has learned from.

        Upper and lower case and white space make no difference. Of more than 100,000 different
        training texts, only 100,000 are known. Texts of the pool are not among them.

        Examples
        --------
        >>> from honeybayes import TextClassifier
        >>> texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
        >>> classifier = TextClassifier("CNB").fit(texts, ["delivery"] * 2 + ["billing"] * 2)
        >>> classifier.has_seen(["charged  TWICE", "charged once"])
        array([ True, False])
        """
        check_is_fitted(self)
        return np.isin(digest_texts(check_texts(self._read(X)), self._salt), self._digests)

    def predict(
        self, X: Any, *, target_accuracy: float | None = None, min_confidence: float | None = None
    ) -> np.ndarray:
        """Predict the class of each text, or only of those that the model is sure of.

        Parameters
        ----------
        X : iterable of str
            The texts. A Series or a Bag of Dask gives one of answers, which is not computed yet.
        target_accuracy : float, optional
            Leave so many texts without an answer that this share of the others is right; see
            ``find_threshold``.
        min_confidence : float, optional
            Leave texts with a lower confidence without an answer.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of ``classes_``. A text without an answer has "" among strings, as in tables of
            ``honeybayes predict``, and None among other classes. For a Series of Dask, a Series
            with the same index.

        Examples
        --------
        >>> from honeybayes import TextClassifier
        >>> from honeybayes.tables import load_corpus
        >>> corpus = load_corpus("messages")
        >>> classifier = TextClassifier().fit(corpus.documents, corpus.labels)
        >>> classifier.predict(["My parcel is late", "Hello?"], min_confidence=0.6).tolist()
        ['delivery', '']
        """
        if target_accuracy is None and min_confidence is None:
            return self._answer("predict", X)
        if target_accuracy is not None:
            if min_confidence is not None:
                raise ValueError("Pass target_accuracy or min_confidence, not both.")
            found = self.find_threshold(target_accuracy)
            min_confidence = found.lowest
            if found.threshold is None:
                warnings.warn(f"No text gets an answer. {found.describe()}", stacklevel=2)
        probabilities = self.predict_proba(X)
        answers = self.classes_[probabilities.argmax(axis=1)]
        none: Any = UNLABELED
        if answers.dtype.kind != "U":
            answers, none = answers.astype(object), None
        # rounded as in the tables that the command writes
        return np.where(probabilities.max(axis=1).round(4) >= min_confidence, answers, none)

    @available_if(model_has("predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, calibrated unless ``calibrate`` is None.

        Parameters
        ----------
        X : iterable of str
            The texts. A Series or a Bag of Dask gives answers that are not computed yet.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``. For a Series of Dask, a data frame with the same
            index and the classes as columns; for a Bag, a Bag of arrays.
        """
        return self._answer("predict_proba", X)

    def _answer(self, method: str, X: Any) -> np.ndarray:
        """Return what a method of the pipeline returns, without the checks between its steps.

        For one text, these checks take longer than the rest. The counts of a `TextVectorizer` are
        valid, so the checks can be left out. The results are the same to the last bit, because the
        same compiled functions compute them.
        """
        if hasattr(X, "__dask_graph__"):
            return predict_collection(self, X, method)
        X, pipeline = self._read(X), self.pipeline_
        parts = find_quick_parts(pipeline)
        if parts is None or (method == "predict_proba" and parts[-1] is None):
            return getattr(pipeline, method)(X)
        vectorizer, tfidf, linear, scaled = parts
        texts, blocks = check_texts(X), []
        if not linear.coef_.flags.f_contiguous:  # else every product would copy it
            linear.coef_ = np.asfortranarray(linear.coef_)
        for at in range(0, len(texts), BLOCK):
            x = vectorizer.transform(texts[at : at + BLOCK])
            x.data = x.data.astype(np.float64)
            if tfidf.sublinear_tf:
                x.data = np.log(x.data) + 1
            if tfidf.use_idf:
                x.data *= tfidf.idf_[x.indices]
            inplace_csr_row_normalize_l2(x)
            blocks.append(x @ linear.coef_.T + linear.intercept_)
        scores = np.concatenate(blocks)
        if scores.shape[1] == 1:
            scores = scores.ravel()
        if method == "decision_function":
            return scores
        if method == "predict":
            best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
            return linear.classes_[best.astype(np.intp)]
        if scores.ndim == 1:
            scores = np.column_stack([-scores / 2, scores / 2])
        return soften(below_best(scores), scaled.temperature_, scaled.doubt_)

    def _read(self, X: Any) -> Any:
        """Return the texts, with the cells of their rows if the model uses other columns."""
        columns = self._part("columns")
        return X if columns is None else read_rows(X, columns.get_params())

    @available_if(model_has("predict_proba"))
    @described_like(TemperatureScaledClassifier.predict_set)
    def predict_set(
        self, X: Any, coverage: float = 0.9, *, held_out: Any = None, allow_empty: bool = False
    ) -> np.ndarray:
        """Return the classes that contain the label of a text with a given probability.

        This is split conformal prediction; see `honeybayes.calibration.prediction_sets`. It holds
        only if the held-out texts are a random sample of the texts to answer: label random texts,
        not equally many of each class.

        Parameters
        ----------
        held_out : tuple of texts and labels, optional
            Random texts with labels, from which the model has not learned. By default, the texts
            that ``fit`` held out are used: models without some of the labels answered these, so the
            coverage is nearly, not exactly, as required.
        """
        if held_out is None:
            of_label = held_out_of(self)[:, 1]
            calibration.coverage.warn_of_unknown_classes(of_label, coverage)
        else:
            texts, labels = check_labeled(*held_out)
            proba = self.predict_proba(texts)
            # a class that the model does not know has no probability
            of_label = np.where(labels[:, np.newaxis] == self.classes_, proba, 0.0).sum(axis=1)
        proba = self.predict_proba(X)
        return calibration.prediction_sets(proba, of_label, coverage, allow_empty=allow_empty)

    def find_threshold(self, target: float) -> calibration.TargetThreshold:
        """Find the confidence from which on answers are right often enough.

        It comes from the texts that ``fit`` held out. If these are a random sample, at most about
        one in five such samples gives a threshold that does not hold.

        Parameters
        ----------
        target : float
            The accuracy that the answers must have, between 0 and 1.
        """
        confidence, of_label = held_out_of(self).T
        return calibration.find_threshold(target, confidence, of_label >= confidence)

    @available_if(model_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the decision function of the model."""
        return self._answer("decision_function", X)

    @available_if(model_has("outlier_score"))
    def outlier_score(self, X: Any) -> np.ndarray:
        """Return the probability that each text belongs to none of the classes.

        Requires a model that has this method, such as ``FewLabelsClassifier(outliers=True)``.
        """
        return self.model_.outlier_score(self.compute_features(X))

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The vectorizer, fitted."""
        return self._part("words")

    @property
    def language_(self) -> str | None:
        """The language that was given or found; None if it is unknown."""
        return self.vectorizer_.language_

    @property
    def stop_words_(self) -> Any:
        """True if stop words were removed, False if not, or a list of your own."""
        return self.vectorizer_.build_analyzer().stop_words

    def _sk_visual_block_(self) -> Any:
        """Let notebooks show the steps: those that were fitted, or what ``fit`` begins with."""
        steps = [("vectorizer", self._unfitted_vectorizer()), ("model", self._unfitted_model())]
        return getattr(self, "pipeline_", Pipeline(steps))._sk_visual_block_()

    def _part(self, name: str) -> Any:
        """Return a part of the fitted pipeline by its name, or None.

        The first step has "words", and may have dense features beside them, "meaning" and
        "columns". Then there may be a "selector". The "last" step is also "calibrated" if it is the
        model with a temperature, which has the selector then.
        """
        if not hasattr(self, "pipeline_"):  # the check alone would take longer than one text
            check_is_fitted(self)
        if name == "last":
            return self.pipeline_[-1]
        if name in OF_FIRST_STEP:
            features = self.pipeline_[0]
            return getattr(features, "named_transformers", {"words": features}).get(name)
        others = dict(self.pipeline_.steps[1:])
        if name == "selector" and (scaled := others.get("calibrated")) is not None:
            return scaled.selector_
        return others.get(name)

    @property
    def encoder_(self) -> str | None:
        """Name of the encoder that was used, or None."""
        encoder = getattr(self._part("meaning"), "encoder", None)
        return encoder if encoder is None or isinstance(encoder, str) else encoder_name(encoder)

    def encode(self, X: Any) -> np.ndarray | None:
        """Return the vectors of texts; None if the model uses the words only."""
        encoder = self._part("meaning")
        return None if encoder is None else encoder.transform(X)

    @property
    def n_dense_(self) -> int:
        """Number of dense features."""
        parts = filter(None, map(self._part, ("meaning", "columns")))
        return sum(len(part.get_feature_names_out()) for part in parts)

    @property
    def column_features_(self) -> np.ndarray:
        """Names of the features that come from other columns."""
        part = self._part("columns")
        return np.zeros(0, dtype=object) if part is None else part.get_feature_names_out()

    @property
    def columns_left_out_(self) -> np.ndarray:
        """Names of other columns that are not used."""
        part = self._part("columns")
        return np.zeros(0, dtype=object) if part is None else part.left_out_

    @property
    def classes_(self) -> np.ndarray:
        """Sorted labels."""
        return self._part("last").classes_

    @property
    def model_(self) -> Any:
        """The model, fitted to counts of terms."""
        scaled = self._part("calibrated")
        return self.pipeline_[-1] if scaled is None else scaled.estimator_

    @property
    def temperature_(self) -> float | None:
        """The number that scores are divided by, or None."""
        return getattr(self._part("calibrated"), "temperature_", None)

    @property
    def n_held_out_(self) -> int:
        """Number of texts that the temperature was measured on."""
        return getattr(self._part("calibrated"), "n_held_out_", 0)

    @property
    def held_out_(self) -> np.ndarray | None:
        """Confidence, and probability of the label, of held-out texts, or None."""
        return getattr(self._part("last"), "held_out_", None)

    @property
    def terms_(self) -> np.ndarray:
        """The terms, in the order of the model's columns."""
        return self.vectorizer_.terms_[self._kept_terms]

    @property
    def spellings_(self) -> np.ndarray:
        """For each term, its most frequent spelling in the training texts."""
        return self.vectorizer_.spellings_[self._kept_terms]

    @property
    def _kept_terms(self) -> Any:
        """Which terms of the vectorizer are columns of the model: a mask, or all."""
        selector = self._part("selector")
        # without what leaves the dense features as they are
        selector = getattr(selector, "transformer_", selector)
        return slice(None) if selector is None else selector.get_support()

    def _check_state(self) -> None:
        name, features = self.pipeline_.steps[0]
        if name != FIRST_STEP.get(type(features)):
            raise ValueError("pipeline_ does not begin with a TextVectorizer")
        if isinstance(features, FeatureUnion):
            kinds = [(name, type(part)) for name, part in features.transformer_list]
            expected = [("words", TextVectorizer)]
            expected += [("meaning", TextEncoder)] if ("meaning", TextEncoder) in kinds else []
            expected += [] if self.columns is None else [("columns", ColumnFeatures)]
            if kinds != expected or (self.encoder is None and self.columns is None):
                raise ValueError(
                    "pipeline_ does not begin with a TextVectorizer and a TextEncoder or columns"
                )
        if not isinstance(self._part("calibrated"), TemperatureScaledClassifier | None):
            raise ValueError("pipeline_ does not end with a TemperatureScaledClassifier")
        selector = self._part("selector")
        if not isinstance(getattr(selector, "transformer_", selector), TermSelector | None):
            raise ValueError("pipeline_ selects terms with something else than a TermSelector")
        for name, value in (self._table or {}).items():
            if name == "attributes":
                Attributes.from_dict(value)
            elif type(value) is not KINDS_IN_TABLE.get(name):
                raise ValueError(f"_table contains {name}={value!r}, which is not allowed")
        memory, terms = (getattr(self, name, None) for name in ("memory_", "memory_terms_"))
        if memory is not None:
            lengths, answers, _ = memory.T
            is_whole = np.array_equal(memory[:, :2], memory[:, :2].round())
            if not is_whole or (lengths < 0).any() or answers.max(initial=0) >= len(self.classes_):
                raise ValueError("memory_ does not contain numbers of words and classes")
        if (0 if memory is None else lengths.sum()) != (0 if terms is None else len(terms)):
            raise ValueError("memory_ and memory_terms_ have different numbers of words")


def check_labeled(X: Any, y: Any, mark: Any = None) -> tuple[list[str], np.ndarray]:
    """Return texts and their labels; raise ValueError if there are not as many of both."""
    texts, labels = check_texts(X), check_labels_of_texts(y, mark)
    if len(texts) != len(labels):
        raise ValueError(f"X has {len(texts)} texts, y has {len(labels)} labels.")
    return texts, labels


def find_quick_parts(pipeline: Pipeline) -> tuple[Any, Any, Any, Any] | None:
    """Return the vectorizer, tf-idf, a linear model, and its temperature or None.

    Return None if the pipeline has other steps.
    """
    vectorizer, model = pipeline.steps[0][1], pipeline.steps[-1][1]
    scaled: TemperatureScaledClassifier | None = None
    if type(model) is TemperatureScaledClassifier and model.selector_ is None:
        scaled, model = model, model.estimator_
    steps = [step for _, step in model.steps] if type(model) is Pipeline else []
    is_quick = len(pipeline.steps) == 2 and type(vectorizer) is TextVectorizer
    if not is_quick or [*map(type, steps)] not in QUICK or steps[0].norm != "l2":
        return None
    return vectorizer, steps[0], steps[1], scaled
