"""Overhead of the filtering proxy: a page with 60 images, compared with the same Chromium without a proxy."""

import threading
from collections.abc import Mapping
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from itertools import count
from typing import Any
from unittest import mock

from PIL import Image

from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import Worker, ours
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, driver_client, launch
from mediakit.engines.browser.html import render_image
from mediakit.engines.browser.process import UNCONFINED
from mediakit.engines.network import Lease
from mediakit.settings import BrowserSettings

IMAGES = 60


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(IMAGE)))
        self.end_headers()
        self.wfile.write(IMAGE)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


IMAGE = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/><!--%s--></svg>" % (
    b"x" * 12_000
)


def with_the_guard(values: Mapping[str, Any]) -> Job:
    numbers = count()

    def render() -> bytes:
        page = "".join(f"<img src='{site()}/{next(numbers)}.svg'>" for _ in range(values["images"]))
        return runtime.run(render_image(page, width=600, height=400, browser=chromium())).content

    return render


def without_the_guard(values: Mapping[str, Any]) -> Job:
    """Render with a Chromium that connects directly, which only this benchmark allows."""
    mock.patch.object(launch, "FLAGS", ("--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccess",)).start()
    mock.patch.object(launch, "supported_confinements", return_value=[UNCONFINED]).start()
    mock.patch.object(launch, "check_for_leaks", mock.AsyncMock()).start()
    mock.patch.object(driver_client, "ProxySettings", return_value=None).start()
    # Without the proxy the requests of a page are unknown; a page with requests must not be reused.
    mock.patch.object(Lease, "requests", mock.PropertyMock(return_value=1), create=True).start()
    return with_the_guard(values)


@cache
def site() -> str:
    """Serve the images and return the URL of the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


@cache
def chromium() -> Browser:
    """Return a Chromium that may connect to the site."""
    browser = Browser(BrowserSettings(allowed_networks=("127.0.0.0/8",), render_slots=1))
    runtime.at_exit(browser.close)
    return browser


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of images that were rendered."""
    with Image.open(BytesIO(content)) as image:
        black = image.convert("L").histogram()[0]
    return f"{black / 81:.0f} images"


BENCHES = [
    Bench(
        tool="guard",
        about=f"A page with {IMAGES} images of 12 kB from a server on the loopback interface.",
        cases=[Case(f"{number} images", {"images": number}) for number in (0, IMAGES)],
        ours=ours("bench.guard:with_the_guard"),
        peers=[Worker("the same without a proxy", ours("bench.guard:without_the_guard").command)],
        inspect=read_back,
    )
]
