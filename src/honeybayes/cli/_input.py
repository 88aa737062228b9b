"""What the user gives: settings inside options, tables, and model files."""

import shlex
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from click import BOOL, BadParameter, Choice, IntRange

import honeybayes as hb
from honeybayes import tables
from honeybayes.cli._output import UsageError, refuse, warn
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.tables import Attributes, Corpus, file_ending, is_stream
from honeybayes.text import ATTRIBUTES, TextAnalyzer
from honeybayes.utils.labels import AUTO, DOUBTFUL_MARKS, UNLABELED
from honeybayes.utils.messages import did_you_mean, say_rows
from honeybayes.zoo import is_model_name, settings_of, split_settings

Parsers = Mapping[str, Callable[[str], Any]]
YES, NO = "yes", "no"
FOR_FEW_LABELS, OUTLIERS, CALIBRATE = "FewLabels", "outliers", "calibrate"
TAB = "tab"  # which cannot be typed in most shells
FORMAT_ALIASES = {"jsonl": "json-lines", "ndjson": "json-lines"}
STOP_WORD_CHOICES = {"remove": True, "keep": False, "True": True, "False": False}
MOST = 2**31 - 1  # of a whole number; there are never more documents or terms
MOST_IN_PATH = 255  # characters; longer names are an error of the system
USUAL_TEXT, USUAL_LABEL = "text", "label"  # the default names of the columns
PROJECT_ENDING = ".hbproject"
MANY_ROWS = 20  # scikit-learn, too, warns about many classes beyond it
MOST_SHOWN = 40  # characters of a text in a message
REMEMBERED = ("unlabeled", "fold_case")  # settings of --read that the model keeps


