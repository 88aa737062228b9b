"""Break model files on purpose, load each of them, and predict with the models that load.

Half of the files have bytes flipped, removed or inserted. The other half are unpacked, changed
inside and packed again with valid checksums. Every file must give one clear error or a model that
predicts. Child processes do the work, so that a crash, a hang or a huge allocation is noticed.

    python -m benchmarks.fuzz_files --files 2000 --seed 0
"""

import argparse
import io
import json
import math
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC, LinearSVC
from sklearn.utils import get_tags

from honeybayes import (
    HiddenNB,
    ModelFileError,
    NoPathWarning,
    TextClassifier,
    load_model,
    save_model,
)
from honeybayes.text import TermSelector, TextAnalyzer, TextEncoder
from tests.encoders import WordHasher
from tests.estimators import instances

SECONDS_PER_FILE = 30  # a file that takes longer is a hang
EXTRA_BYTES = 2**28  # a file that needs more memory is a huge allocation

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
    """Fit one of each estimator of honeybayes, and pipelines of scikit-learn's, to texts."""
    models: list[Any] = []
    for estimator in {type(each): each for each in reversed(instances())}.values():
        if get_tags(estimator).input_tags.two_d_array:
            estimator = make_pipeline(CountVectorizer(analyzer=TextAnalyzer()), estimator)
        models.append(estimator)
    models += [
        make_pipeline(CountVectorizer(), TermSelector(n_terms=8), HiddenNB(rule="one-vs-rest")),
        make_pipeline(TfidfVectorizer(max_features=12), SelectKBest(chi2, k=6), ComplementNB()),
        make_pipeline(CountVectorizer(stop_words=["the"]), TfidfTransformer(), LinearSVC()),
        make_pipeline(TfidfVectorizer(), TruncatedSVD(3, random_state=0), LogisticRegression()),
        make_pipeline(CountVectorizer(ngram_range=(1, 2)), Normalizer(), MultinomialNB()),
        make_pipeline(CountVectorizer(dtype=np.float32), BernoulliNB()),
        make_pipeline(CountVectorizer(), SVC(kernel="poly", degree=2)),
        make_pipeline(TfidfVectorizer(), TruncatedSVD(3, random_state=0), SVC()),
        make_pipeline(CountVectorizer(), OneVsOneClassifier(SVC(kernel="linear"))),
        TextClassifier(n_terms=10),
        TextClassifier(n_terms=10, encoder=TextEncoder(WordHasher(), cache=False)),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPathWarning)
        for model in models:
            model.fit(TEXTS, LABELS if is_classifier(model) else TWO_LABELS)
    return models


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
ODD_JSON = ["", "null", "-1", "0", "7", "1e999", "NaN", '"x"', "[1]", "{}", "true", "9" * 5000]
ODD_JSON += [json.dumps(text) for text in ("[]", '["x"]', "[1, null]", "[" * 100_000, '{"x": 1}')]
ODD_NAMES = [
    ("os", "system"),
    ("builtins", "eval"),
    ("numpy", "load"),
    ("numpy", "ndarray"),
    ("numpy", "float64"),
    ("builtins", "dict"),
    ("sklearn.svm._classes", "SVC"),
    ("sklearn.tree._tree", "Tree"),
    ("honeybayes.bayes.count", "CountNB"),
    ("honeybayes.bayes.hidden", "HiddenNB"),
    ("sklearn.feature_extraction.text", "TfidfTransformer"),
    ("scipy.sparse._csr", "csr_matrix"),
]
ODD_LOADERS = [
    "CachedNode",
    "DictNode",
    "FunctionNode",
    "JsonNode",
    "ListNode",
    "MethodNode",
    "NdArrayNode",
    "ObjectNode",
    "PartialNode",
    "RandomStateNode",
    "SparseMatrixNode",
    "TypeNode",
]
ODD_NUMBERS = [np.nan, np.inf, -np.inf, -1, 0, 1, 2**31, 2**62, -(2**62), 1e-320, 1e308]
ODD_TYPES = ["f4", "f2", ">f8", "i8", "i2", "u1", "?", "U3", "S3", "c16", "M8[s]", "f16"]
ODD_SHAPES = [(), (0,), (10**15,), (2**40, 2**40), (-1,), (0, 10**15), (3, 3, 3, 3)]


