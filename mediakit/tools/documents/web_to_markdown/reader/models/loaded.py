"""The models of the reader."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from mediakit.tools.documents.web_to_markdown.reader.block_selection import COMPARISON_FEATURES
from mediakit.tools.documents.web_to_markdown.reader.features.blocks import BLOCK_FEATURES
from mediakit.tools.documents.web_to_markdown.reader.features.reader_view import VIEW_FEATURES
from mediakit.tools.documents.web_to_markdown.reader.models.trees import Trees, load_trees

FOLDER = Path(str(files(__package__)))

FEATURES: dict[str, tuple[str, ...]] = {
    "block_classifier": (*BLOCK_FEATURES, *VIEW_FEATURES),
    "view_gain": COMPARISON_FEATURES,
}
"""Features by model."""


@cache
def block_classifier() -> Trees:
    """Load the model of the probability that a block is main content."""
    return _load("block_classifier")


@cache
def view_gain_model() -> Trees:
    """Load the model of the F1 that the reader view gains over the selected blocks."""
    return _load("view_gain")


def _load(name: str) -> Trees:
    return load_trees(FOLDER / f"{name}.json", FEATURES[name])
