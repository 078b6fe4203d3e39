"""A tool whose class of result depends on an option. `overloaded_tool.pyi` has what type checkers need to know."""

from collections.abc import Callable
from typing import Any


def overloads(
    first: Callable[..., Any], first_result: type[Any], second: Callable[..., Any], second_result: type[Any]
) -> Callable[[Any], Any]:
    """Return a decorator that states the class of a tool's result for two kinds of calls.

    Args:
        first: A class with the arguments of the first kind: a subclass of the request in which the option that decides
            is narrower.
        first_result: The class of the result of such calls.
        second: The same for the second kind of calls.
        second_result: The class of their result.
    """
    del first, first_result, second, second_result

    def decorate(tool: Any) -> Any:
        return tool

    return decorate
