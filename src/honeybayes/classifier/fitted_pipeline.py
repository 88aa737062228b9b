"""What the fitted pipeline of `TextClassifier` knows."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import check_is_fitted

from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.classifier.pipeline_settings import step_name
from honeybayes.text import TermSelector, TextEncoder, TextVectorizer
from honeybayes.utils.digests import digest_texts
from honeybayes.utils.parameters import documented
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import TextInputMixin


@documented
class FittedPipelineMixin(TextInputMixin):
    """Attributes of a fitted `TextClassifier`, read from its pipeline."""

    encoder: Any
    pipeline_: Pipeline
    salt_: Any
    digests_: Any

    def count_terms(self, X: Any) -> sparse.csr_matrix:
        """Return the counts of terms that are the input of ``model_``, without dense features.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
            Columns in the order of ``terms_``.
        """
        counts, selector = self.vectorizer_.transform(X), self._term_selector
        return counts if selector is None else selector.transform(counts)

    def compute_features(self, X: Any) -> sparse.csr_matrix:
        """Return the input of ``model_``: counts of terms, then the vector of each text.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms + n_dense)
            The first columns in the order of ``terms_``; without an encoder there are no others.
        """
        columns, selector = self._fitted_pipeline[0].transform(X), self._selector
        return columns if selector is None else selector.transform(columns)

    def has_seen(self, X: Any) -> np.ndarray:
        """Return which texts are among the labeled texts that the model has learned from.

        Upper and lower case and white space make no difference. Of more than 100,000 different
        training texts, only 100,000 are known. Texts of the pool are not among them.

        Returns
        -------
        ndarray of bool, shape (n_samples,)

        Examples
        --------
        >>> from honeybayes import TextClassifier
        >>> texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
        >>> classifier = TextClassifier("CNB").fit(texts, ["delivery"] * 2 + ["billing"] * 2)
        >>> classifier.has_seen(["charged  TWICE", "charged once"])
        array([ True, False])
        """
        check_is_fitted(self)
        return np.isin(digest_texts(check_texts(X), self.salt_), self.digests_)

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The vectorizer, fitted."""
        features = self._fitted_pipeline[0]
        return features if isinstance(features, TextVectorizer) else features["words"]

    @property
    def stop_words_(self) -> Any:
        """True if stop words were removed, False if not, or a list of your own."""
        return self.vectorizer_.build_analyzer().stop_words

    @property
    def n_dense_(self) -> int:
        """Number of dense features."""
        features = self._fitted_pipeline[0]
        if isinstance(features, TextVectorizer):
            return 0
        return len(features["meaning"].get_feature_names_out())

    @property
    def classes_(self) -> np.ndarray:
        """Sorted labels."""
        return self._last_step.classes_

    @property
    def model_(self) -> Any:
        """The model, fitted to counts of terms."""
        return self._last_step.estimator_ if self._is_scaled else self._last_step

    @property
    def temperature_(self) -> float | None:
        """The number that scores are divided by, or None."""
        return self._last_step.temperature_ if self._is_scaled else None

    @property
    def n_held_out_(self) -> int:
        """Number of texts that the temperature was measured on."""
        return self._last_step.n_held_out_ if self._is_scaled else 0

    @property
    def held_out_(self) -> np.ndarray | None:
        """Confidence, and probability of the label, of held-out texts, or None."""
        return getattr(self._last_step, "held_out_", None)

    @property
    def terms_(self) -> np.ndarray:
        """The terms, in the order of the model's columns."""
        return self._select(self.vectorizer_.terms_)

    @property
    def spellings_(self) -> np.ndarray:
        """For each term, its most frequent spelling in the training texts."""
        return self._select(self.vectorizer_.spellings_)

    @property
    def _fitted_pipeline(self) -> Pipeline:
        if not hasattr(self, "pipeline_"):
            check_is_fitted(self)
        return self.pipeline_

    @property
    def _last_step(self) -> Any:
        return self._fitted_pipeline[-1]

    @property
    def _is_scaled(self) -> bool:
        return "calibrated" in self._fitted_pipeline.named_steps

    @property
    def _selector(self) -> Any:
        if self._is_scaled:
            return self._last_step.selector_
        return self.pipeline_.named_steps.get("selector")

    @property
    def _term_selector(self) -> Any:
        """The selector of terms, without what leaves the dense features as they are."""
        return getattr(self._selector, "transformer_", self._selector)

    def _select(self, values: np.ndarray) -> np.ndarray:
        selector = self._term_selector
        return values if selector is None else values[selector.get_support()]

    def _check_state(self) -> None:
        name, features = self.pipeline_.steps[0]
        if name != step_name(features):
            raise ValueError("pipeline_ does not begin with a TextVectorizer")
        if isinstance(features, FeatureUnion) and (
            self.encoder is None or not _is_of_texts(features)
        ):
            raise ValueError("pipeline_ does not begin with a TextVectorizer and a TextEncoder")
        if self._is_scaled and not isinstance(self._last_step, TemperatureScaledClassifier):
            raise ValueError("pipeline_ does not end with a TemperatureScaledClassifier")
        if self._selector is not None and not isinstance(self._term_selector, TermSelector):
            raise ValueError("pipeline_ selects terms with something else than a TermSelector")


def _is_of_texts(union: FeatureUnion) -> bool:
    kinds = [(name, type(part)) for name, part in union.transformer_list]
    return kinds == [("words", TextVectorizer), ("meaning", TextEncoder)]
