"""A tool whose class of result depends on an option. `overloaded_tool.pyi` has what type checkers need to know."""

from collections.abc import Callable
from typing import Any


def overloads(*calls_and_results: Any) -> Callable[[Any], Any]:
    """Return a decorator that states the class of a tool's result for two or three kinds of calls.

    Args:
        calls_and_results: For each kind of calls a class with its arguments, which is a subclass of the request in
            which the option that decides is narrower, and the class of its result.
    """
    del calls_and_results
    return lambda tool: tool
