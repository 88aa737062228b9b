"""A classifier for few labels and a large pool of unlabeled documents."""

from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes.base import BaseBayes
from honeybayes.semisupervised._regression import balanced, regress, regress_on_labels
from honeybayes.semisupervised._second_opinion import blend, earned_share, matching_sharpness
from honeybayes.semisupervised._teacher import Teacher, teach
from honeybayes.utils.explaining import ScoreParts
from honeybayes.utils.labeled_score import LabeledScoreMixin
from honeybayes.utils.labels import check_mark, check_no_missing_labels, encode_labels
from honeybayes.utils.matrices import canonical_counts, per_entry
from honeybayes.utils.state import Array, Number, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import (
    CountsInputMixin,
    check_bool,
    check_fraction,
    check_integer,
    check_not_negative,
    check_positive,
)


class FewLabelsClassifier(LabeledScoreMixin, CountsInputMixin, BaseBayes):
    """Learn from a few labels and from a pool of unlabeled documents.

    A teacher guesses the classes of the unlabeled documents. A logistic regression, the student,
    learns from labels and guesses. Its scores are scaled so that its mean confidence equals the
    mean confidence of the teacher.

    1. Counts become x = (1 + log count) * idf, scaled to unit length. The idf comes from all
       documents.
    2. The teacher is naive Bayes on x. Its first estimate is the terms of the labeled documents
       after one step term - document - term through all documents. The step reaches terms that
       occur in no labeled document, through documents that also contain a term of a labeled one.
    3. Rounds of EM: guess the classes, then estimate again from labels and guesses ([1]_,
       EM-lambda). A guess counts less than a label.
    4. A second opinion helps where groups of terms are not the classes: a logistic regression on
       the labels alone. Labels are held out in turn. If a of them are right only by the second
       opinion and b only by the teacher, the guesses become the teacher's to the power 1 - s times
       the second opinion's to the power s, with s = (a + 1) / (a + b + 8).
    5. Students learn one after the other: logistic regressions on the labels and on the most
       likely guess for each other document. A guess weighs little, and less if it is less sure;
       classes are balanced. The first student uses the guesses of step 4, and each later one the
       guesses of the student before it.
    6. One factor makes the last student as sure, on average over the unlabeled documents, as the
       teacher was. After a few rounds, the teacher's confidence is close to its accuracy.

    Parameters
    ----------
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1 or "?". NaN is not allowed.
        By default every value is a class, including the empty string that `read_corpus` uses for a
        missing label.
    walk : float, default=0.9
        Share of the first estimate that goes through all documents as in step 2, from 0 to 1. 0
        starts from the labels alone.
    n_rounds : int, default=3
        Rounds of EM. 0 keeps the first estimate.
    pool_weight : float, default=0.3
        Weight of an unlabeled document in EM. A labeled document has weight 1.
    alpha : float, default=0.01
        Added to the weight of each term in each class; above 0.
    prior_shrinkage : float, default=0.3
        How far the teacher's P(class) moves from the shares that it finds (0) to equal shares
        (1). Neither end works well if classes of different size have equally many labels.
    n_folds : int, default=5
        Number of cross-validation folds in step 4. 0 skips the second opinion; 1 is not allowed.
    n_students : int, default=3
        Number of logistic regressions, one after the other. With 0, the teacher predicts.
    C : float, default=10.0
        Inverse strength of the regularization of the logistic regressions; above 0.
    guess_weight : float, default=0.1
        Weight of a guess with confidence 1 in a logistic regression. A label has weight 1.
    match_confidence : bool, default=True
        Whether to set the confidence as in step 6.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, without the mark of unlabeled documents.
    idf_ : ndarray of shape (n_features,)
        log((1 + documents) / (1 + documents with the term)) + 1.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients of x (see step 1) in the score of each class. If there are two classes, there
        is one row: the coefficients of the second class minus those of the first.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Score of an empty document for each class, or one difference if there are two classes.
    second_opinion_share_ : float
        The s of step 4; 0 if there is no second opinion.
    sharpness_ : float
        The factor of step 6. ``coef_`` and ``intercept_`` are already multiplied by it. 1 if
        ``match_confidence=False``.
    objective_ : ndarray of shape (n_rounds + 1,)
        The objective function of EM before the first round and after each round: the log joint
        probability of the labeled documents, plus ``pool_weight`` times the log evidence of the
        unlabeled documents, plus the log priors of the parameters. It never decreases.
    guess_change_ : ndarray of shape (n_rounds,)
        Mean absolute change of the guessed probabilities in each round.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    HigherOrderSmoothingNB : Unlabeled documents as parts of paths.

    Notes
    -----
    Without unlabeled documents this is scikit-learn's ``LogisticRegression(C)`` on tf-idf (or
    naive Bayes, if ``n_students=0``). At least two classes must have a label. If a document occurs
    twice, once with a label and once without, the second is guessed like any other.

    The defaults were chosen on eight corpora. The documentation page "few-labels" shows the results
    on other corpora. Unlabeled documents must be similar to the labeled documents: a document that
    belongs to no class is also assigned to one.

    ``predict_joint_log_proba`` returns the scores: log-probabilities up to a constant per
    document. The cost of a round grows with the number of non-zeros times the number of classes.

    ``sample_weight`` is not accepted: the weights of labels and guesses are set by the method.

    References
    ----------
    .. [1] K. Nigam, A. K. McCallum, S. Thrun and T. Mitchell, "Text Classification from Labeled
       and Unlabeled Documents using EM", Machine Learning 39, 2000.

    Examples
    --------
    The last term never occurs in a labeled document. Unlabeled ones link it to class "b".

    >>> from honeybayes import FewLabelsClassifier
    >>> X = [[2, 1, 0, 0, 0], [0, 0, 2, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    >>> y = ["a", "b", "?", "?", "?"]
    >>> model = FewLabelsClassifier(unlabeled="?").fit(X, y)
    >>> model.predict([[0, 0, 0, 0, 1]])
    array(['b'], dtype='<U1')
    """

    # scores do not grow with the length because each document is scaled to unit length
    model_tags = ModelTags(learns_from_unlabeled=True, scores_grow_with_length=False)

    def __init__(
        self,
        *,
        unlabeled: Any = None,
        walk: float = 0.9,
        n_rounds: int = 3,
        pool_weight: float = 0.3,
        alpha: float = 0.01,
        prior_shrinkage: float = 0.3,
        n_folds: int = 5,
        n_students: int = 3,
        C: float = 10.0,
        guess_weight: float = 0.1,
        match_confidence: bool = True,
    ) -> None:
        self.unlabeled = unlabeled
        self.walk = walk
        self.n_rounds = n_rounds
        self.pool_weight = pool_weight
        self.alpha = alpha
        self.prior_shrinkage = prior_shrinkage
        self.n_folds = n_folds
        self.n_students = n_students
        self.C = C
        self.guess_weight = guess_weight
        self.match_confidence = match_confidence

    def _check_parameters(self) -> None:
        check_mark(self.unlabeled)
        for name in ("walk", "prior_shrinkage"):
            check_fraction(name, getattr(self, name))
        for name in ("n_rounds", "n_folds", "n_students"):
            check_integer(name, getattr(self, name))
        if self.n_folds == 1:
            raise ValueError("n_folds must be 0, or 2 or more; got 1.")
        for name in ("pool_weight", "guess_weight"):
            check_not_negative(name, getattr(self, name))
        for name in ("alpha", "C"):
            check_positive(name, getattr(self, name))
        check_bool("match_confidence", self.match_confidence)

    fitted_attributes = State(
        idf_=Array(("features",), above=0),
        _weights=Array(("features", "classes")),
        _offsets=Array(("classes",)),
        second_opinion_share_=Number(),
        sharpness_=Number(above=0),
        objective_=Array(("stages",)),
        guess_change_=Array(("rounds",)),
    )

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled and unlabeled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Counts, documents by terms. Values below 1 are used unchanged. Other values v become 1 +
            log(v).
        y : array-like of shape (n_samples,)
            Label of each document, or ``unlabeled``.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        check_no_missing_labels(y)
        X, y = self._validate(X, y, reset=True)
        counts = self._as_counts(X)
        classes, position = self._encode_labels(y)
        present = np.bincount(counts.indices, minlength=counts.shape[1])
        self.idf_ = np.log((1 + counts.shape[0]) / (1 + present)) + 1
        self.classes_ = classes
        x = self._weigh(counts)
        order = order_by_content(x, position)
        x, position = x[order], position[order]
        teacher = self._teach(x, position)
        self.objective_, self.guess_change_ = teacher.objective, teacher.change
        self.second_opinion_share_, self.sharpness_ = 0.0, 1.0
        if self.n_students == 0:
            coef, intercept = teacher.log_prob, teacher.log_prior
        elif (position >= 0).all():
            coef, intercept = regress(x, position, len(classes), self.C)
        else:
            coef, intercept = self._learn_from(teacher, x, position)
        # shape (terms, classes), so that a short document reads a few short rows
        self._weights = np.ascontiguousarray(self.sharpness_ * coef)
        self._offsets = self.sharpness_ * intercept
        return self

    @property
    def coef_(self) -> np.ndarray:
        """Coefficients of the transformed features (step 1 of the class docstring).

        The shape is (n_classes, n_features), or (1, n_features) if there are two classes.
        """
        return self._weights.T if len(self.classes_) > 2 else np.diff(self._weights).T

    @property
    def intercept_(self) -> np.ndarray:
        """Scores of an empty document; shape (n_classes,), or (1,) if there are two classes."""
        return self._offsets if len(self.classes_) > 2 else np.diff(self._offsets)

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by term; see `honeybayes.utils.explaining`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (1, n_features)
            The document.
        columns : list of int
            Positions of the classes.

        Returns
        -------
        ScoreParts
        """
        x = self._check_new(X)
        return ScoreParts(x.indices, x.data[:, np.newaxis] * self._weights[x.indices][:, columns])

    def _teach(self, x: sparse.csr_array, position: np.ndarray) -> Teacher:
        return teach(
            x,
            position,
            len(self.classes_),
            walk=self.walk,
            rounds=self.n_rounds,
            pool_weight=self.pool_weight,
            alpha=self.alpha,
            prior_shrinkage=self.prior_shrinkage,
        )

    def _encode_labels(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        classes, position = encode_labels(y, self.unlabeled)
        if len(classes):
            check_classification_targets(y[position >= 0])
        if len(classes) < 2:
            found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no label"
            raise ValueError(
                f"The {len(y)} documents have {found} (unlabeled={self.unlabeled!r}). Label at "
                "least one document of each of two classes."
            )
        return classes, position

    def _learn_from(
        self, teacher: Teacher, x: sparse.csr_array, position: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the coefficients and intercepts of the last student."""
        is_guessed = position < 0
        pool, guesses = x[is_guessed], teacher.guesses
        confidence = float(guesses.max(axis=1).mean())
        if self.n_folds:
            self.second_opinion_share_ = earned_share(
                x,
                position,
                self.n_folds,
                lambda labels, new: linear(new, *self._teach(x, labels)[:2]),
                lambda labels, new: linear(new, *self._regress_on_labels(x, labels)),
            )
            opinion = linear(pool, *self._regress_on_labels(x, position))
            opinion *= matching_sharpness(opinion, confidence)
            guesses = blend(guesses, softmax(opinion, axis=1), self.second_opinion_share_)
        for _ in range(self.n_students):
            position = position.copy()
            position[is_guessed] = guesses.argmax(axis=1)
            weight = np.ones(len(position))
            weight[is_guessed] = self.guess_weight * guesses.max(axis=1)
            weight = balanced(weight, position)
            coef, intercept = regress(x, position, len(self.classes_), self.C, weight)
            scores = linear(pool, coef, intercept)
            if self.match_confidence:
                self.sharpness_ = matching_sharpness(scores, confidence)
            guesses = softmax(self.sharpness_ * scores, axis=1)
        return coef, intercept

    def _regress_on_labels(
        self, x: sparse.csr_array, position: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return regress_on_labels(x, position, len(self.classes_), self.C)

    def _as_counts(self, X: Any) -> sparse.csr_array:
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")
        return canonical_counts(X.astype(np.float64))

    def _weigh(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Turn counts into tf-idf of unit length."""
        values = counts.data
        x = counts.copy()
        x.data = np.where(values < 1, values, 1 + np.log(np.maximum(values, 1)))
        # Squares of tiny numbers would be zero. Scaling by a power of two changes no digit.
        exponent = np.frexp(x.max(axis=1).toarray().ravel())[1]
        x.data = np.ldexp(x.data, -per_entry(x, exponent)) * self.idf_[x.indices]
        length = np.sqrt(x.multiply(x).sum(axis=1))
        x.data /= per_entry(x, length)  # an empty document has no entries to divide
        return x

    def _check_new(self, X: Any) -> sparse.csr_array:
        return self._weigh(self._as_counts(super()._check_new(X)))

    def _joint_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return linear(X, self._weights, self._offsets)


def linear(x: sparse.csr_array, coef: np.ndarray, intercept: np.ndarray) -> np.ndarray:
    """Return scores of shape (documents, classes)."""
    return x @ coef + intercept


def order_by_content(x: sparse.csr_array, position: np.ndarray) -> np.ndarray:
    """Order documents by class, then by content.

    The order in which documents came then makes no difference, not even in the last bit of a sum.
    A second sum with a random weight per term orders documents whose first sums are equal.
    """
    of_term = np.random.default_rng(0).uniform(size=x.shape[1])
    return np.lexsort((x @ of_term, x.sum(axis=1), position))
