"""Charset, lines and line breaks of a text."""

from typing import Any

from mediakit.engines.charsets import detect
from mediakit.engines.charsets.names import iana_name

TEXT_TYPES = frozenset({
    "application/rtf", "application/x-fictionbook+xml", "application/x-ipynb+json", "image/svg+xml", "message/rfc822",
    "application/mbox",
})  # fmt: skip
"""Types of other kinds that are text."""


def text_details(content: bytes) -> dict[str, Any]:
    """Return the charset, the number of lines, and their line break: `lf`, `crlf`, `cr`, `mixed` or null."""
    codec = detect(content)
    text = content.decode(codec, "replace")
    crlf = text.count("\r\n")
    counts = {"lf": text.count("\n") - crlf, "crlf": crlf, "cr": text.count("\r") - crlf}
    used = [name for name, count in counts.items() if count]
    breaks = sum(counts.values())
    is_open = bool(text) and not text.endswith(("\n", "\r"))
    return {
        "charset": iana_name(codec),
        "lines": breaks + is_open,
        "newline": used[0] if len(used) == 1 else "mixed" if used else None,
    }
