"""Writes a notebook as one HTML page that needs no other file: of each output, the richest form that is safe.

Widgets are shown by their saved state: controls with their values, images, HTML, and the boxes around them.
https://github.com/jupyter-widgets/ipywidgets/blob/main/packages/schema/jupyterwidgetmodels.latest.md
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any

import pybase64

from mediakit.engines.fonts import font_face_css
from mediakit.engines.notebooks import (
    HTML,
    IMAGES,
    JAVASCRIPT,
    JSON,
    LATEX,
    MARKDOWN,
    SVG,
    TEXT,
    WIDGET_VIEW,
    Cell,
    Notebook,
    NotebookImage,
    Output,
    display_size,
    mapping_of,
    mappings_in,
    read_attachment,
    read_image,
    read_outputs,
    text_of,
)
from mediakit.engines.notebooks.terminal import terminal_html
from mediakit.engines.rich_text.page import open_sections
from mediakit.tools.documents.notebook_convert.cleaning import clean_output, clean_svg, embed_images, scoped_styles
from mediakit.tools.documents.notebook_convert.formulas import Formulas
from mediakit.tools.documents.notebook_convert.selection import Remarks, ShownCell
from mediakit.tools.documents.notebook_convert.tool import NotebookConvertRequest, Theme

MAX_DEPTH = 20
MAX_WIDGETS = 5_000
"""Widgets that are shown, with those inside of boxes."""

State = Mapping[str, Any]

TITLED_BOXES = frozenset(("Accordion", "Tab", "Stack"))
BARS = frozenset(("IntProgress", "FloatProgress"))
CHECKS = frozenset(("Checkbox", "Valid"))
BUTTONS = frozenset(("Button", "ToggleButton", "FileUpload"))
HTML_TEXTS = frozenset(("HTML", "HTMLMath"))


class WidgetWriter:
    """Writes the widgets of one notebook."""

    def __init__(self, models: Mapping[str, State], write_output: Callable[[Output], str]) -> None:
        """Take the saved models by their id, and the function that returns the HTML of an output."""
        self._models, self._write_output = models, write_output
        self._depth = self._count = 0

    def write(self, model: str) -> str:
        """Return a widget as HTML; empty if its state is not saved, or it has no static form."""
        saved = self._models.get(model.removeprefix("IPY_MODEL_"))
        if saved is None or self._depth >= MAX_DEPTH or self._count >= MAX_WIDGETS:
            return ""
        self._count += 1
        self._depth += 1
        try:
            return self._write(saved)
        finally:
            self._depth -= 1

    def _write(self, saved: State) -> str:
        state = mapping_of(saved.get("state"))
        name = (text_of(saved.get("model_name")) or text_of(state.get("_model_name"))).removesuffix("Model")
        if isinstance(state.get("children"), list):
            return self._box(name, state)
        if name == "Output":
            return "".join(map(self._write_output, read_outputs(mappings_in(state.get("outputs")))))
        if name in HTML_TEXTS:
            value = text_of(state.get("value"))
            return _labelled(state, self._write_output(Output("data", data={HTML: value})) if value.strip() else "")
        return _image(saved) if name == "Image" else _control(name, state)

    def _box(self, name: str, state: State) -> str:
        titles, old_titles = state.get("titles"), mapping_of(state.get("_titles"))
        parts = []
        for index, child in enumerate(state["children"]):
            title = titles[index] if isinstance(titles, list) and index < len(titles) else old_titles.get(str(index))
            title = text_of(title) if name in TITLED_BOXES else ""
            heading = f'<div class="widget-title">{escape(title)}</div>' if title else ""
            parts.append(heading + (self.write(child) if isinstance(child, str) else ""))
        kind = "widget-box widget-row" if name == "HBox" else "widget-box"
        return f'<div class="{kind}">{"".join(parts)}</div>' if any(parts) else ""


def _control(name: str, state: State) -> str:
    """Return a control with its value; empty for a widget of an unknown kind."""
    description = escape(text_of(state.get("description")))
    if name in BARS:
        return _labelled(state, _bar(state))
    if name in BUTTONS:
        return f'<span class="widget-button">{description}</span>' if description else ""
    if name in CHECKS:
        mark = "☑" if state.get("value") is True else "☐"
        return f'<div class="widget"><span class="widget-check">{mark}</span> {description}</div>'
    value = _choice(state) if "_options_labels" in state else _written(state.get("value"))
    return _labelled(state, f'<span class="widget-value">{escape(value)}</span>' if value else "")


def _labelled(state: State, shown: str) -> str:
    """Return what a widget shows behind its description; empty if it shows nothing."""
    description = escape(text_of(state.get("description")))
    label = f'<span class="widget-label">{description}</span> ' if description else ""
    return f'<div class="widget">{label}{shown}</div>' if shown else ""


def _choice(state: State) -> str:
    labels, index = state.get("_options_labels"), state.get("index")
    known = labels if isinstance(labels, list) else []
    chosen = [one for one in (index if isinstance(index, list) else [index]) if type(one) is int]
    return ", ".join(text_of(known[one]) for one in chosen if 0 <= one < len(known))


def _written(value: Any) -> str:
    """Return a value as text: a number, a text, or a range of two of them."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)[:40]
    if isinstance(value, list):
        is_range = len(value) <= 2 and not any(isinstance(item, list) for item in value)
        return " – ".join(filter(None, map(_written, value))) if is_range else ""
    return text_of(value)


