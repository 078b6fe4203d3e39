"""The plan: change it, or cancel a downgrade that has not taken effect."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.subscriptions import CREDITS, LOYALTY_PCT_PER_YEAR, MAX_LOYALTY_PCT, check_plan
from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import redirect, set_flash
from mediakit.api.dashboard.session import SignedIn, page, read_signed_form, require
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import Plan

PATH = "/dashboard/plan"


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A plan in the list."""

    name: Plan
    credits: int
    rate: int
    """Requests per minute; 0: no limit."""
    is_current: bool
    is_next: bool
    is_upgrade: bool
    is_offered: bool
    """Whether the owner can change to this plan in the dashboard."""


class PlanPages:
    """The pages of the plan."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the list of plans."""
        signed_in = await require(request, self.context)
        usage = await self.context.run_blocking(self.context.accounts.usage, signed_in.account)
        loyalty = {"pct_per_year": LOYALTY_PCT_PER_YEAR, "max_pct": MAX_LOYALTY_PCT}
        return page(request, "plan.html", signed_in, plans=self._plans(signed_in), usage=usage, rules=loyalty)

    async def confirm(self, request: Request) -> Response:
        """Return the page that says what a change does and when."""
        signed_in = await require(request, self.context)
        usage = await self.context.run_blocking(self.context.accounts.usage, signed_in.account)
        row = self._offered(request.path_params["plan"], signed_in)
        return page(request, "plan_confirm.html", signed_in, plan=row, usage=usage)

    async def change(self, request: Request) -> Response:
        """Change the plan: an upgrade at once, a downgrade at the next reset."""
        signed_in, _ = await read_signed_form(request, self.context)
        row = self._offered(request.path_params["plan"], signed_in)
        await self.context.run_blocking(self.context.accounts.set_plan, signed_in.account.email, row.name)
        name = "plan-kept" if row.is_current else "plan-upgraded" if row.is_upgrade else "plan-downgrades"
        return set_flash(redirect(request, PATH), name)

    def _plans(self, signed_in: SignedIn) -> list[PlanRow]:
        account = signed_in.account
        rates = self.context.settings.accounts.rate_limits
        rows = []
        for name, monthly in CREDITS.items():
            is_current, is_upgrade = name == account.plan, monthly > CREDITS[account.plan]
            # Selecting the current plan cancels a downgrade.
            is_other = account.next_plan is not None if is_current else name != account.next_plan
            is_offered = is_other and not account.unlimited and (not is_upgrade or self._upgrades_are_open)
            is_next = name == account.next_plan
            rows.append(PlanRow(name, monthly, rates.get(name, 0), is_current, is_next, is_upgrade, is_offered))
        return rows

    @property
    def _upgrades_are_open(self) -> bool:
        return self.context.settings.server.upgrades == "open"

    def _offered(self, name: str, signed_in: SignedIn) -> PlanRow:
        """Return a plan that the account can change to.

        Raises:
            NotFound: The plan does not exist, or is not offered.
        """
        try:
            plan = check_plan(name)
        except InvalidInput:
            raise NotFound("path: does not exist.") from None
        row = next(row for row in self._plans(signed_in) if row.name == plan)
        if not row.is_offered:
            raise NotFound("path: does not exist.")
        return row
