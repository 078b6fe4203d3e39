"""What can be chosen in a field: the states of buttons, and the options of lists."""

from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.forms.field import FormField, text_of, texts_of
from mediakit.engines.pdf.forms.names import as_name, keys_of, name_text
from mediakit.engines.pdf.objects import items

OFF = "Off"
DEFAULT_STATE = "Yes"
"""The state of a check box whose file has no appearance that names one."""

MAX_OPTIONS = 10_000


@dataclass(frozen=True)
class Option:
    """Something that can be chosen."""

    value: str
    """The export value."""
    label: str
    """The text that is shown."""
    states: tuple[str, ...] = ()
    """Names of the appearances of buttons that belong to it."""


def options_of(field: FormField) -> list[Option]:
    """Return what can be chosen in a field; an empty list for texts."""
    match field.type:
        case "checkbox" | "radio":
            return _button_options(field)
        case "choice" | "list":
            return [_option(item) for item in items(field.get(Name.Opt))[:MAX_OPTIONS]]
    return []


def on_state(widget: pikepdf.Object) -> str:
    """Return the name of the appearance that a button has when it is on."""
    looks = widget.get(Name.AP)
    for key in (Name.N, Name.D):
        states = looks.get(key) if isinstance(looks, Dictionary) else None
        if isinstance(states, Dictionary):
            for state in keys_of(states):
                if name_text(state) != OFF:
                    return name_text(state)
    current = widget.get(Name.AS)
    return "" if current == Name.Off else name_text(current)


def shown_state(widget: pikepdf.Object) -> str:
    """Return the name of the appearance that a button has now."""
    state = widget.get(Name.AS)
    return name_text(state) or OFF


def state_name(widget: pikepdf.Object, state: str) -> Name:
    """Return the name of a state as the widget's appearances spell it."""
    looks = widget.get(Name.AP)
    states = looks.get(Name.N) if isinstance(looks, Dictionary) else None
    known = keys_of(states) if isinstance(states, Dictionary) else []
    return next((name for name in known if name_text(name) == state), as_name(state))


def own_state(field: FormField, index: int) -> str:
    """Return the name of the state that turns on the widget with this index; made up if it has no appearances."""
    if state := on_state(field.widgets[index]):
        return state
    is_one_of_many = len(field.widgets) > 1 and isinstance(field.get(Name.Opt), Array)
    return str(index) if field.type == "radio" or is_one_of_many else DEFAULT_STATE


def _button_options(field: FormField) -> list[Option]:
    exports = [text_of(item) for item in items(field.get(Name.Opt))]
    states_by_value: dict[str, list[str]] = {}
    for index in range(len(field.widgets)):
        state = own_state(field, index)
        states = states_by_value.setdefault(_export(exports, index, state, len(field.widgets)), [])
        if state not in states:
            states.append(state)
    return [Option(value, value, tuple(states)) for value, states in states_by_value.items()]


def _export(exports: list[str | None], index: int, state: str, count: int) -> str:
    """Return the export value of a widget: `/Opt` has one for each widget, which damaged files address by state."""
    if len(exports) == count:
        return exports[index] or state
    is_index = state.isascii() and state.isdigit() and int(state) < len(exports)
    return (exports[int(state)] if is_index else None) or state


def _option(item: pikepdf.Object) -> Option:
    texts = texts_of(item)
    value = texts[0] if texts else ""
    return Option(value, texts[1] if len(texts) > 1 else value)
