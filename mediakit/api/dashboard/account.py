"""What the owner of an account can change: API keys, the plan, the sessions and the account itself.

The response to the form that creates a key contains the key, because it is stored nowhere. The form contains the id of
the new key: if the browser sends the form again, no second key is created.
"""

import re
from typing import Any

from starlette.responses import Response

from mediakit.accounts.clock import utc_now
from mediakit.accounts.key_format import PlaintextKey, is_key_id
from mediakit.accounts.keys import parse_expiry
from mediakit.accounts.models import KeyRow
from mediakit.accounts.subscriptions import CREDITS, LOYALTY_PCT_PER_YEAR, MAX_LOYALTY_PCT
from mediakit.api.dashboard.session import SignedIn
from mediakit.errors import InvalidInput, NotFound

KEYS_PATH = "/dashboard/keys"
MAX_ACTIVE_KEYS = 50


async def keys(signed_in: SignedIn) -> Response:
    """Return the list of keys, with the form for a new one."""
    return _list_of_keys(signed_in, await _keys_of(signed_in))


async def create_key(signed_in: SignedIn) -> Response:
    """Create a key, and return the page that shows it once."""
    fields = {name: signed_in.form.get(name, "").strip() for name in ("name", "scopes", "expires")}
    key_id, known = signed_in.form.get("id", ""), await _keys_of(signed_in)
    if any(key.id == key_id for key in known):  # the browser sent the form again
        return signed_in.redirect(KEYS_PATH, "key-shown-once")
    try:
        if not fields["name"]:
            raise InvalidInput("name: is required, for example the program that uses the key.")  # noqa: TRY301
        if sum(not key.revoked for key in known) >= MAX_ACTIVE_KEYS:
            message = f"You have {MAX_ACTIVE_KEYS} keys, which is the limit. Revoke a key that you do not use."
            raise InvalidInput(message)  # noqa: TRY301  # shown like the errors of a new key
        new = await signed_in.run(
            signed_in.context.accounts.create_key,
            signed_in.account.email,
            fields["name"],
            PlaintextKey.with_id(key_id) if is_key_id(key_id) else None,
            scopes=re.findall(r"[^\s,]+", fields["scopes"]),
            expires=parse_expiry(fields["expires"]) if fields["expires"] else None,
        )
    except InvalidInput as error:
        return _list_of_keys(signed_in, known, error=str(error), **fields)
    base_url = signed_in.context.base_url(signed_in.request)
    return signed_in.page("key_created.html", key=new.key, name=fields["name"], base_url=base_url)


async def confirm_revoke(signed_in: SignedIn) -> Response:
    """Return the page that asks whether to revoke a key."""
    return signed_in.page("key_revoke.html", key=await _own_key(signed_in))


async def revoke_key(signed_in: SignedIn) -> Response:
    """Revoke a key."""
    key = await _own_key(signed_in)
    await signed_in.run(signed_in.context.accounts.revoke_key, key.id)
    return signed_in.redirect(KEYS_PATH, "key-revoked")


def _list_of_keys(signed_in: SignedIn, known: list[KeyRow], *, error: str | None = None, **fields: str) -> Response:
    return signed_in.page(
        "keys.html",
        status_code=InvalidInput.status if error else 200,
        active=[key for key in reversed(known) if not key.revoked],
        revoked=[key for key in reversed(known) if key.revoked],
        new_id=PlaintextKey.generate().id,
        now=utc_now(),
        error=error,
        **({"name": "", "scopes": "", "expires": ""} | fields),
    )


async def _keys_of(signed_in: SignedIn) -> list[KeyRow]:
    return await signed_in.run(signed_in.context.accounts.list_keys, signed_in.account.email)


async def _own_key(signed_in: SignedIn) -> KeyRow:
    """Return the key in the path of a request, if it belongs to the account."""
    active = {key.id: key for key in await _keys_of(signed_in) if not key.revoked}
    key = active.get(signed_in.request.path_params["key_id"])
    if key is None:
        raise NotFound("path: does not exist.")
    return key


