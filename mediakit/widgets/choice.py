"""Which input a parameter gets."""

from collections.abc import Callable

from mediakit.core.parameters import Kind, Parameter
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.files_input import FilesInput
from mediakit.widgets.inputs import BooleanInput, ChoiceInput, Input, MaybeInput, NumberInput, TextInput
from mediakit.widgets.structured_inputs import JsonInput, LinesInput

CONTROLS: dict[Kind, Callable[[Parameter], Input]] = {
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

EMPTY: dict[Kind, Callable[[Parameter], Input]] = {"integer": TextInput, "number": TextInput, "boolean": MaybeInput}
"""Controls that can be left empty."""


def input_for(parameter: Parameter, accept: str) -> Input:
    """Make the input of a parameter.

    Args:
        parameter: The field that is edited.
        accept: Media types of the files that it takes, comma separated.
    """
    if parameter.kind == "file":
        return FileInput(parameter, accept)
    if parameter.kind == "files":
        return FilesInput(parameter, accept)
    # The usual controls of these cannot be empty.
    if parameter.default is None and parameter.kind in EMPTY:
        return EMPTY[parameter.kind](parameter)
    if parameter.kind == "list" and not parameter.holds_texts:
        return JsonInput(parameter)
    return CONTROLS[parameter.kind](parameter)
