"""A folder of folders of text files."""

from os import PathLike
from pathlib import Path

from honeybayes.data._collector import DocumentCollector
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_encoding


def read_text_folders(path: str | PathLike[str], fallback_encoding: str = "latin-1") -> Corpus:
    """Read a folder with one sub-folder a class, which holds one text file a document.

    Parameters
    ----------
    path : str or path-like
        The names of its sub-folders are the classes. Files in deeper folders belong to the class
        above them. Hidden files, and files beside the sub-folders, are left out.
    fallback_encoding : str, default="latin-1"
        For the files that are not UTF-8.

    Returns
    -------
    Corpus
        Named after the folder; documents in the order of their classes and file names.

    Raises
    ------
    ValueError
        Names the folder or the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_text_folders
    >>> with TemporaryDirectory() as folder:
    ...     for queue, text in [("billing", "Charged twice"), ("delivery", "Late again")]:
    ...         Path(folder, "mail", queue).mkdir(parents=True)
    ...         _ = Path(folder, "mail", queue, "1.txt").write_text(text)
    ...     read_text_folders(Path(folder, "mail"))
    Corpus('mail', 2 texts, 2 classes)
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"There is no folder {path}.")
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is a file, but a folder is wanted.")
    class_folders = sorted(p for p in path.iterdir() if p.is_dir() and not _is_hidden(p, path))
    if not class_folders:
        raise ValueError(
            f"{path} has no sub-folders. Put the text files of each class in a folder of its own, "
            f"named after the class."
        )
    _refuse_alike(class_folders)
    check_encoding(path, fallback_encoding)
    documents = DocumentCollector(path, "text", "label", unit="file")
    for class_folder in class_folders:
        files = sorted(
            p for p in class_folder.rglob("*") if p.is_file() and not _is_hidden(p, path)
        )
        if not files:
            raise ValueError(f"{class_folder} holds no files. Remove it, or fill it.")
        for file in files:
            documents.add(
                len(documents.texts) + 1, _text_of(file, fallback_encoding), class_folder.name
            )
    return documents.corpus()


def _refuse_alike(class_folders: list[Path]) -> None:
    """Refuse names that differ in white space only: they would become one class."""
    by_label: dict[str, Path] = {}
    for folder in class_folders:
        other = by_label.setdefault(folder.name.strip(), folder)
        if other is not folder:
            raise ValueError(
                f"{folder.parent}: the names {other.name!r} and {folder.name!r} differ in white "
                f"space only. Rename one of the folders, or put their files together."
            )


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def _text_of(file: Path, fallback_encoding: str) -> str:
    content = file.read_bytes()
    if b"\0" in content:
        raise ValueError(
            f"{file}, byte {content.index(0) + 1}: a NUL byte, so this is no text file in UTF-8 "
            f"or {fallback_encoding}. Save it as UTF-8, or take it out of the folder."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return content.decode(fallback_encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file}, byte {error.start + 1}: neither UTF-8 nor {fallback_encoding}."
        ) from error
