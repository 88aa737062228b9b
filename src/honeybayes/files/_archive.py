"""The archive of a model file: a zip file without compression.

Members are not compressed, so a reader cannot allocate much more memory than the size of the file.
Each member is read once, and its bytes are checked before anything is built from them.
"""

import io
import json
import math
import os
import struct
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo, is_zipfile

import numpy as np
import sklearn
from scipy import sparse

import honeybayes
from honeybayes.exceptions import ModelFileError

FORMAT, OLDEST_FORMAT = 3, 2
ABOUT, SCHEMA = "honeybayes.json", "schema.json"
MAX_ABOUT_BYTES = 2**12
MAX_SCHEMA_BYTES = 3 * 2**25  # enough for a vocabulary of a million terms
MAX_SCHEMA_PARTS = 4 * 10**6  # a part of JSON takes up to 200 bytes of memory
MAX_DIRECTORY_BYTES = 2**24  # about 300,000 members
MAX_HEADER_BYTES = 2**9  # numpy needs 118 for an array of numbers
MAX_EMPTY_BYTES = 2**23  # of an empty array if each side of length 0 had length 1

PLAIN_KINDS = "biufU"
SPARSE_KINDS = {
    "data": "biuf",
    "indices": "i",
    "indptr": "i",
    "shape": "i",
    "format": "S",
    "_is_array": "b",
}
# The record at the end of a zip file: signature, numbers of disks, numbers of members, then size
# and start of the directory, and the length of a comment. Large files have another one before it,
# and between them a third, which is only compared.
END, END_OF_LARGE = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q")
BETWEEN_ENDS, N_BETWEEN = b"PK\6\7", 20


def write_member(archive: ZipFile, name: str, content: bytes | str) -> None:
    """Add a member. All members have the same date, so equal models have equal files."""
    archive.writestr(ZipInfo(name), content)


def write_about(archive: ZipFile) -> None:
    """Add the member that says which versions wrote the file."""
    about = {
        "format": FORMAT,
        "honeybayes": honeybayes.__version__,
        "scikit-learn": sklearn.__version__,
    }
    write_member(archive, ABOUT, json.dumps(about))


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
    try:
        with ZipFile(path) as archive:
            return ABOUT in archive.namelist()
    except (BadZipFile, ValueError, OSError):  # a table that ends like an archive
        return False


def open_archive(file: BinaryIO) -> ZipFile:
    """Open a file as a zip archive; raise ModelFileError if it is none, or if it is compressed."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        raise ModelFileError("the file is empty.")
    if not is_zipfile(file):
        raise ModelFileError(
            "it is not a model file, or its end is cut off. Only files written by save_model can "
            "be loaded, no pickles and no files of other programs."
        )
    archive = _open_zip(file, size)
    names = {member.filename for member in archive.infolist()}
    if ABOUT not in names:
        if SCHEMA in names:
            raise ModelFileError(
                "it is a skops file that honeybayes.save_model did not write. Open it with "
                "skops.io.load."
            )
        raise ModelFileError("it is a zip archive without a model.")
    return archive


def read_about(archive: ZipFile) -> dict[str, Any]:
    """Return the versions that wrote the file; raise ModelFileError for another format."""
    about = _read_json(archive, ABOUT, MAX_ABOUT_BYTES)
    number, version = about.get("format"), about.get("honeybayes")
    if type(number) is not int or type(version) is not str or number < 1:
        raise ModelFileError(f"{ABOUT} does not hold a format number and a version.")
    if number < OLDEST_FORMAT:
        raise ModelFileError(
            f"it has format {number}, which was never released and can no longer be read. Train "
            "the model again and save it."
        )
    if number > FORMAT:
        raise ModelFileError(
            f"it has format {number}, written by honeybayes {version}. This is honeybayes "
            f"{honeybayes.__version__}, which reads formats up to {FORMAT}: update honeybayes."
        )
    return about


def read_schema(archive: ZipFile) -> dict[str, Any]:
    """Parse the tree of the model, which is not audited yet."""
    return _read_json(archive, SCHEMA, MAX_SCHEMA_BYTES)


def read_arrays(archive: ZipFile, forms: dict[str, str]) -> dict[str, Any]:
    """Read the arrays and sparse matrices of the archive, by member.

    ``forms`` maps each member to its kind: "array", "scalar" or "sparse". There must be no other
    members.
    """
    surplus = set(archive.namelist()) ^ {*forms, ABOUT, SCHEMA}
    if surplus:
        raise ModelFileError(f"the archive and its schema disagree on {min(surplus)!r}.")
    arrays: dict[str, Any] = {}
    for name, form in forms.items():
        content = archive.read(name)
        if form == "sparse":
            _check_npz(name, content)
            arrays[name] = sparse.load_npz(io.BytesIO(content))
            continue
        shape = _check_npy(name, content, PLAIN_KINDS)
        if form == "scalar" and shape != ():
            raise ModelFileError(f"{name} should hold one value, not an array of shape {shape}.")
        arrays[name] = np.load(io.BytesIO(content), allow_pickle=False)
    return arrays


def to_npy(array: Any) -> bytes:
    """Return an array of numbers or strings as the content of a member."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def to_npz(matrix: Any) -> bytes:
    """Return a sparse matrix as the content of a member."""
    buffer, plain = io.BytesIO(), io.BytesIO()
    sparse.save_npz(buffer, matrix, compressed=False)
    with ZipFile(buffer) as source, ZipFile(plain, "w", ZIP_STORED) as target:
        for name in source.namelist():
            write_member(target, name, source.read(name))
    return plain.getvalue()


