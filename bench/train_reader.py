"""Teach the reader what main content is: `python -m bench.train_reader FOLDER` writes the two models beside its code.

It learns from pages whose content people marked (see `corpus.py`) which of a page's units belong to it, and on which
pages the reader view is better than that choice. Before it writes anything it prints F1 for pages that the models have
not seen, each site's pages on one side of the split. Needs lightgbm and numpy, and the project's dependencies for
development.
"""

import argparse
import json
import logging
import math
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.corpus import Page, by_corpus, pages, quality, words
from mediakit.tools.documents.web_to_markdown.markdown.tree import body_of, parse
from mediakit.tools.documents.web_to_markdown.reader import content, decide, opinions
from mediakit.tools.documents.web_to_markdown.reader.clean import clean
from mediakit.tools.documents.web_to_markdown.reader.evidence import evidence
from mediakit.tools.documents.web_to_markdown.reader.features import features
from mediakit.tools.documents.web_to_markdown.reader.kind import kind_of
from mediakit.tools.documents.web_to_markdown.reader.metadata import about
from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import statements
from mediakit.tools.documents.web_to_markdown.reader.units import Page as Units

FOLDS = 5
MOST_UNITS = 250
"""Units that are taken of one page, so that long pages do not outweigh the others."""

SHORT = 3
"""Letters of a label like `co` in `co.uk`."""

UNASKED = 0.45
"""Share of the pages that are learnt without second opinions, as most are read."""

UNIT_MODEL = {
    "objective": "cross_entropy",
    "learning_rate": 0.06,
    "num_leaves": 31,
    "max_bin": 63,
    "min_data_in_leaf": 80,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10,
    "verbose": -1,
    "seed": 3,
    "num_threads": 1,
    "deterministic": True,
}
UNIT_TREES, JUDGE_TREES = 170, 60
JUDGE_MODEL = UNIT_MODEL | {
    "objective": "regression",
    "learning_rate": 0.07,
    "num_leaves": 6,
    "min_data_in_leaf": 12,
    "feature_fraction": 0.5,
    "lambda_l2": 3,
}
EMPHASIS = {"mozilla": 1.3, "aeb": 1.3}
"""What the units of small corpora weigh beside those of large ones."""

JUDGED = {"mozilla": 3.0, "aeb": 1.5}
"""The same for their pages."""

Rows = list[list[float]]


@dataclass
class Lesson:
    """A page as the models see it."""

    page: Page
    site: str
    texts: list[str]
    """What its units say."""
    counts: list[float]
    """What they count."""
    view: list[bool]
    alone: Rows
    """Features and evidence of each unit, without second opinions."""
    asked: Rows
    labels: list[float]
    weights: list[float]
    first: list[float]
    """Features alone of the first unit."""

    def score(self, kept: Sequence[bool]) -> float:
        return quality(self.page, "\n".join(text for text, keep in zip(self.texts, kept, strict=True) if keep))


def lesson(page: Page) -> Lesson | None:
    """Read a page; None where there is nothing to learn from."""
    root = parse(page.html)
    stated = statements(root)
    facts = about(root, page.url, stated)
    title, address = facts["title"], page.url if "." in _host(page.url) else ""
    clean(root)
    body = body_of(root)
    units = content.marked(body)
    if not 0 < len(units.units) <= content.MOST_UNITS:
        return None
    view = content.view_of(units, body, title)
    others = opinions.readability_lxml(body, content.MARK, units), opinions.trafilatura(page.html, units)
    rows = features(units, kind_of(stated, address), title)
    labels, weights = _labels(page, units)
    alone, asked = evidence(units, view), evidence(units, view, others)
    return Lesson(
        page=page,
        site=_site(address or facts["canonical"] or "") or page.key,
        texts=[unit.text for unit in units.units],
        counts=decide.weights(units),
        view=view,
        alone=_beside(rows, alone),
        asked=_beside(rows, asked),
        labels=labels,
        weights=weights,
        first=rows[0],
    )


def _host(address: str) -> str:
    """Give an address's host; one without a dot is none that a page was found at."""
    return urlsplit(address).hostname or ""


def _site(address: str) -> str:
    """Give the domain that somebody registered, by a rule of thumb: the last two labels, or three as in `co.uk`."""
    labels = _host(address).split(".")
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= SHORT else -2 :])


def _beside(rows: Rows, more: Rows) -> Rows:
    return [[*row, *extra] for row, extra in zip(rows, more, strict=True)]


def _labels(page: Page, units: Units) -> tuple[list[float], list[float]]:
    """Give how much of each unit is content, and what the unit weighs."""
    if page.text is None:
        return _segment_labels(page.truth, units)
    places = [(word, unit.order) for unit in units.units for word in words(unit.text)]
    found = SequenceMatcher(None, [word for word, _ in places], words(page.text), autojunk=False)
    hits, counts = [0] * len(units.units), [0] * len(units.units)
    for _, order in places:
        counts[order] += 1
    for block in found.get_matching_blocks():
        for _, order in places[block.a : block.a + block.size]:
            hits[order] += 1
    labels = [hit / count if count else 0.0 for hit, count in zip(hits, counts, strict=True)]
    return labels, _normal([count**0.75 + 0.3 if count else 0.0 for count in counts], 100)


def _segment_labels(truth: dict[str, Any], units: Units) -> tuple[list[float], list[float]]:
    labels, weights = [], []
    for unit in units.units:
        wanted = any(part in unit.text or (len(unit.text) > 25 and unit.text in part) for part in truth.get("with", ()))
        unwanted = any(part in unit.text for part in truth.get("without", ()))
        labels.append(float(wanted))
        weights.append(len(words(unit.text)) ** 0.75 + 1 if wanted or unwanted else 0.0)
    return labels, _normal(weights, 50)


