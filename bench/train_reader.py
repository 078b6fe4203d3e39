"""Train the models of the reader: `python -m bench.train_reader FOLDER...` writes the two model files.

The first model classifies the text blocks of a page. The second one predicts on which pages the reader view is better
than the selected blocks.
They are trained on annotated pages (see `corpus.py`). Before the files are written, the command prints the F1 scores of
a cross-validation in which all pages of a site are in the same fold, and so are pages with nearly the same text.
Requires lightgbm, numpy and the development dependencies.
"""

import argparse
import json
import logging
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from zlib import crc32

from bench.corpus import Page, mean_by_corpus, quality, read_pages, words
from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.tools.documents.web_to_markdown import selection
from mediakit.tools.documents.web_to_markdown.clean import clean_page
from mediakit.tools.documents.web_to_markdown.metadata.page_metadata import page_metadata
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import structured_data
from mediakit.tools.documents.web_to_markdown.scoring.features import compute_features, view_features
from mediakit.tools.documents.web_to_markdown.scoring.page_features import page_type_features
from mediakit.tools.documents.web_to_markdown.scoring.trees import FORMAT_VERSION, Columns
from mediakit.tools.documents.web_to_markdown.selection import (
    FEATURES,
    FOLDER,
    comparison_features,
    select_blocks,
    word_counts,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage, segment_page

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
SHUFFLES = (1, 2)
"""Seeds of the cross-validations of the first model, whose results the second one is trained on."""

MAX_SAMPLED_BLOCKS = 110
"""Blocks that are sampled from one page, so that long pages do not dominate."""

MAX_SHORT_LABEL = 3
"""Letters of a second-level label such as `co` in `co.uk`."""

COMPARED_WORDS = 8
"""Consecutive words by which nearly equal pages are found."""

MIN_COMPARED_CHARACTERS = 80
"""Shorter blocks, such as those of menus, are not compared."""

MIN_SHARED_TEXT = 0.3
"""Share of the compared words from which two pages are nearly equal."""

CLASSIFIER_PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.08,
    "num_leaves": 31,
    "max_depth": 8,
    "max_bin": 63,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10,
    "verbose": -1,
    "seed": 3,
    "num_threads": 1,
    "force_col_wise": True,
    "deterministic": True,
}
VIEW_GAIN_PARAMETERS = CLASSIFIER_PARAMETERS | {
    "objective": "regression",
    "learning_rate": 0.07,
    "num_leaves": 6,
    "min_data_in_leaf": 12,
    "feature_fraction": 0.5,
    "lambda_l2": 3,
}
CLASSIFIER_TREES, VIEW_GAIN_TREES = 150, 60

LOG_ODDS_SHIFT = -0.35
"""Added to the log-odds of each block. The labels of blocks without main content are too high, because some of their
words match words of the main content by chance.
"""

BLOCK_WEIGHTS = {"mozilla": 1.3, "aeb": 1.3}
"""Weights of the blocks of small corpora. All others have a weight of 1."""

PAGE_WEIGHTS = {"mozilla": 3.0, "aeb": 1.5}
"""Weights of the pages of small corpora. All others have a weight of 1."""

LEAF_DIGITS = 5
"""Decimal digits of the values of leaves in a model file."""

Rows = list[list[float]]


@dataclass
class Example:
    """An annotated page with its features."""

    page: Page
    site: str
    texts: list[str]
    """Text of each block."""
    counts: list[float]
    """Words of each block."""
    view: list[bool]
    """Whether each block is in the reader view."""
    rows: "NDArray[Any]"
    """Features of each block."""
    labels: list[float]
    """Share of each block that is main content."""
    weights: list[float]
    page_features: list[float]

    def score(self, is_selected: Sequence[bool]) -> float:
        """Return the F1 score of a selection of blocks."""
        return quality(self.page, "\n".join(text for text, keep in zip(self.texts, is_selected, strict=True) if keep))


def example_of(page: Page) -> Example | None:
    """Return a page with its features. None for pages without text and pages with too many blocks."""
    root = parse_html(page.html)
    data = structured_data(root)
    metadata = page_metadata(root, page.url, data)
    title, address = metadata["title"], page.url if "." in _host(page.url) else ""
    clean_page(root, page.html, only_content=True)
    body = body_of(root)
    segmented = segment_page(body, block_ancestors(body))
    if not 0 < len(segmented.blocks) <= selection.MAX_CLASSIFIED_BLOCKS:
        return None
    view = selection.reader_view_blocks(segmented, body, title)
    features = compute_features(segmented, page_type_features(data, address), title)
    labels, weights = _labels(page, segmented)
    return Example(
        page=page,
        site=_site(address or metadata["canonical"] or "") or page.key,
        texts=[block.text for block in segmented.blocks],
        counts=word_counts(segmented),
        view=view,
        rows=_join_rows(features.blocks, view_features(segmented, view)),
        labels=labels,
        weights=weights,
        page_features=features.page,
    )


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _site(address: str) -> str:
    """Return the registrable domain, approximately: the last two labels, or three for domains such as `co.uk`."""
    labels = _host(address).split(".")
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= MAX_SHORT_LABEL else -2 :])


