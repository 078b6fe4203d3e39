"""The field type of a password of an archive."""

from typing import Annotated

from pydantic import Field

ArchivePassword = Annotated[
    str, Field(min_length=1, max_length=128, json_schema_extra={"format": "password", "writeOnly": True})
]
"""1-128 characters. It is never logged, shown or accepted in a query string."""
