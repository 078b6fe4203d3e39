"""Inputs: controls, and the conversion between their state and the value of a parameter.

Sliders, toggle buttons and radio buttons are not used, because ipywidgets gives them no accessible name.
"""

import html
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import ipywidgets as w
from ipywidgets.widgets.widget_string import HTMLStyle
from traitlets import Bunch, Unicode, observe

from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid

W = TypeVar("W", bound=w.DOMWidget)


@cache
def asset(name: str) -> str:
    """Return the text of a style sheet or a script, such as `form.css`."""
    return files("mediakit.widgets").joinpath("static", name).read_text("utf-8")


def script(name: str) -> str:
    """Return a script with the functions that several scripts share; the script of a widget cannot import a file."""
    return asset("dom.js") + asset(name)


def styled(widget: W, *roles: str) -> W:
    """Return a widget with classes of the style sheet, such as `mediakit-field` for `field`."""
    widget._dom_classes = (*widget._dom_classes, *classes(*roles))  # noqa: SLF001  # one message for all
    return widget


def classes(*roles: str) -> list[str]:
    """Return the names of classes of the style sheet."""
    return [f"mediakit-{role}" for role in roles]


_shared: dict[type[w.Widget], w.Widget] = {}


def shared(kind: type[w.Widget]) -> Any:
    """Return the one default layout or style of a kind, since a form has hundreds and each of them is a message."""
    if kind not in _shared or _shared[kind].comm is None:
        _shared[kind] = kind()
    return _shared[kind]


def is_shared(model: w.Widget) -> bool:
    """Return whether a layout or style is the one that forms share, which outlives a form."""
    return _shared.get(type(model)) is model


def vbox(children: Iterable[w.Widget], *roles: str) -> w.VBox:
    """Return a column of widgets with classes of the style sheet."""
    return w.VBox(tuple(children), layout=shared(w.Layout), _dom_classes=classes(*roles))


def group(children: Iterable[w.Widget] = (), *roles: str) -> w.Box:
    """Return a box of widgets with classes of the style sheet."""
    return w.Box(tuple(children), layout=shared(w.Layout), _dom_classes=classes(*roles))


def markup(text: str = "", *roles: str) -> w.HTML:
    """Return HTML with classes of the style sheet."""
    return w.HTML(text, layout=shared(w.Layout), style=shared(HTMLStyle), _dom_classes=classes(*roles))


def mark(widget: w.DOMWidget, role: str, *, marked: bool) -> None:
    """Add a class of the style sheet to a widget, or remove it."""
    (widget.add_class if marked else widget.remove_class)(f"mediakit-{role}")


def button(text: str, on_click: Callable[[], object], **options: Any) -> w.Button:
    """Return a button that calls a function without arguments."""
    made = w.Button(description=text, layout=shared(w.Layout), style=shared(w.ButtonStyle), **options)
    made.on_click(lambda _: on_click())
    return made


def status(text: str, *roles: str) -> str:
    """Return a message as HTML, which screen readers announce; empty without a text."""
    classes = " ".join(f"mediakit-{role}" for role in roles or ("help",))
    return f"<div role='status' class='{classes}'>{html.escape(text)}</div>" if text else ""


def alert(text: str) -> str:
    """Return an error message as HTML, which screen readers announce at once; empty without a text."""
    return f"<div role='alert' class='mediakit-error'>{html.escape(text)}</div>" if text else ""


def label(text: str, about: str = "") -> str:
    """Return a label as HTML, with a text beside it."""
    return f"<div class='mediakit-label'>{html.escape(text)}{about and f' <span>{html.escape(about)}</span>'}</div>"


MULTILINE_LENGTH = 1000
"""Texts with at least this maximum length have several lines."""

LARGE_LENGTH = 100_000
"""Texts with at least this maximum length have a large text area."""

TEXT_KINDS = ("text", "html", "url")


