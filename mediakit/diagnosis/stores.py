"""Checks of the account database, and of Redis for temporary links and rate limits."""

from collections.abc import Iterator
from contextlib import closing

from mediakit.diagnosis.finding import SET_HOME, Finding, first_line, unset
from mediakit.errors import MediakitError
from mediakit.settings import Settings


def accounts(settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the account database responds."""
    from mediakit.accounts import Accounts

    section = settings.accounts
    if not section.database_url and not (section.home / "accounts.sqlite3").exists():
        yield Finding("Accounts", "no database yet; the first server creates it")
        return
    try:
        with closing(Accounts.open(section)) as opened:
            is_ready = opened.ready()
    except MediakitError as error:
        yield Finding("Accounts", first_line(error), _fix(error))
        return
    name = "the database of MEDIAKIT_DATABASE_URL" if section.database_url else "the database in MEDIAKIT_HOME"
    fix = (
        f"start it, or {unset('MEDIAKIT_DATABASE_URL')}"
        if section.database_url
        else "restart the program that locks the database"
    )
    yield Finding("Accounts", f"{name} responds") if is_ready else Finding("Accounts", f"{name} does not respond", fix)


def redis(settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether Redis responds, if `MEDIAKIT_REDIS_URL` is set."""
    from mediakit.accounts.redis_client import connect

    url = settings.accounts.redis_url
    if not url:
        return
    try:
        client = connect(url)
    except MediakitError as error:
        yield Finding("Redis", first_line(error), _fix(error))
        return
    from redis import RedisError

    with closing(client):
        try:
            client.ping()
        except RedisError:
            fix = f"start it, or {unset('MEDIAKIT_REDIS_URL')}"
            yield Finding("Redis", "the server of MEDIAKIT_REDIS_URL does not respond", fix)
        else:
            yield Finding("Redis", "the server of MEDIAKIT_REDIS_URL responds")


def _fix(error: MediakitError) -> str:
    """Return how to fix an error: the command in its message, or the setting to change."""
    message = first_line(error)
    if "pip install" in message:
        return message[message.index("pip install") :]
    if "Update mediakit" in message:
        return "pip install -U mediakit"
    name = "MEDIAKIT_REDIS_URL" if message.startswith("redis_url") else "MEDIAKIT_DATABASE_URL"
    return SET_HOME if message.startswith("MEDIAKIT_HOME") else f"correct it, or {unset(name)}"
