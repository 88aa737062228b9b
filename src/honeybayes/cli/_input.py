"""Model files and tables, as the commands get them from the user."""

import shlex
import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import honeybayes as hb
from honeybayes import tables
from honeybayes.cli._messages import refuse, warn
from honeybayes.cli._settings import READ
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.tables import Attributes, Corpus, file_ending, guesses, is_stream
from honeybayes.utils.labels import AUTO, DOUBTFUL_MARKS, UNLABELED
from honeybayes.utils.messages import did_you_mean, say_rows

USUAL_TEXT, USUAL_LABEL = "text", "label"  # the default names of the columns
PROJECT_ENDING = ".hbproject"
MANY_ROWS = 20  # scikit-learn, too, warns about many classes beyond it
MOST_SHOWN = 40  # characters of a text in a message
REMEMBERED = ("unlabeled", "fold_case")  # settings of --read that the model keeps


@dataclass
class Input:
    """Reads texts and labels of tables, as the options of a command say."""

    text: str | Attributes = USUAL_TEXT  # a column, or columns as a model has learned them
    label: str = USUAL_LABEL
    id: str | None = None
    reading: dict[str, Any] = field(default_factory=dict)  # what was given with --read
    known: tuple[str, ...] = ()  # classes that a model knows, or that the user named
    attributes: str | None = None  # columns to learn, instead of a text
    project: Any = None  # what `read_project` returned for the table
    source: str = "text"  # the option that says where the texts are

    @classmethod
    def of_model(
        cls, classifier: Any, text: str | None, table: str, reading: dict[str, Any], **others: Any
    ) -> "Input":
        """Return how to read a table for a model, which remembers its columns.

        If the table does not have the column that the model remembers, but one with the usual
        name, that one is used.
        """
        remembered = remembered_columns(classifier)
        if text is not None and not isinstance(remembered, str):
            raise ValueError("The model was fitted with --attributes, not with texts. Omit --text.")
        of_fit = getattr(classifier, "_table", None) or {}
        reading = {name: of_fit[name] for name in REMEMBERED if name in of_fit} | reading
        known = tuple(map(str, classifier.classes_.tolist()))
        found = cls(text or remembered, reading=reading, known=known, **others)
        is_other = isinstance(remembered, str) and remembered != USUAL_TEXT
        if text is None and is_other and not is_stream(table) and Path(table).is_file():
            with suppress(ValueError, StopIteration):  # which is raised again later
                rows = tables.open_table(table, {"text": USUAL_TEXT}, **found.options)
                columns = {*(rows.columns or next(rows.frames).columns)}
                has_own = remembered in columns or set(str(remembered).split(",")) <= columns
                if USUAL_TEXT in columns and not has_own and rows.format != "lines":
                    warn(
                        f"{table} has no column {remembered!r}, to which the model was fitted, so "
                        f"{USUAL_TEXT!r} is read. Name another one with --text."
                    )
                    found.text = USUAL_TEXT
        return found

    def __post_init__(self) -> None:
        """Keep what was given of the options of `open_table`, and which labels are none."""
        self.options = {name: value for name, value in self.reading.items() if name in READ}
        self.unlabeled: str = self.reading.get("unlabeled", AUTO)
        self.answers: dict[str, list[str]] = {}  # of columns of sources, by `read_labeled`

    def open(self, table: str, **more: str | None) -> tables.Table:
        """Open a table of texts or records; ``more`` are other required columns by option."""
        others = {option: name for option, name in more.items() if name is not None}
        options, required = dict(self.options), dict(others)
        if isinstance(self.text, str):
            required = {self.source: self.text, **others}
        elif is_stream(table) and not file_ending(table):
            options.setdefault("format", "csv")
        rows = tables.open_table(table, required, **options, keep_blank=True)
        if others and rows.format == "lines":
            option, name = next(iter(others.items()))
            raise ValueError(f"{table} has one text per line, and no {name!r}. Omit --{option}.")
        if rows.columns and not isinstance(self.text, str):
            tables.check_columns(table, rows.columns, {"attributes": list(self.text.edges)})
        return rows

    def texts_of(self, frame: Any, rows: tables.Table) -> list[str]:
        """Return the texts of a frame, or its records as texts; a missing one is empty."""
        if not isinstance(self.text, str):
            return self.text.write_frame(frame)
        column = USUAL_TEXT if rows.format == "lines" else self.text
        return tables.read_texts(frame, column, rows.path)

    def read_rows(self, table: str, **more: str | None) -> tuple[tables.Table, Any, list[str]]:
        """Return a table, all its rows in one frame, and their texts; ``more`` as in `open`."""
        rows = self.open(table, **more)
        frame = tables.join_frames(rows).reset_index(drop=True)
        if not len(frame):
            raise ValueError(f"{table} has no rows.")
        return rows, frame, self.texts_of(frame, rows)

    def read_pool(self, table: str) -> list[str]:
        """Read texts that need no labels, from a table whose format and sheet are its own."""
        check_table(table)
        kept = self.reading.keys() - {"format", "sheet"}
        own = replace(self, reading={name: self.reading[name] for name in kept}, source="pool")
        rows = own.open(table)
        texts = [words for frame in rows.frames for words in own.texts_of(frame, rows)]
        found = Corpus(table, texts, np.full(len(texts), UNLABELED))
        return tables.without_blank(found, table).documents

    def find_row(self, table: str, wanted: str) -> str:
        """Return the text of one row of a table: by its id, or by its number, counted from 1."""
        _, frame, texts = self.read_rows(table, id=self.id)
        names = range(1, len(frame) + 1) if self.id is None else frame[self.id].tolist()
        both = zip(names, texts, strict=True)
        found = [words for name, words in both if str(name).strip() == wanted.strip()]
        if len(found) != 1:
            what = "no row" if not found else f"{len(found)} rows"
            where = f" in the column {self.id!r}" if self.id else ""
            raise ValueError(
                f"{table} has {what} {wanted!r}{where}. Name one row by its number, from 1, "
                "or use --id with a column whose cells differ."
            )
        return found[0]

    def read_labeled(
        self,
        table: str,
        training: bool = False,
        of_many: bool = False,
        sources: str | None = None,
    ) -> Corpus:
        """Read texts with their labels; the label of an unlabeled text is an empty string.

        Of a project file, only the labels that a person gave are read; of a table, too, by
        default. For ``training``, a column of labels that looks like ids is an error, except in
        one ``of_many`` files; if the classes are known, or ``sources`` are named, there may be no
        column.
        """
        check_table(table)
        text = self.text if isinstance(self.text, str) and self.attributes is None else None
        if is_project(table):
            if text is None:
                raise ValueError(f"{table} is a project of texts, which have no attributes.")
            corpus = (self.project or hb.labeling.read_project(table)).corpus
            return tables.without_blank(corpus, table)
        of_pipe = "csv" if is_stream(table) and not file_ending(table) else None
        options: dict[str, Any] = {"format": of_pipe, **self.options}
        keep_model_labels = self.reading.get("keep_model_labels", False)
        of_labels = {"keep_unlabeled": True, "keep_model_labels": keep_model_labels}
        if text is None:
            columns = self.attributes or self.text
            options |= of_labels | {"id": self.id, "n_bins": self.reading.get("n_bins")}
            corpus, self.text = tables.read_attributes(table, self.label, columns, **options)
        elif Path(table).is_dir():
            corpus = tables.read_corpus(table)
        else:
            beside = None if of_many else project_beside(table)
            may_lack = bool(beside or (training and (self.known or sources)))
            named: dict[str, Any] = {"text": text, "id": self.id}
            named["sources"] = sources and [each.strip() for each in sources.split(",")]
            named["label"] = None if may_lack and self.label == USUAL_LABEL else self.label
            required = {option: name for option, name in named.items() if name is not None}
            rows = tables.open_table(table, required, **options, only_required=True)
            if rows.format == "lines":
                text = required["text"] = USUAL_TEXT
            frame = tables.join_frames(rows)
            if self.label not in frame.columns:
                if beside is not None:
                    raise ValueError(
                        f"{table} has no column {self.label!r}, but {beside} has labels of the "
                        "page. Use it instead."
                    )
                tables.check_columns(table, [*frame.columns], required)  # of lines
                frame[self.label] = UNLABELED
            elif beside is not None and training:
                warn(
                    f"The labels of the column {self.label!r} are used, not those that were given "
                    f"on the page. To use these, name {beside} instead of the table."
                )
            corpus = tables.corpus_of(frame, table, text, self.label, self.id, **of_labels)
            corpus = tables.without_blank(corpus, table)
            first = corpus.documents[0][:MOST_SHOWN]
            advice = f"such as {first!r}. Name the column with the texts with --text."
            if not guesses.has_words(corpus.documents):
                raise ValueError(f"{table}: the column {text!r} has no words, only values {advice}")
            if len(corpus) >= MANY_ROWS and guesses.are_ids(corpus.documents):
                warn(f"The texts in the column {text!r} look like ids, {advice}")
            if sources is not None:
                frame = frame if corpus.rows is None else frame.iloc[corpus.rows]
                self.answers = answers_of(frame, sources, table, self.label)
        # in one of many files, 1.0 is always 1, as in the other files
        labels = tables.spell_numbers(corpus.labels, self.known, of_many)
        taken = np.isin(labels, list(self.marks(labels)))
        found = Counter(labels[taken].tolist()) if self.unlabeled == AUTO else {}
        for name, count in sorted(found.items()):
            warn(
                f"{say_rows(count, 'has', 'have')} the label {name!r}, which is taken as no label. "
                "If it is a class, use --read \"unlabeled=''\"."
            )
        labels = np.where(taken, UNLABELED, labels)
        if self.reading.get("fold_case"):
            labels = tables.fold_labels(labels, self.known)
        classes, counts = np.unique(labels[labels != UNLABELED], return_counts=True)
        if training and not of_many and counts.sum() == len(labels):  # ids leave no row without one
            self.check_number_of_classes(classes.tolist(), len(labels), table)
        self.warn_about_classes(classes.tolist(), counts.tolist())
        return replace(corpus, labels=labels)

    def check_number_of_classes(self, classes: Sequence[str], n_rows: int, where: str) -> None:
        """Raise ValueError if most rows have a label of their own, unless that was allowed."""
        is_allowed = self.reading.get("many_classes") or set(classes) <= set(self.known)
        if is_allowed or n_rows < MANY_ROWS or len(classes) <= n_rows / 2:
            return
        raise ValueError(
            f"{where}: {len(classes)} classes in {n_rows} rows: {self.label!r} looks like "
            "a column of ids. Name another one with --label, or use --read many-classes."
        )

    def marks(self, cells: Any) -> Any:
        """Return which cells of a column of labels mean that there is none."""
        if self.unlabeled != AUTO:
            return {mark.strip() for mark in self.unlabeled.split(",")}
        return tables.find_missing(np.array([*map(str, cells)]), self.known)

    def warn_about_classes(self, classes: Sequence[str], counts: Sequence[int]) -> None:
        """Warn about too many classes, names for "no label", and classes that differ in case."""
        if sum(counts) >= MANY_ROWS and len(classes) > sum(counts) / 2:
            warn(
                f"{len(classes)} classes in {sum(counts)} rows: is {self.label!r} the label column?"
            )
            # these warnings would repeat it
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            warnings.simplefilter("ignore", FewDocumentsWarning)
            return
        known = {*map(str.casefold, self.known)}
        alike = defaultdict(list)
        for name, count in zip(classes, counts, strict=True):
            alike[name.casefold()].append(name)
            if self.unlabeled == AUTO and name.casefold() in DOUBTFUL_MARKS - known:
                warn(
                    f"{name!r} is used as a class, with {count} row{'s' if count > 1 else ''}. If "
                    f"it means that there is no label, empty these cells, or use --read "
                    f"{shlex.quote(f'unlabeled={name}')}."
                )
        for names in alike.values():
            if len(names) > 1:
                warn(
                    f"The classes {', '.join(map(repr, names))} differ only in upper and lower "
                    "case. --read fold-case makes them one class."
                )


