"""The texts of one page: the only way from a caller's words into HTML, escaped and made to fit."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from mediakit.engines.templates.fit import Fit, fitted, line_width

PADDING = 0.06
"""Below texts of several lines, in em, so that no descender is cut."""

_DIGITS = re.compile(r"[0-9]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")


@dataclass
class Texts:
    """What a template's layout asks for its texts."""

    values: Mapping[str, str]
    words: Mapping[str, str]
    """The template's own labels in the page's language."""
    width: float
    """Of the page, in the template's pixels."""
    height: float
    tabular: bool = False
    """Whether all digits are drawn as wide as a zero."""
    fitted: list[str] = field(default_factory=list)
    """Keys whose text was shrunk or cut."""
    heights: dict[str, float] = field(default_factory=dict)
    """Of the texts that stand on the page, by key, in the template's pixels."""

    def tall(self, *keys: str) -> float:
        """Give the height of the tallest of these."""
        return max((self.heights.get(key, 0.0) for key in keys), default=0.0)

    def has(self, *keys: str) -> bool:
        """Tell whether one of these has a text."""
        return any(self.values[key].strip() for key in keys)

    def raw(self, key: str) -> str:
        """Give the text itself, for a code; never put it into HTML."""
        return self.values[key].strip()

    def width_of(self, key: str, fit: Fit) -> float:
        """Measure a text at the size that the design wants, in pixels."""
        return line_width(self._measured(_clean(self.values[key], lines=1)), fit)

    def _measured(self, text: str) -> str:
        """Give a text of the same width; digits below each other are as wide as a zero."""
        return _DIGITS.sub("0", text) if self.tabular else text

    def put(self, key: str, fit: Fit, *, tag: str = "p", name: str = "") -> str:
        """Write an element with a text; an empty text has none."""
        text = _clean(self.values[key], lines=fit.lines)
        if not text:
            return ""
        fit = fit.suited(text)
        result = fitted(self._measured(text), fit)
        self.heights[key] = result.size * (result.lines * fit.leading + (PADDING if fit.lines > 1 else 0))
        if result.shrunk or result.cut:
            self.fitted.append(key)
        kind = "line" if fit.lines == 1 else "lines"
        style = f"font-size:{result.size:g}px;font-weight:{fit.weight};letter-spacing:{fit.tracking:g}em"
        style += f";line-height:{fit.leading:g}"
        style += f";-webkit-line-clamp:{fit.lines}" if fit.lines > 1 else ""
        style += f";max-width:{fit.width:g}px"
        return f'<{tag} class="{name or key} {kind} {fit.family}" style="{style}" dir="auto">{escape(text)}</{tag}>'

    def label(self, word: str, *, tag: str = "p") -> str:
        """Write one of the template's own labels."""
        return f'<{tag} class="label" dir="auto">{escape(self.words[word])}</{tag}>'

    def logo(self) -> str:
        """Write the logo, which a rule of its key has checked."""
        return f'<img class="logo" src="{escape(self.values["logo"])}" alt="">' if self.has("logo") else ""


def right_to_left(texts: list[str]) -> bool:
    """Tell whether most letters of the texts belong to scripts written from right to left."""
    kinds = [unicodedata.bidirectional(char) for text in texts for char in text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def _clean(text: str, *, lines: int) -> str:
    """Drop control characters and needless blanks; a text of several lines keeps its own line ends."""
    rows = (" ".join(_CONTROLS.sub(" ", row).split()) for row in text.splitlines())
    return ("\n" if lines > 1 else " ").join(row for row in rows if row)
