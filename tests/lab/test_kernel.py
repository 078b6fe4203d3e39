"""In a real Jupyter kernel: calls in any kind of cell, interrupts that end at once, nothing left after a restart."""

import os
import signal
import time
from collections.abc import Iterator

import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from tests.support.browser_kit import all_end, descendants

pytestmark = pytest.mark.browser

SETUP = """
from mediakit.core.runtime import runtime
from mediakit.engines.browser import shared
from mediakit.engines.browser.document import ADDRESS
from mediakit.engines.html import picture

async def pages_left():
    await shared().at_rest()
    contexts = (await shared().start()).browser.contexts
    return [page.url for context in contexts for page in context.pages if page.url != ADDRESS]

def draw(wait_ms=0):
    return picture("<h1>hello</h1>", width=200, height=100, wait_ms=wait_ms)
"""


class Kernel:
    """A running kernel that cells are given to."""

    def __init__(self) -> None:
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel()
        self._connect()

    def _connect(self) -> None:
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        assert self.cell(SETUP) == ("", "ok")

    @property
    def pid(self) -> int:
        assert isinstance(self.manager.provisioner, LocalProvisioner)
        assert self.manager.provisioner.pid
        return self.manager.provisioner.pid

    def send(self, code: str) -> str:
        return str(self.client.execute(code))

    def answer(self, message: str, timeout: float = 60) -> tuple[str, str]:
        """Give what a cell printed, and `ok` or the name of its error."""
        printed = ""
        while True:
            told = self.client.get_iopub_msg(timeout=timeout)
            if told["parent_header"].get("msg_id") != message:
                continue
            if told["msg_type"] == "stream":
                printed += told["content"]["text"]
            if told["msg_type"] == "status" and told["content"]["execution_state"] == "idle":
                break
        while True:
            reply = self.client.get_shell_msg(timeout=timeout)
            if reply["parent_header"].get("msg_id") == message:
                return printed, str(reply["content"].get("ename", "ok"))

    def cell(self, code: str) -> tuple[str, str]:
        return self.answer(self.send(code))

    def interrupted(self, code: str) -> tuple[str, float]:
        """Interrupt a cell while it renders; give the name of its error and how long it took to end."""
        message = self.send(code)
        time.sleep(1)
        began = time.monotonic()
        self.manager.interrupt_kernel()
        _, error = self.answer(message)
        return error, time.monotonic() - began

    def restart(self) -> None:
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self._connect()

    def stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    running = Kernel()
    yield running
    running.stop()


def browser_processes(kernel: Kernel) -> list[psutil.Process]:
    found = descendants(kernel.pid)
    names = " ".join(process.name() for process in found)
    assert "node" in names
    assert "chrom" in names
    return found


def test_a_cell_renders_while_its_loop_runs(kernel: Kernel) -> None:
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


def test_a_cell_awaits_a_render(kernel: Kernel) -> None:
    assert kernel.cell("print((await runtime.wait(draw())).width)") == ("200\n", "ok")


def test_a_coroutine_of_the_cell_may_call_it_too(kernel: Kernel) -> None:
    assert kernel.cell("async def f():\n    return runtime.run(draw()).height\nprint(await f())") == ("100\n", "ok")


@pytest.mark.parametrize(
    "code", ["runtime.run(draw(wait_ms=15_000))", "await runtime.wait(draw(wait_ms=15_000))"], ids=["sync", "async"]
)
def test_an_interrupt_ends_a_render_and_leaves_nothing(kernel: Kernel, code: str) -> None:
    kernel.cell("runtime.run(draw())")

    error, seconds = kernel.interrupted(code)

    assert error in {"KeyboardInterrupt", "CancelledError"}
    assert seconds < 8, "the render's own 15 seconds went by"
    assert kernel.cell("print(runtime.run(pages_left()))") == ("[]\n", "ok")
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 0.8])
def test_an_interrupt_during_the_first_start_spoils_nothing(kernel: Kernel, seconds: float) -> None:
    kernel.cell("runtime.stop()")
    message = kernel.send("import mediakit; mediakit.capture('<h1>hello</h1>', wait_ms=5_000)")
    time.sleep(seconds)
    kernel.manager.interrupt_kernel()

    assert kernel.answer(message)[1] == "KeyboardInterrupt"
    assert kernel.cell("print(runtime.run(draw()).width, runtime.run(pages_left()))") == ("200 []\n", "ok")


def test_a_restart_leaves_no_browser_behind(kernel: Kernel) -> None:
    kernel.cell("runtime.run(draw())")
    processes = browser_processes(kernel)

    kernel.restart()

    assert all_end(processes)
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


def test_a_killed_kernel_leaves_no_browser_behind(kernel: Kernel) -> None:
    kernel.cell("runtime.run(draw())")
    processes = browser_processes(kernel)

    os.kill(kernel.pid, signal.SIGKILL)

    assert all_end(processes)
