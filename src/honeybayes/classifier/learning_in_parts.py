"""What `honeybayes.scale.fit_in_parts` asks of a `TextClassifier`."""

import warnings
from typing import Any, Self

import numpy as np

from honeybayes.calibration import TemperatureScaledClassifier
from honeybayes.classifier.pipeline_settings import PipelineSettingsMixin, make_pipeline
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.scale import TextPlan, start_statistics
from honeybayes.text import TextVectorizer
from honeybayes.utils.labels import AUTO, is_auto
from honeybayes.utils.tags import mark_of_unlabeled, unlabeled_parameter
from honeybayes.zoo import models_with


class LearningInPartsMixin(PipelineSettingsMixin):
    """A classifier of texts that can learn from parts."""

    choice_: dict[str, Any] | None
    seeds_check_: dict[str, Any] | None
    table_: dict[str, Any] | None

    def plan_parts(self, *, with_pool: bool, with_seeds: bool) -> TextPlan:
        """Check the parameters, and say how this classifier learns from texts in parts.

        Parameters
        ----------
        with_pool : bool
            Whether there is a pool of texts without labels.
        with_seeds : bool
            Whether there are names of classes.

        Returns
        -------
        honeybayes.scale.TextPlan
        """
        self._check_parameters()
        model = self._unfitted_model_of_seeds() if with_seeds else self._unfitted_model()
        if with_pool:
            self._check_takes_pool(model)
        vectorizer = None
        if not with_seeds and self._adds_up(model):
            opening = 0 if is_auto(self.opening) else self.opening
            vectorizer = self._unfitted_vectorizer(self._stop_words_without_evidence(), opening)
        return TextPlan(
            model=model,
            vectorizer=vectorizer,
            mark=AUTO if self._is_auto() else mark_of_unlabeled(model),
            uses_pool=self._is_auto() or unlabeled_parameter(model) is not None,
            is_scaled=self._add_calibration(model, None) is not model,
        )

    def check_class_sizes(
        self, classes: np.ndarray, sizes: np.ndarray, mark: Any, all_labeled: bool
    ) -> None:
        """Raise ValueError if there are fewer than two classes; warn of a class with one text.

        Parameters
        ----------
        classes : ndarray of shape (n_classes,)
            The sorted classes.
        sizes : ndarray of shape (n_classes,)
            Number of texts of each class.
        mark : object
            The label that means "no label", or None.
        all_labeled : bool
            Whether every text has a label.
        """
        if not len(classes):
            raise ValueError(
                f"No text has a label: all are marked with {mark!r}. Label texts of at least two "
                "classes."
            )
        if len(classes) < 2:
            every = "Every text" if all_labeled else "Every text with a label"
            raise ValueError(
                f"{every} has the label {classes.tolist()[0]!r}, so there is only one class. Label "
                "texts of at least one other class."
            )
        if sizes.min() < 2:
            warnings.warn(
                f"Only one text of class(es) {classes[sizes < 2].tolist()}. Label more of them, or "
                "most of them will not be found.",
                FewDocumentsWarning,
                stacklevel=4,
            )

    def take_parts(
        self, vectorizer: TextVectorizer, last: Any, *, salt: int, digests: np.ndarray
    ) -> Self:
        """Become fitted by what was learned from parts.

        Parameters
        ----------
        vectorizer : TextVectorizer
            Fitted.
        last : estimator
            The model, fitted; with its temperature if ``plan_parts`` says so.
        salt : int
            As ``salt_``.
        digests : ndarray of uint64
            As ``digests_``.

        Returns
        -------
        self : object
        """
        is_scaled = isinstance(last, TemperatureScaledClassifier)
        self.pipeline_ = make_pipeline(vectorizer, last, is_scaled)
        self.choice_ = self.seeds_check_ = self.table_ = None
        self.salt_, self.digests_ = salt, digests
        return self

    def _adds_up(self, model: Any) -> bool:
        """Return whether sums over the texts are enough; otherwise all are needed at once."""
        if self._is_auto() or self.encoder is not None or self.n_terms is not None:
            return False
        try:
            start_statistics(model)
        except ValueError:
            return False
        return True

    def _check_takes_pool(self, model: Any) -> None:
        if unlabeled_parameter(model) is None and not self._is_auto():
            can_use_it = ", ".join(models_with("learns_from_unlabeled"))
            raise ValueError(
                f"The model is {self.model!r}, which learns from labeled texts only. Leave out "
                f'pool, or use model="auto" or one of {can_use_it}.'
            )
