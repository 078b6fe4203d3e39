"""Parses the text of codes: URLs, Wi-Fi networks, contacts, payments and other types.

The formats are those that phones support. Few follow a strict standard, so text that does not match is plain text.
"""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, unquote

Parsed = dict[str, object]

MAX_LENGTH = 10_000
"""Maximum number of characters to parse. No code can contain more."""

_URL = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE | re.ASCII)
_BARE_URL = re.compile(r"www\.[a-z0-9-]+(\.[a-z0-9-]+)+(/\S*)?", re.IGNORECASE | re.ASCII)
_FOLD = re.compile(r"\r?\n[ \t]")
_SEPARATOR = re.compile(r"(?<!\\);")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_payload(text: str) -> Parsed | None:
    """Return the fields of a text, with its `type`; None for plain text."""
    if len(text) > MAX_LENGTH:
        return None
    start = text.lstrip("\ufeff \t\r\n")
    head = start[:20].upper()  # longer than every prefix
    parse = next((PARSERS[prefixes] for prefixes in PARSERS if head.startswith(prefixes)), None)
    parsed = parse(start) if parse else None
    return {name: value for name, value in parsed.items() if value not in (None, "", [])} if parsed else None


def _url(text: str) -> Parsed | None:
    address = text.strip()
    if _BARE_URL.fullmatch(address):
        return {"type": "url", "url": f"https://{address}"}
    return {"type": "url", "url": address} if _URL.fullmatch(address) else None


def _url_to(text: str) -> Parsed | None:
    """Parse the bookmarks `URLTO:` and `MEBKM:` of NTT DOCOMO."""
    fields = _parse_fields(text.partition(":")[2]) if text[:6].upper() == "MEBKM:" else {"URL": text.partition(":")[2]}
    parsed = _url(fields.get("URL", ""))
    return {**parsed, "title": fields.get("TITLE")} if parsed else None


def _wifi(text: str) -> Parsed | None:
    fields = _parse_fields(text.partition(":")[2])
    if not fields.get("S"):
        return None
    security = fields.get("T", "").upper() or ("WPA" if fields.get("P") else "nopass")
    hidden = fields.get("H", "").lower() == "true"
    return {
        "type": "wifi",
        "ssid": fields["S"],
        "security": "nopass" if security == "NOPASS" else security,
        "password": fields.get("P"),
        "hidden": hidden,
    }


def _mecard(text: str) -> Parsed | None:
    rest = text.partition(":")[2]
    fields = _parse_fields(rest)
    pairs = _pairs(rest)
    family, _, given = fields.get("N", "").partition(",")
    return {
        "type": "contact",
        "name": f"{given} {family}".strip(),
        "phones": [value for name, value in pairs if name == "TEL"],
        "emails": [value for name, value in pairs if name == "EMAIL"],
        "organization": fields.get("ORG"),
        "address": fields.get("ADR"),
        "url": fields.get("URL"),
        "note": fields.get("NOTE"),
    }


def _vcard(text: str) -> Parsed | None:
    lines = _properties(text)
    given_name = " ".join(reversed(_split(_first(lines, "N"))[:2]))
    return {
        "type": "contact",
        "name": _unescape(_first(lines, "FN")) or given_name.strip(),
        "phones": [_unescape(value).removeprefix("tel:") for name, value in lines if name == "TEL"],
        "emails": [_unescape(value) for name, value in lines if name == "EMAIL"],
        "organization": ", ".join(filter(None, _split(_first(lines, "ORG")))),
        "title": _unescape(_first(lines, "TITLE")),
        "address": ", ".join(filter(None, _split(_first(lines, "ADR")))),
        "url": _unescape(_first(lines, "URL")),
        "note": _unescape(_first(lines, "NOTE")),
    }


def _event(text: str) -> Parsed | None:
    start = text.upper().find("BEGIN:VEVENT")
    if start < 0:
        return None
    lines = _properties(text[start:])
    names = ("SUMMARY", "DTSTART", "DTEND", "LOCATION", "DESCRIPTION")
    return {"type": "event", **{name.removeprefix("DT").lower(): _unescape(_first(lines, name)) for name in names}}


def _mailto(text: str) -> Parsed | None:
    address, _, query = text[len("mailto:") :].strip().partition("?")
    return {"type": "email", "to": unquote(address), **_query(query, "subject", "body")}


