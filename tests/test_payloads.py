"""`mediakit.payloads`: texts in the formats that phones support."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pandas as pd
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

import mediakit
from mediakit import payloads
from mediakit.errors import InvalidInput


def unescaped(text: str) -> list[str]:
    """Split a value at unescaped semicolons and remove the escapes, as a phone does."""
    parts, escaped = [""], False
    for char in text:
        if escaped or char not in ";\\":
            parts[-1] += {"n": "\n"}.get(char, char) if escaped else char
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            parts.append("")
    return parts


def line(text: str, label: str) -> str:
    """Return the value of the first line of a vCard or an event with this name."""
    (value,) = [row.removeprefix(label) for row in text.split("\r\n") if row.startswith(label)]
    return value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (payloads.wifi("Guests", password="sunflower-42"), "WIFI:T:WPA;S:Guests;P:sunflower-42;;"),
        (payloads.wifi("Café"), "WIFI:T:nopass;S:Café;;"),
        (payloads.wifi("lab", password="a;b", security="WEP", hidden=True), r"WIFI:T:WEP;S:lab;P:a\;b;H:true;;"),
        (payloads.phone("+49 (30) 90-18.20"), "tel:+4930901820"),
        (payloads.location(48.20849, -16.37208), "geo:48.20849,-16.37208"),
        (payloads.location(-0.00000001, 180), "geo:0,180"),
        (payloads.email("ada@example.com"), "mailto:ada@example.com"),
    ],
)
def test_payload_has_the_text_of_its_format(text: str, expected: str) -> None:
    assert text == expected


@given(
    st.text(min_size=1, max_size=8),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63),
)
def test_wifi_escapes_any_name_and_password(name: str, password: str) -> None:
    fields = re.fullmatch(
        r"WIFI:T:WPA;S:((?:[^;\\]|\\.)*);P:((?:[^;\\]|\\.)*);;", payloads.wifi(name, password=password), re.DOTALL
    )
    assert fields
    assert [re.sub(r"\\(.)", r"\1", field, flags=re.DOTALL) for field in fields.groups()] == [name, password]


def test_contact_contains_all_fields() -> None:
    text = payloads.contact(
        "Ada Lovelace",
        phone=["+44 20 7946 0018", "+44 7700 900123"],
        email="ada@example.com",
        organization="Babbage, Sons; Co",
        title="Countess",
        url="https://example.com/ada",
        street="12 St James's Square",
        city="London",
        country="United Kingdom",
        birthday=date(1815, 12, 10),
        note="First line\nback\\slash",
    )
    assert text.startswith("BEGIN:VCARD\r\nVERSION:3.0\r\n")
    assert text.endswith("\r\nEND:VCARD")
    assert line(text, "N:") == "Lovelace;Ada;;;"
    assert line(text, "FN:") == "Ada Lovelace"
    assert unescaped(line(text, "ORG:")) == ["Babbage, Sons; Co"]
    assert unescaped(line(text, "NOTE:")) == ["First line\nback\\slash"]
    assert unescaped(line(text, "ADR:")) == ["", "", "12 St James's Square", "London", "", "", "United Kingdom"]
    assert [row for row in text.split("\r\n") if row.startswith("TEL:")] == ["TEL:+442079460018", "TEL:+447700900123"]
    assert line(text, "BDAY:") == "1815-12-10"


def test_contact_of_one_word_has_only_a_given_name() -> None:
    assert line(payloads.contact("Plato"), "N:") == ";Plato;;;"
    assert line(payloads.contact("Maria", family_name="de la Cruz"), "N:") == "de la Cruz;Maria;;;"
    assert line(payloads.contact("Maria", family_name="de la Cruz"), "FN:") == "Maria de la Cruz"


def test_event_times_are_utc_local_or_whole_days() -> None:
    berlin = timezone(timedelta(hours=2))
    start = datetime(2026, 5, 1, 18, 30, tzinfo=berlin)
    text = payloads.event("Concert; late", start, start + timedelta(hours=2), location="Hall 1, left")
    assert line(text, "DTSTART:") == "20260501T163000Z"
    assert line(text, "DTEND:") == "20260501T183000Z"
    assert unescaped(line(text, "SUMMARY:")) == ["Concert; late"]
    assert unescaped(line(text, "LOCATION:")) == ["Hall 1, left"]
    assert line(payloads.event("Lunch", datetime(2026, 5, 1, 12)), "DTSTART:") == "20260501T120000"  # noqa: DTZ001
    days = payloads.event("Fair", date(2026, 5, 1), date(2026, 5, 3))
    assert line(days, "DTSTART;VALUE=DATE:") == "20260501"
    assert line(days, "DTEND;VALUE=DATE:") == "20260504"


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_email_encodes_any_subject_and_body(subject: str, body: str) -> None:
    parts = urlsplit(payloads.email("a+b@example.com", subject=subject, body=body))
    fields = parse_qs(parts.query, keep_blank_values=True)
    assert unquote(parts.path) == "a+b@example.com"
    assert fields["subject"][0].replace("\r\n", "\n") == subject.replace("\r\n", "\n")
    assert fields.get("body", [""])[0].replace("\r\n", "\n") == body.replace("\r\n", "\n")


def test_payment_equals_the_example_of_the_standard() -> None:
    text = payloads.payment(
        "Red Cross",
        "BE72 0000 0000 1616",
        1,
        text="Urgency fund",
        bic="BPOTBEB1",
        purpose="CHAR",
        hint="Sample EPC QR code",
    )
    assert text.split("\n") == [
        "BCD",
        "002",
        "1",
        "SCT",
        "BPOTBEB1",
        "Red Cross",
        "BE72000000001616",
        "EUR1.00",
        "CHAR",
        "",
        "Urgency fund",
        "Sample EPC QR code",
    ]


def test_payment_omits_trailing_empty_lines() -> None:
    text = payloads.payment("Wikimedia", "DE33100205000001194700", Decimal("12.5"), reference="RF18 5390 0754 7034")
    assert text.split("\n")[5:] == ["Wikimedia", "DE33100205000001194700", "EUR12.50", "", "RF18539007547034"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: payloads.wifi(""), "name: must have 1 to 32 bytes, got 0"),
        (lambda: payloads.wifi("ü" * 17), "name: must have 1 to 32 bytes, got 34"),
        (lambda: payloads.wifi("x", password="short"), "password: must have 8 to 63 ASCII characters for WPA"),
        (lambda: payloads.wifi("x", security="WPA"), "password: is required for WPA"),
        (
            lambda: payloads.wifi("x", password="12345678", security="open"),
            "password: must be omitted for an open network",
        ),
        (lambda: payloads.phone("call me"), "number: must be a phone number .*, got 'call me'"),
        (lambda: payloads.contact(" "), "name: must not be empty"),
        (lambda: payloads.contact("Eve\nTEL:1"), "name: must be a single line"),
        (lambda: payloads.contact("Eve", email="eve"), "email: must be an email address"),
        (lambda: payloads.contact("Eve", url="https://example.com\r\nTEL:1"), "url: must be a single line"),
        (lambda: payloads.email("a@b.c?bcc=x@y.z, d@e.f"), "to: must be an email address"),
        (lambda: payloads.location(91, 0), "latitude: must be from -90 to 90 degrees, got 91"),
        (lambda: payloads.location(0, float("nan")), "longitude: must be from -180 to 180 degrees, got nan"),
        (lambda: payloads.event("x", date(2026, 5, 2), date(2026, 5, 1)), "end: must not be before start"),
        (
            lambda: payloads.event("x", datetime(2026, 5, 1, tzinfo=UTC), date(2026, 5, 1)),
            "end: must be a date if start is a date",
        ),
        (lambda: payloads.payment("x", "BE71 0000 0000 1616"), "iban: check digits are 71, should be 72"),
        (lambda: payloads.payment("x", "hello"), "iban: must be an IBAN .*, got 'hello'"),
        (lambda: payloads.payment("x" * 71, "BE72000000001616"), "name: must have at most 70 characters, got 71"),
        (lambda: payloads.payment("x", "BE72000000001616", 0.005), "amount: must be from 0.01 to 999999999.99 euro"),
        (lambda: payloads.payment("x", "BE72000000001616", "1e999999"), "amount: must be from 0.01"),
        (lambda: payloads.payment("x", "BE72000000001616", "NaN"), "amount: must be from 0.01"),
        (lambda: payloads.payment("x", "BE72000000001616", reference="RF19539007547034"), "should be 18"),
        (lambda: payloads.payment("x", "BE72000000001616", reference="RF18539007547034", text="y"), "only one of them"),
        (lambda: payloads.payment("ü" * 70, "BE72000000001616", text="ü" * 140), "at most 331 bytes, got"),
    ],
)
def test_invalid_values_are_rejected(call: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


def test_longest_payment_fits_version_13_at_level_m() -> None:
    longest = payloads.payment(
        "x" * 70, "BE72000000001616", "999999999.99", text="y" * 140, bic="BPOTBEB1XXX", hint="z" * 40
    )
    assert mediakit.qr(longest, ecc="M").meta["version"] <= 13


def test_payloads_are_decoded_from_qr_codes() -> None:
    text = payloads.contact("Łukasz Müller", phone="+48 22 555 01 00", note="zażółć; gęślą, jaźń")
    (code,) = zxingcpp.read_barcodes(mediakit.qr(text, size=800).to_pil().convert("L"))
    assert code.bytes.decode() == text


def test_numbers_and_iso_dates_of_a_table_are_texts_and_dates() -> None:
    assert payloads.wifi("Guests", password=12345678) == payloads.wifi("Guests", password="12345678")  # type: ignore[arg-type]
    assert payloads.phone(34912345678) == "tel:34912345678"  # type: ignore[arg-type]
    contact = payloads.contact("Ana Ruiz", phone=None, birthday="1990-05-31")  # type: ignore[arg-type]
    assert contact == payloads.contact("Ana Ruiz", birthday=date(1990, 5, 31))
    day, moment = "2026-03-01", "2026-03-01T18:30"
    assert payloads.event("Tea", day) == payloads.event("Tea", date(2026, 3, 1))  # type: ignore[arg-type]
    assert payloads.event("Tea", moment) == payloads.event("Tea", datetime.fromisoformat(moment))  # type: ignore[arg-type]
    midnight = "2026-03-01T00:00"
    assert payloads.event("Tea", midnight) == payloads.event("Tea", datetime.fromisoformat(midnight))  # type: ignore[arg-type]


def test_phone_numbers_are_those_of_any_iterable() -> None:
    numbers = ["+34912345678", "+34912345679"]
    assert payloads.contact("Ana", phone=iter(numbers)) == payloads.contact("Ana", phone=numbers)
    assert payloads.contact("Ana", phone=pd.Series(numbers)) == payloads.contact("Ana", phone=numbers)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: payloads.email(None), "to: must be text, got null."),  # type: ignore[arg-type]
        (lambda: payloads.location("north", 3), "latitude: "),  # type: ignore[arg-type]
        (lambda: payloads.event("Tea", "soon"), "start: must be a date such as "),  # type: ignore[arg-type]
        (lambda: payloads.contact("Ana", phone=[None]), "phone[0]: must be text, got null."),  # type: ignore[list-item]
        (lambda: payloads.payment("Ana", "DE89370400440532013000", True), "amount: must be from 0.01"),
        (lambda: payloads.wifi("Guests", "12345678"), "password: must be passed by its name."),  # type: ignore[call-arg]
        (lambda: payloads.wifi("Guests", password="12345678", security="WPA2"), 'Did you mean "WPA"?'),  # type: ignore[arg-type]
        (lambda: payloads.wifi("Guests", pasword="12345678"), "pasword: is not a known field."),  # type: ignore[call-arg]
    ],
)
def test_argument_of_another_type_is_an_error_that_names_it(call: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)):
        call()
