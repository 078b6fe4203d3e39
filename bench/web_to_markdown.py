"""`web_to_markdown` beside readability-lxml with markdownify, and trafilatura: the main content of a long article."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.race import Bench, Case
from bench.serve import Job
from bench.worker import Worker, ours, python

PAGES = os.environ.get("MEDIAKIT_BENCH_PAGES")
"""A folder of saved pages to measure as well."""

SENTENCE = "The kettle had been filled before the sun came up, and tea, bread and butter stood on the table. "


def article() -> str:
    """Write a page as news sites do: an article among menus, teasers, comments, scripts and styles."""
    menu = "".join(f'<li class="menu-item"><a href="/section/{n}">Section {n}</a></li>' for n in range(60))
    text = "".join(f"<p>{SENTENCE * 5}<a href='/topic/{n}'>A topic</a>, then more of it.</p>" for n in range(40))
    teasers = "".join(
        f'<div class="card teaser"><a href="/story/{n}"><img src="/{n}.jpg"><h3>Another story {n}</h3></a></div>'
        for n in range(80)
    )
    comments = "".join(f'<li class="comment"><b>Reader {n}</b><p>{SENTENCE}</p></li>' for n in range(60))
    script = "<script>var data = [" + ",".join(f'{{"id": {n}}}' for n in range(8_000)) + "];</script>"
    return (
        f"<!doctype html><html lang=en><head><title>Morning tea</title><style>{'a{b:c}' * 5_000}</style>{script}</head>"
        f"<body><nav><ul>{menu}</ul></nav><main><article class=article-body><h1>Morning tea</h1>{text}</article></main>"
        f"<aside class=related>{teasers}</aside><section id=comments><ol>{comments}</ol></section></body></html>"
    )


def with_mediakit(values: Mapping[str, Any]) -> Job:
    from mediakit.tools.documents.web_to_markdown.reader import Wanted
    from mediakit.tools.documents.web_to_markdown.reader.reading import fields

    html = _html(values)
    return lambda: str(fields(html, Wanted())["content"]).encode()


def with_readability(values: Mapping[str, Any]) -> Job:
    import markdownify
    from readability import Document

    html = _html(values)
    return lambda: str(markdownify.markdownify(Document(html).summary())).encode()


def with_trafilatura(values: Mapping[str, Any]) -> Job:
    import trafilatura

    html = _html(values)

    def extract() -> bytes:
        return (trafilatura.extract(html, output_format="markdown", include_links=True) or "").encode()

    return extract


def _html(values: Mapping[str, Any]) -> str:
    return Path(values["page"]).read_text(encoding="utf-8", errors="replace") if values else article()


def saved() -> list[Path]:
    """Find the saved pages to measure as well."""
    return sorted(Path(PAGES).glob("*.html")) if PAGES else []


def said(_case: Case, content: bytes) -> str:
    """Say how many words came out."""
    return f"{len(content.decode().split()):,} words"


BENCHES = [
    Bench(
        tool="web_to_markdown",
        about=f"An article of {len(article()) // 1000} kB of HTML, main content as Markdown, in one process.",
        cases=[Case("An article"), *(Case(page.stem, {"page": str(page)}) for page in saved())],
        ours=ours("bench.web_to_markdown:with_mediakit"),
        peers=[
            Worker("readability-lxml + markdownify", python("bench.web_to_markdown:with_readability")),
            Worker("trafilatura", python("bench.web_to_markdown:with_trafilatura")),
        ],
        inspect=said,
    )
]
