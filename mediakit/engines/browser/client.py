"""A connection to a Chromium: opens pages and closes the browser."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence

from mediakit.engines.browser.protocol import Session
from mediakit.engines.browser.tab import OpenPage


class BrowserClient(ABC):
    """Opens pages in a Chromium."""

    session: Session
    """Session of the browser itself."""

    @property
    @abstractmethod
    def is_connected(self) -> bool:
        """Whether Chromium can receive commands."""

    @abstractmethod
    async def open_page(self, proxy: str, *, scripts: bool) -> OpenPage:
        """Open a page in a new browser context whose only network access is a proxy.

        The context grants no permissions, accepts no downloads, opens no windows and blocks service workers. Dialogs
        are dismissed. URL schemes need no check here: from about:blank and http(s), Chromium loads neither `file:` nor
        `chrome:` URLs, and all other schemes use the proxy or stay inside the page.

        Raises:
            ProtocolError: Chromium exited.
        """

    @property
    @abstractmethod
    def closing_steps(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """What to call, in this order, to stop Chromium and to release the connection.

        A step may raise `ProtocolError`.
        """
