"""`DataResult`: a result that is data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from mediakit.results.result import Result

if TYPE_CHECKING:
    import pandas as pd


class DataResult(Result):
    """A result that is data: in JSON its fields stand beside `success` and `meta`.

    Subclasses define `fields`, `schema` and `from_envelope`. Those that can be saved as a file define `file`,
    `mime_type` and `outputs` as well.
    """

    _internal_names = frozenset(("response", "schema"))
    is_data = True
    outputs: ClassVar[tuple[str, ...]] = ("json",)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        raise NotImplementedError

    def response(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, and the file where it is one of them."""
        return self.fields()

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `response`, by name."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of tabular data."""
        raise NotImplementedError(f"{type(self).__name__} is not tabular.")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the meta."""
        return {**self.fields(), "meta": self.meta}

    def to_json(self) -> str:
        """Return the fields and the meta as JSON."""
        from pydantic_core import to_json

        return to_json(self.to_dict(), indent=2).decode()

    def to_frame(self) -> "pd.DataFrame":
        """Return tabular data as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
        """
        from mediakit.results.frames import data_frame

        frame: pd.DataFrame = data_frame(self.rows())
        return frame

    @property
    def file(self) -> bytes:
        """The fields and the meta as a JSON file."""
        return self.to_json().encode()

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        from pydantic_core import to_json

        return to_json({"success": True, **self.response(), "meta": {**self.meta, **(usage or {})}})

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataResult):
            return NotImplemented
        return (type(self), self.response(), self.meta) == (type(other), other.response(), other.meta)

    def __hash__(self) -> int:
        return hash(self.file)
