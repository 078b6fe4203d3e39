"""Every tool as a command, its options made from its request."""

import json
import re
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from mediakit.cli.progress import progress
from mediakit.core.fields import FILE_BYTES
from mediakit.core.media import type_of
from mediakit.core.messages import quote, readable_size
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.catalogue import TOOLS

TYPES: dict[str, click.ParamType[Any]] = {"integer": click.INT, "number": click.FLOAT, "boolean": click.BOOL}

_ADDRESS = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)


class _Subject(click.ParamType[str]):
    """What a command is about; where that is a choice, a line without it is told the choices."""

    name = "text"

    def __init__(self, parameter: Parameter) -> None:
        self._choices = parameter.choices

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:  # noqa: ARG002
        """Name the choices."""
        return f"Choose from {', '.join(self._choices)}." if self._choices else None


Answer = Callable[[Tool[..., Any], dict[str, Any], Path | None], Any]
"""What is done with a tool, the values of a call, and the file to write."""


def names() -> list[str]:
    """Name every tool as the shell knows it."""
    return [tool.command for tool in TOOLS]


def command(name: str) -> click.Command | None:
    """Make the command of a tool."""
    tool = next((tool for tool in TOOLS if tool.command == name), None)
    return tool_command(tool) if tool else None


def tool_command(tool: Tool[..., Any], answer: Answer | None = None, *, filled: Collection[str] = ()) -> click.Command:
    """Make the command of any tool.

    Args:
        tool: The tool.
        answer: What is done with the values that were read; writes the result when left out.
        filled: Fields that come from elsewhere, so that the command asks for none of them.
    """
    subject, *others = tool.parameters
    others = [parameter for parameter in others if parameter.name not in filled]

    def run(*, output: Path | None, as_json: bool = False, **given: Any) -> Any:
        values = {name: value for name, value in given.items() if value not in (None, ())}
        for parameter in [each for each in tool.parameters if each.name in values]:
            _read_input(tool, parameter, values)
        _read_objects(others, values)
        _follow_suffix(tool, values, output)
        return answer(tool, values, output) if answer else _answer(tool, values, output, as_json=as_json)

    argument = click.Argument(
        [subject.name], required=subject.required, metavar=_metavar(tool, subject), type=_Subject(subject)
    )
    return click.Command(
        tool.command,
        callback=run,
        params=[
            *([] if subject.name in filled else [argument]),
            *(_option(tool, parameter) for parameter in others),
            *_common(),
        ],
        help=f"{tool.summary}\n\n{tool.description}" + ("" if filled else f"\n\n{_about(tool, subject)}"),
        short_help=tool.summary,
    )


def _answer(tool: Tool[..., Any], values: dict[str, Any], output: Path | None, *, as_json: bool) -> None:
    _refuse_terminal(tool, output, as_json=as_json)
    asked = tool.validate(values)
    with progress(f"mediakit {tool.command}"):
        result = tool.run(asked)
    _write(result, output, as_json=as_json)


def takes_file(tool: Tool[..., Any], parameter: Parameter) -> bool:
    """Tell whether the shell gives this field as a file; plain text is given as it is."""
    return parameter.kind == "file" or tool.raw.get("text/html") == parameter.name


def _metavar(tool: Tool[..., Any], subject: Parameter) -> str:
    name = "FILE" if takes_file(tool, subject) else subject.name.upper()
    return name if subject.required else f"[{name}]"


def _about(tool: Tool[..., Any], subject: Parameter) -> str:
    kind = "FILE" if takes_file(tool, subject) else subject.name.upper()
    return f"{kind}: {subject.help} Give - to read standard input."


def _option(tool: Tool[..., Any], parameter: Parameter) -> click.Option:
    flag = f"--{parameter.name.replace('_', '-')}"
    text = f"{parameter.help} [{parameter.rule}]" if parameter.rule else parameter.help
    if parameter.kind == "boolean":
        return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=text)
    if parameter.kind == "choice":
        default = f" [default {parameter.default}]" if parameter.default else ""
        choices = click.Choice(parameter.choices)
        return click.Option([flag], type=choices, help=parameter.help + default, metavar="|".join(parameter.choices))
    if parameter.kind in ("list", "object"):
        metavar = "KEY=VALUE" if parameter.kind == "object" else "VALUE" if _is_of_texts(parameter) else "JSON"
        return click.Option([flag], multiple=True, metavar=metavar, help=f"{text} May be repeated.")
    shown = "FILE" if takes_file(tool, parameter) else None
    return click.Option([flag], type=TYPES.get(parameter.kind, click.STRING), help=text, metavar=shown)


