"""The cookie of a session.

Over HTTPS its name starts with `__Host-`: browsers accept it only from this host, for all paths, over HTTPS. Over plain
HTTP, browsers refuse this name, so the cookie has another name. Below a path prefix, where a proxy can publish the
servers of other people on the same host, the cookie is limited to the prefix, which `__Host-` does not allow.
"""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.sessions import LIFETIME
from mediakit.api.addresses import forwarded_prefix
from mediakit.api.context import Context

NAME = "mediakit_session"
HOST_NAME = f"__Host-{NAME}"


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """Name and attributes of the cookie, as a browser that sends a request accepts them."""

    name: str
    path: str
    secure: bool

    @classmethod
    def of(cls, request: Request, context: Context) -> "SessionCookie":
        """Return the cookie for the URL under which the client reached this app."""
        secure = context.base_url(request).startswith("https:")
        prefix = forwarded_prefix(request)
        return cls(HOST_NAME if secure and not prefix else NAME, f"{prefix}/", secure)

    def read(self, request: Request) -> str | None:
        """Return the token that a request contains."""
        return request.cookies.get(self.name)

    def set(self, response: Response, token: str) -> None:
        """Store a token in the browser. JavaScript and requests from other sites do not get it."""
        max_age = int(LIFETIME.total_seconds())  # the server ends idle sessions earlier
        response.set_cookie(
            self.name, token, max_age=max_age, path=self.path, secure=self.secure, httponly=True, samesite="lax"
        )

    def delete(self, response: Response) -> None:
        """Delete the token in the browser."""
        response.delete_cookie(self.name, path=self.path, secure=self.secure, httponly=True, samesite="lax")
