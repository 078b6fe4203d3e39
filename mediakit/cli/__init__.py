"""The command line: the tools, the server, accounts and setup."""

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
    "find": "find",
    "key": "accounts",
    "serve": "serve",
    "template": "templates",
}
"""Commands that are not tools, and their modules. Each module is imported on first use."""


class Commands(click.Group):
    """The tools and the other commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return all command names, tools first."""
        from mediakit.tools.catalogue import command_names

        return [*command_names(), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        """Return a command; the command of a tool is created from its definition."""
        if module := COMMANDS.get(cmd_name):
            command: click.Command = getattr(import_module(f"mediakit.cli.{module}"), cmd_name)
            return command
        from mediakit.cli import tools

        return tools.command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument; an error suggests the one that is meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
            from mediakit.tools.tasks import command_of, suggestion

            hint = suggestion(args[0], COMMANDS, 'Search with "mediakit find WORDS".', command_of)
            raise click.UsageError(f'unknown command "{args[0]}"{hint}', ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. An error prints one line; the exit code is 2 for invalid input, otherwise 1."""
        try:
            return super().invoke(ctx)
        except MediakitError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2 if isinstance(error, InvalidInput) else 1)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of the output has closed the pipe: click exits silently
                raise
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {place}{error.strerror or error}", err=True)
            ctx.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mediakit-notebook")
def main() -> None:
    """Create images, PDFs, charts, codes and Markdown.

    Each tool reads its input from an argument, a file, or standard input (-). It writes to the file of -o, or to
    standard output.
    """
