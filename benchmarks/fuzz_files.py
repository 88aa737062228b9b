"""Break model files on purpose, load each of them, and predict with the models that load.

A quarter of the files have bytes flipped, removed or inserted. The others are unpacked, changed
inside and packed again with valid checksums: nodes of the tree, values of its leaves, arrays,
members of the archive, and parts of other models in place of the own ones. Every file must give one
clear error or a model that predicts. Each file has a process of its own, forked from one that has
everything imported and compiled, with limits on memory and time.

    python -m benchmarks.fuzz_files --files 5000 --seed 0
"""

import argparse
import io
import json
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC, LinearSVC
from sklearn.utils import get_tags

from honeybayes import (
    CountNB,
    HiddenNB,
    ModelFileError,
    NoPathWarning,
    TextClassifier,
    load_model,
    save_model,
)
from honeybayes.classifier.columns import ColumnFeatures, read_rows
from honeybayes.text import TermSelector, TextAnalyzer, TextEncoder, TextVectorizer
from tests.encoders import WordHasher
from tests.estimators import instances

SECONDS_PER_FILE = 20  # of the processor; a file that takes longer is a hang
PATIENCE = 10 * SECONDS_PER_FILE  # of the clock, because other programs may be at work
EXTRA_BYTES = 700 * 10**6  # a file that needs more memory is a huge allocation

TEXTS = [
    "the red boat on the sea",
    "waves and sand by the sea",
    "a boat in the waves",
    "green hills and a river",
    "the river runs through the hills",
    "sand and stones on the hill",
    "an old train in the station",
    "the station by the river",
    "a red train",
]
LABELS = ["sea"] * 3 + ["land"] * 3 + ["rail"] * 3
TWO_LABELS = ["sea"] * 3 + ["land"] * 6

Members = dict[str, bytes]


def fitted_models() -> list[Any]:
    """Fit one of each class that a model file may hold, alone or in pipelines.

    Every step that a pipeline may begin with, begins one.
    """
    counts = CountVectorizer().fit_transform(TEXTS)
    prices = pd.DataFrame({"text": TEXTS, "price": range(len(TEXTS))})
    rows = read_rows(prices, {"text": "text", "numbers": ["price"]})
    texts: list[Any] = [
        make_pipeline(CountVectorizer(), TermSelector(n_terms=8), HiddenNB(rule="one-vs-rest")),
        make_pipeline(TfidfVectorizer(max_features=12), SelectKBest(chi2, k=6), ComplementNB()),
        make_pipeline(CountVectorizer(stop_words=["the"]), TfidfTransformer(), LinearSVC()),
        make_pipeline(TfidfVectorizer(), TruncatedSVD(3, random_state=0), LogisticRegression()),
        make_pipeline(CountVectorizer(ngram_range=(1, 2)), Normalizer(), MultinomialNB()),
        make_pipeline(CountVectorizer(analyzer="char_wb", ngram_range=(2, 3)), BernoulliNB()),
        make_pipeline(CountVectorizer(dtype=np.float32), BernoulliNB()),
        make_pipeline(CountVectorizer(), SVC(kernel="poly", degree=2)),
        make_pipeline(TfidfVectorizer(), TruncatedSVD(3, random_state=0), SVC()),
        make_pipeline(CountVectorizer(), OneVsOneClassifier(SVC(kernel="linear"))),
        make_pipeline(CountVectorizer(), OneVsRestClassifier(SVC(kernel="linear"))),
        make_pipeline(CountVectorizer(), CountNB()),
        make_pipeline(TextVectorizer(ngram_range=(1, 2), stop_words={"by"}), CountNB()),
        make_pipeline(
            FeatureUnion([("a", CountVectorizer()), ("b", TfidfVectorizer())]), CountNB()
        ),
        make_pipeline(TextEncoder(WordHasher(), cache=False), LogisticRegression()),
        make_pipeline(ColumnFeatures(numbers=["price"]), LogisticRegression()),
        TextClassifier(n_terms=10),
        TextClassifier("HCNB", calibrate=None),
        TextClassifier("auto"),
        TextClassifier(n_terms=10, encoder=TextEncoder(WordHasher(), cache=False)),
    ]
    matrices: list[Any] = [
        SVC(),
        SVC(kernel="precomputed"),
        LogisticRegression(),
        FeatureUnion(
            [("a", TfidfTransformer()), ("b", Normalizer())], transformer_weights={"a": 2}
        ),
        Pipeline([("a", "passthrough"), ("b", make_pipeline(Normalizer(), CountNB()))]),
    ]
    steps: list[Any] = [TfidfTransformer(), Normalizer(), SelectKBest(chi2, k=3)]
    steps += [TruncatedSVD(2, random_state=0), FeatureUnion([("a", Normalizer())])]
    for estimator in {type(each): each for each in reversed(instances())}.values():
        if not get_tags(estimator).input_tags.two_d_array:
            texts.append(estimator)
        elif is_classifier(estimator):
            texts.append(make_pipeline(CountVectorizer(analyzer=TextAnalyzer()), estimator))
        else:
            matrices.append(estimator)
            steps.append(estimator)
    matrices += [make_pipeline(step, LogisticRegression()) for step in steps]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPathWarning)
        for model in texts:
            model.fit(rows, LABELS if is_classifier(model) else TWO_LABELS)
        for model in matrices:
            is_kernel = getattr(model, "kernel", None) == "precomputed"
            X = (counts @ counts.T).toarray() if is_kernel else counts.astype(float)
            model.fit(X.toarray() if type(model) is LogisticRegression else X, TWO_LABELS)
    return texts + matrices


