"""The command line: the tools, the server, accounts and setup."""

import errno
import textwrap
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from mediakit.errors import InvalidInput, MediakitError

COMMANDS = {
    "account": ("mediakit.cli.accounts", "Create and change accounts."),
    "browser": ("mediakit.cli", "Find or install Chromium."),
    "demo": ("mediakit.cli.demo", "Render every example of every tool into FOLDER, with a page that shows them."),
    "docs": ("mediakit.cli", "Open the documentation in a browser."),
    "doctor": ("mediakit.cli", "Check the installation, and print how to fix problems."),
    "find": ("mediakit.cli", "Find the tool for a task."),
    "key": ("mediakit.cli.accounts", "Create and revoke API keys."),
    "serve": ("mediakit.cli.serve", "Run the HTTP API until Ctrl-C."),
    "template": ("mediakit.cli.templates", "List the templates, check own ones, and copy one to start from."),
}
"""Commands that are not tools: their modules, which are imported on first use, and what they do."""


_ELSEWHERE = {
    "batch": "To call a tool for each row of a table or file of a folder: mediakit COMMAND --from TABLE --to FOLDER",
    "form": 'Forms are for notebooks: mediakit.form("qr")',
    "help": "To see the options of a command: mediakit COMMAND --help",
    "templates": "To list the templates: mediakit template list",
}
"""What people try as commands, and how it is done."""


class Commands(click.Group):
    """The tools and the other commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return all command names, tools first."""
        from mediakit.tools.catalogue import command_names

        return [*command_names(), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        """Return a command; the command of a tool is created from its definition."""
        if cmd_name in COMMANDS:
            command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
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
            if way := _ELSEWHERE.get(args[0]):
                raise click.UsageError(f'unknown command "{args[0]}". {way}', ctx) from None
            from mediakit.tools.tasks import command_of, suggestion

            hint = suggestion(args[0], COMMANDS, 'Search with "mediakit find WORDS".', command_of)
            raise click.UsageError(f'unknown command "{args[0]}"{hint}', ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the tools by tag and the other commands, without importing them."""
        from mediakit.tools.catalogue import CATALOGUE, SUMMARIES

        sections = {
            tag: [(name.replace("_", "-"), SUMMARIES[name]) for name in names] for tag, names in CATALOGUE.items()
        }
        for title, rows in (*sections.items(), ("Setup", [(name, text) for name, (_, text) in COMMANDS.items()])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(f"{name:<20}", text) for name, text in rows])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. An error prints one line; the exit code is 2 for invalid input, otherwise 1."""
        try:
            with _short_warnings():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except MediakitError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2 if isinstance(error, InvalidInput) else 1)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of the output has closed the pipe: click exits silently
                raise
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {place}{error.strerror or error}", err=True)
            ctx.exit(1)
        except Exception as error:  # noqa: BLE001  # a person sees one line, not a traceback
            where = traceback.extract_tb(error.__traceback__)[-1]
            click.echo(f"Error: {type(error).__name__}: {error} ({where.filename}, line {where.lineno})", err=True)
            ctx.exit(1)


@contextmanager
def _short_warnings() -> Iterator[None]:
    """Print warnings for the user, such as those of omitted files, in one line without a place in the code."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def show_short(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
            if category is UserWarning:
                click.echo(f"Warning: {message}", err=True)
            else:
                show(message, category, *place, **options)

        warnings.showwarning = show_short
        yield


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mediakit-notebook")
def main() -> None:
    """Create images, PDFs, charts, codes and Markdown.

    Each tool reads its input from an argument, a file, or standard input (-). It writes to the file of -o, or to
    standard output.
    """


@click.group()
def browser() -> None:
    """Find or install Chromium."""


@browser.command()
def install() -> None:
    """Find a working Chromium, or install one."""
    from mediakit.core.runtime import runtime
    from mediakit.engines.browser.install import install as find_or_install
    from mediakit.settings import Settings

    runtime.run(find_or_install(Settings().browser, lambda line: click.echo(f"  {'Browser':<18} {line}")))


@click.command()
@click.option("--path", is_flag=True, help="Print the path of the first page, and open nothing.")
def docs(*, path: bool) -> None:
    """Open the documentation in a browser. It works offline."""
    from mediakit.installation import site_folder

    folder = site_folder()
    if folder is None:
        raise click.ClickException("this installation has no documentation. In a checkout, run: make docs")
    page = folder / "docs/index.html"
    click.echo(page)
    if not path:
        click.launch(page.as_uri())


@click.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Check the installation, and print how to fix problems. The exit code is 1 if a tool does not work."""
    from mediakit.diagnosis import Diagnosis, findings

    checked = []
    for finding in findings():
        checked.append(finding)
        click.echo(finding)
    ctx.exit(0 if Diagnosis(tuple(checked)).healthy else 1)


@click.command()
@click.argument("words", nargs=-1)
def find(words: tuple[str, ...]) -> None:
    """Find the tool for a task, such as: mediakit find word to pdf. Without words, all tools are listed."""
    from mediakit.search import find as find_tools

    found = find_tools(" ".join(words))
    if not found:
        raise click.ClickException(f'no tool fits "{" ".join(words)}". mediakit --help lists all tools.')
    for each in found:
        name = each.name.replace("_", "-") if each.command else each.name
        click.echo(f"{name}: {each.summary}")
        code = each.command or (f"In Python: {each.call}" if each.call else "")
        if words and code:
            click.echo(textwrap.indent(code, "    "))
