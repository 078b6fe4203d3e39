"""GS1 element strings, written `(01)09501101530003(10)ABC123` (GS1 General Specifications, sections 3 and 7)."""

import re
from dataclasses import dataclass

from mediakit.errors import InvalidInput
from mediakit.tools.images.barcode.digits import check_digit

PLAIN = 'gs1="off" draws the parentheses as plain text.'
ELEMENT = r"\((\d{2,4})\)([!-'*-Z_a-z]+)"
ELEMENTS = re.compile(f"(?:{ELEMENT})+")
LONGEST_LINEAR = 48
"""Characters of GS1-128, application identifiers and separators included (section 5.4)."""

KEYS = (
    r"00(?P<a>\d{18})|0[123](?P<b>\d{14})|25[35](?P<c>\d{13}).*|402(?P<d>\d{17})|41[0-7](?P<e>\d{13})"
    r"|8003(?P<f>\d{14}).*|80(?:06|26)(?P<g>\d{14})\d{4}|801[78](?P<h>\d{18})"
)
"""Elements with a check digit, the last of the digits that are named."""


@dataclass(frozen=True)
class Element:
    """An application identifier and its value."""

    identifier: str
    value: str
    ends: bool
    """Whether its length varies, so that a separator must end it."""


def looks_like(data: str) -> bool:
    """Tell whether a text is written as element strings."""
    return ELEMENTS.fullmatch(data) is not None


def elements(data: str) -> list[Element]:
    """Read element strings and verify them.

    Raises:
        InvalidInput: They are written wrongly, an identifier is unknown, or a value breaks its rule.
    """
    if not looks_like(data):
        raise InvalidInput('data: GS1 is written as "(01)09501101530003(10)ABC123".')
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
        raise InvalidInput(f"data: ({identifier}) is no GS1 application identifier; {PLAIN}")
    try:
        GS1ElementString.parse(identifier + value)
    except ParseError:
        rule = known.format.partition("+")[2]
        raise InvalidInput(
            f"data: ({identifier}) {known.data_title} does not hold {value!r}; its format is {rule}."
        ) from None
    _verify_check_digit(identifier, value)
    return Element(identifier, value, known.separator_required)


def _verify_check_digit(identifier: str, value: str) -> None:
    if key := re.fullmatch(KEYS, identifier + value):
        (digits,) = filter(None, key.groups())
        if digits[-1] != (right := check_digit(digits[:-1])):
            raise InvalidInput(f"data: check digit of ({identifier}) is {digits[-1]}, should be {right}.")
