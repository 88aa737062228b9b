"""The archive of a model file: a zip file without compression.

Members are not compressed, so a reader cannot allocate more memory than the size of the file. The
header of every array is compared with its number of bytes before numpy reads it.
"""

import io
import json
import math
import os
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile, is_zipfile

import numpy as np
import sklearn

import honeybayes
from honeybayes.exceptions import ModelFileError

FORMAT = 2
ABOUT, SCHEMA = "honeybayes.json", "schema.json"
MAX_ABOUT_BYTES = 2**12
MAX_SCHEMA_BYTES = 2**28  # enough for a vocabulary of a million terms
MAX_HEADER_BYTES = 2**9  # numpy needs 118 for an array of numbers

PLAIN_KINDS = "biufU"
SPARSE_KINDS = {
    "data": "biuf",
    "indices": "i",
    "indptr": "i",
    "shape": "i",
    "format": "S",
    "_is_array": "b",
}


def write_about(archive: ZipFile) -> None:
    """Add the member that says which versions wrote the file."""
    about = {
        "format": FORMAT,
        "honeybayes": honeybayes.__version__,
        "scikit-learn": sklearn.__version__,
    }
    archive.writestr(ABOUT, json.dumps(about))


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Return True if a file has the format of a model file; its content is not checked.

    Parameters
    ----------
    path : str or path-like
        The file. If it does not exist, False is returned.

    Returns
    -------
    bool

    Examples
    --------
    >>> from honeybayes.files import is_model_file
    >>> is_model_file("messages.csv")
    False
    """
    if not os.path.isfile(path) or not is_zipfile(path):  # reading a pipe would empty it
        return False
    with ZipFile(path) as archive:
        return ABOUT in archive.namelist()


def check_archive(file: BinaryIO) -> dict[str, Any]:
    """Return the versions that wrote the file.

    Raise ModelFileError if it is not a model file, has another format, or is compressed.
    """
    size = os.fstat(file.fileno()).st_size
    if size == 0:
        raise ModelFileError("the file is empty.")
    if not is_zipfile(file):
        raise ModelFileError(
            "it is not a model file, or its end is cut off. Only files written by save_model can "
            "be loaded, no pickles and no files of other programs."
        )
    with ZipFile(file) as archive:
        members = archive.infolist()
        names = {member.filename for member in members}
        if ABOUT not in names:
            if SCHEMA in names:
                raise ModelFileError(
                    "it is a skops file that honeybayes.save_model did not write. Open it with "
                    "skops.io.load."
                )
            raise ModelFileError("it is a zip archive without a model.")
        if len(names) < len(members):
            raise ModelFileError("two members of the archive have the same name.")
        for member in members:
            if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
                raise ModelFileError(f"its member {member.filename!r} is compressed.")
        if sum(member.file_size for member in members) > size:
            raise ModelFileError("its members claim to be larger than the file.")
        about = _read_json(archive, ABOUT, MAX_ABOUT_BYTES)
    _check_about(about)
    return about


def read_schema(archive: ZipFile) -> dict[str, Any]:
    """Parse the tree of the model, which is not audited yet."""
    return _read_json(archive, SCHEMA, MAX_SCHEMA_BYTES)


def check_members(archive: ZipFile, arrays: dict[str, str]) -> None:
    """Check the members of the archive against the schema.

    ``arrays`` maps each member to its kind: "array", "scalar" or "sparse" (a sparse matrix). There
    must be no other members.
    """
    surplus = set(archive.namelist()) ^ {*arrays, ABOUT, SCHEMA}
    if surplus:
        raise ModelFileError(f"the archive and its schema disagree on {min(surplus)!r}.")
    for name, form in arrays.items():
        if form == "sparse":
            _check_npz(name, archive.read(name))
            continue
        with archive.open(name) as member:
            shape = _check_npy(name, member, archive.getinfo(name).file_size, PLAIN_KINDS)
        if form == "scalar" and shape != ():
            raise ModelFileError(f"{name} should hold one value, not an array of shape {shape}.")


def without_compression(npz: bytes) -> bytes:
    """Rewrite a zip archive so that no member is compressed."""
    plain = io.BytesIO()
    with ZipFile(io.BytesIO(npz)) as source, ZipFile(plain, "w", ZIP_STORED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
    return plain.getvalue()


def _check_about(about: dict[str, Any]) -> None:
    number, version = about.get("format"), about.get("honeybayes")
    if type(number) is not int or type(version) is not str or number < 1:
        raise ModelFileError(f"{ABOUT} does not hold a format number and a version.")
    if number < FORMAT:
        raise ModelFileError(
            f"it has format {number}, which was never released and can no longer be read. Train "
            "the model again and save it."
        )
    if number > FORMAT:
        raise ModelFileError(
            f"it has format {number}, written by honeybayes {version}. This is honeybayes "
            f"{honeybayes.__version__}, which reads formats up to {FORMAT}: update honeybayes."
        )


def _read_json(archive: ZipFile, name: str, max_bytes: int) -> dict[str, Any]:
    if name not in archive.namelist():
        raise ModelFileError(f"its member {name} is missing.")
    if archive.getinfo(name).file_size > max_bytes:
        raise ModelFileError(f"its member {name} is larger than {max_bytes} bytes.")
    content = json.loads(archive.read(name))
    if not isinstance(content, dict):
        raise ModelFileError(f"its member {name} is not a JSON object.")
    return content


def _check_npz(name: str, npz: bytes) -> None:
    with ZipFile(io.BytesIO(npz)) as archive:
        members = archive.infolist()
        names = {member.filename.removesuffix(".npy") for member in members}
        if len(names) < len(members) or names | {"_is_array"} != set(SPARSE_KINDS):
            raise ModelFileError(f"{name} is not a sparse matrix in csr or csc format.")
        if sum(member.file_size for member in members) > len(npz):
            raise ModelFileError(f"the members of {name} claim to be larger than {name}.")
        for member in members:
            kinds = SPARSE_KINDS[member.filename.removesuffix(".npy")]
            with archive.open(member) as content:
                _check_npy(f"{name}/{member.filename}", content, member.file_size, kinds)


def _check_npy(name: str, content: Any, size: int, kinds: str) -> tuple[int, ...]:
    """Compare the header with the number of bytes that follow; return the shape."""
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(np.lib.format.read_magic(content))
    if read_header is None:
        raise ModelFileError(f"{name} is an array of an unknown version.")
    shape, _, dtype = read_header(content, max_header_size=MAX_HEADER_BYTES)
    too_wide = dtype.kind not in "US" and dtype.itemsize > 8
    if dtype.kind not in kinds or not dtype.isnative or too_wide:
        raise ModelFileError(f"{name} is an array of type {dtype}, which is not allowed there.")
    if min(shape, default=0) < 0 or content.tell() + math.prod(shape) * dtype.itemsize != size:
        raise ModelFileError(f"{name} declares {shape} values of {dtype}, but has {size} bytes.")
    return shape
