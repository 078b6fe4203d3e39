"""Set up a new page: fonts, scripts, dialogs, and its frames of other sites, which have sessions of their own."""

import asyncio
from collections.abc import Callable
from typing import Any

from mediakit.engines.browser.background import EventTasks
from mediakit.engines.browser.default_fonts import DEFAULT_FONTS
from mediakit.engines.browser.protocol import Session

AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
"""New workers and frames of other sites wait for commands before they run."""

BLOCK_SERVICE_WORKERS = """
if (self.ServiceWorkerContainer)
    ServiceWorkerContainer.prototype.register = async () => {};
"""

FindSession = Callable[[str], Session]
"""Returns an attached session by its ID."""


class PageSetup:
    """Sets up a page and all frames in it before they run."""

    def __init__(self, find_session: FindSession, *, scripts: bool) -> None:
        self._find_session = find_session
        self._scripts = scripts
        self._tasks = EventTasks()

    async def apply(self, page: Session) -> None:
        """Set up a page that waits for its debugger, and let it run.

        Raises:
            ProtocolError: The page or Chromium exited.
        """
        # Screenshots and autofocus work as in a page that is in front.
        focus = page.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await asyncio.gather(page.send("Network.enable"), focus, self._set_up_frame(page))

    async def _set_up_frame(self, session: Session) -> None:
        session.on("Target.attachedToTarget", self._on_attached)
        session.on("Page.javascriptDialogOpening", lambda event: self._tasks.run(_dismiss(session, event)))
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Page.setFontFamilies", DEFAULT_FONTS),
            ("Target.setAutoAttach", AUTO_ATTACH),
        ]
        if self._scripts:
            source = {"source": BLOCK_SERVICE_WORKERS, "runImmediately": True}
            commands.append(("Page.addScriptToEvaluateOnNewDocument", source))
        else:
            commands.append(("Emulation.setScriptExecutionDisabled", {"value": True}))
        commands.append(("Runtime.runIfWaitingForDebugger", {}))
        await asyncio.gather(*(session.send(*command) for command in commands))

    def _on_attached(self, event: dict[str, Any]) -> None:
        session = self._find_session(event["sessionId"])
        is_frame = event["targetInfo"]["type"] == "iframe"
        self._tasks.run(self._set_up_frame(session) if is_frame else session.send("Runtime.runIfWaitingForDebugger"))


async def _dismiss(session: Session, dialog: dict[str, Any]) -> None:
    """Close a dialog. A page may ask to stay, and then is left."""
    await session.send("Page.handleJavaScriptDialog", {"accept": dialog["type"] == "beforeunload"})
