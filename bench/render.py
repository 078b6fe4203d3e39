"""`capture` and `pdf` beside puppeteer-core on the same Chromium: a card as a picture, an invoice as a PDF."""

import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

import mediakit
from bench.packages import NPM, npm_package
from bench.race import Bench, Case, NotMeasured
from bench.serve import Job
from bench.worker import HERE, Worker, ours
from mediakit.display.pdf_pages import count_pages
from mediakit.engines.browser.find import find
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

FILES = Path(tempfile.gettempdir()) / f"mediakit-bench-{os.getpid()}"
CARD, INVOICE = FILES / "card.html", FILES / "invoice.html"
WIDTH, HEIGHT = 1200, 630
AT_ONCE = 8


def write_pages() -> None:
    """Write what is drawn: two of mediakit's own templates, with their fonts inside."""
    FILES.mkdir(exist_ok=True)
    CARD.write_text(TEMPLATES["og"].fill({}, "en", width=WIDTH, height=HEIGHT).html, encoding="utf-8")
    INVOICE.write_text(TEMPLATES["invoice"].fill({}, "en", width=794, height=1123).html, encoding="utf-8")


def with_mediakit(values: Mapping[str, Any]) -> Job:
    html = Path(values["file"]).read_text(encoding="utf-8")
    if values["format"] == "pdf":
        return lambda: mediakit.pdf(html, tagged=True).content
    options = {name: values[name] for name in ("width", "height", "format", "quality") if name in values}
    return lambda: mediakit.capture(html, **options).content


def with_mediakit_at_once(values: Mapping[str, Any]) -> Job:
    draw = with_mediakit(values)
    threads = ThreadPoolExecutor(AT_ONCE)

    def draw_all() -> bytes:
        *_, last = threads.map(lambda _: draw(), range(values["at_once"]))
        return last

    return draw_all


def with_mediakit_in_turn(values: Mapping[str, Any]) -> Job:
    draw = with_mediakit(values)

    def draw_all() -> bytes:
        *_, last = (draw() for _ in range(values["at_once"]))
        return last

    return draw_all


def puppeteer(name: str, **environment: str) -> Worker:
    """Give puppeteer-core on the Chromium that mediakit uses."""

    def variables() -> dict[str, str]:
        try:
            chromium = str(find(BrowserSettings()))
        except BrowserMissing as error:
            raise NotMeasured(str(error)) from None
        return {"NODE_PATH": str(npm_package("puppeteer-core")), "CHROMIUM": chromium, **environment}

    command = ["node", str(HERE / "serve.cjs"), str(HERE / "render.cjs")]
    return Worker(f"puppeteer-core {NPM['puppeteer-core']} (Node), {name}", command, variables)


def read_back(case: Case, content: bytes) -> str:
    """Say how large the picture or the page is."""
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
        about=f"A card of {WIDTH} x {HEIGHT} pixels, and an invoice on A4, tagged as puppeteer's is; fonts inside.",
        cases=[card("png"), card("jpeg"), card("webp"), PDF],
        ours=ours("bench.render:with_mediakit"),
        peers=[puppeteer("a page a call"), puppeteer("a browser a call", LAUNCH="1")],
        inspect=read_back,
        set_up=write_pages,
    ),
    Bench(
        tool="render: many at once",
        about=f"{AT_ONCE} cards asked for at the same time; the time is that of all of them.",
        cases=[card("png", at_once=AT_ONCE)],
        ours=ours("bench.render:with_mediakit_at_once"),
        peers=[
            Worker("mediakit, one after the other", ours("bench.render:with_mediakit_in_turn").command),
            puppeteer("a page a call"),
        ],
        inspect=read_back,
        set_up=write_pages,
    ),
]
