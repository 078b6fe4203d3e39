"""A call written out for copying: as Python, as curl, as HTTP, as a shell command.

Only what differs from the defaults is written. A value too long to read becomes the name of a file that would
hold it, so a snippet is always valid and never long.
"""

import json
import mimetypes
import shlex
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlencode, urlsplit

from mediakit.core.media import EXTENSIONS, type_of
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput

LONG = 200
"""Characters from which on a text is replaced by a file that holds it."""

LONG_JSON = 2000
"""Characters from which on a JSON body is replaced by a file that holds it."""

LINE = 79
"""Characters of Python from which on each argument has a line of its own."""

LOCAL = "http://127.0.0.1:8000"
KEY = "$MEDIAKIT_API_KEY"
JSON = "application/json"

STANDINS = {"text/html": "page.html", "image/*": "picture.png", "application/pdf": "document.pdf"}
"""Media type of an input to the name of a file that would hold it."""

Body = tuple[dict[str, str], str, str]
"""Query, media type and the curl option of a request's body."""

HERE = "--data-binary @-"
"""The curl option of a body that follows the command."""


def python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Write a call as a Python expression.

    It needs `import mediakit`, and `import pathlib` where a file is read.
    """
    call = _Call(tool, values)
    leading = call.by_position()
    arguments = [
        ("" if name in leading else f"{name}=") + _argument(call, name, value) for name, value in call.given.items()
    ]
    line = f"mediakit.{tool.name}({', '.join(arguments)})"
    if len(line) <= LINE:
        return line
    return f"mediakit.{tool.name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def curl(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = LOCAL, key: str = KEY) -> str:
    """Write a call as a curl command for a POSIX shell.

    Args:
        tool: The tool to call.
        values: Values by field name or alias.
        base_url: Address of the server.
        key: What stands for the API key between double quotes: a variable, never a real key.
    """
    call = _Call(tool, values)
    query, media, body = _raw_body(call) or _json_body(call)
    url = f"{base_url.rstrip('/')}{tool.path}{'?' if query else ''}{urlencode(query)}"
    words = [
        f"curl {shlex.quote(url)}",
        f'-H "x-api-key: {key}"',
        f"-H {shlex.quote(f'content-type: {media}')}",
        body,
        *([] if call.makes == JSON else [f"-o {call.filename}"]),
    ]
    line = " \\\n  ".join(words)
    return f"{line} <<END\n{_with_files(call)}\nEND" if body == HERE else line


def shell(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Write a call as a `mediakit` command for a POSIX shell."""
    call = _Call(tool, values)
    subject, *others = tool.parameters
    first, last = _subject(call, subject)
    options = [word for other in others if other.name in call.given for word in _options(other, _value(call, other))]
    return " ".join(word for word in ["mediakit", tool.command, first, *options, "-o", call.filename, last] if word)


def http(tool: Tool[..., Any], values: Mapping[str, Any], base_url: str = LOCAL, key: str = KEY) -> str:
    """Write a call as the HTTP request that travels.

    `@page.html` stands for the contents of that file, in JSON for their base64.
    """
    call = _Call(tool, values)
    query, media, body = _raw_body(call) or _json_body(call)
    address = urlsplit(base_url)
    path = f"{address.path.rstrip('/')}{tool.path}{'?' if query else ''}{urlencode(query)}"
    head = (f"POST {path} HTTP/1.1", f"host: {address.netloc}", f"x-api-key: {key}", f"content-type: {media}")
    return "\n".join(
        (*head, "", json.dumps(_named(call), ensure_ascii=False) if body == HERE else shlex.split(body)[1])
    )


