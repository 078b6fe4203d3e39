"""`capture` and `pdf` compared with puppeteer-core on the same Chromium: a card as image, an invoice as PDF."""

import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.packages import NPM, npm_package
from bench.race import Bench, Case, NotMeasured
from bench.worker import HERE, Worker, ours
from mediakit.display.images import count_pages
from mediakit.engines.browser.command import find
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

FILES = Path(tempfile.gettempdir()) / f"mediakit-bench-{os.getpid()}"
CARD, INVOICE = FILES / "card.html", FILES / "invoice.html"
WIDTH, HEIGHT = 1200, 630
CONCURRENCY = 8


def write_pages() -> None:
    """Write the pages to render: two templates of mediakit, with embedded fonts."""
    FILES.mkdir(exist_ok=True)
    CARD.write_text(TEMPLATES["og"].fill({}, "en", width=WIDTH, height=HEIGHT).html, encoding="utf-8")
    INVOICE.write_text(TEMPLATES["invoice"].fill({}, "en", width=794, height=1123).html, encoding="utf-8")


def with_mediakit(values: Mapping[str, Any]) -> Job:
    html = Path(values["file"]).read_text(encoding="utf-8")
    if values["format"] == "pdf":
        return lambda: mediakit.pdf(html, tagged=True).content
    options = {name: values[name] for name in ("width", "height", "format", "quality") if name in values}
    return lambda: mediakit.capture(html, **options).content


def with_mediakit_concurrently(values: Mapping[str, Any]) -> Job:
    render = with_mediakit(values)
    threads = ThreadPoolExecutor(CONCURRENCY)

    def render_all() -> bytes:
        *_, last = threads.map(lambda _: render(), range(values["concurrency"]))
        return last

    return render_all


def with_mediakit_sequentially(values: Mapping[str, Any]) -> Job:
    render = with_mediakit(values)

    def render_all() -> bytes:
        *_, last = (render() for _ in range(values["concurrency"]))
        return last

    return render_all


def puppeteer(name: str, **environment: str) -> Worker:
    """Return puppeteer-core with the Chromium that mediakit uses."""

    def variables() -> dict[str, str]:
        try:
            chromium = str(find(BrowserSettings()))
        except BrowserMissing as error:
            raise NotMeasured(str(error)) from None
        return {"NODE_PATH": str(npm_package("puppeteer-core")), "CHROMIUM": chromium, **environment}

    command = ["node", str(HERE / "serve.cjs"), str(HERE / "render.cjs")]
    return Worker(f"puppeteer-core {NPM['puppeteer-core']} (Node), {name}", command, variables)


def read_back(case: Case, content: bytes) -> str:
    """Return the size of the image, or the number of pages."""
    if case.values["format"] == "pdf":
        return f"{count_pages(content)} page"
    with Image.open(BytesIO(content)) as image:
        return f"{image.width} x {image.height} px"


def card(kind: str, **values: Any) -> Case:
    quality = {} if kind == "png" else {"quality": 90}
    size = {"width": WIDTH, "height": HEIGHT}
    return Case(f"card, {kind.upper()}", {"file": str(CARD), "format": kind, **size, **quality, **values})


PDF = Case("invoice, PDF", {"file": str(INVOICE), "format": "pdf"})

BENCHES = [
    Bench(
        tool="render",
        about=f"A card of {WIDTH} x {HEIGHT} pixels, and a tagged PDF of an invoice on A4; fonts are embedded.",
        cases=[card("png"), card("jpeg"), card("webp"), PDF],
        ours=ours("bench.render:with_mediakit"),
        peers=[puppeteer("a page per call"), puppeteer("a browser per call", LAUNCH="1")],
        inspect=read_back,
        set_up=write_pages,
    ),
    Bench(
        tool="render: concurrent",
        about=f"{CONCURRENCY} cards requested at the same time; the time is that of all of them.",
        cases=[card("png", concurrency=CONCURRENCY)],
        ours=ours("bench.render:with_mediakit_concurrently"),
        peers=[
            Worker("mediakit, sequentially", ours("bench.render:with_mediakit_sequentially").command),
            puppeteer("a page per call"),
        ],
        inspect=read_back,
        set_up=write_pages,
    ),
]
