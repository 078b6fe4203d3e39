"""Header values with parameters, such as `form-data; name="file"`, parsed in linear time.

`email.message` needs seconds for a header of some kilobytes of semicolons, and its codecs raise for some charsets.
"""

import re
from urllib.parse import unquote_to_bytes

_PARAMETER = re.compile(r'\s*;\s*([\w!#$%&\'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)|\s*;', re.ASCII | re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\])')
_ENCODED = re.compile(r"(utf-8|iso-8859-1)'[^']*'(.*)", re.ASCII | re.IGNORECASE | re.DOTALL)


def parse_header(header: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header in lower case, and its parameters by lower-case name.

    The first one of a name counts, and `name*` (RFC 8187) counts more than `name`. What follows a malformed parameter
    is ignored.
    """
    value, separator, rest = header.partition(";")
    found: dict[str, str] = {}
    text, position = separator + rest, 0
    while match := _PARAMETER.match(text, position):
        position = match.end()
        if match[1]:
            found.setdefault(match[1].lower(), _unquoted(match[2]))
    return value.strip().lower(), found | _decoded(found)


def _unquoted(text: str) -> str:
    return _ESCAPED.sub(r"\1", text[1:-1]) if text.startswith('"') else text.strip()


def _decoded(parameters: dict[str, str]) -> dict[str, str]:
    """Return the `name*` parameters by name, decoded; other charsets than UTF-8 and ISO-8859-1 are ignored."""
    encoded = {name[:-1]: _ENCODED.fullmatch(text) for name, text in parameters.items() if name.endswith("*")}
    return {name: unquote_to_bytes(match[2]).decode(match[1], "replace") for name, match in encoded.items() if match}