class Input:
    """A control, and the conversion between its state and the value of the parameter."""

    wide = False
    """Whether the control uses the full width of the form."""
    caption: w.HTML | None = None
    """The label, for controls without a label of their own."""
    is_kept = True
    """Whether the state may be written to a file."""

    def __init__(self, parameter: Parameter, control: w.DOMWidget) -> None:
        self.parameter = parameter
        self.control = control
        self.widget = control
        """The control and the widgets that belong to it."""

    def read(self) -> Any:
        """Return the value; None to omit the field.

        Raises:
            InvalidInput: The text of the control cannot be converted to a value.
        """
        return self.control.value

    def fill(self, value: Any) -> None:
        """Show a valid value."""
        self.control.value = value

    def snippet_value(self) -> Any:
        """Return the value for code snippets."""
        return self.read()

    def unsaved(self) -> list[str]:
        """Return the names of the files that the code names and `save` writes."""
        return []

    def save(self) -> None:
        """Save the files that the code names beside the notebook.

        Raises:
            OSError: A file cannot be written.
        """

    def notify(self, old: Any = (), new: Any = ()) -> None:
        """Notify observers of the control, whose own value does not change."""
        change = Bunch(name="value", type="change", owner=self.control, old=old, new=new)
        self.control.notify_change(change)

    def state(self) -> Any:
        """Return what the control shows, even if it is invalid."""
        return self.control.value

    def restore(self, state: Any) -> None:
        """Show an earlier state; notifies observers of the control."""
        self.control.value = state


class TextInput(Input):
    """A text with one or several lines, or an optional number."""

    def __init__(self, parameter: Parameter) -> None:
        self.wide = parameter.kind in TEXT_KINDS
        length = parameter.max_length or 0
        state = {"value": str(parameter.default or ""), "placeholder": _hint(parameter)}
        if self.wide and length >= MULTILINE_LENGTH:
            control = w.Textarea(**state, **labeled(parameter.name), rows=10 if length >= LARGE_LENGTH else 2)
        else:
            control = w.Text(**state, **labeled(parameter.name))
        super().__init__(parameter, control)

    def read(self) -> Any:
        """Return the value; None if the text is empty."""
        return self.parameter.parse(self.control.value) if self.control.value else None

    def fill(self, value: Any) -> None:
        """Show the value as text, an object as JSON."""
        self.control.value = json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else str(value)


class NumberInput(Input):
    """A number with a default. A number outside the limits shows an error instead of being changed."""

    def __init__(self, parameter: Parameter) -> None:
        kind = w.IntText if parameter.kind == "integer" else w.FloatText
        super().__init__(parameter, kind(parameter.default, **labeled(parameter.name), continuous_update=True))


class BooleanInput(Input):
    """A checkbox."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Checkbox(bool(parameter.default), **labeled(parameter.name), indent=False))


class Choices(w.Dropdown):  # type: ignore[misc]  # ipywidgets has no types
    """A list of choices that can have None as a value, for which `Dropdown` shows an empty box."""

    @observe("value")
    def _propagate_value(self, change: Bunch) -> None:
        values = list(self._options_values)
        self.index = values.index(change["new"]) if change["new"] in values else None


class ChoiceInput(Input):
    """A choice from a list, or an optional one of yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        options: list[tuple[str, Any]] = [(choice, choice) for choice in parameter.choices]
        options = options or [("yes", True), ("no", False)]
        if parameter.default is None:
            default = parameter.schema.get("default")
            used = "" if default is None else f" ({({True: 'yes', False: 'no'}).get(default, default)})"
            options.insert(0, (f"not set{used}", None))
        first = [value for _, value in options].index(parameter.default)
        super().__init__(parameter, Choices(options=options, index=first, **labeled(parameter.name)))

    def fill(self, value: Any) -> None:
        """Show a valid value; yes and no can be choices beside others."""
        is_text = isinstance(value, bool) and self.parameter.choices
        self.control.value = str(value).lower() if is_text else value


def _hint(parameter: Parameter) -> str:
    """Return the placeholder: an example, the default, or `optional`."""
    default = parameter.schema.get("default")
    example = next((text for text in parameter.schema.get("examples", ()) if isinstance(text, str)), None)
    if example:
        return f"e.g. {example}"
    if default is not None:
        return str(default)
    return "" if parameter.kind in TEXT_KINDS or parameter.required else "optional"


