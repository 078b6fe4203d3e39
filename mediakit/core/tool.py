"""A tool: one request and one function, called in the same way by every interface."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import cached_property, update_wrapper
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from mediakit.core.arguments import Arguments
from mediakit.core.called_tool import Example
from mediakit.core.media import format_names
from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.core.public_names import PublicNames
from mediakit.core.request import build
from mediakit.core.signatures import readable_signature
from mediakit.core.tool_call import Help, with_signature
from mediakit.core.tool_options import Tag, ToolOptions, Wire

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


WRAPPED = ("__module__", "__name__", "__qualname__")
"""Attributes that a tool has from its function."""

OUTPUTS = ("json", "binary", "url", "image", "pdf")
"""Values of the `output` option of the HTTP API, in the order of the documentation."""

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
            "licensed_packages",
            "media_type_of",
            "meta",
            "needs_browser",
            "pixel_ratio",
            "raw",
            "request",
            "run",
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
        self, request: Callable[P, Any], function: Function[Any, R], **options: Unpack[ToolOptions[Any]]
    ) -> None:
        self.request = cast("type[Any]", request)
        self.function = function
        self.tag = options["tag"]
        produces = options["produces"]
        self.formats = dict(produces) if isinstance(produces, Mapping) else _formats(produces)
        """Media types of the result by the value of the option that chooses them."""
        self.produces = tuple(dict.fromkeys(self.formats.values()))
        """Media types of the result."""
        self.raw = dict(options.get("raw", {}))
        self.errors = tuple(options.get("errors", ()))
        self.examples = tuple(options.get("examples", ()))
        self.needs_browser = options.get("needs_browser", False)
        self.licensed_packages = dict(options.get("licensed_packages", {}))
        self.deadline_seconds = options.get("deadline_seconds", DEADLINE_SECONDS)
        self.too_large_error = options.get("too_large_error")
        self.alt = options.get("alt")
        self.pixel_ratio = options.get("pixel_ratio")
        self.media_type_of = options.get("media_type_of")
        self.meta = dict(options.get("meta", {}))
        self.columns_field = options.get("columns_field", "")
        self.uses_file_names = options.get("uses_file_names", False)
        self._adapt = options.get("adapt", dict)
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
    def returns(self) -> tuple[Any, ...]:
        """The classes of the results, or their generic aliases; several if an option chooses the class."""
        annotation = get_type_hints(self.function)["return"]
        return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)

    @cached_property
    def kinds(self) -> tuple[type[Any], ...]:
        """The classes of the results, without the types of their items."""
        return tuple(get_origin(each) or each for each in self.returns)

    @cached_property
    def wire(self) -> Wire:
        """How HTTP sends the results."""
        wires: list[Wire] = [kind._wire for kind in self.kinds]
        outputs = dict.fromkeys(output for each in wires for output in each.outputs)
        return Wire(
            tuple(sorted(outputs, key=OUTPUTS.index)),
            is_data=all(each.is_data for each in wires),
            sends_file=any(each.sends_file for each in wires),
        )

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the request."""
        return json_schema(self.request)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""
        return parameters(self.request, self.schema)

    def reset_schema(self) -> None:
        """Make the schema again on next use, because the choices of a field have changed."""
        for name in ("schema", "parameters", "_arguments"):
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
        return self._arguments.bind(args, kwargs)

    def with_hex_colors(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with CSS colors as `#rrggbb`, for fields that accept hexadecimal digits only over HTTP.

        Raises:
            InvalidInput: A text is not a color.
        """
        return self._arguments.with_hex_colors(values)

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
    def _arguments(self) -> Arguments:
        return Arguments(self.name, self.request, self.parameters, self._adapt, self.validate)


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
    request: Callable[P, Request], **options: Unpack[ToolOptions[Request]]
) -> Callable[[Function[Request, R]], Tool[P, R]]:
    """Return a decorator that makes a function a tool.

    The name of the function is the name in every interface: `web_to_markdown` is `POST /web-to-markdown` and
    `mediakit web-to-markdown`. Tools with a file also take `multipart/form-data`.

    Args:
        request: The request class; its constructor is the tool's signature.
        options: See `ToolOptions`.
    """

    def decorate(function: Function[Request, R]) -> Tool[P, R]:
        return Tool(request, function, **options)

    return decorate


def _formats(produces: Sequence[str]) -> dict[str, str]:
    return {name: media for media in produces for name in format_names(media)}
