"""The palette, measured: contrast by WCAG 2, color blindness by Machado et al. (2009)."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import honeybayes
from honeybayes.charts.page_chart import NEUTRAL, SERIES

PAPERS = {0: ("#ffffff", "#faf9f6"), 1: ("#141618", "#1c1f22")}  # light, dark
VISIONS = {
    "usual": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(color):
    parts = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, two):
    low, high = sorted(float(TO_XYZ[1] @ linear(color)) for color in (one, two))
    return (high + 0.05) / (low + 0.05)


def lab(parts):
    ratios = TO_XYZ @ np.clip(parts, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_lines_stand_out_from_the_paper(theme):
    for color in [*(pair[theme] for pair in SERIES), NEUTRAL[theme]]:
        assert min(contrast(color, paper) for paper in PAPERS[theme]) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISIONS)
def test_no_two_lines_look_alike(theme, vision):
    seen = [lab(np.array(VISIONS[vision]) @ linear(pair[theme])) for pair in SERIES]
    distances = [float(np.linalg.norm(one - two)) for one, two in combinations(seen, 2)]
    assert min(distances) >= 15  # 2.3 is just noticeable


def test_report_and_labeling_page_have_the_same_colors():
    source = Path(honeybayes.__file__).parent
    themes = []
    for path in ("page/static/page.css", "report/templates/page.css"):
        css = (source / path).read_text(encoding="utf-8")
        parts = re.findall(r":root \{(.*?)\}\s", css.replace("{%", "").replace("%}", ""), re.DOTALL)
        themes.append([dict(re.findall(r"--([a-z-]+): (#\w+);", part)) for part in parts[:2]])
    page, report = themes
    for own, other in zip(page, report, strict=True):
        assert own.keys() & other.keys() >= {"paper", "card", "ink", "soft", "line", "accent"}
        assert {name: own[name] for name in own.keys() & other.keys()} == {
            name: other[name] for name in own.keys() & other.keys()
        }
