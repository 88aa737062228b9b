"""Model files that an earlier version wrote load, and the models answer as they did."""

import json
import zipfile

import numpy as np
import pytest
import sklearn

from honeybayes import ModelFileError, load_model
from tests.estimators import TEXTS
from tests.files.make_golden import ANSWERS, FOLDERS, answers

EXPECTED = {
    folder / f"{name}.hb": expected
    for folder in FOLDERS
    for name, expected in json.loads((folder / ANSWERS).read_text(encoding="utf-8")).items()
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_files(path):
    try:
        model = load_model(path)
    except ModelFileError as error:
        with zipfile.ZipFile(path) as archive:
            writer = json.loads(archive.read("honeybayes.json"))["scikit-learn"]
        if writer == sklearn.__version__ or f"saved with scikit-learn {writer}" not in str(error):
            raise
        pytest.skip(str(error))  # parts of scikit-learn may change between its versions
    found = answers(model)
    assert found.pop("predict") == EXPECTED[path]["predict"]
    for method, numbers in found.items():
        np.testing.assert_allclose(numbers, EXPECTED[path][method], rtol=1e-9, atol=1e-12)


def test_every_golden_file_is_tested():
    assert {path for folder in FOLDERS for path in folder.glob("*.hb")} == set(EXPECTED)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_golden_file_knows_its_training_texts(folder):
    model = load_model(folder / "digests.hb")
    assert model.has_seen([*TEXTS, "words never seen"]).tolist() == [True] * len(TEXTS) + [False]
