"""The forms of Markdown and of values to validate."""

from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.engines.validation.result import ValidationResult
from mediakit.results.files import FileResult, PdfResult
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import styled

PLACEHOLDER = "# Title\n\nText with **bold** and *italic* words.\n\n- [x] A task\n- [ ] Another one"


class MarkdownForm(Form[FileResult | PdfResult]):
    """A form with a large editor and a live preview."""

    _visible = ("markdown", "theme", "to", "toc", "numbered", "page_numbers")
    _other_title = "Title, language and paper"

    def _make_fields(self) -> dict[str, Field]:
        fields = super()._make_fields()
        editor = styled(fields["markdown"].control, "editor")
        editor.rows, editor.placeholder = 22, PLACEHOLDER
        return fields

    def _layout(self) -> w.VBox:
        return styled(super()._layout(), "markdown-form")


class ValuesForm(Form[ValidationResult[Any]]):
    """A form whose first field takes one value or several lines; the preview shows the verdict on each."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("values",))
        self._values = next(iter(fields.values()))
        self._values.control.placeholder = "One value, or a column with one value per line"
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        arguments = self.tool.bind(**values)
        if (given := arguments.pop("values", None)) is not None:
            self.tool.validate({**arguments, "values": given})
            arguments[self._values.input.parameter.name] = "\n".join(" ".join(value.split()) for value in given)
        super()._fill(arguments)
