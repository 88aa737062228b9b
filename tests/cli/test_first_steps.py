"""What people meet who try the command line on a table of their own."""

import pytest

MAIL = """body,queue
My parcel is late,delivery
Where is my parcel?,delivery
The courier lost my parcel,delivery
No parcel came,delivery
I was charged twice,billing
Wrong charge on my card,billing
A refund for the double charge,billing
The card was charged again,billing
"""
T = "--text body --label queue"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mail.csv").write_text(MAIL, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", [r"'\t'", "tab"])
def test_a_tab_can_be_typed(folder, works, fails, name):
    (folder / "tabs.csv").write_text(MAIL.replace(",", "\t"), encoding="utf-8")
    assert r"say --delimiter '\t'" in fails(f"fit tabs.csv {T} -o own.hb")
    works(f"fit tabs.csv {T} --delimiter {name} -m CNB -o own.hb")
    assert works(f"predict own.hb tabs.csv --text body --delimiter {name}").count("\t") == 27


@pytest.mark.parametrize("command", ["fit -m CNB -o own.hb", "compare --models CNB --labels 2"])
def test_a_language_without_stop_words_keeps_every_word(folder, run, command):
    command, options = command.split(maxsplit=1)
    done = run(f"{command} mail.csv {T} {options} --language german")
    assert done.returncode == 0
    assert done.stderr == (
        "honeybayes: warning: Every word is kept, for there is no list of stop words for german.\n"
    )


def test_a_language_may_be_meant_by_its_code(folder, fails):
    assert "Did you mean 'german'?" in fails(f"compare mail.csv {T} --language de-AT")
    assert "Did you mean 'german'?" in fails(f"fit mail.csv {T} -o own.hb --language Germn")


def test_compare_takes_the_settings_of_fit_and_the_report_shows_them(folder, works):
    pytest.importorskip("matplotlib", reason="wants matplotlib (extra: report)")
    settings = "--no-stop-words --no-stem --min-df 2 --n-terms 3"
    compare = f"compare mail.csv {T} --models CNB --labels 2 --draws 2 --json"
    assert works(f"{compare} {settings} --report report.html") != works(compare)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert f"{settings} -o model.hb" in page
    assert "stop_words=False, stem=False, min_df=2, n_terms=3)" in page


def test_compare_tells_once_what_is_amiss(folder, run, fails):
    (folder / "mail.csv").write_text(MAIL + "Never again,complaint\n" * 3, encoding="utf-8")
    assert "Did you mean" in fails(f"compare mail.csv {T} --models CBN")  # and nothing else
    told = run(f"compare mail.csv {T} --models HONB --draws 4").stderr.splitlines()
    rows = "'complaint' has only 3 labeled rows: at most 1 to train on, the others to test."
    assert told[0] == f"honeybayes: warning: {rows}"
    assert any("No path of order 2" in line for line in told)
    assert len(set(told)) == len(told)
