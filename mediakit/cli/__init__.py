"""The command line: every tool, the server, accounts and set-up."""

import errno
from importlib import import_module
from typing import Any

import click

from mediakit.errors import InvalidInput, MediakitError

COMMANDS = {
    "account": "accounts",
    "browser": "browser",
    "demo": "demo",
    "doctor": "doctor",
    "key": "accounts",
    "serve": "serve",
}
"""Commands that are no tools, with their module: each is imported when it is asked for."""


class Commands(click.Group):
    """The commands, and the tools as commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Name the tools first."""
        from mediakit.cli import tools

        return [*tools.names(), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        """Find a command, or make one of the tool."""
        if module := COMMANDS.get(cmd_name):
            command: click.Command = getattr(import_module(f"mediakit.cli.{module}"), cmd_name)
            return command
        from mediakit.cli import tools

        return tools.command(cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a failure is one line, and exit code 2 when the input is to blame, else 1."""
        try:
            return super().invoke(ctx)
        except MediakitError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2 if isinstance(error, InvalidInput) else 1)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read our output has had enough: click ends quietly
                raise
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {place}{error.strerror or error}", err=True)
            ctx.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mediakit")
def main() -> None:
    """Pictures, PDFs, charts, codes and clean text.

    Every tool reads its input from an argument, a file, or - for standard input, and writes a file with -o or a
    redirect.
    """
