"""HTML, and XML by the name and namespace of its root."""

import re

_PROLOG = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_DOCTYPE = re.compile(r"\s*+<!doctype\s++([^\s>\[]++)[^\[>]*+(?:\[.*?\]\s*+)?>", re.DOTALL | re.IGNORECASE)
_ROOT = re.compile(r"<((?:[\w.-]+:)?)([A-Za-z_][\w.-]*)((?:\s[^<>]*)?/?)>?", re.DOTALL)
_HTML_TAGS = frozenset({
    "html", "head", "body", "title", "meta", "link", "script", "style", "div", "p", "table", "h1", "h2", "h3", "ul",
    "ol", "span", "form", "a", "br", "center", "font", "iframe", "img", "section", "article", "main", "nav", "header",
    "footer", "frameset", "base", "b", "i", "pre", "hr", "template", "button", "input",
})  # fmt: skip
_HTML_START = re.compile(r"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_CLOSING = re.compile(r"</[A-Za-z][\w:.-]*\s*>|/>")

_ROOTS = {
    "svg": "svg", "rss": "rss", "feed": "atom", "rdf": "rdf", "kml": "kml", "gpx": "gpx",
    "trainingcenterdatabase": "tcx", "featurecollection": "gml", "osm": "osm", "math": "mathml", "collada": "collada",
    "x3d": "x3d", "amf": "amf", "score-partwise": "musicxml", "score-timewise": "musicxml", "mpd": "mpd", "tt": "ttml",
    "smil": "smil", "plist": "plist", "opml": "opml", "xliff": "xliff", "tmx": "tmx", "ts": "qt-ts",
    "definitions": "wsdl", "urlset": "sitemap", "sitemapindex": "sitemap", "fictionbook": "fb2", "stylesheet": "xslt",
    "transform": "xslt", "schema": "xsd", "abiword": "abw", "book": "xml", "article": "xml", "window": "xml",
}  # fmt: skip
_FLAT = (
    ("opendocument.text", "flat-odt"),
    ("opendocument.spreadsheet", "flat-ods"),
    ("opendocument.presentation", "flat-odp"),
)


def markup_type(start: str) -> str | None:
    """Return the type of a text that begins with a tag; None for any other text.

    Args:
        start: The text without white space at its start.
    """
    if not start.startswith("<") or start.startswith(("<?php", "<?=", "<%")):
        return None
    is_xml = start.startswith("<?xml")
    rest = start[_PROLOG.match(start).end() :]  # type: ignore[union-attr]
    doctype = _DOCTYPE.match(rest)
    name = doctype[1].lower() if doctype else ""
    if doctype:
        rest = rest[doctype.end() :]
        rest = rest[_PROLOG.match(rest).end() :]  # type: ignore[union-attr]
    if not is_xml and (name == "html" or _HTML_START.match(rest)):
        return (
            "xhtml" if "XHTML" in (doctype[0] if doctype else "") and "www.w3.org/1999/xhtml" in rest[:500] else "html"
        )
    root = _ROOT.match(rest)
    if root is None:
        return "dtd" if rest.startswith(("<!ELEMENT", "<!ENTITY", "<!ATTLIST")) else "xml" if is_xml else None
    return _by_root(root, rest, is_xml=is_xml, has_doctype=bool(doctype))


def _by_root(root: re.Match[str], rest: str, *, is_xml: bool, has_doctype: bool) -> str | None:
    name, attributes = root[2].lower(), root[3]
    if found := _known_root(name, attributes):
        is_certain = is_xml or has_doctype or name in ("svg", "kml", "gpx", "rss", "plist", "fictionbook")
        return found if is_certain or "xmlns" in attributes else "html" if name in _HTML_TAGS else found
    if not is_xml and not has_doctype and name in _HTML_TAGS and not root[1] and "xmlns" not in attributes:
        return "html" if _CLOSING.search(rest) or name in ("meta", "link", "br", "img", "p", "hr") else None
    is_markup = is_xml or has_doctype or "xmlns" in attributes or bool(_CLOSING.search(rest))
    return "xml" if is_markup else None


def _known_root(name: str, attributes: str) -> str | None:
    if name == "html":
        return "xhtml"
    if name == "document" and "opendocument" in attributes:
        return next((kind for part, kind in _FLAT if part in attributes), "xml")
    if name in ("book", "article") and "docbook.org" in attributes:
        return "docbook"
    return _ROOTS.get(name)
