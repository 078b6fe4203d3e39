"""What a template is, and how it becomes a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path

from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates import colour, fonts
from mediakit.engines.templates.fit import largest
from mediakit.engines.templates.keys import COMMON, Key
from mediakit.engines.templates.texts import Texts, right_to_left

FOLDER = Path(__file__).parent

LEFT_TO_RIGHT = "--start:left;--end:right;--side:100%;--push-left:auto;--push-right:0"
RIGHT_TO_LEFT = "--start:right;--end:left;--side:0%;--push-left:0;--push-right:auto"
"""CSS variables of a page's direction. A text has a direction of its own, so logical margins would not do for it."""


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


@dataclass(frozen=True, repr=False)
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
    needs: Callable[[Texts], float] | None = None
    """Gives the height in pixels that the texts take; where it is more than the page has, all is drawn smaller."""
    tabular: bool = False
    """Whether numbers stand below each other."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys that belong together, by what forms call them; the others are of the whole page."""

    @cached_property
    def by_name(self) -> dict[str, Key]:
        """Every key by its name, those common to all templates last."""
        return {key.name: key for key in (*self.keys, *COMMON)}

    @property
    def landscape(self) -> bool:
        """Whether a PDF of it lies on its side."""
        return self.width > self.height

    def __repr__(self) -> str:
        return f"<Template {self.name}, {self.width} x {self.height}: {self.description}>"

    def _repr_html_(self) -> str:
        from mediakit.engines.templates.gallery import Gallery

        return Gallery([self])._repr_html_()

    def fill(
        self,
        data: Mapping[str, str],
        lang: str = "en",
        *,
        width: float | None = None,
        height: float | None = None,
        grow: bool = False,
    ) -> Page:
        """Make the page of some texts; keys left out keep their examples.

        Args:
            data: Texts by key, checked already.
            lang: `en` or `es`, the language of the examples and labels.
            width: Of the page in pixels; the template's own when left out.
            height: Of the page in pixels; the template's own when left out.
            grow: Let the page become as high as its content, if the template grows, instead of drawing it smaller.
        """
        wide, high = width or self.width, height or self.height
        values, left = self._values(data, lang)
        zoom = wide / self.width if self.grows else min(wide / self.width, high / self.height)
        words = {name: pair[lang == "es"] for name, pair in self.words.items()}

        def drawn(zoom: float) -> tuple[Texts, str, float]:
            return self._laid_out(values, words, wide / zoom, high / zoom)

        grow = grow and self.grows
        texts, body, needed = drawn(zoom)
        if needed > texts.height and not grow:
            zoom = largest(lambda zoom: drawn(zoom)[2] <= high / zoom, least=high / needed, most=zoom)
            texts, body, _ = drawn(zoom)
        rtl = right_to_left([data[key] for key in data if key in self._worded])
        html = self._document(body, texts, lang, zoom, rtl=rtl, grow=grow)
        return Page(html, round(wide), round(high), {"defaults_used": left, "fitted": texts.fitted})

    def _laid_out(
        self, values: Mapping[str, str], words: Mapping[str, str], width: float, height: float
    ) -> tuple[Texts, str, float]:
        """Lay the page out, and give its texts, its body and the height that it needs."""
        texts = Texts(values, words, width, height, tabular=self.tabular)
        body = self.layout(texts)
        return texts, body, self.needs(texts) if self.needs else 0.0

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

    def _document(self, body: str, texts: Texts, lang: str, zoom: float, *, rtl: bool, grow: bool) -> str:
        edge = "min-height" if grow else "height"
        tabular = ' class="tabular"' if self.tabular else ""
        written = "".join(texts.values[key.name] for key in self.keys) + "".join(texts.words.values())
        sides = RIGHT_TO_LEFT if rtl else LEFT_TO_RIGHT
        size = f"width:{texts.width:g}px;{edge}:{texts.height:g}px;zoom:{zoom:g}"
        return (
            f'<!doctype html><html lang="{lang}" dir="{"rtl" if rtl else "ltr"}"><head><meta charset="utf-8">'
            f"<title>{escape(texts.raw(self.keys[0].name))}</title>"
            f"<style>{fonts.style(written + '… a', self.families)}"
            f":root{{{colour.variables(texts.values['accent'])}{sides}}}{self._style}</style></head>"
            f'<body><main{tabular} style="{size}">{body}</main>'
            "</body></html>"
        )
