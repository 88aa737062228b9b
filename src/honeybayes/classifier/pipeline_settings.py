"""From the parameters of `TextClassifier` to a fitted pipeline, and to a plan for parts."""

import warnings
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils.validation import has_fit_parameter

from honeybayes import text
from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.classifier import choices
from honeybayes.classifier.columns import ColumnFeatures, check_columns
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.scale import TextPlan, start_statistics
from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.utils import matrices, tags, validation
from honeybayes.utils.labels import AUTO, encode_labels, is_auto
from honeybayes.utils.meta_estimators import fit_weighted
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import can_score
from honeybayes.zoo import make_model, models_with

OF_WORDS = ("language", "stem", "min_df", "ngram_range", "clean_html")
FIRST_STEP: dict[type, str] = {text.TextVectorizer: "vectorizer", FeatureUnion: "features"}


@estimator
class PipelineSettingsMixin(validation.TextInputMixin):
    """The parameters of `TextClassifier`: their checks, and the parts that are made from them."""

    model: Any = field(default=AUTO, kw_only=False)
    language: str | None = "auto"
    stop_words: Any = "auto"
    stem: bool = True
    min_df: int = 1
    ngram_range: tuple[int, int] = (1, 1)
    n_terms: int | None = None
    clean_html: Any = "auto"
    calibrate: Literal["auto", None] = "auto"
    encoder: Any = "auto"
    columns: Mapping[str, Any] | None = None

    def plan_parts(self, *, with_pool: bool, with_seeds: bool) -> TextPlan:
        """Check the parameters, and say how this classifier learns from texts in parts."""
        self._check_parameters()
        model = self._unfitted_model(with_seeds)
        if with_pool:
            self._check_takes_pool(model)
        vectorizer = None
        needs_texts = with_seeds or is_auto(self.model) or self.n_terms is not None
        if not needs_texts and not self._unfitted_parts(model):
            with suppress(ValueError):  # sums over the texts are not enough for every model
                start_statistics(model)
                vectorizer = self._unfitted_vectorizer()
        return TextPlan(
            model=model,
            vectorizer=vectorizer,
            mark=AUTO if is_auto(self.model) else tags.mark_of_unlabeled(model),
            uses_pool=is_auto(self.model) or tags.unlabeled_parameter(model) is not None,
            is_scaled=self._add_calibration(model) is not model,
        )

    def check_class_sizes(
        self, classes: np.ndarray, sizes: np.ndarray, mark: Any, all_labeled: bool
    ) -> None:
        """Raise ValueError if there are fewer than two classes; warn of a class with one text."""
        if not len(classes):
            raise ValueError(
                f"No text has a label: all are marked with {mark!r}. Label texts of at least two "
                "classes."
            )
        if len(classes) < 2:
            every = "Every text" if all_labeled else "Every text with a label"
            only = f"{every} has the label {classes.tolist()[0]!r}, so there is only one class."
            raise ValueError(f"{only} Label texts of at least one other class.")
        if sizes.min() < 2:
            told = f"Only one text of the classes {classes[sizes < 2].tolist()}. Label more,"
            advice = "or most of them will not be found."
            warnings.warn(f"{told} {advice}", FewDocumentsWarning, stacklevel=4)

    def _unfitted_model(self, with_seeds: bool = False) -> Any:
        if is_auto(self.model):
            return make_model(choices.choose_model(0, has_seeds=with_seeds)["model"])
        model = make_model(self.model) if isinstance(self.model, str) else clone(self.model)
        if with_seeds and not has_fit_parameter(model, "seeds"):
            others = [choices.choose_model(0, has_seeds=True)["model"]]
            raise self._cannot_learn_from("names of classes, seeds or sources", others)
        return model

    def _check_takes_pool(self, model: Any) -> None:
        if tags.unlabeled_parameter(model) is None and not is_auto(self.model):
            raise self._cannot_learn_from("a pool", models_with("learns_from_unlabeled"))

    def _cannot_learn_from(self, what: str, others: Iterable[str]) -> ValueError:
        name, advice = repr(self.model), ""
        if not isinstance(self.model, str):
            name = type(tags.innermost_model(self.model)[1]).__name__
            advice = f" If a parameter such as model__C has set {name}, leave this out, too."
        return ValueError(
            f"The model is {name}, which cannot learn from {what}. Leave {what} out, or use "
            f'model="auto" or one of {", ".join(others)}.{advice}'
        )

    def _unfitted_vectorizer(self) -> text.TextVectorizer:
        """Return the vectorizer. Stop words that are "auto" are decided without evidence."""
        settings = {name: getattr(self, name) for name in OF_WORDS}
        stop_words = is_auto(self.stop_words) or self.stop_words
        return text.TextVectorizer(**settings, stop_words=stop_words)

    def _may_use_vectors(self, texts: list[str]) -> bool:
        """Return whether vectors are worth their time if these labeled texts are all there is."""
        if not 0 < len(texts) <= choices.MOST_WITH_VECTORS or self.columns is not None:
            return False
        if not is_auto(self.encoder):
            return self.encoder is not None
        if self.language == text.ATTRIBUTES or choices.are_long(texts):
            return False
        return text.find_encoder(texts) is not None

    def _unfitted_parts(
        self, model: Any, mark: Any = None, texts: list[str] | None = None
    ) -> list[tuple[str, Any]]:
        """Return what gives the model dense features beside the words.

        The encoder "auto" is for the model that weighs vectors by evidence.
        """
        weighs = isinstance(tags.innermost_model(model)[1], FewLabelsClassifier)
        is_wanted = not is_auto(self.encoder) or (weighs and self.language != text.ATTRIBUTES)
        encoder = text.make_encoder(self.encoder, texts) if is_wanted else None
        parts: list[tuple[str, Any]] = [] if encoder is None else [("meaning", encoder)]
        if self.columns is not None:
            parts.append(("columns", ColumnFeatures(**self.columns, unlabeled=mark)))
        return parts

    def _fit_features(
        self, model: Any, texts: list[str], y: np.ndarray, mark: Any, seeds: Any
    ) -> tuple[Any, Any, int]:
        """Fit what makes columns of texts; the texts decide about what is "auto".

        Returns it, the columns of the texts, and how many of the last ones are dense.
        """
        vectorizer = self._unfitted_vectorizer().settle(text.look_at(texts))
        has_idf = any(isinstance(step, TfidfTransformer) for _, step in getattr(model, "steps", ()))
        # these models give frequent words little weight, so stop words may stay
        may_stay = has_idf or isinstance(model, FewLabelsClassifier)
        if is_auto(self.stop_words) and vectorizer.stop_words and may_stay:
            if seeds is not None:
                words = choices.stop_words_without_seeds(seeds.values(), vectorizer.language)
                vectorizer.stop_words = words
            if not choices.should_remove_stop_words(vectorizer, texts, y, mark):
                vectorizer.stop_words = False
        beside = self._unfitted_parts(model, mark, texts)
        if not beside:
            return vectorizer, vectorizer.fit_transform(texts, y), 0
        if not tags.model_tags(model).takes_dense:
            what = {"meaning": "the vectors of an encoder", "columns": "other columns"}
            raise self._cannot_learn_from(what[beside[0][0]], models_with("takes_dense"))
        # scikit-learn's union would spend a quarter of the whole fit on joining words and vectors
        counts = vectorizer.fit_transform(texts, y)
        dense = np.hstack([part.fit_transform(texts, y) for _, part in beside])
        features = FeatureUnion([("words", vectorizer), *beside])
        return features, matrices.append_dense(counts, dense), dense.shape[1]

    def _fit_first_steps(
        self, model: Any, texts: list[str], y: np.ndarray, mark: Any, seeds: Any
    ) -> tuple[Pipeline, Any]:
        """Fit all steps of the pipeline from texts to classes but the last one.

        Returns the pipeline, and the columns that its last step learns from.
        """
        features, columns, n_dense = self._fit_features(model, texts, y, mark, seeds)
        model = text.expect_dense(model, n_dense) if n_dense else model
        selector: Any = None
        if self.n_terms is not None:
            selector = text.TermSelector(n_terms=self.n_terms, unlabeled=mark)
            selector = text.OnTerms(selector, n_dense=n_dense) if n_dense else selector
        last = self._add_calibration(model, selector, n_dense)
        steps = [(FIRST_STEP[type(features)], features)]
        if last is model and selector is not None:
            steps.append(("selector", selector))
            columns = selector.fit_transform(columns, y)
        return Pipeline([*steps, ("model" if last is model else "calibrated", last)]), columns

    def _add_calibration(self, model: Any, selector: Any = None, n_dense: int = 0) -> Any:
        if self.calibrate is None or tags.model_tags(model).is_calibrated or not can_score(model):
            return model
        return TemperatureScaledClassifier(
            model, selector=selector, min_df=self.min_df, n_dense=n_dense
        )

    def _check_parameters(self) -> None:
        if isinstance(self.stop_words, str) and not is_auto(self.stop_words):
            raise ValueError(
                'stop_words must be "auto", True, False or a collection of words; got '
                f"{self.stop_words!r}. Choose the language with language=."
            )
        super()._check_parameters()
        self._unfitted_vectorizer()._check_parameters()
        if self.columns is not None:
            check_columns(self.columns)
        if not is_auto(self.encoder) and (encoder := text.make_encoder(self.encoder)) is not None:
            encoder._check_parameters()


