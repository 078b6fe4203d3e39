"""A Chromium of this machine that is controlled through a pipe, and the setup of its pages."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from mediakit.engines.browser.page import BrowserClient, Document, EventTasks, Frames, Tab
from mediakit.engines.browser.protocol import PipeProcess, ProtocolError, Session, start_process

LINUX = {
    "fontFamilies": {
        "standard": "Times New Roman",
        "fixed": "Monospace",
        "serif": "Times New Roman",
        "sansSerif": "Arial",
        "cursive": "Comic Sans MS",
        "fantasy": "Impact",
    }
}

MAC = {
    "fontFamilies": {
        "standard": "Times",
        "fixed": "Courier",
        "serif": "Times",
        "sansSerif": "Helvetica",
        "cursive": "Apple Chancery",
        "fantasy": "Papyrus",
    },
    "forScripts": [
        {
            "script": script,
            "fontFamilies": {"standard": sans, "serif": serif, "sansSerif": sans},
        }
        for script, sans, serif in (
            ("jpan", "Hiragino Kaku Gothic ProN", "Hiragino Mincho ProN"),
            ("hang", "Apple SD Gothic Neo", "AppleMyungjo"),
            ("hans", ",PingFang SC,STHeiti", "Songti SC"),
            ("hant", ",PingFang TC,Heiti TC", "Songti TC"),
        )
    ],
}

DEFAULT_FONTS: dict[str, Any] = MAC if sys.platform == "darwin" else LINUX
"""Parameters of `Page.setFontFamilies`, by script of the text where scripts differ."""


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


class PipeClient(BrowserClient):
    """Opens pages in a Chromium that this process has started."""

    def __init__(self, process: PipeProcess, *, frames_on_request: bool) -> None:
        """Take ownership of a process. Use `start`."""
        self._process = process
        self.session, self.pid = process.connection.browser, process.pid
        self._opening: dict[str, Session | None] = {}
        """Sessions of pages that are being opened, by the ID of their new context."""
        self._frames_on_request = frames_on_request
        self._tasks = EventTasks()
        self.session.on("Target.attachedToTarget", self._on_attached)

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        descriptors: Sequence[int],
        *,
        frames_on_request: bool = False,
    ) -> "PipeClient":
        """Start Chromium; it inherits the descriptors, whose numbers are above 4.

        With `frames_on_request`, pages without scripts draw their frames on request, if Chromium can.

        Raises:
            ProtocolError: Chromium exited at its start.
            OSError: The command cannot be executed.
        """
        client = cls(await start_process(command, environment, descriptors), frames_on_request=frames_on_request)
        try:
            await client.session.send("Target.setAutoAttach", AUTO_ATTACH)
        except BaseException:
            await client._process.killed()
            raise
        return client

    @property
    def is_connected(self) -> bool:
        """Whether Chromium can receive commands."""
        return self._process.connection.is_open

    async def open_page(self, proxy: str, *, scripts: bool) -> Tab:
        """Open a page in a new browser context whose only network access is a proxy."""
        network = {"proxyServer": proxy, "proxyBypassList": "<-loopback>"}
        context = await self.session.send("Target.createBrowserContext", {"disposeOnDetach": True, **network})

        async def close() -> None:
            await self.session.send("Target.disposeBrowserContext", context)

        try:
            await self.session.send("Browser.setDownloadBehavior", {"behavior": "deny", **context})
            frames_on_request = not scripts and self._frames_on_request
            page = await self._create_page(context, frames_on_request=frames_on_request)
            opened = Tab(page, close)
            await PageSetup(self._process.connection.session, scripts=scripts).apply(page)
            if frames_on_request:
                opened.frames = await self._frames(page)
            if not scripts:
                opened.blank = await Document.in_page(page)
        except BaseException:
            await close()
            raise
        return opened

    @property
    def closing_steps(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """Ask Chromium to exit, and release the pipes."""
        return self._quit, self._process.disconnect

    async def _quit(self) -> None:
        if self.is_connected:
            await self.session.send("Browser.close")
        await self._process.exited.wait()

    async def _create_page(self, context: Mapping[str, Any], *, frames_on_request: bool) -> Session:
        """Create a page that waits for its debugger. Chromium attaches it before it answers."""
        context_id = context["browserContextId"]
        self._opening[context_id] = None
        options = {"url": "about:blank", "enableBeginFrameControl": frames_on_request, **context}
        try:
            await self.session.send("Target.createTarget", options)
            page = self._opening[context_id]
        finally:
            del self._opening[context_id]
        if page is None:
            raise ProtocolError("Target closed")
        return page

    async def _frames(self, page: Session) -> Frames | None:
        """Draw a frame of a new page, and return its frames, or None if it draws on its own."""
        frames = Frames(page)
        try:
            await frames.draw()
        except ProtocolError:
            self._frames_on_request = False
            return None
        return frames

    def _on_attached(self, event: dict[str, Any]) -> None:
        target = event["targetInfo"]
        if target["type"] != "page":
            self._tasks.run(self._detach(event["sessionId"]))
        elif target.get("browserContextId") in self._opening:
            self._opening[target["browserContextId"]] = self._process.connection.session(event["sessionId"])
        else:  # a window that a page opened
            self._tasks.run(self.session.send("Target.closeTarget", {"targetId": target["targetId"]}))

    async def _detach(self, session_id: str) -> None:
        """Let a worker run without a session."""
        worker = self._process.connection.session(session_id)
        await worker.send("Runtime.runIfWaitingForDebugger")
        await self.session.send("Target.detachFromTarget", {"sessionId": session_id})
