"""Changes table cells as templates of docxtpl ask: merged, spanning, colored."""

import re
from typing import Any

from lxml import etree

from mediakit.core.messages import quote
from mediakit.engines.word_templates.language.evaluation import Evaluation
from mediakit.engines.word_templates.language.expressions import Path
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.language.scope import Missing
from mediakit.engines.word_templates.language.tags import Tag
from mediakit.engines.word_templates.vocabulary import Vocabulary

MAX_SPAN = 63
"""Columns of a table in Word."""

_ORDER = (
    "cnfStyle", "tcW", "gridSpan", "hMerge", "vMerge", "tcBorders", "shd", "noWrap", "tcMar", "textDirection",
    "tcFitText", "vAlign", "hideMark",
)  # fmt: skip
"""The order of a cell's properties (ECMA-376, 17.4.69)."""

_COLOR = re.compile(r"#?([0-9a-fA-F]{6}|auto)", re.ASCII)


def change(cell: etree._Element, tag: Tag, evaluation: Evaluation, words: Vocabulary) -> None:
    """Apply `{% vm %}`, `{% hm %}`, `{% colspan 2 %}` or `{% cellbg "ffee00" %}` to a cell.

    Raises:
        ValueProblem: The tag is in no loop, or its value is not a count of columns or a color.
    """
    if tag.kind == "vm":
        is_first = _loop(evaluation, "first", tag)
        _set(cell, "vMerge", {"val": "restart" if is_first else "continue"}, words)
    elif tag.kind == "hm":
        _set(cell, "gridSpan", {"val": str(span(cell, words) * _loop(evaluation, "length", tag))}, words)
    elif tag.kind == "colspan":
        _set(cell, "gridSpan", {"val": str(_columns(_value(tag, evaluation)))}, words)
    elif color := _color(_value(tag, evaluation)):
        _set(cell, "shd", {"val": "clear", "color": "auto", "fill": color}, words)


def span(cell: etree._Element, words: Vocabulary) -> int:
    """Return how many columns of the grid a cell covers."""
    element = cell.find(f"{words.name('tcPr')}/{words.name('gridSpan')}")
    text = "" if element is None else element.get(words.name("val"), "")
    return int(text) if text.isascii() and text.isdigit() else 1


def _loop(evaluation: Evaluation, name: str, tag: Tag) -> Any:
    found = evaluation.value(Path(("loop", name)))
    if isinstance(found, Missing):
        raise ValueProblem(f"{tag.source} must be in a loop")
    return found.value


def _value(tag: Tag, evaluation: Evaluation) -> Any:
    assert tag.expression is not None, "the parser sets it"  # noqa: S101
    found = evaluation.value(tag.expression)
    return None if isinstance(found, Missing) else found.value


def _columns(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_SPAN:
        raise ValueProblem(f"the columns of a cell must be between 1 and {MAX_SPAN}, got {quote(value)}")
    return value


def _color(value: Any) -> str:
    if value in (None, ""):
        return ""
    found = _COLOR.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise ValueProblem(f'the color of a cell must be six hexadecimal digits such as "ffee00", got {quote(value)}')
    return found[1]


def _set(cell: etree._Element, name: str, attributes: dict[str, str], words: Vocabulary) -> None:
    properties = cell.find(words.name("tcPr"))
    if properties is None:
        properties = etree.Element(words.name("tcPr"))
        cell.insert(0, properties)
    for old in properties.findall(words.name(name)):
        properties.remove(old)
    made = etree.Element(words.name(name), {words.name(key): value for key, value in attributes.items()})
    before = {words.name(each) for each in _ORDER[: _ORDER.index(name)]}
    position = sum(1 for child in properties if child.tag in before)
    properties.insert(position, made)
