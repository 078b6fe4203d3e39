"""The form of `unzip`: the entries of the archive, with check boxes."""

from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.inputs import local_file
from mediakit.engines.guarded import run_guarded
from mediakit.errors import MediakitError
from mediakit.tools.files.unzip.tool import RAW_TYPES, UNPACKING, Unpacked, UnzippedFiles, UnzipRequest
from mediakit.widgets.archives.entries_input import EntriesInput
from mediakit.widgets.assets import asset
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.tool_form import Form

ACCEPTED = ",".join((*RAW_TYPES, ".zip", ".tar", ".gz", ".tgz", ".jar", ".docx", ".xlsx", ".pptx", ".epub"))


class UnzipForm(Form[UnzippedFiles]):
    """A form with a check box for each entry of its archive."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._file = DropFileInput(parameters["file"], ACCEPTED, "an archive")
        self._names = EntriesInput(parameters["names"])
        custom = {
            "file": Field(parameters["file"], custom_input=self._file),
            "names": Field(parameters["names"], custom_input=self._names),
        }
        made = {**fields_of(self.tool, without=custom), **custom}
        return {name: made[name] for name in parameters}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._entries_update = DebouncedUpdate(self._load_entries, self._show_entries)
        for name in ("file", "name_encoding"):
            self.fields[name].control.observe(lambda _: self._entries_update.schedule(), "value")
        self._entries_update.schedule(delay=0)

    def _layout(self) -> w.VBox:
        box = super()._layout()
        style = w.HTML(f"<style>{asset('archives/entries.css')}</style>")
        style.add_class("mediakit-style")
        box.children = [style, *box.children]
        return box

    async def _load_entries(self) -> Unpacked | None:
        """Return the list of the entries; None without a valid archive."""
        file = self._file.read()
        if file is None:
            return None
        try:
            charset = self.fields["name_encoding"].input.read() or "auto"
            request = UnzipRequest(local_file(file), list_only=True, name_encoding=charset)
            work = "mediakit.tools.files.unzip.unpacking:unpack"
            return await run_guarded(work, request, returns=Unpacked, guard=UNPACKING)
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return None

    def _show_entries(self, listed: Unpacked | None) -> None:
        self._names.show_entries(listed.entries if listed else None, listed.entry_count if listed else 0)
