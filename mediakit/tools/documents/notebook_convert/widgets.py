"""Saved states of Jupyter widgets as static HTML: controls with their values, images, HTML, and the boxes around them.

https://github.com/jupyter-widgets/ipywidgets/blob/main/packages/schema/jupyterwidgetmodels.latest.md
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from mediakit.engines.notebooks import HTML, Output, mapping_of, mappings_in, read_image, read_outputs, text_of

MAX_DEPTH = 20
MAX_WIDGETS = 5_000
"""Widgets that are shown, with those inside of boxes."""

State = Mapping[str, Any]

ONE_OF = frozenset(("Dropdown", "Select", "RadioButtons", "ToggleButtons", "SelectionSlider"))
SEVERAL_OF = frozenset(("SelectMultiple", "SelectionRangeSlider"))
BOXES = frozenset(("Box", "HBox", "VBox", "GridBox", "GridspecLayout", "AppLayout", "TwoByTwoLayout"))
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
        if name in BOXES or name in TITLED_BOXES:
            return self._box(name, state)
        if name == "Output":
            return "".join(map(self._write_output, read_outputs(mappings_in(state.get("outputs")))))
        if name in HTML_TEXTS:
            value = text_of(state.get("value"))
            return _labelled(state, self._write_output(Output("data", data={HTML: value})) if value.strip() else "")
        return _image(saved) if name == "Image" else _control(name, state)

    def _box(self, name: str, state: State) -> str:
        children, titles, old_titles = state.get("children"), state.get("titles"), mapping_of(state.get("_titles"))
        parts = []
        for index, child in enumerate(children if isinstance(children, list) else ()):
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
    value = _choice(state) if name in ONE_OF or name in SEVERAL_OF else _written(state.get("value"))
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
