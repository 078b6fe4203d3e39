"""A template: its manifest and its designs, which turn texts into an HTML page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from mediakit.core.fields import parse_color
from mediakit.core.introspection import PublicNames
from mediakit.core.messages import quote
from mediakit.engines import fonts
from mediakit.engines.templates import accent
from mediakit.engines.templates.items import item_key_names
from mediakit.engines.templates.manifest import DESIGNS, Manifest, read_manifest
from mediakit.engines.templates.markup.design import Design, load_design
from mediakit.engines.templates.page_texts import PageTexts, is_right_to_left
from mediakit.engines.templates.preview import preview_html
from mediakit.engines.templates.text_fitting import largest_zoom
from mediakit.errors import InvalidInput

BASE_CSS = DESIGNS / "base.css"

LEFT_TO_RIGHT = "--start:left;--end:right;--side:100%;--push-left:auto;--push-right:0"
RIGHT_TO_LEFT = "--start:right;--end:left;--side:0%;--push-left:0;--push-right:auto"
"""CSS variables of the direction of a page. Each text has its own direction, so logical properties do not suffice."""


@dataclass(frozen=True)
class Page:
    """HTML and the size of the page to render it on. The HTML of a template loads nothing from the network."""

    html: str
    width: int
    """Width of the page, in pixels."""
    height: int
    meta: Mapping[str, list[Any]] = field(default_factory=dict)
    """Meta of the result: `defaults_used` (keys with their example text), `fitted` (keys whose text was made smaller
    or truncated), and `warnings`."""


class _LaidOut(NamedTuple):
    """The body of a page at one zoom."""

    design: Design
    texts: PageTexts
    body: str
    zoom: float


class _Request(NamedTuple):
    """The texts of a page and its size, in pixels."""

    design: Design
    values: Mapping[str, str]
    labels: Mapping[str, str]
    width: float
    height: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Template(PublicNames, Manifest):
    """A page whose texts can be filled in, in one of its styles."""

    @classmethod
    def load(cls, folder: Path) -> "Template":
        """Return the template of a folder."""
        return cls(**read_manifest(folder))

    def __repr__(self) -> str:
        return f"<Template {self.name}, {self.width} x {self.height}: {self.description}>"

    def _repr_html_(self) -> str:
        return preview_html([self])

    def fill(
        self,
        data: Mapping[str, str],
        lang: str = "en",
        *,
        style: str | None = None,
        width: float | None = None,
        height: float | None = None,
        grow: bool = False,
        blank: bool = False,
    ) -> Page:
        """Return the page with texts; missing keys keep their example text.

        Args:
            data: Valid texts by key.
            lang: `en` or `es`, the language of example texts and labels.
            style: A style of the template; default its first.
            width: Width of the page in pixels; default the width of the template.
            height: Height of the page in pixels; default the height of the template.
            grow: Allow a page that is as high as its content, if the template grows, instead of smaller content.
            blank: Leave missing keys empty instead.
        """
        page_width, page_height = width or self.width, height or self.height
        values, defaults_used = self._values(data, lang, blank=blank)
        request = _Request(self.design(style), values, self._labels(lang), page_width, page_height)
        zoom = page_width / self.width if self.grows else min(page_width / self.width, page_height / self.height)
        page = self._lay_out(request, zoom)
        if page.texts.needed_height > page.texts.height and not (grow and self.grows):
            page = self._smaller(request, page)
        rtl = is_right_to_left([data[key] for key in data if key in self._prose_keys])
        html = self._document(page, lang, rtl=rtl, grow=grow and self.grows)
        fitted = [key.name for key in self.keys if key.name in page.texts.fitted]
        meta = {"defaults_used": defaults_used, "fitted": fitted}
        return Page(html, round(page_width), round(page_height), meta)

    def truncated(self, data: Mapping[str, str], style: str) -> list[str]:
        """Return the keys whose text does not fit at its smallest font size, on a page of the template's size."""
        values, _ = self._values(data, "en")
        request = _Request(self.design(style), values, self._labels("en"), self.width, self.height)
        return self._lay_out(request, 1).texts.truncated

    def style_problem(self, style: str) -> str | None:
        """Return why a style is not one of the template, or None."""
        if style in self.styles:
            return None
        *others, last = self.styles
        styles = f"{', '.join(others)} or {last}" if others else last
        return f"{quote(style)} is not a style of {self.name}; use {styles}."

    def _lay_out(self, request: _Request, zoom: float) -> _LaidOut:
        size = request.width / zoom, request.height / zoom
        texts = PageTexts(request.values, request.labels, *size, tabular_digits=self.tabular_digits)
        return _LaidOut(request.design, texts, request.design.render(texts), zoom)

    def _smaller(self, request: _Request, page: _LaidOut) -> _LaidOut:
        """Return the page at the largest zoom at which its content fits."""
        zoom = largest_zoom(
            lambda zoom: self._lay_out(request, zoom).texts.needed_height <= request.height / zoom,
            fitting=request.height / page.texts.needed_height,
            too_large=page.zoom,
        )
        return self._lay_out(request, zoom)

    def _labels(self, lang: str) -> dict[str, str]:
        return {name: label.es if lang == "es" else label.en for name, label in self.labels.items()}

    def design(self, style: str | None = None, *, strict: bool = True) -> Design:
        """Return the parsed HTML of a style; default the first.

        Raises:
            InvalidInput: The file has errors and `strict` is true; the message has the first one.
        """
        name = style or self.styles[0]
        if name not in self._designs:
            self._designs[name] = load_design(self.folder / self.style_file(name), self)
        if strict and (errors := [each for each in self._designs[name].problems if not each.is_warning]):
            raise InvalidInput(str(errors[0]))
        return self._designs[name]

    @cached_property
    def _designs(self) -> dict[str, Design]:
        """The designs that are parsed, by style."""
        return {}

    def examples_used(self, data: Mapping[str, str], lang: str) -> list[str]:
        """Return the keys that print their example text, because `data` omits them."""
        return self._values(data, lang)[1]

    def _values(self, data: Mapping[str, str], lang: str, *, blank: bool = False) -> tuple[dict[str, str], list[str]]:
        """Return the text of every key, and the keys whose text is the example text.

        If the caller gives any item row, the rows without texts are empty instead of examples.
        """
        items = frozenset(item_key_names(self.item_columns))
        has_items = not items.isdisjoint(data)
        values = {
            name: data.get(name, "" if blank or (has_items and name in items) else key.example(lang))
            for name, key in self.by_name.items()
        }
        colors = {key.name: values[key.name] or key.en for key in self.by_name.values() if key.format == "color"}
        values |= {name: parse_color(color) or "" for name, color in colors.items()}
        texts = (key.name for key in self.keys if key.name not in colors)
        return values, [name for name in texts if name not in data and values[name]]

    @cached_property
    def _prose_keys(self) -> frozenset[str]:
        return frozenset(key.name for key in self.keys if key.format == "text")

    def _document(self, page: _LaidOut, lang: str, *, rtl: bool, grow: bool) -> str:
        texts = page.texts
        height = "min-height" if grow else "height"
        tabular = ' class="tabular"' if self.tabular_digits else ""
        written = [texts.values[key.name] for key in self.keys if key.format != "image"]
        characters = "".join([*written, *texts.labels.values(), page.design.text, "… a"])
        direction = RIGHT_TO_LEFT if rtl else LEFT_TO_RIGHT
        size = f"width:{texts.width:g}px;{height}:{texts.height:g}px;zoom:{page.zoom:g}"
        return (
            f'<!doctype html><html lang="{lang}" dir="{"rtl" if rtl else "ltr"}"><head><meta charset="utf-8">'
            f"<title>{escape(texts.raw(self.keys[0].name))}</title>"
            f"<style>{fonts.font_face_css(characters, page.design.families)}"
            f":root{{{accent.css_variables(texts.values['accent'])}{self._colors(texts)}{direction}}}"
            f"{_base_css()}{page.design.css}</style></head>"
            f'<body><main{tabular} style="{size}">{page.body}</main>'
            "</body></html>"
        )

    def _colors(self, texts: PageTexts) -> str:
        """Return the CSS variables of the color keys of the template."""
        return "".join(f"--{key.name}:{texts.raw(key.name)};" for key in self.keys if key.format == "color")


@cache
def _base_css() -> str:
    return BASE_CSS.read_text(encoding="utf-8")
