"""The field type for one or more passwords."""

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mediakit.core.fields import Password

MAX_PASSWORDS = 20


class _PasswordList:
    """Annotation of a field that takes one password or several."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        items = core_schema.list_schema(handler.generate_schema(Password), min_length=1, max_length=MAX_PASSWORDS)
        return core_schema.no_info_before_validator_function(_as_list, items)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        several = handler(schema)
        return {"anyOf": [several["items"], several], "format": "password", "writeOnly": True, "x-kind": "list"}


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Passwords = Annotated[str | list[str], _PasswordList()]
"""A password, or a list of up to 20 to try. They are never logged, shown or accepted in a query string."""
