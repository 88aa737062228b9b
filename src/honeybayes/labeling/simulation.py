"""Simulation: how many labels does each strategy need on texts whose labels are known."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any

import numpy as np

from honeybayes.labeling.ledger import folded
from honeybayes.labeling.session import LabelingSession
from honeybayes.labeling.strategies import DEFAULT
from honeybayes.utils.optional import new_axes
from honeybayes.utils.parameters import described_like
from honeybayes.utils.texts import check_labels_of_texts, check_texts
from honeybayes.utils.validation import check_integer


@dataclass(frozen=True)
class SimulationStep:
    """One moment of a simulated session."""

    strategy: str
    run: int
    n_labels: int  # number of labels so far
    # share of the distinct texts whose answer is right: the label if there is one, else the
    # prediction
    accuracy: float
    # share of right predictions of the model without the labels of the audit, on texts that
    # it has not learned from. This is what the audit estimates
    measured: float | None = None
    low: float | None = None  # the 95 % interval of the audit
    high: float | None = None
    kappa: float | None = None  # agreement with the answers of the round before
    stop: bool = False  # whether the advice was to stop


@dataclass(frozen=True)
class Simulation:
    """The results of `simulate`.

    Parameters
    ----------
    steps : list of SimulationStep
        All moments of all runs.
    """

    steps: list[SimulationStep]

    def curve(self, strategy: str) -> dict[int, float]:
        """Return the mean accuracy after each number of labels.

        Parameters
        ----------
        strategy : str
            The name of a strategy.
        """
        own = [(each.n_labels, each.accuracy) for each in self.steps if each.strategy == strategy]
        sizes = sorted({n_labels for n_labels, _ in own})
        return {size: float(np.mean([value for n, value in own if n == size])) for size in sizes}

    def labels_needed(self, strategy: str, accuracy: float) -> int | None:
        """Return after how many labels the mean accuracy reaches a value and stays there, or None.

        Parameters
        ----------
        strategy : str
            The name of a strategy.
        accuracy : float
            The value to reach.
        """
        curve = reversed(self.curve(strategy).items())
        enough = [n_labels for n_labels, _ in takewhile(lambda step: step[1] >= accuracy, curve)]
        return enough[-1] if enough else None

    @property
    def strategies(self) -> list[str]:
        """Names of the strategies."""
        return list(dict.fromkeys(step.strategy for step in self.steps))

    def to_dict(self) -> dict[str, Any]:
        """Return the values in plain types, such as JSON has."""
        return {"steps": [asdict(step) for step in self.steps]}

    def plot(self, ax: Any = None) -> Any:
        """Draw the mean accuracy of each strategy. Requires Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw.

        Returns
        -------
        matplotlib.axes.Axes
        """
        ax = new_axes(ax, width=6, height=4)
        for name in self.strategies:
            curve = self.curve(name)
            ax.plot(list(curve), list(curve.values()), marker="o", markersize=3, label=name)
        ax.set(xlabel="labels", ylabel="accuracy of the answers")
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        return ax


@described_like(LabelingSession)
def simulate(
    texts: Iterable[str],
    labels: Iterable[Any],
    strategies: Sequence[Any] = (DEFAULT, "random"),
    *,
    n_labels: int = 50,
    n_runs: int = 5,
    batch: int = 5,
    use_names: bool = False,
    language: str = "auto",
    random_state: int = 0,
    on_step: Callable[[SimulationStep], None] | None = None,
) -> Simulation:
    """Replay the labeling of texts whose labels are known.

    A session suggests texts, gets their known labels, and is measured on all texts after each
    batch.

    Parameters
    ----------
    texts : iterable of str
        The texts.
    labels : iterable
        The label of each text.
    strategies : sequence of str or callable, default=("representative", "random")
        The strategies to compare.
    n_labels : int, default=50
        Number of labels in each run.
    n_runs : int, default=5
        Number of runs with different seeds.
    use_names : bool, default=False
        Whether the names of the classes are evidence.
    random_state : int, default=0
        Seed of the first run; the next runs have the next seeds.
    on_step : callable, optional
        Called with each step as soon as it is known.

    Examples
    --------
    >>> from honeybayes.tables import load_corpus
    >>> from honeybayes.labeling import simulate
    >>> corpus = load_corpus("messages").draw(15, seed=0)
    >>> result = simulate(corpus.documents, corpus.labels, n_labels=20, n_runs=1, batch=10)
    >>> list(result.curve("random"))
    [10, 20]
    """
    texts, truth = check_texts(texts, "texts"), check_labels_of_texts(list(labels))
    if len(texts) != len(truth):
        raise ValueError(f"There are {len(truth)} labels for {len(texts)} texts. Give one each.")
    for name, value in (("n_labels", n_labels), ("n_runs", n_runs), ("batch", batch)):
        check_integer(name, value, least=1)
    # names that differ only in case or white space are the same class in a project
    spelled: dict[str, str] = {}
    given = list(map(str, truth))
    names = np.array([spelled.setdefault(folded(each), " ".join(each.split())) for each in given])
    steps = []
    for strategy in strategies:
        name = strategy if isinstance(strategy, str) else strategy.__name__
        settings = {"strategy": strategy, "batch": batch, "use_names": use_names}
        for run in range(n_runs):
            settings |= {"language": language, "random_state": random_state + run}
            session = LabelingSession(texts, **settings)
            for step in _replay(session, names, n_labels, name, run):
                steps.append(step)
                if on_step is not None:
                    on_step(step)
    return Simulation(steps)


def _replay(
    session: LabelingSession, truth: np.ndarray, n_labels: int, strategy: str, run: int
) -> Iterable[SimulationStep]:
    ledger, pool = session.project.ledger, session.pool
    while len(ledger.state.labels) < n_labels and (found := session.suggest()):
        session.record(found[0].row, truth[found[0].row])
        state = ledger.state
        n_now = len(state.labels)
        if n_now % session.batch and n_now != n_labels:
            continue
        if (measured := session.refit().measured) is None:
            continue
        is_right = np.array(session.predict())[pool.rows] == truth[pool.rows]
        names = [state.names[each] for each in measured.first.tolist()]
        is_measured_right = np.array(names) == truth[pool.rows]
        learned = pool.place[list(state.labels.keys() - state.audit.keys())]
        estimate = session.estimate()
        yield SimulationStep(
            strategy,
            run,
            n_now,
            accuracy=float(is_right.mean()),
            measured=float(np.delete(is_measured_right, learned).mean()),
            low=None if estimate.audit is None else estimate.audit.low,
            high=None if estimate.audit is None else estimate.audit.high,
            kappa=estimate.stability[-1].value if estimate.stability else None,
            stop=session.advice(estimate).stop,
        )
