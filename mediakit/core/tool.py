"""A tool: one request and one function, called in the same way by every interface.

Arguments of Python calls become values of the request: files and texts by path or result, CSS colors, data frames.
"""

import inspect
import os
import textwrap
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property, partial, update_wrapper
from itertools import zip_longest
from typing import Any, ClassVar, Generic, ParamSpec, Protocol, Self, TypeVar, cast, overload

from mediakit.core.fields import color_error, parse_color
from mediakit.core.inputs import MAX_FILES, FileSource, files_in, listed_files, local_file
from mediakit.core.introspection import Help, PublicNames, readable_signature, with_signature
from mediakit.core.media import check_kind
from mediakit.core.messages import MAX_QUOTED_LENGTH, quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import build, field_names, invalid
from mediakit.core.spec import DescribedTool, Example, Tag, ToolSpec, Wire
from mediakit.core.texts import TEXTS, bind_text, load_text
from mediakit.errors import FieldError, InvalidCall, InvalidInput

__all__ = [
    "AsyncClientTool",
    "AsyncToolClient",
    "ClientTool",
    "Example",
    "Tag",
    "Tool",
    "ToolClient",
    "ToolResult",
    "Wire",
    "tool",
]


class ToolResult(Protocol):
    """What a tool needs of the class of its result. The classes are in `mediakit.results`."""

    def attach_call(self, tool: "Tool[..., Any]", request: Any) -> None:
        """Store the call that returned this result."""


PUBLIC_NAMES = (
    "aio",
    "command",
    "description",
    "examples",
    "help",
    "name",
    "parameters",
    "path",
    "produces",
    "schema",
    "spec",
    "summary",
)
"""The attributes of a tool that `dir()` and Tab list; the others are those that mediakit uses."""

ALLOWED_WIDTH = 20
DEFAULT_WIDTH = 12
MEANING_WIDTH = 44
"""Widths of columns, in characters. The tooltip of JupyterLab is about 95 characters wide."""

MAX_EXAMPLES = 3

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)
Request = TypeVar("Request")
Given = TypeVar("Given")
Loaded = TypeVar("Loaded")

Function = Callable[[Request], R] | Callable[[Request], Coroutine[Any, Any, R]]


class _KeyedClient:
    def with_idempotency_key(self, key: str, *, keep_result: bool = True) -> Self:  # noqa: ARG002  # for clients of servers
        """Return a client whose next call has this idempotency key; the client itself if it does not support keys."""
        return self


class ToolClient(_KeyedClient):
    """Base class of a client whose methods are the tools; each call blocks until its result is there."""

    def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError


class AsyncToolClient(_KeyedClient):
    """Base class of a client whose methods are the tools; each call is awaited."""

    async def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError


class Tool(DescribedTool, Generic[P, R]):
    """A function of one request. Call it, or await `.aio(...)`. In the body of a client's class it becomes a method."""

    __name__: str
    __doc__ = Help()

    def __init__(self, spec: ToolSpec[P, Any], function: Function[Any, R]) -> None:
        super().__init__(spec, function)
        self.function: Function[Any, R] = function
        update_wrapper(self, function, ("__module__", "__name__", "__qualname__"))

    @cached_property
    def aio(self) -> "AsyncCall[P, R]":
        """Run the tool without blocking the running event loop: `await tool.aio(...)`."""
        return AsyncCall(self)

    @cached_property
    def __signature__(self) -> inspect.Signature:
        return readable_signature(self.request, self.function.__annotations__["return"])

    def __dir__(self) -> Iterable[str]:
        return PUBLIC_NAMES

    def help(self, call: str = "", note: str = "") -> str:
        """Return the help text: the fields as a table, the result, the errors and examples.

        Args:
            call: What stands before the parentheses of a call in the examples; `mediakit.NAME` by default.
            note: A sentence about this way to call the tool.
        """
        from mediakit.core import snippets

        examples = []
        for example in self.examples[:MAX_EXAMPLES]:
            code = snippets.python(self, snippets.example_values(self, example.values))
            examples.append(f"# {example.title}\n{code.replace(f'mediakit.{self.name}', call, 1) if call else code}")
        _, section, errors = (inspect.getdoc(self.function) or "").partition("\nRaises:")
        parts = [
            " ".join(filter(None, (self.summary, note))),
            self.description,
            field_table(self.parameters),
            f"Returns:\n    {' | '.join(kind.__name__ for kind in self.kinds)}: {', '.join(self.produces)}",
            f"{section}{errors}".strip(),
            "Examples:\n" + textwrap.indent("\n\n".join(examples), "    "),
        ]
        return "\n\n".join(filter(None, parts))

    def build(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Return the validated request of a call, without running it.

        Raises:
            InvalidInput: A value breaks a rule.
        """
        return self.validate(self.bind(*args, **kwargs))

    def validate(self, values: Mapping[str, Any]) -> Any:
        """Return the request made from values by field name or alias.

        Raises:
            InvalidInput: A name is unknown or a value breaks a rule.
        """
        return build(self.request, values)

    @with_signature
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool and return its result. Works in scripts, threads and notebook cells."""
        return self.run(self.build(*args, **kwargs))

    def run(self, request: Any) -> R:
        """Run the tool on a validated request."""
        if inspect.iscoroutinefunction(self.function):
            from mediakit.core.runtime import runtime

            return self.finish(request, runtime.run(self.function(request)))
        return self.finish(request, cast("R", self.function(request)))

    async def arun(self, request: Any) -> R:
        """Run the tool on a validated request, off the running event loop."""
        if inspect.iscoroutinefunction(self.function):
            from mediakit.core.runtime import runtime

            return self.finish(request, await runtime.wait(self.function(request)))
        import asyncio

        return self.finish(request, cast("R", await asyncio.to_thread(self.function, request)))

    def finish(self, request: Any, result: R) -> R:
        """Return the result with the call attached to it."""
        result.attach_call(self, request)
        return result

    @overload
    def __get__(self, instance: None, owner: type) -> "Tool[P, R]": ...
    @overload
    def __get__(self, instance: ToolClient, owner: type) -> "ClientTool[P, R]": ...
    @overload
    def __get__(self, instance: AsyncToolClient, owner: type) -> "AsyncClientTool[P, R]": ...
    def __get__(self, instance: ToolClient | AsyncToolClient | None, owner: type) -> Any:
        """Return a method of a client."""
        if instance is None:
            return self
        return ClientTool(self, instance) if isinstance(instance, ToolClient) else AsyncClientTool(self, instance)

    def __reduce__(self) -> str:
        return self.name  # pickled by its name in its module, like a function

    def __repr__(self) -> str:
        return f"<mediakit.{self.name}: {self.summary}>"

    @cached_property
    def _by_name(self) -> dict[str, Parameter]:
        """The fields of the request by all of their names."""
        return {name: each for each in self.parameters for name in (each.name, *each.aliases)}

    def bind(self, /, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the arguments of a call by field name, ready for `validate`.

        Text that names a file becomes its path, CSS colors become hexadecimal, and what only Python can hold (a data
        frame) becomes what JSON can.

        Raises:
            InvalidCall: There are too many positional arguments, or two values for one name.
            InvalidInput: A file does not exist, a file or a result does not fit, or a text is not a color.
        """
        name, request = self.name, self.request
        positional_count = sum(not field.kw_only for field in fields(request))
        if len(args) > positional_count:
            raise InvalidCall(f"{name}() {_too_many(self.parameters, positional_count, args)}")
        values = dict(zip(field_names(request), args, strict=False))
        for twice in values.keys() & kwargs.keys():
            order = ", ".join([*field_names(request)][:positional_count])
            raise InvalidCall(f"{name}() got two values for {twice!r}; without names, the arguments are {order}")
        adapted = self.spec.adapt(values | kwargs)
        return self.with_hex_colors({name: self._bound(name, value) for name, value in adapted.items()})

    def with_hex_colors(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with CSS colors as `#rrggbb`, for fields that accept hexadecimal digits only over HTTP.

        Raises:
            InvalidInput: A text is not a color.
        """
        found, problems = dict(values), list[FieldError]()
        for name, value in values.items():
            if name in self._by_name and self._by_name[name].is_hex_color and isinstance(value, str):
                found[name] = parse_color(value)
                if not found[name]:
                    del found[name]
                    problems.append({"field": name, "message": color_error(value)})
        if problems:
            try:
                build(self.request, found)
            except InvalidInput as error:
                problems = [*error.details, *problems]
            raise invalid(problems)
        return found

    def _bound(self, name: str, value: Any) -> Any:
        parameter = self._by_name.get(name)
        if parameter is None:
            return value
        if parameter.kind == "files":
            value = loaded(listed_files, value, parameter.name)
            limit = parameter.schema.get("maxItems", MAX_FILES)
            listed = partial(files_in, limit=limit, takes=parameter.takes)
            value = loaded(listed, value, parameter.name) or value
            if isinstance(value, list | tuple) or (isinstance(value, FileSource) and isinstance(value, Sequence)):
                items = enumerate(value)
                return [loaded(partial(_file, parameter), item, f"{parameter.name}[{index}]") for index, item in items]
        if parameter.is_file:
            return loaded(partial(_file, parameter), value, parameter.name)
        if parameter.kind in ("text", "html", "url"):
            return loaded(partial(self._text, parameter), value, name)
        return value

    def _text(self, parameter: Parameter, value: Any) -> Any:
        if isinstance(value, Mapping) and any(isinstance(each, FileSource) for each in value.values()):
            raise ValueError(f"must be one text, got {len(value)} results. Pass one of them, or use mediakit.batch.")
        if parameter.takes:
            return bind_text(value, parameter.takes)
        if type(value) is str or not isinstance(value, os.PathLike | FileSource):  # some paths are a kind of str
            return value
        if parameter.kind != "url":
            return load_text(value, TEXTS).removesuffix("\n").removesuffix("\r")
        html = next((each.name for each in self.parameters if each.kind == "html"), "")
        way = f"HTML is passed as {html}=" if html else "mediakit.capture renders HTML"
        raise ValueError(f"must be the URL of a web page, got {quote(value)}. {way}.")


class _BoundTool(PublicNames, Generic[P, R]):
    """A tool with another way to call it, which has the signature and the help of the tool."""

    __doc__ = Help()
    _internal_names = frozenset(("call", "client", "note", "tool"))
    call: ClassVar[str]
    """What stands before the parentheses of a call."""
    note: ClassVar[str]
    """A sentence for the help."""

    def __init__(self, tool: Tool[P, R], client: Any = None) -> None:
        self.tool = tool
        self.client = client
        self.__signature__ = tool.__signature__
        self.__module__, self.__name__ = tool.__module__, tool.__name__

    def help(self) -> str:
        """Return the help text of the tool with this call."""
        return self.tool.help(self.call.format(self.tool.name), self.note)

    def __repr__(self) -> str:
        return f"<{self.call.format(self.tool.name)}: {self.tool.summary}>"


class AsyncCall(_BoundTool[P, R]):
    """The calls of a tool that are awaited: `await mediakit.qr.aio(...)`."""

    __doc__ = Help()
    call = "await mediakit.{}.aio"
    note = "This call is awaited, and does not block the running event loop."

    @with_signature
    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool without blocking the running event loop."""
        return await self.tool.arun(self.tool.build(*args, **kwargs))


class ClientTool(_BoundTool[P, R]):
    """A tool as a method of a client, such as `client.qr`."""

    __doc__ = Help()
    call = "client.{}"
    note = "The call runs on the client's server."
    client: ToolClient

    @with_signature
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the tool on the client's server."""
        return self.client.call(self.tool, *args, **kwargs)


class AsyncClientTool(_BoundTool[P, R]):
    """A tool as a method of an async client; its calls are awaited."""

    __doc__ = Help()
    call = "await client.{}"
    note = "This call is awaited, and runs on the client's server."
    client: AsyncToolClient

    @with_signature
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]:
        """Call the tool on the client's server."""
        return self.client.call(self.tool, *args, **kwargs)


class tool(ToolSpec[P, Request]):  # noqa: N801  # a decorator
    """Makes a function a tool: `@tool(QrRequest, tag="Images", ...)`.

    The name of the function is the name in every interface: `web_to_markdown` is `POST /web-to-markdown` and
    `mediakit web-to-markdown`. Tools with a file also take `multipart/form-data`.
    """

    def __call__(self, function: Function[Request, R]) -> Tool[P, R]:
        """Return the tool."""
        return Tool(self, function)


def _file(parameter: Parameter, value: Any) -> Any:
    if isinstance(value, FileSource):
        check_kind(value._saved().mime_type, parameter.takes, type(value).__name__)
    return local_file(value)


def loaded(load: Callable[[Given], Loaded], value: Given, field: str) -> Loaded:
    """Return what a function loads from the value of a field.

    Raises:
        InvalidInput: The function raises a ValueError; the message begins with the field.
    """
    try:
        return load(value)
    except ValueError as error:
        raise invalid([{"field": field, "message": str(error)}]) from None


def _too_many(parameters: Sequence[Parameter], count: int, args: Sequence[Any]) -> str:
    """Return the message for too many positional arguments, with the fields that are probably meant."""
    names = ", ".join(each.name for each in parameters[:count])
    takes = f"takes {count} positional argument{'s' * (count > 1)} ({names}), got {len(args)}"
    lists = [each for each in parameters if each.kind == "files" or each.name == "values"] if count == 1 else []
    if lists and all(
        isinstance(value, str | os.PathLike | bytes | FileSource) and type(value) is type(args[0]) for value in args
    ):
        name = "" if lists[0] is parameters[0] else f"{lists[0].name}="
        return f"{takes}; pass a list: {name}{_short(list(args))}."
    free, meant = list(parameters[count:]), []
    for value in args[count:]:
        fitting = [each for each in free if each.fits(value)]
        if not fitting:
            return f"{takes}; pass the others by name, such as {free[0].name}=..."
        free.remove(best := min(fitting, key=lambda each: each.kind == "text"))
        meant.append(f"{best.name}={_short(value)}")
    return f"{takes}; did you mean {', '.join(meant)}?"


def _short(value: Any) -> str:
    text = repr(value)
    if len(text) <= MAX_QUOTED_LENGTH:
        return text
    return "[first, second, ...]" if isinstance(value, list) else "..."


def field_table(fields: tuple[Parameter, ...]) -> str:
    """Return a table of fields in aligned columns."""
    rows = list(map(_cells, fields))
    width = max(len("Field"), *(len(row[0]) for row in rows))
    defaults = max(len("required"), *(len(row[2]) for row in rows))
    widths = (width, ALLOWED_WIDTH, min(defaults, DEFAULT_WIDTH), MEANING_WIDTH)
    lines: list[str] = []
    for row in (("Field", "Allowed", "Default", "Meaning"), tuple("-" * each for each in widths), *rows):
        columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
        wrapped = zip_longest(*columns, fillvalue="")
        lines += ["  ".join(map(str.ljust, line, widths)).rstrip() for line in wrapped]
    return "\n".join(lines)


def _cells(field: Parameter) -> tuple[str, ...]:
    """Return the row of a field, as Python calls take it: also CSS colors, where HTTP does not."""
    kinds = {"boolean": "True or False", "object": "texts by key", "table": "rows", "list": "a list"}
    allowed = "CSS color" if field.kind == "color" else field.allowed or kinds.get(field.kind, field.kind)
    if field.required or field.default is None:
        default = "required" if field.required else ""
    else:
        default = repr(field.default) if isinstance(field.default, bool | str) else quote(field.default)
    aliases = f" Also accepted as {' or '.join(field.aliases)}." if field.aliases else ""
    return field.name, allowed, default, f"{field.help}{aliases}"
