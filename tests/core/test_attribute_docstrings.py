"""The descriptions of fields, which are read from the source of their class."""

import ast
from typing import Any

import pytest

from mediakit.core.introspection import attribute_docstrings


class Options:
    size: int
    """Width in pixels."""
    name: str


def test_strings_below_attributes_are_their_descriptions() -> None:
    assert attribute_docstrings(Options) == {"size": "Width in pixels."}


def test_source_that_two_threads_parse_at_once_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, failures = ast.parse, [SystemError("AST constructor recursion depth mismatch")]

    def parse_with_a_failure(*args: Any) -> Any:
        if failures:
            raise failures.pop()
        return parse(*args)

    monkeypatch.setattr(ast, "parse", parse_with_a_failure)
    assert attribute_docstrings(Options) == {"size": "Width in pixels."}
