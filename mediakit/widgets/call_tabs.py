"""Tabs with the call of a form as Python, curl, JavaScript and shell code."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.tool import Tool

# The Clipboard API is not available on pages without HTTPS, such as some JupyterHubs.
_CODE = "const code = this.closest('.mediakit-code').querySelector('pre'); "
_COPY = "getSelection().selectAllChildren(code); if (document.execCommand('copy')) this.textContent = "
COPY_SCRIPT = f"{_CODE}{_COPY}'Copied'"
INSERT_SCRIPT = (
    f"{_CODE}const options = {{bubbles: true, cancelable: true, detail: code.textContent}}; "
    "if (!this.dispatchEvent(new CustomEvent('mediakit-insert', options))) this.textContent = 'Inserted below'; "
    f"else {{ {_COPY}'Copied: paste it into a cell' }}"
)
"""Sends the code to the script of the form. If the front end cannot insert a cell, copies the code instead."""


class CallTabs:
    """Tabs with the same call in several languages."""

    def __init__(self) -> None:
        self._pages = [w.HTML() for _ in LANGUAGES]
        self.widget = w.Tab(self._pages, titles=tuple(LANGUAGES))
        self.widget.add_class("mediakit-calls")
        self.widget.layout.display = "none"  # until there is a call to show
        self.python = ""
        """The latest call as Python."""
        self._texts: Mapping[str, str] = {}

    def show(self, tool: Tool[..., Any], values: Mapping[str, Any]) -> None:
        """Show the call with these values."""
        self._texts = {language: write(tool, values) for language, write in LANGUAGES.items()}
        self.python = self._texts["Python"]
        self._write("")
        self.widget.layout.display = None

    def block(self, reason: str) -> None:
        """Disable the buttons, because the form has other values than the call that is shown."""
        if self._texts:
            self._write(reason)

    def _write(self, reason: str) -> None:
        note = f'<div class="mediakit-help">{html.escape(reason)}</div>' if reason else ""
        for page, (language, text) in zip(self._pages, self._texts.items(), strict=True):
            buttons = _button("Insert as cell", INSERT_SCRIPT, disabled=bool(reason)) if language == "Python" else ""
            buttons += _button("Copy", COPY_SCRIPT, disabled=bool(reason))
            page.value = f'<div class="mediakit-code"><pre tabindex="0">{html.escape(text)}</pre>{note}{buttons}</div>'


def _button(text: str, script: str, *, disabled: bool) -> str:
    return f'<button type="button"{" disabled" if disabled else ""} onclick="{script}">{text}</button>'


def _python(tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    call = snippets.python(tool, values)
    return f"import pathlib\n\n{call}" if "pathlib.Path(" in call else call


LANGUAGES = {"Python": _python, "curl": snippets.curl, "JavaScript": snippets.javascript, "Shell": snippets.shell}
