"""The operator's pages of accounts: usage of all accounts, search, and changes of one account."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import Account, Accounts
from mediakit.accounts.accounts import calls_per_day, calls_per_tool, usage_report
from mediakit.accounts.administration import FoundAccount
from mediakit.api.context import Context
from mediakit.api.dashboard.overview import DAYS, NEARLY_USED_UP, RECENT_CALLS, chart_response
from mediakit.api.dashboard.rendering import redirect, set_flash
from mediakit.api.dashboard.session import page, read_admin_form, require_admin
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import Plan

PATH = "/dashboard/operator"
ACCOUNTS_PER_PAGE = 50
TOP_ACCOUNTS = 10

ACTIONS: Mapping[str, tuple[Callable[[Accounts, str], object], str]] = {
    "disable": (lambda accounts, email: accounts.administration.disable(email), "account-disabled"),
    "enable": (lambda accounts, email: accounts.administration.enable(email), "account-enabled"),
    "verify": (lambda accounts, email: accounts.verify(email), "account-verified"),
}
"""Changes of an account without further values: the function, and the message after it."""


class OperatorPages:
    """The pages of accounts for operators."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the usage of all accounts."""
        signed_in = await require_admin(request, self.context)
        values = await self.context.run_blocking(self._totals)
        return page(request, "operator.html", signed_in, **values)

    async def chart(self, request: Request) -> Response:
        """Return a chart of the calls of all accounts, or of one."""
        await require_admin(request, self.context)
        return await chart_response(request, self.context, request.path_params.get("account_id"))

    async def accounts(self, request: Request) -> Response:
        """Return the list of accounts."""
        signed_in = await require_admin(request, self.context)
        text, offset = request.query_params.get("q", ""), _offset(request.query_params.get("offset", ""))
        plan = next((plan for plan in get_args(Plan) if plan == request.query_params.get("plan")), None)
        search = self.context.accounts.search
        found = await self.context.run_blocking(search.find, text, plan, limit=ACCOUNTS_PER_PAGE, offset=offset)
        return page(
            request,
            "operator_accounts.html",
            signed_in,
            found=found,
            text=text,
            plan=plan or "",
            plans=get_args(Plan),
            offset=offset,
            previous_offset=max(0, offset - ACCOUNTS_PER_PAGE),
            next_offset=offset + ACCOUNTS_PER_PAGE,
            warn_at=NEARLY_USED_UP,
        )

    async def account(self, request: Request) -> Response:
        """Return one account."""
        signed_in = await require_admin(request, self.context)
        found = await self._found(request)
        values = await self.context.run_blocking(self._account_values, found.account)
        return page(
            request,
            "operator_account.html",
            signed_in,
            found=found,
            plans=get_args(Plan),
            warn_at=NEARLY_USED_UP,
            **values,
        )

    async def change(self, request: Request) -> Response:
        """Disable, enable or verify an account.

        Raises:
            InvalidInput: The operator would disable their own account.
            NotFound: The action or the account does not exist.
        """
        signed_in, _ = await read_admin_form(request, self.context)
        found = await self._found(request)
        action = request.path_params["action"]
        if action not in ACTIONS:
            raise NotFound("path: does not exist.")
        if action == "disable" and found.account.account_id == signed_in.account.account_id:
            raise InvalidInput("You cannot disable your own account.")
        change, flash = ACTIONS[action]
        await self.context.run_blocking(change, self.context.accounts, found.account.email)
        return set_flash(redirect(request, self._address(found)), flash)

    async def set_plan(self, request: Request) -> Response:
        """Change the plan of an account."""
        _, form = await read_admin_form(request, self.context)
        found = await self._found(request)
        await self.context.run_blocking(self.context.accounts.set_plan, found.account.email, form.get("plan", ""))
        return set_flash(redirect(request, self._address(found)), "account-plan")

    async def _found(self, request: Request) -> FoundAccount:
        return await self.context.run_blocking(self.context.accounts.search.by_id, request.path_params["account_id"])

    def _address(self, found: FoundAccount) -> str:
        return f"{PATH}/accounts/{found.account.account_id}"

    def _totals(self) -> dict[str, Any]:
        accounts = self.context.accounts
        usage = accounts.ledger.by_day(None, DAYS)
        return {
            "days": calls_per_day(usage, DAYS),
            "tools": calls_per_tool(usage),
            "plans": accounts.search.count_by_plan(),
            "top": accounts.ledger.totals(DAYS)[:TOP_ACCOUNTS],
        }

    def _account_values(self, account: Account) -> dict[str, Any]:
        accounts = self.context.accounts
        return {
            "report": usage_report(accounts, account, days=DAYS, recent=0),
            "calls": accounts.ledger.recent(account.account_id, RECENT_CALLS),
            "keys": accounts.list_keys(account.email),
            "sessions": accounts.sessions.list_of_account(account.account_id),
        }


def _offset(text: str) -> int:
    return min(int(text), 10_000_000) if text.isascii() and text.isdigit() and len(text) < 9 else 0
