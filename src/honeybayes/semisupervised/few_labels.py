"""A classifier for few labels and a large pool of unlabeled documents."""

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes.base import BaseBayes
from honeybayes.semisupervised import _sources, _students
from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._experts import Opinion, View, weigh_experts
from honeybayes.semisupervised._labels import LabelVotes, collect_votes, encode_classes, stack_names
from honeybayes.semisupervised._prepared import MOST_IN_DOUBLE, Prepared, Whitening, weigh
from honeybayes.semisupervised._recognized import are_recognized, find_slots
from honeybayes.semisupervised._regression import Linear
from honeybayes.semisupervised._seed_evidence import Names
from honeybayes.semisupervised._sources import SourceOpinion, classes_of_sources, source_votes
from honeybayes.semisupervised._students import Certainty, Lessons, Students, teach_students
from honeybayes.semisupervised._teacher import Settings
from honeybayes.utils import validation
from honeybayes.utils.labels import check_mark, with_one_mark
from honeybayes.utils.matrices import canonical_counts, check_size, one_thread, split_dense
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import LabeledScoreMixin, ScoreParts
from honeybayes.utils.state import Array, Integer, Number, OneOf, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import CountsInputMixin, Flag, FromOne, FromZero, check_weights


class _Learned(NamedTuple):
    """What a warm start uses again: documents, and the students of all stages."""

    prepared: Prepared
    classes: Any = None
    terms: Any = None
    stages: tuple[Students, Students] | None = None


