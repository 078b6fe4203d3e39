"""Classes of data with methods in place of fields; to be replaced by those of `data.py`."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import pybase64

from mediakit.core.tool import Wire
from mediakit.results.files import FileResult
from mediakit.results.result import Call, Coded, Result
from mediakit.results.saving import SavedFile

PDF = "application/pdf"
_OWN = {"attach_call", "meta"}


def without_usage(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return a response's meta without the fields of the account."""
    return {name: value for name, value in meta.items() if name not in ("used", "remaining", "unlimited")}


class LegacyData(Coded):
    """Data."""

    is_data = True
    makes_files: ClassVar[bool] = False
    outputs: ClassVar[tuple[str, ...]] = ("json",)
    member: ClassVar[str] = "file"
    filename = ""
    _wire = Wire(("json",), is_data=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        cls._wire = Wire(cls.outputs, is_data=cls.is_data, sends_file=cls.makes_files)

    def attach_call(self, tool: Any, request: Any) -> None:
        vars(self)["_call"] = Call(tool, request)

    def fields(self) -> dict[str, Any]:
        raise NotImplementedError

    def response(self) -> dict[str, Any]:
        return self.fields()

    def _wire_members(self) -> Any:
        return self.response().items()

    @classmethod
    def schema(cls) -> dict[str, Any]:
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError(f"{type(self).__name__} is not tabular.")

    def to_dict(self) -> dict[str, Any]:
        return {**self.fields(), "meta": self.meta}

    def to_frame(self) -> Any:
        from mediakit.results.frames import data_frame

        return data_frame(self.rows())

    @property
    def file(self) -> bytes:
        return self.to_json().encode()

    @property
    def has_file(self) -> bool:
        return True

    @property
    def extension(self) -> str:
        return self._saved().extension

    @property
    def extent(self) -> str:
        return ""

    @property
    def caption(self) -> str:
        return ""

    def _has_file(self) -> bool:
        return self.has_file

    def _facts(self) -> str:
        return self.extent

    def _caption(self) -> str:
        return self.caption

    def _members(self) -> Any:
        return self.fields()

    def _saved(self) -> SavedFile:
        return SavedFile(self.file, getattr(self, "mime_type", "application/json"), self.filename)

    def _bundle(self) -> Any:
        return type(self)._repr_mimebundle_(self)

    def _compared(self) -> Any:
        return type(self), self.response(), self.meta


class LegacyDataFile(LegacyData):
    """Data, and a file if the call made one."""

    makes_files: ClassVar[bool] = True
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")

    def __init__(self, made: Any, meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        self._made = made
        self.mime_type = "application/json" if made is None else made.mime_type
        self.filename = "" if made is None else made.filename
        self.meta = {**({} if made is None else {"size_bytes": len(made.content)}), **(meta or {})}
        self._alt = alt

    @property
    def content(self) -> bytes:
        return self.to_json().encode() if self._made is None else self._made.content

    @property
    def file(self) -> bytes:
        return self.content

    @property
    def has_file(self) -> bool:
        return self._made is not None

    def data_fields(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: Any, meta: Mapping[str, Any]) -> Self:
        raise NotImplementedError

    @classmethod
    def read_file(cls, content: bytes, body: Mapping[str, Any], meta: Mapping[str, Any]) -> Result:
        return FileResult(content, body["mime_type"], body["filename"], meta)

    def fields(self) -> dict[str, Any]:
        return self.data_fields()

    def response(self) -> dict[str, Any]:
        made = self._made
        if made is None:
            return self.data_fields()
        written = {self.member: pybase64.b64encode(made.content).decode(), "mime_type": made.mime_type}
        return {**self.data_fields(), **written, **({"filename": made.filename} if self.member == "file" else {})}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        content = {"type": "string", "contentEncoding": "base64", "description": "The file, if one was made."}
        names = ("mime_type", "filename") if cls.member == "file" else ("mime_type",)
        return {
            **cls.data_schema(),
            cls.member: {**content, "x-optional": True},
            **{name: {"type": "string", "x-optional": True} for name in names},
        }

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        meta = without_usage(body["meta"])
        made = cls.read_file(pybase64.b64decode(body[cls.member]), body, meta) if cls.member in body else None
        return cls.from_data(body, made, meta)
