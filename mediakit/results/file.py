"""`FileResult`: a file with a name."""

import html
from collections.abc import Mapping
from typing import Any, Self

import pybase64

from mediakit.core.media import media_type
from mediakit.core.messages import readable_size
from mediakit.errors import InvalidInput
from mediakit.results.result import Result, without_usage

MAX_SHOWN_CHARACTERS = 20_000
"""Characters of a text file that a notebook stores."""

MAX_LINKED_BYTES = 1_000_000
"""Bytes of a file that a notebook stores for its download link; larger files have none."""

MAX_PAGE_BYTES = 1_000_000
"""Bytes of an HTML page that a notebook shows as a page; larger ones are shown as their source."""

_BOX = "border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:10px 14px;font:13px/1.5 system-ui,sans-serif"
_FRAME = (
    "width:100%;height:32em;margin:8px 0 0;border:1px solid rgba(128,128,128,.35);border-radius:6px;background:#fff"
)
_TEXT = "max-height:30em;overflow:auto;margin:8px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;background:none"


class FileResult(Result):
    """A file with a name. In JSON it is `file` (base64), `filename` and `mime_type`."""

    def __init__(
        self,
        content: bytes,
        mime_type: str,
        filename: str,
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        super().__init__(content, mime_type, meta, alt=alt)
        self.filename = filename

    @property
    def text(self) -> str:
        """The content of a text file (UTF-8).

        Raises:
            InvalidInput: The file is not a text file.
        """
        if not self.is_text:
            raise InvalidInput(f"text: {self.filename} is not a text file; use .content.")
        return self.content.decode("utf-8-sig")

    @property
    def is_text(self) -> bool:
        """Whether the file is a text file."""
        media = media_type(self.mime_type.partition(";")[0])
        return media.is_text if media else self.mime_type.startswith("text/")

    def extra_fields(self) -> dict[str, Any]:
        """Return the name of the file."""
        return {"filename": self.filename}

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name."""
        return {"filename": {"type": "string"}}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        content = pybase64.b64decode(body[cls.member])
        return cls(content, body["mime_type"], body["filename"], without_usage(body["meta"]))

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self), "text/html": self._html()}, {}

    def _html(self) -> str:
        """Return name, size and a download link; text files show their text as well, and HTML pages the page."""
        box = f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">'
        size = f'<span style="opacity:.7">{readable_size(len(self.content))}</span>'
        return f"{box}<b>{html.escape(self.filename)}</b> {size} {self._link()}{self._preview()}</div>"

    def _link(self) -> str:
        if len(self.content) > MAX_LINKED_BYTES:
            return f"<code>.save({html.escape(repr(self.filename))})</code> writes the file."
        return f'<a download="{html.escape(self.filename)}" href="{self.data_uri()}">Download</a>'

    def _preview(self) -> str:
        if not self.is_text:
            return ""
        if self.mime_type == "text/html" and len(self.content) <= MAX_PAGE_BYTES:
            return self._page()
        full = self.content.decode("utf-8-sig", "replace")
        text = full[:MAX_SHOWN_CHARACTERS]
        more = "…" if len(full) > len(text) else ""
        return f'<pre tabindex="0" style="{_TEXT}" dir="auto">{html.escape(text)}{more}</pre>'

    def _page(self) -> str:
        """Return the page in a frame without scripts, forms and access to the notebook."""
        source = html.escape(self.content.decode("utf-8-sig", "replace"))
        return f'<iframe sandbox title="{html.escape(self.filename)}" srcdoc="{source}" style="{_FRAME}"></iframe>'

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.filename}, {readable_size(len(self.content))}>"
