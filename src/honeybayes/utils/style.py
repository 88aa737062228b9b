"""Colors of plots and pages: legible on light and dark paper, also for color-blind readers."""

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
