"""The account: its sessions, and its deletion."""

from starlette.requests import Request
from starlette.responses import Response

from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import redirect, set_flash
from mediakit.api.dashboard.session import SIGN_IN_PATH, SessionCookie, SignedIn, page, read_signed_form, require
from mediakit.errors import InvalidInput

PATH = "/dashboard/account"


class AccountPages:
    """The pages of the account."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the page."""
        return await self._show(request, await require(request, self.context))

    async def end_session(self, request: Request) -> Response:
        """End one session of the account."""
        signed_in, form = await read_signed_form(request, self.context)
        session_id = form.get("session", "")
        sessions = self.context.accounts.sessions
        await self.context.run_blocking(sessions.end, signed_in.account.account_id, session_id)
        if session_id == signed_in.session.id:
            return self._signed_out(request, "signed-out")
        return set_flash(redirect(request, PATH), "session-ended")

    async def end_all_sessions(self, request: Request) -> Response:
        """End every session of the account."""
        signed_in, _ = await read_signed_form(request, self.context)
        await self.context.run_blocking(self.context.accounts.sessions.end_all, signed_in.account.account_id)
        return self._signed_out(request, "signed-out-everywhere")

    async def confirm_delete(self, request: Request) -> Response:
        """Return the page that asks for the email address before it deletes the account."""
        signed_in = await require(request, self.context)
        return page(request, "account_delete.html", signed_in, error=None)

    async def delete(self, request: Request) -> Response:
        """Delete the account if the email address was typed correctly."""
        signed_in, form = await read_signed_form(request, self.context)
        email = signed_in.account.email
        if form.get("email", "").strip().lower() != email:
            error = f"email: must be {email}."
            return page(request, "account_delete.html", signed_in, status_code=InvalidInput.status, error=error)
        await self.context.run_blocking(self.context.accounts.administration.delete, email, self.context.links)
        return self._signed_out(request, "account-deleted")

    async def _show(self, request: Request, signed_in: SignedIn) -> Response:
        sessions = self.context.accounts.sessions
        found = await self.context.run_blocking(sessions.list_of_account, signed_in.account.account_id)
        return page(request, "account.html", signed_in, sessions=found)

    def _signed_out(self, request: Request, flash: str) -> Response:
        response = set_flash(redirect(request, SIGN_IN_PATH), flash)
        SessionCookie.of(request, self.context).delete(response)
        return response
