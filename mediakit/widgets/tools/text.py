"""The forms of Markdown and of values to validate."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

import ipywidgets as w

from mediakit.engines.validation.result import ValidationResult
from mediakit.results.files import FileResult, PdfResult
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.choices import PicksInput

EDITOR_ROWS = 22

VISIBLE = ("markdown", "theme", "to", "toc", "numbered", "page_numbers")
"""Fields that are not collapsed, in their order."""

PLACEHOLDER = "# Title\n\nText with **bold** and *italic* words.\n\n- [x] A task\n- [ ] Another one"


class MarkdownForm(Form[FileResult | PdfResult]):
    """A form with a large editor, themes to pick by their look, and a live preview."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        theme = PicksInput(parameters["theme"], theme_icons())
        theme.control.add_class("mediakit-theme-icons")
        fields = fields_of(self.tool, {"theme": theme}, VISIBLE)
        editor = fields["markdown"].control
        editor.rows, editor.placeholder = EDITOR_ROWS, PLACEHOLDER
        editor.add_class("mediakit-editor")
        return fields

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"Title, language and paper": [name for name in self.fields if name not in VISIBLE]}

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        widget.add_class("mediakit-markdown-form")
        return widget


@cache
def theme_icons() -> Mapping[str, str]:
    """Return a small page in the look of each theme, as CSS backgrounds."""
    lines = "<path stroke='#9aa1ab' stroke-width='1.6' d='M8 {0}h40M8 {1}h40M8 {2}h27'/>"
    text = lines.format(24, 29, 34)
    pages = {
        "plain": f"{_word(8, 8, 26, '#1c1e21')}{text}{_word(8, 42, 18, '#1c1e21')}{lines.format(51, 56, 61)}",
        "report": (
            f"{_word(8, 8, 30, '#12294a', height=6)}<path stroke='#16467f' stroke-width='1.5' d='M8 18h40'/>{text}"
            "<path fill='#12294a' d='M8 40h40v6H8z'/><path fill='#eef1f5' d='M8 46h40v6H8zM8 58h40v6H8z'/>"
            "<path stroke='#9aa1ab' d='M11 49h10M34 49h10M11 55h10M34 55h10M11 61h10M34 61h10'/>"
        ),
        "github": (
            f"{_word(8, 8, 24, '#1f2328')}<path stroke='#d1d9e0' d='M8 17h40'/>{text}"
            "<path fill='#0969da' d='M8 41h2v10H8z'/><path stroke='#0969da' stroke-width='1.6' d='M13 43.5h12'/>"
            "<path stroke='#9aa1ab' stroke-width='1.6' d='M13 49h30'/>"
            "<path fill='#f0f2f5' stroke='#d1d9e0' stroke-width='.6' d='M8 56h40v9H8z'/>"
        ),
    }
    return {name: _page(content) for name, content in pages.items()}


def _word(x: int, y: int, width: int, color: str, height: int = 4) -> str:
    return f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='1' fill='{color}'/>"


def _page(content: str) -> str:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 56 72' fill='none'>{content}</svg>"
    return f'#fff url("data:image/svg+xml,{quote(svg)}") center/contain no-repeat'


class ValuesForm(Form[ValidationResult[Any]]):
    """A form whose first field takes one value or several lines; the preview shows the verdict on each."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("values",))
        self._values = next(iter(fields.values()))
        self._values.control.placeholder = "One value, or a column with one value per line"
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        arguments = self.tool.arguments.bind(**values)
        given = arguments.pop("values", None)
        if given is not None:
            self.tool.validate({**arguments, "values": given})
            arguments[self._values.input.parameter.name] = "\n".join(" ".join(value.split()) for value in given)
        super()._fill(arguments)
