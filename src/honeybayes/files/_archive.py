"""The archive of a model file: a zip file without compression.

Members are not compressed, so a reader cannot allocate much more memory than the size of the file.
"""

import io
import json
import math
import os
import struct
import sys
from collections.abc import Collection
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo, is_zipfile

import numpy as np
import sklearn

import honeybayes
from honeybayes.exceptions import ModelFileError

FORMAT = 1
ABOUT, TREE = "honeybayes.json", "model.json"
MAX_BYTES = {ABOUT: 2**12, TREE: 3 * 2**25}  # the second: for a vocabulary of a million terms
MAX_TREE_PARTS = 4 * 10**6  # a part of JSON takes up to 200 bytes of memory
MAX_DIRECTORY_BYTES = 2**24  # about 300,000 members
MAX_HEADER_BYTES = 2**9  # numpy needs 118 for an array of numbers
MAX_EMPTY_BYTES = 2**23  # of an empty array if each side of length 0 had length 1
LARGEST_CODES = {"b": (np.uint8, 1), "U": (np.uint32, sys.maxunicode)}  # by kind of dtype

# The record at the end of a zip file: signature, numbers of disks, numbers of members, then size
# and start of the directory, and the length of a comment. Large files have another one before it,
# and between them a third, which is only compared.
END, END_OF_LARGE = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q")
BETWEEN_ENDS, N_BETWEEN = b"PK\6\7", 20


def write_archive(file: BinaryIO, tree: Any, arrays: dict[str, np.ndarray]) -> None:
    """Write a model. All members have the same date, so equal models have equal files."""
    versions = {"honeybayes": honeybayes.__version__, "scikit-learn": sklearn.__version__}
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, array, allow_pickle=False)
            archive.writestr(ZipInfo(name), buffer.getvalue())
        archive.writestr(ZipInfo(TREE), json.dumps(tree, separators=(",", ":")))
        archive.writestr(ZipInfo(ABOUT), json.dumps({"format": FORMAT, **versions}))


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Return True if a file has the format of a model file; its content is not checked."""
    if not os.path.isfile(path) or not is_zipfile(path):  # reading a pipe would empty it
        return False
    try:
        with ZipFile(path) as archive:
            return ABOUT in archive.namelist()
    except (BadZipFile, ValueError, OSError):  # a table that ends like an archive
        return False


def open_archive(file: BinaryIO) -> tuple[ZipFile, dict[str, Any]]:
    """Open a model file; return it, and the versions that wrote it.

    Raise ModelFileError if it is none, could take more memory than it, or has a later format.
    """
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        raise ModelFileError("the file is empty.")
    if not is_zipfile(file):
        raise ModelFileError(
            "it is not a model file, or its end is cut off. Only files of save_model or "
            "`honeybayes fit` can be loaded, no pickles and no files of other programs."
        )
    # the directory must not be large, because zipfile reads it as a whole
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
    names = {member.filename for member in members}
    if ABOUT not in names:
        raise ModelFileError("it is a zip archive without a model of honeybayes.")
    if len(names) < len(members):
        raise ModelFileError("two members of the archive have the same name.")
    for member in members:
        if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
            raise ModelFileError(f"its member {member.filename!r} is compressed.")
    if sum(member.file_size for member in members) > size:
        raise ModelFileError("its members claim to be larger than the file.")
    about = read_json(archive, ABOUT)
    number, version = about.get("format"), about.get("honeybayes")
    if type(number) is not int or type(version) is not str or number < 1:
        raise ModelFileError(f"{ABOUT} does not hold a format number and a version.")
    if number > FORMAT:
        raise ModelFileError(
            f"it has format {number}, written by honeybayes {version}. This is honeybayes "
            f"{honeybayes.__version__}, which reads formats up to {FORMAT}: update honeybayes."
        )
    return archive, about


def read_json(archive: ZipFile, name: str) -> dict[str, Any]:
    """Parse a member that is a JSON object of limited size. A tree is not audited yet."""
    if name not in archive.namelist():
        raise ModelFileError(f"its member {name} is missing.")
    if archive.getinfo(name).file_size > MAX_BYTES[name]:
        raise ModelFileError(f"its member {name} is larger than {MAX_BYTES[name]} bytes.")
    text = archive.read(name)
    if sum(map(text.count, (b"{", b"[", b","))) > MAX_TREE_PARTS:
        raise ModelFileError(f"its member {name} has more than {MAX_TREE_PARTS} parts.")
    content = json.loads(text.decode("ascii"))  # other characters could take four times the memory
    if not isinstance(content, dict):
        raise ModelFileError(f"its member {name} is not a JSON object.")
    return content


def read_arrays(archive: ZipFile, names: Collection[str]) -> dict[str, np.ndarray]:
    """Read the arrays with these names. The archive must have no others.

    The header of each is compared with the number of bytes that follow.
    """
    different = set(archive.namelist()) ^ {*names, ABOUT, TREE}
    if different:
        raise ModelFileError(f"the archive and its tree disagree on {min(different)!r}.")
    arrays = {}
    for name in names:
        content = archive.read(name)
        stream = io.BytesIO(content)
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ModelFileError(f"{name} is an array of an unknown version.")
        header = np.lib.format.read_array_header_1_0(stream, max_header_size=MAX_HEADER_BYTES)
        shape, _, dtype = header
        width_is_wrong = dtype.itemsize > 8 if dtype.kind != "U" else dtype.itemsize == 0
        if dtype.kind not in "biufU" or not dtype.isnative or width_is_wrong:
            raise ModelFileError(f"{name} is an array of type {dtype}, which is not allowed there.")
        declared = f"declares {shape} values of {dtype}"
        n_bytes = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or stream.tell() + n_bytes != len(content):
            raise ModelFileError(f"{name} {declared}, but has {len(content)} bytes.")
        if not n_bytes and math.prod(max(n, 1) for n in shape) * dtype.itemsize > MAX_EMPTY_BYTES:
            raise ModelFileError(f"{name} is empty, but {declared}.")
        arrays[name] = np.load(io.BytesIO(content), allow_pickle=False)
        if dtype.kind in LARGEST_CODES:  # numpy does not check them
            code, largest = LARGEST_CODES[dtype.kind]
            if arrays[name].ravel(order="K").view(code).max(initial=0) > largest:
                raise ModelFileError(f"{name} contains a value that is not of its type {dtype}.")
    return arrays