def cells_of(column: Any) -> list[str]:
    """Return the cells of a column as strings; a missing one is empty."""
    return [str(each).strip() for each in column.astype(object).where(column.notna(), "")]


def answers_of(frame: Any, columns: str, table: str, label: str) -> dict[str, list[str]]:
    """Return the cells of columns that are separated by commas; that of labels is no source."""
    names = [each.strip() for each in columns.split(",") if each.strip()]
    if label in names:
        raise ValueError(
            f"The column {label!r} cannot be both --label and a source. If people gave these "
            "labels, leave it out of --sources."
        )
    tables.check_columns(table, [*frame.columns], {"sources": names})
    return {name: cells_of(frame[name]) for name in names}


def is_project(table: str) -> bool:
    """Return True for a project file of `honeybayes label`, also if it is missing or damaged."""
    path = Path(table)
    if path.suffix == PROJECT_ENDING or not path.is_file():
        return path.suffix == PROJECT_ENDING
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return False  # without labeling, whose import takes time
    return hb.labeling.is_project_file(table)


def project_of(table: Path) -> Path:
    """Return the project file that `honeybayes label` makes of a table, beside it."""
    name = table.name.removesuffix(".gz").removesuffix(".GZ")
    return table.with_name(Path(name).stem + PROJECT_ENDING)


