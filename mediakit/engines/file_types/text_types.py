"""Types of text: HTML, XML by the root, JSON, tables, and texts that are known by their first lines."""

import csv
import json
import re
import tomllib
from pathlib import PurePath
from typing import Any

from mediakit.engines.charsets import text_sample
from mediakit.engines.file_types import FILE_TYPES, matching_rule

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
    """Return the type of a text that begins with a tag, without white space before it; None for any other text."""
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
    if (root := _ROOT.match(rest)) is None:
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


_STRUCTURED = frozenset({
    "html", "xhtml", "xml", "json", "geojson", "topojson", "json-ld", "gltf", "ics", "vcf", "vtt", "eml", "mbox",
    "ipynb", "svg", "kml", "gpx", "pgp", "pgp-signature", "pgp-keys", "mht",
})  # fmt: skip
"""Types that a name cannot stand for: their structure would have shown."""

_BY_EXTENSION = {
    extension: name
    for name, one in reversed(list(FILE_TYPES.items()))
    for extension in one.extensions[:4]
    if one.kind == "text" and name not in _STRUCTURED
}

_LIKELY = re.compile(r"""[\[{]\s*(?:["\[{}\]\d-]|true|false|null)""")
_GEO_TYPES = frozenset({
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
})  # fmt: skip

_SHEBANG = re.compile(r"#![ \t]*(\S+)(?:[ \t]+(?:-\S+[ \t]+)*(\S+))?")

_MIN_ROWS = 2
_DELIMITERS = ((",", "csv"), (";", "csv"), ("\t", "tsv"), ("|", "csv"))


def text_type(content: bytes, name: str | None = None) -> str | None:
    """Return the name of a text's type, `text` for a plain one; None where the file is not text."""
    if (sample := text_sample(content)) is None:
        return None
    start = sample.lstrip("\ufeff \t\r\n\f")
    return (
        markup_type(start)
        or json_type(content, start)
        or signed_text(start)
        or _BY_EXTENSION.get(PurePath((name or "").lower()).suffix)  # the type that a file name stands for
        or table_type(sample)
        or ("toml" if "=" in sample and _is_toml(sample) else "text")
    )


def json_type(content: bytes, start: str) -> str | None:
    """Return the type of JSON text: valid as a whole, or line by line; None for any other text.

    Text beyond 5 MB counts as JSON if it begins and ends like it.
    """
    if not _LIKELY.match(start):
        return None
    if len(content) > 5_000_000:
        is_closed = content.rstrip()[-1:] == (b"}" if start[0] == "{" else b"]")
        return _lines(start) or ("json" if is_closed else None)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError, UnicodeDecodeError):
        return _lines(start)
    return _by_members(value) if isinstance(value, dict) else "json"


def _by_members(value: dict[str, Any]) -> str:
    members = value.keys()
    kind = value.get("type")
    if isinstance(kind, str) and kind in _GEO_TYPES and members & {"features", "geometry", "coordinates", "geometries"}:
        return "geojson"
    rules = (
        ("topojson", kind == "Topology" and "arcs" in members),
        ("ipynb", {"cells", "metadata", "nbformat"} <= members or {"worksheets", "nbformat"} <= members),
        ("gltf", "asset" in members and bool(members & {"scenes", "nodes", "meshes"})),
        ("json-ld", "@context" in members),
    )
    return next((name for name, is_true in rules if is_true), "json")


def _lines(start: str) -> str | None:
    """Return `jsonl` where the first lines are JSON values of their own."""
    lines = [line for line in start.split("\n")[:20] if line.strip()]
    complete = lines[:-1] if len(lines) == 20 else lines
    if len(complete) < 2:
        return None
    try:
        values = [json.loads(line) for line in complete]
    except (ValueError, RecursionError):
        return None
    return "jsonl" if all(isinstance(value, dict | list) for value in values) else None


def signed_text(start: str) -> str | None:
    """Return the type of a text that its first lines identify; it has no white space at its start."""
    if not start.startswith("#!"):
        return matching_rule("text", start.replace("\r\n", "\n").replace("\r", "\n"))
    if not (found := _SHEBANG.match(start)):
        return None
    program = found[1].rpartition("/")[2].lower()
    if program == "env":
        program = (found[2] or "").rpartition("/")[2].lower()
    return matching_rule("script", program) or "shell"


def table_type(sample: str) -> str | None:
    """Return `csv` or `tsv` where the first lines of a text are rows of one width; None for any other text."""
    lines = [line for line in sample[:20_000].splitlines()[:100] if line.strip()]
    if len(lines) < _MIN_ROWS:
        return None
    text = "\n".join(lines if len(sample) <= 20_000 else lines[:-1])
    return next((name for delimiter, name in _DELIMITERS if _is_table(text, delimiter)), None)


def _is_table(text: str, delimiter: str) -> bool:
    if delimiter not in text.partition("\n")[0]:
        return False
    try:
        rows = list(csv.reader(text.split("\n"), delimiter=delimiter, strict=True))
    except csv.Error:
        return False
    width = len(rows[0])
    if width < 2 or len(rows) < _MIN_ROWS or any(len(row) != width for row in rows):
        return False
    has_names = all(cell.strip() for cell in rows[0]) or len(rows) > 3
    # lines end as statements do, or the first one begins as a comment, a list or markup does
    is_code = any(row[-1].rstrip().endswith((";", "{", "}", ":")) for row in rows)
    is_code = is_code or rows[0][0].lstrip().startswith(("#", "//", "/*", "*", "- ", "<", "|"))
    return has_names and not is_code and not _looks_like_prose(rows, delimiter)


def _looks_like_prose(rows: list[list[str]], delimiter: str) -> bool:
    """Return whether cells are long, or are parts of sentences: most begin with a space, and no column has numbers."""
    cells = [cell for row in rows for cell in row]
    if sum(map(len, cells)) > 60 * len(cells):
        return True
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:]) / max(1, len(cells) - len(rows))
    if delimiter not in ",;" or spaced <= 0.5:
        return False
    columns = [
        [cell.strip().replace(".", "", 1).lstrip("+-") for cell in column] for column in zip(*rows[1:], strict=True)
    ]
    return not any(all(map(str.isdigit, column)) for column in columns)


def _is_toml(sample: str) -> bool:
    try:
        return bool(tomllib.loads(sample))
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
