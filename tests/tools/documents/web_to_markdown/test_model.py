"""The models: decision trees, their features and the check of their files."""

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mediakit.tools.documents.web_to_markdown.scoring.trees import (
    FORMAT_VERSION,
    Columns,
    ModelSchemaError,
    load_trees,
)
from mediakit.tools.documents.web_to_markdown.selection import FEATURES, FOLDER, load_model

TREE: Columns = [[0], [1.0], [-1], [-2], [10.0, 20.0]]
MODEL_OF_WORDS = {"version": FORMAT_VERSION, "features": ["words"], "trees": [TREE, [[], [], [], [], [1.0]]]}


def test_probabilities_equal_the_sum_of_the_trees_of_each_row() -> None:
    chance = random.Random(7)
    rows = [[chance.choice([-999, 0, 1, chance.gauss(0, 5)]) for _ in FEATURES["block_classifier"]] for _ in range(140)]
    trees = _model_file("block_classifier")["trees"]
    expected = [1 / (1 + math.exp(-sum(_leaf(tree, row) for tree in trees))) for row in rows]
    assert load_model("block_classifier").probabilities(np.array(rows)) == pytest.approx(expected)
    assert len(set(expected)) > 1


def _model_file(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def _leaf(tree: Columns, row: list[float]) -> float:
    features, thresholds, left, right, leaves = tree
    node = 0
    while node >= 0:
        node = left[node] if row[features[node]] <= thresholds[node] else right[node]
    return float(leaves[-1 - node])


def test_trees_of_a_model_file_are_added(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(MODEL_OF_WORDS))
    assert load_trees(path, ["words"]).scores(np.array([[1.0], [1.5]])).tolist() == [11.0, 21.0]


@pytest.mark.parametrize("name", list(FEATURES))
def test_model_file_has_the_features_of_the_code(name: str) -> None:
    model = _model_file(name)
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
    path.write_text(json.dumps(MODEL_OF_WORDS))
    with pytest.raises(ModelSchemaError, match=message):
        load_trees(path, features)


@pytest.mark.parametrize("model", [[TREE], {"version": 0, "features": ["words"], "trees": [TREE]}])
def test_model_of_another_version_raises_schema_error(tmp_path: Path, model: object) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    with pytest.raises(ModelSchemaError, match=r"^model\.json: must be a model file of version 2\."):
        load_trees(path, ["words"])