def heading(text: str) -> w.HTML:
    """Return a label for an input with several controls."""
    return markup(label(text))


def labeled(text: str) -> dict[str, Any]:
    """Return the options that label a control."""
    return {"description": text, "layout": shared(w.Layout), "style": {"description_width": "auto"}}


EXAMPLES = {"object": '{"title": "Hello"}', "table": '[{"name": "Ana", "age": 34}]'}
"""Placeholders by kind of field."""


class LinesInput(Input):
    """A list of texts, one per line. If the items can also be objects, a line can be a JSON object."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Textarea(**labeled(parameter.name), placeholder="One per line", rows=4))
        items = parameter.schema.get("items", {})
        self._allows_empty = items.get("type") == "string" and not items.get("minLength") and "enum" not in items
        self._allows_objects = any(option.get("type") == "object" for option in items.get("anyOf", ()))
        self._initial: tuple[str, list[Any]] = ("", [])
        self.fill(parameter.default or [])

    def read(self) -> Any:
        """Return an item per line; None if all lines are empty.

        Empty lines are items if the field allows empty texts and a line with text follows.
        """
        text, items = self._initial
        if self.control.value == text:
            return items or None
        lines = [line.strip() for line in self.control.value.rstrip().split("\n")]
        return [self._item(line) for line in lines if line or (self._allows_empty and any(lines))] or None

    def fill(self, value: Any) -> None:
        """Show a list with one item per line."""
        self.control.value = "\n".join(
            item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in value
        )
        self._initial = self.control.value, list(value)

    def _item(self, line: str) -> Any:
        if not (self._allows_objects and line.startswith("{")):
            return line
        try:
            return json.loads(line)
        except ValueError:
            message = f"must be a text or a JSON object per line, got {quote(line)}."
            raise invalid([{"field": self.parameter.name, "message": message}]) from None


class JsonInput(Input):
    """An object, or a list with items other than texts, as JSON; also a text such as `id, name`, if it is allowed."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        examples = parameter.schema.get("examples")
        example = json.dumps(examples[0]) if examples else EXAMPLES.get(parameter.kind, "[1, 2, 3]")
        super().__init__(parameter, w.Textarea(**labeled(parameter.name), placeholder=example, rows=4))
        self._allows_text = any(option.get("type") == "string" for option in parameter.schema.get("anyOf", ()))
        if parameter.default is not None:
            self.fill(parameter.default)

    def read(self) -> Any:
        """Return the parsed JSON, or the text; None if it is empty."""
        text = self.control.value.strip()
        try:
            return json.loads(text) if text else None
        except ValueError:
            if self._allows_text and text[0] not in "{[":
                return text
            message = f"must be JSON such as {self.control.placeholder}, got {quote(text)}."
            raise invalid([{"field": self.parameter.name, "message": message}]) from None

    def fill(self, value: Any) -> None:
        """Show a value as indented JSON, and a text such as `id, name` as it is."""
        is_plain = self._allows_text and isinstance(value, str) and value[:1].isalpha() and not value.isalpha()
        self.control.value = value if is_plain else json.dumps(value, ensure_ascii=False, indent=2)


class PasswordInput(Input):
    """One password, or the initial passwords of the form."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Password(**labeled(parameter.name)))
        self._several: list[str] | None = None

    def read(self) -> Any:
        """Return the password, or the initial passwords; None if there is none."""
        return self.control.value or self._several

    def fill(self, value: Any) -> None:
        """Use a password, or several until the user enters one."""
        self._several = None if isinstance(value, str) else list(value)
        self.control.value = value if isinstance(value, str) else ""
        self.control.placeholder = f"{len(self._several)} from your code" if self._several else ""


class Controls(w.Box):  # type: ignore[misc]  # ipywidgets has no types
    """Several controls for one field; `value` is what they show, as text."""

    value = Unicode(None, allow_none=True)
