"""What the filtering proxy costs: a page with sixty pictures, beside the same Chromium without a proxy."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from bench.race import Bench, Case
from bench.serve import Job
from bench.worker import Worker, ours
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, launch
from mediakit.engines.browser.confine import BARE
from mediakit.engines.browser.launched import Launched
from mediakit.engines.html import picture
from mediakit.settings import BrowserSettings

PICTURES = 60


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.send_header("Content-Length", str(len(IMAGE)))
        self.end_headers()
        self.wfile.write(IMAGE)

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


IMAGE = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><!--" + b"x" * 12_000 + b"--></svg>"


def with_the_guard(values: Mapping[str, Any]) -> Job:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    page = "".join(f"<img src='{address}/{number}.svg'>" for number in range(values["pictures"]))
    browser = Browser(BrowserSettings(allowed_networks=("127.0.0.0/8",), render_slots=1))
    runtime.at_exit(browser.close)
    return lambda: runtime.run(picture(page, width=600, height=400, browser=browser)).content


def without_the_guard(values: Mapping[str, Any]) -> Job:
    """Let Chromium connect by itself; nowhere but here."""
    mock.patch.object(launch, "FLAGS", ()).start()
    mock.patch.object(launch, "ladder", return_value=[BARE]).start()
    mock.patch.object(launch, "prove", mock.AsyncMock()).start()
    mock.patch.object(Launched, "proxy", "direct://").start()
    return with_the_guard(values)


BENCHES = [
    Bench(
        tool="guard",
        about=f"A page with {PICTURES} pictures of 12 kB from loopback, whose server takes a part of the time.",
        cases=[Case(f"{count} pictures", {"pictures": count}) for count in (0, PICTURES)],
        ours=ours("bench.guard:with_the_guard"),
        peers=[Worker("the same without a proxy", ours("bench.guard:without_the_guard").command)],
    )
]
