"""OpenDocument sheets, written by pandas."""

import pandas as pd
import pytest

from honeybayes.tables import read_corpus, read_table


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
