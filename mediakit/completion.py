"""Tab completion of texts with fixed choices in IPython: `mediakit.qr("hi", style="` suggests rounded and dots."""

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
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*$", re.ASCII)


def register() -> None:
    """Add the completions to the running IPython shell; do nothing without one."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    if shell is None or not hasattr(shell, "Completer"):
        return
    with suppress(ImportError):  # IPython older than 8.6
        from IPython.core.completer import context_matcher

        matchers = shell.Completer.custom_matchers
        if match_choices not in matchers:
            matchers.append(context_matcher()(match_choices))


def match_choices(context: "CompletionContext") -> "SimpleMatcherResult":
    """Return the choices of the text at the cursor. If there are any, file names and magics are not suggested."""
    from IPython import get_ipython
    from IPython.core.completer import SimpleCompletion

    lines = context.full_text.split("\n")[: context.cursor_line]
    text = open_string("\n".join([*lines, context.line_with_cursor[: context.cursor_position]]))
    shell: Any = get_ipython()
    words = choices(text, {**shell.user_global_ns, **shell.user_ns}) if text and shell else ()
    if not text or not words:
        return {"completions": []}
    matching = [SimpleCompletion(word, type="value") for word in words if word.startswith(text.prefix)]
    return {"completions": matching, "matched_fragment": text.prefix, "suppress": True, "ordered": True}


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


def choices(text: OpenString, variables: Mapping[str, Any]) -> Sequence[str]:
    """Return the texts that an argument accepts; none if that is not known.

    Args:
        text: The argument.
        variables: The variables of the notebook. Nothing is called, and only attributes of mediakit's objects are read.
    """
    called = _resolve(text.callee, variables)
    tool = _tool(called)
    if tool:
        return _of_field(tool, text, text.keyword or _name_at(text.position, tool.__signature__))
    if called is None or not getattr(called, "__module__", "").startswith("mediakit."):
        return ()
    if getattr(called, "__name__", "") in WITH_TOOL:
        return _of_tool_argument(text, variables)
    return _of_literal(called, text)


def _of_tool_argument(text: OpenString, variables: Mapping[str, Any]) -> Sequence[str]:
    from mediakit.tools.catalogue import load_tool, tool_names

    if not text.keyword:
        return tool_names() if text.position == 0 else ()
    name = text.first.strip("'\"")
    tool = load_tool(name) if name in tool_names() else _tool(_resolve(text.first, variables))
    return _of_field(tool, text, text.keyword) if tool else ()


def _of_field(tool: "Tool[..., Any]", text: OpenString, name: str) -> Sequence[str]:
    field = next((field for field in tool.parameters if name in (field.name, *field.aliases)), None)
    if not field:
        return ()
    if field.choices and not text.is_item:
        return field.choices
    schemas = [field.schema, *field.schema.get("anyOf", ())]
    if text.is_item:
        schemas = [schema.get("items", {}) for schema in schemas]
    return [choice for schema in schemas for choice in schema.get("enum", ()) if isinstance(choice, str)]


def _of_literal(function: Any, text: OpenString) -> Sequence[str]:
    """Return the choices of a function's argument whose type is a `Literal`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ()
    argument = signature.parameters.get(text.keyword or _name_at(text.position, signature))
    if argument is None or get_origin(argument.annotation) is not Literal:
        return ()
    return [str(choice) for choice in get_args(argument.annotation)]


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
    brackets: list[_Bracket] = []
    position = 0
    while token := _TOKEN.search(source, position):
        position = token.end()
        if token["text"]:
            end = _end_of_text(source, position, token["quote"])
            if end is None:
                return _argument(source, brackets, token) if len(token["quote"]) == 1 else None
            position = end
        else:
            _read(token, brackets)
    return None


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