@estimator
class FewLabelsClassifier(LabeledScoreMixin, CountsInputMixin, BaseBayes):
    """Learn from a few labels and from a pool of unlabeled documents.

    Several experts guess the classes of the unlabeled documents. They are weighed by what they get
    right without some of the labels. Two students, a logistic regression and naive Bayes, learn
    from labels and guesses. Labels may be uneven: one in one class, forty in another.

    1. Identical documents are merged and count once. Counts become x = (1 + log count) * idf,
       scaled to unit length. The idf comes from all documents.
    2. The first expert is naive Bayes on x. Its first estimate is the terms of the labeled
       documents after one step term - document - term through all documents. The step reaches terms
       that occur in no labeled document. Then rounds of EM: guess the classes, and estimate again
       from labels and guesses ([1]_, EM-lambda). A guess counts less than a label.
    3. The second expert compares directions: it starts from the guesses of the first one, and
       projects documents on the singular axes of x. The third is a logistic regression on the
       labels alone. With ``n_dense``, two more learn from the dense features; to them, the name of
       a class is worth up to five labels, as far as the labels confirm the names. Their guesses
       spread to documents with similar dense features, as far as similar documents have the same
       label.
    4. Evidence: labels are held out in turn, and the models that learn without them are compared
       on the pool. The more often these agree, the more often they are right. What seeds promise
       counts, too, the less the more labels there are.
       The guesses are a product of the experts' probabilities, weighted by the evidence: with few
       labels all experts have a say, with many the best one decides.
    5. Two students learn from the guesses. A logistic regression takes the labels and the most
       likely guess for each other document; a guess weighs little, and less if it is less sure;
       classes are balanced. Naive Bayes takes the probabilities of the guesses, as in EM. Their
       scores are added. Each weighs more, the more often it agrees with guesses that it has not
       learned from, and naive Bayes less if the third expert is better than the first. With
       ``n_dense``, one more logistic regression learns from the dense features; it weighs less if
       the experts of the words are better than those of the dense features.
    6. If the labels are more uneven than chance explains, the shares of the classes follow them.
       Labels that were chosen per class do not tell the shares, but which classes are taken for
       which others; this and the answers for the pool tell the shares. No share changes by more
       than a factor of four, of two if labels tell it. One factor makes the students as sure, on
       average over the unlabeled documents, as the evidence of step 4 justifies. Another one, for
       each predicted class, makes them less sure of classes that these models find in different
       documents. A share of the probability, the doubt, is divided among all classes; it is large
       if there are few labels. A label that is the only one of its class counts as a wrong answer
       of the evidence, because without it the class is unknown: as many documents are likely to be
       of classes without any label.

    Parameters
    ----------
    unlabeled : label or None, default="auto"
        The value in y that marks a document without a label, such as -1 or "?". "auto" accepts
        None, NaN, missing values of pandas, blank strings, and -1 among integers if at least two
        other values occur: -1 and 1 alone are two classes. With None, every value is a class.
    outliers : bool, default=False
        Whether to learn what ``outlier_score`` needs.
    n_dense : int, default=0
        Number of columns at the end of X that are dense features, such as the numbers of a sentence
        vector, instead of counts.
    max_pool : int or None, default=20000
        How many unlabeled documents to learn from at most. If there are more, the experts, the
        students and the confidence learn from a random sample of this size. Labeled documents
        always stay, and are not counted. Repeats, ``idf_`` and the mean of dense features come from
        all documents, their axes from about 2,000 and the evidence of step 4 from about 1,000 of
        all. Terms that occur in fewer than two documents of the sample are ignored. The same
        documents give the same sample, in any order. None sets no limit.
    warm_start : bool, default=False
        Start the next ``fit`` from the last one. This is faster if only a few labels changed, and
        gives nearly the same predictions. Other documents start anew, and so do saved models and
        copies.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, without the mark of unlabeled documents.
    idf_ : ndarray of shape (n_terms,)
        log((1 + documents) / (1 + documents with the term)) + 1, as in scikit-learn; with 0.25
        instead of 1 if the documents contain stop words: if terms of more than 30 % of them make up
        more than 10 % of all entries, and some documents are unlabeled. Almost 0 for terms that are
        ignored because of ``max_pool``.
    coef_ : ndarray of shape (1, n_columns) or (n_classes, n_columns)
        Coefficients of x (see step 1) in the score of each class, then those of the first axes of
        the dense features, at most 200, or, without a pool, those of all dense features. If there
        are two classes, there is one row: the coefficients of the second class minus those of the
        first.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Score of an empty document for each class, or one difference if there are two classes.
    expert_weights_ : ndarray of shape (n_experts,)
        Weights of step 4, in the order of step 3; empty if every document has a label.
    expected_accuracy_ : float
        Estimate of the accuracy on the pool from step 4. Without evidence it is the confidence of
        naive Bayes, and with seeds only not more than ``seeds_trust_`` promises. If every document
        has a label, it comes from held-out labels alone; 0 if there are none.
    n_repeats_ : int
        Number of documents that repeat another document.
    seeds_trust_ : float
        How far the seeds can be trusted, from 0 to 1; 0 without seeds.
    seeds_verdict_ : str
        "good", "unsure" or "poor"; "none" without seeds.
    source_weights_ : ndarray of shape (n_sources,)
        How far each source counts, from 0 (it answers at random) to 1; sources that repeat each
        other share their weight.
    held_out_ : ndarray of float32, shape (n, 2), or None
        Confidence, and probability of the label, of the documents that were held out in step 4. A
        document that is the only one of its class, without seeds, has the probability 0.

    Notes
    -----
    Without unlabeled documents the predictions are those of scikit-learn's
    ``LogisticRegression(C=10)`` on tf-idf. With ``n_dense``, it learns from the dense features and
    from names, too, and held-out labels decide how far these count beside the words. At least two
    classes must have a label or a seed.

    Several votes for one document: repeat the document in X, once per vote. Identical documents
    become one document with a soft label. ``sample_weight`` weighs the votes; the weight of a
    merged document is the sum, but not more than 1 or its largest weight.

    References
    ----------
    .. [1] K. Nigam, A. K. McCallum, S. Thrun and T. Mitchell, "Text Classification from Labeled
       and Unlabeled Documents using EM", Machine Learning 39, 2000.

    Examples
    --------
    The last term never occurs in a labeled document. Unlabeled ones link it to class "b".

    >>> from honeybayes import FewLabelsClassifier
    >>> X = [[2, 1, 0, 0, 0], [0, 0, 2, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    >>> y = ["a", "b", None, None, None]
    >>> model = FewLabelsClassifier().fit(X, y)
    >>> model.predict([[0, 0, 0, 0, 1]])
    array(['b'], dtype='<U1')
    """

    unlabeled: Any = "auto"
    outliers: Flag = False
    n_dense: FromZero = 0
    max_pool: FromOne | None = 20_000
    warm_start: Flag = False

    _settings: ClassVar[Settings] = Settings()  # chosen on many corpora; benchmarks change them

    # Scores do not grow with the length because each document is scaled to unit length. The
    # confidence is set by held-out labels, so a temperature would repeat the work.
    model_tags = ModelTags(
        learns_from_unlabeled=True, scores_grow_with_length=False, is_calibrated=True
    )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_mark(self.unlabeled)

    fitted_attributes = State(
        idf_=Array(("terms",), low=0),
        _weights=Array(("terms and axes", "classes")),
        _offsets=Array(("classes",)),
        _dense_mean=Array(("dense",), optional=True),
        _dense_axes=Array(("dense", "axes"), optional=True),
        _outlier_weights=Array(("terms", "classes and one"), optional=True),
        _outlier_offsets=Array(("classes and one",), optional=True),
        expert_weights_=Array(("experts",), low=0),
        expected_accuracy_=Number(low=0),
        n_repeats_=Integer(),
        _n_dense=Integer(),
        seeds_trust_=Number(low=0),
        seeds_verdict_=OneOf(("good", "unsure", "poor", "none")),
        _doubt=Number(low=0),
        _sharpness_by_class=Array(("classes",), low=0, optional=True),
        _factor_of_pool=Number(above=0),
        _pool=Array(("documents of the pool",), dtype=("uint64",)),
        _n_slots=Integer(low=1),
        held_out_=Array(("held out", 2), dtype=("float32",), low=0, optional=True),
        source_weights_=Array(("sources",), low=0),
        _source_evidence=Array(("sources", "classes", "classes"), optional=True),
        _source_alike=Array(("sources", "sources"), low=0, optional=True),
        _sharpness_of_sources=Number(above=0),
    )

    @one_thread()
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        seeds: Any = None,
        is_random: Any = None,
        sources: Any = None,
        names: Any = None,
    ) -> Self:
        """Learn from labeled and unlabeled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Counts, documents by terms, and ``n_dense`` columns of dense features. Counts below 1
            are used unchanged. Other counts v become 1 + log(v).
        y : array-like of shape (n_samples,)
            Label of each document, or ``unlabeled``.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each label. A label with weight 0 is ignored.
        seeds : dict, optional
            For each class, the weights of its seed words: an array of shape (n_terms,), or of shape
            (n_terms + n_dense,) with the dense features of its name and words. `TextClassifier`
            makes them from class names and words. All documents may be unlabeled if there are
            seeds.
        sources : dict, optional
            For each source of answers, such as a language model, a dict from classes to
            probabilities, an array of shape (n_samples,); all 0 where it gives no answer.
            `TextClassifier` makes them from answers. All documents may be unlabeled if there are
            sources.
        names : dict, optional
            For each class, the dense features of its name, an array of shape (n_dense,). They count
            as far as the labels confirm them. With ``seeds``, those of the seeds are used.
        """
        self._check_parameters()
        y, mark = with_one_mark(y, self.unlabeled)
        X, y = self._validate(X, y, reset=True)
        validation.check_n_dense(self.n_dense, X.shape[1])
        weight = np.ones(X.shape[0]) if sample_weight is None else check_weights(sample_weight, X)
        if is_random is not None:
            is_random = validation.check_is_random(is_random, X.shape[0])
        self._n_dense = self.n_dense
        counts, vectors = self._split(X)
        classes, position, seed_weights = encode_classes(
            y, mark, weight, seeds, counts.shape[1], self.n_dense, classes_of_sources(sources)
        )
        if len(classes) < 2:
            found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no label"
            raise ValueError(
                f"The {len(y)} documents have {found} (unlabeled={self.unlabeled!r}). Label at "
                "least one document of each of two classes, or give seeds for two classes."
            )
        n_learned = X.shape[0]
        if self.max_pool is not None:
            n_learned = min(n_learned, np.count_nonzero(position >= 0) + self.max_pool)
        check_size(
            (16 * X.shape[0] + 64 * n_learned) * len(classes),
            f"The guesses for {X.shape[0]:,} documents and {len(classes):,} classes",
            "Merge classes, or learn from fewer unlabeled documents.",
        )
        others = vectors, self._settings, bool((position < 0).any())
        learned = getattr(self, "_learned", None) if self.warm_start else None
        if learned is None or not learned.prepared.is_of(counts, *others):
            # compared with the documents of the next fit, so nobody may change it
            learned = _Learned(Prepared(counts.copy() if self.warm_start else counts, *others))
        prepared = learned.prepared
        n_documents = prepared.distinct.shape[0]
        labels = collect_votes(position, weight, prepared.group, n_documents, len(classes))
        if is_random is not None:
            random = prepared.group[is_random & (position >= 0)]
            labels = labels._replace(is_random=np.bincount(random, minlength=n_documents) > 0)
        self.n_repeats_, self.classes_ = len(position) - n_documents, classes
        of_names = stack_names(names, classes, self.n_dense)
        if seed_weights is not None:
            of_names = seed_weights[counts.shape[1] :].T
        named = prepared.to_names(of_names)
        votes = source_votes(sources, classes, prepared.group, n_documents) if sources else None
        opinion, start = None, None
        only_sources = votes is not None and seed_weights is None and not labels.known.any()
        has_pool = not labels.known.all()  # of documents that repeat no labeled one
        if has_pool and not only_sources:
            opinion, start = self._weigh_experts(prepared, labels, seed_weights, named)
        self.expert_weights_ = np.zeros(0) if opinion is None else opinion.weights
        rows = prepared.choose(labels.known, self.max_pool)
        view, terms, idf = prepared.view(rows, has_pool)
        self.idf_, labels = idf, labels.take(rows)
        view.names, view.start = named, start
        view.seeds = prepared.learn_seeds(view, labels, seed_weights, terms)
        self.seeds_trust_ = 0.0 if view.seeds is None else view.seeds.trust
        self.seeds_verdict_ = "none" if view.seeds is None else view.seeds.verdict
        self._dense_mean = self._dense_axes = None
        if prepared.whitening is not None:
            self._dense_mean, self._dense_axes = prepared.whitening
        known = np.array_equal(learned.classes, classes) and np.array_equal(learned.terms, terms)
        votes = None if votes is None else votes[:, rows]
        lessons = self._teach(view, labels, opinion, learned.stages if known else None, votes)
        self.expected_accuracy_, self._sharpness_by_class, self._doubt = lessons.certainty
        self.held_out_, self._factor_of_pool = lessons.held_out, lessons.of_pool
        self._pool, self._n_slots = np.zeros(0, dtype=np.uint64), 1
        if self._factor_of_pool < 1:
            x = weigh(prepared.distinct[rows[~labels.known]], self.idf_)
            self._pool, self._n_slots = find_slots(x)
        # shape (terms, classes), so that a short document reads a few short rows
        weighed = zip(lessons.students, lessons.factors, strict=True)
        scaled = [Linear(f * each.coef, f * each.intercept) for each, f in weighed]
        of_words, of_dense = (scaled, []) if view.dense is None else (scaled[:-1], scaled[-1:])
        coefs = [np.zeros((counts.shape[1], len(classes))), *(each.coef for each in of_dense)]
        coefs[0][terms] = np.sum([each.coef for each in of_words], axis=0)
        self._weights = np.vstack(coefs).astype(np.float64)
        intercepts = np.sum([each.intercept for each in scaled], axis=0, dtype=np.float64)
        self._offsets = np.asarray(intercepts + lessons.offset)
        self._outlier_weights = self._outlier_offsets = None
        if self.outliers:
            linear = view.teach_outliers(labels)
            self._outlier_weights = np.zeros((counts.shape[1], len(classes) + 1))
            self._outlier_weights[terms] = linear.coef
            self._outlier_offsets = linear.intercept.astype(np.float64)
        if self.warm_start:
            self._learned = _Learned(prepared, classes, terms, lessons.stages)
        return self

    def _teach(
        self,
        view: View,
        labels: LabelVotes,
        opinion: Opinion | None,
        last: tuple[Students, Students] | None,
        votes: np.ndarray | None = None,
    ) -> Lessons:
        """Return the students of the words and of the dense features."""
        views, pool = view.for_students, ~labels.known
        self._source_evidence = self._source_alike = None
        self.source_weights_ = np.zeros(0 if votes is None else len(votes))
        self._sharpness_of_sources = 1.0
        if opinion is None and (votes is None or not pool.any()):
            return _students.learn_from_labels(views, labels, view.seeds, view.names, view.settings)
        n_classes = labels.targets.shape[1]
        if opinion is None:  # only the sources know anything
            say, certainty = np.ones(1 + len(views)), Certainty(1 / n_classes)
            guesses = np.full((pool.sum(), n_classes), 1 / n_classes)
            shares = np.zeros(n_classes)
        else:
            say, shares, accuracy = opinion.say, opinion.shares, opinion.accuracy
            certainty = _students.make_certain(accuracy, opinion.by_class, labels, view.seeds)
            scores = opinion.combine(view.experts(labels)[:, pool])
            guesses = softmax(matching_sharpness(scores, accuracy) * scores, axis=1)
        if votes is not None:
            known = labels.targets.copy()
            known[pool] = guesses
            weighed, guessed = _sources.weigh_sources(votes, labels, known, views, view.settings)
            guesses = guessed[pool]
        lesson = views, labels, guesses, say, shares, view.settings, certainty, last
        lessons = teach_students(*lesson, votes is not None)
        if votes is not None:
            proba = _students.probabilities_of(lessons, views, np.flatnonzero(pool))
            weighed = weighed.with_students(proba, votes[:, pool], guesses)
            self._source_evidence, self._source_alike, self._sharpness_of_sources = weighed
            self.source_weights_ = weighed.weights
        if opinion is None:
            return lessons
        scores, held_out = opinion.held_out
        scores = certainty.factor(scores) * scores
        answers = certainty.answers_of(scores, held_out, labels, view.seeds)
        return lessons._replace(held_out=answers)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class.

        The scores are multiplied by a factor that depends on the predicted class, and a share of
        the probability is divided evenly among the classes; see step 6. Documents of the pool get
        one more factor, because the students have learned from guesses for them and are too sure
        of them. All of this keeps the prediction.
        """
        x, h = self._check_new(X)
        scores = self._joint_log_likelihood((x, h))
        if self._factor_of_pool < 1:
            scores[are_recognized(x, self._pool, self._n_slots)] *= self._factor_of_pool
        return self._to_proba(scores)

    def combine(self, X: Any, sources: Any) -> np.ndarray:
        """Return the probability of each class, given the answers of sources.

        Parameters
        ----------
        sources : dict
            As in ``fit``, with the same names in the same order.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        proba, weighed = self.predict_proba(X), self._weighed_sources
        if weighed is None:
            return proba
        return weighed.combine(proba, self._votes(sources, len(proba)))

    def compare_sources(self, X: Any, sources: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of each source in the answers, and what it adds over the others.

        Parameters
        ----------
        sources : dict
            As in ``fit``, with the same names in the same order.

        Returns
        -------
        shares, added : ndarray of shape (n_sources,)
            The share is from 0 to 1; words and vectors have the rest. What it adds is the
            difference of the mean confidence to that without the source.
        """
        proba, weighed = self.predict_proba(X), self._weighed_sources
        if weighed is None:
            return np.zeros(len(sources)), np.zeros(len(sources))
        return weighed.compare(proba, self._votes(sources, len(proba)))

    @property
    def _weighed_sources(self) -> SourceOpinion | None:
        if self._source_evidence is None or self._source_alike is None:
            return None
        return SourceOpinion(self._source_evidence, self._source_alike, self._sharpness_of_sources)

    def _votes(self, sources: Any, n_documents: int) -> np.ndarray:
        votes = source_votes(sources, self.classes_, np.arange(n_documents), n_documents)
        if len(votes) != len(self.source_weights_):
            raise ValueError(
                f"The model has learned from {len(self.source_weights_)} sources; got {len(votes)}."
            )
        return votes

    def _to_proba(self, scores: np.ndarray) -> np.ndarray:
        how_sure = self.expected_accuracy_, self._sharpness_by_class, self._doubt
        return Certainty(*how_sure).to_proba(scores)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the log-probability of each class."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _weigh_experts(
        self,
        prepared: Prepared,
        labels: LabelVotes,
        seed_weights: np.ndarray | None,
        names: Names | None,
    ) -> tuple[Opinion, Linear | None]:
        """Weigh the experts by the labels and some documents of the pool.

        Also returns where the next regression on dense features may start.
        """
        rows = np.union1d(np.flatnonzero(labels.known), prepared.some)
        if labels.known[rows].all():
            rows = np.arange(len(labels.known))
        labels = labels.take(rows)
        view, terms = prepared.sample(rows)
        view.names = names
        view.seeds = prepared.learn_seeds(view, labels, seed_weights, terms)
        return weigh_experts(view, labels, rows), view.start

    def outlier_score(self, X: Any) -> np.ndarray:
        """Return the probability that each document belongs to none of the classes.

        In EM, one more class starts as the average document, and stays close to it. This finds
        documents of an unknown class best if the pool contains such documents. Requires
        ``outliers=True``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        x, _ = self._check_new(X)
        if self._outlier_weights is None:
            raise ValueError("outlier_score requires outliers=True. Set it, and fit again.")
        return softmax(x @ self._outlier_weights + self._outlier_offsets, axis=1)[:, -1]

    @property
    def coef_(self) -> np.ndarray:
        """Coefficients of the transformed features (step 1 of the class docstring).

        The shape is (n_classes, n_columns), or (1, n_columns) if there are two classes.
        """
        return self._weights.T if len(self.classes_) > 2 else np.diff(self._weights).T

    @property
    def intercept_(self) -> np.ndarray:
        """Scores of an empty document; shape (n_classes,), or (1,) if there are two classes."""
        return self._offsets if len(self.classes_) > 2 else np.diff(self._offsets)

    def _check_state(self) -> None:
        n_axes = 0 if self._dense_axes is None else self._dense_axes.shape[1]
        if len(self._weights) != len(self.idf_) + n_axes:
            raise ValueError(
                f"_weights has {len(self._weights)} rows for {len(self.idf_)} terms and {n_axes} "
                "axes of dense features"
            )
        if len(self.idf_) + self._n_dense != self.n_features_in_:
            raise ValueError(f"idf_ and _n_dense do not make {self.n_features_in_} features")

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by column; see ``honeybayes.utils.scores``."""
        counts, vectors = self._split(super()._check_new(X))
        x, weights = weigh(counts, self.idf_), self._weights[:, columns]
        terms, added = x.indices, x.data[:, np.newaxis] * weights[x.indices]
        if vectors is not None and vectors.any() and self._whitening is not None:
            n_terms = counts.shape[1]
            terms = np.append(terms, np.arange(n_terms, self.n_features_in_))
            added = np.vstack([added, self._whitening.split(vectors, weights[n_terms:])])
        return ScoreParts(terms, added)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what only a warm start uses: files and copies start cold."""
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_learned"}

    def _split(self, X: Any) -> tuple[sparse.csr_array, np.ndarray | None]:
        """Return counts and dense features."""
        n_terms, vectors = X.shape[1] - self._n_dense, None
        if n_terms < X.shape[1]:
            X, vectors = split_dense(X, n_terms)
            dtype = np.float32 if vectors.size > MOST_IN_DOUBLE else np.float64
            vectors = vectors.astype(dtype, copy=False)
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")
        return canonical_counts(X), vectors

    @property
    def _whitening(self) -> Whitening | None:
        if self._dense_mean is None or self._dense_axes is None:
            return None
        return Whitening(self._dense_mean, self._dense_axes)

    def _check_new(self, X: Any) -> tuple[sparse.csr_array, np.ndarray | None]:
        counts, vectors = self._split(super()._check_new(X))
        if vectors is not None and self._whitening is not None:
            vectors = self._whitening(vectors)
        return weigh(counts, self.idf_), vectors

    def _joint_log_likelihood(self, X: tuple[sparse.csr_array, np.ndarray | None]) -> np.ndarray:
        x, h = X
        scores = x @ self._weights[: x.shape[1]] + self._offsets
        return scores if h is None else scores + h @ self._weights[x.shape[1] :]
