"""Serves the sample page on the loopback interface, so that the demo needs no internet access."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mediakit.engines.browser import configure
from mediakit.samples import LANDSCAPE, PAGE
from mediakit.settings import BrowserSettings

FILES = {"/": (PAGE, "text/html; charset=utf-8"), "/landscape.jpg": (LANDSCAPE, "image/jpeg")}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Respond with a file of the sample page."""
        if self.path not in FILES:
            self.send_error(404)
            return
        path, content_type = FILES[self.path]
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def sample_site() -> Iterator[str]:
    """Serve the sample page, allow the browser of this process to open it, and yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        address = f"127.0.0.1:{server.server_address[1]}"
        settings = BrowserSettings()
        configure(settings.model_copy(update={"allowed_networks": (*settings.allowed_networks, address)}))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://{address}"
        finally:
            server.shutdown()
            thread.join()
