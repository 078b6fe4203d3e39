"""Helpers for browser tests: a web site on loopback, decoded images, and Chromium processes."""

import asyncio
import io
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psutil
from PIL import Image

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab
from mediakit.engines.browser.html import Screenshot, render_image
from mediakit.engines.browser.page import DOCUMENT_URL
from mediakit.engines.browser.protocol import PIPE_FLAG
from mediakit.settings import BrowserSettings

Pixel = tuple[int, ...]


@dataclass
class Site:
    """A web site on every address of 127.0.0.0/8. Unknown paths return 404."""

    port: int
    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)
    """Paths that never get a response."""
    responses: dict[str, tuple[int, bytes, dict[str, str]]] = field(default_factory=dict)
    """Status, content and headers of paths that are not in `pages`."""
    hits: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    """`Cookie` header of each request, or an empty string."""
    closed: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def add_page(self, path: str, kind: str, content: bytes) -> str:
        self.pages[path] = (kind, content)
        return self.url(path)

    def add_response(self, path: str, status: int, content: bytes = b"", **headers: str) -> str:
        self.responses[path] = (status, content, {"Content-Type": "text/html", **headers})
        return self.url(path)

    def add_hanging(self, path: str, host: str = "127.0.0.1") -> str:
        self.hanging.add(path)
        return self.url(path, host)


@contextmanager
def open_site() -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.hits.append(self.path)
            site.cookies.append(self.headers.get("Cookie", ""))
            if self.path in site.hanging:
                site.closed.wait(60)
                self.close_connection = True
                return
            kind, content = site.pages.get(self.path, ("", b""))
            plain = (200 if kind else 404, content, {"Content-Type": kind or "text/plain"})
            status, content, headers = site.responses.get(self.path, plain)
            self.send_response(status)
            length = {} if status == 204 else {"Content-Length": str(len(content))}
            for name, value in {**headers, **length, "Access-Control-Allow-Origin": "*"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    site = Site(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield site
    site.closed.set()
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def open_browser(**settings: Any) -> Iterator[Browser]:
    idle_seconds = settings.pop("idle_seconds", 600)
    opened = Browser(BrowserSettings(**settings), idle_seconds=idle_seconds)
    try:
        yield opened
    finally:
        runtime.run(opened.close())


def render(browser: Browser, html: str, *, width: int = 200, height: int = 100, **options: Any) -> Screenshot:
    return runtime.run(render_image(html, width=width, height=height, browser=browser, **options))


def decode(screenshot: Screenshot) -> Image.Image:
    image = Image.open(io.BytesIO(screenshot.content))
    image.load()
    return image


def pixel(screenshot: Screenshot, x: int = 5, y: int = 5) -> Pixel:
    value = decode(screenshot).convert("RGB").getpixel((x, y))
    assert isinstance(value, tuple)
    return tuple(int(part) for part in value)


def leftover_pages(browser: Browser) -> list[str]:
    """Return the URLs of pages that earlier renders left open, without the empty page for the next render."""

    async def urls() -> list[str]:
        await browser.wait_for_cleanup()
        targets = await (await browser.start()).client.session.send("Target.getTargets")
        urls = [target["url"] for target in targets["targetInfos"] if target["type"] == "page"]
        first, *others = urls or [DOCUMENT_URL]
        return others if first == DOCUMENT_URL else [first, *others]

    return runtime.run(urls())


def descendants(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def chromium_processes() -> list[psutil.Process]:
    """Return the main processes of all Chromium browsers of this process."""
    return [child for child in psutil.Process(os.getpid()).children() if PIPE_FLAG in _command_line(child)]


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def load(tab: Tab, url: str) -> str:
    """Load a page and return its text."""
    loaded = asyncio.Event()
    tab.cdp.on("Page.loadEventFired", lambda _: loaded.set())
    await tab.cdp.send("Page.navigate", {"url": url})
    await loaded.wait()
    return await text(tab)


async def text(tab: Tab) -> str:
    """Return the text of a page."""
    return str(await tab.cdp.evaluate("document.documentElement.textContent.trim()"))


def is_running(process: psutil.Process) -> bool:
    """Return whether a process runs. A zombie does not run."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def has_exited(pid: int) -> bool:
    """Return whether the process with this id does not run. A zombie does not run."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def all_exit(processes: list[psutil.Process], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(is_running, processes))
