"""Rules as a source: phrases and regular expressions that stand for a class.

Phrases are found through an index of words. A regular expression can need centuries for one text,
and Python cannot stop it; so expressions run in a process of their own, which is ended after about
a second. Any pattern is safe.
"""

import json
import re
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from honeybayes.explain import telling_words
from honeybayes.sources.bill import share_of
from honeybayes.text import TERMS_PER_WORD, list_words

WORD = re.compile(r"\w+")
# scripts without spaces between words: a phrase may be anywhere
WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
ITEM = re.compile(
    r'\s*+(?:"(?P<phrase>[^"]*)"|/(?P<pattern>(?:[^/\\]|\\.)+)/|(?P<word>[^\s",/][^",/]*+)?)'
    r"\s*+(?:,|$)"
)
# of the processor, for one expression and all texts: a busy machine does not decide what is refused
SECONDS, SECONDS_PER_CHARACTER = 0.4, 1e-7
PATIENCE = 60 if hasattr(signal, "setitimer") else 5  # seconds of the clock for each of these
WORKER = Path(__file__).with_name("_pattern_worker.py")


class Rule(NamedTuple):
    """A phrase or a regular expression that stands for a class.

    Parameters
    ----------
    label : str
        The class.
    pattern : str
        The phrase or the expression.
    is_expression : bool
        Whether it is a regular expression.
    line : int
        The line of the file.
    """

    label: str
    pattern: str
    is_expression: bool = False
    line: int = 0

    def __str__(self) -> str:
        return f"/{self.pattern}/" if self.is_expression else f'"{self.pattern}"'


class RuleAnswers(NamedTuple):
    """What rules say about texts.

    Parameters
    ----------
    answers : list of str
        The class that most rules name for each text; "" if no rule applies, or if two classes have
        equally many.
    hits : list of list of int
        The texts of each rule.
    n_conflicts : int
        Number of texts for which rules name different classes.
    refused : dict of str
        Why a rule was not used, by its place among the rules.
    """

    answers: list[str]
    hits: list[list[int]]
    n_conflicts: int
    refused: dict[int, str]


def read_rules(lines: Iterable[str]) -> list[Rule]:
    """Read rules, one class per line: refund: "money back", /charg(e|ed) twice/, refund.

    Parameters
    ----------
    lines : iterable of str
        A phrase is found in any case as whole words, whatever stands between these; one that
        begins or ends with a sign, such as C++, as it is written, with any white space between its
        words. An expression between slashes is found as by Python's ``re.search``, in any case.
        Empty lines and lines that begin with # are skipped.

    Examples
    --------
    >>> from honeybayes.sources import read_rules
    >>> [str(rule) for rule in read_rules(['refund: "money back", /charg(e|ed) twice/'])]
    ['"money back"', '/charg(e|ed) twice/']
    """
    rules = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        label, colon, items = line.partition(":")
        at, items = 0, items.strip()
        if not (label.strip() and colon and items):
            raise ValueError(
                f"Line {number} of the rules is {line.strip()!r}. Write a class, a colon, and "
                'phrases or expressions: refund: "money back", /charg(e|ed) twice/'
            )
        while at < len(items):
            found = ITEM.match(items, at)
            if found is None or found.end() == at:
                raise ValueError(
                    f"Line {number} of the rules cannot be read from {items[at:]!r} on. Separate "
                    'phrases ("...") and expressions (/.../) by commas; write \\/ for a slash.'
                )
            at = found.end()
            pattern = found["pattern"] or (found["phrase"] or found["word"] or "").strip()
            if pattern:
                rules.append(Rule(label.strip(), pattern, bool(found["pattern"]), number))
    return rules


