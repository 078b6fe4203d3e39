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
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from mediakit import server
from mediakit.cli.tools import tool_command
from mediakit.core import table
from mediakit.core.request import nearest
from mediakit.core.results import Result, readable_size
from mediakit.core.tool import Tool
from mediakit.diagnosis import Diagnosis, doctor
from mediakit.errors import InvalidInput
from mediakit.tools import TOOLS

ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add `%mediakit` and `%%mediakit` to an IPython; `%load_ext mediakit` calls this."""

    def mediakit(line: str, cell: str | None = None) -> Any:
        return run(shell, line, cell)

    mediakit.__doc__ = _help()
    register = cast("Callable[..., None]", shell.register_magic_function)
    register(mediakit, "line_cell", "mediakit")
    if "pandas" in sys.modules:
        import_module("mediakit.pandas")  # gives tables `.mediakit`


def run(shell: InteractiveShell, line: str, cell: str | None = None) -> Any:
    """Run the magic and give what the cell shows.

    Raises:
        UsageError: The line or the cell asks for what there is not.
    """
    try:
        word, *words = shlex.split(line) or [""]
        if cell is None and word in ACTIONS:
            return ACTIONS[word](words)
        return _call(shell, _tool(word), words, cell)
    except (click.ClickException, InvalidInput, ValueError) as error:
        raise UsageError(error.format_message() if isinstance(error, click.ClickException) else str(error)) from None


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
    tools = {name: tool for tool in TOOLS for name in (tool.command, tool.name)}
    if word not in tools:
        known = [*(tool.command for tool in TOOLS), *ACTIONS]
        raise InvalidInput(f"{word or 'It'}: is no tool; {nearest(word, known)}")
    return tools[word]


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
    return table.charted(table.rows(text))


TABLES: Mapping[str, Callable[[str], Mapping[str, Any]]] = {"chart": _table}
"""Tools whose input is a table, with what reads it from text."""


def _identifier(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is not None and not name.isidentifier():
        raise click.BadParameter(f"{name!r} is no name that Python could give to the result.")
    return name


def _doctor(_words: list[str]) -> Diagnosis:
    return doctor()


def _serve(words: list[str]) -> server.Server:
    port = click.Option(["--port"], type=click.IntRange(0, 65535), help="Port; 8765, or a free one, when left out.")
    started = click.Command("serve", callback=server.serve, params=[port], help="Start the API in this kernel.")
    return cast("server.Server", started.main(words, prog_name="%mediakit serve", standalone_mode=False))


def _stop(_words: list[str]) -> None:
    if running := server.running():
        running.stop()
        click.echo(f"{running.url} has stopped.")
    else:
        click.echo("No server runs in this kernel.")


def _status(_words: list[str]) -> server.Server | None:
    running = server.running()
    if not running:
        click.echo("No server runs in this kernel; %mediakit serve starts one.")
    return running


ACTIONS: dict[str, Callable[[list[str]], Any]] = {
    "doctor": _doctor,
    "serve": _serve,
    "stop": _stop,
    "status": _status,
}


def _help() -> str:
    tools = "\n".join(f"    {tool.command:<16} {tool.summary}" for tool in TOOLS)
    return f"""Call a tool, with the cell as its input where there is one.

    %%mediakit TOOL [OPTIONS] [VARIABLE]     the cell is the input; VARIABLE gets the result
    %mediakit TOOL INPUT [OPTIONS]           as in the shell
    %mediakit TOOL --help                    the tool's options
    %mediakit doctor|serve|stop|status       look at this machine; the API in this kernel

{tools}

    %%mediakit capture --width 600 -o card.png
    <h1>Hello</h1>"""