def _common() -> list[click.Parameter]:
    path = click.Path(dir_okay=False, path_type=Path, allow_dash=True)
    return [
        click.Option(["-o", "--output"], type=path, help="File to write; - for standard output."),
        click.Option(["--json", "as_json"], is_flag=True, help="Write the JSON envelope, as the HTTP API answers it."),
    ]


def _read_input(tool: Tool[..., Any], subject: Parameter, values: dict[str, Any]) -> None:
    given = values[subject.name]
    if takes_file(tool, subject):
        content = _standard_input() if given == "-" else _file(subject, given)
        values[subject.name] = content if subject.kind == "file" else _text(subject, content)
    elif subject is tool.parameters[0]:
        page = tool.raw.get("text/html", subject.name)
        if given == "-":
            text = _text(subject, _standard_input()).removesuffix("\n").removesuffix("\r")
            values[subject.name] = text
            if page not in values and not _ADDRESS.fullmatch(text):
                values[page] = values.pop(subject.name)
        elif page not in values and not _ADDRESS.fullmatch(given) and Path(given).is_file():
            values[page] = _text(subject, _file(subject, given))
            del values[subject.name]


def _standard_input() -> bytes:
    """Read no more than shows that it is too much; standard input may never end."""
    return sys.stdin.buffer.read(FILE_BYTES + 1)


def _file(subject: Parameter, path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInput(f"{subject.name}: cannot read {path}: {error.strerror}.") from None


def _text(subject: Parameter, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{subject.name}: is not UTF-8 text.") from None


def _read_objects(parameters: list[Parameter], values: dict[str, Any]) -> None:
    for parameter in parameters:
        if parameter.name not in values:
            continue
        if parameter.kind == "object":
            values[parameter.name] = {
                key: value for text in values[parameter.name] for key, value in _members(text).items()
            }
        elif parameter.kind == "list":
            values[parameter.name] = [item for text in values[parameter.name] for item in _items(parameter, text)]


def _members(text: str) -> dict[str, Any]:
    """Read a part of an object: `key=value`, or several as JSON."""
    if text.startswith("{"):
        with suppress(ValueError):
            return dict(json.loads(text))
    key, _, value = text.partition("=")
    return {key: value}


def _items(parameter: Parameter, text: str) -> list[Any]:
    """Read a part of a list: one item, itself where the list is of texts, else JSON; or several as JSON."""
    of_texts = _is_of_texts(parameter)
    try:
        read = json.loads(text)
    except ValueError:
        if of_texts:
            return [text]
        raise InvalidInput(f"{parameter.name}: must be JSON, got {quote(text)}.") from None
    if isinstance(read, list) and (not of_texts or all(isinstance(item, str) for item in read)):
        return read
    return [text if of_texts else read]


def _is_of_texts(parameter: Parameter) -> bool:
    return bool(parameter.schema.get("items", {}).get("type") == "string")


def _follow_suffix(tool: Tool[..., Any], values: dict[str, Any], output: Path | None) -> None:
    """Let `-o code.svg` choose the format where none is asked for."""
    formats = next((parameter.choices for parameter in tool.parameters if parameter.name == "format"), ())
    promised = output and type_of(output)
    wanted = promised and promised.rpartition("/")[2].partition("+")[0]
    if wanted in formats:
        values.setdefault("format", wanted)


def _refuse_terminal(tool: Tool[..., Any], output: Path | None, *, as_json: bool) -> None:
    if output is None and not as_json and not tool.result.is_data and sys.stdout.isatty():
        raise click.UsageError(f"Give -o FILE, or redirect the output: mediakit {tool.command} … > FILE")


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
    facts = ", ".join(filter(None, (result.extent, readable_size(saved.stat().st_size))))
    click.echo(f"{saved} ({facts})", err=True)
