"""`%load_ext mediakit`: the tools as one magic, whose options are made from their requests.

%%mediakit capture --width 600 -o card.png
<h1>The cell is the page</h1>

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
from mediakit.core.messages import nearest, readable_size
from mediakit.core.tool import Tool
from mediakit.diagnosis import Diagnosis, doctor
from mediakit.engines.tables import clipboard as table
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.gallery import gallery
from mediakit.results.result import Result
from mediakit.tools.catalogue import all_tools, command_names, load_tool, tool_names

MAGIC = re.compile(r"%%?mediakit\s")
ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add `%mediakit` and `%%mediakit` to an IPython; `%load_ext mediakit` calls this."""

    def mediakit(line: str, cell: str | None = None) -> Any:
        return run(shell, line, cell)

    mediakit.__doc__ = _help()
    register = cast("Callable[..., None]", shell.register_magic_function)
    register(mediakit, "line_cell", "mediakit")
    matchers = shell.Completer.custom_matchers
    if _matcher not in matchers:
        matchers.append(_matcher)
    _show_lists(shell)
    if "pandas" in sys.modules:
        import_module("mediakit.pandas")  # gives tables `.mediakit`


def _show_lists(shell: InteractiveShell) -> None:
    """Show a list or a tuple of nothing but results as a gallery, unless somebody shows lists already."""
    formatter = cast("Any", shell.display_formatter).formatters["text/html"]
    for kind in (list, tuple):
        if kind not in formatter.type_printers:
            formatter.for_type(kind, _gallery)


def _gallery(results: list[Any] | tuple[Any, ...]) -> str | None:
    if type(results) not in (list, tuple) or not results or not all(isinstance(each, Result) for each in results):
        return None  # IPython goes on with the text
    return gallery(results)._repr_html_()  # IPython's protocol


def run(shell: InteractiveShell, line: str, cell: str | None = None) -> Any:
    """Run the magic and give what the cell shows.

    Raises:
        UsageError: The line or the cell asks for what there is not.
    """
    try:
        word, *words = shlex.split(line) or [""]
        words = ["--help" if word == "?" else word for word in words]
        if cell is None and word in ("", "?", "-h", "--help"):
            click.echo(_help())
            return None
        if cell is None and word in ACTIONS:
            command = ACTIONS[word]
            name = f"%mediakit {word}"
            shown = command.main(words, prog_name=name, standalone_mode=False, help_option_names=["-h", "--help"])
            return None if isinstance(shown, int) else shown  # after --help it is an exit code
        return _call(shell, _tool(word), words, cell)
    except click.ClickException as error:
        raise UsageError(error.format_message()) from None
    except (MediakitError, ValueError) as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or line}: {error.strerror or error}") from None


@context_matcher()  # type: ignore[untyped-decorator]  # IPython types it so
def _matcher(context: CompletionContext) -> SimpleMatcherResult:
    """Complete lines of the magic, and let nobody add names of Python to them; leave other lines to others."""
    line = context.text_until_cursor
    if not MAGIC.match(line):
        return {"completions": []}
    found = [SimpleCompletion(word) for word in complete(line) if word.startswith(context.token)]
    return {"completions": found, "suppress": bool(found)}


def complete(line: str) -> list[str]:
    """Give the words that may follow a line of the magic: tools, then their options and what these choose from."""
    *words, _begun = line.split(" ")
    words = [word for word in words[1:] if word]
    if not words:
        return sorted([*command_names(), *ACTIONS])
    command = tool_command(load_tool(words[0])) if _is_tool(words[0]) else ACTIONS.get(words[0])
    if command is None:
        return []
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    for option in options:
        if words[-1] in option.opts and not option.is_flag:
            return list(option.type.choices) if isinstance(option.type, click.Choice) else []
    flags = [flag for option in options for flag in (*option.opts, *option.secondary_opts) if flag != "--json"]
    return sorted(flag for flag in flags if flag.startswith("--"))


