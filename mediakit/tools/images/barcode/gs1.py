"""GS1 element strings in the form `(01)09501101530003(10)ABC123` (GS1 General Specifications, sections 3 and 7)."""

import re
from dataclasses import dataclass

from mediakit.errors import InvalidInput
from mediakit.tools.images.barcode.trade_numbers import check_digit

PLAIN_TEXT_HINT = 'Use gs1="off" to encode the parentheses as plain text.'
ELEMENT = r"\((\d{2,4})\)([!-'*-Z_a-z]+)"
ELEMENTS = re.compile(f"(?:{ELEMENT})+")
MAX_GS1_128_LENGTH = 48
"""Maximum characters of GS1-128, including application identifiers and separators (section 5.4)."""

CHECKED_ELEMENTS = (
    r"00(?P<a>\d{18})|0[123](?P<b>\d{14})|25[35](?P<c>\d{13}).*|402(?P<d>\d{17})|41[0-7](?P<e>\d{13})"
    r"|8003(?P<f>\d{14}).*|80(?:06|26)(?P<g>\d{14})\d{4}|801[78](?P<h>\d{18})"
)
"""Elements with a check digit, which is the last digit of the named group."""


@dataclass(frozen=True)
class Element:
    """An application identifier and its value."""

    identifier: str
    value: str
    needs_separator: bool
    """Whether a separator must follow, because the length varies."""


def is_element_string(data: str) -> bool:
    """Return whether a text consists of element strings."""
    return ELEMENTS.fullmatch(data) is not None


def parse(data: str) -> list[Element]:
    """Parse and verify element strings.

    Raises:
        InvalidInput: The syntax is wrong, an identifier is unknown, or a value is invalid.
    """
    if not is_element_string(data):
        raise InvalidInput('data: must have the form "(01)09501101530003(10)ABC123" for GS1.')
    return [_element(identifier, value) for identifier, value in re.findall(ELEMENT, data)]


def _element(identifier: str, value: str) -> Element:
    from biip import ParseError
    from biip.gs1_application_identifiers import GS1ApplicationIdentifier
    from biip.gs1_element_strings import GS1ElementString

    try:
        known = GS1ApplicationIdentifier.extract(identifier)
    except ParseError:
        known = None
    if known is None or known.ai != identifier:
        raise InvalidInput(f"data: ({identifier}) is not a GS1 application identifier. {PLAIN_TEXT_HINT}")
    try:
        GS1ElementString.parse(identifier + value)
    except ParseError:
        rule = known.format.partition("+")[2]
        raise InvalidInput(
            f"data: ({identifier}) {known.data_title} must have the format {rule}, got {value!r}."
        ) from None
    _verify_check_digit(identifier, value)
    return Element(identifier, value, known.separator_required)


def _verify_check_digit(identifier: str, value: str) -> None:
    if key := re.fullmatch(CHECKED_ELEMENTS, identifier + value):
        (digits,) = filter(None, key.groups())
        if digits[-1] != (right := check_digit(digits[:-1])):
            raise InvalidInput(f"data: check digit of ({identifier}) is {digits[-1]}, should be {right}.")
