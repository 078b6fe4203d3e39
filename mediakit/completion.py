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

_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
    | [rbuRBU]{0,2}(?P<long>\"{3}|'{3})(?:\\.|(?!(?P=long)).)*(?P<closed>(?P=long))?
    | [rbuRBU]{0,2}(?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote))[^\n])*)(?P<end>(?P=quote)|\n)?
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<comma>,)
    """,
    re.VERBOSE | re.DOTALL,
)
"""Comments, texts and brackets. A text between single quotes ends with its line."""
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)\s*$", re.ASCII)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.]*)\.(\w*)$", re.ASCII)
_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)", re.ASCII)
_ARGUMENT = re.compile(r"^    (\w+): (.+)$", re.MULTILINE)
_PREFIX = re.compile(r"(?:[A-Za-z_]\w*)?\Z", re.ASCII)
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
    place = place_of(source)
    if place is None:
        return "", ()
    if place.owner:
        return place.prefix, names(_resolve(place.owner, variables))
    called = _resolve(place.callee, variables)
    tool = _tool(called)
    if tool is None and not str(getattr(called, "__module__", "")).startswith("mediakit."):
        return place.prefix, ()
    takes_tool = tool is None and getattr(called, "__name__", "") in WITH_TOOL
    if takes_tool and place.arguments:
        from mediakit.tools.catalogue import load_tool, tool_names

        name = place.arguments[0].strip("'\"")
        tool = load_tool(name) if name in tool_names() else _tool(_resolve(place.arguments[0], variables))
    if place.is_text and takes_tool and not place.keyword:
        from mediakit.tools.catalogue import SUMMARIES

        return place.prefix, () if place.arguments else [Entry(*each) for each in SUMMARIES.items()]
    if place.is_text:
        return place.prefix, _choices(place, called, tool)
    found = _arguments(place, called, tool)
    used = [Entry(name, "variable") for name in variables if place.prefix and not name.startswith("_")]
    return place.prefix, [*found, *sorted(used)] if found else ()


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
        from mediakit.tools.tasks import WORDS

        tools = [Entry(name, SUMMARIES[name]) for name in listed if name in SUMMARIES]
        return [*tools, *(Entry(name, WORDS["names"].get(name, "")) for name in listed if name not in SUMMARIES)]
    if isinstance(value, ModuleType):
        listed = [name for name in listed if getattr(vars(value)[name], "__module__", "") == value.__name__]
    return [Entry(name, _first_line(inspect.getattr_static(value, name, None))) for name in listed]


def _first_line(value: Any) -> str:
    """Return the first line of the docstring of a function, a class or a property; the kind of other values."""
    text = inspect.getdoc(value) if callable(value) or isinstance(value, property | staticmethod | classmethod) else ""
    return _line(text or "attribute")


def _arguments(place: "Place", called: Any, tool: "Tool[..., Any] | None") -> list[Entry]:
    """Return the arguments that a call does not have yet, with the lines of their help."""
    signature, found = _signature(called), list[Entry]()
    if _tool(called) is None:
        lines = dict(_ARGUMENT.findall(inspect.getdoc(called) or ""))
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        named = [each.name for each in signature.parameters.values() if each.kind in kinds]
        found = [Entry(f"{name}=", lines.get(name, "argument")) for name in named]
    if tool:
        found += [Entry(f"{field.name}=", _line(field.help)) for field in tool.parameters]
    given = {match[1] for each in place.arguments if (match := _NAMED.match(each))}
    positional = sum(not _NAMED.match(each) and not each.startswith("*") for each in place.arguments)
    given.update(_name_at(position, signature) for position in range(positional))
    return [entry for entry in found if entry.text.removesuffix("=") not in given]


def _choices(place: "Place", called: Any, tool: "Tool[..., Any] | None") -> Sequence[Entry]:
    """Return the texts that an argument accepts; none if that is not known."""
    signature = _signature(called)
    name = place.keyword or _name_at(len(place.arguments), signature)
    if tool is None:
        annotation = signature.parameters[name].annotation if name in signature.parameters else None
        types = [each for each in (annotation, *get_args(annotation)) if get_origin(each) is Literal]
        return [Entry(str(choice), name) for each in types for choice in get_args(each)]
    field = next((field for field in tool.parameters if name in (field.name, *field.aliases)), None)
    if not field:
        return ()
    words: Sequence[str] = field.choices
    if not words or place.is_item:
        schemas = [field.schema, *field.schema.get("anyOf", ())]
        if place.is_item:
            schemas = [schema.get("items", {}) for schema in schemas]
        words = [choice for schema in schemas for choice in schema.get("enum", ()) if isinstance(choice, str)]
    return [Entry(word, _line(field.help)) for word in words]


def _signature(called: Any) -> inspect.Signature:
    with suppress(TypeError, ValueError):
        return inspect.signature(called)
    return inspect.Signature()


def _name_at(position: int, signature: inspect.Signature) -> str:
    """Return the name of a positional argument; an empty text if there is none at this position."""
    arguments = signature.parameters.values()
    names = [argument.name for argument in arguments if argument.kind is argument.POSITIONAL_OR_KEYWORD]
    return names[position] if position < len(names) else ""


def _line(text: str) -> str:
    return text.split("\n", maxsplit=1)[0] or "argument"


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


class Place(NamedTuple):
    """What is at the end of source code: an attribute, or an argument of a call that begins with a name or a text."""

    prefix: str
    """What was typed of it."""
    owner: str = ""
    """The dotted name before the last dot of an attribute; empty for an argument."""
    callee: str = ""
    """The dotted name of the call."""
    arguments: tuple[str, ...] = ()
    """The source of the arguments before this one."""
    keyword: str = ""
    """The name of this argument; empty if it is positional."""
    is_text: bool = False
    is_item: bool = False
    """Whether the text is in a list."""


class _Bracket(NamedTuple):
    sign: str
    start: int
    commas: list[int]


def place_of(source: str) -> Place | None:
    """Return what is at the end of source code; None in comments, and where no name or choice is known."""
    brackets: list[_Bracket] = []
    for token in _TOKEN.finditer(source):
        if token["quote"] and not token["end"]:
            return _argument(source, brackets, token.start(), Place(token["text"], is_text=True))
        if token.end() == len(source) and (token["comment"] or (token["long"] and not token["closed"])):
            return None
        if token["open"]:
            brackets.append(_Bracket(token["open"], token.end(), []))
        elif token["close"] and brackets:
            brackets.pop()
        elif token["comma"] and brackets:
            brackets[-1].commas.append(token.start())
    if attribute := _ATTRIBUTE.search(source):
        return Place(attribute[2], owner=attribute[1])
    prefix = _PREFIX.search(source)
    return _argument(source, brackets, prefix.start(), Place(prefix[0])) if prefix else None


def _argument(source: str, brackets: Sequence[_Bracket], start: int, place: Place) -> Place | None:
    """Return a place with the call whose argument it is; None if it is only a part of an argument."""
    is_item = place.is_text and bool(brackets) and brackets[-1].sign == "["
    calls = brackets[:-1] if is_item else brackets
    if not calls or calls[-1].sign != "(":
        return None
    call = calls[-1]
    callee = _CALLEE.search(source[: call.start - 1])
    starts = [call.start, *(comma + 1 for comma in call.commas)]
    before = source[starts[-1] : brackets[-1].start - 1 if is_item else start]
    keyword = _KEYWORD.fullmatch(before) if place.is_text else None
    if not callee or (before.strip() and not keyword):
        return None
    arguments = tuple(source[first:end].strip() for first, end in zip(starts, call.commas, strict=False))
    name = keyword[1] if keyword else ""
    return place._replace(callee=callee[1], arguments=arguments, keyword=name, is_item=is_item)