def pick(rng: np.random.Generator, options: Any) -> Any:
    return options[rng.integers(len(options))]


def slots(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every slot of a JSON tree, as a container and a key."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from slots(tree[key])


def nodes(schema: dict[str, Any], loader: str | None = None) -> list[dict[str, Any]]:
    found = [schema, *(tree[key] for tree, key in slots(schema) if isinstance(tree[key], dict))]
    return [node for node in found if "__loader__" in node and loader in (None, node["__loader__"])]


def change_schema(members: Members, rng: np.random.Generator) -> None:
    schema = json.loads(members["schema.json"])
    tree, key = pick(rng, list(slots(schema)))
    node = pick(rng, nodes(schema))
    match rng.integers(8):
        case 0:
            tree[key] = pick(rng, ODD_VALUES)
        case 1:
            del tree[key]
        case 2:
            other, other_key = pick(rng, list(slots(schema)))
            tree[key] = json.loads(json.dumps(other[other_key]))
        case 3:
            node["__module__"], node["__class__"] = pick(rng, ODD_NAMES)
        case 4:
            node["__loader__"] = pick(rng, ODD_LOADERS)
        case 5:
            pick(rng, nodes(schema, "JsonNode"))["content"] = pick(rng, ODD_JSON)
        case 6:
            wrap = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode"}
            for _ in range(pick(rng, [3, 80, 300])):
                inner = dict(node)
                node.clear()
                node.update(wrap, content=[inner])
        case _:  # each level twice the one below: 2^60 objects, if references were followed
            level: dict[str, Any] = {**node, "__id__": 1}
            for number in range(2, 60):
                below = [level, {**level, "content": []}]
                level = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode"}
                level |= {"content": below, "__id__": number}
            node.clear()
            node.update(level)
    members["schema.json"] = json.dumps(schema).encode()


def change_array(npy: bytes, rng: np.random.Generator) -> bytes:
    """Change the header, the values, the shape or the type of an array."""
    array = np.load(io.BytesIO(npy))
    match rng.integers(6):
        case 0:  # the header alone
            header = np.lib.format.header_data_from_array_1_0(array)
            if rng.integers(2):
                header["shape"] = pick(rng, [*ODD_SHAPES, tuple(n + 1 for n in array.shape)])
            else:
                header["descr"] = pick(rng, ["<f4", ">f8", "|O", "<U9", "<i8", "|V8", "|b1"])
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
        return change_schema(members, rng)
    name = pick(rng, names)
    if rng.integers(8) == 0:
        other = pick(rng, names)
        members[name], members[other] = members[other], members[name]
    else:
        members[name] = change_array(members[name], rng)
    return None


def change_sparse(members: Members, rng: np.random.Generator) -> None:
    """Change the indices or another array of a sparse matrix."""
    names = [name for name in members if name.endswith(".npz")]
    if not names:
        return change_arrays(members, rng)
    inner = unpack(members[names[0]])
    arrays = {name: np.load(io.BytesIO(content)) for name, content in inner.items()}
    match rng.integers(5):
        case 0:
            target = pick(rng, ["indices.npy", "indptr.npy"])
            arrays[target][rng.integers(len(arrays[target]))] = pick(rng, [-1, 5, 10**6, 2**31 - 1])
        case 1:
            arrays["shape.npy"][rng.integers(2)] = pick(rng, [0, 1, -5, 10**6, 2**62])
        case 2:
            arrays["format.npy"] = np.array(pick(rng, [b"csr", b"coo", b"bsr", b"dia", b"xyz"]))
        case 3:
            del arrays[pick(rng, list(arrays))]
        case _:
            name = pick(rng, list(inner))
            inner[name] = change_array(inner[name], rng)
            members[names[0]] = pack(inner)
            return None
    members[names[0]] = pack({name: to_npy(array) for name, array in arrays.items()})
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
            about["format"] = pick(rng, [1, 3, 99, 0, -1, "2", None, 1.5])
            members["honeybayes.json"] = json.dumps(about).encode()
        case _:
            about["honeybayes"] = pick(rng, ["99.0", None, 1, "x" * 10**5])
            members["honeybayes.json"] = json.dumps(about).encode()


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


def change_inside(content: bytes, rng: np.random.Generator) -> bytes:
    members = unpack(content)
    kinds = [
        change_schema,
        change_schema,
        change_arrays,
        change_arrays,
        change_sparse,
        change_archive,
    ]
    pick(rng, kinds)(members, rng)
    if rng.integers(20):
        return pack(members)
    bomb = {**members, "bomb.npy": bytes(2**26)} if rng.integers(2) else members
    return pack(bomb, ZIP_DEFLATED)


# --- children -------------------------------------------------------------------------------------


def work(folder: Path, seed: int, first: int, last: int) -> None:
    """Break, load and use the files with these numbers; print one line per file."""
    originals = [path.read_bytes() for path in sorted(folder.glob("*.hb"))]
    for path in sorted(folder.glob("*.hb")):
        use(load(path))  # imports and compiles everything before the limit is set
    limit = virtual_bytes() + EXTRA_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    warnings.simplefilter("ignore")
    broken = folder / f"broken-{first}"
    for number in range(first, last):
        rng = np.random.default_rng([seed, number])
        kind, change = (("bytes", break_bytes), ("inside", change_inside))[number % 2]
        broken.write_bytes(change(originals[number // 2 % len(originals)], rng))
        signal.alarm(SECONDS_PER_FILE)
        start = time.perf_counter()
        outcome, detail = try_out(broken)
        took = time.perf_counter() - start
        signal.alarm(0)
        print(json.dumps([number, kind, outcome, detail, took]), flush=True)


def try_out(path: Path) -> tuple[str, str]:
    try:
        model = load(path)
    except ModelFileError as error:
        short_of_memory = isinstance(error.__cause__, MemoryError)
        return ("huge allocation" if short_of_memory else "refused"), str(error).split(": ", 1)[1]
    except Exception as error:
        return "unclear error", repr(error)
    try:
        use(model)
    except Exception as error:
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
    documents: Any = [*TEXTS, "", "words never seen"]
    if hasattr(model, "n_features_in_"):  # the step that reads texts is gone
        documents = sparse.eye_array(len(documents), model.n_features_in_, format="csr")
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            answers = getattr(model, method)(documents)
            n_answers = len(answers) if isinstance(answers, list) else answers.shape[0]
            if n_answers != len(TEXTS) + 2:
                raise ValueError(f"{method} gives {n_answers} answers")


def virtual_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


# --- the whole run --------------------------------------------------------------------------------


def run(n_files: int, seed: int, n_children: int = 2) -> list[tuple[str, str, str, float]]:
    """Try files in child processes; return kind, outcome, detail and seconds per file."""
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, model in enumerate(fitted_models()):
            save_model(model, folder / f"{number}.hb")
        share = math.ceil(n_files / n_children)
        ranges = [(k, min(k + share, n_files)) for k in range(0, n_files, share)]
        children = [start_child(folder, seed, first, last) for first, last in ranges]
        while children:
            first, last, child = children.pop()
            lines, errors = child.communicate()
            done = [json.loads(line) for line in lines.splitlines()]
            results += [(kind, outcome, detail, took) for _, kind, outcome, detail, took in done]
            reached = first + len(done)
            if reached < last:  # the child died of this file
                if child.returncode >= 0:
                    raise RuntimeError(f"the child for files {first} to {last} failed: {errors}")
                kind = ("bytes", "inside")[reached % 2]
                death = "hang" if child.returncode == -signal.SIGALRM else "crash"
                results.append((kind, death, f"file {reached}: {errors[-300:]}", 0.0))
                if reached + 1 < last:
                    children.append(start_child(folder, seed, reached + 1, last))
    return results


def start_child(
    folder: Path, seed: int, first: int, last: int
) -> tuple[int, int, "subprocess.Popen[str]"]:
    arguments = ["--work", str(folder), "--seed", seed, "--first", first, "--files", last]
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.fuzz_files", *map(str, arguments)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return first, last, child


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=2000, help="how many files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the message of each file")
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.work, options.seed, options.first, options.files)
    results = run(options.files, options.seed)
    for kind in ("bytes", "inside"):
        print(kind, dict(Counter(outcome for each, outcome, *_ in results if each == kind)))
    print("slowest file:", round(max(took for *_, took in results), 2), "s")
    for kind, outcome, detail, _ in results:
        if options.show or outcome not in ("refused", "working"):
            print(kind, outcome, detail)
    return None


if __name__ == "__main__":
    main()
