# ruff: noqa: RUF001 (Turkish has a dotless i)
"""Measure class names and seed words instead of labels, and the check that says whether they work.

    python -m benchmarks.few_labels_names [--seeds 3] [--group chosen] [--fresh]

Each class gets its name, or its name and a few words, as a person would type them. Appends every
fit to benchmarks/results/few_labels_names.jsonl, continues where it stopped, and writes
docs/results/few-labels-names.md.
"""

import argparse
from typing import Any

import numpy as np

from benchmarks.corpora import analyzer_for
from benchmarks.few_labels import (
    UNLABELED,
    Counts,
    Drawn,
    Problem,
    counts_for,
    fit_ours,
    label_some,
    metrics,
)
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import FewLabelsClassifier
from honeybayes.classifier.choices import stop_words_without_seeds
from honeybayes.text import TextAnalyzer, match_seeds

RESULTS = RESULTS_FOLDER / "few_labels_names.jsonl"
PAGE = DOCS / "results" / "few-labels-names.md"
# class: "name: words"
SEEDS = {
    "agnews-test": {
        "world": "world: war government president country attack",
        "sports": "sports: game team season win coach",
        "business": "business: company market stock profit oil",
        "science and technology": "science technology: software internet computer research space",
    },
    "trec-questions": {
        "ABBR": "abbreviation: stand for acronym short full",
        "DESC": "description: why definition mean cause describe",
        "ENTY": "entity: animal color product food language",
        "HUM": "human person: who president actor invented wrote",
        "LOC": "location place: where city country state mountain",
        "NUM": "number numeric: how many when year long",
    },
    "sms-spam": {
        "ham": "ham normal message: ok home love sorry later",
        "spam": "spam: free win prize claim txt",
    },
    "religion": {
        "alt.atheism": "atheism: atheist god belief evidence moral",
        "soc.religion.christian": "christian religion: church jesus faith bible sin",
        "talk.religion.misc": "religion miscellaneous: mormon cult koresh objective jehovah",
    },
    "science": {
        "sci.crypt": "cryptography: encryption key clipper secret nsa",
        "sci.electronics": "electronics: circuit voltage wire power amp",
        "sci.med": "medicine: doctor disease patient drug pain",
        "sci.space": "space: nasa orbit launch moon shuttle",
    },
    "politics": {
        "talk.politics.guns": "guns: weapon firearm rifle shoot nra",
        "talk.politics.mideast": "middle east: israel arab armenian turkish jew",
        "talk.politics.misc": "politics miscellaneous: clinton tax gay government president",
    },
    "comp": {
        "comp.graphics": "graphics: image polygon gif jpeg animation",
        "comp.os.ms-windows.misc": "microsoft windows: dos driver file win ini",
        "comp.sys.ibm.pc.hardware": "ibm pc hardware: motherboard bios ide controller isa",
        "comp.sys.mac.hardware": "mac hardware: apple quadra powerbook nubus centris",
        "comp.windows.x": "x windows: motif widget server client xterm",
    },
    "oh0": {
        "6-Ketoprostaglandin-F1-alpha": "6-ketoprostaglandin F1 alpha: prostacyclin thromboxane",
        "Brain-Chemistry": "brain chemistry: rat cortex neuron",
        "Creatine-Kinase": "creatine kinase: infarction myocardial muscle",
        "England": "England: london british district",
        "Ethics": "ethics: moral consent decision right",
        "Fundus-Oculi": "fundus oculi: retinal eye retina",
        "Heart-Valve-Prosthesis": "heart valve prosthesis: aortic mitral replacement",
        "Larynx": "larynx: vocal laryngeal voice",
        "Mexico": "Mexico: mexican city border",
        "Uric-Acid": "uric acid: gout serum urate",
    },
    "oh5": {
        "Anticoagulants": "anticoagulants: heparin warfarin thrombosis bleeding",
        "Audiometry": "audiometry: hearing threshold ear loss",
        "Child-Development": "child development: infant mother behavior age",
        "Graft-Survival": "graft survival: transplant rejection cyclosporine",
        "Microsomes": "microsomes: liver enzyme cytochrome metabolism",
        "Neck": "neck: head cervical tumor",
        "Nitrogen": "nitrogen: protein urea balance",
        "Phospholipids": "phospholipids: lipid membrane phosphatidylcholine",
        "Radiation-Dosage": "radiation dosage: dose irradiation gy radiotherapy",
        "Solutions": "solutions: solution infusion fluid",
    },
    "1150haber": {
        "ekonomi": "ekonomi: banka dolar borsa yatırım enflasyon",
        "magazin": "magazin: sanatçı şarkıcı oyuncu film aşk",
        "saglik": "sağlık: hasta doktor tedavi hastalık kanser",
        "siyasi": "siyaset siyasi: başbakan parti meclis seçim cumhurbaşkanı",
        "spor": "spor: maç takım gol futbol teknik",
    },
    "webkb4": {
        "course": "course: homework lecture exam syllabus class",
        "faculty": "faculty: professor research publications university interests",
        "project": "project: group system research software members",
        "student": "student: graduate resume home hobbies links",
    },
    "20news-18828": {
        "alt.atheism": "atheism: atheist god belief moral",
        "comp.graphics": "computer graphics: image polygon gif animation",
        "comp.os.ms-windows.misc": "microsoft windows: dos driver file ini",
        "comp.sys.ibm.pc.hardware": "ibm pc hardware: motherboard bios ide scsi controller",
        "comp.sys.mac.hardware": "mac hardware: apple quadra powerbook",
        "comp.windows.x": "x windows: motif widget server xterm",
        "misc.forsale": "for sale: offer shipping price sell",
        "rec.autos": "cars autos: engine dealer ford drive",
        "rec.motorcycles": "motorcycles: bike ride helmet bmw",
        "rec.sport.baseball": "baseball: pitcher inning league hit",
        "rec.sport.hockey": "hockey: nhl team goal playoff",
        "sci.crypt": "cryptography: encryption key clipper nsa",
        "sci.electronics": "electronics: circuit voltage wire",
        "sci.med": "medicine: doctor disease patient drug",
        "sci.space": "space: nasa orbit launch moon",
        "soc.religion.christian": "christian religion: church jesus faith bible",
        "talk.politics.guns": "guns: weapon firearm rifle",
        "talk.politics.mideast": "middle east: israel arab armenian turkish",
        "talk.politics.misc": "politics miscellaneous: clinton tax gay government",
        "talk.religion.misc": "religion miscellaneous: mormon cult koresh",
    },
    "messages": {
        "account access": "account access: login password locked",
        "billing": "billing: invoice charge payment receipt",
        "cancellation": "cancellation: cancel subscription contract",
        "complaint": "complaint: rude disappointed unacceptable manager",
        "delivery": "delivery: parcel courier late tracking",
        "product question": "product question: size fit does material",
        "returns": "returns: return refund exchange label",
        "technical fault": "technical fault: broken error screen crash",
    },
    "oh10": {
        "Arachidonic-Acids": "arachidonic acids: prostaglandin leukotriene metabolite",
        "Costs-and-Cost-Analysis": "costs cost analysis: expense economic price",
        "Delivery": "delivery: birth labor pregnancy cesarean",
        "Eating": "eating: food feeding meal intake",
        "Hematocrit": "hematocrit: blood red cell viscosity",
        "Italy": "Italy: italian population incidence",
        "Nutrition": "nutrition: diet nutritional energy",
        "Retinal-Diseases": "retinal diseases: retina eye vision macular",
        "Sampling-Studies": "sampling studies: survey sample respondents",
        "Spermatozoa": "spermatozoa: sperm semen motility",
    },
    "oh15": {
        "Adenosine-Diphosphate": "adenosine diphosphate: adp platelet aggregation",
        "Aluminum": "aluminum: bone dialysis toxicity",
        "Blood-Coagulation-Factors": "blood coagulation factors: clotting bleeding factor",
        "Blood-Vessels": "blood vessels: artery vascular vein",
        "Cell-Movement": "cell movement: migration chemotaxis motility",
        "Enzyme-Activation": "enzyme activation: kinase protein activity",
        "Leucine": "leucine: amino acid muscle protein",
        "Memory": "memory: recall learning cognitive",
        "Staphylococcal-Infections": "staphylococcal infections: aureus bacteria antibiotic",
        "Uremia": "uremia: renal dialysis kidney",
    },
    "wap": {
        "Art": "art: painting museum artist",
        "Business": "business: company stock profit",
        "Cable": "cable: network channel tv",
        "Culture": "culture: book tradition society",
        "Entertainment": "entertainment: show star fun",
        "Film": "film: movie director actor",
        "Health": "health: patient disease study doctor",
        "Industry": "industry: studio executive deal",
        "Media": "media: newspaper press news",
        "Multimedia": "multimedia: cd video digital",
        "Music": "music: album band song",
        "Online": "online: internet web site",
        "People": "people: star celebrity actress",
        "Politics": "politics: president clinton government election",
        "Review": "review: rating critic performance",
        "Sports": "sports: game team season",
        "Stage": "stage: theater broadway play",
        "Technology": "technology: computer software microsoft",
        "Television": "television: nbc abc series ratings",
        "Variety": "variety: box office hollywood",
    },
}
GROUPS = {
    # the limits of the check were chosen on these
    "chosen": (
        *("agnews-test", "trec-questions", "sms-spam", "religion", "science", "politics", "comp"),
        *("oh0", "oh5"),
    ),
    "other": ("1150haber", "webkb4", "20news-18828", "messages", "oh10", "oh15", "wap"),
}
NO_SEEDS, NAMES, WORDS = "no seeds", "names", "names and words"
KINDS = (NAMES, WORDS)
TASKS = [(NO_SEEDS, 3), (NO_SEEDS, 5), *((kind, labels) for kind in KINDS for labels in (0, 3))]
ENOUGH = 0.8  # of the accuracy with five labels per class: then the seeds work
VERDICTS = ("good", "unsure", "poor")


