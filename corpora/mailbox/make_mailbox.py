"""Make the bundled corpus "mailbox" from a grammar and from letters written by hand.

    python corpora/mailbox/make_mailbox.py            # writes src/honeybayes/tables/mailbox.jsonl
    python corpora/mailbox/make_mailbox.py --check    # says whether that file is up to date

``grammar/`` has one file per class, and one that all classes share. A file consists of sections,
such as ``[problem]``, with one sentence per line. In a sentence, ``(a|b)`` is a choice, ``{day}`` a
line of the section "day", and ``~`` a new line. ``letters/`` has texts that are used as they are.
"""

import argparse
import json
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "honeybayes" / "tables" / "mailbox.jsonl"
NONE = HERE / "letters" / "none.txt"  # texts of no class
SEED = 7
SIZES = {
    "rent": 190,
    "heating": 130,
    "plumbing": 110,
    "noise": 80,
    "moving out": 65,
    "keys": 50,
    "parking": 28,
    "waste": 20,
}
FORMS = 0.2  # share of form letters in a class that has some
N_WRONG = 12  # labels
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
SLOT = re.compile(r"\{(\w+)\}")
Sections = dict[str, list[str]]


def read_sections(path: Path) -> Sections:
    """Read the sections of a grammar file."""
    sections: Sections = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], [])
        elif line:
            current.append(line)
    return sections


def read_letters(path: Path) -> list[str]:
    """Read texts that are separated by lines of three dashes."""
    return [each.strip() for each in path.read_text(encoding="utf-8").split("\n---\n")]


class Writer:
    """Writes the messages of one class.

    ``others`` are the grammars of the other classes. A message sometimes mentions their topics.
    """

    def __init__(
        self, own: Sections, shared: Sections, others: list[Sections], rng: random.Random
    ) -> None:
        self.own, self.shared, self.others, self.rng = own, shared, others, rng

    def expand(self, line: str) -> str:
        """Make all choices of a line."""
        while (found := CHOICE.search(line)) is not None:
            chosen = self.rng.choice(found.group(1).split("|"))
            line = line[: found.start()] + chosen + line[found.end() :]
        return SLOT.sub(lambda slot: self.any_of(slot.group(1)), line).replace("~", "\n")

    def any_of(self, section: str) -> str:
        """Choose a line of a section, and make its choices."""
        return self.expand(self.rng.choice({**self.shared, **self.own}[section]))

    def chance(self, share: float) -> bool:
        """Return True as often as ``share`` says."""
        return self.rng.random() < share

    def form(self) -> str:
        """Fill in a form letter."""
        return self.any_of("form")

    def message(self) -> str:
        """Write a short message, one of usual length, or a long one."""
        kind = self.rng.choices(["short", "usual", "long"], [0.3, 0.45, 0.25])[0]
        if kind == "short":
            text = self.any_of("problem")
            return text.lower().rstrip(".") if self.chance(0.4) else text
        sentences = [self.any_of("problem")]
        if kind == "long":
            sentences.insert(0, self.any_of("context"))
            sentences += self.rng.sample([self.expand(each) for each in self.own["detail"]], 2)
            if self.chance(0.5):
                sentences.append(self.any_of("problem"))
        elif self.chance(0.6):
            sentences.append(self.any_of("detail"))
        if self.chance(0.7):
            sentences.append(self.any_of("request"))
        if self.chance(0.4):
            sentences.append(self.any_of("waiting"))
        if self.chance(0.35 if kind == "long" else 0.1):
            sentences.append(self.expand(self.rng.choice(self.rng.choice(self.others)["aside"])))
        parts = [" ".join(sentences)]
        if self.chance(0.8):
            parts.insert(0, self.any_of("greeting"))
        if self.chance(0.5):
            parts.insert(0, self.any_of("subject"))
        if self.chance(0.8):
            parts.append(self.any_of("closing"))
            parts.append(self.any_of("signature") if kind == "long" else self.any_of("name"))
        if self.chance(0.4 if kind == "long" else 0.1):
            parts.append(self.any_of("quoted"))
        return "\n\n".join(parts)

    def with_typos(self, text: str) -> str:
        """Swap, drop or double letters, as some people do more often than others."""
        rate = self.rng.choices([0, 0.02, 0.08], [0.55, 0.33, 0.12])[0]
        words = re.split(r"(\W+)", text)
        return "".join(self._typo(w) if len(w) > 3 and self.chance(rate) else w for w in words)

    def _typo(self, word: str) -> str:
        at = self.rng.randrange(1, len(word) - 1)
        return self.rng.choice(
            [
                word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
            ]
        )


def make() -> str:
    """Return the corpus as JSON lines."""
    rng = random.Random(SEED)
    shared = read_sections(HERE / "grammar" / "shared.txt")
    files = {name: name.replace(" ", "_") + ".txt" for name in SIZES}
    grammars = {name: read_sections(HERE / "grammar" / file) for name, file in files.items()}
    messages: list[dict[str, str]] = []
    for name, size in SIZES.items():
        others = [grammar for other, grammar in grammars.items() if other != name]
        writer = Writer(grammars[name], shared, others, rng)
        letters = read_letters(HERE / "letters" / files[name])
        n_forms = round(FORMS * size) if "form" in grammars[name] else 0
        texts = letters + [writer.form() for _ in range(n_forms)]
        texts += [writer.with_typos(writer.message()) for _ in range(size - len(texts))]
        messages += [{"text": text, "label": name, "truth": name} for text in texts]
    for index in rng.sample(range(len(messages)), N_WRONG):
        others_of = [name for name in SIZES if name != messages[index]["truth"]]
        messages[index]["label"] = rng.choice(others_of)
    nothing = [{"text": text, "label": "", "truth": ""} for text in read_letters(NONE)]
    messages += nothing
    rng.shuffle(messages)
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in messages)


def main() -> int:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    made = make().encode("utf-8")
    if parser.parse_args().check:
        return 0 if TARGET.read_bytes() == made else 1
    TARGET.write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
