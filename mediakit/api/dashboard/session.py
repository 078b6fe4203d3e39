"""Who is signed in: the cookie of a session, and the forms and pages of signed-in people.

Over HTTPS the name of the cookie starts with `__Host-`: browsers accept it only from this host, for all paths, over
HTTPS. Over plain HTTP, browsers refuse this name, so the cookie has another name. Below a path prefix, where a proxy
can publish the servers of other people on the same host, the cookie is limited to the prefix, which `__Host-` does not
allow.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mediakit.accounts.account import Account
from mediakit.accounts.models import SessionRow
from mediakit.accounts.sign_in import LIFETIME, csrf_token
from mediakit.api.addresses import external_base_url, forwarded_prefix
from mediakit.api.body import media_type_of
from mediakit.api.body_stream import read
from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import redirect, render, set_flash
from mediakit.errors import InvalidInput, MediakitError, NotFound

P = ParamSpec("P")
T = TypeVar("T")

NAME = "mediakit_session"
HOST_NAME = f"__Host-{NAME}"


def session_cookie(request: Request, context: Context) -> dict[str, Any]:
    """Return the name (`key`) and the attributes of the cookie, as the browser that sends a request accepts them.

    JavaScript and requests from other sites do not get it.
    """
    secure, prefix = context.base_url(request).startswith("https:"), forwarded_prefix(request)
    name = HOST_NAME if secure and not prefix else NAME
    return {"key": name, "path": f"{prefix}/", "secure": secure, "httponly": True, "samesite": "lax"}


def set_session(response: Response, token: str, request: Request, context: Context) -> None:
    """Store the token of a session in the browser. The server ends idle sessions earlier than the browser."""
    response.set_cookie(value=token, max_age=int(LIFETIME.total_seconds()), **session_cookie(request, context))


SIGN_IN_PATH = "/dashboard/sign-in"
CSRF_FIELD = "csrf"
"""Name of the form field that contains `SignedIn.csrf_token`."""

_FORM_EXPIRED = "The form has expired. Go back, reload the page and send the form again."
_OTHER_SITE = "The form was sent by another site. Open the dashboard and send the form from there."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A request of a person with a session."""

    request: Request
    context: Context
    account: Account
    session: SessionRow
    csrf_token: str = field(repr=False)
    """The value of the hidden field `csrf` in each form."""
    form: Mapping[str, str] = field(default_factory=dict)
    """The fields of the form that a page of this session has sent."""

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking function of the accounts."""
        return await self.context.run_blocking(function, *args, **kwargs)

    def page(self, template: str, *, status_code: int = 200, **values: Any) -> HTMLResponse:
        """Return a page."""
        return render(self.request, template, status_code=status_code, signed_in=self, **values)

    def redirect(self, path: str, flash: str) -> Response:
        """Redirect the browser to a page that shows a message."""
        return set_flash(redirect(self.request, path), flash)

    def sign_out(self, flash: str) -> Response:
        """Delete the cookie of the session, and redirect the browser to the sign-in page with a message."""
        response = self.redirect(SIGN_IN_PATH, flash)
        response.delete_cookie(**session_cookie(self.request, self.context))
        return response


Page = Callable[[SignedIn], Awaitable[Response]]


class SignInRequired(Exception):  # noqa: N818  # not an error: the browser is redirected to the sign-in page
    """The request has no session. `redirect_to_sign_in` handles it."""


class FormRejected(MediakitError, PermissionError):  # noqa: N818  # named as the classes in `errors`
    """A form was not sent by a page of this session."""

    status = 403
    constants: ClassVar = {"code": "form_rejected"}


def for_signed_in(
    context: Context, page: Page, *, only_admins: bool = False
) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page that requires a session, and of a form that a page of the session has sent.

    The endpoint raises `SignInRequired` without a valid session, `NotFound` if the page is for admins only, and
    `FormRejected` for a form without a valid CSRF token, or from another site.
    """

    async def respond(request: Request) -> Response:
        signed_in = await current(request, context)
        if signed_in is None:
            raise SignInRequired
        if only_admins and not signed_in.account.admin:
            raise NotFound("path: does not exist.")
        if request.method == "POST":
            form = await read_form(request)
            check_same_origin(request)
            if not hmac.compare_digest(
                form.get(CSRF_FIELD, "").encode(errors="replace"), signed_in.csrf_token.encode()
            ):
                raise FormRejected(_FORM_EXPIRED)
            signed_in = replace(signed_in, form=form)
        return await page(signed_in)

    return respond


async def current(request: Request, context: Context) -> SignedIn | None:
    """Return the account and session of a request; None without a valid session."""
    token = request.cookies.get(session_cookie(request, context)["key"])
    found = await context.run_blocking(context.accounts.sessions.find, token) if token else None
    return SignedIn(request, context, *found, csrf_token(token)) if found and token else None


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
    url = urlsplit(external_base_url(request))
    if origin is not None and origin != f"{url.scheme}://{url.netloc}":
        raise FormRejected(_OTHER_SITE)


async def redirect_to_sign_in(request: Request, _error: Exception) -> Response:
    """Respond to a request without a session."""
    return redirect(request, SIGN_IN_PATH)


MAX_FORM_BYTES = 16_384
MAX_FIELDS = 32
MEDIA_TYPE = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form by name. If a field is repeated, its last value counts.

    Raises:
        InvalidInput: The body is not a form, or has too many fields.
        UnreadBodyError: The body is too large, or arrives too slowly.
    """
    media_type = media_type_of(request)
    if media_type != MEDIA_TYPE:
        raise InvalidInput(f"Content-Type: must be {MEDIA_TYPE}, got {media_type[:100] or 'none'}.")
    too_large = InvalidInput(f"body: must have at most {MAX_FORM_BYTES} bytes.")
    body = await read(request, MAX_FORM_BYTES, lambda: too_large)
    try:
        text = body.decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict"))
    except ValueError:  # includes UnicodeDecodeError
        raise InvalidInput(f"body: must be a URL-encoded form in UTF-8 with at most {MAX_FIELDS} fields.") from None