def _call(shell: InteractiveShell, tool: Tool[..., Any], words: list[str], cell: str | None) -> Any:
    body = {} if cell is None else _body(tool, cell)

    def answer(tool: Tool[..., Any], values: dict[str, Any], output: Path | None) -> Result:
        variable = values.pop("variable", None)
        result: Result = tool.run(tool.validate({**values, **body}))
        if variable:
            shell.user_ns[variable] = result
        if output:
            saved = result.save(output)
            click.echo(f"{saved} ({readable_size(saved.stat().st_size)})")
        return result

    command = tool_command(tool, answer, filled=tuple(body))
    command.params = [parameter for parameter in command.params if parameter.name != "as_json"]
    if body:
        command.params.append(click.Argument(["variable"], required=False, callback=_identifier))
    name = f"{'%%' if body else '%'}mediakit {tool.command}"
    result = command.main(words, prog_name=name, standalone_mode=False, help_option_names=["-h", "--help"])
    return result if isinstance(result, Result) else None  # after --help it is an exit code


def _tool(word: str) -> Tool[..., Any]:
    if not _is_tool(word):
        raise InvalidInput(f'unknown tool "{word}"; {nearest(word, [*command_names(), *ACTIONS])}')
    return load_tool(word)


def _is_tool(word: str) -> bool:
    return word in tool_names() or word in command_names()


def _body(tool: Tool[..., Any], cell: str) -> Mapping[str, Any]:
    """Give the fields that the cell fills."""
    if tool.name in TABLES:
        return TABLES[tool.name](cell)
    fields = {media: field for media, field in tool.raw.items() if media.startswith("text/")}
    if not fields:
        raise InvalidInput(f"A cell is no input for {tool.command}; write %mediakit {tool.command} FILE.")
    is_html = "text/html" in fields and not ("text/plain" in fields and ADDRESS.fullmatch(cell.strip()))
    return {fields["text/html"]: cell} if is_html else {fields["text/plain"]: cell.strip()}


def _table(text: str) -> Mapping[str, Any]:
    """Read labels and series from a JSON object, or from CSV as spreadsheets have it."""
    if text.lstrip().startswith("{"):
        read = json.loads(text)
        return read if isinstance(read, dict) else {}
    return table.chart_data(table.parse_table(text))


TABLES: Mapping[str, Callable[[str], Mapping[str, Any]]] = {"chart": _table}
"""Tools whose input is a table, with what reads it from text."""


def _identifier(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is not None and not name.isidentifier():
        raise click.BadParameter(f"{name!r} is no name that Python could give to the result.")
    return name


@click.command("doctor", help="Look at this machine: what works, what is missing, and what mends it.")
def _doctor() -> Diagnosis:
    return doctor()


@click.command("serve", help="Start the API in this kernel.")
@click.option("--host", default=server.LOCALHOST, show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 8765, or a free one, when left out.")
def _serve(host: str, port: int | None) -> server.Server:
    return server.serve(host=host, port=port)


@click.command("stop", help="Stop the API in this kernel.")
def _stop() -> None:
    if running := server.running():
        running.stop()
        click.echo(f"{running.url} has stopped.")
    else:
        click.echo("No server runs in this kernel.")


@click.command("status", help="Show the API in this kernel.")
def _status() -> server.Server | None:
    running = server.running()
    if not running:
        click.echo("No server runs in this kernel; %mediakit serve starts one.")
    return running


ACTIONS: dict[str, click.Command] = {"doctor": _doctor, "serve": _serve, "stop": _stop, "status": _status}


def _help() -> str:
    tools = "\n".join(f"    {tool.command:<16} {tool.summary}" for tool in all_tools())
    return f"""Call a tool, with the cell as its input where there is one.

    %%mediakit TOOL [OPTIONS] [VARIABLE]     the cell is the input; VARIABLE gets the result
    %mediakit TOOL INPUT [OPTIONS]           as in the shell
    %mediakit TOOL --help                    the tool's options
    %mediakit doctor|serve|stop|status       look at this machine; the API in this kernel

{tools}

    %%mediakit capture --width 600 -o card.png
    <h1>Hello</h1>"""
