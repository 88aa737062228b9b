"""What reaches the terminal."""

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.utils.messages import Gate, exact, json_escapes, printable, printable_cell, ungated

ANY = st.text(st.characters(exclude_categories=["Cs"]))
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def controls(text):
    """Return the control characters of a text, by the tables of Unicode."""
    return {
        each
        for each in text
        if unicodedata.category(each) in ("Cc", "Zl", "Zp")
        or unicodedata.bidirectional(each) in BIDI
    }


@given(ANY)
def test_no_control_character_is_left(text):
    assert controls(printable(text)) <= {"\t", "\n"}
    assert not controls(printable_cell(text))


def test_every_control_character_is_escaped():
    everything = "".join(map(chr, range(0xD800)))
    assert controls(printable(everything)) == {"\t", "\n"}
    assert set(everything) - controls(everything) <= set(printable(everything))


@given(ANY)
def test_json_says_the_same(text):
    written = json_escapes(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert not controls(written)


def test_a_gate_passes_on_what_is_harmless():
    stream = io.StringIO()
    gate = Gate(stream, "standard output")
    print("café\ttea", "\x1b[2J\r", file=gate, flush=True)
    gate.writelines(["a\x07", "b\n"])
    exact(gate).write("\x1b")
    ungated(gate).write("\x9b")
    assert stream.getvalue() == "café\ttea \\x1b[2J\\r\na\\x07b\n\x1b\x9b"
    assert (ungated(stream), exact(stream)) == (stream, stream)
    assert gate.isatty() is False  # everything else is the stream's


@pytest.mark.parametrize("do", [lambda gate: gate.write("a"), lambda gate: gate.flush()])
def test_an_error_of_a_gate_has_a_name(do):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(28, "No space left on device")

        def flush(self):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="standard output"):
        do(Gate(Full(), "standard output"))
