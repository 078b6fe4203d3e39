"""Tab completion in IPython: `mediakit.` suggests the tools, `mediakit.qr(` its fields, `style="` its choices.

Jedi, which takes seconds to start, is not used. Each entry has the first line of its help.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from mediakit.errors import MediakitError

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult

    from mediakit.core.tool import Tool

WITH_TOOL = ("batch", "form", "aio")
"""Calls whose first argument is a tool, and whose options are its fields."""

PRIORITY = 1000
"""Higher than that of the matchers of IPython, which then do not run."""

PACKAGE_HELP = {
    "AsyncClient": "The same as `Client`, with every call awaited.",
    "BatchResult": "Results by name.",
    "ChartResult": "A rendered chart.",
    "Client": "A server's tools as methods.",
    "Dashboard": "The plan, the credits and the calls of an account.",
    "FileResult": "A file.",
    "ImageResult": "An image.",
    "PageResult": "The content and metadata of a web page.",
    "PdfResult": "A PDF.",
    "Result": "What a tool returned.",
    "ScanReport": "Whether a printed QR code will be read.",
    "batch": "Call a tool for each of many rows.",
    "dashboard": "Return the plan, the credits, the calls per day and the newest calls of an account.",
    "doctor": "Check Python, packages, the browser, a test render, fonts, folders, ports and the notebook.",
    "errors": "The errors of mediakit, with their HTTP status and base classes.",
    "find": "Return the tools for a task, the best first.",
    "form": "Return a form for a tool with all its fields, a live preview and the call to copy.",
    "gallery": "Return a gallery, which a notebook shows as thumbnails side by side.",
    "invoice_data": "Return the rows and totals of an invoice, as `data` for the template `invoice`.",
    "last_batch": "Results by name.",
    "load_ipython_extension": "Register `%mediakit` and `%%mediakit` in an IPython shell.",
    "on": "Call a function after events of the server in this process.",
    "payloads": "Texts of QR codes that phones act on.",
    "samples": "Sample files for examples, documentation and tests, made for mediakit.",
    "scan_check": "Check whether a QR code will be read when it is printed.",
    "serve": "Start the HTTP API in this process, and return the running server.",
    "status": "Return the plan of an account and the credits used.",
    "templates": "Lists the templates, and adds own ones.",
}
"""The first sentence of the help of each public name that is not a tool; reading it would import the name."""

_TOKEN = re.compile(
    r"""
    (?P<text>[rbuRBU]{0,2}(?P<quote>\"\"\"|'''|"|'))
    | (?P<comment>\#[^\n]*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<comma>,)
    """,
    re.VERBOSE,
)
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)\s*$", re.ASCII)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.]*)\.(\w*)$", re.ASCII)
_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)", re.ASCII)
_ARGUMENT = re.compile(r"^    (\w+): (.+)$", re.MULTILINE)
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*$", re.ASCII)


class Entry(NamedTuple):
    """A completion."""

    text: str
    help: str
    """One line, which front ends show beside the text."""


def register() -> None:
    """Add the completions to the running IPython shell; do nothing without one."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    if shell is None or not hasattr(shell, "Completer"):
        return
    with suppress(ImportError):  # IPython older than 8.6
        from IPython.core.completer import context_matcher

        matchers = shell.Completer.custom_matchers
        if match not in matchers:
            matchers.append(context_matcher(priority=PRIORITY)(match))


def match(context: "CompletionContext") -> "SimpleMatcherResult":
    """Return the names, arguments or choices at the cursor. If there are any, Jedi and other matchers do not run."""
    from IPython import get_ipython
    from IPython.core.completer import SimpleCompletion

    shell: Any = get_ipython()
    lines = context.full_text.split("\n")[: context.cursor_line]
    source = "\n".join([*lines, context.line_with_cursor[: context.cursor_position]])
    prefix, entries = complete(source, {**shell.user_global_ns, **shell.user_ns}) if shell else ("", ())
    matching = [SimpleCompletion(entry.text, type=entry.help) for entry in entries if entry.text.startswith(prefix)]
    if not matching:
        return {"completions": []}
    return {"completions": matching, "matched_fragment": prefix, "suppress": True, "ordered": True}


def complete(source: str, variables: Mapping[str, Any]) -> tuple[str, Sequence[Entry]]:
    """Return what was typed of a name, an argument or a choice at the end of source code, and what it can be.

    Args:
        source: The code before the cursor.
        variables: The variables of the notebook. Nothing is called, and only attributes of mediakit's objects are read.
    """
    if text := open_string(source):
        return text.prefix, choices(text, variables)
    place = open_call(source)
    if place is None:
        return "", ()
    if place.owner:
        return place.prefix, names(_resolve(place.owner, variables))
    found = _arguments(place, variables)
    if not found:
        return place.prefix, ()
    used = [Entry(name, "variable") for name in variables if place.prefix and not name.startswith("_")]
    return place.prefix, [*found, *sorted(used)]


def names(value: Any) -> list[Entry]:
    """Return the public names of the package, or of one of its objects; none for other values."""
    if isinstance(value, ModuleType):
        if value.__name__.partition(".")[0] != "mediakit":
            return []
    elif _tool(value) is None and type(value).__module__.partition(".")[0] != "mediakit":
        return []
    listed = [name for name in dir(value) if not name.startswith("_")]
    if getattr(value, "__name__", "") == "mediakit":
        from mediakit.tools.catalogue import SUMMARIES

        tools = [Entry(name, SUMMARIES[name]) for name in listed if name in SUMMARIES]
        return [*tools, *(Entry(name, PACKAGE_HELP.get(name, "")) for name in listed if name not in SUMMARIES)]
    if isinstance(value, ModuleType):
        listed = [name for name in listed if getattr(vars(value)[name], "__module__", "") == value.__name__]
    return [Entry(name, _first_line(inspect.getattr_static(value, name, None))) for name in listed]


def _first_line(value: Any) -> str:
    """Return the first line of the docstring of a function, a class or a property; the kind of other values."""
    text = inspect.getdoc(value) if callable(value) or isinstance(value, property | staticmethod | classmethod) else ""
    return _line(text or "attribute")


def _arguments(place: "OpenCall", variables: Mapping[str, Any]) -> list[Entry]:
    """Return the arguments that a call does not have yet, with their help."""
    called = _resolve(place.callee, variables)
    tool = _tool(called)
    found: list[Entry] = []
    if tool is None:
        if called is None or not _is_own(called):
            return []
        if getattr(called, "__name__", "") in WITH_TOOL:
            tool = _tool_of(place.first, variables)
        found = _documented(called)
        signature = inspect.signature(called) if found else inspect.Signature()
    else:
        signature = tool.__signature__
    if tool:
        found += [Entry(f"{field.name}=", _line(field.help)) for field in tool.parameters]
    given = {*place.named, *(_name_at(position, signature) for position in range(place.positional))}
    return [entry for entry in found if entry.text.removesuffix("=") not in given]


def _documented(function: Any) -> list[Entry]:
    """Return the arguments of a function, with their lines of its docstring."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    lines = dict(_ARGUMENT.findall(inspect.getdoc(function) or ""))
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [Entry(f"{each.name}=", lines.get(each.name, "argument")) for each in parameters if each.kind in kinds]


def _line(text: str) -> str:
    return text.split("\n", maxsplit=1)[0] or "argument"


class OpenString(NamedTuple):
    """A text that is not closed yet, as an argument of a call."""

    callee: str
    """The dotted name before the parenthesis."""
    first: str
    """The source of the first argument of the call."""
    position: int
    keyword: str
    """The name of the argument; empty if it is positional."""
    is_item: bool
    """Whether the text is in a list."""
    prefix: str
    """What was typed of the text."""


class OpenCall(NamedTuple):
    """A name at the end of source code: an attribute, or the beginning of an argument."""

    owner: str
    """The dotted name before the last dot; empty for an argument."""
    prefix: str
    """What was typed of the name."""
    callee: str = ""
    """The dotted name of the call whose argument it is."""
    first: str = ""
    """The source of the first argument of the call."""
    named: tuple[str, ...] = ()
    """The arguments that are already named."""
    positional: int = 0
    """Number of arguments that are given by their position."""


def choices(text: OpenString, variables: Mapping[str, Any]) -> Sequence[Entry]:
    """Return the texts that an argument accepts; none if that is not known."""
    called = _resolve(text.callee, variables)
    tool = _tool(called)
    if tool:
        return _of_field(tool, text, text.keyword or _name_at(text.position, tool.__signature__))
    if called is None or not _is_own(called):
        return ()
    if getattr(called, "__name__", "") in WITH_TOOL:
        return _of_tool_argument(text, variables)
    return _of_literal(called, text)


def _is_own(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith("mediakit.")


def _of_tool_argument(text: OpenString, variables: Mapping[str, Any]) -> Sequence[Entry]:
    from mediakit.tools.catalogue import SUMMARIES

    if not text.keyword:
        return [Entry(name, summary) for name, summary in SUMMARIES.items()] if text.position == 0 else ()
    tool = _tool_of(text.first, variables)
    return _of_field(tool, text, text.keyword) if tool else ()


def _tool_of(source: str, variables: Mapping[str, Any]) -> "Tool[..., Any] | None":
    """Return the tool that the source of an argument names."""
    from mediakit.tools.catalogue import load_tool, tool_names

    name = source.strip("'\"")
    return load_tool(name) if name in tool_names() else _tool(_resolve(source, variables))


def _of_field(tool: "Tool[..., Any]", text: OpenString, name: str) -> Sequence[Entry]:
    field = next((field for field in tool.parameters if name in (field.name, *field.aliases)), None)
    if not field:
        return ()
    words: Sequence[str] = field.choices
    if not words or text.is_item:
        schemas = [field.schema, *field.schema.get("anyOf", ())]
        if text.is_item:
            schemas = [schema.get("items", {}) for schema in schemas]
        words = [choice for schema in schemas for choice in schema.get("enum", ()) if isinstance(choice, str)]
    return [Entry(word, _line(field.help)) for word in words]


def _of_literal(function: Any, text: OpenString) -> Sequence[Entry]:
    """Return the choices of a function's argument whose type is a `Literal`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ()
    name = text.keyword or _name_at(text.position, signature)
    argument = signature.parameters.get(name)
    if argument is None or get_origin(argument.annotation) is not Literal:
        return ()
    return [Entry(str(choice), name) for choice in get_args(argument.annotation)]


def _name_at(position: int, signature: inspect.Signature) -> str:
    """Return the name of a positional argument; an empty text if there is none at this position."""
    arguments = signature.parameters.values()
    names = [argument.name for argument in arguments if argument.kind is argument.POSITIONAL_OR_KEYWORD]
    return names[position] if position < len(names) else ""


def _tool(value: Any) -> "Tool[..., Any] | None":
    from mediakit.core.tool import AsyncCall, AsyncClientTool, ClientTool, Tool

    if isinstance(value, ClientTool | AsyncClientTool | AsyncCall):
        return value.tool
    return value if isinstance(value, Tool) else None


def _resolve(name: str, variables: Mapping[str, Any]) -> Any:
    """Return the object of a dotted name; None if a part of it does not belong to mediakit."""
    first, *others = name.split(".")
    value = variables.get(first)
    for attribute in others:
        if not _may_read(value, attribute):
            return None
        try:
            value = getattr(value, attribute)
        except (AttributeError, MediakitError):
            return None
    return value


def _may_read(value: Any, attribute: str) -> bool:
    """Return whether reading an attribute runs no code of others, and no property."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] == "mediakit"
    from mediakit.core.tool import AsyncToolClient, Tool, ToolClient

    if isinstance(value, Tool | ToolClient | AsyncToolClient):
        return True
    is_own = type(value).__module__.partition(".")[0] == "mediakit"
    return is_own and inspect.isfunction(inspect.getattr_static(type(value), attribute, None))


class _Bracket(NamedTuple):
    sign: str
    start: int
    commas: list[int]


def open_string(source: str) -> OpenString | None:
    """Return the text at the end of the source; None if the source does not end in a text of a call."""
    brackets, token = _scan(source)
    return _argument(source, brackets, token) if token and len(token["quote"]) == 1 else None


def open_call(source: str) -> OpenCall | None:
    """Return the name at the end of the source; None in texts, comments, and where no name is known."""
    brackets, token = _scan(source)
    if token or "#" in source.rpartition("\n")[2]:
        return None
    if attribute := _ATTRIBUTE.search(source):
        return OpenCall(attribute[1], attribute[2])
    if not brackets or brackets[-1].sign != "(":
        return None
    call = brackets[-1]
    starts = [call.start, *(comma + 1 for comma in call.commas)]
    typed = source[starts[-1] :].lstrip()
    callee = _CALLEE.search(source[: call.start - 1])
    if not callee or (typed and not typed.isidentifier()):
        return None
    parts = [source[start:end] for start, end in zip(starts, [*call.commas, len(source)], strict=True)]
    named = tuple(found[1] for part in parts if (found := _NAMED.match(part)))
    positional = sum(not _NAMED.match(part) and not part.lstrip().startswith("*") for part in parts[:-1])
    return OpenCall("", typed, callee[1], parts[0].strip() if call.commas else "", named, positional)


def _scan(source: str) -> tuple[list[_Bracket], re.Match[str] | None]:
    """Return the brackets that are open at the end of the source, and the quote of a text that is open there."""
    brackets: list[_Bracket] = []
    position = 0
    while token := _TOKEN.search(source, position):
        position = token.end()
        if token["text"]:
            end = _end_of_text(source, position, token["quote"])
            if end is None:
                return brackets, token
            position = end
        else:
            _read(token, brackets)
    return brackets, None


def _end_of_text(source: str, start: int, quote: str) -> int | None:
    """Return the end of a text; None if it is not closed. A text between single quotes ends with its line."""
    position = start
    while position < len(source):
        if source.startswith(quote, position) or (len(quote) == 1 and source[position] == "\n"):
            return position + len(quote)
        position += 2 if source[position] == "\\" else 1
    return None


def _read(token: re.Match[str], brackets: list[_Bracket]) -> None:
    if token["open"]:
        brackets.append(_Bracket(token["open"], token.end(), []))
    elif token["close"] and brackets:
        brackets.pop()
    elif token["comma"] and brackets:
        brackets[-1].commas.append(token.start())


def _argument(source: str, brackets: list[_Bracket], token: re.Match[str]) -> OpenString | None:
    is_item = bool(brackets) and brackets[-1].sign == "["
    calls = brackets[:-1] if is_item else brackets
    if not calls or calls[-1].sign != "(":
        return None
    call = calls[-1]
    callee = _CALLEE.search(source[: call.start - 1])
    starts = [call.start, *(comma + 1 for comma in call.commas)]
    before = source[starts[-1] : brackets[-1].start - 1 if is_item else token.start()]
    keyword = _KEYWORD.fullmatch(before)
    if not callee or (before.strip() and not keyword):
        return None
    first = source[call.start : call.commas[0]] if call.commas else ""
    name = keyword[1] if keyword else ""
    return OpenString(callee[1], first.strip(), len(starts) - 1, name, is_item, source[token.end() :])
