"""The result of `file_encode`."""

from typing import Any

from mediakit.errors import InvalidInput
from mediakit.results.file import FileResult
from mediakit.tools.files.file_encode.naming import BINARY, MEDIA_TYPES

MAX_TEXT_LENGTH = 1_000_000
"""Characters of a text that the JSON response has as `text` besides the file."""


NOT_TEXT = (BINARY, *MEDIA_TYPES.values())
"""Media types of compressed and unknown results, which may look like text by chance."""


class EncodedFile(FileResult):
    """An encoded or decoded file. `text` and `str(result)` are its text, where it is UTF-8 text."""

    @property
    def text(self) -> str:
        """The content as text.

        Raises:
            InvalidInput: The content is not UTF-8 text.
        """
        text = self._text
        if text is None:
            raise InvalidInput(f"text: {self.filename} is not a text file; use .content.")
        return text

    @property
    def is_text(self) -> bool:
        """Whether the content is UTF-8 text."""
        return self._text is not None

    @property
    def _text(self) -> str | None:
        if b"\0" in self.content or self.mime_type in NOT_TEXT:
            return None
        try:
            return self.content.decode()
        except UnicodeDecodeError:
            return None

    def extra_fields(self) -> dict[str, Any]:
        """Return the name of the file and, up to 1,000,000 characters, its text."""
        text = self._text
        return {"filename": self.filename} | (
            {"text": text} if text is not None and len(text) <= MAX_TEXT_LENGTH else {}
        )

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name and the text."""
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
        text = self._text
        return repr(self) if text is None else text
