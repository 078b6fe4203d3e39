"""What servers keep: accounts in a database, links and rates in a Redis."""

from collections.abc import Iterator
from contextlib import closing

from mediakit.diagnosis.finding import OTHER_HOME, Finding, first_line, unset
from mediakit.errors import MediakitError
from mediakit.settings import Settings


def accounts(settings: Settings) -> Iterator[Finding]:
    """Ask the database of accounts."""
    from mediakit.accounts import Accounts

    chosen = settings.accounts
    if not chosen.database_url and not (chosen.home / "accounts.sqlite3").exists():
        yield Finding("Accounts", "none yet; the first server makes them")
        return
    try:
        with closing(Accounts.open(chosen)) as opened:
            answers = opened.ready()
    except MediakitError as error:
        yield Finding("Accounts", first_line(error), _mend(error))
        return
    where = "the database of MEDIAKIT_DATABASE_URL" if chosen.database_url else "the database in HOME"
    mend = f"start it, or {unset('MEDIAKIT_DATABASE_URL')}" if chosen.database_url else "restart what locks it"
    yield Finding("Accounts", f"{where} answers") if answers else Finding("Accounts", f"{where} does not answer", mend)


def redis(settings: Settings) -> Iterator[Finding]:
    """Ask the Redis that servers share, where one is named."""
    from mediakit.accounts.redis_client import connect

    url = settings.accounts.redis_url
    if not url:
        return
    try:
        client = connect(url)
    except MediakitError as error:
        yield Finding("Redis", first_line(error), _mend(error))
        return
    from redis import RedisError

    with closing(client):
        try:
            client.ping()
        except RedisError:
            mend = f"start it, or {unset('MEDIAKIT_REDIS_URL')}"
            yield Finding("Redis", "that of MEDIAKIT_REDIS_URL does not answer", mend)
        else:
            yield Finding("Redis", "that of MEDIAKIT_REDIS_URL answers")


def _mend(error: MediakitError) -> str:
    """Give the command that an error names, or what it asks for."""
    words = first_line(error)
    if "pip install" in words:
        return words[words.index("pip install") :]
    if "Update mediakit" in words:
        return "pip install -U mediakit"
    name = "MEDIAKIT_REDIS_URL" if words.startswith("redis_url") else "MEDIAKIT_DATABASE_URL"
    return OTHER_HOME if words.startswith("MEDIAKIT_HOME") else f"correct it, or {unset(name)}"
