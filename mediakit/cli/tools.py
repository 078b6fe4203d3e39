"""Every tool as a command, with options made from its request."""

import json
import re
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from mediakit.cli.own_templates import load_own_templates
from mediakit.cli.progress import progress
from mediakit.cli.table_rows import TABLE_OPTIONS, ToolCommand, reject_without_rows, run_rows, table_options
from mediakit.core.inputs import MAX_FILE_BYTES, FileBytes
from mediakit.core.media import type_of
from mediakit.core.messages import quote, readable_size
from mediakit.core.parameters import FORMAT_OPTIONS, Parameter
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.files import FilesResult
from mediakit.results.result import Result
from mediakit.tools.catalogue import command_names, load_tool

TYPES: dict[str, click.ParamType[Any]] = {"integer": click.INT, "number": click.FLOAT, "boolean": click.BOOL}

MARKDOWN_SUFFIXES = (".md", ".markdown")
"""Ends of names of Markdown files, in lower case."""

_URL = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)


class _Subject(click.ParamType[str]):
    """The argument of a command. If it is missing and has choices, the error lists them."""

    name = "text"

    def __init__(self, parameter: Parameter) -> None:
        self._choices = parameter.choices

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:  # noqa: ARG002
        """Return the choices."""
        return f"Choose from {', '.join(self._choices)}." if self._choices else None


Action = Callable[[Tool[..., Any], dict[str, Any], Path | None], Any]
"""What a command does with a tool, the values of a call, and the file to write."""


def command(name: str) -> click.Command | None:
    """Return the command of a tool; None for an unknown name. Only this tool is imported."""
    if name not in command_names():
        return None
    tool = load_tool(name)
    if any(parameter.name == "template" for parameter in tool.parameters):
        load_own_templates()
    return tool_command(tool)


def tool_command(tool: Tool[..., Any], action: Action | None = None, *, filled: Collection[str] = ()) -> click.Command:
    """Return the command of a tool.

    Args:
        tool: The tool.
        action: What the command does with the values; by default it runs the tool and writes the result.
        filled: Fields that the caller fills, so that the command has no options for them.
    """
    subject, *others = tool.parameters
    others = [parameter for parameter in others if parameter.name not in filled]

    def run(*, output: Path | None, as_json: bool = False, **given: Any) -> Any:
        table = {name: given.pop(name) for name in TABLE_OPTIONS if name in given}
        if table and not table["rows_from"]:
            reject_without_rows(table)
            if subject.required and given.get(subject.name) in (None, ()):
                raise click.MissingParameter(ctx=click.get_current_context(), param=argument)
        values = {name: value for name, value in given.items() if value not in (None, ())}
        for parameter in [each for each in tool.parameters if each.name in values]:
            _read_input(tool, parameter, values)
        _read_structures(others, values)
        if table and table["rows_from"]:
            return run_rows(tool, values, output, table)
        _format_from_extension(tool, values, output)
        return action(tool, values, output) if action else _run(tool, values, output, as_json=as_json)

    argument = click.Argument(
        [subject.name],
        required=subject.required and action is not None,
        metavar=_metavar(subject),
        type=_Subject(subject),
        nargs=-1 if subject.kind == "files" else 1,
    )
    return ToolCommand(
        tool.command,
        callback=run,
        params=[
            *([] if subject.name in filled else [argument]),
            *(_option(parameter) for parameter in others),
            *_common_options(tool),
            *([] if action else table_options(tool)),
        ],
        help=f"{tool.summary}\n\n{tool.description}" + ("" if filled else f"\n\n{_argument_help(tool, subject)}"),
        short_help=tool.summary,
    )


def _run(tool: Tool[..., Any], values: dict[str, Any], output: Path | None, *, as_json: bool) -> None:
    _reject_terminal(tool, output, as_json=as_json)
    request = tool.validate(tool.with_hex_colors(values))
    with progress(f"mediakit {tool.command}"):
        result = tool.run(request)
    _write(result, output, as_json=as_json)


def _is_read_from_file(parameter: Parameter) -> bool:
    """Return whether the shell reads the field from a file; other text is passed as it is."""
    return parameter.is_file or parameter.kind == "html"


def _metavar(subject: Parameter) -> str:
    name = "FILE" if _is_read_from_file(subject) else subject.name.upper()
    name = f"{name}..." if subject.kind == "files" else name
    return name if subject.required else f"[{name}]"


def _argument_help(tool: Tool[..., Any], subject: Parameter) -> str:
    if _is_markdown(tool, subject):
        return f"{subject.name.upper()}: Name of a .md file, or the text. {subject.help} Use - to read standard input."
    name = "FILE" if _is_read_from_file(subject) else subject.name.upper()
    return f"{name}: {subject.help} Use - to read standard input."


def _option(parameter: Parameter) -> click.Option:
    flag = f"--{parameter.name.replace('_', '-')}"
    text = f"{parameter.help} [{parameter.rule}]" if parameter.rule else parameter.help
    if parameter.kind == "boolean":
        return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=text)
    if parameter.kind == "choice":
        default = f" [default {parameter.default}]" if parameter.default else ""
        choices = click.Choice(parameter.choices)
        return click.Option([flag], type=choices, help=parameter.help + default, metavar="|".join(parameter.choices))
    if parameter.kind in ("list", "object", "files", "table"):
        return click.Option([flag], multiple=True, metavar=_item_metavar(parameter), help=f"{text} May be repeated.")
    metavar = "FILE" if _is_read_from_file(parameter) else None
    return click.Option([flag], type=TYPES.get(parameter.kind, click.STRING), help=text, metavar=metavar)