def write(language: str, tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Write a call in one of `LANGUAGES`.

    Raises:
        InvalidInput: There is no such language.
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
        self.given: dict[str, Any] = {}
        for parameter in tool.parameters:
            names = (parameter.name, *parameter.aliases)
            value = next((values[name] for name in names if name in values), None)
            if value is not None and value != tool.__signature__.parameters[parameter.name].default:
                self.given[parameter.name] = value

    def by_position(self) -> set[str]:
        """Name the fields that are given by position: those before the first one left out."""
        names: set[str] = set()
        for argument in self.tool.__signature__.parameters.values():
            if argument.kind is not argument.POSITIONAL_OR_KEYWORD or argument.name not in self.given:
                break
            names.add(argument.name)
        return names

    def file(self, name: str) -> PurePath:
        """Name the file that a value comes from, or one that would hold it."""
        value = self.given[name]
        if isinstance(value, PurePath):
            return value
        media = next((media for media, field in self.tool.raw.items() if field == name), "")
        return Path(STANDINS.get(media, f"{name}.png" if self.fields[name].kind == "file" else f"{name}.txt"))

    def is_file(self, name: str) -> bool:
        """Tell whether a field holds a file."""
        return name in self.fields and self.fields[name].kind == "file"

    @cached_property
    def makes(self) -> str:
        """Media type of what the call makes: by its `format`, else by its input."""
        formats = {media.rpartition("/")[2].partition("+")[0]: media for media in self.tool.makes}
        inputs = [type_of(value) for value in self.given.values() if isinstance(value, PurePath)]
        kept = next((media for media in inputs if media in self.tool.makes), self.tool.makes[0])
        return formats.get(str(self.given.get("format")), kept)

    @property
    def filename(self) -> str:
        """Name for the file that the call makes."""
        suffix = f".{EXTENSIONS[self.makes]}" if self.makes in EXTENSIONS else mimetypes.guess_extension(self.makes)
        return f"{self.tool.command}{suffix or ''}"


def _short(value: Any) -> bool:
    """Tell whether a value can be written where it stands."""
    return (
        len(value) <= LONG
        if isinstance(value, str | bytes)
        else isinstance(value, bool | int | float | list | tuple | dict)
    )


def _argument(call: _Call, name: str, value: Any) -> str:
    if _short(value):
        return _literal(value)
    path = f"pathlib.Path({_literal(str(call.file(name)))})"
    return path if call.fields[name].kind == "file" else f'{path}.read_text("utf-8")'


def _literal(value: Any) -> str:
    """Write a value as Python, text between double quotes where that needs no escapes."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    text = repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text


def _raw_body(call: _Call) -> Body | None:
    """Write a raw body, its options in the query; None where the call needs JSON."""
    media, name = next(((media, name) for media, name in call.tool.raw.items() if name in call.given), ("", ""))
    query = {other: _query(value) for other, value in call.given.items() if other != name}
    texts = {other: text for other, text in query.items() if text is not None and len(text) <= LONG}
    if not name or len(texts) < len(query):
        return None
    value, is_file = call.given[name], call.fields[name].kind == "file"
    if is_file or not _short(value):
        file = call.file(name)
        return texts, _concrete(media, file) if is_file else media, f"--data-binary {shlex.quote(f'@{file}')}"
    if "\0" in value:  # no argument of a program can hold it
        return None
    charset = "; charset=utf-8" if media == "text/html" else ""  # whatever its `meta` element says
    return texts, media + charset, f"--data-raw {shlex.quote(value)}"


def _concrete(media: str, file: PurePath) -> str:
    """Give the media type of a file that may be any of `image/*`."""
    guessed = mimetypes.guess_type(file.name)[0] or ""
    return guessed if guessed.partition("/")[0] == media.partition("/")[0] else media.replace("*", "png")


def _query(value: Any) -> str | None:
    """Write a value as the query string has it; None where the query cannot hold it."""
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


def _asked(call: _Call) -> dict[str, Any]:
    """Give the fields of a JSON body."""
    return call.given if call.makes == JSON else {**call.given, "output": "binary"}


def _named(call: _Call) -> dict[str, Any]:
    """Give the fields of a JSON body with the names of files instead of their base64."""
    return {name: f"@{call.file(name)}" if call.is_file(name) else value for name, value in _asked(call).items()}


def _with_files(call: _Call) -> str:
    """Write a JSON body as a shell's here-document that reads its files itself."""
    parts = []
    for name, value in _asked(call).items():
        written = json.dumps(value, ensure_ascii=False) if not call.is_file(name) else ""
        for sign in "\\$`":
            written = written.replace(sign, f"\\{sign}")
        content = (
            f"\"$(base64 < {shlex.quote(str(call.file(name)))} | tr -d '\\n')\"" if call.is_file(name) else written
        )
        parts.append(f'"{name}": {content}')
    return f"{{{', '.join(parts)}}}"


def _json_body(call: _Call) -> Body:
    body = _asked(call)
    files = {name for name in body if call.is_file(name)}
    if files and all(_short(value) for name, value in body.items() if name not in files):
        return {}, JSON, HERE
    if all(map(_short, body.values())) and not any(isinstance(value, bytes) for value in body.values()):
        text = json.dumps(body, ensure_ascii=False)
        if len(text) <= LONG_JSON:
            return {}, JSON, f"--data-raw {shlex.quote(text)}"
    return {}, JSON, "--data-binary @request.json"


def _subject(call: _Call, parameter: Parameter) -> tuple[str, str]:
    """Write what the command works on, and what ends its line."""
    value = call.given.get(parameter.name)
    if value is None:
        return "", ""
    if _is_in_a_file(call, parameter):
        text = str(call.file(parameter.name))
    elif _short(value) and "\0" not in str(value) and value != "-":
        text = str(value)
    else:
        return "-", f"< {shlex.quote(str(call.file(parameter.name)))}"
    return ("", f"-- {shlex.quote(text)}") if text.startswith("-") else (shlex.quote(text), "")


def _value(call: _Call, parameter: Parameter) -> Any:
    return call.file(parameter.name) if _is_in_a_file(call, parameter) else call.given[parameter.name]


def _is_in_a_file(call: _Call, parameter: Parameter) -> bool:
    """Tell whether the shell gives this field as a file."""
    return parameter.kind == "file" or call.tool.raw.get("text/html") == parameter.name


def _options(parameter: Parameter, value: Any) -> list[str]:
    name = parameter.name.replace("_", "-")
    match value:
        case bool():
            return [f"--{name}" if value else f"--no-{name}"]
        case list() | tuple():
            return [word for item in value for word in (f"--{name}", shlex.quote(_item(item)))]
        case dict():
            return [word for key, item in value.items() for word in (f"--{name}", shlex.quote(_member(key, item)))]
        case str() if not _short(value):
            return [f"--{name}", f'"$(cat {name}.txt)"']
        case _:
            return [f"--{name}", shlex.quote(str(value))]


def _item(item: Any) -> str:
    """Write an item of a list; a text that looks like a list is written as a list of it."""
    return json.dumps([item], ensure_ascii=False) if str(item).lstrip().startswith("[") else _text(item)


def _member(key: str, value: Any) -> str:
    return json.dumps({key: value}, ensure_ascii=False) if key.startswith("{") else f"{key}={_text(value)}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