# --- broken bytes ---------------------------------------------------------------------------------


def break_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    """Flip some bytes, cut the end off, remove a piece, or repeat a piece."""
    broken = bytearray(content)
    first, last = sorted(rng.integers(0, len(broken), 2))
    match rng.integers(4):
        case 0:
            for position in rng.integers(0, len(broken), rng.integers(1, 9)):
                broken[position] ^= 1 << rng.integers(8)
        case 1:
            del broken[first:]
        case 2:
            del broken[first : min(last, first + 64)]
        case _:
            broken[first:first] = broken[first : first + 64]
    return bytes(broken)


# --- changes inside, packed again -----------------------------------------------------------------


class Abort:
    """Ends the process if it is ever unpickled."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return os.abort, ()


ODD_VALUES = [None, True, -1, 0, 10**30, 1e308, "", "x", "builtins", [], {}, [[]], {"a": 1}]
ODD_VALUES += [float("nan"), float("inf"), 10**400, [1], ["x"], [1, None]]
ODD_STRINGS = ["", "x", "auto", "char", "char_wb", "word", "english", "(a+)+$", "(?u)\\b\\w+\\b"]
ODD_STRINGS += [
    "pandas",
    "polars",
    "passthrough",
    "drop",
    "precomputed",
    "rbf",
    "l1",
    "/tmp/x",
    "é",
]
ODD_STRINGS += ["multinomial", "complement", "one-vs-rest", "turkish", "filename", "x" * 10**5]
ODD_NAMES = [
    "os.system",
    "builtins.eval",
    "numpy.load",
    "numpy.ndarray",
    "numpy.float64",
    "builtins.dict",
    "sklearn.svm._classes.SVC",
    "sklearn.tree._tree.Tree",
    "honeybayes.bayes.count.CountNB",
    "honeybayes.bayes.hidden.HiddenNB",
    "sklearn.feature_extraction.text.TfidfTransformer",
    "csr_matrix",
    "float64",
    "",
    None,
]
KINDS = "list tuple set frozenset dict pairs objects sparse array scalar type function object"
ODD_KINDS = [*KINDS.split(), "reference", "reduce", None]
ODD_NUMBERS = [np.nan, np.inf, -np.inf, -1, 0, 1, 2**31, 2**62, -(2**62), 1e-320, 1e308]
ODD_TYPES = ["f4", "f2", ">f8", "i8", "i2", "u1", "?", "U3", "S3", "c16", "M8[s]", "f16"]
ODD_SHAPES = [(), (0,), (10**8,), (10**15,), (2**40, 2**40), (-1,), (0, 10**15), (3, 3, 3, 3)]
ODD_SHAPES += [(0,) * 32, (1,) * 32, (2**62, 4), (2**23, 0)]


def pick(rng: np.random.Generator, options: Any) -> Any:
    return options[rng.integers(len(options))]


def slots(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every slot of a JSON tree, as a container and a key."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from slots(tree[key])


def nodes(tree: Any, kind: str | None = None) -> list[dict[str, Any]]:
    """Return the nodes of a tree, of one kind or of all."""
    found = [tree, *(part[key] for part, key in slots(tree) if isinstance(part[key], dict))]
    return [node for node in found if "kind" in node and kind in (None, node["kind"])]


def change_tree(members: Members, rng: np.random.Generator) -> None:
    tree = json.loads(members["model.json"])
    part, key = pick(rng, list(slots(tree)))
    node = pick(rng, nodes(tree))
    match rng.integers(8):
        case 0:
            part[key] = pick(rng, ODD_VALUES)
        case 1:
            del part[key]
        case 2:
            other, other_key = pick(rng, list(slots(tree)))
            part[key] = deepcopy(other[other_key])
        case 3:
            node["name"] = pick(rng, ODD_NAMES)
        case 4:
            node["kind"] = pick(rng, ODD_KINDS)
        case 5:
            node["content"] = pick(rng, ODD_VALUES)
        case 6:  # deep, with long keys
            key = "x" * pick(rng, [1, 3000])
            for _ in range(pick(rng, [3, 50, 300])):
                inner = pick(rng, [[dict(node)], {key: dict(node)}])
                node.clear()
                node.update(kind="dict" if isinstance(inner, dict) else "tuple", content=inner)
        case _:  # integers with equal hashes
            same: list[Any] = [sys.hash_info.modulus * n for n in range(pick(rng, [2, 10**5]))]
            if rng.integers(2):  # of 64 bits, or floats
                same = [pick(rng, [1.0, -1.0]) * 2.0**n for n in range(-1000, 1000)] + [-1, -2]
            kind = pick(rng, ["set", "frozenset", "pairs", "tuple"])
            content = [[each, 0] for each in same] if kind == "pairs" else same
            part[key] = {"kind": kind, "content": content}
    members["model.json"] = json.dumps(tree).encode()
    if rng.integers(20) == 0:  # deeper than Python can write it
        deep = pick(rng, [b"[", b'{"a":', b'{"kind":"tuple","content":['])
        members["model.json"] = deep * pick(rng, [5000, 10**6]) + members["model.json"]


def change_leaf(members: Members, rng: np.random.Generator) -> None:
    """Give a leaf another value of the same type, or the value of another leaf."""
    tree = json.loads(members["model.json"])
    leaves = [
        (part, key)
        for part, key in slots(tree)
        if key not in ("kind", "name") and not isinstance(part[key], dict | list)
    ]
    part, key = pick(rng, leaves)
    value = part[key]
    if rng.integers(3) == 0:
        other, other_key = pick(rng, leaves)
        part[key] = other[other_key]
    elif isinstance(value, bool):
        part[key] = not value
    elif isinstance(value, int):
        odd = [value + 1, value - 1, -value, 0, 2, 1000, 10**9, 2**28, 2**31, 2**63, 10**30]
        part[key] = int(pick(rng, odd))
    elif isinstance(value, float):
        odd_floats = [0.0, 1.0, -value, value * 1e9, 1e-300, 5e-324, 1e100, 1e200, 1e308]
        part[key] = float(pick(rng, odd_floats))
    else:
        part[key] = pick(rng, ODD_STRINGS)
    members["model.json"] = json.dumps(tree).encode()


def transplant(members: Members, other: Members, rng: np.random.Generator) -> None:
    """Replace an object or a leaf by an object of another model, with its arrays."""
    tree = json.loads(members["model.json"])
    donor = pick(rng, nodes(json.loads(other["model.json"]), "object"))
    for node in nodes(donor, "array"):
        members[f"new-{node['content']}"] = other[node["content"]]
        node["content"] = f"new-{node['content']}"
    target = pick(rng, nodes(tree, pick(rng, ["object", "object", None])))
    target.clear()
    target.update(donor)
    needed = {node["content"] for node in nodes(tree, "array")} | {"model.json", "honeybayes.json"}
    for name in members.keys() - needed:
        del members[name]
    members["model.json"] = json.dumps(tree).encode()


def change_array(npy: bytes, rng: np.random.Generator) -> bytes:
    """Change the header, the values, the shape or the type of an array."""
    array = np.load(io.BytesIO(npy))
    match rng.integers(6):
        case 0:  # the header alone
            header = np.lib.format.header_data_from_array_1_0(array)
            if rng.integers(2):
                header["shape"] = pick(rng, [*ODD_SHAPES, tuple(n + 1 for n in array.shape)])
            else:
                header["descr"] = pick(rng, ["<f4", ">f8", "|O", "<U9", "<U0", "<i8", "|V8", "|b1"])
            return with_header(header, array.tobytes())
        case 1:
            if array.size and array.dtype.kind in "iuf":
                odd = np.array(pick(rng, ODD_NUMBERS))
                with np.errstate(all="ignore"):
                    array.flat[rng.integers(array.size)] = odd.astype(array.dtype)
        case 2:
            array = array[:-1] if array.ndim else array.reshape(1)
        case 3:
            array = np.concatenate([array, array]) if array.ndim else array
        case 4:
            new_type = pick(rng, ODD_TYPES)
            with np.errstate(all="ignore"):
                if array.dtype.kind in "US":
                    array = np.ones(array.shape, new_type)
                else:
                    array = pick(rng, [array.T, array.astype(new_type)])
        case _:
            buffer = io.BytesIO()
            np.save(buffer, np.array([Abort()], dtype=object), allow_pickle=True)
            return pick(rng, [buffer.getvalue(), pickle.dumps(Abort()), b"", npy[:40]])
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def with_header(header: dict[str, Any], values: bytes) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue() + values


def change_arrays(members: Members, rng: np.random.Generator) -> None:
    names = [name for name in members if name.endswith(".npy")]
    if not names:
        return change_tree(members, rng)
    name = pick(rng, names)
    if rng.integers(8) == 0:
        other = pick(rng, names)
        members[name], members[other] = members[other], members[name]
    else:
        members[name] = change_array(members[name], rng)
    return None


def change_sparse(members: Members, rng: np.random.Generator) -> None:
    """Change the shape, the indices or another array of a sparse matrix."""
    tree = json.loads(members["model.json"])
    matrices = nodes(tree, "sparse")
    if not matrices:
        return change_arrays(members, rng)
    matrix = pick(rng, matrices)
    shape, *parts = matrix["content"]
    member = pick(rng, [part["content"] for part in parts])
    match rng.integers(4):
        case 0:
            array = np.load(io.BytesIO(members[member]))
            if len(array):
                array[rng.integers(len(array))] = pick(rng, [-1, 5, 10**6, 2**31 - 1])
            members[member] = to_npy(array)
        case 1:
            shape[rng.integers(2)] = pick(rng, [0, 1, -5, 10**6, 2**62])
        case 2:
            matrix["name"] = pick(rng, ["csr_array", "csc_matrix", "coo_array", "bsr_array"])
        case _:
            members[member] = change_array(members[member], rng)
    members["model.json"] = json.dumps(tree).encode()
    return None


def change_archive(members: Members, rng: np.random.Generator) -> None:
    name = pick(rng, list(members))
    about = json.loads(members["honeybayes.json"])
    match rng.integers(5):
        case 0:
            del members[name]
        case 1:
            members["../" + name] = members.pop(name)
        case 2:
            members["extra.npy"] = members[name]
        case 3:
            about["format"] = pick(rng, [1, 2, 99, 0, -1, "1", None, 1.5])
            members["honeybayes.json"] = json.dumps(about).encode()
        case _:
            about["honeybayes"] = pick(rng, ["99.0", None, 1, "x" * 10**5])
            members["honeybayes.json"] = json.dumps(about).encode()


def change_zip(content: bytes, rng: np.random.Generator) -> bytes:
    """Change numbers of the directory of an archive, its end, or what lies around it."""
    broken = bytearray(content)
    end, first = content.rindex(b"PK\5\6"), content.index(b"PK\1\2")
    match rng.integers(5):
        case 0:  # sizes, offsets, flags and methods of members, here and in the directory
            starts = [at for at in range(len(content)) if content[at : at + 4] == b"PK\1\2"]
            at = pick(rng, [*starts, 0]) + int(rng.integers(4, 46))
            broken[at : at + 2] = pick(rng, [b"\xff\xff", b"\0\0", b"\x08\0", b"\1\0"])
        case 1:  # the number of members, size and start of the directory, length of the comment
            at = end + int(rng.integers(4, 22))
            broken[at : at + 2] = pick(rng, [b"\xff\xff", b"\0\0", b"\1\0"])
        case 2:  # each member twice
            broken[end:end] = content[first:end]
        case 3:  # something before, after, or between
            at = pick(rng, [0, first, end, len(content)])
            broken[at:at] = pick(rng, [b"PK\5\6" + bytes(18), b"PK\6\7" + bytes(16), bytes(2**16)])
        case _:  # an end that claims more than there is
            broken += struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *pick(rng, CLAIMS))
    return bytes(broken)


CLAIMS = [(65535, 65535, 2**32 - 1, 2**32 - 1, 0), (1, 1, 2**31, 0, 0), (9, 9, 0, 0, 65535)]


def unpack(content: bytes) -> Members:
    with ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(members: Members, compression: int = ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def to_npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def change_inside(
    content: bytes, rng: np.random.Generator, others: list[bytes]
) -> tuple[str, bytes]:
    members = unpack(content)
    kinds = [change_tree, change_leaf, change_leaf, change_arrays, change_arrays, change_sparse]
    change = pick(rng, [*kinds, change_archive, transplant])
    if change is transplant:
        transplant(members, unpack(pick(rng, others)), rng)
    else:
        change(members, rng)
    if rng.integers(40):
        return change.__name__, pack(members)
    bomb = {**members, "bomb.npy": bytes(2**26)} if rng.integers(2) else members
    return change.__name__, pack(bomb, ZIP_DEFLATED)


def break_file(number: int, seed: int, originals: list[bytes]) -> tuple[str, bytes]:
    """Return what was done, and the broken file with this number."""
    rng = np.random.default_rng([seed, number])
    original = originals[number % len(originals)]
    if rng.integers(4) == 0:
        return "break_bytes", break_bytes(original, rng)
    if rng.integers(10) == 0:
        return "change_zip", change_zip(original, rng)
    return change_inside(original, rng, originals)


# --- one process per file -------------------------------------------------------------------------


def work(n_files: int, seed: int) -> None:
    """Break, load and use files; print one line per file."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.hb")
        originals = []
        for model in fitted_models():
            save_model(model, path)
            originals.append(path.read_bytes())
            use(load(path))  # imports and compiles everything before the processes are forked
        for number in range(n_files):
            print_trial(path, number, partial(break_file, number, seed, originals), try_out)