def parse_settings(option: str, typed: str, parsers: Parsers) -> dict[str, Any]:
    """Return settings by the name of their parameter; a switch without a value means yes.

    A value with spaces is in quotes. Raises UsageError that names the wrong word.
    """
    found: dict[str, Any] = {}
    words = shlex.shlex(typed, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    try:
        given = [word.partition("=") for word in words]
    except ValueError as error:
        raise UsageError(f"{option}: a quote is not closed in {typed!r}.") from error
    for typed_name, has_value, value in given:
        name, parameter = typed_name.replace("_", "-"), typed_name.replace("-", "_")
        if name not in parsers:
            raise UsageError(
                f"{option} has no setting {name!r}. The settings are: {', '.join(parsers)}."
                f"{did_you_mean(name, list(parsers))}"
            )
        parser: Any = parsers[name]
        if not has_value and parser is not BOOL:
            raise UsageError(f"{option}: {name} needs a value: {name}=...")
        if parameter in found:
            raise UsageError(f"{option}: {name} is there twice. Leave out one of them.")
        try:
            found[parameter] = parser(value if has_value else YES)
        except (ValueError, BadParameter) as error:
            told = "it must be yes or no." if parser is BOOL else str(error)
            if isinstance(parser, IntRange):
                told = f"it must be a whole number, at least {parser.min} and at most {parser.max}."
            raise UsageError(f"{option}: {name}={value} is wrong: {told}") from error
    return found


def split_model(typed: str) -> tuple[str, Any]:
    """Split ``--model`` into a name with its settings, and ``calibrate`` of `TextClassifier`."""
    name, words = split_settings(typed)
    own = [word for word in words if word.partition("=")[0] == CALIBRATE]
    settings = [word for word in words if word not in own]
    if name == AUTO and settings == [f"{OUTLIERS}={NO}"]:
        settings = []
    if name == AUTO and settings[:1] in ([OUTLIERS], [f"{OUTLIERS}={YES}"]):
        name = FOR_FEW_LABELS  # the only one that can tell them
    elif name == AUTO and settings:
        raise UsageError(f"{AUTO} chooses the model, so {settings[0]} cannot be set. Name a model.")
    known = settings_of(name) if settings and is_model_name(name) else {}
    for word in (each.partition("=")[0] for each in settings):
        if known and word not in known:
            allowed = [CALIBRATE, *known]
            raise UsageError(
                f"--model: {name} has no setting {word!r}. Its settings are: {', '.join(allowed)}."
                f"{did_you_mean(word, allowed)}"
            )
    found = parse_settings("--model", " ".join(own), {CALIBRATE: BOOL})
    return " ".join([name, *settings]), AUTO if found.get(CALIBRATE, True) else None


def split_models(typed: str) -> list[str]:
    """Split ``--models`` at commas, but not inside "Rw,cMNB", nor in a list of numbers."""
    names: list[str] = []
    for part in typed.split(","):
        both = ",".join([*names[-1:], part])
        goes_on = is_model_name(both) and not is_model_name(names[-1]) if names else False
        if goes_on or (names and "=" in names[-1] and part.replace(".", "").isdecimal()):
            names[-1] = both
        else:
            names.append(part.strip())
    return names


def join_settings(settings: Mapping[str, Any]) -> str:
    """Return settings as they are typed, so that `parse_settings` returns them again."""
    words = []
    for name, value in settings.items():
        text = str(value)
        if isinstance(value, bool):
            text = YES if value else NO
        elif (name, value) == ("delimiter", "\t"):
            text = TAB
        is_plain = text and not set(text) & set(" \t\r\n'\"")
        words.append(f"{name.replace('_', '-')}={text if is_plain else shlex.quote(text)}")
    return " ".join(words)


def _parse_delimiter(typed: str) -> str:
    if not typed:
        raise ValueError(f"it must be a character such as ; or {TAB}.")
    return "\t" if typed in ("\\t", TAB) else typed


def _parse_range(typed: str) -> tuple[int, int]:
    parts = typed.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError("it must be two integers such as 1,2.")
    lengths = int(parts[0]), int(parts[1])
    if lengths[1] > MOST:
        raise ValueError(f"it must be two integers such as 1,2, at most {MOST}.")
    TextAnalyzer(stop_words=False, ngram_range=lengths)  # raises ValueError if out of range
    return lengths


READ: Parsers = {
    "format": lambda name: FORMAT_ALIASES.get(name.lower(), name),
    "delimiter": _parse_delimiter,
    "encoding": str,
    "sheet": str,
    "quotes": BOOL,
}
READ_LABELS: Parsers = {**READ, "keep-model-labels": BOOL, "fold-case": BOOL, "unlabeled": str}
READ_TRAINING: Parsers = {**READ_LABELS, "many-classes": BOOL, "n-bins": IntRange(2, MOST)}
WORDS: Parsers = {
    "stem": BOOL,
    "stop-words": Choice([AUTO, *STOP_WORD_CHOICES]),
    "clean-html": BOOL,
    "min-df": IntRange(1, MOST),
    "ngram-range": _parse_range,
    "n-terms": IntRange(1, MOST),
}


def text_settings(
    language: str, words: str, stop_words: Any, attributes: str | None
) -> dict[str, Any]:
    """Return language and ``--words`` as parameters of `TextClassifier`.

    ``stop_words`` says what to do with stop words if ``--words`` does not.
    """
    given = parse_settings("--words", words, WORDS)
    typed = given.pop("stop_words", stop_words)
    choice = STOP_WORD_CHOICES.get(typed, typed)
    if attributes is not None:
        of_texts = {f"words {name}": name in given for name in ("stem", "ngram_range")}
        refuse("is for texts. Omit it.", **of_texts)
        return {"language": ATTRIBUTES, "stop_words": False, **given}
    if language != AUTO:
        TextAnalyzer(language)  # raises ValueError if it is unknown
    return {"language": language, "stop_words": choice, **given}


def parse_classes(text: str) -> dict[str, str]:
    """Read "name: words" of each class, from a file or separated by semicolons."""
    path = Path(text)
    is_file = len(text) < MOST_IN_PATH and path.is_file()
    if not is_file and ":" not in text and path.suffix == ".txt":
        raise ValueError(f"There is no file {text}. --classes takes a file, or names of classes.")
    lines = path.read_text(encoding="utf-8-sig").splitlines() if is_file else text.split(";")
    classes: dict[str, str] = {}
    for line in filter(str.strip, lines):
        name, _, words = line.partition(":")
        name = name.strip()
        if not name or name in classes:
            what = f"names {name!r} twice" if name else f"has no name before {line.strip()!r}"
            raise ValueError(f"--classes {what}. Write 'name: words; name: words'.")
        classes[name] = words.strip()
    if len(classes) == 1 and "," in next(iter(classes)) and not is_file:
        raise ValueError(
            f"--classes {text!r} names one class. Separate classes with ; not with a comma."
        )
    if not classes:
        raise ValueError("--classes names no class. Write 'name: words; name: words'.")
    return classes


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
        beside = None if text is None or of_many else project_beside(table)
        if beside is not None and not self._has_labels(table):
            raise ValueError(
                f"{table} has no column {self.label!r}, but {beside} has the labels of the page. "
                f"Use it instead of the table: {beside}."
            )
        if beside is not None and training:
            warn(
                f"The labels of the column {self.label!r} are used, not those that were given on "
                f"the page. To use these, name {beside} instead of the table."
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
            corpus = tables.read_corpus(table, **options)
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
        used = [self.label, self.id, self.text if isinstance(self.text, str) else None]
        better = tables.find_label_column(tables.read_columns(table, **self.options), used)
        advice = "" if better is None else f" {better!r} may be the column with the labels."
        raise ValueError(
            f"{where or table}: {len(classes)} classes in {n_rows} rows: {self.label!r} looks like "
            f"a column of ids, not of labels.{advice} Name it with --label. If these are classes, "
            "use --read many-classes."
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


def project_beside(table: str) -> str | None:
    """Return the project that `honeybayes label` made of this table, if it has labels."""
    project = project_of(Path(table))
    if is_stream(table) or not Path(table).is_file() or not project.is_file():
        return None
    labels = hb.labeling.read_project(project).corpus.labels
    return str(project) if (labels != UNLABELED).any() else None


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
