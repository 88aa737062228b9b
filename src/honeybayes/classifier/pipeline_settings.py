"""From the parameters of `TextClassifier` to an unfitted pipeline."""

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import has_fit_parameter

from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.classifier.model_choice import SEMISUPERVISED, SUPERVISED
from honeybayes.classifier.word_choice import (
    count_opening,
    should_remove_stop_words,
    stop_words_without_seeds,
    weighs_by_idf,
)
from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.text import (
    ATTRIBUTES,
    STOP_WORDS,
    OnTerms,
    TermSelector,
    TextEncoder,
    TextVectorizer,
    expect_dense,
    match_seeds,
)
from honeybayes.utils.labels import is_auto
from honeybayes.utils.scores import can_score
from honeybayes.utils.tags import model_tags
from honeybayes.utils.validation import TextInputMixin
from honeybayes.zoo import make_model, models_with


class PipelineSettingsMixin(TextInputMixin):
    """The parameters of `TextClassifier`: their checks, and the parts that are made from them."""

    model: Any
    language: str
    stop_words: Any
    stem: bool
    min_df: int
    ngram_range: tuple[int, int]
    opening: Any
    n_terms: int | None
    calibrate: str | None
    encoder: Any
    n_jobs: int | None

    def _unfitted_model_of_seeds(self) -> Any:
        model = make_model(SEMISUPERVISED) if self._is_auto() else self._unfitted_model()
        if not has_fit_parameter(model, "seeds"):
            raise ValueError(
                f"The model is {self.model!r}, which cannot learn from seeds. Leave out seeds, or "
                f'use model="auto" or model="{SEMISUPERVISED}".'
            )
        return model

    def _choose_opening(self, model: Any, y: np.ndarray, mark: Any) -> int:
        if not is_auto(self.opening):
            return self.opening
        if self.language == ATTRIBUTES:
            return 0  # the columns of a table have no order
        is_for_few = self._is_auto() or isinstance(model, FewLabelsClassifier)
        return count_opening(y, mark) if is_for_few else 0

    def _choose_stop_words(
        self, model: Any, texts: list[str], y: np.ndarray, mark: Any, seeds: Any, opening: int
    ) -> Any:
        listed = self._stop_words_without_evidence()
        if not is_auto(self.stop_words) or not listed or not weighs_by_idf(model):
            return listed
        if seeds is not None:
            listed = stop_words_without_seeds(seeds.values(), self.language)
        settings: dict[str, Any] = {"language": self.language, "stem": self.stem}
        settings |= {"ngram_range": self.ngram_range, "opening": opening, "stop_words": listed}
        return should_remove_stop_words(texts, y, mark, **settings) and listed

    def _unfitted_pipeline(self, features: Any, model: Any, mark: Any, n_dense: int) -> Pipeline:
        if n_dense:
            model = expect_dense(model, n_dense)
        last = self._add_calibration(model, mark, n_dense)
        if last is not model or self.n_terms is None:
            return make_pipeline(features, last, last is not model)
        selector = self._unfitted_selector(mark, n_dense)
        return Pipeline([(step_name(features), features), ("selector", selector), ("model", model)])

    def _check_takes_dense(self, model: Any) -> None:
        if not model_tags(model).takes_dense:
            can_use_it = ", ".join(models_with("takes_dense"))
            raise ValueError(
                f"The model is {self.model!r}, which learns from counts of terms only and cannot "
                f"use the vectors of an encoder. Use one of {can_use_it}, or leave out `encoder`."
            )

    def _add_calibration(self, model: Any, mark: Any, n_dense: int = 0) -> Any:
        if self.calibrate is None or model_tags(model).is_calibrated or not can_score(model):
            return model
        selector = self._unfitted_selector(mark, n_dense)
        options: dict[str, Any] = {"min_df": self.min_df, "n_dense": n_dense}
        return TemperatureScaledClassifier(model, selector=selector, **options)

    def _unfitted_selector(self, mark: Any, n_dense: int = 0) -> Any:
        if self.n_terms is None:
            return None
        selector = TermSelector(n_terms=self.n_terms, unlabeled=mark)
        return OnTerms(selector, n_dense=n_dense) if n_dense else selector

    def _unfitted_features(self, stop_words: Any, opening: int) -> Any:
        """Return what turns texts into the columns of the model."""
        vectorizer = self._unfitted_vectorizer(stop_words, opening)
        if self.encoder is None:
            return vectorizer
        return FeatureUnion([("words", vectorizer), ("meaning", self._unfitted_encoder())])

    def _unfitted_encoder(self) -> TextEncoder:
        is_ready = isinstance(self.encoder, TextEncoder)
        return clone(self.encoder) if is_ready else TextEncoder(self.encoder)

    def _count_dense(self) -> int:
        """Ask the encoder for the length of its vectors."""
        if self.encoder is None:
            return 0
        return len(self._unfitted_encoder().fit(["any text"]).get_feature_names_out())

    def _unfitted_vectorizer(self, stop_words: Any, opening: int) -> TextVectorizer:
        return TextVectorizer(
            language=self.language,
            stop_words=stop_words,
            stem=self.stem,
            min_df=self.min_df,
            ngram_range=self.ngram_range,
            opening=opening,
        )

    def _unfitted_model(self) -> Any:
        if self._is_auto():
            return make_model(SUPERVISED)
        return make_model(self.model) if isinstance(self.model, str) else clone(self.model)

    def _stop_words_without_evidence(self) -> Any:
        return self.language in STOP_WORDS if is_auto(self.stop_words) else self.stop_words

    def _is_auto(self) -> bool:
        return is_auto(self.model)

    def _check_parameters(self) -> None:
        if isinstance(self.stop_words, str) and not is_auto(self.stop_words):
            raise ValueError(
                'stop_words must be "auto", True, False or a collection of words; got '
                f"{self.stop_words!r}. Choose the language with language=."
            )
        super()._check_parameters()
        opening = 0 if is_auto(self.opening) else self.opening
        self._unfitted_vectorizer(self._stop_words_without_evidence(), opening)._check_parameters()
        if self.encoder is not None:
            self._unfitted_encoder()._check_parameters()


