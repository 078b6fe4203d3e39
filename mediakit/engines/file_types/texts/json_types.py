"""JSON, JSON Lines, and what is written in JSON."""

import json
import re
from typing import Any

_MAX_PARSED_BYTES = 5_000_000
_LIKELY = re.compile(r"""[\[{]\s*(?:["\[{}\]\d-]|true|false|null)""")
_GEO_TYPES = frozenset({
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
})  # fmt: skip
_GEO_MEMBERS = frozenset({"features", "geometry", "coordinates", "geometries"})
_MIN_LINES = 2


def json_type(content: bytes, start: str) -> str | None:
    """Return the type of JSON text: valid as a whole, or line by line; None for any other text.

    Text beyond 5 MB counts as JSON if it begins and ends like it.
    """
    if not _LIKELY.match(start):
        return None
    if len(content) > _MAX_PARSED_BYTES:
        return _large(content, start)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError, UnicodeDecodeError):
        return _lines(start)
    return _by_members(value) if isinstance(value, dict) else "json"


def _by_members(value: dict[str, Any]) -> str:
    members = value.keys()
    kind = value.get("type")
    if isinstance(kind, str) and kind in _GEO_TYPES and members & _GEO_MEMBERS:
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
    if len(complete) < _MIN_LINES:
        return None
    try:
        values = [json.loads(line) for line in complete]
    except (ValueError, RecursionError):
        return None
    return "jsonl" if all(isinstance(value, dict | list) for value in values) else None


def _large(content: bytes, start: str) -> str | None:
    if found := _lines(start):
        return found
    closing = {"{": b"}", "[": b"]"}[start[0]]
    return "json" if content.rstrip()[-1:] == closing else None
