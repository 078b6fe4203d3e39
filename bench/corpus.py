"""Reads a corpus of annotated pages: a folder with `truth.json` and the pages as gzipped HTML.

`truth.json` has the `corpus` and `file` of each page, and one or more of: `text`, `expected_html` or `markdown` (the
whole main content), `with` and `without` (segments that the content must and must not contain), `url`, `page_type` and
`meta`.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import Any

import lxml.html
from markdown_it import MarkdownIt

from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.tools.documents.web_to_markdown.text_blocks import segment_page

WORD = re.compile(r"\w+")
SHINGLE_WORDS = 4
"""Consecutive words that are compared, as in article-extraction-benchmark."""


@dataclass(frozen=True)
class Page:
    """An annotated page."""

    key: str
    corpus: str
    html: str
    url: str
    truth: dict[str, Any]

    @cached_property
    def text(self) -> str | None:
        """The text of the main content. None if only segments are annotated."""
        if self.truth.get("text") is not None:
            return str(self.truth["text"])
        if self.truth.get("expected_html") is not None:
            return _visible_text(self.truth["expected_html"])
        if self.truth.get("markdown") is not None:
            return _visible_text(
                MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(self.truth["markdown"])
            )
        return None


def _visible_text(html: str) -> str:
    """Return the text of HTML, with each block on its own line."""
    body = lxml.html.fragment_fromstring(html, create_parent="body")
    return "\n".join(block.text for block in segment_page(body, block_ancestors(body)).blocks)


def read_pages(folder: Path) -> Iterator[Page]:
    """Yield the pages of a corpus."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for key, annotation in truth.items():
        html = gzip.decompress((folder / annotation["file"]).read_bytes()).decode()
        yield Page(key, annotation["corpus"], html, annotation.get("url") or "", annotation)


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return WORD.findall(text.lower())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Count each sequence of four words."""
    all_words = WORD.findall(text)
    return Counter(
        tuple(all_words[start : start + SHINGLE_WORDS]) for start in range(max(1, len(all_words) - SHINGLE_WORDS + 1))
    )


def quality(page: Page, content: str) -> float:
    """Return the F1 score of extracted content: by words for the corpus wcxb, and by shingles for others.

    If only segments are annotated, returns the share of segments that are correctly present or absent.
    """
    if page.text is None:
        return _segment_score(page.truth, content)
    expected, found = (
        (Counter(words(page.text)), Counter(words(content)))
        if page.corpus == "wcxb"
        else (shingles(page.text), shingles(content))
    )
    common = sum((expected & found).values())
    total = sum(expected.values()) + sum(found.values())
    return 2 * common / total if total else 1.0


def mean_by_corpus(scores: Sequence[tuple[Page, float]]) -> dict[str, float]:
    """Return the mean score of each corpus."""
    corpora = dict.fromkeys(page.corpus for page, _ in scores)
    return {corpus: mean(score for page, score in scores if page.corpus == corpus) for corpus in corpora}


def _segment_score(truth: dict[str, Any], content: str) -> float:
    flat = " ".join(content.split())
    correct = sum(" ".join(part.split()) in flat for part in truth.get("with", ()))
    correct += sum(" ".join(part.split()) not in flat for part in truth.get("without", ()))
    return correct / max(1, len(truth.get("with", ())) + len(truth.get("without", ())))
