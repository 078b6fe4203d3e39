"""Events of calls, for the hooks of this process."""

import threading

from mediakit.accounts import Outcome, Principal
from mediakit.core.hooks import CallEvent, QuotaEvent, QuotaEventName, hooks
from mediakit.core.usage import Usage

WARNING_PERCENT = 80

_lock = threading.Lock()
_reported: dict[tuple[QuotaEventName, int], str] = {}
"""The month, by its end, for which an event was last sent, by event and account."""


def report_call(principal: Principal, outcome: Outcome) -> None:
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


def report_usage(principal: Principal, usage: Usage) -> None:
    """Report that an account has used most or all credits of the month, once for each month."""
    if usage.limit is None:
        return
    if usage.used * 100 >= usage.limit * WARNING_PERCENT:
        _report_once("quota_warning", principal, usage, usage.limit)
    if usage.used >= usage.limit:
        _report_once("quota_used_up", principal, usage, usage.limit)


def _report_once(name: QuotaEventName, principal: Principal, usage: Usage, limit: int) -> None:
    if not hooks.has(name):
        return
    key = (name, principal.account_id)
    with _lock:
        if _reported.get(key) == usage.reset:
            return
        _reported[key] = usage.reset
    hooks.emit(name, QuotaEvent(principal.email, usage.plan, usage.used, limit, usage.reset))
