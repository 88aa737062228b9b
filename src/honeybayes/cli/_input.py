"""What the user gives: tables, projects, and model files."""

import shlex
import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import honeybayes as hb
from honeybayes import tables
from honeybayes.cli._output import refuse, warn
from honeybayes.cli._settings import READ
from honeybayes.exceptions import FewDocumentsWarning, MissingColumnError
from honeybayes.tables import Attributes, Corpus, file_ending, is_stream
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
        of_fit = getattr(classifier, "_table", None) or {}
        remembered = of_fit.get("text") or USUAL_TEXT
        if "attributes" in of_fit:
            remembered = Attributes.from_dict(of_fit["attributes"])
        if text is not None and not isinstance(remembered, str):
            raise ValueError("The model was fitted with --attributes, not with texts. Omit --text.")
        reading = {name: of_fit[name] for name in REMEMBERED if name in of_fit} | reading
        known = tuple(map(str, classifier.classes_.tolist()))
        found = cls(text or remembered, reading=reading, known=known, **others)
        if text is not None or not isinstance(remembered, str) or remembered == USUAL_TEXT:
            return found
        columns = found._columns_of(table, USUAL_TEXT)
        if columns and remembered not in columns and not set(remembered.split(",")) <= columns:
            warn(
                f"{table} has no column {remembered!r}, to which the model was fitted, so the "
                f"texts are read from the column {USUAL_TEXT!r}. Name another one with --text."
            )
            found.text = USUAL_TEXT
        return found

    def __post_init__(self) -> None:
        """Keep what was given of the options of `open_table`, and which labels are none.

        Raise UsageError for options that do not go with attributes, or go only with them.
        """
        if self.attributes is None:
            bins = {"read n-bins": self.reading.get("n_bins")}
            refuse("is for columns of numbers. Use it with --attributes.", **bins)
        elif isinstance(self.text, str) and self.text != USUAL_TEXT:
            refuse("and --attributes exclude each other. Omit one of them.", text=self.text)
        self.options = {name: value for name, value in self.reading.items() if name in READ}
        self.unlabeled: str = self.reading.get("unlabeled", AUTO)

    def _format_of(self, table: str) -> str | None:
        """Return the format that was given, or that the ending says."""
        return self.options.get("format") or tables.FORMAT_OF_ENDING.get(file_ending(table))

    def _columns_of(self, table: str, text: str) -> set[str]:
        """Return the columns of a table; none if it has no such text, or cannot be read twice."""
        if is_stream(table) or not Path(table).is_file() or self._format_of(table) == "lines":
            return set()
        try:
            rows = tables.open_table(table, {"text": text}, **self.options)
            return {*(rows.columns or next(rows.frames).columns)}
        except (ValueError, StopIteration):
            return set()  # the error is raised again where it is explained

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
            raise ValueError(
                f"{table} has one text per line and no column {name!r}. Omit --{option}."
            )
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

    def _read_unlabeled(self, table: str) -> Corpus:
        """Read texts that need no labels."""
        check_table(table)
        rows = self.open(table)
        texts = [words for frame in rows.frames for words in self.texts_of(frame, rows)]
        found = Corpus(table, texts, np.full(len(texts), UNLABELED))
        return tables.without_blank(found, table)

    def read_pool(self, table: str) -> list[str]:
        """Read texts of the pool, whose format and sheet are its own."""
        kept = self.reading.keys() - {"format", "sheet"}
        reading = {name: self.reading[name] for name in kept}
        return replace(self, reading=reading, source="pool")._read_unlabeled(table).documents

    def find_row(self, table: str, wanted: str) -> str:
        """Return the text of one row of a table: by its id, or by its number, counted from 1."""
        _, frame, texts = self.read_rows(table, id=self.id)
        names = range(1, len(frame) + 1) if self.id is None else frame[self.id].tolist()
        both = zip(names, texts, strict=True)
        found = [words for name, words in both if str(name).strip() == wanted.strip()]
        if len(found) != 1:
            what = "no row" if not found else f"{len(found)} rows"
            raise ValueError(
                f"{table} has {what} {wanted!r}"
                f"{f' in the column {self.id!r}' if self.id else ''}. Name one row by its number, "
                "counted from 1 without the header, or use --id with a column whose cells differ."
            )
        return found[0]

    def _has_labels(self, table: str) -> bool:
        """Return False for a file of lines, and for a table without the usual column of labels."""
        format = self._format_of(table)
        if is_stream(table) or self.label != USUAL_LABEL or not tables.has_label_column(format):
            return format != "lines"
        return self.label in self._columns_of(table, str(self.text))

    def read_labeled(
        self, table: str, training: bool = False, of_many: bool = False, needs_labels: bool = True
    ) -> Corpus:
        """Read texts with their labels; the label of an unlabeled text is an empty string.

        Of a project file, only the labels that a person gave are read; of a table, too, by
        default. For ``training``, a column of labels that looks like ids is an error, except in
        one ``of_many`` files; if the classes are known, or no label is needed, there may be no
        column.
        """
        check_table(table)
        text = self.text if isinstance(self.text, str) and self.attributes is None else None
        if is_project(table):
            if text is None:
                raise ValueError(f"{table} is a project of texts, which have no attributes.")
            corpus = (self.project or hb.labeling.read_project(table)).corpus
            return tables.without_blank(corpus, table)
        is_optional = bool(self.known) or not needs_labels
        if training and is_optional and text and not self._has_labels(table):
            return self._read_unlabeled(table)
        format = self.reading.get("format") or tables.detect_format(table)
        options = self.options | {"format": format}
        beside, has_others = None, False
        if text is not None and not of_many:
            beside, has_others = project_beside(table, self.label)
        if beside is not None and not self._has_labels(table):
            raise ValueError(
                f"{table} has no column {self.label!r}, but {beside} has labels. "
                f"Use it instead of the table: {beside}."
            )
        if has_others and training:
            warn(
                f"The labels of the column {self.label!r} are used, not those of {beside}. To use "
                "these, name it instead of the table."
            )
        if tables.has_label_column(format):
            keep_model_labels = self.reading.get("keep_model_labels", False)
            options |= {"keep_unlabeled": True, "keep_model_labels": keep_model_labels}
        if text is None and format == "folders":
            raise ValueError(f"{table} is a folder of texts without columns. Omit --attributes.")
        if text is None:
            columns = self.attributes or self.text
            options |= {"id": self.id, "n_bins": self.reading.get("n_bins")}
            corpus, self.text = tables.read_attributes(table, self.label, columns, **options)
        else:
            if format != "folders":
                options |= {"text": text, "label": self.label, "id": self.id}
            try:
                corpus = tables.read_corpus(table, **options)
            except MissingColumnError as error:
                if error.column != self.label:
                    raise
                advice = self._likely_labels(table)
                if training:
                    advice += " To learn without labels, name the classes with --classes, or label "
                    advice += "some texts with `honeybayes label`."
                raise ValueError(f"{error}{advice}") from error
        if not isinstance(corpus.documents, list):
            raise ValueError(f"{table} contains counts of terms. The command line needs texts.")
        if text is not None and format != "folders":
            self._check_words(text, corpus.documents, table)
        # in one of many files, 1.0 is always 1, as in the other files
        labels = tables.spell_numbers(corpus.labels, self.known, of_many)
        taken = np.isin(labels, list(self.marks(labels)))
        marked = Counter(labels[taken].tolist()) if self.unlabeled == AUTO else {}
        for name, count in sorted(marked.items()):
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

    def _likely_labels(self, table: str) -> str:
        """Return which other column may have the labels, after a space, or an empty string."""
        texts = str(self.text)
        used = [self.label, self.id, texts, *texts.split(",")]
        better = tables.find_label_column(tables.read_columns(table, **self.options), used)
        return "" if better is None else f" {better!r} may be the column with the labels."

    def _check_words(self, column: str, texts: list[str], table: str) -> None:
        """Raise ValueError if no text has a word; warn if they look like ids."""
        is_wrong = not tables.has_words(texts)
        if not is_wrong and not (len(texts) >= MANY_ROWS and tables.are_ids(texts)):
            return
        used = [column, *column.split(","), self.label, self.id]
        better = tables.find_text_column(tables.read_columns(table, **self.options), used)
        advice = "" if better is None else f" The longest texts are in the column {better!r}."
        advice += " Name the column with the texts with --text."
        if is_wrong:
            raise ValueError(
                f"{table}: the column {column!r} has no words, only values such as "
                f"{texts[0][:MOST_SHOWN]!r}.{advice}"
            )
        warn(f"The texts in the column {column!r} look like ids, such as {texts[0]!r}.{advice}")

    def check_number_of_classes(
        self, classes: Sequence[str], n_rows: int, table: str, where: str | None = None
    ) -> None:
        """Raise ValueError if most rows have a label of their own, unless that was allowed."""
        is_allowed = self.reading.get("many_classes") or set(classes) <= set(self.known)
        if is_allowed or n_rows < MANY_ROWS or len(classes) <= n_rows / 2:
            return
        raise ValueError(
            f"{where or table}: {len(classes)} classes in {n_rows} rows: {self.label!r} looks like "
            f"a column of ids, not of labels.{self._likely_labels(table)} Name it with --label. If "
            "these are classes, use --read many-classes."
        )

    def marks(self, cells: Any) -> Any:
        """Return which cells of a column of labels mean that there is none."""
        if self.unlabeled != AUTO:
            return {mark.strip() for mark in self.unlabeled.split(",")}
        return tables.find_missing(np.array([*map(str, cells)]), self.known)

    def warn_about_classes(self, classes: Sequence[str], counts: Sequence[int]) -> None:
        """Warn about too many classes, names for "no label", and classes that differ in case."""
        n_rows = sum(counts)
        if n_rows >= MANY_ROWS and len(classes) > n_rows / 2:
            warn(f"{len(classes)} classes in {n_rows} rows: is {self.label!r} the label column?")
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
            "labels, leave it out of --sources. If not, name another column with --label, or "
            "rename this one."
        )
    tables.check_columns(table, [*frame.columns], {"sources": names})
    return {name: cells_of(frame[name]) for name in names}


