"""Calls as code to copy: Python, curl, an HTTP request, or a shell command.

Options at their defaults are omitted. A value that is too long to read is replaced by the name of a file that would
hold it, so snippets are always valid and never long.
"""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from mediakit.core.media import detect, extension_of, type_of
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.tool import FORMAT_OPTIONS, Tool
from mediakit.errors import InvalidInput

MAX_INLINE_LENGTH = 200
"""Characters of the longest text that is written where it stands."""

MAX_INLINE_JSON_LENGTH = 2000
"""Characters of the longest JSON body that is written where it stands."""

MAX_LINE_LENGTH = 79
"""Characters of Python after which each argument gets a line of its own."""

DEFAULT_URL = "http://127.0.0.1:8000"
KEY = "$MEDIAKIT_API_KEY"
JSON = "application/json"

PLACEHOLDER_NAMES = {
    "text/html": "page.html",
    "image/*": "image.png",
    "application/pdf": "document.pdf",
    "text/csv": "table.csv",
}
"""The name of a file that would hold an input, by media type."""

SECRET = "..."  # noqa: S105  # what stands for a password
"""What is written in place of a password."""


class Body(NamedTuple):
    """The body of a request."""

    query: Mapping[str, str]
    media_type: str
    """Empty where curl sets it."""
    options: Sequence[str]
    """Options of curl."""


HERE_DOCUMENT = "--data-binary @-"
"""The option of curl for a body that follows the command."""


def python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call as a Python expression.

    It needs `import mediakit`, and `import pathlib` if it reads a file.
    """
    call = _Call(tool, values)
    leading = call.positional()
    arguments = [
        ("" if name in leading else f"{name}=") + _argument(call, name, value) for name, value in call.values.items()
    ]
    line = f"mediakit.{tool.name}({', '.join(arguments)})"
    if len(line) <= MAX_LINE_LENGTH:
        return line
    return f"mediakit.{tool.name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def curl(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = DEFAULT_URL, key: str = KEY) -> str:
    """Return a call as a curl command for a POSIX shell.

    Args:
        tool: The tool to call.
        values: Values by field name or alias.
        base_url: Address of the server.
        key: The text between double quotes that stands for the API key: a variable, never a real key.
    """
    call = _Call(tool, values)
    body = _multipart_body(call) or _raw_body(call) or _json_body(call)
    url = f"{base_url.rstrip('/')}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    words = [
        f"curl {shlex.quote(url)}",
        f'-H "x-api-key: {key}"',
        *([f"-H {shlex.quote(f'content-type: {body.media_type}')}"] if body.media_type else []),
        *body.options,
        *([] if tool.result.is_data else [f"-o {call.filename}"]),
    ]
    line = " \\\n  ".join(words)
    return f"{line} <<END\n{_json_with_commands(call)}\nEND" if HERE_DOCUMENT in body.options else line


def shell(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call as a `mediakit` command for a POSIX shell."""
    call = _Call(tool, values)
    subject, *others = tool.parameters
    first, last = _subject(call, subject)
    options = [word for other in others if other.name in call.values for word in _options(other, _value(call, other))]
    return " ".join(word for word in ["mediakit", tool.command, first, *options, "-o", call.filename, last] if word)


def http(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = DEFAULT_URL, key: str = KEY) -> str:
    """Return a call as an HTTP request.

    `@page.html` stands for the content of that file, in JSON for its base64.
    """
    call = _Call(tool, values)
    body = _raw_body(call) or _json_body(call)
    address = urlsplit(base_url)
    path = f"{address.path.rstrip('/')}{tool.path}{'?' if body.query else ''}{urlencode(body.query)}"
    head = (
        f"POST {path} HTTP/1.1",
        f"host: {address.netloc}",
        f"x-api-key: {key}",
        f"content-type: {body.media_type}",
    )
    content = (
        json.dumps(_json_with_names(call), ensure_ascii=False)
        if HERE_DOCUMENT in body.options
        else shlex.split(body.options[0])[1]
    )
    return "\n".join((*head, "", content))


