"""A Chromium with an open DevTools port, as operators start it for MEDIAKIT_BROWSER_URL."""

import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mediakit.engines.browser.command import find, remote_flags
from mediakit.settings import BrowserSettings

PROXY_HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def remote_chromium(flags: Sequence[str] = remote_flags(PROXY_HOST), *, port: int | None = None) -> Iterator[str]:
    """Start a Chromium that no process of mediakit owns, and yield its DevTools URL."""
    port = port or free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = (find(BrowserSettings()), "--headless", "--no-sandbox", f"--user-data-dir={folder}")
        with subprocess.Popen(
            (*command, f"--remote-debugging-port={port}", *flags), stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stderr
                assert any("DevTools listening" in line for line in process.stderr)
                yield f"http://127.0.0.1:{port}"
            finally:
                process.kill()
