"""JSON Schema of the response."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.engines.pdf.forms.field_info import FieldKind

VALUE: Mapping[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "null"},
    ]
}
TEXTS: Mapping[str, Any] = {"type": ["array", "null"], "items": {"type": "string"}}
POSITION: Mapping[str, Any] = {"type": ["number", "null"]}

MEMBERS: Mapping[str, Mapping[str, Any]] = {
    "name": {"type": "string", "description": "Full name, such as `person.name`."},
    "type": {"type": "string", "enum": list(get_args(FieldKind))},
    "value": {**VALUE, "description": "Text, the state of a check box, an export value, or a list of them."},
    "default": {**VALUE, "description": "The value after a reset."},
    "options": {**TEXTS, "description": "Export values of check boxes, radio buttons, choices and lists."},
    "option_labels": {**TEXTS, "description": "The text that is shown for each option."},
    "required": {"type": "boolean"},
    "read_only": {"type": "boolean"},
    "multiline": {"type": "boolean"},
    "multiple": {"type": "boolean", "description": "Whether several options can be chosen."},
    "editable": {"type": "boolean", "description": "Whether a choice also takes text that is not an option."},
    "max_length": {"type": ["integer", "null"], "description": "Characters of a text."},
    "label": {"type": ["string", "null"], "description": "Name for people, which viewers show as a tooltip."},
    "page": {"type": ["integer", "null"], "description": "The page that shows the field first, from 1."},
    "x0": {**POSITION, "description": "Left edge, in points from the left of the page as it is seen."},
    "y0": {**POSITION, "description": "Upper edge, in points from the top of the page as it is seen."},
    "x1": POSITION,
    "y1": POSITION,
}

EXAMPLE: Mapping[str, Any] = {
    "name": "country", "type": "choice", "value": "FR", "default": None, "options": ["ES", "FR"],
    "option_labels": ["Spain", "France"], "required": True, "read_only": False, "multiline": False, "multiple": False,
    "editable": False, "max_length": None, "label": "Country", "page": 1, "x0": 56.0, "y0": 120.5, "x1": 300.0,
    "y1": 142.5,
}  # fmt: skip

FIELDS_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "items": {"type": "object", "required": list(MEMBERS), "properties": MEMBERS},
    "description": "The fields, in the order of the form.",
    "examples": [[EXAMPLE]],
}
