"""GS1 element strings: application identifiers and their values (GS1 General Specifications, chapters 3 and 7)."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biip.gs1_application_identifiers import GS1ApplicationIdentifier

SEPARATOR = "\x1d"
"""FNC1 in decoded text; it ends a value of variable length."""

CHECKED_ELEMENTS = re.compile(
    r"00(?P<a>\d{18})|0[123](?P<b>\d{14})|25[35](?P<c>\d{13}).*|402(?P<d>\d{17})|41[0-7](?P<e>\d{13})"
    r"|8003(?P<f>\d{14}).*|80(?:06|26)(?P<g>\d{14})\d{4}|801[78](?P<h>\d{18})"
)
"""Elements with a check digit, which is the last digit of the named group."""

_BRACKETED = re.compile(r"\(\s*([0-9]{2,5})\s*\)")
_FIXED_LENGTH = re.compile(r"[NX](\d+)(?=\+|$)")


@dataclass(frozen=True)
class Element:
    """An application identifier and its value."""

    identifier: str
    title: str
    """Data title, as printed beside codes."""
    value: str
    needs_separator: bool
    """Whether a separator must follow, because the length varies."""


class InvalidElementError(ValueError):
    """An element that is not valid, with a sentence that says why."""


def identifier_at(text: str) -> "GS1ApplicationIdentifier | None":
    """Return the application identifier that a text begins with; None if there is none."""
    from biip import ParseError
    from biip.gs1_application_identifiers import GS1ApplicationIdentifier

    try:
        return GS1ApplicationIdentifier.extract(text)
    except ParseError:
        return None


def is_identifier(text: str) -> bool:
    """Return whether a text is an application identifier."""
    found = identifier_at(text)
    return found is not None and found.ai == text


def read_elements(text: str) -> list[Element] | None:
    """Return the elements of a decoded text without brackets, whatever their values; None if it has other text.

    U+001D ends a value of variable length.
    """
    found, rest = [], text.removeprefix(SEPARATOR)
    while rest:
        if (known := identifier_at(rest)) is None:
            return None
        rest = rest[len(known.ai) :]
        value, _, after = rest.partition(SEPARATOR)
        if not known.separator_required:
            length = sum(map(int, _FIXED_LENGTH.findall(known.format))) - len(known.ai)
            value, after = rest[:length], rest[length:].removeprefix(SEPARATOR)
            if len(value) < length:
                return None
        if not value:
            return None
        found.append(Element(known.ai, known.data_title, value, known.separator_required))
        rest = after
    return found


def split_brackets(text: str) -> list[tuple[str, str]]:
    """Return the identifiers and values of a text such as `(01)09501101530003(10)A(B)C`; none if no brackets begin it.

    Values may contain brackets: only those around an application identifier begin another element.
    """
    starts = [start for start in _BRACKETED.finditer(text) if not start.start() or is_identifier(start[1])]
    if not starts or starts[0].start():
        return []
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return [(start[1], text[start.end() : end].strip(" ")) for start, end in zip(starts, ends, strict=True)]


def bracketed_elements(text: str) -> list[Element]:
    """Return the elements of a text such as `(01)09501101530003(10)A(B)C`, verified.

    Raises:
        InvalidElementError: The first brackets have no application identifier, or a value is invalid.
    """
    found = split_brackets(text)
    if not found or not is_identifier(found[0][0]):
        raise InvalidElementError('must have the form "(01)09501101530003(10)ABC123" for GS1')
    return [_element(*each) for each in found]


def _element(identifier: str, value: str) -> Element:
    from biip import ParseError
    from biip.checksums import gs1_standard_check_digit
    from biip.gs1_element_strings import GS1ElementString

    known = identifier_at(identifier)
    assert known is not None  # noqa: S101 - the caller found it
    try:
        is_valid = GS1ElementString.parse(identifier + value).value == value
    except ParseError:
        is_valid = False
    if not is_valid:
        rule = known.format.partition("+")[2]
        raise InvalidElementError(f"({identifier}) {known.data_title} must have the format {rule}, got {value!r}")
    if key := CHECKED_ELEMENTS.fullmatch(identifier + value):
        (digits,) = filter(None, key.groups())
        if digits[-1] != (right := str(gs1_standard_check_digit(digits[:-1]))):
            raise InvalidElementError(f"check digit of ({identifier}) is {digits[-1]}, should be {right}")
    return Element(identifier, known.data_title, value, known.separator_required)
