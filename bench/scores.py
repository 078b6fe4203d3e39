"""Score main content and metadata on a corpus, beside the libraries: `python -m bench.scores FOLDER [--limit N]`."""

import argparse
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.corpus import Page, by_corpus, pages, quality
from bench.race import Case, NotMeasured
from bench.worker import Worker, node_peer
from mediakit.tools.documents.web_to_markdown.reader import Wanted
from mediakit.tools.documents.web_to_markdown.reader.reading import fields

Answer = dict[str, str | None]
FIELDS = ("title", "byline", "site_name", "language", "published_time", "image", "description")


def with_mediakit(page: Page) -> Answer:
    return fields(page.html, Wanted(base=page.url, format="text", max_chars=1_000_000))


def with_readability_lxml(page: Page) -> Answer:
    import lxml.html
    from readability import Document

    document = Document(page.html, url=page.url or None)
    text = lxml.html.fragment_fromstring(document.summary(), create_parent="div").text_content()
    return {"content": str(text), "title": document.short_title(), "byline": document.author()}


def with_trafilatura(page: Page) -> Answer:
    import trafilatura

    about = trafilatura.extract_metadata(page.html, default_url=page.url or None)
    return {
        "content": trafilatura.extract(page.html, include_comments=False, output_format="txt"),
        "title": about.title,
        "byline": about.author,
        "site_name": about.sitename,
        "language": about.language,
        "published_time": about.date,
        "image": about.image,
        "description": about.description,
    }


def with_readability_js(worker: Worker) -> Callable[[Page], Answer]:
    """Read pages with Readability.js on jsdom, in a process of its own."""
    names = {"content": "text", "site_name": "siteName", "language": "lang", "description": "excerpt"}
    names |= {"title": "title", "byline": "byline", "published_time": "publishedTime"}

    def read(page: Page) -> Answer:
        found = json.loads(worker.make(Case(page.key, {"html": page.html, "url": page.url})))
        return {field: found.get(name) for field, name in names.items()}

    return read


CONTENDERS: dict[str, Callable[[Page], Answer]] = {
    "mediakit": with_mediakit,
    "readability-lxml": with_readability_lxml,
    "trafilatura": with_trafilatura,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scores", description=__doc__)
    parser.add_argument("folder", type=Path, help="holds truth.json and the pages")
    parser.add_argument("--limit", type=int, help="pages of each corpus")
    given = parser.parse_args()
    print(report(given.folder, given.limit))


def report(folder: Path, limit: int | None = None) -> str:
    """Write how well mediakit and the libraries read a corpus, as two tables."""
    some = list(_limited(folder, limit))
    with _quiet():
        answers = {name: [_answer(contender, page) for page in some] for name, contender in CONTENDERS.items()}
    worker = node_peer("@mozilla/readability", "readability.cjs", "jsdom")
    try:
        worker.start()
    except NotMeasured as reason:
        missing = f"\n\n{worker.name}: {reason}"
    else:
        missing = ""
        answers[worker.name] = [_answer(with_readability_js(worker), page) for page in some]
        worker.stop()
    content = {name: by_corpus(_scored(some, made)) for name, made in answers.items()}
    metadata = {name: _agreement(some, made) for name, made in answers.items()}
    tables = _table("Main content, F1", content), _table("Metadata, share that agrees", metadata)
    return "\n\n".join(tables) + missing


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what libraries log about pages out of the tables."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _limited(folder: Path, limit: int | None) -> list[Page]:
    taken: dict[str, int] = {}
    some = []
    for page in pages(folder):
        taken[page.corpus] = taken.get(page.corpus, 0) + 1
        if limit is None or taken[page.corpus] <= limit:
            some.append(page)
    return some


def _scored(some: list[Page], answers: list[Answer]) -> list[tuple[Page, float]]:
    pairs = zip(some, answers, strict=True)
    known = ((page, answer) for page, answer in pairs if page.text is not None or "with" in page.truth)
    return [(page, quality(page, answer.get("content") or "")) for page, answer in known]


def _answer(contender: Callable[[Page], Answer], page: Page) -> Answer:
    try:
        return contender(page)
    except Exception:  # noqa: BLE001 - whatever a library raises is no answer
        return {}


def _agreement(some: list[Page], answers: list[Answer]) -> dict[str, float]:
    right = dict.fromkeys(FIELDS, 0)
    asked = dict.fromkeys(FIELDS, 0)
    for page, answer in zip(some, answers, strict=True):
        for field, truth in (page.truth.get("meta") or {}).items():
            if truth and field in asked:
                asked[field] += 1
                right[field] += _agrees(field, str(truth), answer.get(field))
    return {field: right[field] / asked[field] for field in FIELDS if asked[field]}


def _agrees(field: str, truth: str, answer: Any) -> bool:
    if not answer:
        return False
    if field == "published_time":
        return truth[:10] == str(answer)[:10]
    if field == "image":
        return _file(truth) == _file(str(answer))
    wanted, got = (re.sub(r"\W+", " ", text).strip().casefold() for text in (truth, str(answer)))
    return bool(got) and (wanted in got or got in wanted) and 2 * len(got) >= len(wanted)


def _file(address: str) -> str:
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
