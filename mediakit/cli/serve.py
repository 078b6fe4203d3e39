"""`mediakit serve`: run the HTTP API."""

import shlex
from typing import Any

import click

LOG_CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"mediakit": {"level": "INFO"}},
}
"""Logs one line for each request to standard error, in every worker."""


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
@click.option("--dev", is_flag=True, help="Create a verified, unlimited account and print its API key.")
def serve(host: str, port: int, workers: int, dev: bool) -> None:  # noqa: FBT001  # click passes by name
    """Run the HTTP API until Ctrl-C."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from mediakit import server
    from mediakit.api.context import Context
    from mediakit.settings import Settings

    Context(
        Settings()
    ).close()  # an invalid setting ends this process before it starts workers that would fail repeatedly
    sock = server.listen(host, port)
    address = server.server_url(host, sock.getsockname()[1])
    click.echo(f"mediakit runs at {address}  (documentation: {address}/docs)")
    if dev:
        _print_key(address)
    config = server.config("mediakit.api.app:create_app", factory=True, workers=workers, log_config=LOG_CONFIG)
    if workers == 1:
        uvicorn.Server(config).run(sockets=[sock])
    else:
        Multiprocess(config, sockets=[sock]).run()


def _print_key(address: str) -> None:
    """Print an API key, and an example call to copy."""
    from mediakit.cli.accounts import opened
    from mediakit.server import local_key

    with opened() as accounts:
        key = local_key(accounts, "serve --dev").key
    click.echo(f"API key of a verified, unlimited account:\n{key}\nExample:")
    header = shlex.quote(f"x-api-key: {key}")
    click.echo(f"curl -sS {address}/qr -H {header} -H 'content-type: text/plain' -d 'https://example.com' -o qr.png")
