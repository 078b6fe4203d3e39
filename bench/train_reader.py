"""Train the model of the reader: `python -m bench.train_reader FOLDER...` writes the model file.

The model classifies the text blocks of a page. It is trained on annotated pages (see `corpus.py`). Before the file is
written, the command prints the F1 scores of a cross-validation in which all pages of a site are in the same fold, and
so are pages with nearly the same text. Requires lightgbm, numpy and the development dependencies.
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
from mediakit.tools.documents.web_to_markdown.clean import clean_page
from mediakit.tools.documents.web_to_markdown.metadata.page_metadata import page_metadata
from mediakit.tools.documents.web_to_markdown.scoring.features import BLOCK_FEATURES, block_features
from mediakit.tools.documents.web_to_markdown.scoring.trees import FORMAT_VERSION, Columns
from mediakit.tools.documents.web_to_markdown.selection import (
    MAX_CLASSIFIED_BLOCKS,
    MODEL,
    select_blocks,
    word_counts,
)
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage, segment_page

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
SHUFFLE = 1
"""Seed by which sites are divided into folds."""

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

PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.06,
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
TREES = 300

LOG_ODDS_SHIFT = -0.35
"""Added to the log-odds of each block. The labels of blocks without main content are too high, because some of their
words match words of the main content by chance.
"""

BLOCK_WEIGHTS = {"mozilla": 3.0, "aeb": 2.0}
"""Weights of the blocks of small corpora. All others have a weight of 1."""

LEAF_DIGITS = 5
"""Decimal digits of the values of leaves in a model file."""


@dataclass
class Example:
    """An annotated page with its features."""

    page: Page
    site: str
    texts: list[str]
    """Text of each block."""
    counts: "NDArray[Any]"
    """Words of each block."""
    rows: "NDArray[Any]"
    """Features of each block."""
    labels: list[float]
    """Share of each block that is main content."""
    weights: list[float]

    def score(self, probabilities: "NDArray[Any]") -> float:
        """Return the F1 score of the blocks that are selected by their probabilities."""
        is_selected = select_blocks(probabilities, self.counts)
        return quality(self.page, "\n".join(text for text, keep in zip(self.texts, is_selected, strict=True) if keep))


def example_of(page: Page) -> Example | None:
    """Return a page with its features. None for pages without text and pages with too many blocks."""
    root = parse_html(page.html)
    metadata = page_metadata(root, page.url)
    address = page.url if "." in _host(page.url) else ""
    clean_page(root, page.html, only_content=True)
    body = body_of(root)
    segmented = segment_page(body, block_ancestors(body))
    if not 0 < len(segmented.blocks) <= MAX_CLASSIFIED_BLOCKS:
        return None
    features = block_features(segmented, metadata["title"])
    labels, weights = _labels(page, segmented)
    return Example(
        page=page,
        site=_site(address or metadata["canonical"] or "") or page.key,
        texts=[block.text for block in segmented.blocks],
        counts=word_counts(segmented),
        rows=features.astype("float32"),
        labels=labels,
        weights=weights,
    )


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _site(address: str) -> str:
    """Return the registrable domain, approximately: the last two labels, or three for domains such as `co.uk`."""
    labels = _host(address).split(".")
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= MAX_SHORT_LABEL else -2 :])


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
    return lightgbm.train(PARAMETERS, data, TREES)


def cross_validate(examples: Sequence[Example], shuffle: int) -> "list[NDArray[Any]]":
    """Return the probabilities of the blocks of each page, from a model that was trained without pages of its site.

    Args:
        examples: The pages.
        shuffle: The seed by which they are divided into folds.
    """
    import numpy as np

    groups = group_examples(examples)
    names = sorted(set(groups))
    random.Random(shuffle).shuffle(names)
    fold_of_group = {name: number % FOLDS for number, name in enumerate(names)}
    folds = [fold_of_group[name] for name in groups]
    models = [
        fit_classifier([example for example, other in zip(examples, folds, strict=True) if other != fold], fold)
        for fold in range(FOLDS)
    ]
    scores = (models[fold].predict(example.rows, raw_score=True) for example, fold in zip(examples, folds, strict=True))
    return [1 / (1 + np.exp(-score - LOG_ODDS_SHIFT)) for score in scores]


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


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.train_reader", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with truth.json and the pages")
    parser.add_argument("--to", type=Path, default=MODEL, help="the model file")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = (page for folder in arguments.folders for page in read_pages(folder))
    pages = [page for page in found if page.text is not None or "with" in page.truth]
    with ProcessPoolExecutor(2) as pool:
        examples = [example for example in pool.map(example_of, pages, chunksize=8) if example]
    results = zip(examples, cross_validate(examples, SHUFFLE), strict=True)
    print(mean_by_corpus([(example.page, example.score(probabilities)) for example, probabilities in results]))
    trees = tree_columns(fit_classifier(examples, FOLDS))
    trees[0][-1] = [round(value + LOG_ODDS_SHIFT, LEAF_DIGITS) for value in trees[0][-1]]
    model = {"version": FORMAT_VERSION, "features": BLOCK_FEATURES, "trees": trees}
    arguments.to.write_text(json.dumps(model, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
