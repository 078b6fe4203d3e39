"""A tool: one request and one function, called in the same way by every interface."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import fields
from functools import cached_property, update_wrapper
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_origin,
    get_type_hints,
    overload,
)

from mediakit.core.called_tool import Example
from mediakit.core.colors import color_error, parse_color
from mediakit.core.files import local_path
from mediakit.core.media import format_names
from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.core.public_names import PublicNames
from mediakit.core.request import build, field_names, invalid
from mediakit.core.signatures import readable_signature
from mediakit.core.stored_schemas import stored_schema
from mediakit.core.tool_call import Help, with_signature
from mediakit.errors import FieldError, InvalidCall, InvalidInput, MediakitError

__all__ = [
    "AsyncClientTool",
    "AsyncToolClient",
    "ClientTool",
    "Example",
    "Tag",
    "Tool",
    "ToolClient",
    "ToolResult",
    "tool",
]

Tag = Literal["Images", "PDF", "Documents", "Files", "Validation", "Data", "Account"]
"""The groups of the service's tools, in the order of the documentation."""


class ToolResult(Protocol):
    """What a tool needs of the class of its result. The classes are in `mediakit.results`."""

    is_data: ClassVar[bool]
    makes_files: ClassVar[bool]

    def attach_call(self, tool: "Tool[..., Any]", request: Any) -> None:
        """Store the call that returned this result."""

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response."""


WRAPPED = ("__module__", "__name__", "__qualname__")
"""Attributes that a tool has from its function."""

DEADLINE_SECONDS = 60
"""Default of `deadline_seconds`: longer than a worker process has for a file, and a wait for a slot."""

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)
Request = TypeVar("Request")

Function = Callable[[Request], R] | Callable[[Request], Coroutine[Any, Any, R]]


class ToolClient:
    """Base class of a client whose methods are the tools; each call blocks until its result is there."""

    def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError

    def with_idempotency_key(self, key: str) -> Self:  # noqa: ARG002  # for clients of servers
        """Return a client whose next call has this idempotency key; the client itself if it does not support keys."""
        return self


class AsyncToolClient:
    """Base class of a client whose methods are the tools; each call is awaited."""

    async def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError

    def with_idempotency_key(self, key: str) -> Self:  # noqa: ARG002  # for clients of servers
        """Return a client whose next call has this idempotency key; the client itself if it does not support keys."""
        return self


class _Aio:
    """The attribute `aio` of a tool. Unlike those of a property, the help texts of its value are shown by `?`."""

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "Tool[P, R]", owner: type) -> "AsyncCall[P, R]": ...
    def __get__(self, instance: "Tool[P, R] | None", owner: type) -> "Self | AsyncCall[P, R]":
        """Return the calls of the tool that are awaited."""
        return self if instance is None else AsyncCall(instance)


class Tool(PublicNames, Generic[P, R]):
    """A function of one request. Call it, or await `.aio(...)`. In the body of a client's class it becomes a method."""

    __name__: str
    __doc__ = Help()
    _internal_names = frozenset(
        (
            "alt",
            "arun",
            "bind",
            "build",
            "columns_field",
            "deadline_seconds",
            "errors",
            "file_fields",
            "finish",
            "formats",
            "function",
            "media_type_of",
            "meta",
            "needs_browser",
            "pixel_ratio",
            "raw",
            "request",
            "run",
            "schema_changes",
            "tag",
            "takes_files",
            "too_large_error",
            "uses_file_names",
            "validate",
            "with_hex_colors",
        )
    )
    aio = _Aio()
    """Run the tool without blocking the running event loop: `await tool.aio(...)`."""

    def __init__(
        self,
        request: Callable[P, Any],
        function: Function[Any, R],
        *,
        tag: Tag,
        raw: Mapping[str, str],
        produces: Sequence[str] | Mapping[str, str],
        errors: Sequence[type[MediakitError]],
        examples: Sequence[Example],
        needs_browser: bool | str,
        deadline_seconds: int,
        too_large_error: type[MediakitError] | None,
        alt: Callable[[Any], str] | None,
        pixel_ratio: Callable[[Any], int] | None,
        media_type_of: Callable[[Mapping[str, Any]], str] | None,
        meta: Mapping[str, Mapping[str, Any]],
        adapt: Callable[[Mapping[str, Any]], dict[str, Any]],
        columns_field: str,
        uses_file_names: bool,
        schema_changes: bool,
        result: type[Any] | None,
    ) -> None:
        self.request = cast("type[Any]", request)
        self.function = function
        self.tag = tag
        self.raw = dict(raw)
        """The field that a raw body fills, by media type."""
        self.formats = dict(produces) if isinstance(produces, Mapping) else _formats(produces)
        """Media types of the result by the value of the option that chooses them."""
        self.produces = tuple(dict.fromkeys(self.formats.values()))
        """Media types of the result."""
        self.errors = tuple(errors)
        """Errors beyond those that every tool can raise."""
        self.examples = tuple(examples)
        self.needs_browser = needs_browser
        self.deadline_seconds = deadline_seconds
        """Whether the tool needs a browser; the name of a field if it needs one only with that field."""
        self.too_large_error = too_large_error
        """The error for a body that is too large, where it is not the usual 400."""
        self.alt = alt
        """Returns the alt text of a request's result."""
        self.pixel_ratio = pixel_ratio
        """Returns the image pixels in a CSS pixel of a request's result."""
        self.media_type_of = media_type_of
        """Returns the media type of the result of a call's values, where its format alone does not choose it."""
        self.meta = dict(meta)
        """JSON Schemas of what the tool adds to `meta`, by name."""
        self.columns_field = columns_field
        """The field that takes the columns of a batch that are not fields; empty for none."""
        self.uses_file_names = uses_file_names
        """Whether the names of files change the result, so that code of calls has to send them."""
        self.schema_changes = schema_changes
        """Whether choices of a field can be added while the program runs, so that no file stores the JSON Schema."""
        self._adapt = adapt
        self._result = result
        update_wrapper(self, function, WRAPPED)

    @cached_property
    def __signature__(self) -> inspect.Signature:
        return readable_signature(self.request, self.function.__annotations__["return"])

    @property
    def name(self) -> str:
        """The name of the tool in Python."""
        return self.function.__name__

    @property
    def command(self) -> str:
        """The name of the tool in the shell."""
        return self.name.replace("_", "-")

    @property
    def path(self) -> str:
        """The HTTP path of the tool."""
        return f"/{self.command}"

    @property
    def summary(self) -> str:
        """What the tool does, in one sentence."""
        return inspect.getdoc(self.function).partition("\n")[0]  # type: ignore[union-attr]  # every tool has one

    @cached_property
    def description(self) -> str:
        """The docstring of the function, without its summary and its Google-style sections."""
        text = inspect.getdoc(self.function).partition("\n")[2]  # type: ignore[union-attr]
        return text.partition("\nRaises:")[0].partition("\nReturns:")[0].strip()

    def help(self, call: str = "", note: str = "") -> str:
        """Return the help text: the fields as a table, the result, the errors and examples.

        Args:
            call: What stands before the parentheses of a call in the examples; `mediakit.NAME` by default.
            note: A sentence about this way to call the tool.
        """
        from mediakit.core.tool_help import help_text

        _, section, errors = (inspect.getdoc(self.function) or "").partition("\nRaises:")
        return help_text(self, call or f"mediakit.{self.name}", note, f"{section}{errors}".strip())

    @cached_property
    def result(self) -> type[R]:
        """The class of the result, without the type of its items."""
        if self._result:
            return cast("type[R]", self._result)
        annotation = get_type_hints(self.function)["return"]
        return cast("type[R]", get_origin(annotation) or annotation)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the request."""
        stored = None if self.schema_changes else stored_schema(self.function)
        return stored or json_schema(self.request)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""
        return parameters(self.request, self.schema)

    def reset_schema(self) -> None:
        """Make the schema again on next use, because the choices of a field have changed."""
        for name in ("schema", "parameters"):
            self.__dict__.pop(name, None)

    @cached_property
    def file_fields(self) -> tuple[str, ...]:
        """Names of the fields of the request that hold one file or several."""
        return tuple(parameter.name for parameter in self.parameters if parameter.is_file)

    @property
    def takes_files(self) -> bool:
        """Whether a field of the request holds a file."""
        return bool(self.file_fields)

    def build(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Return the validated request of a call, without running it.

        Raises:
            InvalidInput: A value breaks a rule.
        """
        return self.validate(self.bind(*args, **kwargs))

    def bind(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the arguments of a Python call by field name, ready for `validate`.

        Text that names a file becomes its path, CSS colors become hexadecimal, and what only Python can hold (a data
        frame) becomes what JSON can.

        Raises:
            InvalidCall: There are too many positional arguments, or two values for one name.
            InvalidInput: A file does not exist, or a text is not a color.
        """
        names = list(field_names(self.request))
        if len(args) > self._positional_count:
            raise InvalidCall(f"{self.name}() takes {self._positional_count} positional arguments, got {len(args)}")
        values = dict(zip(names, args, strict=False))
        for name in values.keys() & kwargs.keys():
            raise InvalidCall(f"{self.name}() got two values for {name!r}")
        return self.with_hex_colors(self._with_paths(self._adapt(values | kwargs)))

    def with_hex_colors(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with CSS colors as `#rrggbb`, for fields that accept hexadecimal digits only over HTTP.

        Raises:
            InvalidInput: A text is not a color.
        """
        colors = {name: value for name, value in values.items() if name in self._hex_colors and isinstance(value, str)}
        if not colors:
            return dict(values)
        converted = {name: parse_color(value) for name, value in colors.items()}
        problems: list[FieldError] = [
            {"field": name, "message": color_error(colors[name])} for name, color in converted.items() if not color
        ]
        if problems:
            others = {name: value for name, value in values.items() if name not in colors}
            raise invalid([*self._problems(others), *problems])
        return {**values, **converted}

    def _problems(self, values: Mapping[str, Any]) -> list[FieldError]:
        try:
            self.validate(values)
        except InvalidInput as error:
            return list(error.details)
        return []

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

    def _with_paths(self, values: dict[str, Any]) -> dict[str, Any]:
        for name in self._files.keys() & values.keys():
            values[name] = _with_path(self._files[name], values[name])
        return values

    @cached_property
    def _positional_count(self) -> int:
        return sum(not field.kw_only for field in fields(self.request))

    @cached_property
    def _hex_colors(self) -> frozenset[str]:
        """Names and aliases of the fields that accept hexadecimal digits only."""
        colors = [each for each in self.parameters if each.is_hex_color]
        return frozenset(name for each in colors for name in (each.name, *each.aliases))

    @cached_property
    def _files(self) -> dict[str, Parameter]:
        """The fields that hold files, by name and alias."""
        files = [each for each in self.parameters if each.is_file]
        return {name: each for each in files for name in (each.name, *each.aliases)}


class _BoundTool(PublicNames, Generic[P, R]):
    """A tool with another way to call it, which has the signature and the help of the tool."""

    __doc__ = Help()
    _internal_names = frozenset(("call", "client", "note", "tool"))
    call: ClassVar[str]
    """What stands before the parentheses of a call."""
    note: ClassVar[str]
    """A sentence for the help."""

    def __init__(self, tool: Tool[P, R]) -> None:
        self.tool = tool
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

    def __init__(self, tool: Tool[P, R], client: ToolClient) -> None:
        super().__init__(tool)
        self.client = client

    @with_signature
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the tool on the client's server."""
        return self.client.call(self.tool, *args, **kwargs)


class AsyncClientTool(_BoundTool[P, R]):
    """A tool as a method of an async client; its calls are awaited."""

    __doc__ = Help()
    call = "await client.{}"
    note = "This call is awaited, and runs on the client's server."

    def __init__(self, tool: Tool[P, R], client: AsyncToolClient) -> None:
        super().__init__(tool)
        self.client = client

    @with_signature
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Awaitable[R]:
        """Call the tool on the client's server."""
        return self.client.call(self.tool, *args, **kwargs)


def tool(
    request: Callable[P, Request],
    *,
    tag: Tag,
    produces: Sequence[str] | Mapping[str, str],
    raw: Mapping[str, str] | None = None,
    errors: Sequence[type[MediakitError]] = (),
    examples: Sequence[Example] = (),
    needs_browser: bool | str = False,
    deadline_seconds: int = DEADLINE_SECONDS,
    too_large_error: type[MediakitError] | None = None,
    alt: Callable[[Request], str] | None = None,
    pixel_ratio: Callable[[Request], int] | None = None,
    media_type_of: Callable[[Mapping[str, Any]], str] | None = None,
    meta: Mapping[str, Mapping[str, Any]] | None = None,
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]] = dict,
    columns_field: str = "",
    uses_file_names: bool = False,
    schema_changes: bool = False,
    result: type[Any] | None = None,
) -> Callable[[Function[Request, R]], Tool[P, R]]:
    """Return a decorator that makes a function a tool.

    The name of the function is the name in every interface: `web_to_markdown` is `POST /web-to-markdown` and
    `mediakit web-to-markdown`. Tools with a file also take `multipart/form-data`.

    Args:
        request: The request class; its constructor is the tool's signature.
        tag: The group of the tool.
        produces: Media types of the result. A mapping names the value of `format` or `to` that chooses each one;
            otherwise that is the name of the format, such as `png`.
        raw: Media types accepted as a raw body (`image/*` for any image), each with the field that it fills.
        errors: Errors beyond those of every tool (400, 401, 403, 429, 503).
        examples: Calls for the documentation, the demo and the tests; the first one is the simplest.
        needs_browser: Whether the tool needs a browser; the name of a field if it needs one only with that field.
        deadline_seconds: Time in which a call ends, with the time that it waits for a slot. A server holds the credit
            of a call at most this long.
        too_large_error: The error for a body that is too large; 400 by default.
        alt: Returns the alt text of a request's result.
        pixel_ratio: Returns the image pixels in a CSS pixel of a request's result; 1 by default.
        media_type_of: Returns the media type of the result of a call's values, where its format alone does not choose
            it. Code of calls uses it to name the file.
        meta: JSON Schemas of what the tool adds to `meta`, by name, for the description of the HTTP API.
        adapt: Turns values that only Python callers can pass, such as a data frame, into values of the request.
        columns_field: The field, an object, that takes the columns of a batch that are not fields.
        uses_file_names: Whether the names of files change the result, so that code of calls has to send them.
        schema_changes: Whether choices of a field can be added while the program runs.
        result: The class that describes the results of a function that returns one of several classes.
    """

    def decorate(function: Function[Request, R]) -> Tool[P, R]:
        return Tool(
            request,
            function,
            tag=tag,
            produces=produces,
            raw=raw or {},
            errors=errors,
            examples=examples,
            needs_browser=needs_browser,
            deadline_seconds=deadline_seconds,
            too_large_error=too_large_error,
            alt=alt,
            pixel_ratio=pixel_ratio,
            media_type_of=media_type_of,
            meta=meta or {},
            adapt=adapt,
            columns_field=columns_field,
            uses_file_names=uses_file_names,
            schema_changes=schema_changes,
            result=result,
        )

    return decorate


def _formats(produces: Sequence[str]) -> dict[str, str]:
    return {name: media for media in produces for name in format_names(media)}


def _with_path(parameter: Parameter, value: Any) -> Any:
    if parameter.kind == "files" and isinstance(value, list | tuple):
        return [_local_file(f"{parameter.name}[{index}]", item) for index, item in enumerate(value)]
    return _local_file(parameter.name, value)


def _local_file(field: str, value: Any) -> Any:
    try:
        return local_path(value)
    except ValueError as error:
        raise invalid([{"field": field, "message": str(error)}]) from None
