"""A web page on loopback that the shared browser may open."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAGE = b"""<!doctype html><html lang=en><title>A page</title>
<body style='margin:0;background:#2563eb'><h1 style='color:#fff'>Hello</h1><p id=late></p>
<script>document.getElementById('late').textContent = 'written by a script'</script>"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path == "/"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE) if found else 0))
        self.end_headers()
        self.wfile.write(PAGE if found else b"")

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


_server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
ADDRESS = f"127.0.0.1:{_server.server_address[1]}"
URL = f"http://{ADDRESS}/"

# Set before any browser starts, in this process and in processes that tests start.
os.environ["MEDIAKIT_ALLOWED_NETWORKS"] = ADDRESS


@contextmanager
def served() -> Iterator[None]:
    thread = threading.Thread(target=_server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield
    _server.shutdown()
    thread.join()
    _server.server_close()