def _bar(state: State) -> str:
    least, most, value = (
        float(number)
        if isinstance(number := state.get(name, default), int | float) and abs(number) < 1e300
        else default
        for name, default in (("min", 0.0), ("max", 100.0), ("value", 0.0))
    )
    share = min(1.0, max(0.0, (value - least) / (most - least))) if most > least else 0.0
    percent = f"{100 * share:.0f}%"
    bar = f'<span class="widget-bar"><span style="width:{percent}"></span></span>'
    return f'{bar} <span class="widget-value">{percent}</span>'


def _image(saved: State) -> str:
    """Return the image that the widget has as a base64 buffer."""
    for buffer in mappings_in(saved.get("buffers")):
        if buffer.get("path") == ["value"] and buffer.get("encoding") == "base64":
            image = read_image(buffer.get("data"))
            return f'<img class="image-output" src="{image.data_uri}" alt="Image widget">' if image else ""
    return ""


FOLDER = Path(__file__).parent

STATIC_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content security policy (CSP) of pages without scripts: nothing runs, and nothing is loaded."""

SCRIPT_POLICY = (
    "default-src https: data: blob:; script-src 'unsafe-inline' 'unsafe-eval' https: data: blob:; "
    "style-src 'unsafe-inline' https:; base-uri 'none'; form-action 'none'"
)
"""CSP of pages with the scripts of outputs."""

MAX_HIGHLIGHTED_CHARACTERS = 1_000_000
"""Characters of code that are colored in a notebook; the rest is plain."""

LEXERS = {"": "python", "ipython": "python", "c++11": "c++", "c++14": "c++", "c++17": "c++", "sage": "python"}
"""Names of languages that Pygments does not know."""

MAGIC_LEXERS = {
    **{name: name for name in ("bash", "html", "javascript", "latex", "markdown", "perl", "ruby", "sql")},
    "js": "javascript",
    "HTML": "html",
    "sh": "bash",
    "svg": "xml",
}
"""Lexers of cells that begin with a cell magic such as `%%bash`."""

_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_CONTENT = re.compile(r"<(?:img|svg|table|hr|math|progress|meter)\b|class=\"missing-image\"", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_HEADING = re.compile(r'<(h[1-6]) id="[^"]*">(.{0,2000}?)</\1>', re.DOTALL)


def write_page(
    notebook: Notebook, cells: Sequence[ShownCell], request: NotebookConvertRequest, title: str, remarks: Remarks
) -> str:
    """Return the page.

    Args:
        notebook: The notebook.
        cells: Its cells that are shown.
        request: How to show them.
        title: Title of the page.
        remarks: Counts what cannot be shown.
    """
    body = _Writer(notebook, request, remarks).write(cells)
    header = ""
    if "<h1" not in body:
        authors = f'<p class="authors">{escape(", ".join(notebook.authors))}</p>' if notebook.authors else ""
        header = f'<header class="title"><h1>{escape(title, quote=False)}</h1>{authors}</header>\n'
    # The browser of the PDF engine runs no scripts, and loads nothing. The fonts of servers differ.
    is_pdf = request.to == "pdf"
    body = open_sections(body) if is_pdf else body
    policy = SCRIPT_POLICY if request.scripts else STATIC_POLICY
    meta = "" if is_pdf else f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    fonts = font_face_css(body, ("sans", "mono")) if is_pdf else ""
    names = "" if request.hide_prompts else ' class="prompts"'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{meta}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title, quote=False)}</title>\n<style>\n{fonts}{style_sheet(request.theme)}\n</style>\n"
        f"</head>\n<body>\n<main{names}>\n{header}{body}\n</main>\n</body>\n</html>\n"
    )


class _Writer:
    """Writes the cells of one notebook."""

    def __init__(self, notebook: Notebook, request: NotebookConvertRequest, remarks: Remarks) -> None:
        self._language = notebook.language
        self._prompts, self._scripts = not request.hide_prompts, request.scripts
        self._remarks = remarks
        self._formulas = Formulas(remarks)
        self._widgets = WidgetWriter(notebook.widgets, self._output)
        self._highlighted = 0
        self._values = 0

    def write(self, cells: Sequence[ShownCell]) -> str:
        """Return the HTML of the cells that are shown."""
        return self._formulas.put_into("\n".join(filter(None, map(self._cell, cells))))

    def _cell(self, shown: ShownCell) -> str:
        cell = shown.cell
        if cell.kind == "code":
            parts = "".join(self._code_cell(shown))
            return f'<section class="cell code">{parts}</section>' if parts else ""
        if not cell.source.strip():
            return ""
        if cell.kind == "markdown":
            return f'<section class="cell markdown">{self._markdown(cell.source, cell)}</section>'
        return f'<section class="cell raw"><pre>{escape(cell.source, quote=False)}</pre></section>'

    def _code_cell(self, shown: ShownCell) -> Iterator[str]:
        cell = shown.cell
        if shown.has_input and cell.source.strip():
            number = " " if cell.count is None else f"{cell.count}"
            html = f'<pre class="source"><code>{self._highlight(cell.source)}</code></pre>'
            yield self._row("input", f"[{number}]", html)
        for output in cell.outputs:
            if html := self._output(output):
                prompt = f"[{output.count}]" if output.is_result and output.count is not None else ""
                yield self._row(f"output {output.kind}", prompt, html)

    def _row(self, kind: str, prompt: str, html: str) -> str:
        label = f'<div class="prompt" aria-hidden="true">{prompt}</div>' if self._prompts else ""
        return f'<div class="{kind}">{label}<div class="content">{html}</div></div>'

    def _highlight(self, source: str) -> str:
        from mediakit.engines.rich_text.rendering import highlight

        self._highlighted += len(source)
        if self._highlighted > MAX_HIGHLIGHTED_CHARACTERS:
            return escape(source, quote=False)
        magic = source[2:].split(None, 1)[0] if source.startswith("%%") and source[2:].strip() else ""
        return highlight(source, MAGIC_LEXERS.get(magic) or LEXERS.get(self._language, self._language))

    def _markdown(self, markdown: str, cell: Cell | None = None) -> str:
        """Return Markdown as clean HTML with the attachments of its cell."""
        from mediakit.engines.rich_text.rendering import render_markdown

        attached: dict[str, NotebookImage] = {}
        text = self._formulas.take_out(markdown)
        attachments = sorted(cell.attachments.items(), key=lambda item: -len(item[0])) if cell else ()
        for number, (name, forms) in enumerate(attachments, start=1):  # a name may begin with another one
            address = f"attachment-{number}"
            if image := read_attachment(forms):
                attached[address] = image
            for written in {name, name.replace(" ", "%20")}:
                text = text.replace(f"attachment:{written}", address)
        html = _HEADING.sub(_with_jupyter_anchor, render_markdown(text, styles=True))
        for _ in range(html.count('class="math-source"')):
            self._remarks.add("formula")
        return embed_images(self._formulas.show_source(html), attached, self._remarks)

    def _output(self, output: Output) -> str:
        """Return an output as HTML; empty if nothing of it can be shown."""
        if output.kind != "data":
            name = "error" if output.kind == "error" else "stderr" if output.name == "stderr" else "stdout"
            return f'<pre class="{name}">{terminal_html(output.text)}</pre>'
        self._values += 1
        if self._scripts and (interactive := _interactive(output.data)):
            return interactive
        for media, value in output.forms():
            if html := self._form(media, value, output.metadata):
                if media == TEXT and WIDGET_VIEW in output.data:
                    self._remarks.add("widget")
                elif media == TEXT and (HTML in output.data or any(name in output.data for name in JAVASCRIPT)):
                    self._remarks.add("scripts")
                return html
        self._remarks.add("not_shown")
        return ""

    def _form(self, media: str, value: Any, metadata: Mapping[str, Any]) -> str:
        """Return one form of a value as HTML; empty if it cannot be shown."""
        if media == WIDGET_VIEW:
            model = value.get("model_id") if isinstance(value, dict) else None
            return self._widgets.write(model) if isinstance(model, str) else ""
        if media == JSON:
            return _json(value)
        if not isinstance(value, str) or not value.strip():
            return ""
        if media in IMAGES or media == SVG:
            return self._image(media, value, metadata)
        writers: Mapping[str, Callable[[str], str]] = {
            HTML: self._html,
            MARKDOWN: lambda markdown: f'<div class="markdown">{self._markdown(markdown)}</div>',
            LATEX: lambda latex: f'<div class="latex">{self._formulas.add(latex)}</div>',
        }
        return writers[media](value) if media in writers else f"<pre>{terminal_html(value)}</pre>"

    def _image(self, media: str, value: str, metadata: Mapping[str, Any]) -> str:
        if media == SVG:
            svg = clean_svg(value)
            address = f"data:{SVG};base64,{pybase64.b64encode(svg).decode()}" if svg else ""
        else:
            image = read_image(value)
            address = image.data_uri if image else ""
        if not address:
            self._remarks.add("svg" if media == SVG else "broken_image")
            return ""
        sizes = (None, None) if media == SVG else display_size(metadata, media)
        attributes = "".join(f' {name}="{size}"' for name, size in zip(("width", "height"), sizes, strict=True) if size)
        return f'<img class="image-output" src="{address}"{attributes} alt="Output {self._values}">'

    def _html(self, value: str) -> str:
        scope = f"html-output-{self._values}"
        cleaned = clean_output(value, self._remarks)
        if not _CONTENT.search(cleaned) and not _TAG.sub("", cleaned).strip():
            return ""
        styles = scoped_styles(value, f".{scope}")
        sheet = f"<style>{styles}</style>" if styles else ""
        return f'{sheet}<div class="html-output {scope}">{self._formulas.take_out_of_html(cleaned)}</div>'


def _with_jupyter_anchor(heading: re.Match[str]) -> str:
    """Return a heading with the anchor that Jupyter gives it, to which links in notebooks refer."""
    anchor = "-".join(unescape(_TAG.sub("", heading[2])).split())
    return f'<{heading[1]} id="{escape(anchor)}">{heading[2]}</{heading[1]}>'


def _interactive(data: Mapping[str, Any]) -> str:
    """Return the form of a value that has scripts; empty if there is none."""
    html = data.get(HTML)
    if isinstance(html, str) and _SCRIPT.search(html):
        return f'<div class="html-output">{html}</div>'
    script = next((data[name] for name in JAVASCRIPT if isinstance(data.get(name), str)), "")
    if not script:
        return ""
    closed = re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE)
    element = "[document.currentScript.previousElementSibling]"
    return f'<div class="html-output"></div><script>(element => {{{closed}\n}})({element})</script>'


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False)
    except RecursionError:
        return ""
    return f"<pre>{escape(text, quote=False)}</pre>"


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a page."""
    from mediakit.engines.rich_text.rendering import highlight_css

    rules = [(FOLDER / name).read_text("utf-8").strip() for name in (f"theme_{theme}.css", "notebook.css")]
    dark = [highlight_css("pre", dark=True)] if theme == "dark" else []
    return "\n".join((*rules, highlight_css("pre"), *dark))
