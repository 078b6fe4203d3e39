"""Methods with the signature and the help text of a tool, for `?`, Shift+Tab and `help()`."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar, cast

M = TypeVar("M", bound=Callable[..., Any])


class Help:
    """The docstring of an instance: its `help()`. The class itself has none, so that `?` does not repeat it."""

    def __get__(self, instance: Any, owner: type) -> str:
        """Return the help text of an instance."""
        return "" if instance is None else str(instance.help())


def with_signature(method: M) -> M:
    """Return a method that has the signature of its instance instead of `*args, **kwargs`."""
    return cast("M", _SignedMethod(method))


class _SignedMethod:
    """A method whose bound form is a function with the signature of the instance, without a docstring."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        """Return the bound method."""
        if instance is None:
            return self._method
        call = _bound(self._method, instance)
        call.__signature__ = instance.__signature__
        call.__doc__ = ""
        return cast("Callable[..., Any]", call)


def _bound(method: Callable[..., Any], instance: Any) -> Any:
    if iscoroutinefunction(method):

        @wraps(method)
        async def call_async(*args: Any, **kwargs: Any) -> Any:
            return await method(instance, *args, **kwargs)

        return call_async

    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        return method(instance, *args, **kwargs)

    return call
