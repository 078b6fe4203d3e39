"""The input for each kind of parameter."""

from collections.abc import Callable

from mediakit.core.parameters import Kind, Parameter
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.files_input import FilesInput
from mediakit.widgets.inputs import BooleanInput, ChoiceInput, Input, MaybeInput, NumberInput, TextInput
from mediakit.widgets.password_input import PasswordInput
from mediakit.widgets.structured_inputs import JsonInput, LinesInput

INPUTS: dict[Kind, Callable[[Parameter], Input]] = {
    "text": TextInput,
    "html": TextInput,
    "url": TextInput,
    "integer": NumberInput,
    "number": NumberInput,
    "boolean": BooleanInput,
    "choice": ChoiceInput,
    "color": ColorInput,
    "list": LinesInput,
    "object": JsonInput,
    "table": JsonInput,
}

OPTIONAL_INPUTS: dict[Kind, Callable[[Parameter], Input]] = {
    "integer": TextInput,
    "number": TextInput,
    "boolean": MaybeInput,
}
"""Inputs that can be empty, for kinds whose usual input cannot."""


def input_for(parameter: Parameter, accept: str) -> Input:
    """Return a new input for a parameter.

    Args:
        parameter: The parameter to edit.
        accept: Comma-separated media types of the accepted files.
    """
    if parameter.kind == "file":
        return FileInput(parameter, accept)
    if parameter.kind == "files":
        return FilesInput(parameter, accept)
    if parameter.is_secret:
        return PasswordInput(parameter)
    if parameter.default is None and parameter.kind in OPTIONAL_INPUTS:
        return OPTIONAL_INPUTS[parameter.kind](parameter)
    if parameter.kind == "list" and not parameter.holds_texts:
        return JsonInput(parameter)
    return INPUTS[parameter.kind](parameter)
