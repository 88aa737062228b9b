"""``honeybayes evaluate``: how good a model is on labeled texts that it has not seen."""

from typing import Any

from honeybayes.cli._options import (
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    LabeledTable,
    ModelFile,
    Quotes,
    TextColumn,
)


def evaluate(
    model: ModelFile,
    table: LabeledTable,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    format: Format = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quotes: Quotes = True,
    json: Json = False,
) -> None:
    """Measure a model on labeled texts that it was not fitted to.

    Example: honeybayes evaluate model.hb test.csv --text body --label queue
    """
    import numpy as np
    from sklearn.metrics import precision_recall_fscore_support

    from honeybayes.cli._loading import load_classifier, refuse_model_as_table
    from honeybayes.cli._reading import read_labeled_rows
    from honeybayes.cli._terminal import print_json, print_table
    from honeybayes.evaluate import measure

    refuse_model_as_table(table, model)
    corpus = read_labeled_rows(table, text, label, format, delimiter, encoding, quotes)
    classifier = load_classifier(model)
    truth = corpus.labels
    answers = np.asarray(classifier.predict(corpus.documents)).astype(str)
    classes = np.unique(np.concatenate([truth, answers]))
    by_class = precision_recall_fscore_support(truth, answers, labels=classes, zero_division=0)
    names = ["precision", "recall", "f1", "documents"]
    rows = [
        dict(zip(["class", *names], [name, *map(float, values)], strict=True))
        for name, *values in zip(classes.tolist(), *by_class, strict=True)
    ]
    measured = measure(_WithNames(classifier), corpus.documents, truth, answers)
    if json:
        print_json({"documents": len(corpus), **measured, "classes": rows})
        return
    print_table(["measure", "value"], [[name, f"{value:.4f}"] for name, value in measured.items()])
    print()
    print_table(
        ["class", *names],
        [
            [row["class"], *(f"{row[name]:.3f}" for name in names[:3]), f"{row['documents']:.0f}"]
            for row in rows
        ],
    )
    unknown = sorted(set(truth.tolist()) - set(map(str, classifier.classes_.tolist())))
    if unknown:
        print(f"\nThe model does not know: {', '.join(unknown)}.")


class _WithNames:
    """A model whose classes go by their names, as they do in a table."""

    def __init__(self, model: Any) -> None:
        self.model, self.classes_ = model, model.classes_.astype(str)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)