def print_trial(
    path: Path, number: int, make: Callable[[], tuple[str, bytes]], use: Callable[[Path], Any]
) -> None:
    """Make a file and use it in a process of its own; print number, kind, outcome and detail."""
    start = time.perf_counter()
    found = in_a_process(path, make, use)
    print(json.dumps([number, *found, time.perf_counter() - start]), flush=True)


def in_a_process(
    path: Path, make: Callable[[], tuple[str, bytes]], use: Callable[[Path], Any]
) -> list[str]:
    """Make a file and use it in a process of its own; return kind, outcome and detail."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        kind, content = make()
        path.write_bytes(content)
        del content
        os.write(writer, json.dumps(kind).encode() + b"\n")
        limit = virtual_bytes() + EXTRA_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_PER_FILE, SECONDS_PER_FILE + 1))
        signal.alarm(PATIENCE)  # of a file that waits for something
        outcome, detail = use(path)
        os.write(writer, json.dumps([outcome, detail[:1000]]).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        first, *rest = pipe.read().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if rest:
        return [json.loads(first), *json.loads(rest[0])]
    death = "hang" if status in (-signal.SIGALRM, -signal.SIGXCPU) else "crash"
    return [json.loads(first), death, f"ended with {status}"]


def try_out(path: Path) -> tuple[str, str]:
    try:
        model = load(path)
    except ModelFileError as error:
        short_of_memory = isinstance(error.__cause__, MemoryError)
        return ("huge allocation" if short_of_memory else "refused"), str(error).split(": ", 1)[1]
    except BaseException as error:
        return "unclear error", repr(error)
    try:
        use(model)
    except BaseException as error:
        return "failed to predict", repr(error)
    return "working", ""


def load(path: Path) -> Any:
    """Load a model, with an encoder if it needs one."""
    try:
        return load_model(path)
    except ModelFileError as error:
        if "needs the encoder" not in str(error):
            raise
    return load_model(path, encoder=WordHasher())


def use(model: Any) -> None:
    """Call the methods of a model with texts, or with a matrix if it takes one."""
    texts = [*TEXTS, "", "words never seen", " ".join(TEXTS) * 20]
    width = width_of_input(model)
    if width is None:
        return ask(model, texts)
    eye = sparse.csr_array(sparse.eye(len(texts), width))
    try:
        return ask(model, eye)
    except (TypeError, ValueError):
        if width > 10**6:
            raise
    return ask(model, eye.toarray())


def width_of_input(model: Any) -> int | None:
    """Return the number of columns that a model takes, or None if it takes texts."""
    steps = getattr(model, "steps", getattr(model, "transformer_list", ()))
    for _, step in steps:
        if not isinstance(step, str):
            return width_of_input(step)
    return getattr(model, "n_features_in_", None)


def ask(model: Any, documents: Any) -> None:
    n_documents = len(documents) if isinstance(documents, list) else documents.shape[0]
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            answers = getattr(model, method)(documents)
            n_answers = len(answers) if isinstance(answers, list) else answers.shape[0]
            if n_answers != n_documents:
                raise ValueError(f"{method} gives {n_answers} answers")
            if method in ("predict_proba", "decision_function") and np.isnan(answers).any():
                raise ArithmeticError(f"{method} gives NaN")


def virtual_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


# --- the whole run --------------------------------------------------------------------------------


def run(n_files: int, seed: int) -> list[tuple[str, str, str, float]]:
    """Try files; return kind, outcome, detail and seconds per file."""
    arguments = ["--work", "--seed", seed, "--files", n_files]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.fuzz_files", *map(str, arguments)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    lines = map(json.loads, done.stdout.splitlines())
    return [
        (kind, outcome, f"{number}: {detail}", took)
        for number, kind, outcome, detail, took in lines
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=5000, help="how many files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the message of each file")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.files, options.seed)
    results = run(options.files, options.seed)
    for kind in sorted({kind for kind, *_ in results}):
        print(kind, dict(Counter(outcome for each, outcome, *_ in results if each == kind)))
    print("all", dict(Counter(outcome for _, outcome, *_ in results)))
    print("slowest file:", round(max(took for *_, took in results), 2), "s")
    for kind, outcome, detail, _ in results:
        if options.show or outcome not in ("refused", "working"):
            print(kind, outcome, detail)
    return None


if __name__ == "__main__":
    main()
