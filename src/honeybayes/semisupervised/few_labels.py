"""A classifier for few labels and many documents that nobody labeled."""

from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes.bayes.base import BaseBayes
from honeybayes.semisupervised._confidence import matching_sharpness
from honeybayes.semisupervised._regression import balanced, regress, regress_on_labels
from honeybayes.semisupervised._second_opinion import blend, earned_share
from honeybayes.semisupervised._teacher import Teacher, teach
from honeybayes.utils.labeled_score import LabeledScoreMixin
from honeybayes.utils.labels import encode_labels, refuse_missing_labels, refuse_missing_mark
from honeybayes.utils.matrices import canonical_counts, per_entry
from honeybayes.utils.state import Array, Number, State
from honeybayes.utils.tags import ModelTags
from honeybayes.utils.validation import (
    check_fraction,
    check_integer,
    check_not_negative,
    check_positive,
)


class FewLabelsClassifier(LabeledScoreMixin, BaseBayes):
    """Learn from few labels and from the documents that nobody labeled.

    A teacher guesses the labels of the unlabeled documents; a logistic regression learns from
    labels and guesses; and its confidence is set to the teacher's.

    1. Counts become x = (1 + log count) * idf, of unit length; idf comes from all documents.
    2. The teacher is naive Bayes on x. Its first estimate is the words of the labeled documents,
       after a step word - document - word through all documents: words that no labeled document
       has are reached by those that share a document with one that has.
    3. Rounds of EM: guess the labels, estimate anew from labels and guesses ([1]_, EM-lambda).
       A guess counts less than a label.
    4. A second opinion, for corpora whose groups of words are not the classes: a logistic
       regression on the labels alone. Where labels are held out in turn, a of them are right by
       it and wrong by the teacher, b the other way round. The guesses become the teacher's to the
       power 1 - s times its own to the power s, s = (a + 1) / (a + b + 8).
    5. Logistic regressions on the labels and on the likeliest guess for each other document,
       which weighs little, and less the less sure it is; classes are balanced. The first takes
       the guesses of 4, each further one those of the one before.
    6. One factor of its scores makes it, on the unlabeled documents, as sure on average as the
       teacher was. Few rounds leave the teacher about as sure as it is right.

    Parameters
    ----------
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1 or "?", but not NaN. By
        default every value is a class: so is the empty string, with which `read_corpus` marks
        them, unless it is named here.
    walk : float, default=0.9
        Share of the first estimate that takes the step of 2, from 0 to 1. 0 starts from the
        labels alone.
    n_rounds : int, default=3
        Rounds of EM. 0 leaves the first estimate.
    pool_weight : float, default=0.3
        What an unlabeled document counts in EM, where a labeled one counts one.
    alpha : float, default=0.01
        Added to the weight of each term in each class, above 0.
    prior_shrinkage : float, default=0.3
        How far the teacher's P(class) is drawn from the shares that it finds (0) to equal shares
        (1). With labels of equal number and classes of unequal size neither end does well.
    n_folds : int, default=5
        Parts of the labeled documents that are held out in turn for 4. 0 goes without a second
        opinion; 1 makes no sense.
    n_students : int, default=3
        Logistic regressions, one after the other. 0 answers with the teacher.
    C : float, default=10.0
        Inverse strength of their regularization, above 0.
    guess_weight : float, default=0.1
        What a sure guess counts in a logistic regression, where a label counts one.
    match_confidence : bool, default=True
        Whether to set the confidence as in 6, or leave it as it comes out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, without the mark of unlabeled documents.
    idf_ : ndarray of shape (n_features,)
        log((1 + documents) / (1 + documents with the term)) + 1.
    coef_ : ndarray of shape (n_classes, n_features)
        What each unit of x adds to the score of each class.
    intercept_ : ndarray of shape (n_classes,)
        Score of each class for an empty document.
    second_opinion_share_ : float
        The s of 4; 0 if there is no second opinion.
    sharpness_ : float
        The factor of 6, which is in ``coef_`` and ``intercept_`` already; 1 if there is none.
    objective_ : ndarray of shape (n_rounds + 1,)
        What EM climbs, before the first round and after each: the log joint of the labels, plus
        ``pool_weight`` times the log evidence of the other documents, plus the log of the priors
        of the parameters. It never falls.
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
    Without unlabeled documents it is scikit-learn's ``LogisticRegression(C)`` on tf-idf, nothing
    else (or naive Bayes, if ``n_students=0``). Every class needs one label at least, and there
    must be two classes. Documents that come twice, with a label and without, are taken as they
    are: the copy is guessed like any other.

    The defaults were chosen once, for all corpora, on eight of them; see the page on few labels
    for what it gains on others, and where it loses. Unlabeled documents must be of the same kind
    as the labeled ones: those that belong to no class are given to one all the same.

    ``predict_joint_log_proba`` gives the scores: log-probabilities up to a constant for each
    document. The cost of a round follows the non-zeros times the classes.

    References
    ----------
    .. [1] K. Nigam, A. K. McCallum, S. Thrun and T. Mitchell, "Text Classification from Labeled
       and Unlabeled Documents using EM", Machine Learning 39, 2000.

    Examples
    --------
    The last word never occurs in a labeled document. Unlabeled ones link it to class "b".

    >>> from honeybayes import FewLabelsClassifier
    >>> X = [[2, 1, 0, 0, 0], [0, 0, 2, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    >>> y = ["a", "b", "?", "?", "?"]
    >>> model = FewLabelsClassifier(unlabeled="?").fit(X, y)
    >>> model.predict([[0, 0, 0, 0, 1]])
    array(['b'], dtype='<U1')
    """

    fitted_attributes = State(
        idf_=Array(("features",), above=0),
        coef_=Array(("classes", "features")),
        intercept_=Array(("classes",)),
        second_opinion_share_=Number(),
        sharpness_=Number(above=0),
        objective_=Array(("stages",)),
        guess_change_=Array(("rounds",)),
    )

    # each document is scaled to unit length
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
        refuse_missing_mark(self.unlabeled)
        for name in ("walk", "prior_shrinkage"):
            check_fraction(name, getattr(self, name))
        for name in ("n_rounds", "n_folds", "n_students"):
            check_integer(name, getattr(self, name))
        if self.n_folds == 1:
            raise ValueError("n_folds must be 0 or at least 2; with 1 no label would be left.")
        for name in ("pool_weight", "guess_weight"):
            check_not_negative(name, getattr(self, name))
        for name in ("alpha", "C"):
            check_positive(name, getattr(self, name))
        if not isinstance(self.match_confidence, bool | np.bool_):
            raise ValueError(
                f"match_confidence must be True or False; got {self.match_confidence!r}."
            )

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled and unlabeled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts. A count below one stands for itself, without logarithm.
        y : array-like of shape (n_samples,)
            Label of each document, or ``unlabeled``.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        refuse_missing_labels(y)
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
        # in the order (terms, classes), so that a short document touches a few short rows
        self.coef_ = np.ascontiguousarray(self.sharpness_ * coef).T
        self.intercept_ = self.sharpness_ * intercept
        return self

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
                f"Among {len(y)} documents there is {found} (unlabeled={self.unlabeled!r}): label "
                "at least one document of each of two classes."
            )
        return classes, position

    def _learn_from(
        self, teacher: Teacher, x: sparse.csr_array, position: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and intercepts of the last student."""
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
        # Squares of tiny numbers would be zero. To scale by powers of two changes no digit.
        exponent = np.frexp(x.max(axis=1).toarray().ravel())[1]
        x.data = np.ldexp(x.data, -per_entry(x, exponent)) * self.idf_[x.indices]
        length = np.sqrt(x.multiply(x).sum(axis=1))
        x.data /= per_entry(x, length)  # a document without entries divides nothing
        return x

    def _check_new(self, X: Any) -> sparse.csr_array:
        return self._weigh(self._as_counts(super()._check_new(X)))

    def _joint_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return linear(X, self.coef_.T, self.intercept_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # scikit-learn's checks classify Gaussian blobs, which are no counts
        tags.classifier_tags.poor_score = True
        return tags


def linear(x: sparse.csr_array, coef: np.ndarray, intercept: np.ndarray) -> np.ndarray:
    """Scores (documents, classes)."""
    return x @ coef + intercept


def order_by_content(x: sparse.csr_array, position: np.ndarray) -> np.ndarray:
    """Order documents by class, then by what they hold.

    So the order in which they came makes no difference, not even in the last bit of a sum, and
    equal documents are interchangeable. Those of equal sum, as all of one word are, differ in a
    sum that weighs each term by a number of its own.
    """
    of_term = np.random.default_rng(0).uniform(size=x.shape[1])
    return np.lexsort((x @ of_term, x.sum(axis=1), position))
