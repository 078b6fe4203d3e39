"""Compare main content and metadata with other libraries: `python -m bench.scores FOLDER [--limit N]`."""

import argparse
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.corpus import Page, mean_by_corpus, quality, read_pages
from bench.race import Case, NotMeasured
from bench.worker import Worker, node_peer
from mediakit.tools.documents.web_to_markdown.convert import page_fields
from mediakit.tools.documents.web_to_markdown.request import ReadOptions

Result = dict[str, str | None]
FIELDS = ("title", "byline", "site_name", "language", "published_time", "image", "description")


def with_mediakit(page: Page) -> Result:
    return page_fields(page.html, ReadOptions(base_url=page.url, format="text", max_chars=1_000_000))


def with_readability_lxml(page: Page) -> Result:
    import lxml.html
    from readability import Document

    document = Document(page.html, url=page.url or None)
    text = lxml.html.fragment_fromstring(document.summary(), create_parent="div").text_content()
    return {"content": str(text), "title": document.short_title(), "byline": document.author()}


def with_trafilatura(page: Page) -> Result:
    import trafilatura

    metadata = trafilatura.extract_metadata(page.html, default_url=page.url or None)
    return {
        "content": trafilatura.extract(page.html, include_comments=False, output_format="txt"),
        "title": metadata.title,
        "byline": metadata.author,
        "site_name": metadata.sitename,
        "language": metadata.language,
        "published_time": metadata.date,
        "image": metadata.image,
        "description": metadata.description,
    }


def with_readability_js(worker: Worker) -> Callable[[Page], Result]:
    """Return a function that reads pages with Readability.js on jsdom in a separate process."""
    names = {"content": "text", "site_name": "siteName", "language": "lang", "description": "excerpt"}
    names |= {"title": "title", "byline": "byline", "published_time": "publishedTime"}

    def read(page: Page) -> Result:
        found = json.loads(worker.make(Case(page.key, {"html": page.html, "url": page.url})))
        return {field: found.get(name) for field, name in names.items()}

    return read


READERS: dict[str, Callable[[Page], Result]] = {
    "mediakit": with_mediakit,
    "readability-lxml": with_readability_lxml,
    "trafilatura": with_trafilatura,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scores", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with truth.json and the pages")
    parser.add_argument("--limit", type=int, help="pages of each corpus")
    arguments = parser.parse_args()
    print(report(arguments.folder, arguments.limit))


def report(folder: Path, limit: int | None = None) -> str:
    """Return the scores of mediakit and the other libraries on a corpus as two Markdown tables."""
    pages = _limited_pages(folder, limit)
    with quiet():
        results = {name: [_read(reader, page) for page in pages] for name, reader in READERS.items()}
    worker = node_peer("@mozilla/readability", "readability.cjs", "jsdom")
    try:
        worker.start()
    except NotMeasured as reason:
        missing = f"\n\n{worker.name}: {reason}"
    else:
        missing = ""
        read = with_readability_js(worker)
        results[worker.name] = [_read(read, page) for page in pages]
        worker.stop()
    content = {name: mean_by_corpus(_content_scores(pages, found)) for name, found in results.items()}
    metadata = {name: _metadata_scores(pages, found) for name, found in results.items()}
    tables = _table("Main content, F1", content), _table("Metadata, share of correct fields", metadata)
    return "\n\n".join(tables) + missing


@contextmanager
def quiet() -> Iterator[None]:
    """Disable the log messages of the libraries."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _limited_pages(folder: Path, limit: int | None) -> list[Page]:
    """Return the pages of a corpus, at most `limit` of each part."""
    counts: Counter[str] = Counter()
    pages = []
    for page in read_pages(folder):
        counts[page.corpus] += 1
        if limit is None or counts[page.corpus] <= limit:
            pages.append(page)
    return pages


def _content_scores(pages: list[Page], results: list[Result]) -> list[tuple[Page, float]]:
    pairs = zip(pages, results, strict=True)
    annotated = ((page, result) for page, result in pairs if page.text is not None or "with" in page.truth)
    return [(page, quality(page, result.get("content") or "")) for page, result in annotated]


def _read(reader: Callable[[Page], Result], page: Page) -> Result:
    try:
        return reader(page)
    except Exception:  # noqa: BLE001 - an error of a library counts as an empty result
        return {}


def _metadata_scores(pages: list[Page], results: list[Result]) -> dict[str, float]:
    """Return the share of pages on which each field is correct."""
    correct = dict.fromkeys(FIELDS, 0)
    total = dict.fromkeys(FIELDS, 0)
    for page, result in zip(pages, results, strict=True):
        for field, truth in (page.truth.get("meta") or {}).items():
            if truth and field in total:
                total[field] += 1
                correct[field] += _is_correct(field, str(truth), result.get(field))
    return {field: correct[field] / total[field] for field in FIELDS if total[field]}


def _is_correct(field: str, truth: str, value: Any) -> bool:
    if not value:
        return False
    if field == "published_time":
        return truth[:10] == str(value)[:10]
    if field == "image":
        return _file_name(truth) == _file_name(str(value))
    expected, found = (re.sub(r"\W+", " ", text).strip().casefold() for text in (truth, str(value)))
    return bool(found) and (expected in found or found in expected) and 2 * len(found) >= len(expected)


def _file_name(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]


def _table(title: str, rows: dict[str, dict[str, float]]) -> str:
    columns = list(next(iter(rows.values())))
    lines = [f"| {title} | {' | '.join(columns)} |", f"| --- |{' --: |' * len(columns)}"]
    lines += [
        f"| {name} | {' | '.join(f'{row.get(column, 0):.3f}' for column in columns)} |" for name, row in rows.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
