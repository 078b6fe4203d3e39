"""Hooks: functions of a program that embeds the server, called after calls and at limits of the quota."""

import inspect
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, overload

from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.accounts import Outcome, Principal
    from mediakit.usage import Usage

Event = Literal["call", "quota_warning", "quota_used_up"]
QuotaEventName = Literal["quota_warning", "quota_used_up"]

MAX_WAITING_EVENTS = 10_000
"""Events that wait for slow functions; further ones are dropped and logged."""

WARNING_PERCENT = 80
"""Share of a month's credits whose use is reported."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A call of a tool over HTTP that has ended, also one that failed or was refused."""

    email: str
    """Email address of the account."""
    key_id: str
    tool: str
    status: int
    """HTTP status of the response; 499 if the client disconnected."""
    milliseconds: int
    request_id: str


@dataclass(frozen=True, slots=True)
class QuotaEvent:
    """The credits of an account in the current month."""

    email: str
    """Email address of the account."""
    plan: str
    used: int
    limit: int
    reset: str
    """Start of the next month: ISO 8601, UTC."""


class Hook:
    """A registered function. Call `remove()` to remove it, or use it as a context manager."""

    def __init__(self, event: Event, function: Callable[[Any], object]) -> None:
        self.event = event
        self.function = function

    def remove(self) -> None:
        """Stop calling the function. Removing a hook twice has no effect."""
        hooks.remove(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        return f"<mediakit hook {self.event}: {getattr(self.function, '__qualname__', self.function)}>"


class Hooks:
    """The registered hooks of this process, and the thread that calls them."""

    def __init__(self) -> None:
        self._hooks: tuple[Hook, ...] = ()
        self._lock = threading.Lock()
        self._events: queue.Queue[tuple[Hook, object]] = queue.Queue(MAX_WAITING_EVENTS)
        self._thread: threading.Thread | None = None

    def add(self, hook: Hook) -> None:
        """Register a hook."""
        with self._lock:
            self._hooks = (*self._hooks, hook)

    def remove(self, hook: Hook) -> None:
        """Remove a hook. Events that wait for it are not delivered."""
        with self._lock:
            self._hooks = tuple(each for each in self._hooks if each is not hook)

    def has(self, event: Event) -> bool:
        """Return whether an event has a hook."""
        return any(hook.event == event for hook in self._hooks)

    def emit(self, name: Event, event: CallEvent | QuotaEvent) -> None:
        """Call the functions of an event, in another thread."""
        for hook in self._hooks:
            if hook.event == name:
                try:
                    self._events.put_nowait((hook, event))
                except queue.Full:
                    log.warning("A hook of %r is too slow; an event was dropped.", name)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # a forked process has no threads
                self._thread = threading.Thread(target=self._deliver, name="mediakit-hooks", daemon=True)
                self._thread.start()

    def _deliver(self) -> None:
        while True:
            hook, event = self._events.get()
            if hook not in self._hooks:
                continue
            try:
                hook.function(event)
            except Exception:
                log.exception("A hook of %r failed.", hook.event)


hooks = Hooks()


@overload
def on(event: Literal["call"], function: Callable[[CallEvent], object]) -> Hook: ...
@overload
def on(event: QuotaEventName, function: Callable[[QuotaEvent], object]) -> Hook: ...
def on(event: Event, function: Callable[[Any], object]) -> Hook:
    """Call a function after events of the server in this process.

    The function runs in a thread of its own, one event after another, and delays no call. Its errors are logged.

    Args:
        event: `call`: a call of a tool has ended. `quota_warning`: an account has used 80 % of its credits.
            `quota_used_up`: an account has used all its credits. Both are sent once a month for each account.
        function: Receives a `CallEvent` or a `QuotaEvent`.

    Returns:
        The hook, to remove it.

    Raises:
        InvalidInput: The event does not exist, or the function is async.
    """
    if event not in get_args(Event):
        raise InvalidInput(f"event: must be one of {', '.join(get_args(Event))}, got {event!r}.")
    if inspect.iscoroutinefunction(function):
        raise InvalidInput("function: must not be async, because it runs in a thread.")
    hook = Hook(event, function)
    hooks.add(hook)
    return hook


_reported_lock = threading.Lock()
_reported: dict[tuple[QuotaEventName, int], str] = {}
"""The month, by its end, for which an event was last sent, by event and account."""


def report_call(principal: "Principal", outcome: "Outcome") -> None:
    """Report that a call has ended."""
    if hooks.has("call"):
        event = CallEvent(
            email=principal.email,
            key_id=principal.key_id,
            tool=outcome.tool,
            status=outcome.status,
            milliseconds=outcome.milliseconds,
            request_id=outcome.request_id,
        )
        hooks.emit("call", event)


def report_usage(principal: "Principal", usage: "Usage") -> None:
    """Report that an account has used most or all credits of the month, once for each month."""
    if usage.limit is None:
        return
    if usage.used * 100 >= usage.limit * WARNING_PERCENT:
        _report_once("quota_warning", principal, usage, usage.limit)
    if usage.used >= usage.limit:
        _report_once("quota_used_up", principal, usage, usage.limit)


def _report_once(name: QuotaEventName, principal: "Principal", usage: "Usage", limit: int) -> None:
    if not hooks.has(name):
        return
    key = (name, principal.account_id)
    with _reported_lock:
        if _reported.get(key) == usage.reset:
            return
        _reported[key] = usage.reset
    hooks.emit(name, QuotaEvent(principal.email, usage.plan, usage.used, limit, usage.reset))
