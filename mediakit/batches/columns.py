"""Columns of a batch, mapped to fields of the tool, keys of a template or fields of a form."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mediakit.batches.rows import Row
from mediakit.core.cell_texts import as_text, convert
from mediakit.core.messages import nearest, quote
from mediakit.core.request import field_names, unknown
from mediakit.core.tool import Tool
from mediakit.engines.html_source import HtmlSource
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput


class Columns:
    """The columns of all rows and the options of the batch, mapped to fields and template keys.

    Args:
        tool: The tool to call.
        rows: The rows.
        options: Values for rows that have no value in the column.
        ignored: Columns to ignore.
        used: Columns that the names of the results contain. They do not have to be fields.

    Raises:
        InvalidInput: A column or option is neither a field nor a template key, or an ignored column does not exist.
    """

    def __init__(
        self,
        tool: Tool[..., Any],
        rows: Sequence[Row],
        options: Mapping[str, Any],
        *,
        ignored: Iterable[str],
        used: Iterable[str],
    ) -> None:
        self._tool = tool
        self._options = options
        self._parameters = {parameter.name: parameter for parameter in tool.parameters}
        self._field = {alias: name for name, aliases in field_names(tool.request).items() for alias in aliases}
        self._ignored = frozenset(ignored)
        self._columns = dict.fromkeys(column for row in rows for column in row.columns)
        self._templates = tuple(self._templates_of(rows))
        self._keys = frozenset(key for name in self._templates for key in TEMPLATES[name].by_name)
        self._check(self._ignored | frozenset(used))

    def values(self, row: Row) -> dict[str, Any]:
        """Return the values of a row by field.

        If a template key has a column but no value in this row, its text is empty, and not the example text.
        """
        values = {column: value for column, value in row.values.items() if column not in self._ignored}
        named = {self._field[column] for column in values if column in self._field}
        fields = {name: value for name, value in self._options.items() if self._field.get(name, "") not in {"", *named}}
        fields |= {
            column: convert(value, self._parameters[self._field[column]])
            for column, value in values.items()
            if column in self._field
        }
        if "template" in fields and self._keys:
            fields |= self._template_data(values, fields)
        if self._tool.columns_field:
            fields |= self._other_columns(values, fields)
        return fields

    def _other_columns(self, values: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the field for columns that are not fields, with those of this row that have a value."""
        name = self._tool.columns_field
        common = fields.get(name) or {}
        texts = {column: as_text(value) for column, value in values.items() if column not in self._field}
        return {name: {**common, **texts}} if texts and isinstance(common, Mapping) else {}

    def _template_data(self, values: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
        template, data = fields["template"], fields.get("data", {})
        if template not in self._templates or not isinstance(data, Mapping):
            return {}
        template_keys = TEMPLATES[template].by_name
        empty = {key: "" for key in self._columns if self._is_key(key) and key in template_keys}
        common = self._options.get("data") or {}
        options = {key: value for key, value in self._options.items() if self._is_key(key)}
        texts = {key: as_text(value) for key, value in values.items() if self._is_key(key)}
        merged = {**empty, **common, **options, **data, **texts}
        return {"data": merged} if merged else {}

    def _is_key(self, name: str) -> bool:
        return name in self._keys and name not in self._field and name not in self._ignored

    def _templates_of(self, rows: Sequence[Row]) -> Iterator[str]:
        if issubclass(self._tool.request, HtmlSource):
            named = dict.fromkeys([self._options.get("template"), *(row.values.get("template") for row in rows)])
            yield from (name for name in named if name in TEMPLATES)

    def _check(self, allowed: frozenset[str]) -> None:
        known = [*self._field, *sorted(self._keys)]
        for name in self._options:
            if name not in known:
                raise unknown(name, known)
        for name in self._columns:
            if name not in known and name not in allowed and not self._tool.columns_field:
                raise InvalidInput(f"rows: {self._message(name, known)}")
        for name in self._ignored:
            if name not in self._columns:
                raise InvalidInput(f"ignore: no row has a column {quote(name)}; {nearest(name, list(self._columns))}")

    def _message(self, name: str, known: list[str]) -> str:
        keys = f" or key of {' or '.join(self._templates)}" if self._templates else ""
        return (
            f"the column {quote(name)} is not a field of {self._tool.name}{keys}; {nearest(name, known)} "
            f'To omit the column, pass ignore=["{name}"].'
        )