def text_of_seeds(corpus: str, label: Any, kind: str) -> str:
    name, words = SEEDS[corpus][str(label)].split(": ")
    return name if kind == NAMES else f"{name} {words}"


def draw_from(corpus: str, kind: str) -> Drawn:
    """Read a corpus; stop words stay if they are seed words, as in TextClassifier."""
    texts = [] if kind == NO_SEEDS else [text_of_seeds(corpus, c, kind) for c in SEEDS[corpus]]
    return Drawn(corpus, stop_words_without_seeds(texts, analyzer_for(corpus).language))


def seeds_for(corpus: str, problem: Problem, counts: Counts, kind: str) -> dict[int, np.ndarray]:
    """Return the weights of the seed words for each class, as numbers."""
    texts = {n: text_of_seeds(corpus, label, kind) for n, label in enumerate(problem.names)}
    # the terms of webkb4 and of corpora published as counts are stems
    language = analyzer_for(corpus).language
    analyzer = TextAnalyzer(language=language, stop_words=counts.stop_words)
    return match_seeds(texts, counts.terms, analyzer)[0]


def measure(corpus: str, problem: Problem, kind: str, labels: int) -> dict[str, Any]:
    y = label_some(problem.classes, labels) if labels else np.full(len(problem.classes), UNLABELED)
    counts = counts_for(problem)
    if kind == NO_SEEDS:
        return {"accuracy": accuracy(fit_ours(problem, y)[0], counts, problem)}
    seeds = seeds_for(corpus, problem, counts, kind)
    fits = {}
    for name, given in (("alone", np.full_like(y, UNLABELED)), ("accuracy", y)):
        model = FewLabelsClassifier(unlabeled=UNLABELED).fit(counts.pool, given, seeds=seeds)
        fits[name] = accuracy(model, counts, problem)
        if name == "alone":
            fits["ece"] = metrics(model.predict_proba(counts.test), problem.tests)["ece"]
    return {**fits, "trust": round(model.seeds_trust_, 4), "verdict": model.seeds_verdict_}