def make_pipeline(features: Any, last: Any, is_scaled: bool) -> Pipeline:
    """Return a pipeline of two steps."""
    last_name = "calibrated" if is_scaled else "model"
    return Pipeline([(step_name(features), features), (last_name, last)])


def step_name(features: Any) -> str | None:
    """Return the name of the first step, or None if it cannot be one."""
    names = {TextVectorizer: "vectorizer", FeatureUnion: "features"}
    return names.get(type(features))


def fit_with_seeds(
    pipeline: Pipeline,
    texts: list[str],
    y: np.ndarray,
    weights: Any,
    words: dict[Any, str],
    **more: Any,
) -> dict[str, Any]:
    """Fit the steps of a pipeline, the last one with seeds; return how far to trust the seeds."""
    columns: Any = texts
    for _, step in pipeline.steps[:-1]:
        columns = step.fit_transform(columns, y)
    features, model = pipeline[0], pipeline[-1]
    vectorizer = features if isinstance(features, TextVectorizer) else features["words"]
    terms = vectorizer.terms_
    if "selector" in pipeline.named_steps:
        terms = terms[pipeline["selector"].get_support()[: len(terms)]]
    seeds, missing = match_seeds(words, terms, vectorizer.build_analyzer())
    with config_context(enable_metadata_routing=False):
        model.fit(columns, y, sample_weight=weights, seeds=seeds, **more)
    return {
        "verdict": model.seeds_verdict_,
        "trust": float(model.seeds_trust_),
        "missing": {str(label): " ".join(each) for label, each in missing.items() if each},
    }
