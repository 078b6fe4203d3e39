"""Every tool as a command: parse the command line, build the request, run the tool, write the result."""

import itertools
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from mediakit.cli import rows
from mediakit.core.inputs import MAX_FILE_BYTES, MAX_FILES, FileBytes, existing_path, files_in, read_path
from mediakit.core.media import media_type, type_of
from mediakit.core.messages import quote, readable_size
from mediakit.core.parameters import FORMAT_OPTIONS, Parameter
from mediakit.core.request import field_synonyms, member_of, other_way, table_arguments
from mediakit.core.suggestions import meant
from mediakit.core.texts import refuse_url
from mediakit.core.tool import Tool, loaded
from mediakit.errors import InvalidInput
from mediakit.results.files import FilesResult
from mediakit.results.item import warning_messages
from mediakit.results.result import Result
from mediakit.results.saving import write as write_file
from mediakit.tools.catalogue import command_names, load_tool

TYPES: Mapping[str, click.ParamType[Any]] = {"integer": click.INT, "number": click.FLOAT}
"""Types of options by the kind of a field; all others are text."""

MARKDOWN_SUFFIXES = (".md", ".markdown")
"""Ends of names of Markdown files, in lower case."""

SPINNER_DELAY_SECONDS = 0.8
"""The spinner is shown only for a call that takes longer."""

SPINNER_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
ERASE_LINE = "\r\x1b[K"

_EXTRA = re.compile(r"Got unexpected extra arguments? \((\S+).*\)")
_URL = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)

Action = Callable[[Tool[..., Any], dict[str, Any], Path | None], Any]
"""What a command does with a tool, the values of a call, and the file to write."""


def command(name: str) -> click.Command | None:
    """Return the command of a tool; None for an unknown name. Only this tool is imported."""
    if name not in command_names():
        return None
    tool = load_tool(name)
    if any(parameter.name == "template" for parameter in tool.parameters):
        from mediakit.cli.templates import load_own_templates

        load_own_templates()
    return tool_command(tool)


def tool_command(tool: Tool[..., Any], action: Action | None = None, *, filled: Collection[str] = ()) -> click.Command:
    """Return the command of a tool."""
    subject, *others = tool.parameters

    def callback(**given: Any) -> Any:
        line = parse(tool, given)
        if line.table:
            return rows.run_rows(tool, line.values, line.output, line.table)
        if action:
            return action(tool, line.values, line.output)
        request = tool.validate(tool.with_hex_colors(line.values))
        with _spinner(f"mediakit {tool.command}"):
            result = tool.run(request)
        return write(result, line)

    about, arguments = [tool.summary, tool.description], list[click.Parameter]()
    if subject.name not in filled:
        name = "Name of a .md file, or the text. " if _is_markdown(tool, subject) else ""
        about.append(f"{_value_name(subject)}: {name}{subject.help} Use - to read standard input.")
        arguments.append(_argument(subject))
        second = _second(tool)
        if second and second.name not in filled:
            arguments.append(click.Argument([_SECOND], required=False, metavar=f"[{_second_name(tool, second)}]"))
    command = ToolCommand(
        tool.command,
        callback=callback,
        params=[
            *arguments,
            *(_option(parameter) for parameter in others if parameter.name not in filled),
            *([] if filled else _column_options(tool)),
            *_common_options(tool),
            *([] if action else rows.table_options(tool)),
        ],
        help="\n\n".join(about),
        short_help=tool.summary,
    )
    command.request = tool.request
    return command


