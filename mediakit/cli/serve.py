"""`mediakit serve`: the HTTP API."""

import shlex
from typing import Any

import click

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"mediakit": {"level": "INFO"}},
}
"""A line a request, on standard error, from every worker."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 picks a free one."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that answer.")
@click.option("--dev", is_flag=True, help="Also make a verified, unlimited account and print its key.")
def serve(host: str, port: int, workers: int, dev: bool) -> None:  # noqa: FBT001  # click passes by name
    """Run the HTTP API until Ctrl-C."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from mediakit import server
    from mediakit.api.context import Context
    from mediakit.settings import Settings

    Context(Settings()).close()  # a wrong setting ends this process, before workers fail at it again and again
    sock = server.listen(host, port)
    address = server.server_url(host, sock.getsockname()[1])
    click.echo(f"mediakit serves {address}  (its page: {address}/docs)")
    if dev:
        _introduce(address)
    config = server.config("mediakit.api.app:create_app", factory=True, workers=workers, log_config=LOGGING)
    if workers == 1:
        uvicorn.Server(config).run(sockets=[sock])
    else:
        Multiprocess(config, sockets=[sock]).run()


def _introduce(address: str) -> None:
    """Print a key and a call that works when pasted."""
    from mediakit.cli.accounts import opened
    from mediakit.server import local_key

    with opened() as accounts:
        key = local_key(accounts, "serve --dev").key
    click.echo(f"Key of a verified, unlimited account:\n{key}\nTry it:")
    header = shlex.quote(f"x-api-key: {key}")
    click.echo(f"curl -sS {address}/qr -H {header} -H 'content-type: text/plain' -d 'https://example.com' -o qr.png")
