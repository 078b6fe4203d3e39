"""Attachments: embedded files of the document."""

from collections.abc import Mapping
from pathlib import PurePosixPath

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import add_names, free_name
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.trees import read_names


class Attachments(Feature):
    """Attachments of all parts; one whose name is taken by another file becomes `data (2).csv`."""

    key = "/Attachments"

    def __init__(self) -> None:
        self._entries: dict[bytes, pikepdf.Object] = {}
        self._named: dict[str, pikepdf.Object] = {}
        self._associated: list[pikepdf.Object] = []

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Return the attachments and the associated files."""
        root = part.source.root
        if Name.Collection in root:
            part.source.warn("The portfolio became a plain PDF: its cover pages and its attachments are kept.")
        entries = read_names(part.source.names("/EmbeddedFiles"))
        associated = root.get(Name.AF)
        files = list(associated) if isinstance(associated, Array) else []
        if not entries and not files:
            return None
        return Array([Array([item for name, file in entries for item in (String(name), file)]), Array(files)])

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:  # noqa: ARG002
        """Take the attachments, without those that are there already."""
        if copied is None:
            return
        flat = list(copied[0])
        dropped: dict[tuple[int, int], pikepdf.Object] = {}
        others = dict(self._named)
        for key, file in zip(flat[::2], flat[1::2], strict=True):
            if (same := self._add(bytes(key), file, others)) is not None:
                dropped[file.objgen] = same
        self._associated += [dropped.get(file.objgen, file) if file.is_indirect else file for file in copied[1]]

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the attachments."""
        if self._entries:
            add_names(pdf, "/EmbeddedFiles", list(self._entries.items()))
        if self._associated:
            pdf.Root.AF = Array(self._associated)

    def _add(self, key: bytes, file: pikepdf.Object, others: Mapping[str, pikepdf.Object]) -> pikepdf.Object | None:
        """Add an attachment, or return the one of another part that is the same."""
        name = _name(file) or str(String(key))
        number, free = 1, name
        while (known := others.get(free)) is not None:
            if _same_content(known, file):
                return known
            number += 1
            free = _numbered(name, number)
        if number > 1:
            _rename(file, free)
        self._named[free] = file
        self._entries[self._free_key(key, free)] = file
        return None

    def _free_key(self, key: bytes, name: str) -> bytes:
        if key not in self._entries:
            return key
        named = bytes(String(name))
        return named if named not in self._entries else free_name(key, self._entries)


def _numbered(name: str, number: int) -> str:
    path = PurePosixPath(name)
    return f"{name.removesuffix(path.suffix)} ({number}){path.suffix}"


def _rename(file: pikepdf.Object, name: str) -> None:
    if isinstance(file, Dictionary):
        file.F = file.UF = String(name)


def _name(file: pikepdf.Object) -> str:
    names = [file.get(key) for key in (Name.UF, Name.F)] if isinstance(file, Dictionary) else []
    return next((str(name) for name in names if isinstance(name, String) and bytes(name)), "")


def _same_content(one: pikepdf.Object, other: pikepdf.Object) -> bool:
    """Compare by checksum or by stored bytes; nothing is inflated."""
    first, second = _stream(one), _stream(other)
    if first is None or second is None:
        return first is second
    sums = _checksum(first), _checksum(second)
    if sums[0] and sums[0] == sums[1]:
        return True
    return bool(first.read_raw_bytes() == second.read_raw_bytes())


def _stream(file: pikepdf.Object) -> pikepdf.Object | None:
    files = file.get(Name.EF) if isinstance(file, Dictionary) else None
    found = [files.get(key) for key in (Name.UF, Name.F)] if isinstance(files, Dictionary) else []
    return next((stream for stream in found if isinstance(stream, Stream)), None)


def _checksum(stream: pikepdf.Object) -> bytes:
    parameters = stream.get(Name.Params)
    checksum = parameters.get(Name.CheckSum) if isinstance(parameters, Dictionary) else None
    return bytes(checksum) if isinstance(checksum, String) else b""
