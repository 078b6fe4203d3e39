"""API keys: list, create, revoke.

The response to the form that creates a key contains the key, because it is stored nowhere. The form contains the id of
the new key: if the browser sends the form again, no second key is created.
"""

import re

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts.clock import utc_now
from mediakit.accounts.key_format import PlaintextKey, is_key_id
from mediakit.accounts.keys import ApiKey, parse_expiry
from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import redirect, set_flash
from mediakit.api.dashboard.session import SignedIn, page, read_signed_form, require
from mediakit.errors import InvalidInput, NotFound

PATH = "/dashboard/keys"
MAX_ACTIVE_KEYS = 50


class KeyPages:
    """The pages of API keys."""

    def __init__(self, context: Context) -> None:
        self.context = context

    async def show(self, request: Request) -> Response:
        """Return the list of keys, with the form for a new one."""
        signed_in = await require(request, self.context)
        return await self._list(request, signed_in)

    async def create(self, request: Request) -> Response:
        """Create a key, and return the page that shows it once."""
        signed_in, form = await read_signed_form(request, self.context)
        name, key_id = form.get("name", "").strip(), form.get("id", "")
        scopes, expires = form.get("scopes", "").strip(), form.get("expires", "").strip()
        keys = await self._keys(signed_in)
        if any(key.id == key_id for key in keys):  # the browser sent the form again
            return set_flash(redirect(request, PATH), "key-shown-once")
        error = _problem(name, keys)
        if error is None:
            try:
                new = PlaintextKey.with_id(key_id) if is_key_id(key_id) else None
                key = await self.context.run_blocking(
                    self.context.accounts.create_key,
                    signed_in.account.email,
                    name,
                    new,
                    scopes=re.findall(r"[^\s,]+", scopes),
                    expires=parse_expiry(expires) if expires else None,
                )
            except InvalidInput as invalid:
                error = str(invalid)
            else:
                base_url = self.context.base_url(request)
                return page(request, "key_created.html", signed_in, key=key.key, name=name, base_url=base_url)
        return await self._list(request, signed_in, error=error, name=name, scopes=scopes, expires=expires)

    async def confirm_revoke(self, request: Request) -> Response:
        """Return the page that asks whether to revoke a key."""
        signed_in = await require(request, self.context)
        return page(request, "key_revoke.html", signed_in, key=await self._own_key(request, signed_in))

    async def revoke(self, request: Request) -> Response:
        """Revoke a key."""
        signed_in, _ = await read_signed_form(request, self.context)
        key = await self._own_key(request, signed_in)
        await self.context.run_blocking(self.context.accounts.revoke_key, key.id)
        return set_flash(redirect(request, PATH), "key-revoked")

    async def _list(
        self, request: Request, signed_in: SignedIn, *, error: str | None = None, **values: str
    ) -> Response:
        keys = await self._keys(signed_in)
        return page(
            request,
            "keys.html",
            signed_in,
            status_code=InvalidInput.status if error else 200,
            active=[key for key in reversed(keys) if not key.revoked],
            revoked=[key for key in reversed(keys) if key.revoked],
            new_id=PlaintextKey.generate().id,
            now=utc_now(),
            error=error,
            **({"name": "", "scopes": "", "expires": ""} | values),
        )

    async def _keys(self, signed_in: SignedIn) -> list[ApiKey]:
        return await self.context.run_blocking(self.context.accounts.list_keys, signed_in.account.email)

    async def _own_key(self, request: Request, signed_in: SignedIn) -> ApiKey:
        """Return the key in the path of a request, if it belongs to the account."""
        keys = {key.id: key for key in await self._keys(signed_in)}
        key = keys.get(request.path_params["key_id"])
        if key is None or key.revoked:
            raise NotFound("path: does not exist.")
        return key


def _problem(name: str, keys: list[ApiKey]) -> str | None:
    """Return why a key cannot be created, or None."""
    if not name:
        return "name: is required, for example the program that uses the key."
    if sum(not key.revoked for key in keys) >= MAX_ACTIVE_KEYS:
        return f"You have {MAX_ACTIVE_KEYS} keys, which is the limit. Revoke a key that you do not use."
    return None
