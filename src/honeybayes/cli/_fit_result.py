"""What ``honeybayes fit`` says about the model that it has written."""

from pathlib import Path
from typing import Any, NamedTuple

from honeybayes.calibration.coverage import FEWEST_HELD_OUT
from honeybayes.cli._coverage import as_records, describe_usual, thresholds_of
from honeybayes.scale import POOL_SIZE, PartsFit
from honeybayes.zoo import models_with

VERDICTS = {
    "good": "their words fit the texts",
    "unsure": "check some answers, add typical words, or label a few texts of each class",
    "poor": "do not rely on the answers; label a few texts of each class",
}
TOO_FEW_RANDOM = (
    "No threshold: it takes labels of {fewest} random texts, and {found} of the labels are of "
    "random texts. Chosen\ntexts say little about others. `honeybayes label` offers one random "
    "text in five."
)


class FitResult(NamedTuple):
    """A fitted classifier, the name of its model, and what it has learned from.

    ``n_random`` is the number of labels of random texts, if others were chosen.
    """

    classifier: Any
    model: str
    learned: PartsFit
    n_random: int | None

    @property
    def choice(self) -> dict[str, Any]:
        """The name of the model that was used, and the reason."""
        return self.classifier.choice_ or {"model": self.model, "reason": None}

    @property
    def n_used(self) -> int:
        """The number of texts without a label that the model has learned from."""
        uses_pool = self.choice["model"] in models_with("learns_from_unlabeled")
        return self.learned.n_pool if uses_pool else 0

    @property
    def n_repeats(self) -> int | None:
        """The number of texts that have the same words as another one."""
        return getattr(self.classifier.model_, "n_repeats_", None)

    def as_record(self, output: Path) -> dict[str, Any]:
        """Return the result for programs."""
        classifier = self.classifier
        return {
            "model": self.choice["model"],
            "reason": self.choice["reason"],
            "documents": self.learned.n_labeled,
            "unlabeled": self.n_used,
            "classes": classifier.classes_.tolist(),
            "terms": len(classifier.terms_),
            "stop_words_removed": bool(classifier.stop_words_),
            "repeats": self.n_repeats,
            "class_names": classifier.seeds_check_,
            "coverage": as_records(thresholds_of(classifier)),
            "file": str(output),
        }

    def describe(self, output: Path) -> list[str]:
        """Return the result in lines for people."""
        classifier, learned, n_used = self.classifier, self.learned, self.n_used
        model, reason = self.choice["model"], self.choice["reason"]
        lines = describe_check(classifier.seeds_check_)
        documents = [f"{learned.n_labeled} documents"] if learned.n_labeled or not n_used else []
        documents += [f"{n_used} without a label"] if n_used else []
        lines.append(
            f"{model} learned {len(classifier.classes_)} classes from {' and '.join(documents)}, "
            f"{len(classifier.terms_)} terms: {output}"
        )
        if learned.n_unlabeled > n_used >= POOL_SIZE:  # otherwise, the others repeat these
            lines.append(f"Those without a label are a random sample of {learned.n_unlabeled}.")
        if self.n_repeats:
            each = "texts have" if self.n_repeats > 1 else "text has"
            lines.append(
                f"{self.n_repeats} {each} the same words as another text; each counts once"
            )
        if classifier.stop_words == "auto":
            lines.append(f"Stop words: {'removed' if classifier.stop_words_ else 'kept'}")
        if reason:
            lines.append(f"Why {model}: {reason}")
            if learned.n_pool > n_used:
                lines.append(
                    f"It learns from labeled texts only: {learned.n_pool} others were not used."
                )
        thresholds = thresholds_of(classifier)
        lines += describe_usual(thresholds, "texts")
        if self.n_random is not None and classifier.calibrate and not thresholds:
            lines.append(TOO_FEW_RANDOM.format(fewest=FEWEST_HELD_OUT, found=self.n_random))
        return lines


def describe_check(check: dict[str, Any] | None) -> list[str]:
    """Return how far the names of the classes can be trusted, and the words that do not occur."""
    if check is None:
        return []
    about = VERDICTS[check["verdict"]]
    lines = [f"Class names: {check['verdict']} ({check['trust']:.2f}): {about}"]
    return lines + [
        f"Words of {name} that occur in no text: {words}"
        for name, words in check["missing"].items()
    ]
