"""The request log of a server in a kernel. A background thread must not print into notebook cells."""

import logging
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.api.docs_assets import PREFIX as DOCS_PREFIX
from mediakit.core.introspection import PublicNames
from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html

MAX_ENTRIES = 200
SECRET_PREFIXES = ("/files/", "/dashboard/sign-in/")
"""Prefixes of paths that grant access: to the file of a temporary link, to an account by a sign-in link."""

LOGGERS = ("mediakit", "uvicorn")

COLUMNS = tuple(ShownColumn(name, "") for name in ("Time", "Request", "Status", "Duration"))


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
        newest = [entry.cells() for entry in list(self)[-MAX_SHOWN_ROWS:]]
        return table_html(COLUMNS, newest, "Newest requests", len(newest))


class RequestLogMiddleware:
    """Records each request without its query and secrets, because outputs of notebooks are saved and shared."""

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and record it before its client has the whole response and could look for the entry."""
        if scope["type"] != "http" or scope["path"].startswith(DOCS_PREFIX):
            await self.app(scope, receive, send)
            return
        path, started, status, is_recorded = scope["path"][:100], time.perf_counter(), 0, False
        shown = next((f"{prefix}…" for prefix in SECRET_PREFIXES if path.startswith(prefix)), path)

        def record() -> None:
            nonlocal is_recorded
            if not is_recorded:
                self.log.add(Entry(f"{scope['method']} {shown}", status, time.perf_counter() - started))
            is_recorded = True

        async def send_and_record(event: Message) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
            elif not event.get("more_body"):
                record()
            await send(event)

        try:
            await self.app(scope, receive, send_and_record)
        finally:
            record()


class _Handler(logging.Handler):
    def __init__(self, log: RequestLog) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        self.log.add(Entry(record.getMessage()[:200]))
