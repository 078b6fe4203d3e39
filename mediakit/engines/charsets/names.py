"""Names of charsets: what users write, what Python's codecs are called, and what IANA registers."""

import codecs
import difflib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from mediakit.errors import InvalidInput

_NOT_TEXT = frozenset({
    "base64", "bz2", "hex", "idna", "punycode", "quopri", "raw-unicode-escape", "rot-13", "undefined",
    "unicode-escape", "uu", "zlib",
})  # fmt: skip
"""Codecs of Python that are not charsets."""

_NAMES: Mapping[str, Mapping[str, str]] = json.loads((Path(__file__).parent / "names.json").read_text("utf-8"))
_IANA, _ALIASES = _NAMES["registered names"], _NAMES["codecs"]
"""Registered names by codec, as far as they do not follow from it, and codecs by names that Python does not know."""


_COMMON = (
    "utf-8", "utf-16", "utf-32", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
    "iso-8859-1", "iso-8859-2", "iso-8859-15", "mac-roman", "cp437", "cp850", "shift_jis", "euc-jp", "gb18030", "big5",
    "euc-kr", "koi8-r",
)  # fmt: skip
"""Names that are proposed for a misspelled one."""

_WINDOWS = re.compile(r"cp(125\d)")
_ISO = re.compile(r"iso8859[-_](\d+)")
_IBM = re.compile(r"cp(\d{3})")


def iana_name(codec: str) -> str:
    """Return the name that IANA registers for the charset of a codec, in lower case: `windows-1250` for `cp1250`."""
    name = codec.lower()
    if name in _IANA:
        return _IANA[name]
    name = _WINDOWS.sub(r"windows-\1", name)
    name = _ISO.sub(r"iso-8859-\1", name)
    return _IBM.sub(r"ibm\1", name).replace("_", "-")


def known_codec(encoding: str, field: str = "encoding") -> str:
    """Return the name of the codec of a charset; `field` is that of the request, for errors.

    Raises:
        InvalidInput: The charset is unknown.
    """
    name = encoding.strip().lower()
    name = _ALIASES.get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        found = None
    if found is None or found.name in _NOT_TEXT:
        near = difflib.get_close_matches(name, _COMMON, n=1, cutoff=0.5)
        hint = f'did you mean "{near[0]}"?' if near else "use a name such as utf-8, windows-1252 or utf-16."
        raise InvalidInput(f'{field}: "{encoding[:40]}" is not known; {hint}')
    return found.name if found.name != "cp1252" else "windows-1252"


def decodes(content: bytes, name: str) -> bool:
    """Return whether all bytes of a text are valid in a charset."""
    try:
        content.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
