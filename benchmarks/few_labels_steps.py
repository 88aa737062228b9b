"""Measure what each step of FewLabelsClassifier adds, on the corpora that gave its defaults.

    python -m benchmarks.few_labels_steps [--seeds 3] [--labels 5]

Prints accuracy and calibration error with one step switched off or changed at a time.
"""

import argparse

import numpy as np

from benchmarks.few_labels import GROUPS, Drawn, fit_ours, label_some, metrics

STEPS = {
    "all steps": {},
    "walk=0": {"walk": 0.0},
    "n_rounds=0": {"n_rounds": 0},
    "n_rounds=10": {"n_rounds": 10},
    "prior_shrinkage=0": {"prior_shrinkage": 0.0},
    "n_axes=0": {"n_axes": 0},
    "n_folds=0": {"n_folds": 0},
    "guess_weight=0.001": {"guess_weight": 0.001},
}
CORPORA = (*GROUPS["first"], *GROUPS["short"])
SHOWN = "re0"  # a corpus whose groups of terms are not its classes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--labels", type=int, default=5)
    options = parser.parse_args()
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name in CORPORA:
        corpus = Drawn(name)
        for seed in range(options.seeds):
            problem = corpus.draw(seed)
            y = label_some(problem.classes, options.labels)
            for step, settings in STEPS.items():
                model, counts = fit_ours(problem, y, **settings)
                measured = metrics(model.predict_proba(counts.test), problem.tests)
                found.setdefault((step, name), []).append((measured["accuracy"], measured["ece"]))
    print(f"| | mean accuracy | ECE | accuracy on {SHOWN} |\n| --- | --: | --: | --: |")
    for step in STEPS:
        accuracy, error = np.mean([found[step, name] for name in CORPORA], axis=(0, 1))
        shown = np.mean(found[step, SHOWN], axis=0)[0]
        print(f"| {step} | {100 * accuracy:.1f} | {error:.3f} | {100 * shown:.1f} |")


if __name__ == "__main__":
    main()
