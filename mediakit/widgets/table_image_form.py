"""The form of table images: the table and its look first, how it is read last."""

from collections.abc import Collection, Mapping
from typing import Any

from mediakit.engines.tables.request import TableOptions
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of, in_order_of
from mediakit.widgets.tool_form import Form

VISIBLE = ("file", "rows", "columns", "title", "theme", "accent", "group_by", "total", "format")
"""Fields that are not collapsed, in their order."""

COLUMNS_EXAMPLE = 'city\n{"name": "visitors", "label": "Visitors", "number_format": ",d", "bar": true}'


class TableImageForm(Form[Any]):
    """A form with the table, its columns and its look, and a live preview."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool)
        fields["columns"].control.placeholder = COLUMNS_EXAMPLE
        return {name: fields[name] for name in (*VISIBLE, *(name for name in fields if name not in VISIBLE))}

    def _groups(self) -> Mapping[str, Collection[str]]:
        reading = TableOptions.__dataclass_fields__
        others = [name for name in self.fields if name not in VISIBLE]
        return {
            "Texts, numbers and size": [name for name in others if name not in reading],
            "How the table is read": [name for name in others if name in reading],
        }

    def _snippet_values(self) -> dict[str, Any]:
        return in_order_of(self.tool, super()._snippet_values())
