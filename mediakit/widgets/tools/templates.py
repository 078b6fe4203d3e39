"""The form of templates: select a template, fill in its texts, and create an image or a PDF."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import ipywidgets as w

from mediakit.core.messages import nearest
from mediakit.core.parameters import as_text
from mediakit.core.tool import Tool
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.manifest import ITEMS_GROUP
from mediakit.engines.templates.totals import has_totals
from mediakit.errors import InvalidInput
from mediakit.results.result import Result
from mediakit.tools.images.capture import capture
from mediakit.tools.pdf.pdf import pdf
from mediakit.widgets.forms.fields import Collapsible, Field, FieldMessage, by_field, field_of
from mediakit.widgets.forms.state import Stateful
from mediakit.widgets.inputs.base import status
from mediakit.widgets.many.run import PDF
from mediakit.widgets.many.tab import ManyForm
from mediakit.widgets.tools.template_inputs import (
    ItemRows,
    KeyInput,
    LogoInput,
    TotalsInput,
    choice,
    key_field,
    style_field,
    templates_input,
)

OTHER_FIELDS = ("html", "template", "data", "lang", "style")
"""Fields of both tools that the form has in another place, or that a template does not use."""

NAMES = {capture.name: {"format": ""}, pdf.name: {"format": "paper"}}
"""The names in the form; the form's own `format` is the file format. An empty name leaves an option out."""