def accuracy(model: FewLabelsClassifier, counts: Counts, problem: Problem) -> float:
    return round(float(np.mean(model.predict(counts.test) == problem.tests)), 6)


Key = tuple[str, int, str, int]


def read_results() -> dict[Key, dict[str, Any]]:
    records = read_records(RESULTS)
    return {(r["corpus"], r["seed"], r["kind"], r["labels"]): r for r in records}


def run(corpora: tuple[str, ...], seeds: int) -> None:
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in corpora:
            missing = [
                (seed, task)
                for seed in range(seeds)
                for task in TASKS
                if (name, seed, *task) not in results
            ]
            corpora_of = {
                kind: draw_from(name, kind) for kind in {kind for _, (kind, _) in missing}
            }
            for seed in sorted({seed for seed, _ in missing}):
                problems = {kind: drawn.draw(seed) for kind, drawn in corpora_of.items()}
                for kind, labels in (task for of_seed, task in missing if of_seed == seed):
                    problem = problems[kind]
                    record = {"corpus": name, "seed": seed, "kind": kind, "labels": labels}
                    append_record(file, {**record, **measure(name, problem, kind, labels)})
            print(name, flush=True)


class Table:
    """The results of some draws."""

    def __init__(self, results: dict[Key, dict[str, Any]], seeds: int) -> None:
        self.results, self.seeds = results, range(seeds)

    def has(self, name: str) -> bool:
        """Return True if everything was measured on a corpus."""
        return all((name, s, *task) in self.results for s in self.seeds for task in TASKS)

    def accuracy(self, name: str, kind: str, labels: int) -> float:
        """Return the mean accuracy in percent."""
        values = [self.results[name, s, kind, labels]["accuracy"] for s in self.seeds]
        return 100 * float(np.mean(values))

    def ece(self, name: str, kind: str) -> float:
        """Return the mean calibration error of the seeds alone."""
        return float(np.mean([self.results[name, s, kind, 0]["ece"] for s in self.seeds]))

    def verdicts(self, name: str, kind: str, labels: int) -> list[tuple[bool, str]]:
        """Return for each draw whether the seeds alone work with these terms, and the verdict."""
        found = []
        for seed in self.seeds:
            of_labels = self.results[name, seed, NO_SEEDS, 5]["accuracy"]
            result = self.results[name, seed, kind, labels]
            found.append((result["alone"] >= ENOUGH * of_labels, result["verdict"]))
        return found


