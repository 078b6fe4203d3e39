"""A template: its manifest and its designs, which turn texts into an HTML page, and its preview."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pybase64

from mediakit.core.fields import parse_color
from mediakit.core.introspection import PublicNames
from mediakit.core.messages import quote
from mediakit.engines import fonts
from mediakit.engines.colors import TEXT_CONTRAST, contrast_ratio
from mediakit.engines.direction import is_mostly_right_to_left
from mediakit.engines.templates.manifest import (
    COLUMNS,
    DESIGNS,
    ITEMS,
    LABEL,
    MAX_ITEM_ROWS,
    Manifest,
    item_key_names,
    read_manifest,
)
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

if TYPE_CHECKING:
    from mediakit.engines.templates.design import Design


STYLE = """<style>
  .mk-templates { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 26px;
    font-family: system-ui, sans-serif; }
  .mk-templates figure { margin: 0; }
  .mk-templates img { display: block; width: 100%; height: 240px; object-fit: contain; border-radius: 10px;
    background: #8a94a31f; padding: 14px; box-sizing: border-box; }
  .mk-templates figcaption { margin-top: 10px; line-height: 1.45; font-size: 14px; }
  .mk-templates code { font-size: 15px; font-weight: 650; }
  .mk-templates table { width: 100%; margin-top: 8px; font-size: 12.5px; border-collapse: collapse; }
  .mk-templates :is(td, th) { padding: 4px 8px 4px 0; text-align: left; vertical-align: top;
    border-bottom: 1px solid #8a94a340; overflow-wrap: anywhere; background: none; }
  .mk-templates ul { display: flex; gap: 8px; margin: 8px 0 0; padding: 0; list-style: none; }
  .mk-templates li { flex: 0 1 96px; min-width: 0; margin: 0; font-size: 12.5px; }
  .mk-templates li img { height: 72px; padding: 5px; border-radius: 7px; }
  .mk-templates summary { cursor: pointer; margin-top: 4px; }
</style>"""


def preview_html(templates: Iterable[Manifest]) -> str:
    """Return a grid of templates with thumbnails, sizes and keys as HTML."""
    return f'{STYLE}<div class="mk-templates">{"".join(map(_figure, templates))}</div>'


def _figure(template: Manifest) -> str:
    styles = ""  # the thumbnails of all, if there are several
    if len(template.styles) > 1:
        styles = "".join(
            f'<li><img src="{thumbnail_uri(template, style)}" alt="">{escape(style)}</li>' for style in template.styles
        )
        styles = f'<ul aria-label="Styles of {template.name}">{styles}</ul>'
    rows = "".join(
        f"<tr><td>{key.name}</td><td>{key.max_length}</td><td>{escape(key.en)}</td><td>{escape(key.es)}</td></tr>"
        for key in template.by_name.values()
    )
    return (
        f'<figure><img src="{thumbnail_uri(template)}" alt="Template {template.name}"><figcaption>'
        f"<code>{template.name}</code> · {template.width} × {template.height} · PDF {template.pdf_format}<br>"
        f"{escape(template.description)}{styles}"
        f"<details><summary>{len(template.by_name)} keys</summary><table>"
        f"<tr><th>Key</th><th>Max. length</th><th>English</th><th>Spanish</th></tr>{rows}</table></details>"
        "</figcaption></figure>"
    )


FOLDER = Path(__file__).parent / "thumbnails"
OWN_TYPES = {".webp": "image/webp", ".png": "image/png", ".jpg": "image/jpeg"}
"""Media types of thumbnails in the folder of an own template."""


def own_thumbnail_path(template: Manifest, style: str) -> Path:
    """Return the path of the thumbnail of an own template: `thumbnail.webp`, or `STYLE.webp` for a further style."""
    return template.folder / ("thumbnail.webp" if style == template.styles[0] else f"{style}.webp")


def thumbnail_path(name: str, lang: str, style: str | None = None) -> Path:
    """Return the path of the thumbnail of a bundled template. Only the first style, None, has one in Spanish."""
    return FOLDER / (f"{name}.{style}.{lang}.webp" if style else f"{name}.{lang}.webp")


def thumbnail_uri(template: Manifest, style: str | None = None) -> str:
    """Return the thumbnail of a style as a data: URI; default the first style."""
    further = None if style in (None, template.styles[0]) else style
    if template.is_bundled:
        files = {thumbnail_path(template.name, "en", further): "image/webp"}
    else:
        first = own_thumbnail_path(template, style or template.styles[0])
        files = {first.with_suffix(suffix): media_type for suffix, media_type in OWN_TYPES.items()}
    for file, media_type in files.items():
        if file.is_file():
            return _file_uri(file, media_type, file.stat().st_mtime_ns)
    return _placeholder(template, style or template.styles[0])


@cache
def _file_uri(file: Path, media_type: str, _modified: int) -> str:
    return f"data:{media_type};base64,{pybase64.b64encode(file.read_bytes()).decode()}"


def _placeholder(template: Manifest, style: str) -> str:
    """Return a drawing with the aspect ratio and the name of the template."""
    width, height = template.width, template.height
    size = min(width / max(6, 0.62 * len(template.name)), height / 5)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
        f'<path fill="#fff" d="M0 0h{width}v{height}H0z"/><g text-anchor="middle" fill="#14171c">'
        f'<text x="50%" y="50%" font-size="{size:g}">{escape(template.name)}</text>'
        f'<text x="50%" y="50%" dy="{size:g}" font-size="{size / 2:g}" opacity="0.6">{escape(style)}</text>'
        "</g></svg>"
    )
    return f"data:image/svg+xml;base64,{pybase64.b64encode(svg.encode()).decode()}"


BASE_CSS, FITTING_SCRIPT = DESIGNS / "base.css", Path(__file__).parent / "fitting.js"

LEFT_TO_RIGHT = "--start:left;--end:right;--side:100%;--push-left:auto;--push-right:0"
RIGHT_TO_LEFT = "--start:right;--end:left;--side:0%;--push-left:0;--push-right:auto"
"""CSS variables of the direction of a page. Each text has its own direction, so logical properties do not suffice."""

INK = "#101418"
LARGE_TEXT_CONTRAST = 3
"""Minimum contrast of large text and shapes (WCAG 2.2, 1.4.3 and 1.4.11)."""
DARK_BACKGROUND = "#0b0d12"
"""The background of dark templates."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_ITEM_PATH = re.compile(rf"{ITEMS}\.(\d+)\.(\w+)")


@dataclass(frozen=True)
class Page:
    """HTML and the size of the page to render it on. The HTML of a template loads nothing from the network."""

    html: str
    width: int
    """Width of the page, in pixels."""
    height: int
    meta: Mapping[str, list[Any]] = field(default_factory=dict)
    """Meta of the result: `defaults_used` (keys with their example text) and `warnings`."""
    template: "Template | None" = None
    item_rows: Sequence[int] = ()
    """Numbers of the item rows on the page."""
    fitting: str = ""
    """Script of mediakit that fits the texts in the loaded page; empty if there is nothing to fit."""

    def meta_of(self, fitting: Any, warnings: Sequence[ResultWarning] = ()) -> dict[str, Any]:
        """Return the meta of the result; `fitted` are the keys whose text the script made smaller or truncated."""
        meta: dict[str, Any] = dict(self.meta)
        if self.template:
            meta["fitted"] = self.keys_of(fitting["fitted"])
        if warnings:
            meta["warnings"] = [*meta.get("warnings", ()), *warnings]
        return meta

    def keys_of(self, paths: Sequence[str]) -> list[str]:
        """Return the keys of names in the HTML, such as `items.0.qty`, in the order of the template."""
        items = ((path, _ITEM_PATH.fullmatch(path)) for path in paths)
        names = {f"item{self.item_rows[int(item[1])]}_{item[2]}" if item else path for path, item in items}
        return [key.name for key in self.template.keys if key.name in names] if self.template else []


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
        """Return the page with texts; missing keys keep their example text. The browser fits the texts.

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
        texts = {name: _normalized(text) for name, text in values.items()}
        rows = [
            row for row in range(1, MAX_ITEM_ROWS + 1)
            if any(texts[key] for key in item_key_names(self.item_columns, [row]))
        ]  # fmt: skip
        design = self.design(style)
        labels = {name: label.es if lang == "es" else label.en for name, label in self.labels.items()}
        items = [{column: texts[f"item{row}_{column}"] for column in self.item_columns} for row in rows]
        columns = {name: any(row[name] for row in items) for name in self.item_columns}
        body = design.render({**texts, ITEMS: items, COLUMNS: columns, LABEL: labels})
        zoom = page_width / self.width if self.grows else min(page_width / self.width, page_height / self.height)
        size = {"width": page_width, "height": page_height, "zoom": zoom, "grow": grow and self.grows}
        written = [texts[key.name] for key in self.keys if key.format != "image"]
        characters = "".join([*written, *labels.values(), design.text, "… a"])
        prose = {key.name for key in self.keys if key.format == "text"}
        rtl = is_mostly_right_to_left("".join(data[key] for key in data if key in prose))
        classes = " ".join([*["tabular"] * self.tabular_digits, *["grow"] * (grow and self.grows)])
        colors = "".join(f"--{key.name}:{values[key.name]};" for key in self.keys if key.format == "color")
        html = (
            f'<!doctype html><html lang="{lang}" dir="{"rtl" if rtl else "ltr"}"><head><meta charset="utf-8">'
            f"<title>{escape(texts[self.keys[0].name])}</title>"
            f"<style>{fonts.font_face_css(characters, design.families)}"
            f":root{{{accent_variables(values['accent'])}{colors}{RIGHT_TO_LEFT if rtl else LEFT_TO_RIGHT}}}"
            f"{_base_css()}{design.css}</style></head>"
            f'<body><main class="{classes}" style="--page:{page_width / zoom:g}px;'
            f'--page-height:{page_height / zoom:g}px;zoom:{zoom:g}">{body}</main></body></html>'
        )
        script = f"({_fitting_script()})({json.dumps(size)})"
        return Page(html, round(page_width), round(page_height), {"defaults_used": defaults_used}, self, rows, script)

    def style_problem(self, style: str) -> str | None:
        """Return why a style is not one of the template, or None."""
        if style in self.styles:
            return None
        *others, last = self.styles
        styles = f"{', '.join(others)} or {last}" if others else last
        return f"{quote(style)} is not a style of {self.name}; use {styles}."

    def design(self, style: str | None = None, *, strict: bool = True) -> "Design":
        """Return the parsed HTML of a style; default the first.

        Raises:
            InvalidInput: The file has errors and `strict` is true; the message has the first one.
        """
        from mediakit.engines.templates.design import load_design

        name = style or self.styles[0]
        if name not in self._designs:
            self._designs[name] = load_design(self.folder / self.style_file(name), self)
        if strict and (errors := [each for each in self._designs[name].problems if not each.is_warning]):
            raise InvalidInput(str(errors[0]))
        return self._designs[name]

    @cached_property
    def _designs(self) -> dict[str, "Design"]:
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
        values = {}
        for name, key in self.by_name.items():
            is_empty = blank or (has_items and name in items) or key.example_with in data
            values[name] = data.get(name, "" if is_empty else key.example(lang))
        colors = {key.name: values[key.name] or key.en for key in self.by_name.values() if key.format == "color"}
        values |= {name: parse_color(color) or "" for name, color in colors.items()}
        texts = (key.name for key in self.keys if key.name not in colors)
        return values, [name for name in texts if name not in data and values[name]]


def accent_variables(accent: str) -> str:
    """Return the CSS variables of an accent color.

    They are the color itself, a text color for it, a darker shade for white backgrounds and a lighter tint for dark
    backgrounds.
    """
    text = _text_on(accent)
    shade = next(shade for shade in _mixed(accent, 0) if contrast_ratio(shade, "#ffffff") >= TEXT_CONTRAST)
    button = shade if text == "#ffffff" else "#ffffff"
    bright = next(tint for tint in _mixed(accent, 255) if contrast_ratio(tint, DARK_BACKGROUND) >= LARGE_TEXT_CONTRAST)
    bright_variables = f"--bright:{bright};--on-bright:{_text_on(bright)};"
    return f"{bright_variables}--accent:{accent};--on-accent:{text};--on-button:{button};--accent-ink:{shade};"


def _text_on(color: str) -> str:
    return "#ffffff" if contrast_ratio(color, "#ffffff") >= LARGE_TEXT_CONTRAST else INK


def _mixed(color: str, end: int) -> Iterator[str]:
    """Yield a color with more and more black (0) or white (255)."""
    for percent in range(100, -1, -4):
        yield "#" + bytes(abs(end - abs(end - value) * percent // 100) for value in bytes.fromhex(color[1:])).hex()


def _normalized(text: str) -> str:
    """Return a text without control characters and redundant spaces; line breaks stay."""
    if len(text) > 10_000:  # an image
        return text.strip()
    rows = (" ".join(_CONTROLS.sub(" ", row).split()) for row in text.splitlines())
    return "\n".join(row for row in rows if row)


@cache
def _base_css() -> str:
    return BASE_CSS.read_text(encoding="utf-8")


@cache
def _fitting_script() -> str:
    """Return the script as a function, without its comments."""
    return re.sub(r"(?m)^\s*//.*\n", "", FITTING_SCRIPT.read_text(encoding="utf-8")).strip()