def _item_metavar(parameter: Parameter) -> str:
    if parameter.kind == "files":
        return "FILE"
    if parameter.kind == "object":
        return "KEY=VALUE"
    return "VALUE" if parameter.holds_texts else "JSON"


def _common_options(tool: Tool[..., Any]) -> list[click.Parameter]:
    several = any(issubclass(kind, FilesResult) for kind in getattr(tool.result, "kinds", (tool.result,)))
    path = click.Path(dir_okay=several, path_type=Path, allow_dash=True)
    where = "Folder, or .zip file," if several else "File"
    return [
        click.Option(["-o", "--output"], type=path, help=f"{where} to write; - for standard output."),
        click.Option(["--json", "as_json"], is_flag=True, help="Write the JSON envelope of the HTTP API."),
    ]


def _read_input(tool: Tool[..., Any], parameter: Parameter, values: dict[str, Any]) -> None:
    given = values[parameter.name]
    if parameter.kind == "files":
        values[parameter.name] = [_file(parameter, path) for path in given]
    elif parameter.kind == "file":
        is_json = parameter.takes_rows and given.lstrip().startswith("[")
        values[parameter.name] = FileBytes(given.encode()) if is_json else _file(parameter, given)
    elif parameter.kind == "html":
        values[parameter.name] = _text(parameter, _file(parameter, given))
    elif parameter is tool.parameters[0]:
        _read_text_subject(tool, parameter, values)


def _read_text_subject(tool: Tool[..., Any], subject: Parameter, values: dict[str, Any]) -> None:
    """Read `-` from standard input, and Markdown from the file that the text names.

    Where a tool takes a URL or HTML, a page or a file that is not a URL is HTML.
    """
    given = values[subject.name]
    if _is_markdown(tool, subject) and given.lower().endswith(MARKDOWN_SUFFIXES):
        values[subject.name] = _text(subject, _file(subject, given))
        return
    html = next((each for each in tool.parameters if each.kind == "html"), None)
    if given == "-":
        given = values[subject.name] = _text(subject, _file(subject, "-")).removesuffix("\n").removesuffix("\r")
        if html and html.name not in values and not _URL.fullmatch(given):
            values[html.name] = values.pop(subject.name)
    elif html and html.name not in values and not _URL.fullmatch(given) and Path(given).is_file():
        values[html.name] = _text(subject, _file(subject, given))
        del values[subject.name]


def _is_markdown(tool: Tool[..., Any], parameter: Parameter) -> bool:
    return tool.raw.get("text/markdown") == parameter.name and not parameter.is_file


def _file(parameter: Parameter, path: str) -> FileBytes:
    """Return a file, or standard input for `-`; at most one byte over the limit, because input may never end."""
    if path == "-":
        return FileBytes.named(sys.stdin.buffer.read(MAX_FILE_BYTES + 1))
    try:
        with Path(path).open("rb") as file:
            return FileBytes.named(file.read(MAX_FILE_BYTES + 1), Path(path).name)
    except OSError as error:
        raise InvalidInput(f"{parameter.name}: cannot read {path}: {error.strerror}.") from None


def _text(parameter: Parameter, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{parameter.name}: must be UTF-8 text.") from None


def _read_structures(parameters: list[Parameter], values: dict[str, Any]) -> None:
    for parameter in parameters:
        if parameter.name not in values:
            continue
        if parameter.kind == "object":
            values[parameter.name] = {
                key: value for text in values[parameter.name] for key, value in _members(text).items()
            }
        elif parameter.kind in ("list", "table"):
            values[parameter.name] = [item for text in values[parameter.name] for item in _items(parameter, text)]


def _members(text: str) -> dict[str, Any]:
    """Return the members of an object that text has as `key=value` or as JSON."""
    if text.startswith("{"):
        with suppress(ValueError):
            return dict(json.loads(text))
    key, _, value = text.partition("=")
    return {key: value}


def _items(parameter: Parameter, text: str) -> list[Any]:
    """Return the items of a list in text: the text itself for lists of text, else JSON; or a JSON array of items."""
    of_texts = parameter.holds_texts and parameter.kind == "list"
    try:
        read = json.loads(text)
    except ValueError:
        if of_texts:
            return [text]
        raise InvalidInput(f"{parameter.name}: must be JSON, got {quote(text)}.") from None
    if isinstance(read, list) and (not of_texts or all(isinstance(item, str) for item in read)):
        return read
    return [text if of_texts else read]


def _format_from_extension(tool: Tool[..., Any], values: dict[str, Any], output: Path | None) -> None:
    """Let `-o code.svg` choose the format if no option does."""
    wanted = output and type_of(output)
    for parameter in tool.parameters:
        if parameter.name in FORMAT_OPTIONS and wanted:
            chosen = next((name for name in parameter.choices if tool.formats.get(name) == wanted), None)
            if chosen:
                values.setdefault(parameter.name, chosen)


def _reject_terminal(tool: Tool[..., Any], output: Path | None, *, as_json: bool) -> None:
    if output is None and not as_json and not tool.result.is_data and sys.stdout.isatty():
        raise click.UsageError(f"Add -o FILE, or redirect the output: mediakit {tool.command} … > FILE")


def _write(result: Result, output: Path | None, *, as_json: bool) -> None:
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(result.envelope() + b"\n" if as_json else result.file)
        sys.stdout.buffer.flush()
        return
    if as_json:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(result.envelope() + b"\n")
        saved = output
    else:
        saved = result.save(output)
    size = saved.stat().st_size if saved.is_file() else len(result.file)
    click.echo(f"{saved} ({', '.join(filter(None, (result.extent, readable_size(size))))})", err=True)