def project_beside(table: str) -> str | None:
    """Return the project that `honeybayes label` made of this table, if it has labels."""
    project = project_of(Path(table))
    if is_stream(table) or not Path(table).is_file() or not project.is_file():
        return None
    labels = hb.labeling.read_project(project).corpus.labels
    return str(project) if (labels != UNLABELED).any() else None


def check_attributes(
    text: str, attributes: str | None, reading: Mapping[str, Any], **others: Any
) -> None:
    """Raise UsageError for options that do not go with attributes, or go only with them."""
    if attributes is None:
        bins = {"read n-bins": reading.get("n_bins")}
        refuse("is for columns of numbers. Use it with --attributes.", **bins)
    else:
        exclude = "and --attributes exclude each other. Omit one of them."
        refuse(exclude, text=None if text == USUAL_TEXT else text)
        refuse("is for texts. Omit it, or omit --attributes.", **others)


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, or many files, which few commands read."""
    if hb.files.is_model_file(table):
        is_swapped = model is not None and not hb.files.is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")
    if not tables.is_many(table) or tables.find_class_folders(Path(table)):
        return
    if any(file_ending(each) != ".txt" for each in tables.find_files(table)):
        what = "folder of files" if Path(table).is_dir() else "pattern"
        raise ValueError(f"{table} is a {what}, but this command reads one table. Join them.")


LACKS = {
    "predict_proba": "has no probabilities, so there is no confidence. Use a model of `honeybayes "
    "fit` without calibrate=no.",
    "outlier_score": "cannot tell outliers. Fit it with --model 'FewLabels outliers'.",
}


def load_classifier(path: str, encoder: str | None = None, needs: Sequence[str] = ()) -> Any:
    """Load a model that takes texts, and has some methods."""
    from sklearn.pipeline import Pipeline

    if is_project(path):
        raise ValueError(
            f"{path} is a project file, not a model. Use: honeybayes fit {path} -o model.hb"
        )
    model = hb.load_model(path, encoder=encoder)
    if not isinstance(model, hb.TextClassifier | Pipeline):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which takes counts, not texts."
        )
    for method in needs:
        if not hasattr(model, method):
            raise ValueError(f"{path} {LACKS[method]}")
    return model


def remembered_columns(classifier: Any) -> str | Attributes:
    """Return the column that a model was fitted to, or its attributes."""
    remembered = getattr(classifier, "_table", None) or {}
    if "attributes" in remembered:
        return Attributes.from_dict(remembered["attributes"])
    return remembered.get("text") or USUAL_TEXT


def find_class(classifier: Any, name: str | None) -> Any:
    """Return the class with this name, which may be a number in the model."""
    if name is None:
        return None
    by_name = {str(known): known for known in classifier.classes_.tolist()}
    if name not in by_name:
        raise ValueError(
            f"The model has no class {name!r}. Its classes are: {', '.join(by_name)}."
            f"{did_you_mean(name, by_name)}"
        )
    return by_name[name]


def find_seen(classifier: Any, texts: list[str]) -> np.ndarray:
    """Return which texts the model has learned from; a pipeline of scikit-learn does not know."""
    if not hasattr(classifier, "has_seen") or not texts:
        return np.zeros(len(texts), dtype=bool)
    return classifier.has_seen(texts)
