"""The files that a folder or a pattern stands for."""

from glob import glob, has_magic
from pathlib import Path

from honeybayes.tables._files import file_ending
from honeybayes.tables._read import FORMAT_OF_ENDING


def is_many(table: str) -> bool:
    """Return True for a folder or a pattern, False for one file and for standard input."""
    path = Path(table)
    return table != "-" and not path.is_file() and (path.is_dir() or has_magic(table))


def find_files(table: str) -> list[Path]:
    """Return the files of a folder or a pattern, sorted; links to nothing are files, too."""
    folder = Path(table)
    if not folder.is_dir():
        return sorted(filter(_is_file, map(Path, glob(table, recursive=True))))
    return [
        each
        for each in sorted(folder.iterdir())
        # other programs write files such as _SUCCESS beside the parts
        if file_ending(each) in FORMAT_OF_ENDING and each.name[0] not in "._" and _is_file(each)
    ]


def _is_file(path: Path) -> bool:
    return path.is_file() or (path.is_symlink() and not path.exists())


def find_class_folders(folder: Path) -> list[Path]:
    """Return the sub-folders of a folder, which may have the texts of one class each."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_dir() and each.name[0] not in "._")
