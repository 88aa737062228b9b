"""Rows keep the numbers that they have in the table, also after empty ones are left out."""

import pytest

from honeybayes.cli._input import Input

TABLE = "text,label\nparcel late,delivery\n,billing\ncharged twice,Billing\nno parcel,delivery\n"


@pytest.mark.filterwarnings("ignore:.*no text and is left out")
def test_rows_without_a_text_are_left_out_but_counted(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text(TABLE, encoding="utf-8")
    for fold_case in (False, True):
        corpus = Input(reading={"fold_case": fold_case}).read_labeled(str(path))
        assert corpus.rows.tolist() == [0, 2, 3]
        assert corpus.documents[1] == "charged twice"
    pooled = corpus.add_pool(["another text"])
    assert pooled.rows.tolist() == [0, 2, 3, -1]  # it is not in the table
