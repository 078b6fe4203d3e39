"""A tool: one request and one function, called the same way from every face."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_type_hints, overload

from mediakit.core.parameters import Parameter, json_schema, parameters
from mediakit.core.request import build, field_names
from mediakit.errors import MediakitError
from mediakit.results.result import Result

P = ParamSpec("P")
R = TypeVar("R", bound=Result)
Request = TypeVar("Request")

Function = Callable[[Request], R] | Callable[[Request], Coroutine[Any, Any, R]]


@dataclass(frozen=True)
class Example:
    """A call worth showing: in the API's description, on its page and in the demo."""

    title: str
    values: Mapping[str, Any]


class Caller:
    """A client whose methods are the tools; each call waits for its result."""

    def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments that its function takes."""
        raise NotImplementedError


class AsyncCaller:
    """A client whose methods are the tools; each call is awaited."""

    async def call(self, tool: "Tool[P, R]", *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool with the arguments that its function takes."""
        raise NotImplementedError


class Tool(Generic[P, R]):
    """A function over one request. Call it, or await `.aio(...)`; in a client's class body it is a method."""

    __name__: str

    def __init__(
        self,
        request: Callable[P, Any],
        function: Function[Any, R],
        *,
        path: str,
        tag: str,
        raw: Mapping[str, str],
        makes: Sequence[str],
        errors: Sequence[type[MediakitError]],
        examples: Sequence[Example],
        alt: Callable[[Any], str] | None,
        accept: Callable[[Mapping[str, Any]], dict[str, Any]],
    ) -> None:
        self.request = cast("type[Any]", request)
        self.function = function
        self.path = path
        self.tag = tag
        self.raw = dict(raw)
        """Media type of a raw body to the field that it fills."""
        self.makes = tuple(makes)
        """Media types of what it makes."""
        self.errors = tuple(errors)
        """What it can raise beyond what every tool can."""
        self.examples = tuple(examples)
        self._alt = alt
        self._accept = accept
        update_wrapper(self, function)
        self.__signature__ = inspect.signature(request)

    @property
    def name(self) -> str:
        """The name on every face, as Python writes it."""
        return self.function.__name__

    @property
    def command(self) -> str:
        """The name in the shell."""
        return self.path.removeprefix("/")

    @property
    def summary(self) -> str:
        """What the tool does, in a sentence."""
        return inspect.getdoc(self.function).partition("\n")[0]  # type: ignore[union-attr]  # tool() requires one

    @cached_property
    def description(self) -> str:
        """The paragraphs for every face: the docstring up to its Google-style sections, without the summary."""
        text = inspect.getdoc(self.function).partition("\n")[2]  # type: ignore[union-attr]
        return text.partition("\nRaises:")[0].partition("\nReturns:")[0].strip()

    @cached_property
    def result(self) -> type[R]:
        """The class of what the tool gives back."""
        return cast("type[R]", get_type_hints(self.function)["return"])

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the request."""
        return json_schema(self.request)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields of the request, in their order."""
        return parameters(self.request, self.schema)

    def build(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Make and check the request of a call without running it.

        Raises:
            InvalidInput: A value breaks a rule.
        """
        return self.validate(self.bind(*args, **kwargs))

    def bind(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Name the values of a call that were given, as JSON could hold them where the tool takes more from Python."""
        names = list(field_names(self.request))
        positional = [p for p in self.__signature__.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(args) > len(positional):
            raise TypeError(f"{self.name}() takes {len(positional)} values by position, got {len(args)}")
        given = dict(zip(names, args, strict=False))
        for name in given.keys() & kwargs.keys():
            raise TypeError(f"{self.name}() got two values for {name!r}")
        return self._accept(given | kwargs)

    def validate(self, values: Mapping[str, Any]) -> Any:
        """Make and check a request from values by field name or alias.

        Raises:
            InvalidInput: A name is unknown or a value breaks a rule.
        """
        return build(self.request, values)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool and give its result; works in scripts, threads and cells alike."""
        return self.run(self.build(*args, **kwargs))

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the tool without blocking the running event loop."""
        return await self.arun(self.build(*args, **kwargs))

    def run(self, request: Any) -> R:
        """Run the tool on a request that `validate` has made."""
        if inspect.iscoroutinefunction(self.function):
            from mediakit.core.runtime import runtime

            return self.described(request, runtime.run(self.function(request)))
        return self.described(request, cast("R", self.function(request)))

    async def arun(self, request: Any) -> R:
        """Run the tool on a request, off the running event loop."""
        if inspect.iscoroutinefunction(self.function):
            from mediakit.core.runtime import runtime

            return self.described(request, await runtime.wait(self.function(request)))
        import asyncio

        return self.described(request, cast("R", await asyncio.to_thread(self.function, request)))

    def described(self, request: Any, result: R) -> R:
        """Give the result with its call, and with its alt text where the tool has none of its own."""
        result._call = (self, request)  # noqa: SLF001  # nobody else knows both
        result.made_for(request)
        if self._alt and not result.alt:
            result.alt = self._alt(request)
        return result

    @overload
    def __get__(self, instance: None, owner: type) -> "Tool[P, R]": ...
    @overload
    def __get__(self, instance: Caller, owner: type) -> Callable[P, R]: ...
    @overload
    def __get__(self, instance: AsyncCaller, owner: type) -> Callable[P, Awaitable[R]]: ...
    def __get__(self, instance: Caller | AsyncCaller | None, owner: type) -> Any:
        """Become a method of a client."""
        if instance is None:
            return self

        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return instance.call(self, *args, **kwargs)

        bound: Any = update_wrapper(method, self)
        bound.__self__ = instance  # as Python's own methods name theirs
        return bound

    def __reduce__(self) -> str:
        return self.name  # pickled as the module's own, like a function

    def __repr__(self) -> str:
        return f"<mediakit.{self.name}: {self.summary}>"


def tool(
    request: Callable[P, Request],
    *,
    path: str,
    tag: str,
    raw: Mapping[str, str],
    makes: Sequence[str],
    errors: Sequence[type[MediakitError]] = (),
    examples: Sequence[Example] = (),
    alt: Callable[[Request], str] | None = None,
    accept: Callable[[Mapping[str, Any]], dict[str, Any]] = dict,
) -> Callable[[Function[Request, R]], Tool[P, R]]:
    """Make a function a tool.

    Args:
        request: The request class; its constructor is the tool's signature.
        path: The HTTP path, and after its slash the command in the shell.
        tag: The group that documents name it in.
        raw: Media types accepted as a raw body (`image/*` for any image), each with the field that it fills.
        makes: Media types of what it makes.
        errors: What it can raise beyond what every tool can (400, 401, 403, 429, 503).
        examples: Calls worth showing.
        alt: Writes the alt text of a result from its request.
        accept: Turns what callers in Python alone can give, such as a DataFrame, into what the request takes.
    """

    def decorate(function: Function[Request, R]) -> Tool[P, R]:
        return Tool(
            request,
            function,
            path=path,
            tag=tag,
            raw=raw,
            makes=makes,
            errors=errors,
            examples=examples,
            alt=alt,
            accept=accept,
        )

    return decorate