def counted(verdicts: list[str]) -> str:
    """Return "good 2, poor 1" for a list of verdicts."""
    numbers = ((verdict, verdicts.count(verdict)) for verdict in VERDICTS)
    return ", ".join(f"{verdict} {number}" for verdict, number in numbers if number) or "-"


def accuracies(table: Table, names: list[str]) -> list[str]:
    columns = ["5 labels", "3 labels"]
    for kind in KINDS:
        columns += [f"{kind} alone", f"{kind}, 3 labels"]
    columns += [f"ECE of {kind}" for kind in KINDS]
    tasks = [(NO_SEEDS, 5), (NO_SEEDS, 3), *((k, labels) for k in KINDS for labels in (0, 3))]
    lines = table_head("accuracy", columns)
    rows = {name: [table.accuracy(name, *task) for task in tasks] for name in names}
    rows["mean"] = np.mean(list(rows.values()), axis=0).tolist()
    error = {name: [table.ece(name, kind) for kind in KINDS] for name in names}
    error["mean"] = np.mean(list(error.values()), axis=0).tolist()
    for name, values in rows.items():
        cells = [f"{value:.1f}" for value in values] + [f"{each:.3f}" for each in error[name]]
        lines.append(table_row([name, *cells]))
    return lines


def checks(table: Table, names: list[str]) -> list[str]:
    columns = [
        cell
        for kind in KINDS
        for cell in (f"{kind}: work", "verdict without labels", "verdict with 3 labels")
    ]
    lines = table_head("corpus", columns)
    for name in names:
        cells = []
        for kind in KINDS:
            works = [each for each, _ in table.verdicts(name, kind, 0)]
            cells.append(f"{sum(works)} of {len(works)}")
            verdicts = (table.verdicts(name, kind, labels) for labels in (0, 3))
            cells += [counted([verdict for _, verdict in each]) for each in verdicts]
        lines.append(table_row([name, *cells]))
    return lines


def errors(table: Table, names: list[str]) -> list[str]:
    columns = ["of", "seeds work", "they do not", "wrong", "share wrong (bar .10)", "unsure"]
    lines = table_head("check", columns)
    for kind in KINDS:
        for labels in (0, 3):
            found = [each for name in names for each in table.verdicts(name, kind, labels)]
            wrong = sum(v == ("poor" if works else "good") for works, v in found)
            unsure = sum(v == "unsure" for _, v in found)
            of = {w: counted([v for works, v in found if works == w]) for w in (True, False)}
            what = f"{kind}, {labels or 'no'} labels per class"
            cells = [str(len(found)), of[True], of[False], str(wrong)]
            cells += [f"{wrong / len(found):.2f}", f"{unsure / len(found):.2f}"]
            lines.append(table_row([what, *cells]))
    return lines


INTRODUCTION = """\
# Class names and seed words instead of labels

Written by `python -m benchmarks.few_labels_names` (it continues where it stopped; `--fresh`
measures again); do not edit by hand. Pools and tests are those of [few labels](few-labels.md), mean
of {seeds} draws. A class gets its name ("medicine"), or its name and a few words ("medicine doctor
disease patient drug pain"). They are listed in `benchmarks/few_labels_names.py`.

Seeds *work* if they alone reach 80 % of the accuracy with five labels per class. The check
(`seeds_verdict_`) answers good, unsure or poor, without labels or with three labels per class. It
is wrong if it answers "good" and the seeds do not work, or "poor" and they work. Every draw counts
once. Long texts lose their stop words, except seed words. ECE is the expected calibration error
without labels.
"""


def page(results: dict[Key, dict[str, Any]], seeds: int) -> str:
    table = Table(results, seeds)
    lines = [INTRODUCTION.format(seeds=seeds)]
    titles = {"chosen": "The limits of the check were chosen on these", "other": "Other corpora"}
    for group, title in titles.items():
        names = [name for name in GROUPS[group] if table.has(name)]
        lines += [f"## {title}", ""]
        for part in (accuracies, checks, errors) if names else ():
            lines += [*part(table, names), ""]
        if not names:
            lines += ["Not measured yet.", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--group", choices=GROUPS, action="append", help="both by default")
    parser.add_argument("--fresh", action="store_true", help="delete the results and measure again")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    for group in options.group or GROUPS:
        run(GROUPS[group], options.seeds)
    write_page(PAGE, page(read_results(), options.seeds))


if __name__ == "__main__":
    main()
