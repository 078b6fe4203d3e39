"""Pages of an EPUB as text that the HTML parser reads as XML parsers do."""

import re

from mediakit.engines.charsets import decode

_VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_SELF_CLOSING = re.compile(rf"<(?!(?:{_VOID})[\s/>])([a-zA-Z][\w:.-]*+)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?)/>")
_PREFIXED = re.compile(r"(</?)(?:m|mml|svg|html|xhtml|h):(?=[a-z])")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def decode_page(content: bytes) -> str:
    """Return the text of an XHTML page with empty elements in the syntax of HTML.

    Raises:
        InvalidInput: The text is not in the charset that it begins with.
    """
    text, _ = decode(content, "auto", "file")
    if "/>" in text:
        text = _SELF_CLOSING.sub(r"<\1\2></\1>", text)
    if "CDATA" in text:
        text = _CDATA.sub(lambda match: match[1].replace("&", "&amp;").replace("<", "&lt;"), text)
    return _PREFIXED.sub(r"\1", text)
