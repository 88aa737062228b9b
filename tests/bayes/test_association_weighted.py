"""AssociationWeightedNB against R_{w,c} written out."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from honeybayes.bayes.association_weighted import AssociationWeightedNB
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of


class AssociationOracle(Oracle):
    def association(self, i, labels):
        """P(i, c) / (P(i) P(c)) in shares of documents, where it is above one."""
        n = len(self.labels)
        p_i = sum(i in document for document in self.training) / n
        p_c = sum(label in labels for label in self.labels) / n
        both = [
            i in document and label in labels
            for document, label in zip(self.training, self.labels, strict=True)
        ]
        return max(1.0, sum(both) / n / (p_i * p_c)) if p_i * p_c > 0 else 1.0

    def scores(self, document, rule):
        logs = {c: [0.0, 0.0] for c in self.classes}
        for i, f in document.items():
            for c, probabilities in self.word(i).items():
                for side, labels in enumerate([{c}, set(self.classes) - {c}]):
                    p = probabilities[side] * self.association(i, labels)
                    logs[c][side] += f * math.log(p)
        return [self.decide(rule, c, logs[c]) for c in self.classes]


@settings(max_examples=60)
@given(problems(), st.sampled_from(RULES))
def test_equals_definition(problem, rule):
    X, y, new, alpha = problem
    model = AssociationWeightedNB(rule=rule, alpha=alpha).fit(X, y)
    oracle = AssociationOracle(X, y, alpha)
    expected = scores_of(new, lambda document: oracle.scores(document, rule))
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9, atol=1e-9)


def test_by_hand():
    """Word 0 is in both documents of a, and in no other: R is 2 for a, and 0, hence 1, for b."""
    model = AssociationWeightedNB().fit([[1, 1], [3, 0], [0, 1], [0, 2]], ["a", "a", "b", "b"])
    r_of_word_1 = 2 / 4 / (3 / 4 * 2 / 4)  # for b; for a it is below one
    assert_allclose(
        np.exp(model.predict_joint_log_proba([[1, 0], [0, 1]]) - model.class_log_prior_),
        [
            [(4 + 1) / (5 + 2) * 2, 1 / (3 + 2)],
            [(1 + 1) / (5 + 2), (3 + 1) / (3 + 2) * r_of_word_1],
        ],
    )
