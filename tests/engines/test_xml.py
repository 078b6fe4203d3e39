import pytest

from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput

BILLION = b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'


def test_elements_and_text_are_parsed() -> None:
    assert parse_xml(b"<a><b>text</b></a>", "a.xml").findtext("b") == "text"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<a>", "file: its part a.xml is damaged XML."),
        (b"", "file: its part a.xml is damaged XML."),
        (BILLION, "file: its part a.xml declares a DTD, which is not allowed."),
        (b"<a>" * 201 + b"</a>" * 201, "file: its part a.xml is nested deeper than 200 levels."),
    ],
)
def test_unsafe_xml_is_rejected(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_xml(content, "a.xml")
    assert str(caught.value) == message


def test_external_entity_is_not_read() -> None:
    with pytest.raises(InvalidInput, match="declares a DTD"):
        parse_xml(b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "a.xml")
