"""`mediakit serve`: runs the HTTP API, with one line in the log for each request, as text or as JSON."""

import json
import logging
import os
import shlex
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Any, Literal

import click

FORMATTERS: dict[str, dict[str, Any]] = {
    "text": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    "json": {"()": "mediakit.cli.serve.JsonFormatter"},
}

STANDARD_ATTRIBUTES = {*logging.LogRecord("", 0, "", 0, "", (), None).__dict__, "message", "asctime", "color_message"}
"""Attributes that every record has, and the message that uvicorn colors; further ones are fields of the log line."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 uses a free port.",
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Number of worker processes.")
@click.option(
    "--dev",
    is_flag=True,
    help="Print an API key and a sign-in link of an unlimited account, and open sign-up and upgrades.",
)
def serve(host: str, port: int, workers: int, dev: bool) -> None:  # noqa: FBT001  # click passes by name
    """Run the HTTP API until Ctrl-C."""
    import uvicorn

    from mediakit import diagnosis, server
    from mediakit.api.context import Context
    from mediakit.engines.browser.command import find
    from mediakit.errors import BrowserMissing, InvalidInput, ServerBusy
    from mediakit.settings import Settings

    if dev:
        _open_accounts()
    settings = Settings()
    settings.check_names()
    if settings.browser.browser:
        try:
            find(settings.browser)
        except BrowserMissing as error:
            raise InvalidInput(error.message) from None
    for finding in diagnosis.memory(settings, workers):
        if finding.fix:
            click.echo(finding, err=True)
    # An invalid setting or database ends this process before it starts workers that would fail repeatedly.
    with closing(Context(settings)) as context, suppress(ServerBusy):
        context.accounts.check()
    sock = server.listen(host, port)
    address = server.server_url(host, sock.getsockname()[1])
    click.echo(f"mediakit runs at {address}  (documentation: {address}/docs)")
    if dev:
        _print_dev_account(address)
    server.raise_descriptor_limit()
    config = server.config(
        "mediakit.api.app:create_app",
        factory=True,
        workers=workers,
        log_config=log_config(settings.server.log_format),
        max_connections=settings.server.max_connections,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[sock])
    else:
        from mediakit.api.monitoring import shared_by_processes

        with shared_by_processes():
            server.Processes(config, sockets=[sock]).run()


def _open_accounts() -> None:
    """Open sign-up and upgrades in this process and its workers, unless a setting closes them."""
    from mediakit.settings import MailSettings, ServerSettings

    if MailSettings().sign_up is None:
        os.environ["MEDIAKIT_SIGN_UP"] = "open"
    if ServerSettings().upgrades is None:
        os.environ["MEDIAKIT_UPGRADES"] = "open"


def _print_dev_account(address: str) -> None:
    """Print an API key and an example call to copy, and a link to the dashboard."""
    from mediakit.accounts.sign_in import sign_in_url
    from mediakit.cli.accounts import opened
    from mediakit.server import LOCAL_ACCOUNT, local_key

    with opened() as accounts:
        key = local_key(accounts, "serve --dev").key
        accounts.administration.set_admin(LOCAL_ACCOUNT, admin=True)
        link = accounts.sign_in.create_link(LOCAL_ACCOUNT, sign_up=False)
    click.echo(f"API key of a verified, unlimited account:\n{key}")
    click.echo(f"Documentation with this key: {address}/docs#key={key}\nExample:")
    header = shlex.quote(f"x-api-key: {key}")
    click.echo(f"curl -sS {address}/qr -H {header} -H 'content-type: text/plain' -d 'https://example.com' -o qr.png")
    if link:
        click.echo(f"Dashboard (this link works once): {sign_in_url(address, link.token)}")


def log_config(log_format: Literal["text", "json"]) -> dict[str, Any]:
    """Return the logging configuration of each worker process, for mediakit and uvicorn."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": FORMATTERS[log_format]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {"mediakit": {"level": "INFO"}},
    }


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line, with the fields of `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in STANDARD_ATTRIBUTES},
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
