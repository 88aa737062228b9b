"""Labeling: from texts without labels to answers.

`LabelingSession` is the way in. `Project` stores texts and labels in a file. `simulate` compares
strategies, which choose the next texts. Other functions exchange labels with other tools.
"""

from honeybayes.labeling import strategies
from honeybayes.labeling.agreement import (
    Agreement,
    Alpha,
    krippendorff_alpha,
    measure_agreement,
)
from honeybayes.labeling.answers import (
    Answer,
    ProjectLabels,
    fit_classifier,
    import_labels,
    read_project,
)
from honeybayes.labeling.estimate import Advice, ClassQuality, Point, QualityEstimate
from honeybayes.labeling.exchange import export_project, import_tasks
from honeybayes.labeling.joining import join_projects
from honeybayes.labeling.ledger import Event, Label, LabelClass
from honeybayes.labeling.live_model import Word
from honeybayes.labeling.pool import Group
from honeybayes.labeling.project import Project
from honeybayes.labeling.screening import (
    ScreeningRun,
    checks_needed,
    recall_bound,
    simulate_screening,
)
from honeybayes.labeling.session import LabelingSession
from honeybayes.labeling.simulation import Simulation, SimulationStep, simulate
from honeybayes.labeling.storage import is_project_file
from honeybayes.labeling.strategies import STRATEGIES, Situation
from honeybayes.labeling.turn import Answers, Suggestion, Turn

__all__ = [
    "STRATEGIES",
    "Advice",
    "Agreement",
    "Alpha",
    "Answer",
    "Answers",
    "ClassQuality",
    "Event",
    "Group",
    "Label",
    "LabelClass",
    "LabelingSession",
    "Point",
    "Project",
    "ProjectLabels",
    "QualityEstimate",
    "ScreeningRun",
    "Simulation",
    "SimulationStep",
    "Situation",
    "Suggestion",
    "Turn",
    "Word",
    "checks_needed",
    "export_project",
    "fit_classifier",
    "import_labels",
    "import_tasks",
    "is_project_file",
    "join_projects",
    "krippendorff_alpha",
    "measure_agreement",
    "read_project",
    "recall_bound",
    "simulate",
    "simulate_screening",
    "strategies",
]
