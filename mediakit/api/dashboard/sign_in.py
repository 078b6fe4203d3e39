"""The pages for sign-up, sign-in and sign-out.

Opening a link does not use it, because mail scanners and chat programs open links too. The page of a link has a button
that does.
"""

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.sign_in import LINK_LIFETIME
from mediakit.api.addresses import client_ip, client_network
from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import redirect, render
from mediakit.api.dashboard.session import SignedIn, check_same_origin, current, read_form, set_session
from mediakit.errors import InvalidInput, NotFound

HOME_PATH = "/dashboard"
MAX_EMAIL_LENGTH_SHOWN = 300


async def sign_out(signed_in: SignedIn) -> Response:
    """End the session."""
    sessions = signed_in.context.accounts.sessions
    await signed_in.run(sessions.end, signed_in.account.account_id, signed_in.session.id)
    return signed_in.sign_out("signed-out")


class SignInPages:
    """The pages that need no session."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def sign_in(self, request: Request) -> Response:
        """Return the form for an email address."""
        return await self._form(request, is_new=False)

    async def sign_up(self, request: Request) -> Response:
        """Return the form for the email address of a new account.

        Raises:
            NotFound: Sign-up is closed.
        """
        if not self.context.sign_up:
            raise NotFound("path: does not exist. Sign-up is closed.")
        return await self._form(request, is_new=True)

    async def send_link(self, request: Request) -> Response:
        """Send a link, and say so: in the same way for all addresses."""
        check_same_origin(request)
        email = (await read_form(request)).get("email", "")
        run, request_link = self.context.run_blocking, self.context.accounts.sign_in.request_link
        try:
            email = await run(request_link, email, self.context.base_url(request), client_network(client_ip(request)))
        except InvalidInput as error:
            return self._render_form(request, is_new=False, email=email, error=error)
        self.context.mail.wake()
        minutes = int(LINK_LIFETIME.total_seconds() // 60)
        return render(request, "link_sent.html", email=email, minutes=minutes, sign_up=self.context.sign_up)

    async def confirm(self, request: Request) -> Response:
        """Return the page of a link, with a button that uses it."""
        find, token = self.context.accounts.sign_in.find_link, request.path_params["token"]
        link = await self.context.run_blocking(find, token, sign_up=self.context.sign_up)
        if link is None:
            return render(request, "link_expired.html", status_code=NotFound.status)
        return render(request, "confirm_link.html", email=link.email, is_new=link.is_new)

    async def use_link(self, request: Request) -> Response:
        """Use a link: start a session, and open the dashboard."""
        check_same_origin(request)
        run, accounts = self.context.run_blocking, self.context.accounts
        account = await run(accounts.sign_in.use_link, request.path_params["token"], sign_up=self.context.sign_up)
        if account is None:
            return render(request, "link_expired.html", status_code=NotFound.status)
        if previous := await current(request, self.context):
            await run(accounts.sessions.end, previous.account.account_id, previous.session.id)
        user_agent = request.headers.get("user-agent", "")
        new = await run(accounts.sessions.create, account.account_id, user_agent, client_ip(request))
        response = redirect(request, HOME_PATH)
        set_session(response, new.token, request, self.context)
        return response

    async def _form(self, request: Request, *, is_new: bool) -> Response:
        if await current(request, self.context):
            return redirect(request, HOME_PATH)
        return self._render_form(request, is_new=is_new)

    def _render_form(
        self, request: Request, *, is_new: bool, email: str = "", error: InvalidInput | None = None
    ) -> Response:
        return render(
            request,
            "sign_in.html",
            status_code=error.status if error else 200,
            is_new=is_new,
            email=email[:MAX_EMAIL_LENGTH_SHOWN],
            error=str(error).removeprefix("email: ") if error else None,
            sign_up=self.context.sign_up,
        )
