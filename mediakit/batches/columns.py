"""Columns of a batch, mapped to fields of the tool, keys of a template or fields of a form."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mediakit.batches.sources.rows import Row
from mediakit.core.messages import nearest, quote
from mediakit.core.parameters import PARSED_KINDS, Parameter, as_text, convert
from mediakit.core.request import field_names, field_synonyms, unknown
from mediakit.core.suggestions import similar
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.html_source import HtmlSource
from mediakit.errors import InvalidInput

EVERY_OTHER = "*"
"""The ignored column that stands for all columns that are neither fields nor template keys."""


class ColumnsError(InvalidInput):
    """The columns of the rows do not fit the tool.

    The message names arguments of Python. Other interfaces have the parts, and name their own options.
    """

    def __init__(
        self,
        problem: str,
        fix: str = "",
        *,
        argument: str = "rows",
        unused: Sequence[str] = (),
        missing: Sequence[str] = (),
    ) -> None:
        super().__init__(f"{argument}: {problem} {fix}".strip())
        self.problem, self.argument = problem, argument
        """The message without the argument and the fix, and the argument of `batch` that does not fit."""
        self.unused, self.missing = tuple(unused), tuple(missing)
        """Columns that are not used, and keys of the template without a column."""


BATCH_OPTIONS = ("name", "to", "columns", "ignore", "force", "executor")
"""Options of a batch itself, for the error of an unknown one."""


class _Plan(NamedTuple):
    """What to do with the values of rows that have values in the same columns."""

    fields: Mapping[str, Parameter]  # columns that are fields
    options: Mapping[str, Any]  # options whose field has no column
    others: Sequence[str]  # columns that are not fields
    keys: Sequence[str]  # columns that are keys of a template


def known_names(tool: Tool[..., Any], options: Mapping[str, Any]) -> list[str]:
    """Return the names that columns of rows for a tool may have: its fields and the keys of the template."""
    fields = [alias for aliases in field_names(tool.request).values() for alias in aliases]
    template = options.get("template")
    keys = TEMPLATES[template].by_name if isinstance(template, str) and template in TEMPLATES else ()
    return [*fields, "template", *keys] if "template" in fields else fields


class Columns:
    """The columns of rows and the options of the batch, mapped to fields and template keys."""

    def __init__(
        self,
        tool: Tool[..., Any],
        options: Mapping[str, Any],
        *,
        ignored: Iterable[str],
        used: Iterable[str],
        columns: Iterable[str] = (),
    ) -> None:
        self._tool = tool
        self._options = options
        self._parameters = {parameter.name: parameter for parameter in tool.parameters}
        self._field = {alias: name for name, aliases in field_names(tool.request).items() for alias in aliases}
        self._ignored = frozenset(ignored)
        self._allowed = self._ignored | frozenset(used)  # by the names of results
        self._columns = dict.fromkeys(columns)
        self._accepts_all = EVERY_OTHER in self._ignored or bool(tool.spec.columns_field)
        self._templates: dict[str, None] = {}
        self._keys: frozenset[str] = frozenset()
        self._plan = lru_cache(1000)(self._planned)
        self._is_begun = False

    def check(self, rows: Sequence[Row]) -> None:
        """Refuse columns and options of the first rows that are neither fields nor template keys.

        An unknown column of later rows is an error of its rows, which `values` raises.

        Raises:
            InvalidInput: A column or option is unknown, or an ignored column does not exist.
        """
        self._columns |= dict.fromkeys(column for columns in {row.columns: None for row in rows} for column in columns)
        if issubclass(self._tool.request, HtmlSource):
            names = dict.fromkeys([self._options.get("template"), *(row.values.get("template") for row in rows)])
            if added := [name for name in names if name in TEMPLATES and name not in self._templates]:
                self._templates |= dict.fromkeys(added)
                self._keys = frozenset(key for name in self._templates for key in TEMPLATES[name].by_name)
                self._plan.cache_clear()
        if self._is_begun:
            return
        self._is_begun = True
        if strange := [name for name in self._options if name not in self._known]:
            raise unknown(strange, [*self._known, *BATCH_OPTIONS], self._tool.request)
        self._check_columns(self._columns)
        for name in self._ignored - {EVERY_OTHER}:
            if name not in self._columns:
                problem = f"no row has a column {quote(name)}; {nearest(name, list(self._columns))}"
                raise ColumnsError(problem, argument="ignore")

    @property
    def _known(self) -> list[str]:
        return [*self._field, *sorted(self._keys)]

    def _check_columns(self, columns: Iterable[str]) -> None:
        known = self._known
        unused = [name for name in columns if name not in known and name not in self._allowed]
        if unused and not self._accepts_all:
            raise self._unused(unused, known)

    def use(self, column: str) -> str:
        """Return what a column is used for, in a few words."""
        if column in self._ignored:
            return "omitted"
        if column in self._field:
            return f"field {self._field[column]}"
        if column in self._keys:
            return f"text of {' and '.join(name for name in self._templates if column in TEMPLATES[name].by_name)}"
        if self._tool.spec.columns_field:
            return f"part of {self._tool.spec.columns_field}"
        return "name of the file" if column in self._allowed else "omitted"

    def values(self, row: Row) -> dict[str, Any]:
        """Return the values of a row by field.

        If a template key has a column but no value in this row, its text is empty, and not the example text.

        Raises:
            InvalidInput: A column of the row is unknown.
        """
        plan = self._plan(tuple(row.values))
        fields = dict(plan.options)
        for column, parameter in plan.fields.items():
            value = row.values[column]
            is_final = type(value) is str and parameter.kind not in PARSED_KINDS
            fields[column] = value if is_final else convert(value, parameter)
        is_filled = self._keys and fields.get("template") in self._templates
        if is_filled and isinstance(data := fields.get("data", {}), Mapping):
            template_keys = TEMPLATES[fields["template"]].by_name
            empty = {key: "" for key in self._columns if self._is_key(key) and key in template_keys}
            common = self._options.get("data") or {}
            options = {key: value for key, value in self._options.items() if self._is_key(key)}
            texts = {key: as_text(row.values[key]) for key in plan.keys}
            if merged := {**empty, **common, **options, **data, **texts}:
                fields["data"] = merged
        others = self._tool.spec.columns_field
        if others and plan.others and isinstance(common := fields.get(others) or {}, Mapping):
            fields[others] = {**common, **{column: as_text(row.values[column]) for column in plan.others}}
        return fields

    def _planned(self, columns: tuple[str, ...]) -> _Plan:
        self._check_columns(columns)
        present = [column for column in columns if column not in self._ignored]
        fields = {column: self._parameters[self._field[column]] for column in present if column in self._field}
        named = {self._field[column] for column in fields}
        return _Plan(
            fields,
            {name: value for name, value in self._options.items() if self._field.get(name, "") not in {"", *named}},
            [column for column in present if column not in self._field],
            [column for column in present if self._is_key(column)],
        )

    def _is_key(self, name: str) -> bool:
        return name in self._keys and name not in self._field and name not in self._ignored

    def _unused(self, unused: Sequence[str], known: list[str]) -> ColumnsError:
        keys = f" or key of {' or '.join(self._templates)}" if self._templates else ""
        synonyms = field_synonyms(self._tool.request)
        if len(unused) == 1:
            name = quote(unused[0])
            hint = nearest(unused[0], known, synonyms)
            problem = f"the column {name} is not a field of {self._tool.name}{keys}; {hint}"
            return ColumnsError(problem, f"To omit the column, pass ignore=[{name}].", unused=unused)
        names = ", ".join(map(quote, unused))
        meant = [f"{quote(found)} for {quote(name)}" for name in unused if (found := similar(name, known, synonyms))]
        suggestion = f"; did you mean {', '.join(meant)}?" if meant else "."
        return ColumnsError(
            f"the columns {names} are not fields of {self._tool.name}{keys.replace(' key ', ' keys ')}{suggestion}",
            f'To omit them, pass ignore=[{names}], or ignore="rest" for all columns that are not used.',
            unused=unused,
        )
