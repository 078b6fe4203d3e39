"""Checks of the account database, Redis, the ports, the notebook's proxy, and the widgets of JupyterLab."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from mediakit.api.proxy_urls import proxy_setup_command, proxy_url, server_python
from mediakit.diagnosis.environment import SET_HOME, Finding, first_line, unset
from mediakit.errors import InvalidInput, MediakitError, MissingPackage
from mediakit.installation import install_command, update_command
from mediakit.settings import Settings

NOTEBOOK_PORT = 8765
SHELL_PORT = 8000
"""Default port of `mediakit serve`."""

WIDGET_MANAGER = Path("share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json")
WIDGET_MANAGER_VERSION = 5
"""The major version of the JupyterLab extension that ipywidgets 8 requires."""


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


def ports(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the default port of `mediakit serve` is free."""
    from mediakit.server import listen

    try:
        listen("127.0.0.1", SHELL_PORT).close()
    except InvalidInput:
        sock = listen("127.0.0.1", 0)
        free_port = sock.getsockname()[1]
        sock.close()
        outcome = f"{SHELL_PORT} is used by another program"
        yield Finding("Port", outcome, f"mediakit serve --port {free_port}", is_warning=True)
    else:
        yield Finding("Port", f"{SHELL_PORT} is free")


def proxy(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether the browser can reach a server in this kernel through a notebook proxy."""
    if url := proxy_url(NOTEBOOK_PORT):
        yield Finding("Proxy", f"servers in this kernel are available at {url.replace(str(NOTEBOOK_PORT), 'PORT')}")
    elif command := proxy_setup_command(NOTEBOOK_PORT):
        yield Finding("Proxy", "your browser cannot reach servers in this kernel", command, is_warning=True)


def widgets(_settings: Settings) -> Iterator[Finding]:
    """Yield a finding on whether JupyterLab, which may use another Python, can display the widgets of this kernel."""
    server = server_python()
    prefix = server.parent.parent
    try:
        extension = json.loads((prefix / WIDGET_MANAGER).read_text("utf-8"))["version"]
    except OSError:
        if server == Path(sys.executable) and not find_spec("jupyterlab"):
            yield Finding("JupyterLab", "not installed in this environment; forms require it")
            return
        outcome = f"{prefix} has no widget extension"
    else:
        if int(extension.partition(".")[0]) >= WIDGET_MANAGER_VERSION:
            yield Finding("JupyterLab", f"displays the widgets of this kernel (ipywidgets {version('ipywidgets')})")
            return
        outcome = f"the widget extension of {prefix} is older than the widgets of this kernel"
    yield Finding("JupyterLab", outcome, install_command("ipywidgets", python=server), is_warning=True)


def _fix(error: MediakitError) -> str:
    """Return how to fix an error: the command of the error, or the setting to change."""
    message = first_line(error)
    if isinstance(error, MissingPackage):
        return error.command
    if "Update mediakit" in message:
        return update_command()
    name = "MEDIAKIT_REDIS_URL" if message.startswith("redis_url") else "MEDIAKIT_DATABASE_URL"
    return SET_HOME if message.startswith("MEDIAKIT_HOME") else f"correct it, or {unset(name)}"
