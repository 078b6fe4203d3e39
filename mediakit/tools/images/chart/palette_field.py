"""The field type of a palette: the name of a palette, or a list of colors."""

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mediakit.core.fields import Color
from mediakit.core.messages import nearest, quote
from mediakit.engines.colors import PALETTE_NAMES, PaletteName

MAX_COLORS = 50


class _PaletteSchema:
    """Annotation of a field that takes the name of a palette, or a list of colors."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        colors = core_schema.list_schema(handler.generate_schema(Color), min_length=1, max_length=MAX_COLORS)
        return core_schema.no_info_wrap_validator_function(_name_or_colors, colors)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        colors = handler(schema)
        name = {"type": "string", "enum": [*PALETTE_NAMES]}
        return {
            "anyOf": [name, colors],
            "items": colors["items"],
            "maxItems": MAX_COLORS,
            "x-kind": "list",
            "examples": ["ocean", ["#0d6b60", "tomato"]],
        }


def _name_or_colors(value: Any, validate_colors: core_schema.ValidatorFunctionWrapHandler) -> Any:
    only = value[0] if isinstance(value, list) and len(value) == 1 else value  # the shell and queries pass lists
    if only in PALETTE_NAMES:
        return only
    if type(value) is str:
        raise ValueError(f"{quote(value)} is not the name of a palette; {nearest(value, PALETTE_NAMES)}")
    return validate_colors(value)


PaletteField = Annotated[list[str] | PaletteName, _PaletteSchema()]
"""The name of a palette, or a list of 1 to 50 CSS colors."""