def write(language: str, tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call in one of `LANGUAGES`.

    Raises:
        InvalidInput: The language is unknown.
    """
    if language not in LANGUAGES:
        raise InvalidInput(f"language: must be one of {', '.join(LANGUAGES)}, got {quote(language)}.")
    return LANGUAGES[language](tool, values)


LANGUAGES: Mapping[str, Callable[[Tool[..., Any], Mapping[str, Any]], str]] = {
    "python": python,
    "curl": curl,
    "http": http,
    "shell": shell,
}


class _Call:
    """A tool and the values of a call that differ from the defaults, in the order of the fields."""

    def __init__(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> None:
        self.tool = tool
        self.fields = {parameter.name: parameter for parameter in tool.parameters}
        self.values: dict[str, Any] = {}
        for parameter in tool.parameters:
            names = (parameter.name, *parameter.aliases)
            value = next((values[name] for name in names if name in values), None)
            if value is not None and value != tool.__signature__.parameters[parameter.name].default:
                self.values[parameter.name] = SECRET if parameter.is_secret else value

    def positional(self) -> set[str]:
        """Return the fields that are passed by position: those before the first omitted one."""
        names: set[str] = set()
        for argument in self.tool.__signature__.parameters.values():
            if argument.kind is not argument.POSITIONAL_OR_KEYWORD or argument.name not in self.values:
                break
            names.add(argument.name)
        return names

    def file(self, name: str) -> PurePath:
        """Return the path of a value's file, or the name of a file that would hold it."""
        return self.files(name)[0]

    def files(self, name: str) -> list[PurePath]:
        """Return the paths of a field's files, or names of files that would hold them."""
        value = self.values[name]
        values = value if isinstance(value, list | tuple) else [value]
        several = len(values) > 1
        return [self._path(name, item, f"-{number}" if several else "") for number, item in enumerate(values, 1)]

    def is_named(self, name: str) -> bool:
        """Return whether all files of a field have paths, so that their names belong to the call."""
        value = self.values[name]
        return all(isinstance(item, PurePath) for item in (value if isinstance(value, list | tuple) else [value]))

    def _path(self, name: str, value: Any, suffix: str) -> PurePath:
        if isinstance(value, PurePath):
            return value
        if self.fields[name].is_file:
            media = detect(value) if isinstance(value, bytes) else None
            raw = next((media for media, field in self.tool.raw.items() if field == name), "")
            usual = PLACEHOLDER_NAMES.get(raw, f"{name}.png")
            return Path(f"{PurePath(usual).stem}{suffix}.{extension_of(media)}" if media else usual)
        raw = next((media for media, field in self.tool.raw.items() if field == name), "")
        return Path(PLACEHOLDER_NAMES.get(raw, f"{name}.txt"))

    def is_file(self, name: str) -> bool:
        """Return whether a field holds a file or several."""
        return name in self.fields and self.fields[name].is_file

    @cached_property
    def media_type(self) -> str:
        """The media type of the result: by `format` or `to`, else by the input."""
        options = [self.fields[name] for name in FORMAT_OPTIONS if name in self.fields]
        chosen = [self.tool.formats.get(str(self.values.get(each.name, each.default))) for each in options]
        inputs = [type_of(value) for value in self.values.values() if isinstance(value, PurePath)]
        found = (media for media in (*chosen, *inputs) if media in self.tool.produces)
        return next(found, self.tool.produces[0])

    @property
    def filename(self) -> str:
        """The name of a file for the result."""
        return f"{self.tool.command}.{extension_of(self.media_type)}"


def _is_short(value: Any) -> bool:
    """Return whether a value can be written where it stands."""
    return (
        len(value) <= MAX_INLINE_LENGTH
        if isinstance(value, str | bytes)
        else isinstance(value, bool | int | float | list | tuple | dict)
    )


def _argument(call: _Call, name: str, value: Any) -> str:
    if call.fields[name].kind == "files":
        return f"[{', '.join(map(_path_literal, call.files(name)))}]"
    if _is_short(value):
        return _literal(value)
    path = _path_literal(call.file(name))
    return path if call.is_file(name) else f'{path}.read_text("utf-8")'


def _path_literal(path: PurePath) -> str:
    return f"pathlib.Path({_literal(str(path))})"


def _literal(value: Any) -> str:
    """Return a value as Python, text between double quotes where that needs no escapes."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    text = repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text


def _multipart_body(call: _Call) -> Body | None:
    """Return a multipart body for calls with a list of files; None for others."""
    if not any(call.fields[name].kind == "files" for name in call.values):
        return None
    return Body({}, "", [part for name in call.values for part in _parts(call, name)])


def _parts(call: _Call, name: str) -> list[str]:
    if call.is_file(name):
        return [f"-F {shlex.quote(f'{name}=@{path}')}" for path in call.files(name)]
    value = call.values[name]
    items = value if isinstance(value, list | tuple) and call.fields[name].holds_texts else [value]
    texts = [str(item).lower() if isinstance(item, bool) else _text(item) for item in items]
    return [f"--form-string {shlex.quote(f'{name}={text}')}" for text in texts]


def _raw_body(call: _Call) -> Body | None:
    """Return a raw body with its options in the query; None if the call needs JSON."""
    name = next((name for name in call.tool.raw.values() if name in call.values), "")
    others = [other for other in call.values if other != name]
    query = {other: _query(call.values[other]) for other in others}
    texts = {other: text for other, text in query.items() if text is not None and len(text) <= MAX_INLINE_LENGTH}
    if not name or len(texts) < len(query) or any(call.fields[other].is_secret for other in others):
        return None
    value, is_file = call.values[name], call.is_file(name)
    accepted = [media for media, field in call.tool.raw.items() if field == name]
    if is_file or not _is_short(value):
        file = call.file(name)
        media = _concrete(accepted, file) if is_file else accepted[0]
        return Body(texts, media, [f"--data-binary {shlex.quote(f'@{file}')}"])
    if "\0" in value:  # no argument of a program can hold it
        return None
    charset = "; charset=utf-8" if accepted[0] == "text/html" else ""  # it overrides the HTML's own `meta` element
    return Body(texts, accepted[0] + charset, [f"--data-raw {shlex.quote(value)}"])


def _concrete(accepted: Sequence[str], file: PurePath) -> str:
    """Return the media type of a file whose field accepts several, such as `image/*`."""
    guessed = type_of(file) or ""
    return guessed if any(fnmatch(guessed, media) for media in accepted) else accepted[0].replace("*", "png")


def _query(value: Any) -> str | None:
    """Return a value as a query string has it; None if a query string cannot hold it."""
    match value:
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return str(value)
        case dict():
            return _text(value)
        case list() | tuple() if value and all(isinstance(item, str) and item == item.strip() for item in value):
            return None if any("," in item for item in value) else ",".join(value)
        case _:
            return None


def _json_values(call: _Call) -> dict[str, Any]:
    """Return the fields of a JSON body; files are requested as files."""
    return call.values if call.tool.result.is_data else {**call.values, "output": "binary"}


def _json_with_names(call: _Call) -> dict[str, Any]:
    """Return the fields of a JSON body with the names of files instead of their base64."""
    values = _json_values(call)
    return {name: _file_names(call, name) if call.is_file(name) else value for name, value in values.items()}


def _file_names(call: _Call, name: str) -> Any:
    names = [f"@{path}" for path in call.files(name)]
    if call.fields[name].kind != "files":
        return names[0]
    return [
        {"name": path.name, "file": file} if call.is_named(name) else file
        for path, file in zip(call.files(name), names, strict=True)
    ]


def _json_with_commands(call: _Call) -> str:
    """Return a JSON body as a here-document whose commands read its files."""
    parts = []
    for name, value in _json_values(call).items():
        content = _base64_commands(call, name) if call.is_file(name) else _escaped(value)
        parts.append(f'"{name}": {content}')
    return f"{{{', '.join(parts)}}}"


def _base64_commands(call: _Call, name: str) -> str:
    commands = [f"\"$(base64 < {shlex.quote(str(path))} | tr -d '\\n')\"" for path in call.files(name)]
    if call.fields[name].kind != "files":
        return commands[0]
    items = [
        f'{{"name": {_escaped(path.name)}, "file": {command}}}' if call.is_named(name) else command
        for path, command in zip(call.files(name), commands, strict=True)
    ]
    return f"[{', '.join(items)}]"


def _escaped(value: Any) -> str:
    """Return JSON with the characters escaped that are special in a here-document."""
    written = json.dumps(value, ensure_ascii=False)
    for sign in "\\$`":
        written = written.replace(sign, f"\\{sign}")
    return written


def _json_body(call: _Call) -> Body:
    body = _json_values(call)
    files = {name for name in body if call.is_file(name)}
    if files and all(_is_short(value) for name, value in body.items() if name not in files):
        return Body({}, JSON, [HERE_DOCUMENT])
    if all(map(_is_short, body.values())) and not any(isinstance(value, bytes) for value in body.values()):
        text = json.dumps(body, ensure_ascii=False)
        if len(text) <= MAX_INLINE_JSON_LENGTH:
            return Body({}, JSON, [f"--data-raw {shlex.quote(text)}"])
    return Body({}, JSON, ["--data-binary @request.json"])


def _subject(call: _Call, parameter: Parameter) -> tuple[str, str]:
    """Return the arguments of a command, and the end of its line."""
    value = call.values.get(parameter.name)
    if value is None:
        return "", ""
    if parameter.kind == "files":
        return " ".join(shlex.quote(_dashless(str(path))) for path in call.files(parameter.name)), ""
    if _is_read_from_file(parameter):
        text = str(call.file(parameter.name))
    elif _is_short(value) and "\0" not in str(value) and value != "-":
        text = str(value)
    else:
        return "-", f"< {shlex.quote(str(call.file(parameter.name)))}"
    return ("", f"-- {shlex.quote(text)}") if text.startswith("-") else (shlex.quote(text), "")


def _dashless(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _value(call: _Call, parameter: Parameter) -> Any:
    if parameter.kind == "files":
        return [str(path) for path in call.files(parameter.name)]
    return call.file(parameter.name) if _is_read_from_file(parameter) else call.values[parameter.name]


def _is_read_from_file(parameter: Parameter) -> bool:
    """Return whether the shell reads the field from a file."""
    return parameter.kind in ("file", "html")


def _options(parameter: Parameter, value: Any) -> list[str]:
    name = parameter.name.replace("_", "-")
    match value:
        case bool() if parameter.kind == "boolean":
            return [f"--{name}" if value else f"--no-{name}"]
        case list() | tuple():
            return [word for item in value for word in (f"--{name}", shlex.quote(_item(item)))]
        case dict() if parameter.kind == "object":
            return [word for key, item in value.items() for word in (f"--{name}", shlex.quote(_member(key, item)))]
        case str() if not _is_short(value):
            return [f"--{name}", f'"$(cat {name}.txt)"']
        case bool() | dict():
            return [f"--{name}", shlex.quote(json.dumps(value, ensure_ascii=False))]
        case _:
            return [f"--{name}", shlex.quote(str(value))]


def _item(item: Any) -> str:
    """Return an item of a list; text that looks like a list is written as a list with that text."""
    return json.dumps([item], ensure_ascii=False) if str(item).lstrip().startswith("[") else _text(item)


def _member(key: str, value: Any) -> str:
    return json.dumps({key: value}, ensure_ascii=False) if key.startswith("{") else f"{key}={_text(value)}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
