"""Labeling: from texts without labels to answers.

`LabelingSession` is the way in. `Project` stores texts and labels in a file; `Engine` learns and
chooses the next texts; `estimate_quality` and `give_advice` say how good the answers are.
"""

from honeybayes.labeling import strategies
from honeybayes.labeling.answers import (
    Answer,
    answer_rows,
    fit_classifier,
    import_labels,
    read_project,
    write_answers,
    write_answers_to,
)
from honeybayes.labeling.engine import Answers, Engine, Snapshot, Suggestion, Turn, pick
from honeybayes.labeling.estimate import (
    Advice,
    Automatic,
    Estimate,
    Interval,
    Point,
    estimate_quality,
    give_advice,
    wilson_interval,
)
from honeybayes.labeling.exchange import (
    import_tasks,
    label_studio_config,
    read_doccano,
    read_label_studio,
    write_doccano,
    write_label_studio,
)
from honeybayes.labeling.groups import Group, find_groups
from honeybayes.labeling.ledger import Event, Label, LabelClass, Ledger
from honeybayes.labeling.live_model import Word
from honeybayes.labeling.pool import Pool
from honeybayes.labeling.project import Project, is_project_file
from honeybayes.labeling.session import LabelingSession
from honeybayes.labeling.simulation import Simulation, Step, simulate
from honeybayes.labeling.strategies import STRATEGIES, Situation

__all__ = [
    "STRATEGIES",
    "Advice",
    "Answer",
    "Answers",
    "Automatic",
    "Engine",
    "Estimate",
    "Event",
    "Group",
    "Interval",
    "Label",
    "LabelClass",
    "LabelingSession",
    "Ledger",
    "Point",
    "Pool",
    "Project",
    "Simulation",
    "Situation",
    "Snapshot",
    "Step",
    "Suggestion",
    "Turn",
    "Word",
    "answer_rows",
    "estimate_quality",
    "find_groups",
    "fit_classifier",
    "give_advice",
    "import_labels",
    "import_tasks",
    "is_project_file",
    "label_studio_config",
    "pick",
    "read_doccano",
    "read_label_studio",
    "read_project",
    "simulate",
    "strategies",
    "wilson_interval",
    "write_answers",
    "write_answers_to",
    "write_doccano",
    "write_label_studio",
]
