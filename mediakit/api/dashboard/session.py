"""Who is signed in, and whether a form was sent by one of our own pages."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.account import Account
from mediakit.accounts.sessions import Session, csrf_token
from mediakit.api.addresses import external_base_url
from mediakit.api.context import Context
from mediakit.api.dashboard.addresses import redirect
from mediakit.api.dashboard.cookies import SessionCookie
from mediakit.errors import MediakitError, NotFound

SIGN_IN_PATH = "/dashboard/sign-in"
CSRF_FIELD = "csrf"
"""Name of the form field that contains `SignedIn.csrf_token`."""

_FORM_EXPIRED = "The form has expired. Go back, reload the page and send the form again."
_OTHER_SITE = "The form was sent by another site. Open the dashboard and send the form from there."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The account and the session of a request."""

    account: Account
    session: Session
    csrf_token: str = field(repr=False)
    """The value of the hidden field `csrf` in each form."""


class SignInRequired(Exception):  # noqa: N818  # not an error: the browser is redirected to the sign-in page
    """The request has no session. `redirect_to_sign_in` handles it."""


class FormRejected(MediakitError, PermissionError):  # noqa: N818  # named as the classes in `errors`
    """A form was not sent by a page of this session."""

    status = 403
    constants: ClassVar = {"code": "form_rejected"}


async def current(request: Request, context: Context) -> SignedIn | None:
    """Return the account and session of a request; None without a valid session."""
    token = SessionCookie.of(request, context).read(request)
    if not token:
        return None
    found = await context.run_blocking(context.accounts.sessions.find, token)
    return SignedIn(*found, csrf_token(token)) if found else None


async def require(request: Request, context: Context) -> SignedIn:
    """Return the account and session of a request.

    Raises:
        SignInRequired: The request has no valid session; the browser is redirected to the sign-in page.
    """
    signed_in = await current(request, context)
    if signed_in is None:
        raise SignInRequired
    return signed_in


async def require_admin(request: Request, context: Context) -> SignedIn:
    """Return the account and session of an operator.

    Raises:
        SignInRequired: The request has no valid session.
        NotFound: The account is not an admin.
    """
    signed_in = await require(request, context)
    if not signed_in.account.admin:
        raise NotFound("path: does not exist.")
    return signed_in


def check_csrf(request: Request, form: Mapping[str, str], signed_in: SignedIn) -> None:
    """Check that a form was sent by a page of this session.

    Raises:
        FormRejected: The form has no valid CSRF token, or was sent by another site.
    """
    check_same_origin(request)
    given = form.get(CSRF_FIELD, "")
    if not hmac.compare_digest(given.encode(errors="replace"), signed_in.csrf_token.encode()):
        raise FormRejected(_FORM_EXPIRED)


def check_same_origin(request: Request) -> None:
    """Check that a request comes from a page of this origin, or from a program that is not a browser.

    Raises:
        FormRejected: Another site sent the request.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:  # set by the browser itself; pages cannot change it
        if site not in ("same-origin", "none"):
            raise FormRejected(_OTHER_SITE)
        return
    origin = request.headers.get("origin")
    if origin is not None and origin != _own_origin(request):
        raise FormRejected(_OTHER_SITE)


def _own_origin(request: Request) -> str:
    url = urlsplit(external_base_url(request))
    return f"{url.scheme}://{url.netloc}"


async def redirect_to_sign_in(request: Request, _error: Exception) -> Response:
    """Respond to a request without a session."""
    return redirect(request, SIGN_IN_PATH)
