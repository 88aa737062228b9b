"""
Paths without texts: nominal attributes
=======================================

Workshops report why a machine stopped. A record has eight attributes, each with one value of a
list. People use different words for the same thing: one writes "grinding", another "scraping".
Naive Bayes must see each value with each cause. Higher-order paths link a value to a cause through
other values that occur with it in other records.

The records are random, with a fixed seed. The example only shows how the models work on a table.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from honeybayes import (
    HigherOrderNB,
    HigherOrderSmoothingNB,
    NoPathWarning,
    SmoothedBernoulliNB,
)
from honeybayes.paths import iter_paths

# attribute -> cause -> words that people use for what they find
WORDS = {
    "sound": {
        "bearing": ["grinding", "scraping", "rumble"],
        "belt": ["squeal", "whistle", "chirp"],
        "power": ["click", "silence", "hum"],
        "leak": ["hiss", "gurgle", "drip"],
    },
    "smell": {
        "bearing": ["hot metal", "scorched", "none"],
        "belt": ["rubber", "burnt", "none"],
        "power": ["ozone", "plastic", "none"],
        "leak": ["oil", "solvent", "none"],
    },
    "sight": {
        "bearing": ["shavings", "play", "rust"],
        "belt": ["dust", "fraying", "slack"],
        "power": ["dark lamp", "soot", "spark"],
        "leak": ["puddle", "stain", "mist"],
    },
    "touch": {
        "bearing": ["hot", "shaking", "rough"],
        "belt": ["loose", "warm", "shaking"],
        "power": ["cold", "warm", "tingle"],
        "leak": ["slippery", "damp", "cold"],
    },
    "when": {
        "bearing": ["full load", "long run", "any time"],
        "belt": ["start", "full load", "any time"],
        "power": ["start", "storm", "any time"],
        "leak": ["overnight", "long run", "any time"],
    },
    "gauge": {
        "bearing": ["high heat", "high current", "normal"],
        "belt": ["low speed", "unsteady", "normal"],
        "power": ["zero volts", "unsteady", "normal"],
        "leak": ["low pressure", "low level", "normal"],
    },
    "remedy tried": {
        "bearing": ["grease", "cool down", "restart"],
        "belt": ["tighten", "clean", "restart"],
        "power": ["fuse", "reset", "restart"],
        "leak": ["refill", "tape", "restart"],
    },
    "shift": {cause: ["early", "late", "night"] for cause in ("bearing", "belt", "power", "leak")},
}
CAUSES = np.array(sorted(WORDS["sound"]))


def make_records(n_records: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw records. One value in four comes from a random cause."""
    rng = np.random.default_rng(seed)
    causes = rng.choice(CAUSES, n_records)
    records = []
    for cause in causes:
        seen = [rng.choice(CAUSES) if rng.random() < 0.25 else cause for _ in WORDS]
        records.append(
            [rng.choice(words[as_if]) for words, as_if in zip(WORDS.values(), seen, strict=True)]
        )
    return np.array(records), causes


def accuracy(model, records, causes, n_labels: int, n_repeats: int = 30) -> float:
    """Return the mean accuracy on the records that were not used for training."""
    split = StratifiedShuffleSplit(n_repeats, train_size=n_labels * len(CAUSES), random_state=0)
    scores = []
    for train, test in split.split(records, causes):
        # one column per value of each attribute: the terms of a record
        pipeline = make_pipeline(OneHotEncoder(handle_unknown="ignore"), model)
        pipeline.fit(records[train], causes[train])
        scores.append(pipeline.score(records[test], causes[test]))
    return float(np.mean(scores))


def main() -> None:
    warnings.simplefilter("ignore", NoPathWarning)  # with two records, a class can have no path
    records, causes = make_records(600, seed=0)
    models = {
        "naive Bayes": SmoothedBernoulliNB(),
        "higher order (HONB)": HigherOrderNB(prior="uniform"),
        "smoothed (HOS)": HigherOrderSmoothingNB(alpha=0),
    }
    sizes = (2, 4, 8, 16, 32)
    print(f"{len(records)} records of {len(WORDS)} nominal attributes, {len(CAUSES)} causes\n")
    print("Accuracy by labeled records per cause (mean of 30 draws)")
    print(f"{'':22}" + "".join(f"{size:>8}" for size in sizes))
    _, ax = plt.subplots()
    for name, model in models.items():
        row = [100 * accuracy(model, records, causes, size) for size in sizes]
        print(f"{name:22}" + "".join(f"{value:8.1f}" for value in row))
        ax.semilogx(sizes, row, "o-", label=name)
    ax.set(xlabel="labeled records per cause", ylabel="accuracy (%)")
    ax.set_xticks(sizes, map(str, sizes))
    ax.minorticks_off()
    ax.legend()

    encoder = OneHotEncoder(sparse_output=True)
    few = causes[:40] == "bearing"
    X = encoder.fit_transform(records[:40][few])
    names = encoder.get_feature_names_out(list(WORDS))
    print("\nSome paths between the sounds of two records with the cause 'bearing':")
    shown = set()
    for terms, documents in iter_paths(X):
        first, bridge, last = (names[term].replace("_", ": ") for term in terms)
        if first.startswith("sound") and last.startswith("sound") and bridge not in shown:
            print(f"  {first} - record {documents[0]} - {bridge} - record {documents[1]} - {last}")
            shown.add(bridge)
        if len(shown) == 3:
            break


if __name__ == "__main__":
    main()