class ToolCommand(click.Command):
    """The command of a tool. Its help lists the options for tables in a section of their own, at the end."""

    request: type[Any] | None = None
    """The class of the tool's requests, whose synonyms the errors of unknown options know."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an error about an unknown option or a further argument says what is meant."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise click.UsageError(f'No such option "{error.option_name}"{self._hint(error, given)}', ctx) from None
        except click.UsageError as error:
            if extra := _EXTRA.fullmatch(error.message):
                raise click.UsageError(f"{error.message}{self._way_of(extra[1])}", ctx) from None
            raise

    def _way_of(self, extra: str) -> str:
        """Return how a further argument is passed: the file to write, a choice, one of several files or values."""
        if type_of(Path(extra)) and not Path(extra).exists():
            return f"; did you mean -o {extra}?"
        options = {each.opts[0]: each.type for each in self.params if isinstance(each, click.Option)}
        if flag := next(
            (name for name, kind in options.items() if isinstance(kind, _Choice) and extra in kind.choices), ""
        ):
            return f"; did you mean {flag} {extra}?"
        if self.params[0].metavar == "FILE":
            return f'. One call takes one file; for several: mediakit {self.name} --from "folder/*" --to FOLDER'
        if "--values" in options:
            return ". Pass several values as --values VALUE --values VALUE."
        return ". A text with spaces needs quotes."

    def _hint(self, error: click.NoSuchOption, args: Sequence[str]) -> str:
        name = error.option_name.lstrip("-").replace("-", "_")
        values = dict(zip([arg.lstrip("-") for arg in args], args[1:], strict=False))
        if member := member_of(self.request, name, values):
            return f'; it is {member[1]}: --{member[0]} "{name}=..."'
        if other := other_way(self.request, name):
            return f"; {other}."
        if name in ("from", "to"):
            return f'; in a notebook, mediakit.batch("{self.name}", table) calls the tool for each row of a table.'
        flags = {flag.lstrip("-").replace("-", "_"): flag for each in self.params for flag in each.opts}
        if flags.get(name) == name:
            return f"; it is an argument without a name: mediakit {self.name} {name.upper()}"
        found = meant(name, list(flags), field_synonyms(self.request))
        return f"; did you mean {' or '.join(quote(flags[each]) for each in found)}?" if found else "."

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the two sections of options."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        of_table = [each for each in options if each.name in rows.TABLE_OPTIONS]
        others = [each for each in options if each.name not in rows.TABLE_OPTIONS]
        for title, listed in (("Options", others), ("Options for a table with many rows", of_table)):
            records = [record for each in listed if (record := each.get_help_record(ctx))]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class _Choice(click.Choice[str]):
    """Choices for help and completion. The request checks the value, so that all interfaces accept the same words."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return the value as it is."""
        return value


def _argument(subject: Parameter) -> click.Argument:
    """Return the argument for the first field. It is not required where each row of a table has the field."""
    several = subject.kind == "files"
    metavar = _value_name(subject) + ("..." if several else "")
    metavar = metavar if subject.required else f"[{metavar}]"
    return click.Argument([subject.name], required=False, metavar=metavar, nargs=-1 if several else 1)


_SECOND_ARGUMENTS = {"chart": "labels", "data_diff": "file2", "data_query": "sql"}
"""Fields that stand behind the first one without the name of an option, as in Python."""
_SECOND = "second_argument"


def _column_options(tool: Tool[..., Any]) -> list[click.Parameter]:
    """Return options for what a tool does with the columns of a table, where only Python and the shell take a table."""
    return [
        click.Option([f"--{name}"], multiple=name == "y", help=text + " May be repeated." * (name == "y"))
        for name, text in table_arguments(tool.request).items()
    ]


def _second_name(tool: Tool[..., Any], second: Parameter) -> str:
    return "TABLE" if table_arguments(tool.request) else _value_name(second)


def _second(tool: Tool[..., Any]) -> Parameter | None:
    name = _SECOND_ARGUMENTS.get(tool.name)
    return next((parameter for parameter in tool.parameters if parameter.name == name), None)


def _value_name(parameter: Parameter) -> str:
    return "FILE" if _is_read_from_file(parameter) else parameter.name.upper()


def _is_read_from_file(parameter: Parameter) -> bool:
    """Return whether the shell reads the field from a file; other text is passed as it is."""
    return parameter.is_file or parameter.kind == "html"


def _is_markdown(tool: Tool[..., Any], parameter: Parameter) -> bool:
    return tool.spec.raw.get("text/markdown") == parameter.name and not parameter.is_file


def _option(parameter: Parameter) -> click.Option:
    flag = f"--{parameter.name.replace('_', '-')}"
    text = f"{parameter.help} [{parameter.rule}]" if parameter.rule else parameter.help
    match parameter.kind:
        case "boolean":
            return click.Option([f"{flag}/--no-{flag[2:]}"], default=None, help=text)
        case "choice":
            default = f" [default {parameter.default}]" if parameter.default else ""
            choices = _Choice(parameter.choices)
            metavar = "|".join(parameter.choices)
            return click.Option([flag], type=choices, help=parameter.help + default, metavar=metavar)
        case "list" | "table" | "object" | "files":
            item = "VALUE" if parameter.holds_texts else "JSON"
            metavar = {"files": "FILE", "object": "KEY=VALUE"}.get(parameter.kind, item)
            return click.Option([flag], multiple=True, metavar=metavar, help=f"{text} May be repeated.")
    file = "FILE" if _is_read_from_file(parameter) else None
    return click.Option([flag], type=TYPES.get(parameter.kind, click.STRING), help=text, metavar=file)


