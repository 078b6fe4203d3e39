"""The operator's pages: usage of all accounts, search, changes of one account, and the health of the server."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import Account, Accounts
from mediakit.accounts.accounts import calls_per_day, calls_per_tool, usage_report
from mediakit.accounts.administration import FoundAccount
from mediakit.api.dashboard.session import SignedIn
from mediakit.api.dashboard.usage import DAYS, NEARLY_USED_UP, RECENT_CALLS, chart_of
from mediakit.engines import browser
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import Plan

ACCOUNTS_PER_PAGE = 50
TOP_ACCOUNTS = 10

ACTIONS: Mapping[str, tuple[Callable[[Accounts, str], object], str]] = {
    "disable": (lambda accounts, email: accounts.administration.disable(email), "account-disabled"),
    "enable": (lambda accounts, email: accounts.administration.enable(email), "account-enabled"),
    "verify": (lambda accounts, email: accounts.verify(email), "account-verified"),
}
"""Changes of an account without further values: the function, and the message after it."""


async def all_usage(signed_in: SignedIn) -> Response:
    """Return the usage of all accounts."""
    return signed_in.page("operator.html", **await signed_in.run(_totals, signed_in.context.accounts))


async def chart(signed_in: SignedIn) -> Response:
    """Return a chart of the calls of all accounts, or of one."""
    is_of_account = "account_id" in signed_in.request.path_params
    return await chart_of(signed_in, (await _found(signed_in)).account.account_id if is_of_account else None)


async def accounts(signed_in: SignedIn) -> Response:
    """Return the list of accounts."""
    query = signed_in.request.query_params
    text, at = query.get("q", ""), query.get("offset", "")
    offset = min(int(at), 10_000_000) if at.isascii() and at.isdigit() and len(at) < 9 else 0
    plan = next((plan for plan in get_args(Plan) if plan == query.get("plan")), None)
    find = signed_in.context.accounts.search.find
    return signed_in.page(
        "operator_accounts.html",
        found=await signed_in.run(find, text, plan, limit=ACCOUNTS_PER_PAGE, offset=offset),
        text=text,
        plan=plan or "",
        plans=get_args(Plan),
        offset=offset,
        previous_offset=max(0, offset - ACCOUNTS_PER_PAGE),
        next_offset=offset + ACCOUNTS_PER_PAGE,
        warn_at=NEARLY_USED_UP,
    )


async def account(signed_in: SignedIn) -> Response:
    """Return one account."""
    found = await _found(signed_in)
    values = await signed_in.run(_account_values, signed_in.context.accounts, found.account)
    plans = get_args(Plan)
    return signed_in.page("operator_account.html", found=found, plans=plans, warn_at=NEARLY_USED_UP, **values)


async def change(signed_in: SignedIn) -> Response:
    """Disable, enable or verify an account.

    Raises:
        InvalidInput: The operator would disable their own account.
        NotFound: The action or the account does not exist.
    """
    found, action = await _found(signed_in), signed_in.request.path_params["action"]
    if action not in ACTIONS:
        raise NotFound("path: does not exist.")
    if action == "disable" and found.account.account_id == signed_in.account.account_id:
        raise InvalidInput("You cannot disable your own account.")
    function, flash = ACTIONS[action]
    await signed_in.run(function, signed_in.context.accounts, found.account.email)
    return signed_in.redirect(_path_of(found), flash)


async def set_plan(signed_in: SignedIn) -> Response:
    """Change the plan of an account."""
    found, plan = await _found(signed_in), signed_in.form.get("plan", "")
    await signed_in.run(signed_in.context.accounts.set_plan, found.account.email, plan)
    return signed_in.redirect(_path_of(found), "account-plan")


async def _found(signed_in: SignedIn) -> FoundAccount:
    """Return the account in the path of a request."""
    account_id = signed_in.request.path_params["account_id"]
    return await signed_in.run(signed_in.context.accounts.search.by_id, account_id)


def _path_of(found: FoundAccount) -> str:
    return f"/dashboard/operator/accounts/{found.account.account_id}"


def _totals(accounts: Accounts) -> dict[str, Any]:
    usage = accounts.ledger.by_day(None, DAYS)
    return {
        "days": calls_per_day(usage, DAYS),
        "tools": calls_per_tool(usage),
        "plans": accounts.search.count_by_plan(),
        "top": accounts.ledger.totals(DAYS)[:TOP_ACCOUNTS],
    }


def _account_values(accounts: Accounts, account: Account) -> dict[str, Any]:
    return {
        "report": usage_report(accounts, account, days=DAYS, recent=0),
        "calls": accounts.ledger.recent(account.account_id, RECENT_CALLS),
        "keys": accounts.list_keys(account.email),
        "sessions": accounts.sessions.list_of_account(account.account_id),
    }


async def health(signed_in: SignedIn, metrics: Callable[[Request], Awaitable[Response]]) -> Response:
    """Return the page of health: readiness, the render queue, and the numbers of `/metrics` by path."""
    text = bytes((await metrics(signed_in.request)).body).decode()
    return signed_in.page(
        "operator_health.html",
        checks=await signed_in.context.readiness.check(),
        renders=shared.slots if (shared := browser.existing()) else None,
        files=signed_in.context.file_slots,
        paths=numbers_by_path(text),
    )


@dataclass(slots=True)
class PathNumbers:
    """The responses of one path since the server started."""

    path: str
    responses: int
    refused: int
    """Responses with a status of 400 to 499."""
    failed: int
    """Responses with a status of 500 or more."""
    mean_milliseconds: int
    """The mean response time."""


def numbers_by_path(metrics: str) -> list[PathNumbers]:
    """Return the numbers of each path from the text of `/metrics`, those of the dashboard last."""
    sums: dict[str, defaultdict[str, float]] = {}
    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            if path := sample.labels.get("path"):
                values = sums.setdefault(path, defaultdict(float))
                values[sample.name] += sample.value
                if sample.name == "mediakit_calls_total":
                    values[f"{sample.labels['status'][0]}xx"] += sample.value
    numbers = [
        PathNumbers(
            path,
            responses=int(values["mediakit_calls_total"]),
            refused=int(values["4xx"]),
            failed=int(values["5xx"]),
            mean_milliseconds=round(
                1000 * values["mediakit_call_seconds_sum"] / (values["mediakit_call_seconds_count"] or 1)
            ),
        )
        for path, values in sums.items()
    ]
    return sorted(numbers, key=lambda each: (each.path.startswith("/dashboard"), -each.responses, each.path))
