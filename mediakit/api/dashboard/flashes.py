"""Messages that the next page shows once, for example after a key was revoked.

A cookie holds the name of a message, never its text: a forged cookie can only show one of these messages.
"""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "mediakit_flash"
LIFETIME_SECONDS = 60

FLASHES: Mapping[str, str] = {
    "account-deleted": "Your account is deleted.",
    "account-disabled": "The account is disabled. Its keys no longer work.",
    "account-enabled": "The account is enabled. Its keys work again.",
    "account-plan": "The plan is changed.",
    "account-verified": "The email address is marked as verified.",
    "key-revoked": "The key is revoked. Calls with it now fail.",
    "key-shown-once": "A key is shown only when it is created. If you did not copy it, revoke it and create another.",
    "plan-downgrades": "The plan changes at the next reset.",
    "plan-kept": "The downgrade is canceled. You keep your plan.",
    "plan-upgraded": "The plan is changed. The credits are available now.",
    "session-ended": "The session is ended.",
    "signed-out": "You are signed out.",
    "signed-out-everywhere": "You are signed out on every device.",
}
"""Messages by name."""


def set_flash(response: Response, name: str) -> Response:
    """Show a message on the next page.

    Args:
        response: The redirect to the page.
        name: The name of a message in `FLASHES`.
    """
    assert name in FLASHES  # noqa: S101  # names are constants
    response.set_cookie(COOKIE, name, max_age=LIFETIME_SECONDS, httponly=True, samesite="lax")
    return response


def flash_of(request: Request) -> str | None:
    """Return the message to show on the page of a request."""
    return FLASHES.get(request.cookies.get(COOKIE, ""))


def clear_flash(response: Response) -> None:
    """Show the message only once."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
