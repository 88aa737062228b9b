"""Labeling: from texts without labels to answers.

`LabelingSession` is the way in. `Project` stores texts and labels in a file. `simulate` compares
strategies, which choose the next texts. Other functions exchange labels with other tools.
"""

from honeybayes.labeling import strategies
from honeybayes.labeling.agreement import (
    krippendorff_alpha,
    measure_agreement,
)
from honeybayes.labeling.answers import (
    fit_classifier,
    import_labels,
    read_project,
)
from honeybayes.labeling.estimate import Advice, QualityEstimate
from honeybayes.labeling.exchange import export_project, import_tasks
from honeybayes.labeling.joining import join_projects
from honeybayes.labeling.project import Project
from honeybayes.labeling.screening import (
    ScreeningRun,
    checks_needed,
    recall_bound,
    simulate_screening,
)
from honeybayes.labeling.session import LabelingSession
from honeybayes.labeling.simulation import Simulation, simulate
from honeybayes.labeling.storage import is_project_file
from honeybayes.labeling.strategies import STRATEGIES, Situation
from honeybayes.labeling.turn import Suggestion

__all__ = [
    "STRATEGIES",
    "Advice",
    "LabelingSession",
    "Project",
    "QualityEstimate",
    "ScreeningRun",
    "Simulation",
    "Situation",
    "Suggestion",
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
