"""What browser tests share: a web site on loopback, pictures read back, processes watched."""

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
from mediakit.engines.browser import Browser
from mediakit.engines.browser.document import DOCUMENT_URL
from mediakit.engines.html import Screenshot, render_image
from mediakit.settings import BrowserSettings

Pixel = tuple[int, ...]


@dataclass
class Site:
    """A web site on every address of 127.0.0.0/8; what it does not have is 404."""

    port: int
    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)
    """Paths that never get an answer."""
    replies: dict[str, tuple[int, bytes, dict[str, str]]] = field(default_factory=dict)
    """Status, content and headers of paths that are no plain pages."""
    hits: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    """What each request brought, empty where it brought none."""
    over: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def serves(self, path: str, kind: str, content: bytes) -> str:
        self.pages[path] = (kind, content)
        return self.url(path)

    def answers(self, path: str, status: int, content: bytes = b"", **headers: str) -> str:
        self.replies[path] = (status, content, {"Content-Type": "text/html", **headers})
        return self.url(path)

    def hangs(self, path: str, host: str = "127.0.0.1") -> str:
        self.hanging.add(path)
        return self.url(path, host)


@contextmanager
def site() -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here.hits.append(self.path)
            here.cookies.append(self.headers.get("Cookie", ""))
            if self.path in here.hanging:
                here.over.wait(60)
                self.close_connection = True
                return
            kind, content = here.pages.get(self.path, ("", b""))
            plain = (200 if kind else 404, content, {"Content-Type": kind or "text/plain"})
            status, content, headers = here.replies.get(self.path, plain)
            self.send_response(status)
            length = {} if status == 204 else {"Content-Length": str(len(content))}
            for name, value in {**headers, **length, "Access-Control-Allow-Origin": "*"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    here = Site(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield here
    here.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def browser(**settings: Any) -> Iterator[Browser]:
    idle_seconds = settings.pop("idle_seconds", 600)
    made = Browser(BrowserSettings(**settings), idle_seconds=idle_seconds)
    try:
        yield made
    finally:
        runtime.run(made.close())


def draw(on: Browser, html: str, *, width: int = 200, height: int = 100, **options: Any) -> Screenshot:
    return runtime.run(render_image(html, width=width, height=height, browser=on, **options))


def opened(shot: Screenshot) -> Image.Image:
    image = Image.open(io.BytesIO(shot.content))
    image.load()
    return image


def pixel(shot: Screenshot, x: int = 5, y: int = 5) -> Pixel:
    value = opened(shot).convert("RGB").getpixel((x, y))
    assert isinstance(value, tuple)
    return tuple(int(part) for part in value)


def pages_left(on: Browser) -> list[str]:
    """Give the addresses of what earlier renders have left open, beside the one empty page that waits for the next."""

    async def addresses() -> list[str]:
        await on.wait_for_cleanup()
        contexts = (await on.start()).browser.contexts
        blank, *others = [page.url for context in contexts for page in context.pages] or [DOCUMENT_URL]
        return others if blank == DOCUMENT_URL else [blank, *others]

    return runtime.run(addresses())


def descendants(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def own_chromium() -> list[psutil.Process]:
    """Give the main processes of this process's Chromiums: children of its drivers."""
    mine = psutil.Process(os.getpid()).children()
    return [child for driver in mine if "node" in driver.name() for child in driver.children()]


def is_running(process: psutil.Process) -> bool:
    """Say whether a process still runs; one that only waits to be reaped does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def all_end(processes: list[psutil.Process], within: float = 5) -> bool:
    until = time.monotonic() + within
    while any(map(is_running, processes)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_running, processes))
