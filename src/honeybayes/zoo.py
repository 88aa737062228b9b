"""Names for configured estimators: the acronyms of the papers, and common models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from honeybayes.utils.suggestions import did_you_mean
from honeybayes.utils.tags import ModelTags, model_tags


@dataclass(frozen=True)
class ModelEntry:
    """A configured estimator and its name.

    Parameters
    ----------
    name : str
        As in the paper's tables.
    summary : str
        Short description.
    estimator : str
        Module and class, ``"package.module:Class"``.
    parameters : mapping
        Arguments of the class.
    paper : str
        Source of the model.
    equations : str
        Equations of the paper that define the model.
    tfidf : bool
        Whether counts are first converted to tf-idf (sublinear, unit length).
    """

    name: str
    summary: str
    estimator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    paper: str = ""
    equations: str = ""
    tfidf: bool = False

    def __post_init__(self) -> None:
        # read-only, because all callers share the entry
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))


_HONB = "Ganiz, Lytkin, Pottenger: Leveraging Higher Order Dependencies (2009)"
_TKDE = "Higher Order Naive Bayes (manuscript TKDE-2008-12-0640)"
_HOS = "Poyraz, Kilimci, Ganiz: Higher Order Smoothing (ICDM 2012)"
_HMNB = "Hidden multinomial naive Bayes (HMNB, HCNB, HOVA)"
_IHOSK = "Altinel, Ganiz, Diri: A Semantic Kernel for Text Classification (2014)"
_BAYES = "honeybayes.bayes:"
_VECTORS = "honeybayes.vectors:"
_RULES = {"MNB": "multinomial", "CNB": "complement", "OVA": "one-vs-rest"}
# Models with the three rules of counts: name, in which * is MNB, CNB or OVA; summary; class;
# parameters; and the equations, one text or one for each rule.
_OF_RULES: list[tuple[str, str, str, dict[str, Any], Any]] = [
    (
        "*",
        "Naive Bayes on counts, {rule} rule",
        "CountNB",
        {},
        ("Eq. 1; 4-7", "Eq. 2; 4-7", "Eq. 3, as a difference of logs; 4-7"),
    ),
    (
        "Rw,c*",
        "{name}, probabilities raised by the association of word and class",
        "AssociationWeightedNB",
        {},
        "section 2.1: P(w given c) max(1, P(w, c) / (P(w) P(c)))",
    ),
    (
        "GRW*",
        "{name}, words weighted by gain ratio",
        "FeatureWeightedNB",
        {"weighting": "gain-ratio"},
        "section 2.1: weights over their average, in the estimates and in the exponent",
    ),
    (
        "DFW*",
        "{name}, words weighted twice if correlation-based selection keeps them",
        "FeatureWeightedNB",
        {"weighting": "cfs"},
        "section 2.1: weights 2 and 1, in the estimates and in the exponent",
    ),
    (
        "DTW*",
        "{name}, words weighted by their depth in a decision tree",
        "FeatureWeightedNB",
        {"weighting": "tree"},
        "section 2.1: 1 + 1 / sqrt(depth), in the estimates and in the exponent",
    ),
    (
        "GRS*",
        "{name}, the words with the best gain ratio; leave-one-out accuracy decides how many",
        "FeatureSelectedNB",
        {},
        "section 2.2: tenths of the words, ranked once; smoothed over all words",
    ),
    (
        "DW*",
        "{name}, documents weighted by how hard they are to classify",
        "InstanceWeightedNB",
        {"max_iter": 20},
        "section 2.3: 20 rounds, weights in the counts and in the priors",
    ),
    (
        "SE*",
        "Structure-extended {name}: the average over all words as super-parents",
        "StructureExtendedNB",
        {},
        (
            "section 2: the average of the likelihoods, weighted by gain ratio",
            "section 2: the same for the complement",
            "section 2: the average of the odds over the words of at least average gain ratio",
        ),
    ),
    (
        "LWW*",
        "Locally weighted {name}: the 100 nearest training documents, by cosine",
        "LocallyWeightedNB",
        {"n_neighbors": 100},
        "section 2.4, a neighbor weighs as much as its cosine",
    ),
    (
        "*Tree",
        "Decision tree with {name} at the leaves",
        "TreeNB",
        {"min_share": 0.4},
        "section 2.4, a node is split if it holds 40 % of the documents",
    ),
]


def _entries_of_rules() -> Iterator[ModelEntry]:
    for pattern, summary, class_name, parameters, equations in _OF_RULES:
        for number, (name, rule) in enumerate(_RULES.items()):
            yield ModelEntry(
                pattern.replace("*", name),
                summary.format(name=name, rule=rule),
                _BAYES + class_name,
                {"rule": rule, **parameters},
                _HMNB,
                equations if isinstance(equations, str) else equations[number],
            )


def _bernoulli(name: str, paper: str, equations: str, note: str = "") -> ModelEntry:
    summary = f"Bernoulli naive Bayes, Laplace's rule{note}"
    return ModelEntry(name, summary, _BAYES + "SmoothedBernoulliNB", {}, paper, equations)


def _pure(name: str, paper: str, equations: str, note: str = "") -> ModelEntry:
    summary = f"HONB on paths whose end words share no training document{note}"
    return ModelEntry(name, summary, _BAYES + "HigherOrderNB", {"pure": "corpus"}, paper, equations)


_ENTRIES = [
    _bernoulli("NB", _HONB, "Eq. 6-7"),
    _bernoulli("MVNB", _HOS, "Eq. 1-2", "; the same as NB"),
    ModelEntry(
        "MVNB+JM",
        "Bernoulli naive Bayes, Jelinek-Mercer smoothing",
        _BAYES + "SmoothedBernoulliNB",
        {"smoothing": "jelinek-mercer", "beta": 0.2},
        _HOS,
        "Eq. 5-7, weight 0.2 for the collection",
    ),
    ModelEntry(
        "HONB",
        "Higher Order Naive Bayes, second-order paths",
        _BAYES + "HigherOrderNB",
        {},
        _HONB,
        "Eq. 8-9",
    ),
    _pure("pure HONB", _HONB, "Eq. 8-9, Table 4"),
    _pure("HONB pure", _TKDE, "section IV, Table 4", "; the same as pure HONB"),
    ModelEntry(
        "SVM",
        "Linear support vector machine on the presence of terms",
        _VECTORS + "TunedSVC",
        {"per_pair": True, "binarize": 0.0},
        _HONB,
        "section 5, Table 2; C by training accuracy, for each pair of classes",
    ),
    ModelEntry(
        "HOSVM",
        "Higher Order Support Vector Machine, second-order paths",
        _VECTORS + "HigherOrderSVC",
        {},
        _HONB,
        "Eq. 8, 10-12; C by training accuracy, for each pair of classes",
    ),
    ModelEntry(
        "NBSVM",
        "HOSVM with document counts instead of paths; not Wang and Manning's NBSVM",
        _VECTORS + "HigherOrderSVC",
        {"estimates": "first-order"},
        _HONB,
        "Eq. 6, 10-12, Table 5; C by training accuracy, for each pair of classes",
    ),
    ModelEntry(
        "HOS",
        "Higher Order Smoothing, as published",
        _BAYES + "HigherOrderSmoothingNB",
        {},
        _HOS,
        "Eq. 10-11, normalized per class",
    ),
    ModelEntry(
        "HOS-alpha0",
        "Higher Order Smoothing without Laplace's 1: for large vocabularies",
        _BAYES + "HigherOrderSmoothingNB",
        {"alpha": 0},
        _HOS,
        "Eq. 10-11, normalized per class, alpha = 0",
    ),
    ModelEntry(
        "LSI kNN",
        "Nearest neighbors by cosine in the space of latent semantic indexing",
        _VECTORS + "LSIKNeighborsClassifier",
        {},
        _TKDE,
        "section V: 25 neighbors, noisy OR, singular values above one",
    ),
    *(
        ModelEntry(
            f"SMO-{name}",
            f"Support vector machine on counts, {name} kernel",
            _VECTORS + "TunedSVC",
            {"kernel": kernel, "C": 1.0, **parameters},
            _IHOSK,
            f"section 4, Tables 3-7{reading}",
        )
        for name, kernel, parameters, reading in (
            ("linear", "linear", {}, "; C = 1"),
            ("polynomial", "poly", {"degree": 2, "gamma": 1.0}, "; C = 1, degree 2"),
            ("RBF", "rbf", {"gamma": 0.01}, "; C = 1, gamma = 0.01"),
        )
    ),
    ModelEntry(
        "SMO-N-IHOSK",
        "Support vector machine on the iterative semantic kernel",
        _VECTORS + "SemanticSVC",
        {},
        _IHOSK,
        "Eq. 4, 5 with D' SR D, 8, 10; two iterations; C by the scale of the kernel",
    ),
    ModelEntry(
        "mNB",
        "Multinomial naive Bayes; the same as MNB",
        _BAYES + "CountNB",
        {},
        _HONB,
        "quoted, Table 3",
    ),
    ModelEntry(
        "NBWC",
        "Multinomial naive Bayes on 50 clusters of words",
        _BAYES + "WordClusterNB",
        {"n_clusters": 50},
        _HONB,
        "quoted, Table 3: Slonim and Tishby (2001), agglomerative information bottleneck",
    ),
    *_entries_of_rules(),
    ModelEntry(
        "HMNB",
        "Hidden multinomial naive Bayes",
        _BAYES + "HiddenNB",
        {"rule": "multinomial"},
        _HMNB,
        "Eq. 10-14, Algorithms 1-2",
    ),
    ModelEntry(
        "HCNB",
        "Hidden complement naive Bayes",
        _BAYES + "HiddenNB",
        {"rule": "complement"},
        _HMNB,
        "Eq. 15, 17-18, Algorithms 3-4",
    ),
    ModelEntry(
        "HOVA",
        "Hidden one-versus-all-but-one, the score that its table shows",
        _BAYES + "HiddenNB",
        {"rule": "one-vs-rest", "ovr_score": "paper"},
        _HMNB,
        "for Eq. 16, Algorithms 5-6: the odds averaged over the parents, which gives the table",
    ),
    ModelEntry(
        "FewLabels",
        "Learns from unlabeled documents too: EM, then a logistic regression on its answers",
        "honeybayes.semisupervised:FewLabelsClassifier",
        {},
        "Nigam, McCallum, Thrun, Mitchell: Labeled and Unlabeled Documents using EM (2000)",
        "EM-lambda, on tf-idf; the first estimate and the regressions are our own",
    ),
    ModelEntry(
        "ComplementNB-tfidf",
        "scikit-learn's ComplementNB on tf-idf",
        "sklearn.naive_bayes:ComplementNB",
        tfidf=True,
    ),
    ModelEntry(
        "LogisticRegression-tfidf",
        "scikit-learn's LogisticRegression on tf-idf",
        "sklearn.linear_model:LogisticRegression",
        {"C": 10, "max_iter": 1000},
        tfidf=True,
    ),
    ModelEntry(
        "LinearSVC-tfidf",
        "scikit-learn's LinearSVC on tf-idf",
        "sklearn.svm:LinearSVC",
        {"random_state": 0},
        tfidf=True,
    ),
]
_ZOO = {entry.name: entry for entry in _ENTRIES}

# The advice of docs/choosing-a-model.md for text: name -> situation.
RECOMMENDED = {
    "FewLabels": "few labels and many unlabeled texts",
    "LogisticRegression-tfidf": "few labels and nothing else",
    "LinearSVC-tfidf": "hundreds of labels per class",
}


def list_models() -> list[str]:
    """List the names of all models.

    Returns
    -------
    list of str
        In the order of the papers. Other common models are last.

    Examples
    --------
    >>> from honeybayes import list_models
    >>> list_models()[:4]
    ['NB', 'MVNB', 'MVNB+JM', 'HONB']
    """
    return list(_ZOO)


def models_with(tag: str) -> list[str]:
    """List the names of the models whose class declares a tag.

    Parameters
    ----------
    tag : str
        A field of `honeybayes.utils.tags.ModelTags`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from honeybayes.zoo import models_with
    >>> models_with("learns_from_unlabeled")
    ['HOS', 'HOS-alpha0', 'FewLabels']
    """
    return [name for name, tags in _tags_of_models().items() if getattr(tags, tag)]


@cache
def _tags_of_models() -> dict[str, ModelTags]:
    """Return what each class declares; this imports them all."""
    return {name: model_tags(_load(entry)) for name, entry in _ZOO.items()}


def describe_model(name: str) -> ModelEntry:
    """Return the description, source and configuration of a model.

    Parameters
    ----------
    name : str
        One of `list_models`.

    Returns
    -------
    ModelEntry
        The entry with paper, equations, class and parameters.

    Examples
    --------
    >>> from honeybayes import describe_model
    >>> entry = describe_model("HCNB")
    >>> entry.estimator, dict(entry.parameters), entry.equations
    ('honeybayes.bayes:HiddenNB', {'rule': 'complement'}, 'Eq. 15, 17-18, Algorithms 3-4')
    """
    if name not in _ZOO:
        hint = did_you_mean(name, _ZOO, n=3, cutoff=0.5)
        raise ValueError(
            f"No model is called {name!r}.{hint} See list_models() or `honeybayes models`."
        )
    return _ZOO[name]


def make_model(name: str, **parameters: Any) -> Any:
    """Make an unfitted model from its name.

    Parameters
    ----------
    name : str
        One of `list_models`.
    **parameters
        Parameters that replace the parameters of the entry.

    Returns
    -------
    estimator
        An unfitted model for counts of terms. Models on tf-idf are pipelines.

    Examples
    --------
    >>> from honeybayes import make_model
    >>> make_model("HCNB")
    HiddenNB(rule='complement')
    >>> make_model("HOS", beta=0.3)
    HigherOrderSmoothingNB(beta=0.3)
    """
    entry = describe_model(name)
    model = _load(entry)(**{**entry.parameters, **parameters})
    if not entry.tfidf:
        return model
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfTransformer(sublinear_tf=True), model)


def _load(entry: ModelEntry) -> Any:
    module, _, class_name = entry.estimator.partition(":")
    return getattr(import_module(module), class_name)
