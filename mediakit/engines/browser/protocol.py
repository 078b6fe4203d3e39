"""The Chrome DevTools Protocol: commands to Chromium, and its events, over a pipe of this process."""

import asyncio
import itertools
import json
import logging
import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from types import MappingProxyType
from typing import Any


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

    def once(self, event: str, listener: Listener) -> None:
        """Call a listener for the next event of a kind."""

        def call_once(params: dict[str, Any]) -> None:
            self.remove_listener(event, call_once)
            listener(params)

        self.on(event, call_once)

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


PIPE_FLAG = "--remote-debugging-pipe"

COMMANDS_FD, MESSAGES_FD, ERRORS_FD = 3, 4, 2

PIPE_BYTES = 1 << 20
"""Capacity of the pipes. A screenshot then arrives in a few parts."""

MAX_OUTPUT_BYTES = 4096
"""The last part of Chromium's error output that is kept."""

MIN_FD = 10
"""This process's ends have higher numbers than the file descriptors of Chromium."""

IS_SUPPORTED = sys.platform != "win32"
UNSUPPORTED = "Windows passes no further file descriptors to a new process."


class PipeProcess:
    """A Chromium that was started with a pipe."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        """Process ID, which is also the ID of its process group."""
        self.connection = Connection()
        self.exited = asyncio.Event()
        self._output = _Output()
        self._transports: list[asyncio.BaseTransport] = []
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._wait, args=(loop,), name="mediakit-chromium", daemon=True).start()

    async def connect(self, commands: int, messages: int, errors: int) -> None:
        """Use this process's ends of the pipes, and wait until Chromium answers.

        Raises:
            ProtocolError: Chromium exited. The message contains its error output.
        """
        loop = asyncio.get_running_loop()
        writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(commands, "wb", 0))
        output, _ = await loop.connect_read_pipe(lambda: self._output, os.fdopen(errors, "rb", 0))
        self.connection.open(writer)
        reader, _ = await loop.connect_read_pipe(lambda: self.connection, os.fdopen(messages, "rb", 0))
        self._transports = [writer, output, reader]
        try:
            await self.connection.browser.send("Browser.getVersion")
        except ProtocolError as error:
            kill_group(self.pid)
            await self.exited.wait()
            raise ProtocolError(f"Chromium exited at its start. {self._output}".strip()) from error

    async def disconnect(self) -> None:
        """Wait until Chromium has exited, and release the pipes."""
        await self.exited.wait()
        for transport in self._transports:
            transport.close()
        await asyncio.sleep(0)  # the loop closes the pipes in its next iteration

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._on_exit)

    def _on_exit(self) -> None:
        self.exited.set()
        self.connection.close()


class _Output(asyncio.Protocol):
    """Keeps the last part of Chromium's error output."""

    def __init__(self) -> None:
        self._tail = b""

    def data_received(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-MAX_OUTPUT_BYTES:]

    def __str__(self) -> str:
        return self._tail.decode(errors="replace").strip()


async def start_process(
    command: Sequence[str], environment: Mapping[str, str], sockets: Mapping[int, int] = MappingProxyType({})
) -> PipeProcess:
    """Start Chromium in its own process group, and wait until it answers.

    Args:
        command: The executable and its arguments.
        environment: Its environment variables.
        sockets: Further file descriptors of the new process, with those of this process that they become.

    Raises:
        ProtocolError: Chromium exited. The message contains its error output.
        OSError: The command cannot be executed.
    """
    with ExitStack() as child_ends, ExitStack() as own_ends:
        commands, commands_in = _pipe(reader=child_ends, writer=own_ends)
        messages, messages_in = _pipe(reader=own_ends, writer=child_ends)
        errors, errors_in = _pipe(reader=own_ends, writer=child_ends)
        # Sockets come first, because the ends of the pipes may replace them: those have higher numbers.
        ends = {**sockets, ERRORS_FD: errors_in, COMMANDS_FD: commands, MESSAGES_FD: messages_in}
        process = PipeProcess(_spawn([*command, PIPE_FLAG], environment, ends))
        own_ends.pop_all()
    try:
        await process.connect(commands_in, messages, errors)
    except BaseException:
        kill_group(process.pid)
        await process.disconnect()
        raise
    return process


def kill_group(pid: int) -> None:
    """Kill a Chromium and all processes of its group."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _pipe(*, reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """Return the read end and the write end of a pipe that no other child process inherits."""
    if sys.platform == "win32":
        raise NotImplementedError(UNSUPPORTED)
    import fcntl

    ends = []
    for low, stack in zip(os.pipe(), (reader, writer), strict=True):
        # A number that no end has in the new process, so that ends do not replace each other there.
        ends.append(fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, MIN_FD))
        stack.callback(os.close, ends[-1])
        os.close(low)
    if sys.platform == "linux":
        with suppress(OSError):  # the user's limit for pipes is reached
            fcntl.fcntl(ends[0], fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return ends[0], ends[1]


def _spawn(command: Sequence[str], environment: Mapping[str, str], ends: Mapping[int, int]) -> int:
    """Start a process that leads its own process group, and return its ID."""
    if sys.platform == "win32":
        raise NotImplementedError(UNSUPPORTED)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        *((os.POSIX_SPAWN_DUP2, end, target) for target, end in ends.items()),
    ]
    # Python ignores these signals, and a new process would inherit that.
    restored = [signal.SIGPIPE, signal.SIGXFSZ]
    return os.posix_spawn(command[0], list(command), environment, file_actions=actions, setpgroup=0, setsigdef=restored)
