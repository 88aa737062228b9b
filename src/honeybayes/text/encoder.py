"""TextEncoder: vectors of texts from an encoder of another library, remembered on disk.

One SQLite file per encoder maps digests of texts to vectors; the texts are not stored. SQLite
writes in transactions, so no reader sees half a vector. A cache may be deleted at any time:
whatever goes wrong with it, the texts are encoded again.
"""

import sqlite3
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from copy import copy
from dataclasses import field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from honeybayes.text import _load_encoder as load
from honeybayes.utils.labels import is_auto
from honeybayes.utils.parameters import documented, estimator
from honeybayes.utils.state import Array, Bool, Integer, Kind, Sizes, State
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import Flag, FromOne, TextInputMixin
from honeybayes.utils.writing import cache_folder

MOST_BYTES = 2**30  # of one file: 700,000 vectors of 384 numbers
MOST_ASKED = 500  # vectors in one query; SQLite allows 999 or more
SECONDS_TO_WAIT = 10  # for another process that writes
ROUNDING = 1e-3  # of the length of a stored vector

_on_batch: ContextVar[Callable[[int, int], None] | None] = ContextVar("on_batch", default=None)


@contextmanager
def watch_encoding(on_batch: Callable[[int, int], None]) -> Iterator[None]:
    """Call a function after each batch, with the numbers of encoded and of new texts."""
    token = _on_batch.set(on_batch)
    try:
        yield
    finally:
        _on_batch.reset(token)


@documented
class SharedEncoderMixin:
    """An estimator with a parameter ``encoder``, which is neither copied nor written to files.

    A clone shares the encoder, which may need gigabytes. A model file holds its name only, and
    `load_model` calls `attach_encoder`.
    """

    encoder: Any

    def attach_encoder(self, encoder: Any) -> None:
        """Set the encoder of a model that was loaded from a file.

        Parameters
        ----------
        encoder : str, function or object with a method encode
            The encoder that the model was fitted with.
        """
        if isinstance(self.encoder, TextEncoder):  # its settings stay
            self.encoder.attach_encoder(encoder)
        elif self.encoder is not None and not is_auto(self.encoder):  # "auto" finds one in `fit`
            self.encoder = encoder

    def attributes_to_save(self) -> dict[str, Any]:
        """Return the attributes that a model file holds."""
        saved = {name: value for name, value in vars(self).items() if name != "encoder_"}
        if self.encoder is not None and not isinstance(self.encoder, TextEncoder):
            saved["encoder"] = load.encoder_name(self.encoder)
        return saved

    def __sklearn_clone__(self) -> Self:
        without = copy(self)
        without.encoder = None
        cloned = BaseEstimator.__sklearn_clone__(without)
        cloned.encoder = self.encoder
        return cloned


class _Encoder(Kind):
    """A function or an object with a method ``encode``. It is not in model files."""

    def _check(self, value: Any, sizes: Sizes) -> None:
        load.check_encoder(value)


