"""Rendering in a real Jupyter kernel: cells, interrupts, and cleanup after a restart."""

import os
import signal
import time
from collections.abc import Iterator

import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from tests.support.browser_kit import all_exit, descendants

pytestmark = pytest.mark.browser

SETUP = """
from mediakit.core.runtime import runtime
from mediakit.engines.browser import shared
from mediakit.engines.browser.page import DOCUMENT_URL
from mediakit.engines.browser.html import render_image

async def pages_left():
    await shared().wait_for_cleanup()
    targets = await (await shared().start()).client.session.send("Target.getTargets")
    pages = [target["url"] for target in targets["targetInfos"] if target["type"] == "page"]
    return [url for url in pages if url != DOCUMENT_URL]

def draw(wait_ms=0):
    return render_image("<h1>hello</h1>", width=200, height=100, wait_ms=wait_ms)
"""


class Kernel:
    """A running kernel that executes cells."""

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

    def wait_for(self, message: str, timeout: float = 60) -> tuple[str, str]:
        """Wait for a cell, and return its output and `ok` or the name of its error."""
        printed = ""
        while True:
            event = self.client.get_iopub_msg(timeout=timeout)
            if event["parent_header"].get("msg_id") != message:
                continue
            if event["msg_type"] == "stream":
                printed += event["content"]["text"]
            if event["msg_type"] == "status" and event["content"]["execution_state"] == "idle":
                break
        while True:
            reply = self.client.get_shell_msg(timeout=timeout)
            if reply["parent_header"].get("msg_id") == message:
                return printed, str(reply["content"].get("ename", "ok"))

    def wait_for_output(self, message: str, timeout: float = 60) -> None:
        """Wait until a cell has printed; an interrupt before a cell runs has no effect."""
        while True:
            event = self.client.get_iopub_msg(timeout=timeout)
            if event["parent_header"].get("msg_id") == message and event["msg_type"] == "stream":
                return

    def cell(self, code: str) -> tuple[str, str]:
        return self.wait_for(self.send(code))

    def interrupt(self, code: str) -> tuple[str, float]:
        """Interrupt a cell while it renders, and return the name of its error and the seconds until it ended."""
        message = self.send(code)
        time.sleep(1)
        started = time.monotonic()
        self.manager.interrupt_kernel()
        _, error = self.wait_for(message)
        return error, time.monotonic() - started

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
    running.cell("import mediakit; mediakit.capture('<p>')")  # otherwise an interrupt can end an import
    yield running
    running.stop()


def browser_processes(kernel: Kernel) -> list[psutil.Process]:
    found = descendants(kernel.pid)
    assert any("chrom" in process.name() for process in found)
    return found


def test_sync_render_works_while_event_loop_runs(kernel: Kernel) -> None:
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


def test_cell_can_await_render(kernel: Kernel) -> None:
    assert kernel.cell("print((await runtime.wait(draw())).width)") == ("200\n", "ok")


def test_coroutine_in_cell_can_render_synchronously(kernel: Kernel) -> None:
    assert kernel.cell("async def f():\n    return runtime.run(draw()).height\nprint(await f())") == ("100\n", "ok")


@pytest.mark.parametrize(
    "code", ["runtime.run(draw(wait_ms=15_000))", "await runtime.wait(draw(wait_ms=15_000))"], ids=["sync", "async"]
)
def test_interrupt_ends_render_and_leaves_no_page(kernel: Kernel, code: str) -> None:
    kernel.cell("runtime.run(draw())")

    error, seconds = kernel.interrupt(code)

    assert error in {"KeyboardInterrupt", "CancelledError"}
    assert seconds < 8, "the interrupt did not end the render"
    assert kernel.cell("print(runtime.run(pages_left()))") == ("[]\n", "ok")
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 0.8])
def test_render_works_after_interrupt_during_browser_start(kernel: Kernel, seconds: float) -> None:
    kernel.cell("runtime.stop()")
    message = kernel.send("print('started'); mediakit.capture('<h1>hello</h1>', wait_ms=5_000)")
    kernel.wait_for_output(message)
    time.sleep(seconds)
    kernel.manager.interrupt_kernel()

    assert kernel.wait_for(message)[1] == "KeyboardInterrupt"
    assert kernel.cell("print(runtime.run(draw()).width, runtime.run(pages_left()))") == ("200 []\n", "ok")


def test_kernel_restart_ends_browser_processes(kernel: Kernel) -> None:
    kernel.cell("runtime.run(draw())")
    processes = browser_processes(kernel)

    kernel.restart()

    assert all_exit(processes)
    assert kernel.cell("print(runtime.run(draw()).width)") == ("200\n", "ok")


def test_killed_kernel_ends_browser_processes(kernel: Kernel) -> None:
    kernel.cell("runtime.run(draw())")
    processes = browser_processes(kernel)

    os.kill(kernel.pid, signal.SIGKILL)

    assert all_exit(processes)
