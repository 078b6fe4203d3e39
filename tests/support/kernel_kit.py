"""A real Jupyter kernel for tests: run cells, read their errors and help texts, and complete code."""

import re
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

TIMEOUT_SECONDS = 90
ANSI = re.compile(r"\x1b\[[\d;]*m")


class Kernel:
    """A kernel as a front end sees it."""

    def __init__(self) -> None:
        self._manager = KernelManager(kernel_name="python3")
        self._manager.start_kernel()
        self.client: BlockingKernelClient = self._manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=TIMEOUT_SECONDS)

    def run(self, code: str) -> str:
        """Run a cell and return what it prints or raises, without colors."""
        message = str(self.client.execute(code))
        parts: list[str] = []
        while True:
            event = self.client.get_iopub_msg(timeout=TIMEOUT_SECONDS)
            content = event["content"]
            if event["parent_header"].get("msg_id") != message:
                continue
            match event["msg_type"]:
                case "error":
                    parts.append("\n".join(content["traceback"]))
                case "stream":
                    parts.append(content["text"])
                case "execute_result" | "display_data":
                    parts.append(content["data"]["text/plain"])
                case "status" if content["execution_state"] == "idle":
                    return ANSI.sub("", "".join(parts))

    def inspect(self, code: str) -> str:
        """Return the text of Shift+Tab at the end of the code, without colors."""
        reply = self._reply(self.client.inspect(code, len(code), detail_level=0))
        return ANSI.sub("", reply["data"].get("text/plain", ""))

    def complete(self, code: str) -> list[str]:
        """Return the texts that Tab suggests at the end of the code."""
        reply = self._reply(self.client.complete(code, len(code)))
        return list(reply["matches"])

    def entries(self, code: str) -> dict[str, str]:
        """Return the texts that Tab suggests, each with the line that front ends show beside it."""
        metadata = self._reply(self.client.complete(code, len(code)))["metadata"]
        return {each["text"]: each["type"] for each in metadata["_jupyter_types_experimental"]}

    def stop(self) -> None:
        """Shut the kernel down."""
        self.client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()

    def _reply(self, message: str) -> dict[str, Any]:
        while True:
            reply = self.client.get_shell_msg(timeout=TIMEOUT_SECONDS)
            if reply["parent_header"].get("msg_id") == message:
                return dict(reply["content"])