def _normal(weights: list[float], total: float) -> list[float]:
    whole = sum(weights) or 1.0
    return [weight / whole * total for weight in weights]


def fit_units(lessons: Sequence[Lesson], seed: int) -> Any:
    """Teach the model that tells how likely a unit is content."""
    import lightgbm
    import numpy as np

    chance = random.Random(seed)
    rows, labels, weights = [], [], []
    for each in lessons:
        source = each.alone if chance.random() < UNASKED else each.asked
        share = min(1.0, MOST_UNITS / len(source))
        for row, label, weight in zip(source, each.labels, each.weights, strict=True):
            if weight and chance.random() < share:
                rows.append(row)
                labels.append(label)
                weights.append(weight / share * EMPHASIS.get(each.page.corpus, 1.0))
    data = lightgbm.Dataset(np.array(rows), np.array(labels), weight=np.array(weights))
    return lightgbm.train(UNIT_MODEL, data, UNIT_TREES)


def fit_judge(trials: "Sequence[Trial]") -> Any:
    """Teach the model that tells by how much the reader view is better than the choice."""
    import lightgbm
    import numpy as np

    weights = np.array([JUDGED.get(trial.lesson.page.corpus, 1.0) for trial in trials])
    numbers, gains = np.array([trial.numbers for trial in trials]), np.array([trial.gain for trial in trials])
    data = lightgbm.Dataset(numbers, gains, weight=weights)
    return lightgbm.train(JUDGE_MODEL, data, JUDGE_TREES)


def chosen(each: Lesson, predict: Callable[[Rows], Sequence[float]]) -> tuple[decide.Choice, list[float]]:
    """Choose units as the reader does, second opinions included."""
    likelihoods = list(predict(each.alone))
    choice = decide.best(likelihoods, each.counts)
    if choice.expected < content.DOUBT:
        likelihoods = list(predict(each.asked))
        choice = decide.best(likelihoods, each.counts)
    return choice, likelihoods


@dataclass
class Trial:
    """A page chosen from by a model that has seen none of its site."""

    lesson: Lesson
    fold: int
    numbers: list[float]
    """What the judge is told."""
    choice: float
    """F1 of the choice."""
    view: float
    """F1 of the reader view."""

    @property
    def gain(self) -> float:
        return self.view - self.choice


def tried(lessons: Sequence[Lesson]) -> list[Trial]:
    """Choose from every page, unseen."""
    sites = sorted({each.site for each in lessons})
    random.Random(1).shuffle(sites)
    fold_of = {site: number % FOLDS for number, site in enumerate(sites)}
    trials = []
    for fold in range(FOLDS):
        model = fit_units([each for each in lessons if fold_of[each.site] != fold], fold)
        for each in (each for each in lessons if fold_of[each.site] == fold):
            choice, likelihoods = chosen(each, model.predict)
            numbers = decide.comparison(each.view, choice, likelihoods, each.counts, each.first)
            trials.append(Trial(each, fold, numbers, each.score(choice.kept), each.score(each.view)))
    return trials


def judged(trials: Sequence[Trial]) -> list[tuple[Page, float]]:
    """Score what the reader would give of each page: the choice or the view, as an unseen judge says."""
    scores = []
    for fold in range(FOLDS):
        judge = fit_judge([trial for trial in trials if trial.fold != fold])
        for trial in (trial for trial in trials if trial.fold == fold):
            is_view = judge.predict([trial.numbers])[0] > content.VIEW_IS_BETTER
            scores.append((trial.lesson.page, trial.view if is_view else trial.choice))
    return scores


def plain(model: Any) -> list[list[list[float]]]:
    """Give a model as `mediakit.tools.documents.web_to_markdown.reader.model` reads it."""
    return [
        _tree(tree["tree_structure"])
        for tree in model.dump_model()["tree_info"]
        if "left_child" in tree["tree_structure"]
    ]


def _tree(root: dict[str, Any]) -> list[list[float]]:
    tree: list[list[float]] = [[], [], [], [], [], []]

    def walk(node: dict[str, Any]) -> int:
        if "split_index" not in node:
            tree[5].append(round(node["leaf_value"], 5))
            return -len(tree[5])
        place = len(tree[0])
        unknown_left = node["missing_type"] == "NaN" and node["default_left"]
        for column, value in zip(
            tree, (node["split_feature"], node["threshold"], 0, 0, int(unknown_left)), strict=False
        ):
            column.append(float(f"{value:.6g}") if isinstance(value, float) and math.isfinite(value) else value)
        tree[2][place], tree[3][place] = walk(node["left_child"]), walk(node["right_child"])
        return place

    walk(root)
    return tree


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train_reader", description=__doc__)
    parser.add_argument("folder", type=Path, help="holds truth.json and the pages")
    parser.add_argument(
        "--to", type=Path, default=Path("mediakit/tools/documents/web_to_markdown/reader"), help="where the models go"
    )
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    some = [page for page in pages(given.folder) if page.text is not None or "with" in page.truth]
    with ProcessPoolExecutor(2) as pool:
        lessons = [each for each in pool.map(lesson, some, chunksize=8) if each]
    trials = tried(lessons)
    print("The choice, on unseen sites:", by_corpus([(trial.lesson.page, trial.choice) for trial in trials]))
    print("The same or the view, judged:", by_corpus(judged(trials)))
    print("The reader view:", by_corpus([(trial.lesson.page, trial.view) for trial in trials]))
    models = {"units": fit_units(lessons, FOLDS), "judge": fit_judge(trials)}
    for name, model in models.items():
        (given.to / f"{name}.json").write_text(json.dumps(plain(model), separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
