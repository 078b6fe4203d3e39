"""A tool: one request and one function, called in the same way by every interface."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import cached_property, update_wrapper
from typing import (
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    cast,
    overload,
)

from mediakit.core.arguments import Arguments
from mediakit.core.introspection import Help, PublicNames, readable_signature, with_signature
from mediakit.core.request import build
from mediakit.core.spec import DescribedTool, Example, Tag, ToolSpec, Wire

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


class Tool(DescribedTool, Generic[P, R]):
    """A function of one request. Call it, or await `.aio(...)`. In the body of a client's class it becomes a method."""

    __name__: str
    __doc__ = Help()
    aio = _Aio()
    """Run the tool without blocking the running event loop: `await tool.aio(...)`."""

    def __init__(self, spec: ToolSpec[P, Any], function: Function[Any, R]) -> None:
        super().__init__(spec, function)
        self.function: Function[Any, R] = function
        update_wrapper(self, function, ("__module__", "__name__", "__qualname__"))

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
        from mediakit.core.help import help_text

        return help_text(self, call or f"mediakit.{self.name}", note)

    def build(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Return the validated request of a call, without running it.

        Raises:
            InvalidInput: A value breaks a rule.
        """
        return self.validate(self.arguments.bind(*args, **kwargs))

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
    def arguments(self) -> Arguments:
        """Turns what Python callers pass into the values of a request."""
        return Arguments(self)


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


class tool(ToolSpec[P, Request]):  # noqa: N801  # a decorator
    """Makes a function a tool: `@tool(QrRequest, tag="Images", ...)`.

    The name of the function is the name in every interface: `web_to_markdown` is `POST /web-to-markdown` and
    `mediakit web-to-markdown`. Tools with a file also take `multipart/form-data`.
    """

    def __call__(self, function: Function[Request, R]) -> Tool[P, R]:
        """Return the tool."""
        return Tool(self, function)