def _join_rows(rows: Rows, extra_rows: Rows) -> "NDArray[Any]":
    import numpy as np

    return np.hstack([np.array(rows, dtype=np.float32), np.array(extra_rows, dtype=np.float32)])


def _labels(page: Page, segmented: SegmentedPage) -> tuple[list[float], list[float]]:
    """Return the share of each block that is main content, and the weight of each block."""
    if page.text is None:
        return _labels_of_segments(page.truth, segmented)
    located = [(word, block.index) for block in segmented.blocks for word in words(block.text)]
    matcher = SequenceMatcher(None, [word for word, _ in located], words(page.text), autojunk=False)
    hits, counts = [0] * len(segmented.blocks), [0] * len(segmented.blocks)
    for _, index in located:
        counts[index] += 1
    for match in matcher.get_matching_blocks():
        for _, index in located[match.a : match.a + match.size]:
            hits[index] += 1
    labels = [hit / count if count else 0.0 for hit, count in zip(hits, counts, strict=True)]
    return labels, _normalize([count**0.75 + 0.3 if count else 0.0 for count in counts], 100)


def _labels_of_segments(truth: dict[str, Any], segmented: SegmentedPage) -> tuple[list[float], list[float]]:
    labels, weights = [], []
    for block in segmented.blocks:
        is_content = any(
            part in block.text or (len(block.text) > 25 and block.text in part) for part in truth.get("with", ())
        )
        is_boilerplate = any(part in block.text for part in truth.get("without", ()))
        labels.append(float(is_content))
        weights.append(len(words(block.text)) ** 0.75 + 1 if is_content or is_boilerplate else 0.0)
    return labels, _normalize(weights, 50)


def _normalize(weights: list[float], total: float) -> list[float]:
    current = sum(weights) or 1.0
    return [weight / current * total for weight in weights]


