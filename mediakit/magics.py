"""`%load_ext mediakit`: tools as the magics `%mediakit` and `%%mediakit`, with their fields as options.

%%mediakit capture --width 600 -o card.png
<h1>The cell is the input</h1>

%mediakit qr https://example.com --size 300
%mediakit doctor
"""

import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click
from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from mediakit import server
from mediakit.cli.tools import tool_command
from mediakit.core.messages import readable_size
from mediakit.core.tool import Tool
from mediakit.diagnosis import Diagnosis, doctor
from mediakit.engines.tables import clipboard as table
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.result import Result, gallery
from mediakit.search import Findings, find
from mediakit.tools.catalogue import SUMMARIES, command_names, load_tool, tool_names
from mediakit.tools.tasks import command_of, suggestion
from mediakit.usage import Usage

MAGIC = re.compile(r"%%?mediakit\s")
CELL_FIELDS = {"data_query": "sql"}
"""The field that the cell fills, for tools whose input is in the line."""

URL = re.compile(r"https?://\S+", re.IGNORECASE)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register `%mediakit` and `%%mediakit` in an IPython shell; called by `%load_ext mediakit`."""

    def mediakit(line: str, cell: str | None = None) -> Any:
        return run(shell, line, cell)

    mediakit.__doc__ = _help()
    register = cast("Callable[..., None]", shell.register_magic_function)
    register(mediakit, "line_cell", "mediakit")
    matchers = shell.Completer.custom_matchers
    if _matcher not in matchers:
        matchers.append(_matcher)
    # Lists and tuples of results are displayed as galleries, unless they already have a formatter.
    formatter = cast("Any", shell.display_formatter).formatters["text/html"]
    for sequence_type in {list, tuple} - set(formatter.type_printers):
        formatter.for_type(sequence_type, _gallery_html)
    if "pandas" in sys.modules:
        import_module("mediakit.pandas")  # registers the `.mediakit` accessor


def _gallery_html(results: list[Any] | tuple[Any, ...]) -> str | None:
    """Return the HTML of a gallery; None if any item is not a result, so that IPython displays the list as text."""
    if type(results) not in (list, tuple) or not results or not all(isinstance(item, Result) for item in results):
        return None
    return gallery(results)._repr_html_()  # the display method of IPython


def run(shell: InteractiveShell, line: str, cell: str | None = None) -> Any:
    """Run the magic and return the value that the cell displays.

    Raises:
        UsageError: The line or the cell is invalid, or the call failed.
    """
    try:
        name, *arguments = shlex.split(line) or [""]
        arguments = ["--help" if argument == "?" else argument for argument in arguments]
        if cell is None and name in ("", "?", "-h", "--help"):
            click.echo(_help())
            return None
        if cell is None and name in ACTIONS:
            command = ACTIONS[name]
            prog_name = f"%mediakit {name}"
            value = command.main(
                arguments, prog_name=prog_name, standalone_mode=False, help_option_names=["-h", "--help"]
            )
            return None if isinstance(value, int) else value  # --help returns an exit code
        if not _is_tool(name):
            hint = suggestion(name, ACTIONS, 'mediakit.find("words") searches the tools.', command_of)
            raise InvalidInput(f'unknown tool "{name}"{hint}')
        return _call(shell, load_tool(name), arguments, cell)
    except click.ClickException as error:
        raise UsageError(error.format_message()) from None
    except (MediakitError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or line}: {error.strerror or error}") from None


@context_matcher()  # type: ignore[untyped-decorator]  # IPython has no types for it
def _matcher(context: CompletionContext) -> SimpleMatcherResult:
    """Return completions for a line of the magic, and suppress Python names. Return none for other lines."""
    line = context.text_until_cursor
    if not MAGIC.match(line):
        return {"completions": []}
    completions = [SimpleCompletion(word) for word in complete(line) if word.startswith(context.token)]
    return {"completions": completions, "suppress": bool(completions)}


def complete(line: str) -> list[str]:
    """Return the words that can follow in a line of the magic: tools, options of a tool, or values of an option."""
    _magic, *arguments, _incomplete = line.split(" ")
    arguments = [argument for argument in arguments if argument]
    if not arguments:
        return sorted([*command_names(), *ACTIONS])
    command = tool_command(load_tool(arguments[0])) if _is_tool(arguments[0]) else ACTIONS.get(arguments[0])
    if command is None:
        return []
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    for option in options:
        if arguments[-1] in option.opts and not option.is_flag:
            return list(option.type.choices) if isinstance(option.type, click.Choice) else []
    flags = [flag for option in options for flag in (*option.opts, *option.secondary_opts) if flag != "--json"]
    return sorted(flag for flag in flags if flag.startswith("--"))


def _call(shell: InteractiveShell, tool: Tool[..., Any], arguments: list[str], cell: str | None) -> Any:
    """Call a tool and return its result; None if the arguments contain `--help`."""
    cell_values = {} if cell is None else _cell_values(tool, cell)

    def run_tool(tool: Tool[..., Any], values: dict[str, Any], output: Path | None) -> Result:
        variable = values.pop("variable", None)
        result: Result = tool.run(tool.validate(tool.with_hex_colors({**values, **cell_values})))
        if variable:
            shell.user_ns[variable] = result
        if output:
            saved = result.save(output)
            click.echo(f"{saved} ({readable_size(saved.stat().st_size)})")
        return result

    command = tool_command(tool, run_tool, filled=tuple(cell_values))
    command.params = [parameter for parameter in command.params if parameter.name != "as_json"]
    if cell_values:
        command.params.append(click.Argument(["variable"], required=False, callback=_validate_identifier))
    name = f"{'%%' if cell_values else '%'}mediakit {tool.command}"
    result = command.main(arguments, prog_name=name, standalone_mode=False, help_option_names=["-h", "--help"])
    return result if isinstance(result, Result) else None  # --help returns an exit code


def _is_tool(name: str) -> bool:
    return name in tool_names() or name in command_names()


def _cell_values(tool: Tool[..., Any], cell: str) -> Mapping[str, Any]:
    """Return the values of the fields that the cell contains: text, HTML, or the table of a chart."""
    if tool.name == "chart":
        is_json = cell.lstrip().startswith("{")
        return dict(json.loads(cell)) if is_json else table.chart_data(table.parse_table(cell))
    if tool.name in CELL_FIELDS:
        return {CELL_FIELDS[tool.name]: cell.strip()}
    kinds = {each.kind: each.name for each in reversed(tool.parameters)}
    if "html" in kinds and not ("url" in kinds and URL.fullmatch(cell.strip())):
        return {kinds["html"]: cell}
    if "text/plain" in tool.spec.raw:
        return {tool.spec.raw["text/plain"]: cell.strip()}
    if "text" in [each.name for each in tool.parameters]:
        return {"text": cell}
    if "text/csv" in tool.spec.raw:
        return {tool.spec.raw["text/csv"]: cell.encode()}
    raise InvalidInput(f"{tool.command}: does not take a cell as input; use %mediakit {tool.command} FILE.")


def _validate_identifier(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Return the name of a variable; raise an error if it is not a valid Python identifier."""
    if name is not None and not name.isidentifier():
        raise click.BadParameter(f"{name!r} is not a valid Python variable name.")
    return name


