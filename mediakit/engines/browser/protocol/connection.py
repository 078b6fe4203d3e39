"""Route messages between the sessions of a Chromium and its pipe.

A message is a JSON object that ends with a zero byte. The messages of all pages share one pipe; `sessionId` tells them
apart ("flat" sessions).
"""

import asyncio
import itertools
import json
import logging
from collections.abc import Mapping
from typing import Any

from mediakit.engines.browser.protocol.errors import ProtocolError
from mediakit.engines.browser.protocol.session import TARGET_CRASHED, Session

END = b"\0"

CLOSED = "Target closed"
CRASHED = "Target crashed"

logger = logging.getLogger(__name__)


class Connection(asyncio.Protocol):
    """All sessions of one Chromium. It is the protocol of the pipe that Chromium writes to."""

    def __init__(self) -> None:
        self.browser = PipeSession(self, None)
        """Session of the browser itself."""
        self._sessions: dict[str | None, PipeSession] = {None: self.browser}
        self._ids = itertools.count(1)
        self._partial: list[bytes] = []
        """Start of a message whose end has not arrived."""
        self._writer: asyncio.WriteTransport | None = None
        self.browser.on("Target.attachedToTarget", self._on_attached)
        self.browser.on("Target.detachedFromTarget", self._on_detached)

    @property
    def is_open(self) -> bool:
        """Whether Chromium can receive commands."""
        return self._writer is not None

    def open(self, writer: asyncio.WriteTransport) -> None:
        """Start to send messages through a transport."""
        self._writer = writer

    def close(self) -> None:
        """Close the connection. Commands without an answer fail."""
        if self._writer:
            self._writer.close()
        self._writer = None
        for session in self._sessions.values():
            session.end(CLOSED)

    def session(self, session_id: str) -> "PipeSession":
        """Return the session of a page that Chromium has attached.

        Raises:
            ProtocolError: The page has closed.
        """
        if session_id not in self._sessions:
            raise ProtocolError(CLOSED)
        return self._sessions[session_id]

    def post(self, method: str, params: Mapping[str, Any] | None, session_id: str | None) -> int:
        """Send a command and return its number.

        Raises:
            ProtocolError: The connection is closed.
        """
        if not self._writer:
            raise ProtocolError(CLOSED)
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        self._writer.write(json.dumps(message).encode() + END)
        return number

    def data_received(self, data: bytes) -> None:
        """Read messages. The last one may be incomplete."""
        *complete, rest = data.split(END)
        for part in complete:
            message = json.loads(b"".join((*self._partial, part)))
            self._partial.clear()
            self._route(message)
        if rest:
            self._partial.append(rest)

    def connection_lost(self, _: Exception | None) -> None:
        """Handle the end of Chromium."""
        self.close()

    def _route(self, message: dict[str, Any]) -> None:
        session = self._sessions.get(message.get("sessionId"))
        if session is None:
            return  # the page has closed
        try:
            session.receive(message)
        except Exception:  # a listener must not end the connection
            logger.exception("A listener failed: %s", message.get("method"))

    def _on_attached(self, event: dict[str, Any], parent: "PipeSession | None" = None) -> None:
        session = PipeSession(self, event["sessionId"], parent)
        self._sessions[event["sessionId"]] = session
        # Frames of other sites and workers attach to the session of their page.
        session.on("Target.attachedToTarget", lambda child: self._on_attached(child, session))
        session.on("Target.detachedFromTarget", self._on_detached)

    def _on_detached(self, event: dict[str, Any]) -> None:
        if session := self._sessions.get(event["sessionId"]):
            self._remove(session)

    def _remove(self, session: "PipeSession") -> None:
        """End a session and those of its frames and workers."""
        self._sessions.pop(session.id, None)
        session.end(CLOSED)
        for child in [other for other in self._sessions.values() if other.parent is session]:
            self._remove(child)


class PipeSession(Session):
    """A session over the pipe."""

    def __init__(self, connection: Connection, session_id: str | None, parent: "PipeSession | None" = None) -> None:
        super().__init__()
        self.id = session_id
        self.parent = parent
        self._connection = connection
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ended = ""
        """Why the session ended; empty while it is open."""
        self.on(TARGET_CRASHED, lambda _: self.end(CRASHED))

    async def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a command and return its result."""
        if self._ended:
            raise ProtocolError(self._ended)
        number = self._connection.post(method, params, self.id)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        try:
            return await answer
        finally:
            self._pending.pop(number, None)

    def receive(self, message: dict[str, Any]) -> None:
        """Handle an event, or the answer to a command."""
        if "id" not in message:
            self.emit(message["method"], message["params"])
            return
        answer = self._pending.get(message["id"])
        if answer is None or answer.done():
            return  # the call was canceled
        if error := message.get("error"):
            answer.set_exception(ProtocolError(error["message"]))
        else:
            answer.set_result(message["result"])

    def end(self, reason: str) -> None:
        """Let all commands fail, those without an answer and later ones."""
        self._ended = self._ended or reason
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ProtocolError(reason))
