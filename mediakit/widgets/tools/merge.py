"""The form of `mail_merge`: a table, what its rows go into, and a preview of the first documents."""

from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as w

from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.forms import FormOptions, FormOutcome
from mediakit.engines.templates import TEMPLATES
from mediakit.engines.word_templates import Filled
from mediakit.results.files import FileResult
from mediakit.results.result import Result
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.forms.output import RENDERING, DebouncedUpdate, download_link
from mediakit.widgets.forms.state import Stateful
from mediakit.widgets.inputs.base import alert, button, group, mark, markup, status, vbox
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.rows import RowsInput
from mediakit.widgets.tools.template_inputs import choice, templates_input

PREVIEW_ROWS = 3
"""Documents of the live preview; the call makes all of them."""

SOURCES = {"template": "template", "own HTML": "html", "Word template or PDF form": "file"}
"""Fields that say what the rows go into, by their choice in the form."""


class MailMergeForm(Form[Result]):
    """A form that renders the first rows as its preview."""

    _visible = ("rows", *SOURCES.values(), "filename", "to", "merge", "data")
    _other_title = "Language, paper and size"

    def _make_fields(self) -> dict[str, Field]:
        parameters = self._parameters
        self._rows = RowsInput(parameters["rows"])
        inputs = {
            "rows": self._rows,
            "template": templates_input(parameters["template"].help),
            "file": FileInput(parameters["file"], ".docx,.pdf", "a Word template or a PDF form", is_local=True),
        }
        made = fields_of(self.tool, inputs, self._visible)
        made["html"].control.placeholder = "<h1>{{ name }}</h1>\n{{ link | qr }}"
        self._every = made
        self._source = Field(choice("document", "What the rows go into.", tuple(SOURCES)))
        self._names, self._made = markup(), markup()
        self._creation = DebouncedUpdate(self._make_all, self._show_all)
        self._create = button("Create all documents", lambda: self._creation.schedule(delay=0), button_style="primary")
        self._create_row = group([self._create, self._made], "merge-create", "gone")
        self._output_area.insert(vbox([self._names, self._create_row]), above=True)
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
        if given := [kind for kind, name in SOURCES.items() if values.get(name) is not None]:
            self._source.control.value = given[0]
            self.fields = self._active()
        super()._fill(values)
        self._source.control.observe(lambda _: self._select(), "value")
        self._keys_update = self._follow(
            SOURCES.values(), self._load_keys, lambda keys: self._rows.show_keys(*(keys or ([], [])))
        )

    def _all_fields(self) -> Mapping[str, Field]:
        return {**self._every, "document": self._source}

    def _observe(self, fields: Mapping[str, Field]) -> None:
        super()._observe({**fields, **self._all_fields()})

    def _stateful(self) -> Mapping[str, Stateful]:
        return {"document": self._source.input, **super()._stateful()}

    def _header(self) -> list[w.Widget]:
        return [self._source.widget]

    async def _load_keys(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the fields of the document, and those that every row needs; none without a document."""
        source = SOURCES[self._source.control.value]
        document: Any = self._every[source].input
        if source == "template":
            template = TEMPLATES.get(document.read() or "")
            keys = template.keys if template else ()
            return [key.name for key in keys], [key.name for key in keys if key.main]
        if source == "html":
            work = "mediakit.tools.documents.mail_merge.filling:columns_of"
            columns = await run_guarded(work, document.read() or "", returns=list[str])
            return columns, columns
        if (content := document.content()) is None:
            return [], []
        if content.startswith(b"PK\x03\x04"):  # a ZIP archive, as Word files are
            work = "mediakit.engines.word_templates.filling:fill"
            filled = await run_guarded(work, content, None, "error", returns=Filled)
            return [field.name for field in filled.fields], []
        work = "mediakit.engines.pdf.forms.filling:work"
        form = await run_guarded(work, content, FormOptions(), returns=FormOutcome, guard=PDF)
        return [field.name for field in form.fields], []

    def _preview_request(self) -> Any:
        values = self.values
        self.tool.validate(values)
        self._count = len(records := self._rows.records())
        return self.tool.validate({**values, "rows": records[:PREVIEW_ROWS]} if records else values)

    def _on_result(self, result: Result) -> None:
        """Show the names of the first documents, and how to make all of them."""
        names = [str(row["filename"]) for row in result.meta["report"] if row.get("filename")]
        count = self._count
        more = count - PREVIEW_ROWS
        rest = f" … The preview has the first {PREVIEW_ROWS} of {count} rows." if more > 0 else ""
        if more > 0 and isinstance(result, FileResult) and result.filename:
            result.filename = f"first-{PREVIEW_ROWS}-{result.filename}"
        self._create.description = f"Create all {count} documents"
        mark(self._create_row, "gone", marked=more <= 0)
        self._made.value = ""
        self._names.value = status(", ".join(names) + rest)

    async def _make_all(self) -> Result | Exception:
        self._create.disabled = True
        self._made.value = RENDERING
        try:
            return await self.tool.arun(self.request)
        except Exception as error:  # noqa: BLE001  # the form shows every error
            return error
        finally:
            self._create.disabled = False

    def _show_all(self, made: Result | Exception) -> None:
        if isinstance(made, Exception):
            self._made.value = alert(str(made))
            return
        failed = f", {made.meta['failed']} failed" if made.meta["failed"] else ""
        link = download_link(made, made._saved().filename or "documents.pdf")
        self._made.value = f"<div role='status'>{made.meta['count']} created{failed}. {link}</div>"
