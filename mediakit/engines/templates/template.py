"""A template: its manifest and its layout, which turns texts into an HTML page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import NamedTuple

from mediakit.engines.templates import accent, fonts
from mediakit.engines.templates.keys import COMMON_KEYS
from mediakit.engines.templates.manifest import Manifest, read_manifest
from mediakit.engines.templates.page_texts import PageTexts, is_right_to_left
from mediakit.engines.templates.preview import preview_html
from mediakit.engines.templates.text_fitting import largest_zoom

DESIGNS = Path(__file__).parent / "designs"

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
    meta: Mapping[str, list[str]] = field(default_factory=dict)
    """Meta of the result: `defaults_used` (keys with their example text), `fitted` (keys whose text was made smaller
    or truncated)."""


class _LaidOut(NamedTuple):
    """The body of a page at one zoom."""

    texts: PageTexts
    body: str
    needed_height: float
    """Height of the content, in the pixels of the template; 0 if it always fits."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Template(Manifest):
    """A page whose texts can be filled in."""

    layout: Callable[[PageTexts], str]
    """Returns the body of the page."""
    needed_height: Callable[[PageTexts], float] | None = None
    """Returns the height of the content in pixels; if it exceeds the page, the content is rendered smaller."""

    @classmethod
    def load(
        cls,
        name: str,
        layout: Callable[[PageTexts], str],
        needed_height: Callable[[PageTexts], float] | None = None,
    ) -> "Template":
        """Return the template whose manifest is stored in `designs/NAME.toml`."""
        return cls(**read_manifest(DESIGNS / f"{name}.toml"), layout=layout, needed_height=needed_height)

    def __repr__(self) -> str:
        return f"<Template {self.name}, {self.width} x {self.height}: {self.description}>"

    def _repr_html_(self) -> str:
        return preview_html([self])

    def fill(
        self,
        data: Mapping[str, str],
        lang: str = "en",
        *,
        width: float | None = None,
        height: float | None = None,
        grow: bool = False,
    ) -> Page:
        """Return the page with texts; missing keys keep their example text.

        Args:
            data: Valid texts by key.
            lang: `en` or `es`, the language of example texts and labels.
            width: Width of the page in pixels; default the width of the template.
            height: Height of the page in pixels; default the height of the template.
            grow: Allow a page that is as high as its content, if the template grows, instead of smaller content.
        """
        page_width, page_height = width or self.width, height or self.height
        values, defaults_used = self._values(data, lang)
        labels = {name: label.es if lang == "es" else label.en for name, label in self.labels.items()}
        grow = grow and self.grows

        def lay_out(zoom: float) -> _LaidOut:
            return self._lay_out(
                PageTexts(values, labels, page_width / zoom, page_height / zoom, tabular_digits=self.tabular_digits)
            )

        zoom = page_width / self.width if self.grows else min(page_width / self.width, page_height / self.height)
        page = lay_out(zoom)
        if page.needed_height > page.texts.height and not grow:
            zoom = largest_zoom(
                lambda zoom: lay_out(zoom).needed_height <= page_height / zoom,
                fitting=page_height / page.needed_height,
                too_large=zoom,
            )
            page = lay_out(zoom)
        rtl = is_right_to_left([data[key] for key in data if key in self._prose_keys])
        html = self._document(page, lang, zoom, rtl=rtl, grow=grow)
        meta = {"defaults_used": defaults_used, "fitted": page.texts.fitted}
        return Page(html, round(page_width), round(page_height), meta)

    def _lay_out(self, texts: PageTexts) -> _LaidOut:
        body = self.layout(texts)
        return _LaidOut(texts, body, self.needed_height(texts) if self.needed_height else 0.0)

    def _values(self, data: Mapping[str, str], lang: str) -> tuple[dict[str, str], list[str]]:
        """Return the text of every key, and the keys whose text is the example text.

        If the caller gives any item row, the rows without texts are empty instead of examples.
        """
        has_items = any(name.startswith("item") for name in data)
        values = {
            name: data.get(name, "" if has_items and name.startswith("item") else key.example(lang))
            for name, key in self.by_name.items()
        }
        values["accent"] = f"#{(values['accent'] or COMMON_KEYS[0].en).removeprefix('#').lower()}"
        return values, [key.name for key in self.keys if key.name not in data and values[key.name]]

    @cached_property
    def _prose_keys(self) -> frozenset[str]:
        return frozenset(key.name for key in self.keys if key.format == "text")

    @cached_property
    def _style(self) -> str:
        return "".join((DESIGNS / name).read_text(encoding="utf-8") for name in ("base.css", f"{self.name}.css"))

    def _document(self, page: _LaidOut, lang: str, zoom: float, *, rtl: bool, grow: bool) -> str:
        texts = page.texts
        height = "min-height" if grow else "height"
        tabular = ' class="tabular"' if self.tabular_digits else ""
        characters = "".join(texts.values[key.name] for key in self.keys) + "".join(texts.labels.values()) + "… a"
        direction = RIGHT_TO_LEFT if rtl else LEFT_TO_RIGHT
        size = f"width:{texts.width:g}px;{height}:{texts.height:g}px;zoom:{zoom:g}"
        return (
            f'<!doctype html><html lang="{lang}" dir="{"rtl" if rtl else "ltr"}"><head><meta charset="utf-8">'
            f"<title>{escape(texts.raw(self.keys[0].name))}</title>"
            f"<style>{fonts.font_face_css(characters, self.families)}"
            f":root{{{accent.css_variables(texts.values['accent'])}{direction}}}{self._style}</style></head>"
            f'<body><main{tabular} style="{size}">{page.body}</main>'
            "</body></html>"
        )
