"""TextEncoder: vectors of unit length, hostile encoders, and the cache."""

import sqlite3
import sys
import types
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from honeybayes.text import TextEncoder
from honeybayes.text._load_encoder import PROBES, load_encoder
from honeybayes.text.encoder import VectorCache
from tests.encoders import WIDTH, WordHasher, hash_words

TEXTS = ["late parcel", "wrong charge", "late parcel", " ", "İstanbul'da hava"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder."""
    monkeypatch.setenv("HONEYBAYES_CACHE", str(tmp_path))
    return tmp_path / "vectors"


def expected(texts):
    """Divide by the length, one text at a time."""
    rows = []
    for text in texts:
        (vector,) = hash_words([text])
        length = sum(x * x for x in vector) ** 0.5
        rows.append([x / length if length else 0.0 for x in vector])
    return np.array(rows)


# --- vectors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("encoder", [hash_words, WordHasher()], ids=["function", "object"])
def test_vectors_have_unit_length(encoder, cache, batch_size, folder):
    transformer = TextEncoder(encoder, cache=cache, batch_size=batch_size)
    for vectors in (transformer.fit_transform(TEXTS), transformer.fit(TEXTS).transform(TEXTS)):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, expected(TEXTS), atol=1e-6)
    assert len(transformer.get_feature_names_out()) == WIDTH
    assert folder.exists() == cache


def test_a_text_is_encoded_once_and_a_blank_one_never():
    encoder = WordHasher()
    transformer = TextEncoder(encoder, cache=False, batch_size=1).fit(TEXTS)
    encoder.encoded.clear()
    assert not transformer.transform(["", " \n"]).any()
    assert encoder.encoded == []
    transformer.transform(["b", "a", "b"])
    assert encoder.encoded == ["b", "a"]


@pytest.mark.parametrize("size", [1e-300, 1e-3, 1e200])
def test_any_scale(size):
    def scaled(texts):
        return size * hash_words(texts)

    vectors = TextEncoder(scaled, cache=False).fit_transform(TEXTS)
    np.testing.assert_allclose(vectors, expected(TEXTS), atol=1e-6)


def test_lists_and_integers_are_vectors():
    vectors = TextEncoder(lambda texts: [[3, len(text) and 4] for text in texts], cache=False)
    np.testing.assert_allclose(vectors.fit_transform(["a"]), [[0.6, 0.8]])


def test_parameters_are_frozen_and_clones_share_the_encoder():
    encoder = WordHasher()
    transformer = TextEncoder(encoder, cache=False).fit(TEXTS)
    before = transformer.transform(TEXTS)
    transformer.set_params(encoder=lambda texts: np.ones((len(texts), 2)))
    np.testing.assert_array_equal(transformer.transform(TEXTS), before)
    assert clone(TextEncoder(encoder)).encoder is encoder


# --- hostile encoders -----------------------------------------------------------------------------


class Moody:
    """Gives other vectors at each call."""

    def __init__(self):
        self.rng = np.random.default_rng(0)

    def encode(self, texts):
        return self.rng.normal(size=(len(texts), 4))


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (lambda texts: hash_words(texts)[0], r"for 5 texts it returned ndarray of shape \(16,\)"),
        (
            lambda texts: hash_words(texts)[:1],
            r"5 texts it returned ndarray of shape \(1, 16\)",
        ),
        (lambda texts: hash_words(texts)[None], r"returned ndarray of shape \(1, 5, 16\)"),
        (lambda texts: np.empty((len(texts), 0)), r"returned ndarray of shape \(5, 0\)"),
        (lambda texts: None, "returned NoneType"),
        (lambda texts: [[1.0], [1.0, 2.0]], r"returned list \("),
        (lambda texts: [["a"] for _ in texts], r"returned list \("),
        (lambda texts: sparse.csr_array(hash_words(texts)), "returned csr_array"),
        (lambda texts: np.full((len(texts), 2), np.nan), "'The parcel .* contains NaN"),
        (lambda texts: np.full((len(texts), 2), -np.inf), "contains NaN or infinity"),
        (lambda texts: hash_words(texts) - hash_words(texts).mean(axis=0), "another vector when"),
        (Moody(), "another vector when it is asked again"),
        ("none", r"use encoder=None \(--encoder none of `fit`\)"),
    ],
)
def test_wrong_answers_are_refused(encoder, message):
    with pytest.raises(ValueError, match=message):
        TextEncoder(encoder).fit(TEXTS)


def test_wrong_answers_after_fit_are_refused():
    class Later(WordHasher):
        change = staticmethod(lambda vectors: vectors)

        def encode(self, texts):
            return self.change(super().encode(texts))

    encoder = Later()
    transformer = TextEncoder(encoder, cache=False).fit(TEXTS)
    for change, message in [
        (lambda vectors: vectors[:, :3], "returned vectors of 3 numbers; before, they had 16"),
        (lambda vectors: vectors[1:], r"for 3 texts it returned ndarray of shape \(2, 16\)"),
        (lambda vectors: vectors * np.nan, "the vector of the text 'late parcel' contains NaN"),
    ]:
        encoder.change = change
        with pytest.raises(ValueError, match=message):
            transformer.transform(TEXTS)


def test_errors_of_the_encoder_reach_the_user():
    def fail(texts):
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        TextEncoder(fail).fit(TEXTS)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"encoder": None}, "encoder must be the name of a model, a function, or an object"),
        ({"encoder": " "}, "encoder must be"),
        ({"encoder": 3}, "got 3"),
        ({"encoder": WordHasher}, "got <class"),
        ({"encoder": hash_words, "cache": "yes"}, "cache must be True or False"),
        ({"encoder": hash_words, "batch_size": 0}, "batch_size must be an integer, 1 or more"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        TextEncoder(**parameters).fit(TEXTS)


# --- names ----------------------------------------------------------------------------------------


@pytest.fixture
def libraries(monkeypatch):
    """Return a function that installs stand-ins for the libraries, each with some models."""
    load_encoder.cache_clear()

    def install(**known):
        def loader(name, module):
            if name not in known[module]:
                raise OSError(f"{module} does not know {name}")
            return WordHasher()

        for module in ("sentence_transformers", "model2vec"):
            monkeypatch.setitem(sys.modules, module, None)
        if "sentence_transformers" in known:
            fake = types.ModuleType("sentence_transformers")
            fake.__spec__ = types.SimpleNamespace()
            fake.SentenceTransformer = lambda name: loader(name, "sentence_transformers")
            monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
        if "model2vec" in known:
            fake = types.ModuleType("model2vec")
            fake.__spec__ = types.SimpleNamespace()
            fake.StaticModel = types.SimpleNamespace(
                from_pretrained=lambda name: loader(name, "model2vec")
            )
            monkeypatch.setitem(sys.modules, "model2vec", fake)

    yield install
    load_encoder.cache_clear()


@pytest.mark.parametrize(
    "known",
    [
        {"sentence_transformers": ["mini"]},
        {"model2vec": ["mini"]},
        {"sentence_transformers": ["other"], "model2vec": ["mini"]},
    ],
)
def test_a_name_is_loaded_with_what_is_installed(known, libraries):
    libraries(**known)
    transformer = TextEncoder("mini", cache=False).fit(TEXTS)
    assert isinstance(transformer.encoder_, WordHasher)
    assert transformer.encoder == "mini"
    assert TextEncoder("mini", cache=False).fit(TEXTS).encoder_ is transformer.encoder_


def test_a_name_that_cannot_be_loaded(libraries):
    libraries()
    with pytest.raises(ImportError, match=r"pip install 'honeybayes\[encoders\]'"):
        TextEncoder("mini").fit(TEXTS)
    libraries(sentence_transformers=[], model2vec=[])
    with pytest.raises(
        ValueError, match=r"'mini' could not be loaded .*does not know.*; model2vec"
    ):
        TextEncoder("mini").fit(TEXTS)


# --- the cache ------------------------------------------------------------------------------------


def encoded_by(encoder, texts=TEXTS, **options):
    """Return the texts, apart from the probes, that the encoder gets for these texts."""
    transformer = TextEncoder(encoder, **options).fit(texts)
    encoder.encoded.clear()
    np.testing.assert_allclose(transformer.transform(texts), expected(texts), atol=1e-6)
    return list(encoder.encoded)


def test_stored_vectors_are_not_computed_again(folder):
    assert encoded_by(WordHasher(), batch_size=1) == [TEXTS[0], TEXTS[1], TEXTS[4]]
    assert encoded_by(WordHasher()) == []
    assert encoded_by(WordHasher(), [*TEXTS, "new"]) == ["new"]
    assert encoded_by(WordHasher(), cache=False) == [TEXTS[0], TEXTS[1], TEXTS[4]]
    (file,) = folder.iterdir()
    assert b"late parcel" not in file.read_bytes()  # digests, not texts
    assert folder.stat().st_mode & 0o077 == 0


def test_many_texts_are_found_at_once(folder):
    texts = [f"text number{i}" for i in range(1201)]
    encoded_by(WordHasher(), texts)
    assert encoded_by(WordHasher(), texts) == []


def test_several_threads_share_a_file(folder):
    texts = [f"text number{i}" for i in range(200)]
    transformer = TextEncoder(WordHasher(), batch_size=20).fit(texts)
    with ThreadPool(4) as pool:
        found = pool.map(transformer.transform, [texts, texts[::-1], texts[::2], texts[::3]])
    for vectors, some in zip(found, (texts, texts[::-1], texts[::2], texts[::3]), strict=True):
        np.testing.assert_allclose(vectors, expected(some), atol=1e-6)
    assert encoded_by(WordHasher(), texts) == []


def test_another_encoder_has_another_file(folder):
    encoded_by(WordHasher())

    class Other(WordHasher):
        def encode(self, texts):
            return -super().encode(texts)

    vectors = TextEncoder(Other()).fit_transform(TEXTS)
    np.testing.assert_allclose(vectors, -expected(TEXTS), atol=1e-6)
    assert len(list(folder.iterdir())) == 2


def only_file(folder):
    (file,) = folder.iterdir()
    return file


def no_database(folder):
    only_file(folder).write_bytes(b"no database " * 1000)


def cut_off(folder):
    file = only_file(folder)
    file.write_bytes(file.read_bytes()[:5000])


def empty(folder):
    only_file(folder).write_bytes(b"")


def is_a_folder(folder):
    file = only_file(folder)
    file.unlink()
    file.mkdir()


def vectors_of(content):
    def change(folder):
        with sqlite3.connect(only_file(folder)) as database:
            database.execute("UPDATE vectors SET vector = ?", (content,))
        database.close()

    return change


@pytest.mark.parametrize(
    "damage",
    [
        no_database,
        cut_off,
        empty,
        is_a_folder,
        vectors_of(b"short"),
        vectors_of(None),
        vectors_of("text"),
        vectors_of(np.full(WIDTH, np.nan, np.float32).tobytes()),
        vectors_of(np.full(WIDTH, 7, np.float32).tobytes()),
    ],
)
@pytest.mark.filterwarnings("ignore:The vectors of 3 texts could not be stored")
def test_damaged_files_are_a_reason_to_encode_again(damage, folder):
    encoded_by(WordHasher())
    damage(folder)
    assert encoded_by(WordHasher()) == [TEXTS[0], TEXTS[1], TEXTS[4]]
    if damage is not is_a_folder:
        encoded_by(WordHasher())  # a file that SQLite cannot open was deleted
        assert encoded_by(WordHasher()) == []


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HONEYBAYES_CACHE", str(tmp_path / "file"))
    with pytest.warns(UserWarning, match="could not be stored .*HONEYBAYES_CACHE"):
        assert len(encoded_by(WordHasher())) == 3


def test_a_full_disk(folder, monkeypatch):
    connect = sqlite3.connect

    def limited(*args, **options):
        database = connect(*args, **options)
        database.execute("PRAGMA max_page_count = 8")
        return database

    monkeypatch.setattr(sqlite3, "connect", limited)
    texts = [f"text number{i}" for i in range(1000)]
    with pytest.warns(UserWarning, match="database or disk is full"):
        assert len(encoded_by(WordHasher(), texts)) == 1000
    assert encoded_by(WordHasher()) == [TEXTS[0], TEXTS[1], TEXTS[4]]  # nothing half written
    assert encoded_by(WordHasher()) == []


def test_the_size_is_bounded(folder, monkeypatch):
    monkeypatch.setattr("honeybayes.text.encoder.MOST_BYTES", 2**16)
    cache, unit = VectorCache("some", WIDTH), np.zeros(WIDTH, np.float32)
    unit[0] = 1
    texts = [f"text number{i}" for i in range(4000)]
    for start in range(0, len(texts), 100):
        cache.write(dict.fromkeys(texts[start : start + 100], unit))
    assert only_file(folder).stat().st_size < 2**17
    kept = cache.read(texts)
    assert texts[-1] in kept
    assert texts[0] not in kept


def test_the_probes_are_those_in_files():
    """A change would refuse every encoder of every model file."""
    assert len(PROBES) == 5
    assert PROBES[0] == "The parcel arrived two days late."