def fit_last_step(
    pipeline: Pipeline, columns: Any, y: np.ndarray, mark: Any, words: Any, **more: Any
) -> dict[str, Any] | None:
    """Fit the last step of a pipeline, with seed words or else vectors of the class names.

    It also gets what is given of ``more``: "sample_weight", "is_random" if it can use it, and
    "sources". Returns how far to trust the seeds, if there are some.
    """
    last, features = pipeline[-1], pipeline[0]
    parts = getattr(features, "named_transformers", {"words": features})
    encoder, vectorizer = parts.get("meaning"), parts["words"]
    more = {name: each for name, each in more.items() if each is not None}
    if not has_fit_parameter(last, "is_random"):
        more.pop("is_random", None)
    if words is None:
        if encoder is not None and has_fit_parameter(last, "names"):
            classes = encode_labels(y, mark)[0]
            names = text.encode_names(classes, clone(encoder), last.n_dense)
            more |= {"names": names} if names else {}
        fit_weighted(last, columns, y, **more)
        return None
    terms = vectorizer.terms_
    if "selector" in pipeline.named_steps:
        terms = terms[pipeline["selector"].get_support()[: len(terms)]]
    seeds, missing = text.match_seeds(words, terms, vectorizer.build_analyzer())
    if encoder is not None:
        seeds = text.append_vectors(seeds, words, encoder)
    fit_weighted(last, columns, y, seeds=seeds, **more)
    return {
        "verdict": last.seeds_verdict_,
        "trust": float(last.seeds_trust_),
        "missing": {str(label): " ".join(each) for label, each in missing.items() if each},
    }
