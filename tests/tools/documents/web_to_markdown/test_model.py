"""The models: decision trees, their features and the check of their files."""

import json
import math
import random
from pathlib import Path

import pytest

from mediakit.tools.documents.web_to_markdown.scoring.trees import (
    FORMAT_VERSION,
    Columns,
    ModelSchemaError,
    Split,
    dump_trees,
    load_trees,
)
from mediakit.tools.documents.web_to_markdown.selection import FEATURES, FOLDER, block_classifier

TREE: Columns = [[0], [1.0], [-1], [-2], [10.0, 20.0]]


def test_probabilities_equal_the_scores_of_single_rows() -> None:
    chance = random.Random(7)
    rows = [[chance.choice([-999, 0, 1, chance.gauss(0, 5)]) for _ in FEATURES["block_classifier"]] for _ in range(40)]
    expected = [1 / (1 + math.exp(-block_classifier().score(row))) for row in rows]
    assert block_classifier().probabilities(rows) == pytest.approx(expected)
    assert len(set(expected)) > 1


def test_dumped_trees_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(dump_trees([TREE], ["words"]))
    assert load_trees(path, ["words"]).roots == (Split(0, 1.0, 10.0, 20.0),)


@pytest.mark.parametrize("name", list(FEATURES))
def test_model_file_has_the_features_of_the_code(name: str) -> None:
    model = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert model["version"] == FORMAT_VERSION
    assert tuple(model["features"]) == FEATURES[name]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (["words", "links"], r"^model\.json: must have 2 features, has 1\. Train the models again"),
        (["links"], r'^model\.json: feature 0 must be "links", is "words"\. Train the models again'),
    ],
)
def test_model_with_other_features_raises_schema_error(tmp_path: Path, features: list[str], message: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(dump_trees([TREE], ["words"]))
    with pytest.raises(ModelSchemaError, match=message):
        load_trees(path, features)


@pytest.mark.parametrize("model", [[TREE], {"version": 0, "features": ["words"], "trees": [TREE]}])
def test_model_of_another_version_raises_schema_error(tmp_path: Path, model: object) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    with pytest.raises(ModelSchemaError, match=r"^model\.json: must be a model file of version 2\."):
        load_trees(path, ["words"])
