"""What a template is, and how it becomes a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path

from mediakit.core.paper import PaperFormat
from mediakit.engines.templates import colour, fonts
from mediakit.engines.templates.keys import COMMON, Key
from mediakit.engines.templates.texts import Texts, right_to_left

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Page:
    """HTML to draw, on a page of this size. That of a template loads nothing from elsewhere."""

    html: str
    width: int
    """Of the page, in pixels."""
    height: int
    meta: Mapping[str, list[str]] = field(default_factory=dict)
    """What the result's meta tells: `defaults_used`, the keys left at their example text, and `fitted`, those whose
    text was made smaller or cut to fit."""


@dataclass(frozen=True)
class Template:
    """A page with texts to fill in."""

    name: str
    description: str
    width: int
    height: int
    keys: tuple[Key, ...]
    layout: Callable[[Texts], str]
    """Writes the page's body."""
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The template's own labels, in English and Spanish."""
    families: tuple[fonts.Family, ...] = ("sans",)
    pdf_format: PaperFormat = "A4"
    grows: bool = False
    """Whether the page may become as high as its content."""

    @cached_property
    def by_name(self) -> dict[str, Key]:
        """Every key by its name, those common to all templates last."""
        return {key.name: key for key in (*self.keys, *COMMON)}

    @property
    def landscape(self) -> bool:
        """Whether a PDF of it lies on its side."""
        return self.width > self.height

    def fill(
        self, data: Mapping[str, str], lang: str = "en", *, width: float | None = None, height: float | None = None
    ) -> Page:
        """Make the page of some texts; keys left out keep their examples.

        Args:
            data: Texts by key, checked already.
            lang: `en` or `es`, the language of the examples and labels.
            width: Of the page in pixels; the template's own when left out.
            height: Of the page in pixels; the template's own when left out.
        """
        wide, high = width or self.width, height or self.height
        values, left = self._values(data, lang)
        zoom = wide / self.width if self.grows else min(wide / self.width, high / self.height)
        words = {name: pair[lang == "es"] for name, pair in self.words.items()}
        texts = Texts(values, words, wide / zoom, high / zoom)
        body = self.layout(texts)
        html = self._document(
            body, texts, lang, zoom, rtl=right_to_left([data[key] for key in data if key in self._worded])
        )
        return Page(html, round(wide), round(high), {"defaults_used": left, "fitted": texts.fitted})

    def _values(self, data: Mapping[str, str], lang: str) -> tuple[dict[str, str], list[str]]:
        """Give every key's text, and the keys whose text is the example."""
        own_items = any(name.startswith("item") for name in data)
        values = {
            name: data.get(name, "" if own_items and name.startswith("item") else key.example(lang))
            for name, key in self.by_name.items()
        }
        values["accent"] = f"#{(values['accent'] or COMMON[0].en).removeprefix('#').lower()}"
        return values, [key.name for key in self.keys if key.name not in data and values[key.name]]

    @cached_property
    def _worded(self) -> frozenset[str]:
        return frozenset(key.name for key in self.keys if key.rule is None)

    @cached_property
    def _style(self) -> str:
        return "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("base.css", f"{self.name}.css"))

    def _document(self, body: str, texts: Texts, lang: str, zoom: float, *, rtl: bool) -> str:
        edge = "min-height" if self.grows else "height"
        written = "".join(texts.values[key.name] for key in self.keys) + "".join(texts.words.values())
        sides = "--start:right;--end:left;--side:0%" if rtl else "--start:left;--end:right;--side:100%"
        return (
            f'<!doctype html><html lang="{lang}" dir="{"rtl" if rtl else "ltr"}"><head><meta charset="utf-8">'
            f"<title>{escape(texts.raw(self.keys[0].name))}</title>"
            f"<style>{fonts.style(written + '… a', self.families)}"
            f":root{{{colour.variables(texts.values['accent'])}{sides}}}{self._style}</style></head>"
            f'<body><main style="width:{texts.width:g}px;{edge}:{texts.height:g}px;zoom:{zoom:g}">{body}</main></body>'
            "</html>"
        )
