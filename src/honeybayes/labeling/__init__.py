"""Labeling: from texts without labels to answers.

`LabelingSession` is the way in. `Project` stores texts and labels in a file. `simulate` compares
strategies, which choose the next texts. Other functions exchange labels with other tools.
"""

from honeybayes.labeling import strategies
from honeybayes.labeling.agreement import krippendorff_alpha
from honeybayes.labeling.agreement import measure_agreement as measure_agreement
from honeybayes.labeling.answers import fit_classifier as fit_classifier
from honeybayes.labeling.answers import import_labels as import_labels
from honeybayes.labeling.answers import join_projects
from honeybayes.labeling.answers import read_project as read_project
from honeybayes.labeling.exchange import export_project, import_tasks
from honeybayes.labeling.project import Project
from honeybayes.labeling.project_file import is_project_file as is_project_file
from honeybayes.labeling.quality import Advice, QualityEstimate
from honeybayes.labeling.screening import (
    ScreeningRun,
    checks_needed,
    recall_bound,
    simulate_screening,
)
from honeybayes.labeling.session import LabelingSession
from honeybayes.labeling.simulation import Simulation, simulate
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
    "import_tasks",
    "join_projects",
    "krippendorff_alpha",
    "recall_bound",
    "simulate",
    "simulate_screening",
    "strategies",
]
