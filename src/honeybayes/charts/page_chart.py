"""Charts as numbers from 0 to 100, which a template draws without fixed sizes.

The letters of a chart are HTML, so they have the same size on every screen, and the colors are
variables, so a chart follows the light and the dark theme.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)  # between two lines of the grid
MOST_TICKS = 6
GAP = 9.0  # smallest distance of two badges, in percent of the height
# For each series, a color for light paper and one for dark paper, by falling importance. Both have
# a contrast of at least 3 to 1, and no two look alike with a color-vision deficiency.
SERIES = (
    ("#00598c", "#7cc0ec"),
    ("#db6f0f", "#e08e2c"),
    ("#05a259", "#3fa56a"),
    ("#b55d7f", "#e0569f"),
    ("#6d4917", "#f0e08a"),
    ("#815fdf", "#a585ff"),
)
NEUTRAL = ("#76797d", "#8d9196")  # what is there for comparison only
COLORS = tuple(light for light, _ in SERIES)  # pictures are drawn for light paper
MARKERS = "osD^vPX"  # they tell series apart without color


class Tick(NamedTuple):
    """A mark on an axis: its position in percent, and its text."""

    at: float
    text: str


class Series(NamedTuple):
    """A line, dots or both of one color; ``path`` and ``band``, the area around it, are SVG."""

    path: str
    dots: list[tuple[float, float, float]]  # from the left, from the top, and the width in rem
    color: str
    is_dashed: bool
    badge: Tick | None  # a short name at the right end of the line
    band: str


@dataclass
class Chart:
    """A chart whose y axis, from ``low`` to ``high``, is a share that is shown in percent."""

    x_title: str
    y_title: str
    description: str  # for those who do not see it
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    is_log: bool = False  # the x axis
    ticks: Iterable[tuple[float, str]] = ()  # numbers on the x axis, and their texts
    series: list[Series] = field(default_factory=list)

    def x(self, value: float) -> float:
        """Return the position of a number, in percent from the left."""
        left, right = self.x_range
        if self.is_log:
            left, right, value = map(math.log, (left, right, value))
        return 50.0 if right == left else round(100 * (value - left) / (right - left), 2)

    def y(self, value: float) -> float:
        """Return the position of a share, in percent from the top."""
        low, high = self.y_range
        return round(100 * (high - value) / (high - low), 2)

    @property
    def y_ticks(self) -> list[Tick]:
        """The lines of the grid."""
        low, high = self.y_range
        step = _step(low, high)
        values = [low + step * number for number in range(round((high - low) / step) + 1)]
        return [Tick(self.y(value), f"{100 * value:.0f}") for value in values]

    def add(
        self,
        points: Iterable[tuple[float, float]],
        rank: int | None,
        *,
        dots: bool | Sequence[float] = False,
        line: bool = True,
        is_dashed: bool = False,
        badge: str = "",
        band: Iterable[tuple[float, float, float]] = (),
    ) -> None:
        """Add a line, dots or both, in the color of a rank; None is for comparison only."""
        placed = [(self.x(x), self.y(y)) for x, y in points]
        widths = list(dots) if isinstance(dots, Sequence) else [0.5] * (len(placed) * dots)
        area, (lowest, highest) = list(band), self.y_range
        outline = [(self.x(x), self.y(max(low, lowest))) for x, low, _ in area]
        outline += [(self.x(x), self.y(min(high, highest))) for x, _, high in reversed(area)]
        self.series.append(
            Series(
                path=_path(placed) if line and len(placed) > 1 else "",
                dots=[(*at, width) for at, width in zip(placed, widths, strict=False)],
                color=color_name(rank),
                is_dashed=is_dashed,
                badge=Tick(placed[-1][1], badge) if badge else None,
                band=_path(outline) + "Z" if len(area) > 1 else "",
            )
        )

    @property
    def badges(self) -> list[tuple[Tick, str]]:
        """The badges and their colors, moved apart where they would cover each other."""
        found = [(each.badge, each.color) for each in self.series if each.badge is not None]
        found.sort(key=lambda pair: (pair[0].at, len(pair[0].text), pair[0].text))
        places: list[float] = []
        for badge, _ in found:
            places.append(max([badge.at, *(last + GAP for last in places[-1:])]))
        lowest = 100.0  # none is below the axis
        for number in reversed(range(len(places))):
            places[number] = min(places[number], lowest)
            lowest = places[number] - GAP
        moved = zip(found, places, strict=True)
        return [(badge._replace(at=round(at, 2)), color) for (badge, color), at in moved]


def round_range(values: Iterable[float]) -> tuple[float, float]:
    """Return round ends of a y axis that contain all values."""
    known = [value for value in values if not math.isnan(value)]
    low, high = max(0.0, min(known)), min(1.0, max(known))
    high = max(high, min(1.0, low + 0.04))
    low = min(low, high - 0.04)  # all values may be 1
    step, rounder = 0.0, _step(low, high)
    while step != rounder:  # rounded ends may need another step
        step = rounder
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
        rounder = _step(low, high)
    return low, high


def round_ticks(end: int) -> list[tuple[float, str]]:
    """Return round numbers from 0 to the end, with their texts."""
    power = 10 ** math.floor(math.log10(end))
    step = next(power * part for part in (0.2, 0.5, 1, 2) if end / (power * part) <= MOST_TICKS)
    return [(number * step, f"{number * step:,.0f}") for number in range(int(end / step) + 1)]


def color_name(rank: int | None) -> str:
    """Return the part of a CSS class for a rank, "1" to "6"; "other" for None and later ranks."""
    return "other" if rank is None or rank >= len(SERIES) else str(rank + 1)


def _step(low: float, high: float) -> float:
    return next((s for s in STEPS if (high - low) / s <= MOST_TICKS - 1 + 1e-9), STEPS[-1])


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) if points else ""