def _matmsg(text: str) -> Parsed | None:
    fields = _parse_fields(text.partition(":")[2])
    return {"type": "email", "to": fields.get("TO"), "subject": fields.get("SUB"), "body": fields.get("BODY")}


def _sms(text: str) -> Parsed | None:
    """Parse `smsto:number:text` and `sms:number?body=text` (RFC 5724)."""
    number, _, query = text.partition(":")[2].strip().partition("?")
    number, _, message = number.partition(":")
    body = message or _query(query, "body").get("body")
    return {"type": "sms", "number": unquote(number), "body": body}


def _location(text: str) -> Parsed | None:
    """Parse a geo URI (RFC 5870)."""
    index, _, query = text[len("geo:") :].strip().partition("?")
    try:
        latitude, longitude = (float(part) for part in index.partition(";")[0].split(",")[:2])
    except ValueError:
        return None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    return {"type": "location", "latitude": latitude, "longitude": longitude, "query": _query(query, "q").get("q")}


SEPA_LINES = {"name": 5, "iban": 6, "bic": 4, "amount": 7, "purpose": 8, "reference": 9, "text": 10}
"""Lines of a SEPA credit transfer (EPC069-12), counted from 0."""

SWISS_LINES = {"name": 5, "iban": 3, "amount": 18, "currency": 19, "reference": 28, "text": 29}
"""Lines of a Swiss QR-bill (Swiss Payment Standards, QR-bill 2.3), counted from 0."""


def _sepa(text: str) -> Parsed | None:
    lines = [*text.splitlines(), *[""] * 12]
    if len(lines) < 7 + 12 or lines[3] != "SCT":
        return None
    fields = _payment("sepa", lines, SEPA_LINES)
    return {**fields, "amount": lines[7][3:], "currency": lines[7][:3]}


def _swiss(text: str) -> Parsed | None:
    lines = text.splitlines()
    return _payment("swiss", lines, SWISS_LINES) if len(lines) >= 30 and lines[1].startswith("02") else None


def _payment(scheme: str, lines: list[str], places: dict[str, int]) -> Parsed:
    values = {name: lines[place] for name, place in places.items()}
    return {"type": "payment", "scheme": scheme, **values, "iban": values["iban"].replace(" ", "")}


PARSERS: dict[tuple[str, ...], Callable[[str], Parsed | None]] = {
    ("HTTP://", "HTTPS://", "WWW."): _url,
    ("URLTO:", "MEBKM:"): _url_to,
    ("WIFI:",): _wifi,
    ("BEGIN:VCARD",): _vcard,
    ("MECARD:",): _mecard,
    ("BEGIN:VEVENT", "BEGIN:VCALENDAR"): _event,
    ("MAILTO:",): _mailto,
    ("MATMSG:",): _matmsg,
    ("TEL:",): lambda text: {"type": "phone", "number": unquote(text[len("tel:") :].strip())},
    ("SMSTO:", "SMS:"): _sms,
    ("GEO:",): _location,
    ("BCD\n", "BCD\r\n"): _sepa,
    ("SPC\n", "SPC\r\n"): _swiss,
}
"""Parsers by the prefixes of the text, in uppercase."""


def _parse_fields(text: str) -> dict[str, str]:
    """Parse `S:name;P:secret;;`. A backslash escapes the next character. The first value of a name is used."""
    found: dict[str, str] = {}
    for name, value in _pairs(text):
        found.setdefault(name, value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value)
    return found


def _pairs(text: str) -> list[tuple[str, str]]:
    parts = (part.partition(":") for part in _SEPARATOR.split(text))
    return [(name.strip().upper(), _unescape(value)) for name, colon, value in parts if colon]


def _split(text: str) -> list[str]:
    """Split at unescaped semicolons."""
    return [_unescape(part) for part in _SEPARATOR.split(text)]


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], text).strip()


def _properties(text: str) -> list[tuple[str, str]]:
    """Return the properties of a vCard or an iCalendar (RFC 6350, 3.2; RFC 5545, 3.1)."""
    pairs = (line.partition(":") for line in _FOLD.sub("", text).splitlines())
    return [(head.partition(";")[0].rpartition(".")[2].strip().upper(), value) for head, colon, value in pairs if colon]


def _first(lines: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in lines if key == name), "")


def _query(text: str, *names: str) -> dict[str, str]:
    """Return some parameters of a URL query."""
    try:
        found = {name.lower(): values[0] for name, values in parse_qs(text, max_num_fields=50).items()}
    except ValueError:
        return {}
    return {name: found[name] for name in names if name in found}
