"""Outputs of code cells as HTML: of each value, the richest form that is safe."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pybase64

from mediakit.engines.notebooks.images import display_size, read_image
from mediakit.engines.notebooks.model import Output
from mediakit.engines.notebooks.richest import (
    HTML,
    IMAGES,
    JAVASCRIPT,
    JSON,
    LATEX,
    MARKDOWN,
    SVG,
    TEXT,
    WIDGET_VIEW,
    richest_forms,
)
from mediakit.tools.documents.notebook_convert.html.images import embed_images
from mediakit.tools.documents.notebook_convert.html.markdown_cells import markdown_html
from mediakit.tools.documents.notebook_convert.html.maths import formula_of
from mediakit.tools.documents.notebook_convert.html.scoped_styles import scoped_styles
from mediakit.tools.documents.notebook_convert.html.terminal import terminal_html
from mediakit.tools.documents.notebook_convert.remarks import Remarks
from mediakit.tools.documents.notebook_convert.svg import clean_svg

_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_CONTENT = re.compile(r"<(?:img|svg|table|hr|math|progress|meter)\b|class=\"missing-image\"", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_FORM_FIELD = re.compile(r"<(?=/?input\b)", re.IGNORECASE)
_HEAD = re.compile(r"<head\b.*?</head\s*>", re.IGNORECASE | re.DOTALL)


@dataclass
class OutputWriter:
    """Writes the outputs of one notebook."""

    remarks: Remarks
    scripts: bool = False
    """Whether scripts of outputs stay."""
    widgets: Callable[[str], str] = field(default=lambda _model: "")
    """Returns the HTML of a widget by the id of its model; empty if its state is not saved."""
    _count: int = 0

    def write(self, output: Output) -> str:
        """Return an output as HTML; empty if nothing of it can be shown."""
        if output.kind == "stream":
            stream = "stderr" if output.name == "stderr" else "stdout"
            return f'<pre class="{stream}">{terminal_html(output.text)}</pre>'
        if output.kind == "error":
            return f'<pre class="error">{terminal_html(output.text)}</pre>'
        self._count += 1
        return self._write_value(output)

    def _write_value(self, output: Output) -> str:
        if self.scripts and (interactive := self._interactive(output.data)):
            return interactive
        for media, value in richest_forms(output.data):
            if html := self._write_form(media, value, output.metadata):
                if media in (TEXT, WIDGET_VIEW):
                    self._remark_text(output.data, media)
                return html
        self.remarks.add("not_shown")
        return ""

    def _remark_text(self, data: Mapping[str, Any], media: str) -> None:
        if media == WIDGET_VIEW:
            return
        if WIDGET_VIEW in data:
            self.remarks.add("widget")
        elif any(name in data for name in JAVASCRIPT) or HTML in data:
            self.remarks.add("scripts")

    def _interactive(self, data: Mapping[str, Any]) -> str:
        """Return a form with scripts; empty if there is none."""
        html = data.get(HTML)
        if isinstance(html, str) and _SCRIPT.search(html):
            return f'<div class="html-output">{html}</div>'
        script = next((data[name] for name in JAVASCRIPT if isinstance(data.get(name), str)), "")
        if not script:
            return ""
        closed = re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE)
        element = "[document.currentScript.previousElementSibling]"
        return f'<div class="html-output"></div><script>(element => {{{closed}\n}})({element})</script>'

    def _write_form(self, media: str, value: Any, metadata: Mapping[str, Any]) -> str:
        if media == WIDGET_VIEW:
            model = value.get("model_id") if isinstance(value, dict) else None
            return self.widgets(model) if isinstance(model, str) else ""
        if media == JSON:
            return _json(value)
        if not isinstance(value, str) or not value.strip():
            return ""
        if media in IMAGES:
            return self._image(media, value, metadata)
        writers = {SVG: self._svg, HTML: self._html, MARKDOWN: self._markdown, LATEX: self._latex}
        return writers.get(media, _text)(value)

    def _image(self, media: str, value: str, metadata: Mapping[str, Any]) -> str:
        image = read_image(value)
        if image is None:
            self.remarks.add("broken_image")
            return ""
        sizes = zip(("width", "height"), display_size(metadata, media), strict=True)
        attributes = "".join(f' {name}="{size}"' for name, size in sizes if size)
        return f'<img class="image-output" src="{image.data_uri}"{attributes} alt="{self._alt}">'

    def _svg(self, value: str) -> str:
        svg = clean_svg(value)
        if svg is None:
            self.remarks.add("svg")
            return ""
        source = pybase64.b64encode(svg).decode()
        return f'<img class="image-output" src="data:image/svg+xml;base64,{source}" alt="{self._alt}">'

    @property
    def _alt(self) -> str:
        return f"Output {self._count}"

    def _html(self, value: str) -> str:
        from mediakit.engines.rich_text.cleaning import clean_html

        scope = f"html-output-{self._count}"
        cleaned = embed_images(clean_html(_without_fields(value), styles=True, svg=True), {}, self.remarks)
        if not _CONTENT.search(cleaned) and not _TAG.sub("", cleaned).strip():
            return ""
        styles = scoped_styles(value, f".{scope}")
        sheet = f"<style>{styles}</style>" if styles else ""
        return f'{sheet}<div class="html-output {scope}">{cleaned}</div>'

    def _markdown(self, value: str) -> str:
        return f'<div class="markdown">{markdown_html(value, self.remarks)}</div>'

    def _latex(self, value: str) -> str:
        from mediakit.engines.rich_text.maths import maths_source, write_maths

        formula = formula_of(value)
        made = write_maths(formula, block=True)
        if made is None:
            self.remarks.add("formula")
            made = maths_source(formula, block=True)
        return f'<div class="math">{made}</div>'


def _without_fields(html: str) -> str:
    """Return HTML without its head, in which form fields are unknown elements, so that cleaning removes them."""
    return _FORM_FIELD.sub("<x-", _HEAD.sub("", html))


def _text(value: str) -> str:
    return f"<pre>{terminal_html(value)}</pre>"


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False)
    except RecursionError:
        return ""
    return f"<pre>{escape(text, quote=False)}</pre>"
