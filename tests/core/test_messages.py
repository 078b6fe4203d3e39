"""Error messages: the field first, the rule, and the value that was passed."""

from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.messages import MAX_QUOTED_LENGTH, nearest, quote
from mediakit.core.request import CONFIG, build, request
from mediakit.core.suggestions import similar
from mediakit.errors import InvalidInput


class Point(TypedDict):
    """A nested value."""

    __pydantic_config__ = CONFIG  # type: ignore[misc]  # how pydantic configures a TypedDict
    x: Annotated[int, Field(ge=0)]
    label: NotRequired[str]


@request
class Drawing:
    """A request with a field of every kind."""

    text: Annotated[str, Field(min_length=1, max_length=5)]
    _: KW_ONLY
    size: Annotated[int, Field(ge=64, le=2000)] = 64
    scale: Annotated[float, Field(ge=0.5, le=2)] = 1
    optional: Annotated[int, Field(ge=1, le=9)] | None = None
    least: Annotated[int, Field(ge=1)] = 1
    most: Annotated[int, Field(le=9)] = 9
    ratio: float = 1
    dark: bool = False
    format: Literal["png", "jpeg", "webp"] = "png"
    tags: Annotated[list[Annotated[str, Field(min_length=2)]], Field(min_length=1, max_length=2)] | None = None
    points: list[Point] | None = None
    data: dict[str, Any] | None = None


def error_of(**values: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        build(Drawing, {"text": "x", **values})
    return caught.value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"size": 9}, "size: must be between 64 and 2000, got 9."),
        ({"size": 2001}, "size: must be between 64 and 2000, got 2001."),
        ({"size": -1}, "size: must be between 64 and 2000, got -1."),
        ({"size": 1.0}, "size: must be between 64 and 2000, got 1."),
        ({"size": 64.5}, "size: must be an integer, got 64.5."),
        ({"size": "64"}, 'size: must be an integer, got "64".'),
        ({"size": True}, "size: must be an integer, got true."),
        ({"size": []}, "size: must be an integer, got []."),
        ({"size": 1e300}, "size: must be between 64 and 2000, got"),
        ({"scale": 3}, "scale: must be between 0.5 and 2, got 3."),
        ({"scale": 0.25}, "scale: must be between 0.5 and 2, got 0.25."),
        ({"scale": "1"}, 'scale: must be a number, got "1".'),
        ({"optional": 10}, "optional: must be between 1 and 9, got 10."),
        ({"least": 0}, "least: must be at least 1, got 0."),
        ({"most": 10}, "most: must be at most 9, got 10."),
        ({"ratio": float("nan")}, "ratio: must be a finite number."),
        ({"ratio": float("inf")}, "ratio: must be a finite number."),
        ({"dark": 1}, "dark: must be true or false, got 1."),
        ({"dark": "yes"}, 'dark: must be true or false, got "yes".'),
        ({"text": ""}, "text: must not be empty."),
        ({"text": "123456"}, "text: must have at most 5 characters, got 6."),
        ({"text": b"x"}, "text: must be text, got 1 byte."),
        ({"text": "\ud800"}, "text: must be valid Unicode text, without lone surrogates."),
        ({"tags": []}, "tags: must have at least 1 item."),
        ({"tags": ["ab", "cd", "ef"]}, "tags: must have at most 2 items, got 3."),
        ({"tags": "ab"}, 'tags: must be a list such as ["ab"], got "ab".'),
        ({"tags": ["ab", "c"]}, "tags[1]: must have at least 2 characters, got 1."),
        ({"tags": ["ab", 5]}, "tags[1]: must be text, got 5."),
        ({"data": []}, "data: must be an object, got []."),
        ({"points": [{"x": 1}, {"x": -1}]}, "points[1].x: must be at least 0, got -1."),
        ({"points": [{"x": 1, "label": 5}]}, "points[0].label: must be text, got 5."),
        ({"points": [{}]}, "points[0].x: is required."),
        ({"points": [{"x": 1, "z": 1}]}, "points[0].z: is not a known field."),
    ],
    ids=lambda value: repr(value)[:40] if isinstance(value, dict) else "",
)
def test_invalid_value_is_explained_with_field_rule_and_value(values: dict[str, Any], message: str) -> None:
    assert str(error_of(**values)).startswith(message)
    assert str(error_of(**values)).endswith(".")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("jpg", ' Did you mean "jpeg"?'),
        ("JPEG", ' Did you mean "jpeg"?'),
        ("pngg", ' Did you mean "png"?'),
        ("wepb", ' Did you mean "webp"?'),
        ("tiff", ""),
        (5, ""),
        (None, ""),
    ],
)
def test_unknown_choice_suggests_similar_one(value: Any, hint: str) -> None:
    assert str(error_of(format=value)) == f"format: must be one of 'png', 'jpeg' or 'webp', got {quote(value)}.{hint}"


@pytest.mark.parametrize(("passed", "kept"), [(512.0, 512), (64, 64), (2e3, 2000)])
def test_whole_float_is_accepted_as_integer(passed: float, kept: int) -> None:
    made = build(Drawing, {"text": "x", "size": passed})
    assert made.size == kept
    assert isinstance(made.size, int)


def test_missing_field_is_required() -> None:
    with pytest.raises(InvalidInput, match=r"^text: is required\.$"):
        build(Drawing, {})


def test_unknown_field_suggests_similar_name() -> None:
    assert str(error_of(sise=1)) == 'sise: is not a known field; did you mean "size"?'
    assert str(error_of(zzzz=1)).startswith("zzzz: is not a known field; known names are text, size, scale,")


def test_several_errors_are_in_order_of_fields() -> None:
    error = error_of(format="x", size=1, dark=5)
    assert [detail["field"] for detail in error.details] == ["size", "dark", "format"]
    assert str(error) == "size: must be between 64 and 2000, got 1. (2 more in details)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("é", '"é"'),
        (None, "null"),
        (True, "true"),
        ({"a": [1]}, '{"a": [1]}'),
        (b"abc", "3 bytes"),
        (object(), "an object"),
        ({1, 2}, "a set"),
        (b"x", "1 byte"),
        ("x" * 50, f'"{"x" * 39}…'),
        ("\ud800", '"?"'),
    ],
)
def test_quote_writes_value_as_short_json(value: Any, text: str) -> None:
    assert quote(value) == text


def test_nearest_suggests_similar_name_or_lists_all() -> None:
    assert nearest("heigth", ["width", "height"]) == 'did you mean "height"?'
    assert nearest("x", ["width", "height"]) == "known names are width, height."
    assert similar("WIDTH", ["width", "height"]) == "width"
    assert similar("", ["width"]) is None


def test_quoted_value_of_the_greatest_length_is_not_truncated() -> None:
    longest = "x" * (MAX_QUOTED_LENGTH - 2)  # without the quotes
    assert quote(longest) == f'"{longest}"'
    assert quote(f"{longest}y") == f'"{longest}y…'
