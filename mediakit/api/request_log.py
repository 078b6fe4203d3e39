"""The request log of a server in a kernel. A background thread must not print into notebook cells."""

import html
import logging
import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.api.docs_assets import PREFIX as DOCS_PREFIX
from mediakit.core.public_names import PublicNames

MAX_ENTRIES = 200
MAX_ROWS = 20
"""Entries in the table of a cell."""

SECRET_PREFIXES = ("/files/", "/dashboard/sign-in/")
"""Prefixes of paths that grant access: to the file of a temporary link, to an account by a sign-in link."""

LOGGERS = ("mediakit", "uvicorn")


@dataclass(frozen=True)
class Entry:
    """A completed request, or a warning of the server."""

    message: str
    """`POST /qr`, or the text of the warning."""
    status: int | None = None
    seconds: float | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC).astimezone())

    def cells(self) -> tuple[str, str, str, str]:
        """Return the cells of the entry's table row."""
        duration = "" if self.seconds is None else f"{self.seconds * 1000:.0f} ms"
        return f"{self.time:%H:%M:%S}", self.message, str(self.status or ""), duration


class RequestLog(PublicNames, Sequence[Entry]):
    """The newest entries, oldest first. A notebook displays them as a table."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MAX_ENTRIES)
        self._handler = _Handler(self)

    def add(self, entry: Entry) -> None:
        """Append an entry."""
        self._entries.append(entry)

    def attach(self) -> None:
        """Record the server's log warnings; without a handler, `logging` would print them."""
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self._handler)

    def detach(self) -> None:
        """Stop recording log warnings."""
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self._handler)

    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:  # type: ignore[override]  # slices are lists
        return list(self._entries)[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def __repr__(self) -> str:
        return "\n".join("  ".join(filter(None, entry.cells())) for entry in self) or "no requests yet"

    def _repr_html_(self) -> str:
        if not self._entries:
            return "<i>no requests yet</i>"
        titles = ("Time", "Request", "Status", "Duration")
        head = "".join(f"<th style='text-align:left'>{title}</th>" for title in titles)
        rows = [self._row(entry) for entry in list(self)[-MAX_ROWS:]]
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _row(self, entry: Entry) -> str:
        return f"<tr>{''.join(f'<td style=text-align:left>{html.escape(cell)}</td>' for cell in entry.cells())}</tr>"


class RequestLogMiddleware:
    """Records each request without its query, which may contain private data."""

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and record it when the response is complete."""
        if scope["type"] != "http" or scope["path"].startswith(DOCS_PREFIX):
            await self.app(scope, receive, send)
            return
        message = f"{scope['method']} {_shown(scope['path'])}"
        started, status, is_recorded, unsent_bytes = time.perf_counter(), 0, False, math.inf

        def record() -> None:
            nonlocal is_recorded
            if not is_recorded:
                self.log.add(Entry(message, status, time.perf_counter() - started))
            is_recorded = True

        async def send_and_record(event: Message) -> None:
            nonlocal status, unsent_bytes
            if event["type"] == "http.response.start":
                status = event["status"]
                unsent_bytes = _content_length(event)
            elif event["type"] == "http.response.body":
                unsent_bytes -= len(event.get("body", b""))
                if unsent_bytes <= 0 or not event.get("more_body"):
                    record()  # before the client has the response, so that it finds the entry
            await send(event)

        try:
            await self.app(scope, receive, send_and_record)
        finally:
            record()


def _content_length(start: Message) -> float:
    """Return the length of a response's body; infinity if it is not known."""
    lengths = (value for name, value in start.get("headers", ()) if name.lower() == b"content-length")
    return float(next(lengths, math.inf))


def _shown(path: str) -> str:
    """Return a path without its secret, because outputs of notebooks are saved and shared."""
    prefix = next((prefix for prefix in SECRET_PREFIXES if path.startswith(prefix)), None)
    return f"{prefix}…" if prefix else path[:100]


class _Handler(logging.Handler):
    def __init__(self, log: RequestLog) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        self.log.add(Entry(record.getMessage()[:200]))
