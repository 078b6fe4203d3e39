"""A session of the Chrome DevTools Protocol: commands to one page or to the browser, and its events."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from mediakit.engines.browser.protocol.errors import ProtocolError

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