def is_project(table: str) -> bool:
    """Return True for a project file of `honeybayes label`, also if it is missing or damaged."""
    path = Path(table)
    if path.suffix == PROJECT_ENDING or not path.is_file():
        return path.suffix == PROJECT_ENDING
    with path.open("rb") as file:
        is_database = file.read(15) == b"SQLite format 3"
    return is_database and hb.labeling.is_project_file(table)  # whose import takes time


def project_of(table: Path) -> Path:
    """Return the project file that `honeybayes label` makes of a table, beside it."""
    name = table.name.removesuffix(".gz").removesuffix(".GZ")
    return table.with_name(Path(name).stem + PROJECT_ENDING)


def project_beside(table: str, column: str | None = None) -> tuple[str | None, bool]:
    """Return the project with labels beside a table, and whether some are not of the column."""
    project = project_of(Path(table))
    if is_stream(table) or not Path(table).is_file() or not project.is_file():
        return None, False
    with hb.labeling.Project.open(project) as opened:
        purposes = {each.purpose for each in opened.ledger.state.labels.values()}
        of_column = {"imported"} if opened.settings.get("label") == column else set()
    return str(project) if purposes else None, not purposes <= of_column


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
        raise ValueError(
            f"{table} is a {what}, but this command reads one table. Join the files into one."
        )


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
            f"{path} is a project file, not a model. Make a model of it first: honeybayes fit "
            f"{path} -o model.hb"
        )
    model = hb.load_model(path, encoder=encoder)
    if not isinstance(model, hb.TextClassifier | Pipeline):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which takes counts, not texts. The command "
            "line needs a TextClassifier, as `honeybayes fit` writes it."
        )
    for method in needs:
        if not hasattr(model, method):
            raise ValueError(f"{path} {LACKS[method]}")
    return model


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
