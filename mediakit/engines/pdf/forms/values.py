"""Sets the values of fields, after the rules of each."""

from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Name, String

from mediakit.core.messages import quote
from mediakit.core.suggestions import similar
from mediakit.engines.pdf.forms.fields import (
    EDITABLE,
    MULTI_SELECT,
    OFF,
    RADIOS_IN_UNISON,
    READ_ONLY,
    FormField,
    Option,
    as_name,
    options_of,
    own_state,
    shown_state,
    state_name,
)
from mediakit.engines.pdf.objects import delete
from mediakit.errors import InvalidInput

WORDS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0", ""), False)
"""Text for check boxes, as tables and command lines have it."""

MAX_LISTED = 20
"""Options that an error lists."""

MAX_COMPARED = 2000
"""Names that an unknown name is compared with."""

MAX_TEXT = 100_000
"""Characters of a text."""


class Values:
    """Values by name as a call has them, found in a form."""

    def __init__(self, fields: Mapping[str, FormField], given: Mapping[str, Any], *, strict: bool) -> None:
        self._fields = fields
        self.unknown: list[str] = []
        """Names that no field has."""
        self.chosen: dict[str, tuple[str, Any]] = {}
        """Name and value as given, by full name of the field."""
        short: dict[str, list[str]] = {}  # full names by their last part, with and without an index such as `[0]`
        for full in fields:
            last = full.rpartition(".")[2]
            for part in dict.fromkeys((last, last.partition("[")[0])):
                short.setdefault(part, []).append(full)
        for name, value in given.items():
            found = self._find(name, short, strict=strict)
            if found is None:
                self.unknown.append(name)
                continue
            if found in self.chosen:
                raise InvalidInput(f"values: {quote(self.chosen[found][0])} and {quote(name)} are the same field.")
            self.chosen[found] = name, value

    def _find(self, name: str, short: Mapping[str, list[str]], *, strict: bool) -> str | None:
        if name in self._fields:
            return name
        found = short.get(name, [])
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidInput(f"values: several fields are called {quote(name)}: {shortened(found)}.")
        if not strict:
            return None
        unique = [each for each, full in short.items() if len(full) == 1 and each]
        match = similar(name, [*self._fields, *unique][:MAX_COMPARED])
        hint = f"did you mean {quote(match)}?" if match else f"the fields are {shortened(list(self._fields))}."
        raise InvalidInput(f"values: there is no field {quote(name)}; {hint}")


def set_value(field: FormField, label: str, value: Any) -> None:
    """Set the value of a field and the state of its buttons; None clears it. Errors name it as the call does.

    Raises:
        InvalidInput: The field does not take this value.
    """
    prefix = f"values.{label}"
    if field.type == "signature":
        raise InvalidInput(f"{prefix}: signature fields cannot be filled.")
    if field.type == "button":
        raise InvalidInput(f"{prefix}: push buttons have no value and cannot be filled.")
    if field.has(READ_ONLY):
        raise InvalidInput(f"{prefix}: is read-only.")
    match field.type:
        case "text":
            _set_text(field, prefix, value)
        case "checkbox" | "radio":
            _set_button(field, prefix, value)
        case _:
            _set_choice(field, prefix, value)


