"""The form of `mail_merge`: a table, what its rows go into, and a preview of the first documents."""

import html
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import load_file, local_file
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms import FormOptions, FormOutcome
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.template import thumbnail_uri
from mediakit.engines.word_templates import Filled
from mediakit.errors import MediakitError
from mediakit.results.files import FileResult
from mediakit.results.result import Result, saved_file
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.forms.output import DebouncedUpdate, download_link
from mediakit.widgets.forms.state import Stateful
from mediakit.widgets.inputs.choices import PicksInput
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.rows import RowsInput
from mediakit.widgets.tools.template_inputs import choice

PREVIEW_ROWS = 3
"""Documents of the live preview; the call makes all of them."""

SOURCES = {"template": "template", "own HTML": "html", "Word template or PDF form": "file"}
"""Fields that say what the rows go into, by their choice in the form."""

VISIBLE = ("rows", *SOURCES.values(), "filename", "to", "merge", "data")

HTML_PLACEHOLDER = "<h1>{{ name }}</h1>\n{{ link | qr }}"

_ZIP = b"PK\x03\x04"

Keys = tuple[Sequence[str], Sequence[str]]
"""The fields of a document, and those that every row needs."""


class MailMergeForm(Form[Result]):
    """A form that renders the first rows as its preview."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._rows = RowsInput(parameters["rows"])
        thumbnails = {name: f'url("{thumbnail_uri(each)}") center/cover no-repeat' for name, each in TEMPLATES.items()}
        template = PicksInput(choice("template", parameters["template"].help, tuple(TEMPLATES)), thumbnails)
        template.control.add_class("mediakit-merge-templates")
        inputs = {
            "rows": self._rows,
            "template": template,
            "file": FileInput(parameters["file"], ".docx,.pdf", "a Word template or a PDF form", is_local=True),
        }
        made = fields_of(self.tool, inputs, VISIBLE)
        made["html"].control.placeholder = HTML_PLACEHOLDER
        self._every = made
        self._source = Field(choice("document", "What the rows go into.", tuple(SOURCES)))
        self._names, self._made = w.HTML(), w.HTML()
        self._create = w.Button(description="Create all documents", button_style="primary")
        self._creation = DebouncedUpdate(self._make_all, self._show_all)
        self._create.on_click(lambda _: self._creation.schedule(delay=0))
        self._create_row = w.Box([self._create, self._made])
        self._create_row.add_class("mediakit-merge-create")
        self._create_row.layout.display = "none"
        self._output_area.insert_above(w.VBox([self._names, self._create_row]))
        return self._active()

    def _active(self) -> dict[str, Field]:
        """Return the fields without those of other kinds of documents."""
        chosen = SOURCES[self._source.control.value]
        return {name: each for name, each in self._every.items() if name not in SOURCES.values() or name == chosen}

    def _select(self) -> None:
        self.fields = self._active()
        self._arrange()
        self._keys_update.schedule(delay=0)
        self._update.schedule(delay=0)

    def _fill(self, values: Mapping[str, Any]) -> None:
        self._keys_update = DebouncedUpdate(self._load_keys, lambda keys: self._rows.show_keys(*keys))
        given = [kind for kind, name in SOURCES.items() if values.get(name) is not None]
        if given:
            self._source.control.value = given[0]
            self.fields = self._active()
        super()._fill(values)
        self._source.control.observe(lambda _: self._select(), "value")
        for name in SOURCES.values():
            self._every[name].control.observe(lambda _: self._keys_update.schedule(), "value")
        self._keys_update.schedule(delay=0)

    def _all_fields(self) -> Mapping[str, Field]:
        return {**self._every, "document": self._source}

    def _observe(self, fields: Mapping[str, Field]) -> None:
        super()._observe({**fields, **self._all_fields()})

    def _stateful(self) -> Mapping[str, Stateful]:
        return {"document": self._source.input, **super()._stateful()}

    def _header(self) -> list[w.Widget]:
        return [self._source.widget]

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"Language, paper and size": [name for name in self.fields if name not in VISIBLE]}

    async def _load_keys(self) -> Keys:
        """Return the fields of the document; none if there is no document, or it is not valid."""
        try:
            match SOURCES[self._source.control.value]:
                case "template":
                    template = TEMPLATES.get(self._every["template"].input.read() or "")
                    keys = template.keys if template else ()
                    return [key.name for key in keys], [key.name for key in keys if key.main]
                case "html":
                    work = "mediakit.tools.documents.mail_merge.filling:columns_of"
                    columns = await run_guarded(work, self._every["html"].input.read() or "", returns=list[str])
                    return columns, columns
                case _:
                    names = await self._file_fields()
                    return names, []
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return [], []

    async def _file_fields(self) -> list[str]:
        file = self._every["file"].input.read()
        if file is None:
            return []
        content = bytes(load_file(local_file(file)))
        if content.startswith(_ZIP):
            work = "mediakit.engines.word_templates.filling:fill"
            filled = await run_guarded(work, content, None, "error", returns=Filled)
            return [field.name for field in filled.fields]
        work = "mediakit.engines.pdf.forms.filling:work"
        form = await run_guarded(work, content, FormOptions(), returns=FormOutcome, guard=PDF)
        return [field.name for field in form.fields]

    def _preview_request(self) -> Any:
        values = self.values
        self.tool.validate(values)
        self._count = len(records := self._rows.records())
        return self.tool.validate({**values, "rows": records[:PREVIEW_ROWS]} if records else values)

    def _on_result(self, result: Result) -> None:
        self._show_names(result, self._count)

    def _show_names(self, result: Result, count: int) -> None:
        """Show the names of the first documents, and how to make all of them."""
        names = [str(row["filename"]) for row in result.meta["report"] if row.get("filename")]
        more = count - PREVIEW_ROWS
        rest = f" … The preview has the first {PREVIEW_ROWS} of {count} rows." if more > 0 else ""
        if more > 0 and isinstance(result, FileResult) and result.filename:
            result.filename = f"first-{PREVIEW_ROWS}-{result.filename}"
        self._create.description = f"Create all {count} documents"
        self._create_row.layout.display = None if more > 0 else "none"
        self._made.value = ""
        self._names.value = f"<div role='status' class='mediakit-help'>{html.escape(', '.join(names) + rest)}</div>"

    async def _make_all(self) -> Result | Exception:
        self._create.disabled = True
        self._made.value = "<div role='status' class='mediakit-status mediakit-busy'>Rendering…</div>"
        try:
            return await self.tool.arun(self.request)
        except Exception as error:  # noqa: BLE001  # the form shows every error
            return error
        finally:
            self._create.disabled = False

    def _show_all(self, made: Result | Exception) -> None:
        if isinstance(made, Exception):
            self._made.value = f"<div role='alert' class='mediakit-error'>{html.escape(str(made))}</div>"
            return
        failed = f", {made.meta['failed']} failed" if made.meta["failed"] else ""
        link = download_link(made, saved_file(made).filename or "documents.pdf")
        self._made.value = f"<div role='status'>{made.meta['count']} created{failed}. {link}</div>"
