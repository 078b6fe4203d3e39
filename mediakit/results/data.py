"""`DataResult`: a result that is data."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from mediakit.results.result import Result


class DataResult(Result):
    """A result that is data: in JSON its fields stand beside `success` and `meta`."""

    is_data = True

    def fields(self) -> dict[str, Any]:
        """Give the fields as the HTTP answer has them."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        raise NotImplementedError

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Describe the fields by their names, as JSON Schema."""
        raise NotImplementedError

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Give the JSON that HTTP answers with; `usage` joins the meta."""
        return to_json({"success": True, **self.fields(), "meta": {**self.meta, **(usage or {})}})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataResult):
            return NotImplemented
        return (type(self), self.fields(), self.meta) == (type(other), other.fields(), other.meta)

    def __hash__(self) -> int:
        return hash(self.file)
