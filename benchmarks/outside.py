"""Measure the learner on texts that took no part in choosing its defaults, in many languages.

    python -m benchmarks.outside FOLDER [--draws 2]

The texts are Debian's descriptions of packages (the first line), labeled with the section of the
package, and the help of LibreOffice (the first 45 words of a page), labeled with the program. On
Debian, `apt-get` and `dpkg-deb` get them into the folder. Appends every fit to
benchmarks/results/outside.jsonl, continues where it stopped, and writes docs/results/outside.md.
"""

import argparse
import html
import json
import re
import subprocess
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.defaults import MOST_TEXTS, choose_labeled
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import TextClassifier
from honeybayes.text import TextEncoder

RESULTS = RESULTS_FOLDER / "outside.jsonl"
PAGE = DOCS / "results" / "outside.md"
LABELS = ("5", "10", "25", "30 random")
WORDS, BOTH, VECTORS, ALONE = "words", "auto", "regression on vectors", "labels alone"
KINDS = (WORDS, BOTH, VECTORS, ALONE)
KNOWN = ("de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "pt_BR", "ru", "tr", "zh_CN")
OF_PACKAGES = ("de", "en", "es", "fr", "it", "ja", "ko", "pl", "pt", "pt_BR", "ru", "zh_CN")
OF_PACKAGES += ("cs", "da", "fi", "sk", "uk")
OF_HELP = ("nl", "ko", "tr", "ca", "cs", "da", "el", "et", "eu", "fi", "hu", "id", "om", "sl", "sv")
OF_HELP += ("km", "vi")
SECTIONS = {
    *("admin", "database", "editors", "education", "electronics", "fonts", "games", "graphics"),
    *(
        "hamradio",
        "localization",
        "mail",
        "math",
        "net",
        "science",
        "sound",
        "text",
        "video",
        "web",
    ),
}
N_CLASSES, FEWEST = 8, 25  # texts of a class
N_WORDS = 45
FOREIGN = 0.5  # words that also stand in the English page: it is not translated
INTRODUCTION = f"""\
Written by `python -m benchmarks.outside FOLDER`; do not edit by hand. Debian's descriptions of
packages, by section, and pages of the help of LibreOffice, by program: texts that took no part in
choosing the defaults of the learner. (How far vectors count in languages that the encoder does not
know was decided with these in view.)

"words" is `FewLabels` without an encoder, "auto" with `encoder="auto"`, both with at most
{MOST_TEXTS // 2:,} texts as the pool and as many as the test. "regression on vectors" is
scikit-learn's logistic regression (C=10) on the vectors of the labels alone, and "labels alone" is
`TextClassifier()` without unlabeled texts. Accuracies are in percent.
"""


def run(*command: str, folder: Path) -> bytes:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def read_packages(folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the language, and the texts and labels, of the descriptions of packages."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    options = [f"Dir::State::lists={lists}", "Acquire::Languages="]
    options += [f"Acquire::Languages::={language}" for language in OF_PACKAGES]
    run("apt-get", *(part for each in options for part in ("-o", each)), "update", folder=folder)

    def paragraphs(pattern: str) -> Iterator[str]:
        for path in sorted(lists.glob(pattern)):
            if "security" not in path.name and "updates" not in path.name:
                yield from (
                    run("/usr/lib/apt/apt-helper", "cat-file", str(path), folder=folder)
                    .decode()
                    .split("\n\n")
                )

    def find(pattern: str, text: str) -> str:
        found = re.search(pattern, text, re.MULTILINE)
        return found[1].strip() if found else ""

    section = {
        find("^Package: (.*)$", each): find("^Section: (?:.*/)?(.*)$", each)
        for each in paragraphs("*_main_binary-*_Packages*")
    }
    for language in OF_PACKAGES:
        name = language.replace("_", "%5f")
        rows = [
            (
                find("^Description-(?!md5)[^:]*: (.*)$", each),
                section.get(find("^Package: (.*)$", each), ""),
            )
            for each in paragraphs(f"*_main_i18n_Translation-{name}.*")
        ]
        yield language, [row for row in rows if row[0] and row[1] in SECTIONS]


def read_help(folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the language, and the texts and labels, of the pages of help."""
    english = read_pages("en-us", folder)
    for language in OF_HELP:
        rows = []
        for page, text in read_pages(language, folder).items():
            known, words = set(english.get(page, "").lower().split()), text.lower().split()
            label = page.partition("/")[0]
            is_translated = sum(word in known for word in words) <= FOREIGN * len(words)
            if len(text) >= 30 and is_translated and label not in ("shared", "sdraw"):
                rows.append((text, label))
        yield language, rows


def read_pages(language: str, folder: Path) -> dict[str, str]:
    """Return the title and the first paragraphs of each page, without how to get there."""
    package = f"libreoffice-help-{language}"
    if not list(folder.glob(f"{package}_*.deb")):
        run("apt-get", "download", package, folder=folder)
    [archive] = folder.glob(f"{package}_*.deb")
    unpacked = folder / package
    if not unpacked.is_dir():
        run("dpkg-deb", "--extract", str(archive), str(unpacked), folder=folder)
    pages = {}
    for path in sorted(unpacked.glob("usr/share/libreoffice/help/*/text/*/**/*.html")):
        _, _, body = path.read_text(encoding="utf-8").partition('id="DisplayArea"')
        body = body.partition('id="SearchFrame"')[0]
        body = re.sub('<div class="howtoget.*?<br>', "", body, flags=re.DOTALL)
        parts = re.findall(r"<(?:h1|p)[ >].*?</(?:h1|p)>", body, re.DOTALL)[:6]
        words = html.unescape(re.sub("<[^>]+>", " ", " ".join(parts))).split()
        pages[str(path).partition("/text/")[2]] = " ".join(words[:N_WORDS])
    return pages


def make_tables(folder: Path) -> None:
    """Write a table of each source and language: the most frequent classes, each text once."""
    for source, read in (("packages", read_packages), ("help", read_help)):
        for language, rows in read(folder):
            rows = list({text: (text, label) for text, label in rows}.values())
            sizes = Counter(label for _, label in rows).most_common(N_CLASSES)
            kept = {label for label, n in sizes if n >= FEWEST}
            lines = [json.dumps(row) for row in rows if row[1] in kept]
            (folder / f"{source}-{language}.jsonl").write_text("\n".join(lines), encoding="utf-8")


def measure(
    kind: str, texts: np.ndarray, y: np.ndarray, labels: str, order: np.ndarray
) -> dict[str, Any]:
    """Return the accuracy of one fit, and the encoder that it used."""
    pool, test = order[: len(order) // 2], order[len(order) // 2 :]
    chosen = choose_labeled(y[pool], labels)
    known, others = list(texts[pool[chosen]]), list(texts[pool[~chosen]])
    if kind == VECTORS:
        regression = LogisticRegression(C=10, max_iter=1000)
        model = make_pipeline(TextEncoder("multilingual"), regression).fit(known, y[pool[chosen]])
    elif kind == ALONE:
        model = TextClassifier().fit(known, y[pool[chosen]])
    else:
        model = TextClassifier("FewLabels", encoder="auto" if kind == BOTH else None)
        model.fit(known, y[pool[chosen]], pool=others)
    is_right = model.predict(list(texts[test])) == y[test]
    found = {"accuracy": round(float(np.mean(is_right)), 4)}
    return found | ({"vectors": model.encoder_ is not None} if kind == BOTH else {})


def page(records: Iterable[dict[str, Any]]) -> str:
    found: dict[tuple[str, str, str], list[float]] = {}
    uses: dict[str, bool] = {}
    for r in records:
        found.setdefault((r["labels"], r["corpus"], r["kind"]), []).append(100 * r["accuracy"])
        uses[r["corpus"]] = r.get("vectors", uses.get(r["corpus"], False))
    is_known = {name: name.partition("-")[2] in KNOWN for name in uses}
    lines = ["# Texts that took no part", "", INTRODUCTION]
    for labels in LABELS:
        title = f"{labels} labels" + (" per class" if labels.isdigit() else "")
        lines += ["", f"## {title}", "", *table_head("corpus", [*KINDS, "auto - words"])]
        for told, some in (
            ("languages that the encoder knows", [n for n in uses if is_known[n]]),
            ("others that it can read", [n for n in uses if not is_known[n] and uses[n]]),
            ("others", [n for n in uses if not is_known[n] and not uses[n]]),
        ):
            rows = {n: [float(np.mean(found[labels, n, kind])) for kind in KINDS] for n in some}
            rows[f"**mean: {told}**"] = list(np.mean([*rows.values()], axis=0))
            for name, values in rows.items():
                gain = values[1] - values[0]
                lines.append(table_row([name, *(f"{v:.1f}" for v in values), f"{gain:+.1f}"]))
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="for what is downloaded, and the tables")
    parser.add_argument("--draws", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about classes with one label
    folder = options.folder.resolve()  # the commands run in it
    expected = {
        *(f"packages-{each}" for each in OF_PACKAGES),
        *(f"help-{each}" for each in OF_HELP),
    }
    if not expected <= {path.stem for path in folder.glob("*.jsonl")}:
        make_tables(folder)
    fields = ("corpus", "labels", "draw", "kind")
    done = {tuple(record[field] for field in fields) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for path in sorted(folder.glob("*.jsonl")):
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            texts = np.array([text for text, _ in rows], dtype=object)
            y = np.array([label for _, label in rows])
            for draw in range(options.draws):
                order = random_for("outside", path.stem, draw).permutation(len(y))[:MOST_TEXTS]
                for key in ((path.stem, n, draw, kind) for n in LABELS for kind in KINDS):
                    if key not in done:
                        about = dict(zip(fields, key, strict=True))
                        append_record(file, about | measure(key[3], texts, y, key[1], order))
            print(path.stem, flush=True)
    write_page(PAGE, page(read_records(RESULTS)))


if __name__ == "__main__":
    main()
