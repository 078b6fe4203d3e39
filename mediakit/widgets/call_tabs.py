"""Tabs with the call of a form as Python, curl and shell code."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.tool import Tool

# The Clipboard API is not available on pages without HTTPS, such as some JupyterHubs.
COPY_SCRIPT = (
    "getSelection().selectAllChildren(this.previousElementSibling);"
    "if (document.execCommand('copy')) this.textContent = 'Copied'"
)


class CallTabs:
    """Tabs with the same call in three languages."""

    def __init__(self) -> None:
        self._pages = [w.HTML() for _ in LANGUAGES]
        self.widget = w.Tab(self._pages, titles=tuple(LANGUAGES))
        self.widget.add_class("mediakit-calls")
        self.widget.layout.display = "none"  # until there is a call to show

    def show(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> None:
        """Show the call with these values."""
        for page, write in zip(self._pages, LANGUAGES.values(), strict=True):
            code = html.escape(write(tool, values))
            page.value = f'<pre tabindex="0">{code}</pre><button type="button" onclick="{COPY_SCRIPT}">Copy</button>'
        self.widget.layout.display = None


def _python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    call = snippets.python(tool, values)
    return f"import pathlib\n\n{call}" if "pathlib.Path(" in call else call


LANGUAGES = {"Python": _python, "curl": snippets.curl, "Shell": snippets.shell}
