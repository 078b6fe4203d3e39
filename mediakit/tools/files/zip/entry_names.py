"""Names of the files in a new archive: given ones are checked, missing ones are made."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from mediakit.core.inputs import FileBytes
from mediakit.engines.archives.limits import shown
from mediakit.engines.archives.names import folded, portable_problem
from mediakit.engines.archives.writer import NewEntry


def entry_names(files: Sequence[FileBytes], folder: str) -> list[str]:
    """Return the names of files in an archive, normalized to NFC; empty for files without a name.

    Raises:
        ValueError: A name cannot be unpacked on every system, or two would overwrite each other.
    """
    names = []
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    for index, file in enumerate(files):
        name = unicodedata.normalize("NFC", file.full_name or file.name)
        if not name:
            names.append("")
            continue
        if problem := portable_problem(name) or _conflict(name, taken, folders):
            raise ValueError(f"files[{index}].name: {_sentence(name, problem)}")
        taken[folded(name)] = name
        folders |= {folded(parent): parent for parent in _parents(name)}
        names.append(name)
    return [f"{folder}/{name}" if folder and name else name for name in names]


def _sentence(name: str, problem: str) -> str:
    """Return a problem as a sentence: what a name is needs the name before it, what it must not be needs none."""
    return problem if problem.startswith("must") else f'"{shown(name)}" {problem}'


def _conflict(name: str, taken: dict[str, str], folders: dict[str, str]) -> str | None:
    """Return why a name cannot stand beside the names before it; None if it can."""
    other = taken.get(folded(name))
    if other == name:
        return "is there already."
    if other is not None:
        how = "case" if other.lower() == name.lower() else "case or accents"
        return f'differs from "{shown(other)}" by {how} only; one would overwrite the other on Windows or macOS.'
    if folded(name) in folders:
        return "is the name of a folder, too."
    parent = next((parent for parent in _parents(name) if folded(parent) in taken), None)
    return f'is below "{shown(parent)}", which is a file.' if parent is not None else None


def _parents(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def made_names(entries: Sequence[NewEntry], folder: str) -> list[NewEntry]:
    """Return entries of which those without a name have one by their number and the type of their content."""
    taken = {folded(entry.name) for entry in entries}
    made = []
    for number, entry in enumerate(entries, 1):
        name = entry.name or _made_name(f"{folder}/" if folder else "", number, entry.content, taken)
        made.append(replace(entry, name=name))
    return made


def _made_name(start: str, number: int, content: bytes, taken: set[str]) -> str:
    from mediakit.engines.file_types import identify

    extension = identify(content).extension or ".bin"
    candidates = (f"{start}file-{number}{again}{extension}" for again in ("", *(f"-{count}" for count in range(2, 99))))
    return next(candidate for candidate in candidates if folded(candidate) not in taken)
