"""A tool: one request and one function, called in the same way by every interface."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, ClassVar, Generic, Literal, ParamSpec, Protocol, Self, TypeVar, cast, get_type_hints, overload

from mediakit.core.files import local_path
from mediakit.core.media import format_names
from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.core.request import build, field_names, invalid
from mediakit.errors import MediakitError

Tag = Literal["Images", "PDF", "Documents", "Files", "Validation", "Data", "Account"]
"""The groups of the service's tools, in the order of the documentation."""


class ToolResult(Protocol):
    """What a tool needs of the class of its result. The classes are in `mediakit.results`."""

    is_data: ClassVar[bool]

    def attach_call(self, tool: "Tool[..., Any]", request: Any) -> None:
        """Store the call that returned this result."""

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response."""


FORMAT_OPTIONS = ("format", "to")
"""Fields that choose the media type of a result."""

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)
Request = TypeVar("Request")

Function = Callable[[Request], R] | Callable[[Request], Coroutine[Any, Any, R]]


@dataclass(frozen=True)
class Example:
    """An example call for the API description, the documentation, the demo and the tests."""

    title: str
    values: Mapping[str, Any]


class ToolClient:
    """Base class of a client whose methods are the tools; each call blocks until its result is there."""

    def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError


class AsyncToolClient:
    """Base class of a client whose methods are the tools; each call is awaited."""

    async def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments of its function."""
        raise NotImplementedError


class Tool(Generic[P, R]):
    """A function of one request. Call it, or await `.aio(...)`. In the body of a client's class it becomes a method."""

    __name__: str

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
        too_large_error: type[MediakitError] | None,
        alt: Callable[[Any], str] | None,
        pixel_ratio: Callable[[Any], int] | None,
        adapt: Callable[[Mapping[str, Any]], dict[str, Any]],
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
        """Whether the tool needs a browser; the name of a field if it needs one only with that field."""
        self.too_large_error = too_large_error
        """The error for a body that is too large, where it is not the usual 400."""
        self.alt = alt
        """Returns the alt text of a request's result."""
        self.pixel_ratio = pixel_ratio
        """Returns the image pixels in a CSS pixel of a request's result."""
        self._adapt = adapt
        update_wrapper(self, function)
        self.__signature__ = inspect.signature(request)

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

    @cached_property
    def result(self) -> type[R]:
        """The class of the result."""
        return cast("type[R]", get_type_hints(self.function)["return"])

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the request."""
        return json_schema(self.request)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""
        return parameters(self.request, self.schema)

    @property
    def takes_files(self) -> bool:
        """Whether a field of the request holds a file."""
        return any(parameter.is_file for parameter in self.parameters)

    def build(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Return the validated request of a call, without running it.

        Raises:
            InvalidInput: A value breaks a rule.
        """
        return self.validate(self.bind(*args, **kwargs))

    def bind(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the arguments of a Python call by field name, ready for `validate`.

        Text that names a file becomes its path, and what only Python can hold (a data frame) what JSON can.

        Raises:
            TypeError: There are too many positional arguments, or two values for one name.
            InvalidInput: A file does not exist.
        """
        names = list(field_names(self.request))
        positional = [p for p in self.__signature__.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(args) > len(positional):
            raise TypeError(f"{self.name}() takes {len(positional)} positional arguments, got {len(args)}")
        values = dict(zip(names, args, strict=False))
        for name in values.keys() & kwargs.keys():
            raise TypeError(f"{self.name}() got two values for {name!r}")
        return self._with_paths(self._adapt(values | kwargs))

    def validate(self, values: Mapping[str, Any]) -> Any:
        """Return the request made from values by field name or alias.

        Raises:
            InvalidInput: A name is unknown or a value breaks a rule.
        """
        return build(self.request, values)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool and return its result. Works in scripts, threads and notebook cells."""
        return self.run(self.build(*args, **kwargs))

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool without blocking the running event loop."""
        return await self.arun(self.build(*args, **kwargs))

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
        for parameter in self.parameters:
            for name in (parameter.name, *parameter.aliases):
                if parameter.is_file and name in values:
                    values[name] = _with_path(parameter, values[name])
        return values


class ClientTool(Generic[P, R]):
    """A tool as a method of a client, such as `client.qr`."""

    def __init__(self, tool: Tool[P, R], client: ToolClient) -> None:
        self.tool = tool
        self.client = client
        update_wrapper(self, tool)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the tool on the client's server."""
        return self.client.call(self.tool, *args, **kwargs)


class AsyncClientTool(Generic[P, R]):
    """A tool as a method of an async client; its calls are awaited."""

    def __init__(self, tool: Tool[P, R], client: AsyncToolClient) -> None:
        self.tool = tool
        self.client = client
        update_wrapper(self, tool)

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
    too_large_error: type[MediakitError] | None = None,
    alt: Callable[[Request], str] | None = None,
    pixel_ratio: Callable[[Request], int] | None = None,
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]] = dict,
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
        too_large_error: The error for a body that is too large; 400 by default.
        alt: Returns the alt text of a request's result.
        pixel_ratio: Returns the image pixels in a CSS pixel of a request's result; 1 by default.
        adapt: Turns values that only Python callers can pass, such as a data frame, into values of the request.
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
            too_large_error=too_large_error,
            alt=alt,
            pixel_ratio=pixel_ratio,
            adapt=adapt,
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
