"""The texts of one page as HTML elements, escaped and fitted to their boxes."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from mediakit.engines.templates.text_fitting import FittedText, TextBox, fit_text, line_width

MULTILINE_PADDING = 0.06
"""Padding below texts of several lines, so that descenders are not clipped; in em."""

_DIGITS = re.compile(r"[0-9]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")


@dataclass
class PageTexts:
    """The texts of a page. They are inserted into HTML only with its methods."""

    values: Mapping[str, str]
    labels: Mapping[str, str]
    """Labels of the template in the language of the page."""
    width: float
    """Width of the page, in the pixels of the template."""
    height: float
    tabular_digits: bool = False
    """Whether all digits have the width of a zero."""
    fitted: list[str] = field(default_factory=list)
    """Keys whose text was made smaller or truncated."""
    truncated: list[str] = field(default_factory=list)
    """Keys whose text ends in an ellipsis."""
    heights: dict[str, float] = field(default_factory=dict)
    """Height of each text that has an element, by key; in the pixels of the template."""
    needed_height: float = 0.0
    """Height that the content needs, in the pixels of the template; 0 if it always fits."""

    def height_of(self, *keys: str) -> float:
        """Return the height of the tallest of these texts."""
        return max((self.heights.get(key, 0.0) for key in keys), default=0.0)

    def has(self, *keys: str) -> bool:
        """Return whether any of these keys has a text."""
        return any(self.values[key].strip() for key in keys)

    def raw(self, key: str) -> str:
        """Return the text without escaping, to encode it as a code. It must not be inserted into HTML."""
        return self.values[key].strip()

    def width_of(self, key: str, box: TextBox) -> float:
        """Return the width of a text at the full font size of a box, in pixels."""
        return line_width(self._with_tabular_digits(_normalize(self.values[key], lines=1)), box)

    def _with_tabular_digits(self, text: str) -> str:
        """Return a text of the same width in proportional digits."""
        return _DIGITS.sub("0", text) if self.tabular_digits else text

    def escaped(self, key: str) -> str:
        """Return the escaped text."""
        return escape(_normalize(self.values[key], lines=2))

    def element(self, key: str, box: TextBox, *, tag: str, css_class: str, style: str = "") -> str:
        """Return an element with a text that fits a box; empty if the text is.

        Args:
            key: Key of the text.
            box: Box of the text.
            tag: HTML tag.
            css_class: CSS classes, escaped.
            style: Further CSS declarations, escaped.
        """
        text = _normalize(self.values[key], lines=box.lines)
        if not text:
            return ""
        text = text.upper() if box.uppercase else text
        box = box.for_scripts_of(text)
        fitted = fit_text(self._with_tabular_digits(text), box)
        padding = MULTILINE_PADDING if box.lines > 1 else 0
        self.heights[key] = fitted.font_size * (fitted.lines * box.line_height + padding)
        if fitted.is_smaller or fitted.is_truncated:
            self.fitted.append(key)
        if fitted.is_truncated:
            self.truncated.append(key)
        classes = f"{css_class} {'line' if box.lines == 1 else 'lines'} {box.family}"
        return f'<{tag} class="{classes}" style="{style}{_style(box, fitted)}" dir="auto">{escape(text)}</{tag}>'

    def image(self, key: str) -> str:
        """Return the element of an image, which is a checked data: URI; empty if there is none."""
        return f'<img class="{key}" src="{escape(self.values[key])}" alt="">' if self.has(key) else ""


def is_right_to_left(texts: list[str]) -> bool:
    """Return whether most letters of the texts belong to scripts that are written from right to left."""
    kinds = [unicodedata.bidirectional(char) for text in texts for char in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def _style(box: TextBox, fitted: FittedText) -> str:
    style = f"font-size:{fitted.font_size:g}px;font-weight:{box.weight};letter-spacing:{box.tracking:g}em"
    style += f";line-height:{box.line_height:g}"
    style += f";-webkit-line-clamp:{box.lines}" if box.lines > 1 else ""
    return style + f";max-width:{box.width:g}px"


def _normalize(text: str, *, lines: int) -> str:
    """Return a text without control characters and redundant spaces; multiline texts keep their line breaks."""
    rows = (" ".join(_CONTROLS.sub(" ", row).split()) for row in text.splitlines())
    return ("\n" if lines > 1 else " ").join(row for row in rows if row)