def apply_rules(rules: Sequence[Rule], texts: Sequence[str]) -> RuleAnswers:
    """Find the texts of each rule, and answer each text by its rules.

    An expression that takes longer than about a second of the processor is refused; the other rules
    are used. Windows cannot limit this: there, all expressions together have 5 seconds of the clock
    and at least 2 more for each, and the one that is at work when they are over is refused.

    Parameters
    ----------
    rules : sequence of Rule
        The rules.
    texts : sequence of str
        The texts.

    Examples
    --------
    >>> from honeybayes.sources import apply_rules, read_rules
    >>> rules = read_rules(["refund: money back", "delivery: parcel, courier"])
    >>> apply_rules(rules, ["I want my MONEY back!", "the parcels", "no courier"]).answers
    ['refund', '', 'delivery']
    """
    hits: list[list[int]] = [[] for _ in rules]
    patterns: dict[int, str] = {}
    signs: dict[int, str] = {}  # patterns for texts in lower case
    phrases: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for at, rule in enumerate(rules):
        words = WORD.findall(rule.pattern.casefold())
        literal = r"\s+".join(map(re.escape, rule.pattern.casefold().split()))
        if rule.is_expression:
            patterns[at] = rule.pattern
        elif not words or WITHOUT_SPACES.search(rule.pattern):
            signs[at] = literal
        elif not (WORD.match(rule.pattern) and WORD.match(rule.pattern[-1])):
            signs[at] = rf"(?<!\w){literal}(?!\w)"  # such as C++ or #1
        else:
            phrases[words[0]].append((at, f" {' '.join(words)} "))
    first_words = frozenset(phrases)
    for row, text in enumerate(texts):
        words = WORD.findall(text.casefold())
        if first_words.isdisjoint(words):
            continue
        joined = f" {' '.join(words)} "
        for word in first_words.intersection(words):
            for at, phrase in phrases[word]:
                if phrase in joined:
                    hits[at].append(row)
    refused = {}
    folded = [text.casefold() for text in texts] if signs else []
    for at, found in (_search(patterns, texts) | _search(signs, folded)).items():
        if isinstance(found, str):
            refused[at] = f"Line {rules[at].line}, {rules[at]}: {found}"
        else:
            hits[at] = found
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for rule, rows in zip(rules, hits, strict=True):
        for row in rows:
            votes[row][rule.label] += 1
    answers = [""] * len(texts)
    for row, of_row in votes.items():
        (label, n), *others = of_row.most_common(2)
        answers[row] = "" if others and others[0][1] == n else label
    n_conflicts = sum(len(of_row) > 1 for of_row in votes.values())
    return RuleAnswers(answers, hits, n_conflicts, refused)


def _search(patterns: dict[int, str], texts: Sequence[str]) -> dict[int, list[int] | str]:
    """Return the texts of each expression, or why it was refused."""
    found: dict[int, list[int] | str] = {}
    limit = SECONDS + SECONDS_PER_CHARACTER * sum(map(len, texts))
    left = list(patterns)
    while left:
        answers = _ask_worker([patterns[at] for at in left], texts, limit)
        for at, answer in zip(left, answers, strict=False):
            is_error = isinstance(answer, str)
            found[at] = f"it is not a regular expression ({answer})." if is_error else answer
        left = left[len(answers) :]
        if left:  # the process was ended while it searched for the next one
            told = f"it takes longer than {limit:.1f} seconds. Write a simpler one."
            found[left.pop(0)] = told
    return found


def _ask_worker(patterns: list[str], texts: Sequence[str], limit: float) -> list[Any]:
    """Return what a process of its own answers to the patterns, up to one that takes too long."""
    command = [sys.executable, "-I", str(WORKER), str(limit)]
    message = json.dumps([list(texts), patterns]).encode()
    patience = PATIENCE * (1 + limit * len(patterns))
    try:
        written = subprocess.run(
            command, input=message, stdout=subprocess.PIPE, timeout=patience, check=False
        ).stdout
    except subprocess.TimeoutExpired as error:
        written = error.stdout or b""
    lines = written.split(b"\n")[:-1]  # without one that was not finished
    if not lines:
        raise RuntimeError("The process for regular expressions does not start. Try again.")
    return [json.loads(line) for line in lines[1:]]


def describe_rules(
    rules: Sequence[Rule], found: RuleAnswers, labels: Sequence[Any]
) -> list[dict[str, Any]]:
    """Return how many texts each rule hits, and how often it is right."""
    told = []
    for rule, rows in zip(rules, found.hits, strict=True):
        right = share_of([labels[row] == rule.label for row in rows if labels[row]], len(rows))
        own = {"class": rule.label, "rule": str(rule), "texts": len(rows), "accuracy": right}
        told.append(own)
    return told


def suggest_rules(
    classifier: Any, texts: Sequence[str], rules: Sequence[Rule] = (), k: int = 3
) -> list[tuple[Rule, int, float]]:
    """Suggest new rules: telling words of a model, as they are spelled in the texts.

    With each comes the number of its texts, and the share of these to which the model gives the
    class of the rule.
    """
    spelled = dict(zip(classifier.terms_, classifier.spellings_, strict=True))
    known = {rule.pattern.casefold() for rule in rules}
    new, n_words = [], k + len(known)
    for label, ranked in telling_words(classifier, TERMS_PER_WORD * n_words).items():
        words = list_words((spelled[term] for term, _ in ranked), n_words, texts)
        unknown = [word for word in words if word.casefold() not in known]
        new += [Rule(str(label), word) for word in unknown[:k]]
    answers = [str(each) for each in classifier.predict(texts)]
    found = []
    for rule, rows in zip(new, apply_rules(new, texts).hits, strict=True):
        right = sum(answers[row] == rule.label for row in rows)
        if rows:
            found.append((rule, len(rows), right / len(rows)))
    return found
