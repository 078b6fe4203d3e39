"""Saved states of Jupyter widgets as static HTML: controls with their values, images, HTML, and the boxes around them.

https://github.com/jupyter-widgets/ipywidgets/blob/main/packages/schema/jupyterwidgetmodels.latest.md
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from mediakit.engines.notebooks.images import read_image
from mediakit.engines.notebooks.model import Output
from mediakit.engines.notebooks.outputs import read_outputs
from mediakit.engines.notebooks.values import mapping_of, mappings_in, text_of

MAX_DEPTH = 20
MAX_WIDGETS = 5_000
"""Widgets that are shown, with those inside of boxes."""

_REFERENCE = "IPY_MODEL_"
_SUFFIX = re.compile(r"Model\Z")

ONE_OF = frozenset(("Dropdown", "Select", "RadioButtons", "ToggleButtons", "SelectionSlider"))
SEVERAL_OF = frozenset(("SelectMultiple", "SelectionRangeSlider"))
BOXES = frozenset(("Box", "HBox", "VBox", "GridBox", "GridspecLayout", "AppLayout", "TwoByTwoLayout"))
TITLED_BOXES = frozenset(("Accordion", "Tab", "Stack"))
BARS = frozenset(("IntProgress", "FloatProgress"))
CHECKS = frozenset(("Checkbox", "Valid"))
BUTTONS = frozenset(("Button", "ToggleButton", "FileUpload"))
HTML_TEXTS = frozenset(("HTML", "HTMLMath"))


@dataclass
class WidgetWriter:
    """Writes the widgets of one notebook."""

    states: Mapping[str, Mapping[str, Any]]
    """Saved models by their id."""
    write_output: Callable[[Output], str]
    """Returns the HTML of an output."""
    _depth: int = 0
    _count: int = 0

    def write(self, model: str) -> str:
        """Return a widget as HTML; empty if its state is not saved, or it has no static form."""
        saved = self.states.get(model.removeprefix(_REFERENCE))
        if saved is None or self._depth >= MAX_DEPTH or self._count >= MAX_WIDGETS:
            return ""
        self._count += 1
        self._depth += 1
        try:
            return self._write(saved)
        finally:
            self._depth -= 1

    def _write(self, saved: Mapping[str, Any]) -> str:
        state = mapping_of(saved.get("state"))
        name = _SUFFIX.sub("", text_of(saved.get("model_name")) or text_of(state.get("_model_name")))
        if name in BOXES:
            children = "".join(self._children(state))
            return (
                f'<div class="widget-box{" widget-row" if name == "HBox" else ""}">{children}</div>' if children else ""
            )
        if name in TITLED_BOXES:
            return self._titled(state)
        if name == "Output":
            outputs = read_outputs(mappings_in(state.get("outputs")))
            return "".join(map(self.write_output, outputs))
        if name in HTML_TEXTS:
            return self._html(state)
        if name == "Image":
            return _image(saved)
        return _control(name, state)

    def _children(self, state: Mapping[str, Any]) -> Iterator[str]:
        children = state.get("children")
        for child in children if isinstance(children, list) else ():
            yield self.write(child) if isinstance(child, str) else ""

    def _titled(self, state: Mapping[str, Any]) -> str:
        titles = state.get("titles")
        old_titles = mapping_of(state.get("_titles"))
        parts = []
        for index, child in enumerate(self._children(state)):
            title = titles[index] if isinstance(titles, list) and index < len(titles) else old_titles.get(str(index))
            heading = f'<div class="widget-title">{escape(text_of(title))}</div>' if text_of(title) else ""
            parts.append(heading + child)
        return f'<div class="widget-box">{"".join(parts)}</div>' if any(parts) else ""

    def _html(self, state: Mapping[str, Any]) -> str:
        value = text_of(state.get("value"))
        shown = self.write_output(Output("data", data={"text/html": value})) if value.strip() else ""
        return _labelled(state, shown) if shown else ""


def _control(name: str, state: Mapping[str, Any]) -> str:
    """Return a control with its value; empty for a widget of an unknown kind."""
    if name in BARS:
        return _labelled(state, _bar(state))
    if name in BUTTONS:
        text = text_of(state.get("description"))
        return f'<span class="widget-button">{escape(text)}</span>' if text else ""
    if name in CHECKS:
        mark = "☑" if state.get("value") is True else "☐"
        return f'<div class="widget"><span class="widget-check">{mark}</span> {_description(state)}</div>'
    value = _value(name, state)
    return _labelled(state, f'<span class="widget-value">{escape(value)}</span>') if value else ""


def _labelled(state: Mapping[str, Any], shown: str) -> str:
    description = _description(state)
    label = f'<span class="widget-label">{description}</span> ' if description else ""
    return f'<div class="widget">{label}{shown}</div>'


def _description(state: Mapping[str, Any]) -> str:
    return escape(text_of(state.get("description")))


def _value(name: str, state: Mapping[str, Any]) -> str:
    if name in ONE_OF or name in SEVERAL_OF:
        labels = state.get("_options_labels")
        chosen = state.get("index")
        indexes = chosen if isinstance(chosen, list) else [chosen]
        return ", ".join(_choices(labels if isinstance(labels, list) else [], indexes))
    return _written(state.get("value"))


def _choices(labels: Sequence[Any], indexes: Sequence[Any]) -> Iterator[str]:
    for index in indexes:
        if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(labels):
            yield text_of(labels[index])


def _written(value: Any) -> str:
    """Return a value as text: a number, a text, or a range of numbers."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)[:40]
    if isinstance(value, list):
        return (
            " – ".join(filter(None, map(_written, value)))
            if len(value) <= 2 and not any(isinstance(item, list) for item in value)
            else ""
        )
    return text_of(value)


def _bar(state: Mapping[str, Any]) -> str:
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


def _image(saved: Mapping[str, Any]) -> str:
    """Return the image that the widget has as a base64 buffer."""
    for buffer in mappings_in(saved.get("buffers")):
        if buffer.get("path") == ["value"] and buffer.get("encoding") == "base64":
            image = read_image(buffer.get("data"))
            return f'<img class="image-output" src="{image.data_uri}" alt="Image widget">' if image else ""
    return ""
