"""The address of the server that snippets call: the one that runs in this process, or the one to start."""

import sys

DEFAULT_URL = "http://127.0.0.1:8000"
"""The address of `mediakit serve`."""

NOTEBOOK_PORT = 8765
"""The first port that `mediakit.serve()` tries."""

IN_NOTEBOOK = "First run mediakit.serve() in a cell. MEDIAKIT_API_KEY is mediakit.serve().key."
IN_SHELL = "First run mediakit serve --dev. MEDIAKIT_API_KEY is the key that it prints."


class RunningServer:
    """The server that runs in this process; `mediakit.serve()` sets its URL."""

    def __init__(self) -> None:
        self.url: str | None = None


running_server = RunningServer()


def address(base_url: str | None) -> tuple[str, str]:
    """Return the base URL for a snippet, and a note that says how to start the server; empty if it runs.

    Args:
        base_url: A URL that the caller chose; None for the server of this process.
    """
    if base_url or running_server.url:
        return (base_url or running_server.url or "").rstrip("/"), ""
    if "ipykernel" in sys.modules:
        return f"http://127.0.0.1:{NOTEBOOK_PORT}", IN_NOTEBOOK
    return DEFAULT_URL, IN_SHELL
