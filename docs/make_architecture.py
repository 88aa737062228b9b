"""Draw docs/images/architecture.svg: the layers of the import contract in pyproject.toml.

python docs/make_architecture.py
"""

import tomllib
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "architecture.svg"
HOLDS = {
    "asreview": "models for ASReview",
    "cli": "one file per command",
    "charts": "charts of pages, pictures of matplotlib",
    "page": "the page for labeling",
    "report": "the HTML report",
    "labeling": "projects, sessions, choice of texts, estimates, exchange",
    "evaluate": "splits, comparisons, tests",
    "scale": "statistics that merge, a driver over parts",
    "sources": "rules, language models, bill of sources",
    "explain": "decisions by term, paths",
    "files": "model files: save, check, load",
    "tables": "tables in and out, corpora by name",
    "classifier": "TextClassifier: text in, label out",
    "fitted_pipeline": "what a fitted TextClassifier answers and knows",
    "pipeline_settings": "from parameters to a fitted pipeline",
    "columns": "numbers and categories beside a text",
    "choices": 'what "auto" stands for: model and stop words',
    "calibration": "temperature scaling",
    "coverage": "thresholds for a target accuracy",
    "zoo": "names of configured estimators",
    "semisupervised": "FewLabelsClassifier: labels and a pool",
    "vectors": "SVMs, kernels, neighbors",
    "bayes": "naive Bayes estimators",
    "text": "words, stems, TextVectorizer",
    "paths": "counting of higher-order paths",
    "term_scores": "information gain and others",
    "utils": "validation, matrices, labels, folds, state, tags, files, plots",
    "exceptions": "errors and warnings",
}
WIDTH, ROW, GAP, MARGIN = 960, 62, 12, 16


def layers() -> list[list[str]]:
    """Return the layers of the contract, the highest first."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    [contract] = [
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    ]
    return [layer.split(" | ") for layer in contract["layers"]]


def picture() -> str:
    """Return the picture as SVG."""
    rows = layers()
    height = 2 * MARGIN + len(rows) * (ROW + GAP) - GAP + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif">',
        "<title>Packages of honeybayes in layers; each imports only lower layers</title>",
        "<style>rect{fill:#fff7e0;stroke:#b7791f;stroke-width:1.5}text{fill:#2d2a26}"
        ".name{font-weight:600;font-size:17px}.holds{font-size:13px}.note{font-size:14px}</style>",
        f'<rect x="0" y="0" width="{WIDTH}" height="{height}" style="fill:#fff;stroke:none"/>',
    ]
    for row, names in enumerate(rows):
        width = (WIDTH - 2 * MARGIN - GAP * (len(names) - 1)) / len(names)
        y = MARGIN + row * (ROW + GAP)
        for column, name in enumerate(names):
            x = MARGIN + column * (width + GAP)
            middle = x + width / 2
            parts += [
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" rx="8"/>',
                f'<text class="name" x="{middle:.1f}" y="{y + 26}" text-anchor="middle">'
                f"{escape(name)}</text>",
                f'<text class="holds" x="{middle:.1f}" y="{y + 47}" text-anchor="middle">'
                f"{escape(HOLDS[name])}</text>",
            ]
    parts += [
        f'<text class="note" x="{WIDTH / 2}" y="{height - MARGIN}" text-anchor="middle">'
        "A package imports only packages in lower rows.</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
