"""The last requests of a server in a kernel, as a table: a background thread must never print into somebody's cell."""

import html
import logging
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEPT = 200
"""Entries that are remembered."""

SHOWN = 20
"""Entries that a cell shows."""

LINKS = "/files/"
LOGGERS = ("mediakit", "uvicorn")


@dataclass(frozen=True)
class Entry:
    """A request that was answered, or a warning of the server."""

    what: str
    """`POST /qr`, or the warning."""
    status: int | None = None
    seconds: float | None = None
    when: datetime = field(default_factory=lambda: datetime.now(UTC).astimezone())

    def cells(self) -> tuple[str, str, str, str]:
        """Give the entry as the cells of a row."""
        took = "" if self.seconds is None else f"{self.seconds * 1000:.0f} ms"
        return f"{self.when:%H:%M:%S}", self.what, str(self.status or ""), took


class RequestLog(Sequence[Entry]):
    """The newest entries, the newest last; the last line of a cell shows them as a table."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._handler = _Handler(self)

    def add(self, entry: Entry) -> None:
        """Remember an entry."""
        self._entries.append(entry)

    def watch(self) -> None:
        """Take the server's warnings, too; with nobody to take them logging would print them."""
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self._handler)

    def unwatch(self) -> None:
        """Leave warnings to others."""
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self._handler)

    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:  # type: ignore[override]  # slices are lists
        return list(self._entries)[place]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def __repr__(self) -> str:
        return "\n".join("  ".join(filter(None, entry.cells())) for entry in self) or "no requests yet"

    def _repr_html_(self) -> str:
        if not self._entries:
            return "<i>no requests yet</i>"
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("Time", "Request", "Status", "Took"))
        rows = [self._row(entry) for entry in list(self)[-SHOWN:]]
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _row(self, entry: Entry) -> str:
        return f"<tr>{''.join(f'<td style=text-align:left>{html.escape(cell)}</td>' for cell in entry.cells())}</tr>"


class Logged:
    """An app whose requests are noted; queries are not, because they may hold what is nobody's business."""

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self.app = app
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note how it was answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        # Who knows a link's address may fetch its file, and outputs of notebooks are kept and shared.
        path = f"{LINKS}…" if path.startswith(LINKS) else path[:100]
        what = f"{scope['method']} {path}"
        began, status, is_noted = time.perf_counter(), 0, False

        def note() -> None:
            nonlocal is_noted
            if not is_noted:
                self.log.add(Entry(what, status, time.perf_counter() - began))
            is_noted = True

        async def noted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                note()  # before its caller has the answer and looks here
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            note()


class _Handler(logging.Handler):
    def __init__(self, log: RequestLog) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        self.log.add(Entry(record.getMessage()[:200]))
