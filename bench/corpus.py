"""A folder of saved pages and what people say is their content: `truth.json` and the pages beside it, gzipped.

`truth.json` names each page's `corpus` and `file`, and one or more of: `text` or `expected_html` (its whole content),
`with` and `without` (segments that must and must not be there), `url`, `page_type` and `meta`.
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

from mediakit.tools.documents.web_to_markdown.markdown.elements import containers
from mediakit.tools.documents.web_to_markdown.reader.units import units_of

WORD = re.compile(r"\w+")
SHINGLE = 4
"""Words of a shingle, as in article-extraction-benchmark."""


@dataclass(frozen=True)
class Page:
    """One page and its truth."""

    key: str
    corpus: str
    html: str
    url: str
    truth: dict[str, Any]

    @cached_property
    def text(self) -> str | None:
        """Its content, where all of it is known."""
        if self.truth.get("text") is not None:
            return str(self.truth["text"])
        if self.truth.get("expected_html") is not None:
            return _shown(self.truth["expected_html"])
        if self.truth.get("markdown") is not None:
            return _shown(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(self.truth["markdown"]))
        return None


def _shown(html: str) -> str:
    """Give the text of HTML, its blocks apart."""
    body = lxml.html.fragment_fromstring(html, create_parent="body")
    return "\n".join(unit.text for unit in units_of(body, containers(body)).units)


def pages(folder: Path) -> Iterator[Page]:
    """Read a corpus, page by page."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for key, known in truth.items():
        html = gzip.decompress((folder / known["file"]).read_bytes()).decode()
        yield Page(key, known["corpus"], html, known.get("url") or "", known)


def words(text: str) -> list[str]:
    """Give the words of a text in lower case."""
    return WORD.findall(text.lower())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Count each run of four words."""
    found = WORD.findall(text)
    return Counter(tuple(found[start : start + SHINGLE]) for start in range(max(1, len(found) - SHINGLE + 1)))


def quality(page: Page, content: str) -> float:
    """Give the F1 of a content: of its words where pages were scored so (wcxb), of its shingles elsewhere.

    Where only segments are known, it is the share of them that are rightly there or rightly not.
    """
    if page.text is None:
        return _segments(page.truth, content)
    wanted, got = (
        (Counter(words(page.text)), Counter(words(content)))
        if page.corpus == "wcxb"
        else (shingles(page.text), shingles(content))
    )
    common = sum((wanted & got).values())
    total = sum(wanted.values()) + sum(got.values())
    return 2 * common / total if total else 1.0


def by_corpus(scores: Sequence[tuple[Page, float]]) -> dict[str, float]:
    """Give the mean of each corpus."""
    corpora = dict.fromkeys(page.corpus for page, _ in scores)
    return {corpus: mean(score for page, score in scores if page.corpus == corpus) for corpus in corpora}


def _segments(truth: dict[str, Any], content: str) -> float:
    flat = " ".join(content.split())
    right = sum(" ".join(part.split()) in flat for part in truth.get("with", ()))
    right += sum(" ".join(part.split()) not in flat for part in truth.get("without", ()))
    return right / max(1, len(truth.get("with", ())) + len(truth.get("without", ())))