def as_text(prefix: str, value: Any) -> str:
    """Return text or a number as text.

    Raises:
        InvalidInput: The value is something else.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidInput(f"{prefix}: must be text or a number, got {quote(value)}.")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def _set_text(field: FormField, prefix: str, value: Any) -> None:
    text = "" if value is None else as_text(prefix, value).replace("\r\n", "\n").replace("\r", "\n")
    if field.max_length is not None and len(text) > field.max_length:
        raise InvalidInput(f"{prefix}: holds at most {field.max_length} characters, got {len(text)}.")
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"{prefix}: must have at most {MAX_TEXT} characters, got {len(text)}.")
    if any(ord(character) < 32 and character not in "\n\t" for character in text):
        raise InvalidInput(f"{prefix}: must have no control characters.")
    if "\n" in text and not field.is_multiline:
        raise InvalidInput(f"{prefix}: holds one line, got {text.count(chr(10)) + 1}.")
    _store(field, String(text))


def _set_button(field: FormField, prefix: str, value: Any) -> None:
    option = _button_option(field, prefix, value)
    chosen = _chosen_widgets(field, option) if option else []
    own = [own_state(field, index) for index in range(len(field.widgets))]
    _store(field, as_name(own[chosen[0]] if chosen else option.states[0] if option else OFF))
    for index, widget in enumerate(field.widgets):
        widget.AS = state_name(widget, own[index]) if index in chosen else Name.Off


def _chosen_widgets(field: FormField, option: Option) -> list[int]:
    """Return the indexes of the widgets that an option switches on.

    Several radio buttons can have the value of the option. Only one of them is on unless the field says that they go
    together (ISO 32000-2, table 229): the one that is on already, or the first.
    """
    states = option.states if field.get(Name.Opt) is not None else option.states[:1]
    found = [index for index in range(len(field.widgets)) if own_state(field, index) in states]
    if field.type != "radio" or field.has(RADIOS_IN_UNISON):
        return found
    shown = [index for index in found if shown_state(field.widgets[index]) != OFF]
    return (shown or found)[:1]


def _button_option(field: FormField, prefix: str, value: Any) -> Option | None:
    options = options_of(field)
    if value is None:
        return None
    if isinstance(value, bool) and field.type == "checkbox":
        return options[0] if value and options else None
    text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    by_value = next((option for option in options if text == option.value), None)
    found = by_value or next((option for option in options if text in option.states), None)
    if found is not None:
        return found
    if field.type == "checkbox" and isinstance(text, str) and text.casefold() in WORDS:
        return options[0] if WORDS[text.casefold()] and options else None
    words = "true, false or" if field.type == "checkbox" else "one of"
    allowed = shortened([option.value for option in options])
    raise InvalidInput(f"{prefix}: must be {words} {allowed}, got {_shown(value)}.")


def _set_choice(field: FormField, prefix: str, value: Any) -> None:
    options = options_of(field)
    given = value if isinstance(value, list | tuple) else [] if value is None else [value]
    if len(given) > 1 and not (field.type == "list" and field.has(MULTI_SELECT)):
        raise InvalidInput(f"{prefix}: takes one option, got {len(given)}.")
    chosen = list(dict.fromkeys(_choice(field, options, prefix, item) for item in given))
    order = {option.value: index for index, option in enumerate(options)}
    chosen.sort(key=lambda item: order.get(item, len(order)))
    _store(
        field, Array([String(item) for item in chosen]) if len(chosen) > 1 else String(chosen[0]) if chosen else None
    )
    for node in field.nodes:
        delete(node, "/I")
        if field.type == "list" and chosen:
            node.I = Array([order[item] for item in chosen])


def _choice(field: FormField, options: Sequence[Option], prefix: str, value: Any) -> str:
    text, known = as_text(prefix, value), [option.value for option in options]
    by_label = [option.value for option in options if option.label == text]
    if text in known or (not by_label and field.type == "choice" and field.has(EDITABLE)):
        return text
    if by_label:
        return by_label[0]
    raise InvalidInput(f"{prefix}: must be one of {shortened(known)}, got {_shown(value)}.")


def _store(field: FormField, value: pikepdf.Object | None) -> None:
    """Write the value into the field, without rich text, which viewers would show in its place."""
    for node in field.nodes:
        delete(node, "/RV")
        if value is None:
            delete(node, "/V")
        else:
            node.V = value


def shortened(names: Sequence[str], most: int = MAX_LISTED) -> str:
    """Return the first names of a list, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _shown(value: Any) -> str:
    return value if isinstance(value, str) and value and len(value) <= 40 else quote(value)
