"""The Chrome DevTools Protocol: commands to Chromium, and its events, over a pipe of this process."""

import asyncio
import itertools
import json
import logging
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast


class ProtocolError(Exception):
    """Chromium answered a command with an error, or cannot answer it any more.

    `Target crashed` and `Target closed` mean that the page's process or Chromium exited.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


Listener = Callable[[dict[str, Any]], None]
"""Is called with the parameters of an event."""

TARGET_CRASHED = "Inspector.targetCrashed"
"""Event of a page whose process exited."""


class Session(ABC):
    """Sends commands and calls the listeners of events."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = {}

    @abstractmethod
    async def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a command and return its result.

        Raises:
            ProtocolError: Chromium answered with an error, or the page or Chromium exited.
        """

    async def evaluate(self, expression: str, *, await_promise: bool = False, context: int | None = None) -> Any:
        """Evaluate a JavaScript expression in the page, or in another execution context, and return its value.

        Raises:
            ProtocolError: The expression threw an exception, or the page navigated away.
        """
        options = {"expression": expression, "returnByValue": True, "awaitPromise": await_promise}
        if context is not None:
            options["contextId"] = context
        response = await self.send("Runtime.evaluate", options)
        if details := response.get("exceptionDetails"):
            raise ProtocolError(details.get("exception", {}).get("description") or details["text"])
        return response["result"].get("value")

    def on(self, event: str, listener: Listener) -> None:
        """Call a listener for every event of a kind."""
        self._listeners.setdefault(event, []).append(listener)

    def remove_listener(self, event: str, listener: Listener) -> None:
        """Stop calling a listener."""
        self._listeners[event].remove(listener)

    def emit(self, event: str, params: dict[str, Any]) -> None:
        """Call the listeners of an event."""
        for listener in tuple(self._listeners.get(event, ())):
            listener(params)


END = b"\0"

CLOSED = "Target closed"
CRASHED = "Target crashed"

logger = logging.getLogger(__name__)


class Connection:
    """All sessions of one Chromium."""

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
            session = self._sessions.get(message.get("sessionId"))
            try:
                if session:  # the page may have closed
                    session.receive(message)
            except Exception:  # a listener must not end the connection
                logger.exception("A listener failed: %s", message.get("method"))
        if rest:
            self._partial.append(rest)

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


PIPE_FLAG = "--remote-debugging-pipe"

WITH_PIPE = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null', "chromium")
"""Runs a command whose file descriptors 3 and 4 are the pipe: Chromium's commands and messages."""

PIPE_BYTES = 1 << 20
"""Capacity of the pipe of messages. A screenshot then arrives in a few parts."""

MAX_OUTPUT_BYTES = 4096
"""The last part of Chromium's error output that is kept."""

OUTPUT_TIMEOUT_SECONDS = 1.0
"""Time limit for the error output of a Chromium that was killed."""

IS_SUPPORTED = sys.platform != "win32"


class PipeProcess(asyncio.SubprocessProtocol):
    """A Chromium that was started with a pipe, in its own process group."""

    def __init__(self) -> None:
        self.connection = Connection()
        self.exited = asyncio.Event()
        self._closed = asyncio.Event()
        self._errors = b""
        self._transport: asyncio.SubprocessTransport | None = None

    @property
    def pid(self) -> int:
        """Process ID, which is also the ID of its process group."""
        return self._transport.get_pid() if self._transport else 0

    @property
    def output(self) -> str:
        """The last part of the error output."""
        return self._errors.decode(errors="replace").strip()

    async def killed(self) -> None:
        """Kill Chromium, and wait until it has exited."""
        kill_group(self.pid)
        with suppress(TimeoutError):
            async with asyncio.timeout(OUTPUT_TIMEOUT_SECONDS):
                await self._closed.wait()
        await self.disconnect()

    async def disconnect(self) -> None:
        """Wait until Chromium has exited, and release the pipes."""
        await self.exited.wait()
        if self._transport:
            self._transport.close()
        await asyncio.sleep(0)  # the loop closes the pipes in its next iteration

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Use the pipes of a new process."""
        # The transports of uvloop do not inherit from those of asyncio, and do not show their pipe.
        self._transport = cast("asyncio.SubprocessTransport", transport)
        messages = self._transport.get_pipe_transport(1)
        self.connection.open(cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0)))
        pipe = messages.get_extra_info("pipe") if messages else None
        if sys.platform == "linux" and pipe:
            import fcntl

            with suppress(OSError):  # the user's limit for pipes is reached
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Handle messages, and keep the end of the error output."""
        if fd == 1:
            self.connection.data_received(data)
        else:
            self._errors = (self._errors + data)[-MAX_OUTPUT_BYTES:]

    def pipe_connection_lost(self, fd: int, _: Exception | None) -> None:
        """Handle the end of a pipe of commands or messages."""
        if fd in (0, 1):
            self.connection.close()

    def process_exited(self) -> None:
        """Handle the end of Chromium."""
        self.connection.close()
        self.exited.set()

    def connection_lost(self, _: Exception | None) -> None:
        """Handle the end of all pipes."""
        self._closed.set()


async def start_process(
    command: Sequence[str], environment: Mapping[str, str], descriptors: Sequence[int] = ()
) -> PipeProcess:
    """Start Chromium in its own process group, and wait until it answers.

    It inherits the descriptors, whose numbers are above 4.

    Raises:
        ProtocolError: Chromium exited. The message contains its error output.
        OSError: The process cannot be created.
    """
    loop = asyncio.get_running_loop()
    # uvloop knows no `process_group`; a new session has a group of its own, too.
    own_group: dict[str, Any] = (
        {"process_group": 0} if isinstance(loop, asyncio.BaseEventLoop) else {"start_new_session": True}
    )
    _, process = await loop.subprocess_exec(
        PipeProcess, *WITH_PIPE, *command, PIPE_FLAG, env=environment, pass_fds=descriptors, **own_group
    )
    try:
        await process.connection.browser.send("Browser.getVersion")
    except BaseException as error:
        await process.killed()
        if isinstance(error, ProtocolError):
            raise ProtocolError(f"Chromium exited at its start. {process.output}".strip()) from error
        raise
    return process


def kill_group(pid: int) -> None:
    """Kill a Chromium, which leads its own process group, and all processes of the group."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)
