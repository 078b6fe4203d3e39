"""Names of PDFs as text. They are bytes: mostly UTF-8, in older files of another charset."""

import re
from typing import Any

import pikepdf
from pikepdf import Name

_ESCAPE = re.compile(rb"#([0-9a-fA-F]{2})")


def name_text(name: object) -> str:
    """Return the text of a name, without its slash."""
    if not isinstance(name, Name):
        return ""
    return _text(_ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), name.unparse()[1:]))


def keys_of(holder: pikepdf.Object) -> list[Name]:
    """Return the keys of a dictionary as names, also those that are not UTF-8."""
    keys: list[str] = list(holder.keys())
    return [_name(key[1:].encode("utf-8", "surrogateescape")) for key in keys]


def as_name(text: str) -> Name:
    """Return the name with this text."""
    return _name(text.encode())


def _name(content: bytes) -> Name:
    made: Any = pikepdf.Object.parse(b"/" + b"".join(b"#%02x" % byte for byte in content))
    return made  # type: ignore[no-any-return]  # it is a name


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