def values_of_call(tool: Tool[..., Any], template: Template, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `capture` or `pdf` with a template as values of the form.

    Keys of the template can also be passed outside `data`.
    """
    known = {parameter.name for parameter in tool.parameters}
    texts = {name: value for name, value in values.items() if name in template.by_name and name not in known}
    call = {name: value for name, value in values.items() if name not in texts}
    arguments = tool.bind(**call)
    tool.validate(arguments)
    data = {**(values.get("data") or {}), **texts}  # as they were passed: paths of images stay paths
    names = NAMES[tool.name]
    options = {
        names.get(name, "") or name: value
        for name, value in arguments.items()
        if name not in ("template", "data") and value is not None
    }
    return {**options, **({"format": "pdf"} if tool is pdf else {}), **data}


HELP = "Empty fields print the gray example text. Enter a space to hide the field."
LONG_SHARE = 0.6
"""Share of the maximum length above which a text may not fit at full size."""
TOOL_BY_FORMAT: Mapping[str, Tool[..., Any]] = {"png": capture, "jpeg": capture, "webp": capture, "pdf": pdf}


class TemplateForm(ManyForm[Result]):
    """The form of a template."""

    _heading = ("templates", "Fill in a template.")

    def __init__(self, template: Template, values: Mapping[str, Any]) -> None:
        self._template = template
        super().__init__(TOOL_BY_FORMAT["png"], values)
        for tool in (capture, pdf):
            if tool is not self.tool:
                self._observe(self._options[tool.name])

    def _make_fields(self) -> dict[str, Field]:
        self._lang = Field(choice("lang", "Language of the example texts.", ("en", "es")))
        self._output = Field(choice("format", "Image format, or PDF.", tuple(TOOL_BY_FORMAT)))
        self._options = {
            tool.name: {
                name: field_of(tool, parameter, name)
                for parameter in tool.parameters
                if parameter.name not in OTHER_FIELDS and (name := NAMES[tool.name].get(parameter.name, parameter.name))
            }
            for tool in (capture, pdf)
        }
        """The fields of the options by tool."""
        self._fields_by_template: dict[str, dict[str, Field]] = {}
        self._item_rows: dict[str, ItemRows] = {}
        self._totals: dict[str, TotalsInput] = {}
        self._collapsibles_by_template: dict[str, dict[str, Collapsible]] = {}
        self._picks = templates_input(HELP)
        self._picks_field = Field(self._picks.parameter, custom_input=self._picks)
        self._picks.control.value = self._template.name
        self._picks.control.observe(lambda change: self._select(change["new"]), "value")
        self._lang.control.observe(lambda _: self._update_placeholders(), "value")
        self._output.control.observe(lambda _: self._update_tool(), "value")
        return self._activate()

    def _activate(self) -> dict[str, Field]:
        """Show the current template as selected, and return its fields."""
        name = self._template.name
        if name not in self._fields_by_template:
            fields = style_field(self._template)
            fields |= {key.name: key_field(key) for key in self._template.by_name.values()}
            if has_totals(self._template):
                self._totals[name] = TotalsInput(self._template)
                fields |= self._totals[name].fields
            self._fields_by_template[name] = fields
            self._collapsibles_by_template[name] = self._new_collapsibles(fields)
        self._collapsibles = self._collapsibles_by_template[name]
        self._update_placeholders()
        options = self._options[self.tool.name]
        return {"lang": self._lang, "format": self._output, **options, **self._fields_by_template[name]}

    def _download_name(self, result: Any) -> str:  # noqa: ARG002  # the same for all results
        return self._template.name

    def _new_collapsibles(self, fields: Mapping[str, Field]) -> dict[str, Collapsible]:
        """Return the collapsible groups of the template. Its items are shown as a table."""
        collapsibles = {}
        for title, names in self._key_groups().items():
            widgets = [fields[name].widget for name in names]
            if title == ITEMS_GROUP:
                columns = list(dict.fromkeys(name.partition("_")[2] for name in names))  # `name` of `item1_name`
                rows = ItemRows({name: fields[name] for name in names}, columns, self._example, self._step)
                self._item_rows[self._template.name] = rows
                totals = self._totals.get(self._template.name)
                widgets = [rows.widget, *([totals.note] if totals else [])]
            collapsibles[title] = Collapsible(title, widgets, is_open=title == ITEMS_GROUP)
        return collapsibles

    def _groups(self) -> Mapping[str, Collection[str]]:
        options = [name for name in self._options[self.tool.name] if name not in self._template.by_name]
        return {**self._key_groups(), "PDF options" if self.tool is pdf else "Image options": options}

    def _key_groups(self) -> Mapping[str, Collection[str]]:
        """Return the groups of the template; the fields for totals are in the group of the total."""
        groups = self._template.groups
        totals = self._totals.get(self._template.name)
        extra = tuple(totals.fields) if totals else ()
        return {title: (*extra, *names) if "total" in names else names for title, names in groups.items()}

    def _example(self, name: str) -> str:
        return self._template.by_name[name].example(self._lang.control.value)

    def _select(self, name: str) -> None:
        is_new = name not in self._fields_by_template
        self._template = TEMPLATES[name]
        self.fields = self._activate()
        if is_new:
            self._observe(self._fields_by_template[name])
        self._arrange()
        self._form_state.record()
        self._update.schedule(delay=0)

    def _all_fields(self) -> Mapping[str, Field]:
        groups = [*self._options.items(), *self._fields_by_template.items()]
        named = {f"{group}.{name}": field for group, fields in groups for name, field in fields.items()}
        return {"lang": self._lang, "format": self._output, **named}

    def _roots(self) -> list[w.Widget]:
        return [*super()._roots(), *(widget for rows in self._item_rows.values() for widget in rows.widgets)]

    def _stateful(self) -> Mapping[str, Stateful]:
        return {"template": self._picks, **super()._stateful()}

    def _update_tool(self) -> None:
        tool = TOOL_BY_FORMAT[self._output.control.value]
        if tool is not self.tool:
            self.tool = tool
            self.fields = self._activate()
            self._arrange()

    def _update_placeholders(self) -> None:
        for name, field in self._fields_by_template[self._template.name].items():
            if isinstance(field.input, KeyInput):
                field.control.placeholder = self._example(name)
        if rows := self._item_rows.get(self._template.name):
            rows.update_placeholders()
        if totals := self._totals.get(self._template.name):
            calculated = totals.calculate(self._typed(), self._lang.control.value)
            totals.note.value = status(calculated.problem)
            for name, text in calculated.texts.items():
                self._fields_by_template[self._template.name][name].control.placeholder = text

    def _on_change(self, field: Field) -> None:
        super()._on_change(field)
        self._update_placeholders()

    def _typed(self) -> dict[str, str]:
        fields = self._fields_by_template[self._template.name]
        inputs = {name: field.input for name, field in fields.items()}
        texts = {name: each.read() for name, each in inputs.items() if isinstance(each, KeyInput)}
        return {name: text for name, text in texts.items() if text is not None}

    def _header(self) -> list[w.Widget]:
        return [self._picks_field.widget]

    @property
    def values(self) -> dict[str, Any]:
        """The values for the tool, without empty texts and without options that have their default."""
        fields = self._read_fields()
        data = {name: fields[name] for name in self._template.by_name if name in fields}
        if totals := self._totals.get(self._template.name):
            data |= totals.calculate(data, fields["lang"]).texts
        values = {"template": self._template.name, **({"data": data} if data else {}), "lang": fields["lang"]}
        output = fields["format"]
        is_other_style = "style" in fields and fields["style"] != self._template.styles[0]
        values |= {"style": fields["style"]} if is_other_style and "style" not in self._template.by_name else {}
        if output != "pdf":
            values["format"] = output
        arguments = self.tool.__signature__.parameters
        names = {name: original for original, name in NAMES[self.tool.name].items()}
        read = {names.get(name, name): each.input.read() for name, each in self._options[self.tool.name].items()}
        return values | {name: value for name, value in read.items() if value not in (None, arguments[name].default)}

    @property
    def request(self) -> Any:
        """The validated request."""
        return self.tool.build(**self.values)  # reads the images that are paths

    def _snippet_values(self) -> dict[str, Any]:
        return self._with_paths(self.values)

    def _with_paths(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with the paths of images in place of their bytes."""
        if "data" not in values:
            return dict(values)
        fields = self._fields_by_template[self._template.name]
        images = {name: field.input for name, field in fields.items() if isinstance(field.input, LogoInput)}
        paths = {name: each.snippet_value() for name, each in images.items() if name in values["data"]}
        return {**values, "data": {**values["data"], **paths}}

    def _batch_call(self, output: str) -> tuple[Tool[..., Any], dict[str, Any]]:
        tool, values = self._many_call({}, output)
        return tool, self._with_paths(values)

    def _convert(self, name: str, value: Any) -> Any:
        """Return the text of a cell; a missing value is an empty text, which hides its element."""
        if name not in self._template.by_name:
            return super()._convert(name, value)
        return "" if value is None else as_text(value)

    def _many_keys(self) -> Mapping[str, Sequence[str]]:
        styles = ("style",) if "style" in self.fields else ()
        return dict.fromkeys((*self._template.by_name, "lang", *styles), ())

    def _main_keys(self) -> Sequence[str]:
        """Return the keys without which a document is of no use."""
        return [key.name for key in self._template.keys if key.main]

    def _has_value(self, key: str) -> bool:
        """Return whether the form has a text for a key, or calculates it from the items of the current row."""
        _, values = self._many_call(self._many.row, "")
        return super()._has_value(key) or bool(values.get("data", {}).get(key))

    def _many_call(self, row: Mapping[str, Any], output: str) -> tuple[Tool[..., Any], dict[str, Any]]:
        """Return the tool and its values for a row. One PDF is merged from PDFs rather than from images."""
        tool, values = super()._many_call(row, output)
        if output != PDF or tool is pdf:
            return tool, values
        images_only = {*self._options[tool.name], "format"} - self._options[pdf.name].keys()
        return pdf, {name: value for name, value in values.items() if name not in {*images_only, "format"}}

    def _misfits(self, row: Mapping[str, Any]) -> int:
        """Return how many texts of a row are long for their key; a row with an invalid text is the worst."""
        data: Mapping[str, str] = self._many_call(row, "")[1].get("data", {})
        texts = [(self._template.by_name[name], text) for name, text in data.items() if name in self._template.by_name]
        if any(key.problem(text) for key, text in texts):
            return len(row) + 1
        return sum(key.format == "text" and len(text) > LONG_SHARE * key.max_length for key, text in texts)

    def _messages(self, error: Exception) -> dict[str, FieldMessage]:
        if isinstance(error, InvalidInput) and not error.details and error.message.startswith("data."):
            error = InvalidInput(error.message.removeprefix("data."))
        return by_field(error, self.fields)

    def _fill(self, values: Mapping[str, Any]) -> None:
        for name in sorted(values, key=lambda name: name != "format"):  # the format sets which options there are
            if name not in self.fields:
                suggestion = nearest(name, list(self.fields))
                raise InvalidInput(f"{name}: is not a field of the template {self._template.name}; {suggestion}")
            self.fields[name].input.fill(values[name])
        if rows := self._item_rows.get(self._template.name):
            rows.arrange()
        if totals := self._totals.get(self._template.name):
            for name in totals.adopt(self._typed(), self._lang.control.value):
                self.fields[name].control.value = ""
        self._update_placeholders()
        self.tool.build(**self.values)
