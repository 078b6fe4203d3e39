"""Removes what is not visible from values: white space around them, and invisible characters."""

import re

MAX_VALUES = 1000
MAX_VALUE_CHARACTERS = 1000

FNC1 = "\x1d"
"""The separator of GS1 element strings. Python counts it as white space, but in a code it has a meaning."""

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""Characters without an image and without width, and marks of the direction of text."""

_AROUND = rf"[\s\x00-\x1f\x7f-\x9f{_INVISIBLE}]"
_START = re.compile(rf"(?:(?!{FNC1}){_AROUND})+")
_END = re.compile(rf"(?:(?!{FNC1}){_AROUND})*\Z")
_INSIDE = re.compile(f"[{_INVISIBLE}]+")
LINE_BREAK = re.compile(r"\r\n|\n|\r")


def trimmed(value: str) -> str:
    """Return a value without the white space and the invisible characters around it."""
    start = _START.match(value)
    value = value[start.end() :] if start else value
    end = len(value)
    while end and _END.match(value, end - 1):
        end -= 1
    return value[:end]


def cleaned(value: str) -> str:
    """Return a trimmed value, without the invisible characters inside it as well."""
    return trimmed(_INSIDE.sub("", value))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; one if it has no line break but around it, as in the last line of a file."""
    if not LINE_BREAK.search(trimmed(text)):
        return [text]
    return LINE_BREAK.split(text.strip("\r\n"))