def group_examples(examples: Sequence[Example]) -> list[str]:
    """Return a group for each page. Pages of one site, and pages with nearly the same text, are in the same group."""
    group = {example.site: example.site for example in examples}

    def find(site: str) -> str:
        while group[site] != site:
            site = group[site]
        return site

    sizes = [0] * len(examples)
    pages_with: dict[int, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        found = _compared_hashes(example)
        sizes[index] = len(found)
        for number in found:
            pages_with[number].append(index)
    shared = Counter(pair for indexes in pages_with.values() for pair in combinations(indexes[:20], 2))
    for (first, second), count in shared.items():
        if count >= MIN_SHARED_TEXT * max(5, min(sizes[first], sizes[second])):
            group[find(examples[first].site)] = find(examples[second].site)
    return [find(example.site) for example in examples]


def _compared_hashes(example: Example) -> set[int]:
    """Return checksums of one in eight sequences of words of the longer blocks."""
    found = words(" ".join(text for text in example.texts if len(text) > MIN_COMPARED_CHARACTERS))
    sequences = (" ".join(found[start : start + COMPARED_WORDS]) for start in range(len(found) - COMPARED_WORDS + 1))
    return {number for sequence in sequences if (number := crc32(sequence.encode())) % 8 == 0}


def fit_classifier(examples: Sequence[Example], seed: int) -> Any:
    """Train the model of the probability that a block is main content."""
    import lightgbm
    import numpy as np

    chance = random.Random(seed)
    rows, labels, weights = [], [], []
    for example in examples:
        share = min(1.0, MAX_SAMPLED_BLOCKS / len(example.rows))
        for row, label, weight in zip(example.rows, example.labels, example.weights, strict=True):
            if weight and chance.random() < share:
                rows.append(row)
                labels.append(label)
                weights.append(weight / share * BLOCK_WEIGHTS.get(example.page.corpus, 1.0))
    data = lightgbm.Dataset(np.array(rows), np.array(labels), weight=np.array(weights))
    return lightgbm.train(CLASSIFIER_PARAMETERS, data, CLASSIFIER_TREES)


def fit_view_gain(trials: "Sequence[Trial]") -> Any:
    """Train the model of the F1 that the reader view gains over the selected blocks."""
    import lightgbm
    import numpy as np

    gains = np.array([trial.view_f1 - trial.f1 for trial in trials])
    weights = np.array([PAGE_WEIGHTS.get(trial.example.page.corpus, 1.0) for trial in trials])
    data = lightgbm.Dataset(np.array([trial.features for trial in trials]), gains, weight=weights)
    return lightgbm.train(VIEW_GAIN_PARAMETERS, data, VIEW_GAIN_TREES)


@dataclass
class Trial:
    """The result for a page from a classifier that was trained without the pages of its site."""

    example: Example
    fold: int
    features: list[float]
    """Features that compare the selected blocks with the reader view."""
    f1: float
    """Score of the selected blocks."""
    view_f1: float


def trial_of(example: Example, fold: int, model: Any) -> Trial:
    """Return the selection by a classifier, computed as the reader does."""
    import numpy as np

    scores = model.predict(example.rows, raw_score=True) + LOG_ODDS_SHIFT
    probabilities = (1 / (1 + np.exp(-scores))).tolist()
    selection = select_blocks(probabilities, example.counts)
    features = comparison_features(example.view, selection, probabilities, example.counts, example.page_features)
    return Trial(example, fold, features, example.score(selection.is_selected), example.score(example.view))


def cross_validate(examples: Sequence[Example], shuffle: int) -> list[Trial]:
    """Return the result for each page.

    Args:
        examples: The pages.
        shuffle: The seed by which they are divided into folds.
    """
    groups = group_examples(examples)
    names = sorted(set(groups))
    random.Random(shuffle).shuffle(names)
    fold_of_group = {name: number % FOLDS for number, name in enumerate(names)}
    folds = [fold_of_group[name] for name in groups]
    trials = []
    for fold in range(FOLDS):
        model = fit_classifier([example for example, other in zip(examples, folds, strict=True) if other != fold], fold)
        trials += [
            trial_of(example, fold, model) for example, other in zip(examples, folds, strict=True) if other == fold
        ]
    return trials


def cross_validate_gains(trials: Sequence[Trial]) -> list[float]:
    """Return the F1 score of each trial, as a model that was trained without its site decides on the reader view."""
    fold_of_page: dict[str, int] = {}
    for trial in trials:  # all trials of a page are in the fold of the first one
        fold_of_page.setdefault(trial.example.page.key, trial.fold)
    scores = [trial.f1 for trial in trials]
    for fold in range(FOLDS):
        model = fit_view_gain([trial for trial in trials if fold_of_page[trial.example.page.key] != fold])
        for index, trial in enumerate(trials):
            if fold_of_page[trial.example.page.key] == fold:
                gain = float(model.predict([trial.features])[0])
                scores[index] = trial.view_f1 if gain > selection.MIN_VIEW_GAIN else trial.f1
    return scores


def tree_columns(model: Any) -> list[Columns]:
    """Return the trees of a LightGBM model in the format of the model files."""
    return [
        _columns(tree["tree_structure"])
        for tree in model.dump_model()["tree_info"]
        if "left_child" in tree["tree_structure"]
    ]


def _columns(root: dict[str, Any]) -> Columns:
    columns: Columns = [[], [], [], [], []]
    features, thresholds, left, right, leaves = columns

    def add(node: dict[str, Any]) -> int:
        if "split_index" not in node:
            leaves.append(round(node["leaf_value"], LEAF_DIGITS))
            return -len(leaves)
        index = len(features)
        threshold = node["threshold"]
        is_finite = isinstance(threshold, float) and math.isfinite(threshold)
        features.append(node["split_feature"])
        thresholds.append(float(f"{threshold:.6g}") if is_finite else threshold)
        left.append(0)
        right.append(0)
        left[index], right[index] = add(node["left_child"]), add(node["right_child"])
        return index

    add(root)
    return columns


def _add_to_leaves(tree: Columns, number: float) -> None:
    tree[-1] = [round(value + number, LEAF_DIGITS) for value in tree[-1]]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.train_reader", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with truth.json and the pages")
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder of the model files")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = (page for folder in arguments.folders for page in read_pages(folder))
    pages = [page for page in found if page.text is not None or "with" in page.truth]
    with ProcessPoolExecutor(2) as pool:
        examples = [example for example in pool.map(example_of, pages, chunksize=8) if example]
    trials = [trial for shuffle in SHUFFLES for trial in cross_validate(examples, shuffle)]
    pages_of_trials = [trial.example.page for trial in trials]
    for name, values in {
        "Selected blocks": [trial.f1 for trial in trials],
        "Reader view": [trial.view_f1 for trial in trials],
        "Selected blocks or reader view": cross_validate_gains(trials),
    }.items():
        print(f"{name}:", mean_by_corpus(list(zip(pages_of_trials, values, strict=True))))
    models = {"block_classifier": fit_classifier(examples, FOLDS), "view_gain": fit_view_gain(trials)}
    for name, model in models.items():
        trees = tree_columns(model)
        if name == "block_classifier":
            _add_to_leaves(trees[0], LOG_ODDS_SHIFT)
        content = {"version": FORMAT_VERSION, "features": FEATURES[name], "trees": trees}
        (arguments.to / f"{name}.json").write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