PLAN_PATH = "/dashboard/plan"


async def plans(signed_in: SignedIn) -> Response:
    """Return the list of plans."""
    usage = await signed_in.run(signed_in.context.accounts.usage, signed_in.account)
    loyalty = {"pct_per_year": LOYALTY_PCT_PER_YEAR, "max_pct": MAX_LOYALTY_PCT}
    return signed_in.page("plan.html", plans=_plans(signed_in), usage=usage, rules=loyalty)


async def confirm_plan(signed_in: SignedIn) -> Response:
    """Return the page that says what a change does and when."""
    usage = await signed_in.run(signed_in.context.accounts.usage, signed_in.account)
    return signed_in.page("plan_confirm.html", plan=_offered_plan(signed_in), usage=usage)


async def change_plan(signed_in: SignedIn) -> Response:
    """Change the plan: an upgrade at once, a downgrade at the next reset. The current plan cancels a downgrade."""
    plan = _offered_plan(signed_in)
    await signed_in.run(signed_in.context.accounts.set_plan, signed_in.account.email, plan["name"])
    flash = "plan-kept" if plan["is_current"] else "plan-upgraded" if plan["is_upgrade"] else "plan-downgrades"
    return signed_in.redirect(PLAN_PATH, flash)


def _plans(signed_in: SignedIn) -> list[dict[str, Any]]:
    """Return what the pages show about each plan, and whether the owner can change to it in the dashboard."""
    account, settings = signed_in.account, signed_in.context.settings
    listed = []
    for name, monthly in CREDITS.items():
        is_current, is_upgrade = name == account.plan, monthly > CREDITS[account.plan]
        is_next = name == account.next_plan
        is_other = account.next_plan is not None if is_current else not is_next
        is_offered = is_other and not account.unlimited and (not is_upgrade or settings.server.upgrades == "open")
        kind = {"is_current": is_current, "is_next": is_next, "is_upgrade": is_upgrade, "is_offered": is_offered}
        listed.append({"name": name, "credits": monthly, "rate": settings.accounts.rate_limits.get(name, 0), **kind})
    return listed


def _offered_plan(signed_in: SignedIn) -> dict[str, Any]:
    """Return the plan in the path of a request, if the account can change to it."""
    for plan in _plans(signed_in):
        if plan["name"] == signed_in.request.path_params["plan"] and plan["is_offered"]:
            return plan
    raise NotFound("path: does not exist.")


ACCOUNT_PATH = "/dashboard/account"


async def account(signed_in: SignedIn) -> Response:
    """Return the page of the account and its sessions."""
    sessions = signed_in.context.accounts.sessions.list_of_account
    return signed_in.page("account.html", sessions=await signed_in.run(sessions, signed_in.account.account_id))


async def end_session(signed_in: SignedIn) -> Response:
    """End one session of the account."""
    session_id = signed_in.form.get("session", "")
    await signed_in.run(signed_in.context.accounts.sessions.end, signed_in.account.account_id, session_id)
    if session_id == signed_in.session.id:
        return signed_in.sign_out("signed-out")
    return signed_in.redirect(ACCOUNT_PATH, "session-ended")


async def end_all_sessions(signed_in: SignedIn) -> Response:
    """End every session of the account."""
    await signed_in.run(signed_in.context.accounts.sessions.end_all, signed_in.account.account_id)
    return signed_in.sign_out("signed-out-everywhere")


async def confirm_delete(signed_in: SignedIn) -> Response:
    """Return the page that asks for the email address before it deletes the account."""
    return signed_in.page("account_delete.html", error=None)


async def delete(signed_in: SignedIn) -> Response:
    """Delete the account if the email address was typed correctly."""
    email = signed_in.account.email
    if signed_in.form.get("email", "").strip().lower() != email:
        return signed_in.page("account_delete.html", status_code=InvalidInput.status, error=f"email: must be {email}.")
    await signed_in.run(signed_in.context.accounts.administration.delete, email, signed_in.context.links)
    return signed_in.sign_out("account-deleted")
