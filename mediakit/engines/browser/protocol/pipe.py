"""Start Chromium with a pipe for commands.

Chromium reads commands from its file descriptor 3 and writes to 4. It exits when its pipe closes, so it also ends when
this process is killed.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from mediakit.engines.browser.protocol.connection import Connection
from mediakit.engines.browser.protocol.errors import ProtocolError

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


async def start_process(command: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> PipeProcess:
    """Start Chromium in its own process group, and wait until it answers.

    Raises:
        ProtocolError: Chromium exited. The message contains its error output.
        OSError: The command cannot be executed.
    """
    with ExitStack() as child_ends, ExitStack() as own_ends:
        commands, commands_in = _pipe(reader=child_ends, writer=own_ends)
        messages, messages_in = _pipe(reader=own_ends, writer=child_ends)
        errors, errors_in = _pipe(reader=own_ends, writer=child_ends)
        ends = {ERRORS_FD: errors_in, COMMANDS_FD: commands, MESSAGES_FD: messages_in}
        process = PipeProcess(_spawn(command, [PIPE_FLAG, *arguments], environment, ends))
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


def _spawn(command: Path, arguments: Sequence[str], environment: Mapping[str, str], ends: Mapping[int, int]) -> int:
    """Start a process that leads its own process group, and return its ID.

    Args:
        command: The executable.
        arguments: Its arguments.
        environment: Its environment variables.
        ends: File descriptors of the new process, with the ends of pipes that they become.
    """
    if sys.platform == "win32":
        raise NotImplementedError(UNSUPPORTED)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        *((os.POSIX_SPAWN_DUP2, end, target) for target, end in ends.items()),
    ]
    # Python ignores these signals, and a new process would inherit that.
    restored = [signal.SIGPIPE, signal.SIGXFSZ]
    path = os.fspath(command)
    return os.posix_spawn(path, [path, *arguments], environment, file_actions=actions, setpgroup=0, setsigdef=restored)
