"""How a file is shown in a notebook: its name, size and a download link, and the text of a text file."""

import html

import pybase64

from mediakit.core.messages import readable_size

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


def file_html(name: str, mime_type: str, content: bytes, text: str | None, *, preview: str = "") -> str:
    """Return name, size and a download link; text files show their text as well, and HTML files the page.

    Args:
        name: The name of the file.
        mime_type: Its media type.
        content: Its bytes.
        text: Its text; None if it is not a text file.
        preview: HTML that is shown below the name of a file that is not a text file.
    """
    box = f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">'
    size = f'<span style="opacity:.7">{readable_size(len(content))}</span>'
    if len(content) > MAX_LINKED_BYTES:
        link = f"<code>.save({html.escape(repr(name))})</code> writes the file."
    else:
        source = f"data:{mime_type};base64,{pybase64.b64encode(content).decode()}"
        link = f'<a download="{html.escape(name)}" href="{source}">Download</a>'
    if text is not None and mime_type == "text/html" and len(content) <= MAX_PAGE_BYTES:
        preview = f'<iframe sandbox title="{html.escape(name)}" srcdoc="{html.escape(text)}" style="{_FRAME}"></iframe>'
    elif text is not None:
        more = "…" if len(text) > MAX_SHOWN_CHARACTERS else ""
        shown = html.escape(text[:MAX_SHOWN_CHARACTERS])
        preview = f'<pre tabindex="0" style="{_TEXT}" dir="auto">{shown}{more}</pre>'
    return f"{box}<b>{html.escape(name)}</b> {size} {link}{preview}</div>"