def _open_zip(file: BinaryIO, size: int) -> ZipFile:
    """Open a zip archive; raise ModelFileError if its members could take more memory than it."""
    file.seek(max(0, size - END.size))
    signature, *_, directory_size, _, comment_size = END.unpack(file.read())
    if signature != b"PK\5\6" or comment_size:
        raise ModelFileError("there is something after the end of the archive.")
    file.seek(max(0, size - END.size - N_BETWEEN - END_OF_LARGE.size))
    record, between = file.read(END_OF_LARGE.size), file.read(N_BETWEEN)
    if between.startswith(BETWEEN_ENDS):
        directory_size = END_OF_LARGE.unpack(record)[-2]
    if directory_size > MAX_DIRECTORY_BYTES:
        raise ModelFileError("the directory of the archive is too large.")
    archive = ZipFile(file)
    members = archive.infolist()
    if len({member.filename for member in members}) < len(members):
        raise ModelFileError("two members of the archive have the same name.")
    for member in members:
        if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
            raise ModelFileError(f"its member {member.filename!r} is compressed.")
    if sum(member.file_size for member in members) > size:
        raise ModelFileError("its members claim to be larger than the file.")
    return archive


def _read_json(archive: ZipFile, name: str, max_bytes: int) -> dict[str, Any]:
    if name not in archive.namelist():
        raise ModelFileError(f"its member {name} is missing.")
    if archive.getinfo(name).file_size > max_bytes:
        raise ModelFileError(f"its member {name} is larger than {max_bytes} bytes.")
    text = archive.read(name)
    if sum(map(text.count, (b"{", b"[", b","))) > MAX_SCHEMA_PARTS:
        raise ModelFileError(f"its member {name} has more than {MAX_SCHEMA_PARTS} parts.")
    content = json.loads(text.decode("ascii"))  # other characters could take four times the memory
    if not isinstance(content, dict):
        raise ModelFileError(f"its member {name} is not a JSON object.")
    return content


def _check_npz(name: str, npz: bytes) -> None:
    try:
        archive = _open_zip(io.BytesIO(npz), len(npz))
    except ModelFileError as error:
        raise ModelFileError(f"the sparse matrix {name} is damaged: {error}") from error
    kinds = {member.removesuffix(".npy"): member for member in archive.namelist()}
    if kinds.keys() | {"_is_array"} != set(SPARSE_KINDS):
        raise ModelFileError(f"{name} is not a sparse matrix in csr or csc format.")
    for kind, member in kinds.items():
        _check_npy(f"{name}/{member}", archive.read(member), SPARSE_KINDS[kind])


def _check_npy(name: str, content: bytes, kinds: str) -> tuple[int, ...]:
    """Compare the header with the number of bytes that follow; return the shape."""
    stream = io.BytesIO(content)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(np.lib.format.read_magic(stream))
    if read_header is None:
        raise ModelFileError(f"{name} is an array of an unknown version.")
    shape, _, dtype = read_header(stream, max_header_size=MAX_HEADER_BYTES)
    too_wide = dtype.kind not in "US" and dtype.itemsize > 8
    if dtype.kind not in kinds or not dtype.isnative or too_wide:
        raise ModelFileError(f"{name} is an array of type {dtype}, which is not allowed there.")
    n_bytes = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or stream.tell() + n_bytes != len(content):
        raise ModelFileError(
            f"{name} declares {shape} values of {dtype}, but has {len(content)} bytes."
        )
    if not n_bytes and math.prod(max(n, 1) for n in shape) * dtype.itemsize > MAX_EMPTY_BYTES:
        raise ModelFileError(f"{name} is empty, but declares {shape} values of {dtype}.")
    return shape
