"""The input for names of entries: a check box for each entry, above the text with names and patterns."""

import html
from collections.abc import Sequence

import ipywidgets as w

from mediakit.core.messages import readable_size
from mediakit.core.parameters import Parameter
from mediakit.engines.archives import UNSAFE, Entry
from mediakit.widgets.inputs import heading
from mediakit.widgets.structured_inputs import LinesInput

MAX_ROWS = 200
"""Entries that have a check box; others are chosen by their names."""

NO_FILE = "Choose an archive to see its entries."
NONE_CHECKED = "Without a checked entry all files are unpacked."


class EntriesInput(LinesInput):
    """Names and patterns, one per line. Check boxes add and remove the names of entries."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.caption = heading(parameter.name)
        self.control.description = "names"
        self.control.rows = 2
        self.control.placeholder = "Names or patterns, one per line, such as *.csv"
        self.boxes: dict[str, w.Checkbox] = {}
        """The check boxes by name of the entry."""
        self._is_showing = False
        self._entries: list[Entry] = []
        self._rows = w.VBox()
        self._rows.add_class("mediakit-entries")
        self._note = w.HTML()
        self._box = w.VBox([self._rows, self._note, self.control])
        self._box.add_class("mediakit-entries-field")
        self.control.observe(lambda _: self._show_checked(), "value")
        self.show_entries(None, 0)

    @property
    def widget(self) -> w.DOMWidget:
        """The check boxes and the text."""
        return self._box

    def show_entries(self, entries: Sequence[Entry] | None, count: int) -> None:
        """Show a row for each entry; None without an archive.

        Args:
            entries: The first entries.
            count: Number of all entries.
        """
        shown = [entry for entry in entries or () if not entry.is_folder][:MAX_ROWS]
        if shown != self._entries:
            self._replace_rows(shown)
        self._note.value = f"<div class='mediakit-help'>{_note(entries, len(shown), count)}</div>"
        self._rows.layout.display = None if shown else "none"

    def _replace_rows(self, entries: list[Entry]) -> None:
        for box in self.boxes.values():
            box.close()
        self._entries, self.boxes = entries, {}
        self._rows.children = [self._row(entry) for entry in entries]
        self._show_checked()

    def _row(self, entry: Entry) -> w.Box:
        box = w.Checkbox(
            value=False, description=entry.name or "(no name)", indent=False, disabled=entry.unsafe is not None
        )
        self.boxes.setdefault(entry.name, box)
        box.observe(lambda change: self._on_check(entry.name, is_checked=change["new"]), "value")
        row = w.Box([box, w.HTML(_facts(entry))])
        row.add_class("mediakit-entry-row")
        if entry.unsafe:
            row.add_class("mediakit-unsafe")
        return row

    def _on_check(self, name: str, *, is_checked: bool) -> None:
        if self._is_showing:
            return
        others = [line for line in self.control.value.split("\n") if line.strip() and line.strip() != name]
        self.control.value = "\n".join([*others, name] if is_checked else others)

    def _show_checked(self) -> None:
        names = {line.strip() for line in self.control.value.split("\n")}
        self._is_showing = True
        try:
            for name, box in self.boxes.items():
                box.value = name in names
        finally:
            self._is_showing = False


def _facts(entry: Entry) -> str:
    """Return size, method and dangers of an entry."""
    facts = [readable_size(entry.size_bytes), entry.method, "encrypted" if entry.encrypted else ""]
    plain = " · ".join(html.escape(fact) for fact in facts if fact)
    danger = f"<b>unsafe: {html.escape(UNSAFE[entry.unsafe])}</b>" if entry.unsafe else ""
    return f"<span>{danger or plain}</span>"


def _note(entries: Sequence[Entry] | None, shown: int, count: int) -> str:
    if entries is None:
        return NO_FILE
    if not shown:
        return "The archive has no files."
    return NONE_CHECKED if count <= MAX_ROWS else f"The first {MAX_ROWS} of {count:,} entries are shown. {NONE_CHECKED}"