def _common_options(tool: Tool[..., Any]) -> list[click.Parameter]:
    several = any(issubclass(kind, FilesResult) for kind in tool.kinds)
    path = click.Path(dir_okay=several, path_type=Path, allow_dash=True)
    where = "Folder, or .zip file," if several else "File"
    return [
        click.Option(["-o", "--output"], type=path, help=f"{where} to write; - for standard output."),
        click.Option(["--json", "as_json"], is_flag=True, help="Write the JSON envelope of the HTTP API."),
    ]


@dataclass(frozen=True)
class CommandLine:
    """A parsed command line, whose files have been read."""

    values: dict[str, Any]
    """Values of the call, by field."""
    output: Path | None
    as_json: bool
    table: Mapping[str, Any]
    """Values of the options of `rows.table_options` if one call is made for each row of a table."""


def parse(tool: Tool[..., Any], given: dict[str, Any]) -> CommandLine:
    """Return the command line of the values of the command's parameters.

    Raises:
        InvalidInput: A file cannot be read, or a text is not JSON.
        click.UsageError: The first field is missing, or an option requires `--from`.
    """
    read_table = _take_second(tool, given)
    subject = tool.parameters[0]
    output, as_json = given.pop("output"), given.pop("as_json", False)
    table = {name: given.pop(name) for name in rows.TABLE_OPTIONS if name in given}
    if not table.get("rows_from"):
        rows.reject_without_rows(table)
        table = {}
        if subject.required and given.get(subject.name, subject) in (None, ()):
            choices = f" Choose from {', '.join(subject.choices)}." if subject.choices else ""
            raise click.UsageError(f"Missing argument '{_value_name(subject)}'.{choices}", click.get_current_context())
    present = {name: value for name, value in given.items() if value not in (None, ())}
    values = dict(present)
    for parameter in tool.parameters:
        if parameter.name in present:
            del values[parameter.name]
            values |= _read(tool, parameter, present)
    format_of_output = {} if table else _format_of(tool, output)
    return CommandLine(read_table(format_of_output | values), output, as_json, table)


