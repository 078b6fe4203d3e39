"""Compares `web_to_markdown` with readability-lxml and markdownify, and with trafilatura, on a long article."""

from collections.abc import Mapping
from typing import Any

from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import Worker, ours, python

SENTENCE = "The kettle had been filled before the sun came up, and tea, bread and butter stood on the table. "


def article() -> str:
    """Return a page like those of news sites: an article with menus, teasers, comments, scripts and styles."""
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


def with_mediakit(_values: Mapping[str, Any]) -> Job:
    return extract_with_mediakit(article())


def with_readability(_values: Mapping[str, Any]) -> Job:
    return extract_with_readability(article())


def with_trafilatura(_values: Mapping[str, Any]) -> Job:
    return extract_with_trafilatura(article())


def extract_with_mediakit(html: str) -> Job:
    from mediakit.tools.documents.web_to_markdown.convert import page_fields
    from mediakit.tools.documents.web_to_markdown.request import ReadOptions

    return lambda: str(page_fields(html, ReadOptions())["content"]).encode()


def extract_with_readability(html: str) -> Job:
    import markdownify
    from readability import Document

    return lambda: str(markdownify.markdownify(Document(html).summary())).encode()


def extract_with_trafilatura(html: str) -> Job:
    import trafilatura

    def extract() -> bytes:
        return (trafilatura.extract(html, output_format="markdown", include_links=True) or "").encode()

    return extract


def describe(_case: Case, content: bytes) -> str:
    """Return the number of words of the content."""
    return f"{len(content.decode().split()):,} words"


BENCHES = [
    Bench(
        tool="web_to_markdown",
        about=f"An article of {len(article()) // 1000} kB of HTML, main content as Markdown, in one process.",
        cases=[Case("An article")],
        ours=ours("bench.web_to_markdown:with_mediakit"),
        peers=[
            Worker("readability-lxml + markdownify", python("bench.web_to_markdown:with_readability")),
            Worker("trafilatura", python("bench.web_to_markdown:with_trafilatura")),
        ],
        inspect=describe,
    )
]
