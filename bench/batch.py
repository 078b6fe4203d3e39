"""`mediakit.batch` compared with loops, a browser launch per file and puppeteer-cluster: files in a folder.

`MEDIAKIT_BENCH_BATCH=20,500` makes 20 certificates and 500 QR codes per call in place of 200 and 10,000. Loops that are
slow make every twentieth of many rows, and their time is multiplied.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import zxingcpp
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.packages import NPM, npm_package
from bench.race import Bench, Case, NotMeasured, Sample
from bench.worker import HERE, Worker, ours, python, python_peer
from mediakit.engines.browser.command import find
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

FILES = Path(tempfile.gettempdir()) / f"mediakit-bench-batch-{os.getpid()}"
PAGE = FILES / "certificate.html"
RECIPIENT = "Recipient Number 00000"
"""The name on the page; the other packages replace its digits."""

CERTIFICATES, CODES = map(int, os.environ.get("MEDIAKIT_BENCH_BATCH", "200,10000").split(","))
MANY_CERTIFICATES = 200
"""Number from which on slow loops make a part of the rows."""
WIDTH, HEIGHT = 1123, 794


def write_page() -> None:
    """Write the certificate for the other packages, with embedded fonts; all files are removed at the end."""
    FILES.mkdir(exist_ok=True)
    atexit.register(shutil.rmtree, FILES, ignore_errors=True)
    filled = TEMPLATES["certificate"].fill({"recipient": RECIPIENT}, "en", width=WIDTH, height=HEIGHT)
    PAGE.write_text(filled.html, encoding="utf-8")


def rows(values: Mapping[str, Any]) -> list[dict[str, str]]:
    field = "data" if values["format"] == "qr" else "recipient"
    text = "https://example.com/tickets/00000" if field == "data" else RECIPIENT
    return [{field: f"{text[:-5]}{number:05}"} for number in range(values["rows"])]


def in_new_folder(values: Mapping[str, Any], make: Callable[[Path], object]) -> Job:
    """Return a job that makes the files of all rows in a new folder, and returns the last one."""

    def run() -> bytes:
        folder = Path(tempfile.mkdtemp(dir=values["folder"]))
        make(folder)
        files = sorted(path for path in folder.iterdir() if path.suffix in (".pdf", ".png"))
        if len(files) != values["rows"]:
            raise RuntimeError(f"{len(files)} of {values['rows']} files were made")
        return files[-1].read_bytes()

    return run


def with_mediakit(values: Mapping[str, Any]) -> Job:
    tool: Any = {"pdf": mediakit.pdf, "png": mediakit.capture, "qr": mediakit.qr}[values["format"]]
    options: Any = {} if values["format"] == "qr" else {"template": "certificate"}
    return in_new_folder(values, lambda folder: mediakit.batch(tool, rows(values), to=folder, **options))


def with_a_call_per_row(values: Mapping[str, Any]) -> Job:
    def call(row: dict[str, str]) -> Any:
        if values["format"] == "qr":
            return mediakit.qr(row["data"])
        tool = mediakit.pdf if values["format"] == "pdf" else mediakit.capture
        return tool(template="certificate", data=row)

    def make(folder: Path) -> None:
        for number, row in enumerate(rows(values)):
            result = call(row)
            result.save(folder / f"{number:05}.{result._saved().extension}")

    return in_new_folder(values, make)


def with_a_browser_per_row(values: Mapping[str, Any]) -> Job:
    from playwright.sync_api import sync_playwright

    page_html = Path(values["page"]).read_text(encoding="utf-8")
    chromium = find(BrowserSettings())

    def make(folder: Path) -> None:
        with sync_playwright() as playwright:
            for number, row in enumerate(rows(values)):
                browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
                page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
                page.set_content(page_html.replace(RECIPIENT, row["recipient"]))
                target = folder / f"{number:05}.{values['format']}"
                if values["format"] == "pdf":
                    page.pdf(path=target, format="A4", landscape=True, print_background=True)
                else:
                    page.screenshot(path=target)
                browser.close()

    return in_new_folder(values, make)


def with_qrcode(values: Mapping[str, Any]) -> Job:
    import qrcode

    def make(folder: Path) -> None:
        for number, row in enumerate(rows(values)):
            qrcode.make(row["data"]).save(folder / f"{number:05}.png")

    return in_new_folder(values, make)


class PartOfRows(Worker):
    """A contender that makes some of the rows; its time is multiplied."""

    def __init__(self, worker: Worker, every: int) -> None:
        super().__init__(worker.name, worker.command, worker._environment)  # noqa: SLF001
        self._every = every

    def time(self, case: Case, repeats: int) -> Sample:
        wall, cpu = super().time(self._part(case), repeats)
        return Sample(wall * self._every, cpu * self._every)

    def make(self, case: Case) -> bytes:
        return super().make(self._part(case))

    def _part(self, case: Case) -> Case:
        return replace(case, values={**case.values, "rows": case.values["rows"] // self._every})


def puppeteer_cluster() -> Worker:
    """Return puppeteer-cluster with two pages at a time, each in its own context, and the Chromium of mediakit."""

    def variables() -> dict[str, str]:
        try:
            chromium = str(find(BrowserSettings()))
        except BrowserMissing as error:
            raise NotMeasured(str(error)) from None
        paths = (npm_package("puppeteer-cluster"), npm_package("puppeteer-core"))
        return {"NODE_PATH": os.pathsep.join(map(str, paths)), "CHROMIUM": chromium}

    command = ["node", str(HERE / "serve.cjs"), str(HERE / "batch.cjs")]
    return Worker(f"puppeteer-cluster {NPM['puppeteer-cluster']} (Node)", command, variables)


def loop() -> Worker:
    return Worker("mediakit, a call per row", python("bench.batch:with_a_call_per_row"))


def every(worker: Worker) -> Worker:
    """Return a slow contender: of many rows, it makes a part."""
    if CERTIFICATES < MANY_CERTIFICATES:
        return worker
    worker.name += ", every 20th row"
    return PartOfRows(worker, 20)


def read_back(case: Case, content: bytes) -> str:
    """Return the text of the last PDF or QR code, or the size of the last image."""
    if case.values["format"] == "pdf":
        text = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()
        return next((line for line in text.splitlines() if line.startswith(RECIPIENT[:-5])), "no name")
    with Image.open(BytesIO(content)) as image:
        if case.values["format"] == "png":
            return f"{image.width} x {image.height} px"
        (code,) = zxingcpp.read_barcodes(image.convert("L"))
        return str(code.text)


def case(name: str, kind: str, count: int) -> Case:
    files = {"folder": str(FILES), "page": str(PAGE)}
    return Case(f"{count:,} {name}", {"format": kind, "rows": count, "width": WIDTH, "height": HEIGHT, **files})


BENCHES = [
    Bench(
        tool="batch: certificates",
        about="Certificates in a folder. The other packages load a finished page with another name for each row.",
        cases=[case("as PDF", "pdf", CERTIFICATES), case("as PNG", "png", CERTIFICATES)],
        ours=ours("bench.batch:with_mediakit"),
        peers=[
            loop(),
            every(Worker("Playwright, a browser per row", python("bench.batch:with_a_browser_per_row"))),
            puppeteer_cluster(),
        ],
        inspect=read_back,
        set_up=write_page,
    ),
    Bench(
        tool="batch: QR codes",
        about="QR codes in a folder, with the defaults of each package.",
        cases=[case("QR codes", "qr", CODES)],
        ours=ours("bench.batch:with_mediakit"),
        peers=[loop(), every(python_peer("qrcode", "bench.batch:with_qrcode"))],
        inspect=read_back,
        set_up=write_page,
    ),
]
