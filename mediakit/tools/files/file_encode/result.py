"""The result of `file_encode`."""

from typing import Any

from mediakit.results.files import FileResult
from mediakit.tools.files.file_encode.request import BINARY, MEDIA_TYPES

MAX_TEXT_LENGTH = 1_000_000
"""Characters of a text that the JSON response has as `text` besides the file."""


NOT_TEXT = (BINARY, *MEDIA_TYPES.values())
"""Media types of compressed and unknown results, which may look like text by chance."""


class EncodedFile(FileResult):
    """An encoded or decoded file. `text` and `str(result)` are its text, where it is UTF-8 text."""

    def _text(self, errors: str = "strict") -> str | None:  # noqa: ARG002  # text that is not valid is not text
        if b"\0" in self.content or self.mime_type in NOT_TEXT:
            return None
        try:
            return self.content.decode()
        except UnicodeDecodeError:
            return None

    def _extra(self) -> dict[str, Any]:
        text = self._text()
        return {"text": text} if text is not None and len(text) <= MAX_TEXT_LENGTH else {}

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        return {
            "filename": {"type": "string", "examples": ["text.b64"]},
            "text": {
                "type": "string",
                "description": "The result, if it is text of at most 1,000,000 characters.",
                "examples": ["SGVsbG8="],
                "x-optional": True,
            },
        }

    def __str__(self) -> str:
        text = self._text()
        return repr(self) if text is None else text
