"""Start-up time of a new process, which affects the first cell of a notebook and every shell command."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

import mediakit
from bench.packages import NPM, PYPI, npm_package, pip_package
from bench.race import Bench, Case, NotMeasured, Sample
from mediakit.engines.browser.command import find
from mediakit.settings import BrowserSettings

OURS = f"mediakit {mediakit.__version__}"
QRCODE = 'import qrcode, io; qrcode.make("https://example.com").save(io.BytesIO())'
CAPTURE = "import mediakit; mediakit.capture('<h1>hello</h1>')"
SEGNO = 'import segno, io; segno.make("https://example.com").save(io.BytesIO(), kind="png", scale=15)'
NODE_QRCODE = 'require("qrcode").toBuffer("https://example.com", { width: 512 })'

PUPPETEER = """(async () => {
    const options = { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], headless: "shell" };
    const browser = await require("puppeteer-core").launch(options);
    const page = await browser.newPage();
    await page.setContent("<h1>hello</h1>");
    await page.screenshot();
    await browser.close();
})()"""

Environment = Callable[[], dict[str, str]]


class NewProcess:
    """A command that runs in a new process for each call."""

    def __init__(self, name: str, command: Sequence[str], environment: Environment = dict) -> None:
        self.name = name
        self._command = command
        self._prepare = environment
        self._environment: dict[str, str] = {}

    def start(self) -> None:
        self._environment = os.environ | self._prepare()

    def stop(self) -> None:
        """Do nothing; no process runs between calls."""

    def make(self, case: Case) -> bytes:  # noqa: ARG002 - each command has only one case
        done = subprocess.run(self._command, env=self._environment, capture_output=True, check=False)
        if done.returncode:
            raise NotMeasured(done.stderr.decode(errors="replace").strip()[-200:])
        return b""

    def time(self, case: Case, repeats: int) -> Sample:
        wall, cpu = time.perf_counter(), _cpu_of_children()
        for _ in range(repeats):
            self.make(case)
        return Sample((time.perf_counter() - wall) / repeats, (_cpu_of_children() - cpu) / repeats)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _python(name: str, code: str, environment: Environment = dict) -> NewProcess:
    return NewProcess(name, [sys.executable, "-c", code], environment)


BENCHES = [
    Bench(
        tool="start: import",
        about="`python -c` with one line.",
        cases=[Case("import")],
        ours=_python(OURS, "import mediakit"),
        peers=[
            _python("Python alone", "pass"),
            _python(f"pydantic {version('pydantic')}", "from pydantic import BaseModel"),
        ],
    ),
    Bench(
        tool="start: first QR code",
        about="From the start of the process to its end, including imports.",
        cases=[Case("first QR code")],
        ours=_python(OURS, 'import mediakit; mediakit.qr("https://example.com")'),
        peers=[
            NewProcess(
                f"qrcode {NPM['qrcode']} (Node)",
                ["node", "-e", NODE_QRCODE],
                lambda: {"NODE_PATH": str(npm_package("qrcode"))},
            ),
            _python(f"segno {PYPI['segno']} (Python)", SEGNO, lambda: {"PYTHONPATH": str(pip_package("segno"))}),
            _python(f"qrcode {PYPI['qrcode']} (Python)", QRCODE, lambda: {"PYTHONPATH": str(pip_package("qrcode"))}),
        ],
    ),
    Bench(
        tool="start: first QR code in the shell",
        about="`mediakit qr`, from the start of the process to its end, beside a script with the other package.",
        cases=[Case("first QR code, shell")],
        ours=NewProcess(OURS, [sys.executable, "-m", "mediakit", "qr", "https://example.com", "-o", "-"]),
        peers=[
            _python(f"qrcode {PYPI['qrcode']} (Python)", QRCODE, lambda: {"PYTHONPATH": str(pip_package("qrcode"))}),
        ],
    ),
    Bench(
        tool="start: first image",
        about="From the start of the process to its end, including start and end of the browser.",
        cases=[Case("first image")],
        ours=_python(OURS, CAPTURE),
        peers=[
            NewProcess(
                f"puppeteer-core {NPM['puppeteer-core']} (Node)",
                ["node", "-e", PUPPETEER],
                lambda: {"NODE_PATH": str(npm_package("puppeteer-core")), "CHROMIUM": str(find(BrowserSettings()))},
            ),
        ],
    ),
]