@click.command("doctor", help="Check this machine and show how to fix each problem.")
def _doctor() -> Diagnosis:
    return doctor()


@click.command("serve", help="Start the HTTP API in this kernel.")
@click.option("--host", default=server.LOCALHOST, show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on. Default: 8765, or a free port if it is taken."
)
def _serve(host: str, port: int | None) -> server.Server:
    return server.serve(host=host, port=port)


@click.command("stop", help="Stop the HTTP API in this kernel.")
def _stop() -> None:
    if running := server.running():
        running.stop()
        click.echo(f"Stopped the server at {running.url}.")
    else:
        click.echo("No server is running in this kernel.")


@click.command("status", help="Show the plan of the account and the credits used, as mediakit.status() does.")
def _status() -> Usage:
    return server.status()


@click.command("find", help="Find the tool for a task, such as: %mediakit find word to pdf")
@click.argument("words", nargs=-1)
def _find(words: tuple[str, ...]) -> Findings:
    return find(" ".join(words))


ACTIONS: dict[str, click.Command] = {
    "doctor": _doctor,
    "find": _find,
    "serve": _serve,
    "stop": _stop,
    "status": _status,
}


def _help() -> str:
    tools = "\n".join(f"    {command_of(name):<16} {summary}" for name, summary in SUMMARIES.items())
    return f"""Call a tool. %%mediakit passes the cell to the tool as its input.

    %%mediakit TOOL [OPTIONS] [VARIABLE]     use the cell as input; store the result in VARIABLE
    %mediakit TOOL INPUT [OPTIONS]           use the same arguments as in the shell
    %mediakit TOOL --help                    show the options of the tool
    %mediakit find WORDS                     find the tool for a task
    %mediakit doctor|status                  check this machine; the plan and the credits used
    %mediakit serve|stop                     start and stop the HTTP API in this kernel

{tools}

    %%mediakit capture --width 600 -o card.png
    <h1>Hello</h1>

    %%mediakit data-query sales.csv
    FROM sales WHERE amount > 100 ORDER BY amount"""
