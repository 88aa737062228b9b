"""Project files of `honeybayes label`, where a command takes a table."""

from pathlib import Path

PROJECT_ENDING = ".hbproject"
DEFAULT_LANGUAGE = "english"


def is_project(table: str) -> bool:
    """Return True for a project file of `honeybayes label`, also if it is missing or damaged."""
    path = Path(table)
    if path.suffix == PROJECT_ENDING:
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return False  # without the next import, which takes time
    from honeybayes.labeling import is_project_file

    return is_project_file(table)


def describe_project(path: str) -> tuple[dict[str, str], str, str | None]:
    """Return the classes of a project with their seed words, its language and its text column."""
    from honeybayes.labeling import Project

    with Project.open(path) as project:
        names = {each.name: each.words for each in project.classes}
        settings = project.settings
        return names, settings.get("language", DEFAULT_LANGUAGE), settings.get("text")