@estimator
class TextEncoder(SharedEncoderMixin, TextInputMixin, TransformerMixin, BaseEstimator):
    """Turn texts into vectors of length 1 with an encoder, and remember them on disk.

    Parameters
    ----------
    encoder : str, function or object with a method encode
        An object with ``encode(list of str)``, or a function; it returns one vector per text, which
        must not depend on the other texts. "multilingual" is the encoder of the extra ``vectors``;
        any other string is the name of a model of sentence-transformers or model2vec, whichever is
        installed.
    batch_size : int, default=250
        Number of texts that the encoder gets at once. The vectors of each batch are stored before
        the next one starts.
    cache : bool, default=True
        Store the vectors, with digests of the texts, in the folder that the environment variable
        HONEYBAYES_CACHE names, or else in the platform's folder for caches. The vectors of one
        encoder take up to 1 GB; then the older half is deleted.

    Attributes
    ----------
    encoder_ : function or object with a method encode
        The encoder, loaded.
    probes_ : ndarray of shape (n_probes, n_dense)
        Vectors of a few fixed texts, by which the encoder is recognized.

    Notes
    -----
    The vector of a text without any letter or sign is zero. "multilingual" reads the first 1,000
    characters of a text.

    The cache recognizes an encoder by its name and by the vectors of a few fixed texts. If you
    change a function without changing these, use ``cache=False`` or delete the folder.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.text import TextEncoder
    >>> def count_letters(texts):
    ...     return [[text.count("a"), text.count("e")] for text in texts]
    >>> TextEncoder(count_letters, cache=False).fit_transform(["a sea", "green trees", ""])
    array([[0.8944272, 0.4472136],
           [0.       , 1.       ],
           [0.       , 0.       ]], dtype=float32)
    """

    encoder: Any = field(kw_only=False)
    batch_size: FromOne = 250
    cache: Flag = True

    fitted_attributes = State(
        probes_=Array(("probes", "dense"), ("float32",)),
        _batch_size=Integer(1),
        _cache=Bool(),
        encoder_=_Encoder(optional=True),
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Load the encoder, and ask it for the vectors of a few fixed texts.

        Parameters
        ----------
        X : iterable of str
            The texts. They are checked only: an encoder is already trained.
        """
        check_texts(X)
        self._check_parameters()
        loaded = load.load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder
        self.probes_ = load.encode_probes(loaded)
        self._batch_size, self._cache, self.encoder_ = self.batch_size, self.cache, loaded
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Load the encoder, and return the vectors of texts.

        Returns
        -------
        ndarray of float32, shape (n_samples, n_dense)
        """
        texts = check_texts(X)
        return self.fit(texts).transform(texts)

    def transform(self, X: Any) -> np.ndarray:
        """Return the vectors of texts.

        Returns
        -------
        ndarray of float32, shape (n_samples, n_dense)
        """
        check_is_fitted(self)
        texts = check_texts(X)
        known = self._encode(dict.fromkeys(text for text in texts if text.strip()))
        empty = np.zeros(self.probes_.shape[1], dtype=np.float32)
        return np.stack([known.get(text, empty) for text in texts])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return a name for each number of a vector."""
        check_is_fitted(self)
        return np.array([f"vector{i}" for i in range(self.probes_.shape[1])], dtype=object)

    def attach_encoder(self, encoder: Any) -> None:
        """Set the encoder of a transformer that was loaded from a file. Another one is refused."""
        load.check_encoder(encoder)
        if hasattr(self, "probes_"):
            loaded = load.load_encoder(encoder) if isinstance(encoder, str) else encoder
            load.check_same_encoder(loaded, self.probes_)
            self.encoder_ = loaded
        self.encoder = encoder

    def _encode(self, texts: dict[str, None]) -> dict[str, np.ndarray]:
        """Return the vector of each text, from the cache or from the encoder."""
        if not hasattr(self, "encoder_"):
            raise ValueError("The encoder is missing. Call attach_encoder with it first.")
        width = self.probes_.shape[1]
        name = load.identity(self.encoder_, self.probes_)
        cache = VectorCache(name, width) if self._cache else None
        known = cache.read(texts) if cache else {}
        new = [text for text in texts if text not in known]
        for start in range(0, len(new), self._batch_size):
            batch = new[start : start + self._batch_size]
            vectors = dict(zip(batch, load.encode_texts(self.encoder_, batch, width), strict=True))
            if cache:
                cache.write(vectors)
            known |= vectors
            if (on_batch := _on_batch.get()) is not None:
                on_batch(start + len(batch), len(new))
        return known

    def _check_parameters(self) -> None:
        super()._check_parameters()
        load.check_encoder(self.encoder)

    def _check_state(self) -> None:
        length = np.linalg.norm(self.probes_.astype(np.float64), axis=1)
        is_unit = (np.abs(length - 1) < ROUNDING) | (length == 0)
        if len(length) != len(load.PROBES) or not is_unit.all():
            raise ValueError(f"probes_ does not hold {len(load.PROBES)} vectors of length 1")


def make_encoder(encoder: Any, texts: Iterable[str] | None = None) -> TextEncoder | None:
    """Return a new transformer for an encoder; None for None.

    For "auto" too if there is none, or none that can read ``texts``.
    """
    used = load.find_encoder(texts) if is_auto(encoder) else encoder
    if used is None:
        return None
    return clone(used) if isinstance(used, TextEncoder) else TextEncoder(used)


class VectorCache:
    """The stored vectors of one encoder: ``width`` numbers of float32, of length 1 or 0."""

    def __init__(self, name: str, width: int) -> None:
        self.path = Path(cache_folder(), "vectors", f"{name}.sqlite")
        self.width = width

    def read(self, texts: Collection[str]) -> dict[str, np.ndarray]:
        """Return the vectors of those texts that are stored and intact."""
        by_digest = {_digest(text): text for text in texts}
        asked, rows = list(by_digest), []
        with suppress(sqlite3.Error, OSError):
            if not self.path.exists():
                return {}
            with self._open() as database:
                for start in range(0, len(asked), MOST_ASKED):
                    some = asked[start : start + MOST_ASKED]
                    marks = ",".join("?" * len(some))
                    query = f"SELECT digest, vector FROM vectors WHERE digest IN ({marks})"
                    rows += database.execute(query, some).fetchall()
        # not those that cannot be what was written
        size = 4 * self.width
        usable = [(d, v) for d, v in rows if isinstance(v, bytes) and len(v) == size]
        found = np.frombuffer(b"".join(v for _, v in usable), np.float32).reshape(-1, self.width)
        with np.errstate(over="ignore", invalid="ignore"):
            length = np.sqrt(np.einsum("ij,ij->i", found, found))
        is_intact = (np.abs(length - 1) < ROUNDING) | (length == 0)
        known = zip(usable, found, is_intact, strict=True)
        return {by_digest[digest]: vector for (digest, _), vector, intact in known if intact}

    def write(self, vectors: dict[str, np.ndarray]) -> None:
        """Store vectors; if the file becomes too large, the older half is deleted."""
        rows = [(_digest(text), vector.tobytes()) for text, vector in vectors.items()]
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._open() as database, database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                sizes = ("page_count", "freelist_count", "page_size")
                pragmas = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in sizes)
                pages, free, size = pragmas
                if (pages - free) * size > MOST_BYTES:
                    oldest = "(SELECT (min(rowid) + max(rowid)) / 2 FROM vectors)"
                    database.execute(f"DELETE FROM vectors WHERE rowid <= {oldest}")
        except (sqlite3.Error, OSError) as error:
            warnings.warn(
                f"The vectors of {len(rows)} texts could not be stored in {self.path} ({error}). "
                "Make room there, set HONEYBAYES_CACHE to another folder, "
                "or use TextEncoder(..., cache=False).",
                UserWarning,
                stacklevel=3,
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file; one that is corrupt is deleted."""
        try:
            with closing(sqlite3.connect(self.path, timeout=SECONDS_TO_WAIT)) as database:
                columns = "digest BLOB PRIMARY KEY, vector BLOB"
                database.execute(f"CREATE TABLE IF NOT EXISTS vectors ({columns})")
                yield database
        except sqlite3.DatabaseError as error:
            # its subclasses mean a locked file or a full disk, which pass
            if type(error) is sqlite3.DatabaseError:
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)
            raise


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
