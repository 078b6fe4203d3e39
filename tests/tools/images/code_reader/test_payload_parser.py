"""Parsed payloads and GS1 element strings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mediakit.engines import gs1
from mediakit.tools.images.code_reader.payload_parser import parse_payload

VCARD = """BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;;;
FN:Ada Lovelace
ORG:Analytical Engines;Research
TEL;TYPE=CELL:+44 20 7946 0000
item1.EMAIL:ada@example.com
EMAIL:ada@
 example.org
ADR:;;12 St James\\, Square;London;;SW1;UK
END:VCARD"""

SEPA = "BCD\n002\n1\nSCT\nBFSWDE33BER\nWikimedia\nDE33 1002 0500 0001 1947 00\nEUR12.50\nCHAR\n\nFor the servers"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("https://example.com/a?b=1", {"type": "url", "url": "https://example.com/a?b=1"}),
        ("WWW.EXAMPLE.COM/x", {"type": "url", "url": "https://WWW.EXAMPLE.COM/x"}),
        ("MEBKM:TITLE:Home;URL:http://a.example;;", {"type": "url", "url": "http://a.example", "title": "Home"}),
        (
            r"WIFI:T:WPA;S:a\;b\\c;P:\"x\:y\";H:true;;",
            {"type": "wifi", "ssid": r"a;b\c", "security": "WPA", "password": "x:y", "hidden": True},
        ),
        ("WIFI:S:Guests;;", {"type": "wifi", "ssid": "Guests", "security": "nopass", "hidden": False}),
        ("tel:+41446681800", {"type": "phone", "number": "+41446681800"}),
        ("SMSTO:+123:Hello: you", {"type": "sms", "number": "+123", "body": "Hello: you"}),
        ("sms:+123?body=Hi%20you", {"type": "sms", "number": "+123", "body": "Hi you"}),
        (
            "mailto:a@example.com?subject=Hi%20there&body=Text",
            {"type": "email", "to": "a@example.com", "subject": "Hi there", "body": "Text"},
        ),
        (
            "MATMSG:TO:a@example.com;SUB:Hi;BODY:Text;;",
            {"type": "email", "to": "a@example.com", "subject": "Hi", "body": "Text"},
        ),
        ("geo:47.37,8.54?q=Lake", {"type": "location", "latitude": 47.37, "longitude": 8.54, "query": "Lake"}),
        (
            "MECARD:N:Lovelace,Ada;TEL:123;TEL:456;EMAIL:ada@example.com;;",
            {"type": "contact", "name": "Ada Lovelace", "phones": ["123", "456"], "emails": ["ada@example.com"]},
        ),
        (
            VCARD,
            {
                "type": "contact",
                "name": "Ada Lovelace",
                "phones": ["+44 20 7946 0000"],
                "emails": ["ada@example.com", "ada@example.org"],
                "organization": "Analytical Engines, Research",
                "address": "12 St James, Square, London, SW1, UK",
            },
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\r\nSUMMARY:Tea\\, then chess\r\nDTSTART:20261201T160000Z\r\nEND:VEVENT\r\n",
            {"type": "event", "summary": "Tea, then chess", "start": "20261201T160000Z"},
        ),
        (
            SEPA,
            {
                "type": "payment",
                "scheme": "sepa",
                "name": "Wikimedia",
                "iban": "DE33100205000001194700",
                "bic": "BFSWDE33BER",
                "amount": "12.50",
                "currency": "EUR",
                "purpose": "CHAR",
                "text": "For the servers",
            },
        ),
    ],
)
def test_payload_is_parsed_to_fields(text: str, meaning: dict[str, object]) -> None:
    assert parse_payload(text) == meaning


@pytest.mark.parametrize(
    "text",
    ["", "hello", "http:/x", "geo:91,0", "geo:x", "WIFI:T:WPA;;", "javascript:alert(1)", "BCD\n1", "4006381333931"],
)
def test_plain_text_has_no_fields(text: str) -> None:
    assert parse_payload(text) is None


@given(
    st.sampled_from(["WIFI:", "BEGIN:VCARD\n", "MECARD:", "mailto:", "geo:", "BCD\n", "SPC\n", "sms:", ""]), st.text()
)
def test_any_text_is_parsed_without_an_exception(start: str, rest: str) -> None:
    meaning = parse_payload(start + rest)
    assert meaning is None or meaning["type"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("0109521234543213", [("01", "09521234543213")]),
        ("10ABC\x1d17261231", [("10", "ABC"), ("17", "261231")]),
        ("010952123454321317261231310200150010L-9", [
            ("01", "09521234543213"), ("17", "261231"), ("3102", "001500"), ("10", "L-9"),
        ]),
        ("\x1d8200https://example.com", [("8200", "https://example.com")]),
        ("42100SW1", [("421", "00SW1")]),
    ],
)  # fmt: skip
def test_element_string_is_parsed_to_fields(text: str, fields: list[tuple[str, str]]) -> None:
    assert [(each.identifier, each.value) for each in gs1.read_elements(text) or []] == fields


@pytest.mark.parametrize("text", ["01123", "x", "10", "hello world"])
def test_other_text_has_no_gs1_fields(text: str) -> None:
    assert gs1.read_elements(text) is None


@given(st.text(alphabet="0123456789\x1dAZ", max_size=60))
def test_any_element_string_is_parsed_without_an_exception(text: str) -> None:
    gs1.read_elements(text)