def _take_second(tool: Tool[..., Any], given: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Take the second argument out of what was given; a text becomes that of its field."""
    second, path = _second(tool), given.pop(_SECOND, None)
    columns = {name: value for name in table_arguments(tool.request) if (value := given.pop(name, None))}
    if second is None or path is None:
        if columns:
            raise click.UsageError(f"--{next(iter(columns))} requires a TABLE.", click.get_current_context())
        return dict
    if given.get(second.name) not in (None, ()):
        raise click.UsageError(f"Got {_second_name(tool, second)} twice: as an argument and as --{second.name}.")
    if not table_arguments(tool.request):
        given[second.name] = path
        return dict
    return lambda values: tool.spec.adapt({**values, second.name: _file(second, path), **columns})


def _read(tool: Tool[..., Any], parameter: Parameter, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of a parameter of the command, by its field."""
    name, value = parameter.name, given[parameter.name]
    match parameter.kind:
        case "files":
            value = [file for path in value for file in _files(parameter, path)]
        case "file":
            is_json = parameter.takes_rows and value.lstrip().startswith("[")
            value = FileBytes(value.encode()) if is_json else _file_or_hint(tool, parameter, value)
        case "html":
            loaded(partial(refuse_url, taken=parameter.takes), value, parameter.name)
            is_markup = value.lstrip().startswith("<") and existing_path(value) is None
            value = value if is_markup else _text_of_file(parameter, value)
        case _ if parameter is tool.parameters[0]:
            return _read_text_subject(tool, parameter, given)
        case "object":
            value = {key: member for text in value for key, member in _members(parameter, text).items()}
        case "table" if (
            "anyOf" in parameter.schema and len(value) == 1 and not value[0].lstrip().startswith(("[", "{"))
        ):
            value = _file(parameter, value[0])
        case "list" | "table":
            value = [item for text in value for item in _items(parameter, text)]
    return {name: value}


def _read_text_subject(tool: Tool[..., Any], subject: Parameter, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text of the first field: of standard input for `-`, and of the Markdown file that it names.

    Where a tool takes a URL or HTML, a page or a file that is not a URL is HTML.
    """
    value = given[subject.name]
    if _is_markdown(tool, subject) and value.lower().endswith(MARKDOWN_SUFFIXES):
        return {subject.name: _text_of_file(subject, value)}
    html = next((each.name for each in tool.parameters if each.kind == "html" and each.name not in given), None)
    text = _text_of_file(subject, "-").removesuffix("\n").removesuffix("\r") if value == "-" else value
    if html and not _URL.fullmatch(text) and (value == "-" or Path(value).is_file()):
        return {html: text if value == "-" else _text_of_file(subject, value)}
    return {subject.name: text}


def _files(parameter: Parameter, path: str) -> list[FileBytes]:
    """Return the file of a path, or the files of a folder or of a pattern in quotes."""
    limit = parameter.schema.get("maxItems", MAX_FILES)
    found = loaded(partial(files_in, limit=limit, takes=parameter.takes), path, parameter.name)
    return found or [_file(parameter, path)]


def _file(parameter: Parameter, path: str) -> FileBytes:
    """Return a file, or standard input for `-`; at most one byte over the limit, because input may never end."""
    if path == "-":
        return FileBytes.named(sys.stdin.buffer.read(MAX_FILE_BYTES + 1))
    if Path(path).is_dir():
        raise InvalidInput(f"{parameter.name}: {path} is a folder. For each of its files: --from {path} --to FOLDER")
    return loaded(read_path, Path(path), parameter.name)


def _file_or_hint(tool: Tool[..., Any], parameter: Parameter, path: str) -> FileBytes:
    try:
        return _file(parameter, path)
    except InvalidInput as error:
        if any(each.name == "text" for each in tool.parameters):
            raise InvalidInput(f"{error} A text is passed as --text.") from None
        raise


def _text_of_file(parameter: Parameter, path: str) -> str:
    try:
        return _file(parameter, path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{parameter.name}: must be UTF-8 text.") from None


def _members(parameter: Parameter, text: str) -> dict[str, Any]:
    """Return the members of an object that text has as `key=value` or as JSON."""
    with suppress(ValueError):
        if text.startswith("{"):
            return dict(json.loads(text))
    key, sign, value = text.partition("=")
    if not sign or key.startswith("{"):
        raise InvalidInput(f"{parameter.name}: must be KEY=VALUE or a JSON object, got {quote(text)}.")
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


def _format_of(tool: Tool[..., Any], output: Path | None) -> dict[str, Any]:
    """Return the option that makes the format of a file name, such as `code.svg`; none for other names."""
    wanted = output and type_of(output)
    return {
        parameter.name: name
        for parameter in tool.parameters
        if parameter.name in FORMAT_OPTIONS and wanted
        for name in parameter.choices[::-1]
        if tool.formats.get(name) == wanted
    }


@contextmanager
def _spinner(label: str) -> Iterator[None]:
    """Show a label and the elapsed seconds on standard error while the block runs, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    finished = threading.Event()

    def show() -> None:
        start = time.monotonic()
        if finished.wait(SPINNER_DELAY_SECONDS):
            return
        for frame in itertools.cycle(SPINNER_FRAMES):
            click.echo(f"\r{frame} {label} {time.monotonic() - start:.0f} s ", err=True, nl=False)
            if finished.wait(0.1):
                break
        click.echo(ERASE_LINE, err=True, nl=False)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def write(result: Result, line: CommandLine) -> None:
    """Write a result, or its JSON envelope, to the file of the command line or to standard output.

    Raises:
        click.UsageError: The result is not text, and standard output is a terminal.
        InvalidInput: The name of the file does not fit the result.
    """
    for message in warning_messages(result.meta):
        click.echo(f"Warning: {message}", err=True)
    content = result.envelope() + b"\n" if line.as_json else result.file
    if line.output is None or str(line.output) == "-":
        known = media_type(result._saved().mime_type)
        is_text = line.as_json or (known is not None and known.is_text)
        if line.output is None and not is_text and sys.stdout.isatty():
            raise click.UsageError("The result is not text. Add -o FILE, or redirect the output with > FILE.")
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    saved = write_file(line.output, content) if line.as_json else result.save(line.output)
    files = result if isinstance(result, FilesResult) else ()
    written = sum(len(file.content) for file in files) if saved.is_dir() else len(content)
    size = saved.stat().st_size if saved.is_file() else written
    click.echo(f"{saved} ({', '.join(filter(None, (result._facts(), readable_size(size))))})", err=True)
