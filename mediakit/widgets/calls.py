"""The call that the form stands for, to copy: as Python, as curl, as a shell command."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.tool import Tool

# The button works without the clipboard's own interface, which is missing where a hub is not served over HTTPS.
COPY = (
    "getSelection().selectAllChildren(this.previousElementSibling);"
    "if (document.execCommand('copy')) this.textContent = 'Copied'"
)


class Calls:
    """Tabs with the same call in three languages."""

    def __init__(self) -> None:
        self._pages = [w.HTML() for _ in LANGUAGES]
        self.widget = w.Tab(self._pages, titles=tuple(LANGUAGES))
        self.widget.add_class("mediakit-calls")
        self.widget.layout.display = "none"  # until there is a call to show

    def show(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> None:
        """Write the call with these values."""
        for page, write in zip(self._pages, LANGUAGES.values(), strict=True):
            code = html.escape(write(tool, values))
            page.value = f'<pre tabindex="0">{code}</pre><button type="button" onclick="{COPY}">Copy</button>'
        self.widget.layout.display = None


def _python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    call = snippets.python(tool, values)
    return f"import pathlib\n\n{call}" if "pathlib.Path(" in call else call


LANGUAGES = {"Python": _python, "curl": snippets.curl, "Shell": snippets.shell}
