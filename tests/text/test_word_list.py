"""Lists of words for people: no characters beside the pairs that hold them, and no halves."""

import pytest

from honeybayes.text import list_words


@pytest.mark.parametrize(
    ("ranked", "listed"),
    [
        ("net network work parcel", "net network work parcel"),  # these are words
        ("用 学 视 电 制 网 作 电视", "用 学 电视 制 网 作"),
        ("电视 电 影 视", "电视 影"),
        ("歌 手 歌手 歌", "歌手"),
        ("ห้ วย ห้ว ว", "ห้ว วย"),  # a character with its mark
        ("颜色=红 颜色=红色", "颜色=红 颜色=红色"),  # records
        ("平方 方公 公里", "平方 方公 公里"),  # perhaps of different words
    ],
)
def test_parts_of_listed_words_are_left_out(ranked, listed):
    assert list_words(ranked.split(), 20) == listed.split()


def test_the_first_words_are_listed():
    assert list_words(["net", "work", "net", "workshop"], 2) == ["net", "work"]
    assert list_words(["歌", "节目", "手", "歌手", "比", "赛", "比赛"], 2) == ["歌手", "节目"]
    assert list_words([], 2) == []


@pytest.mark.parametrize(
    ("ranked", "texts", "listed"),
    [
        ("学技 科学 技术", ["科学技术进步"], "科学技术"),
        ("科学 技术 学技", ["科学技术进步"], "科学技术"),
        (
            "科学 学技 技术",
            ["科学", "科学家", "科学", "科学技术", "技术", "技术"],
            "科学 学技 技术",
        ),
        ("平方 方公 公里", ["公里的平方"], "平方 方公 公里"),
        ("กีฬ ฬา", ["กีฬา"], "กีฬา"),
        ("network workshop", ["networkshop"], "network workshop"),
    ],
)
def test_pairs_that_mostly_stand_together_are_one_word(ranked, texts, listed):
    assert list_words(ranked.split(), 20, texts) == listed.split()
