"""What every page of a signed-in account begins with: the session, the form and its CSRF token, the filled template."""

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from mediakit.api.context import Context
from mediakit.api.dashboard.forms import read_form
from mediakit.api.dashboard.rendering import render
from mediakit.api.dashboard.session import SignedIn, check_csrf, require, require_admin


async def read_signed_form(request: Request, context: Context) -> tuple[SignedIn, dict[str, str]]:
    """Return the account of a form that one of our own pages sent, and the fields of the form.

    Raises:
        FormRejected: Another site sent the form, or its CSRF token is wrong.
        SignInRequired: The request has no session.
    """
    signed_in = await require(request, context)
    form = await read_form(request)
    check_csrf(request, form, signed_in)
    return signed_in, form


async def read_admin_form(request: Request, context: Context) -> tuple[SignedIn, dict[str, str]]:
    """Return the operator and the fields of a form that one of our own pages sent.

    Raises:
        FormRejected: Another site sent the form, or its CSRF token is wrong.
        NotFound: The account is not an operator.
        SignInRequired: The request has no session.
    """
    signed_in = await require_admin(request, context)
    form = await read_form(request)
    check_csrf(request, form, signed_in)
    return signed_in, form


def page(
    request: Request, template: str, signed_in: SignedIn, *, status_code: int = 200, **values: Any
) -> HTMLResponse:
    """Return a page of a signed-in account."""
    return render(request, template, status_code=status_code, signed_in=signed_in, **values)
