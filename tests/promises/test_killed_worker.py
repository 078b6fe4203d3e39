"""A killed worker raises a 503 error with `retry_after`; a worker that crashes on its file raises a 4xx error."""

import sys
from typing import Any

import pytest

import mediakit
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, NotConvertible, ServerBusy
from mediakit.samples import LABEL, LANDSCAPE, PAGE
from tests.support import worker_jobs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")

CALLS: dict[str, tuple[Tool[Any, Any], dict[str, Any]]] = {
    "images": (mediakit.images, {"file": LANDSCAPE, "max_bytes": 50_000}),
    "code_reader": (mediakit.code_reader, {"file": LABEL}),
    "web_to_markdown": (mediakit.web_to_markdown, {"html": PAGE.read_text()}),
}


@pytest.mark.parametrize("name", CALLS)
def test_tool_raises_server_busy_when_its_worker_is_killed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, arguments = CALLS[name]
    worker_jobs.replace_jobs(monkeypatch, worker_jobs.kill_worker)
    with pytest.raises(ServerBusy) as raised:
        tool(**arguments)
    assert (raised.value.status, raised.value.retry_after) == (503, 5)


@pytest.mark.parametrize("name", CALLS)
def test_tool_raises_client_error_when_its_worker_crashes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, arguments = CALLS[name]
    worker_jobs.replace_jobs(monkeypatch, worker_jobs.crash)
    with pytest.raises((InvalidInput, NotConvertible), match=r"damaged|complex"):
        tool(**arguments)
