"""Text files in one folder per class."""

from contextlib import suppress
from pathlib import Path

from honeybayes.tables._corpus import Corpus
from honeybayes.tables._files import check_encoding, file_title
from honeybayes.tables._frames import make_frame, read_texts
from honeybayes.tables._labels import check_labels


def read_folders(path: Path, fallback_encoding: str = "latin-1") -> Corpus:
    """Read a folder that has one sub-folder per class with one text file per document.

    Files in deeper folders belong to the class of their sub-folder. The documents are sorted by
    class and file name.
    """
    if not path.exists():
        raise FileNotFoundError(f"There is no folder {path}.")
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is a file. Give the path of a folder.")
    class_folders = sorted(p for p in path.iterdir() if p.is_dir() and not _is_hidden(p, path))
    if not class_folders:
        raise ValueError(
            f"{path} has no sub-folders. Put the text files of each class in one sub-folder with "
            f"the name of the class."
        )
    _check_distinct(class_folders)
    check_encoding(path, fallback_encoding)
    rows = []
    for folder in class_folders:
        files = sorted(p for p in folder.rglob("*") if p.is_file() and not _is_hidden(p, path))
        if not files:
            raise ValueError(f"{folder} contains no files. Remove it, or add files.")
        rows += [[_text_of(file, fallback_encoding), folder.name] for file in files]
    frame = make_frame(rows, ["text", "label"], unit="file")
    labels = check_labels(frame["label"], frame.index, path, "file")
    return Corpus(file_title(path), read_texts(frame, "text", path), labels)


def _check_distinct(class_folders: list[Path]) -> None:
    """Raise ValueError if two names differ only in white space, which labels ignore."""
    by_label: dict[str, Path] = {}
    for folder in class_folders:
        other = by_label.setdefault(folder.name.strip(), folder)
        if other is not folder:
            raise ValueError(
                f"{folder.parent}: the names {other.name!r} and {folder.name!r} differ only "
                f"in white space. Rename one of the folders, or move their files into one folder."
            )


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def _text_of(file: Path, fallback_encoding: str) -> str:
    content = file.read_bytes()
    if b"\0" in content:
        raise ValueError(
            f"{file}, byte {content.index(0) + 1}: found a NUL byte, so this is not a text file "
            f"in UTF-8 or {fallback_encoding}. Save it as UTF-8, or remove it from the folder."
        )
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8-sig")
    try:
        return content.decode(fallback_encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file}, byte {error.start + 1}: neither UTF-8 nor {fallback_encoding}. "
            f"Set fallback_encoding, or save the file as UTF-8."
        ) from error
