"""OpenDocument sheets, written by pandas."""

import sys

import pandas as pd
import pytest

from honeybayes.tables import read_corpus, read_table


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "odf", None)
    (tmp_path / "mail.ods").write_bytes(b"PK\x03\x04")
    with pytest.raises(ImportError, match=r"pip install 'honeybayes\[ods\]'"):
        read_table(tmp_path / "mail.ods")


def test_cells_come_back_as_texts(tmp_path):
    pytest.importorskip("odf", reason="needs odfpy")
    path = tmp_path / "mail.ods"
    frame = pd.DataFrame({"id": ["007", "8"], "n": [1, 2], "text": ["late", "NA"]})
    with pd.ExcelWriter(path, engine="odf") as writer:
        frame.to_excel(writer, sheet_name="First", index=False)
        frame.rename(columns={"id": "label"}).to_excel(writer, sheet_name="Other", index=False)
    found = read_table(path)
    assert found.to_numpy().tolist() == [["007", "1", "late"], ["8", "2", "NA"]]
    assert found.index.tolist() == [2, 3]
    assert read_corpus(path, sheet="Other").labels.tolist() == ["007", "8"]
    with pytest.raises(ValueError, match=r"there is no sheet 'Third'. The sheets are: 'First'"):
        read_table(path, sheet="Third")
