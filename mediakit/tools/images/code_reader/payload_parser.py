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
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_payload(text: str) -> Parsed | None:
    """Return the fields of a text, with its `type`; None for plain text."""
    if len(text) > MAX_LENGTH:
        return None
    start = text.lstrip("\ufeff \t\r\n")
    for prefix, parse in PARSERS.items():
        if start[: len(prefix)].upper() == prefix:
            parsed = parse(start)
            return {name: value for name, value in parsed.items() if value not in (None, "", [])} if parsed else None
    return None


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
    family, _, given = fields.get("N", "").partition(",")
    return {
        "type": "contact",
        "name": f"{given} {family}".strip(),
        "phones": _all_values(rest, "TEL"),
        "emails": _all_values(rest, "EMAIL"),
        "organization": fields.get("ORG"),
        "address": fields.get("ADR"),
        "url": fields.get("URL"),
        "note": fields.get("NOTE"),
    }


def _vcard(text: str) -> Parsed | None:
    lines = _properties(text)
    family, given, *_ = [*_split(_first(lines, "N"), ";"), "", ""]
    address = ", ".join(part for part in _split(_first(lines, "ADR"), ";") if part)
    return {
        "type": "contact",
        "name": _unescape(_first(lines, "FN")) or f"{given} {family}".strip(),
        "phones": [_unescape(value).removeprefix("tel:") for name, value in lines if name == "TEL"],
        "emails": [_unescape(value) for name, value in lines if name == "EMAIL"],
        "organization": ", ".join(part for part in _split(_first(lines, "ORG"), ";") if part),
        "title": _unescape(_first(lines, "TITLE")),
        "address": address,
        "url": _unescape(_first(lines, "URL")),
        "note": _unescape(_first(lines, "NOTE")),
    }


def _event(text: str) -> Parsed | None:
    lines = _properties(text)
    return {
        "type": "event",
        "summary": _unescape(_first(lines, "SUMMARY")),
        "start": _first(lines, "DTSTART"),
        "end": _first(lines, "DTEND"),
        "location": _unescape(_first(lines, "LOCATION")),
        "description": _unescape(_first(lines, "DESCRIPTION")),
    }


def _calendar(text: str) -> Parsed | None:
    index = text.upper().find("BEGIN:VEVENT")
    return _event(text[index:]) if index >= 0 else None


def _mailto(text: str) -> Parsed | None:
    address, _, query = text[len("mailto:") :].strip().partition("?")
    parameters = _query(query)
    return {
        "type": "email",
        "to": unquote(address),
        "subject": parameters.get("subject"),
        "body": parameters.get("body"),
    }


def _matmsg(text: str) -> Parsed | None:
    fields = _parse_fields(text.partition(":")[2])
    return {"type": "email", "to": fields.get("TO"), "subject": fields.get("SUB"), "body": fields.get("BODY")}


def _phone(text: str) -> Parsed | None:
    return {"type": "phone", "number": unquote(text[len("tel:") :].strip())}


def _sms(text: str) -> Parsed | None:
    """Parse `smsto:number:text` and `sms:number?body=text` (RFC 5724)."""
    rest = text.partition(":")[2].strip()
    number, _, query = rest.partition("?")
    number, _, message = number.partition(":")
    return {"type": "sms", "number": unquote(number), "body": message or _query(query).get("body")}


def _location(text: str) -> Parsed | None:
    """Parse a geo URI (RFC 5870)."""
    index, _, query = text[len("geo:") :].strip().partition("?")
    try:
        latitude, longitude = (float(part) for part in index.partition(";")[0].split(",")[:2])
    except ValueError:
        return None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    return {"type": "location", "latitude": latitude, "longitude": longitude, "query": _query(query).get("q")}


def _sepa(text: str) -> Parsed | None:
    """Parse a SEPA credit transfer (EPC069-12)."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if len(lines) < 7 or lines[3] != "SCT":
        return None
    lines += [""] * (12 - len(lines))
    currency, amount = lines[7][:3], lines[7][3:]
    return {
        "type": "payment",
        "scheme": "sepa",
        "name": lines[5],
        "iban": lines[6].replace(" ", ""),
        "bic": lines[4],
        "amount": amount,
        "currency": currency,
        "purpose": lines[8],
        "reference": lines[9],
        "text": lines[10],
    }


def _swiss(text: str) -> Parsed | None:
    """Parse a Swiss QR-bill (Swiss Payment Standards, QR-bill 2.3)."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if len(lines) < 30 or not lines[1].startswith("02"):
        return None
    return {
        "type": "payment",
        "scheme": "swiss",
        "name": lines[5],
        "iban": lines[3].replace(" ", ""),
        "amount": lines[18],
        "currency": lines[19],
        "reference": lines[28],
        "text": lines[29],
    }


PARSERS: dict[str, Callable[[str], Parsed | None]] = {
    "HTTP://": _url,
    "HTTPS://": _url,
    "WWW.": _url,
    "URLTO:": _url_to,
    "MEBKM:": _url_to,
    "WIFI:": _wifi,
    "BEGIN:VCARD": _vcard,
    "MECARD:": _mecard,
    "BEGIN:VEVENT": _event,
    "BEGIN:VCALENDAR": _calendar,
    "MAILTO:": _mailto,
    "MATMSG:": _matmsg,
    "TEL:": _phone,
    "SMSTO:": _sms,
    "SMS:": _sms,
    "GEO:": _location,
    "BCD\n": _sepa,
    "BCD\r\n": _sepa,
    "SPC\n": _swiss,
    "SPC\r\n": _swiss,
}
"""Parsers by the prefix of the text, in uppercase."""


def _parse_fields(text: str) -> dict[str, str]:
    """Parse `S:name;P:secret;;`. A backslash escapes the next character. The first value of a name is used."""
    found: dict[str, str] = {}
    for part in _split(text, ";", keep=True):
        name, colon, value = part.partition(":")
        if colon:
            found.setdefault(name.strip().upper(), _unquoted(_unescape(value)))
    return found


def _all_values(text: str, name: str) -> list[str]:
    parts = (part.partition(":") for part in _split(text, ";", keep=True))
    return [_unescape(value) for key, _, value in parts if key.strip().upper() == name]


def _split(text: str, separator: str, *, keep: bool = False) -> list[str]:
    """Split at unescaped separators."""
    parts = re.split(rf"(?<!\\){re.escape(separator)}", text)
    return parts if keep else [_unescape(part) for part in parts]


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: "\n" if match[1] in "nN" else match[1], text).strip()


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _properties(text: str) -> list[tuple[str, str]]:
    """Return the properties of a vCard or an iCalendar (RFC 6350, 3.2; RFC 5545, 3.1)."""
    lines = _FOLD.sub("", text).splitlines()
    pairs = (line.partition(":") for line in lines)
    names = (
        (head.partition(";")[0].rpartition(".")[2].strip().upper(), value) for head, colon, value in pairs if colon
    )
    return list(names)


def _first(lines: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in lines if key == name), "")


def _query(text: str) -> dict[str, str]:
    try:
        return {name.lower(): values[0] for name, values in parse_qs(text, max_num_fields=50).items()}
    except ValueError:
        return {}
