"""Chooses entries by their names: exact names, or patterns such as `*.csv` and `data/**`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mediakit.core.suggestions import similar
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.limits import shown
from mediakit.engines.archives.listing import is_system_file
from mediakit.engines.archives.names import UNSAFE, clean_path
from mediakit.errors import InvalidInput

_WILDCARDS = re.compile(r"[*?\[]")
_STEPS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|.", re.DOTALL)
"""The steps of a pattern: stars, single characters, and sets such as `[abc]` and `[!0-9]`."""


@dataclass(frozen=True)
class _Candidate:
    """A file of an archive that a pattern may match."""

    place: int
    path: str
    is_system_file: bool


def all_files(entries: Sequence[Entry]) -> list[int]:
    """Return the places of all files, without what macOS and Windows add by themselves."""
    return [candidate.place for candidate in _candidates(entries) if not candidate.is_system_file]


def named_files(entries: Sequence[Entry], names: Sequence[str]) -> list[int]:
    """Return the places of the files that names choose, in the order of the archive.

    Raises:
        InvalidInput: A name chooses nothing, or an unsafe entry.
    """
    candidates = list(_candidates(entries))
    by_path: dict[str, list[int]] = {}
    for candidate in candidates:
        by_path.setdefault(candidate.path, []).append(candidate.place)
    chosen: set[int] = set()
    for name in names:
        found = by_path.get(clean_path(name)) or _matches(candidates, name)
        if not found or _names_unsafe(entries, name):
            raise _nothing_chosen(entries, name, [candidate.path for candidate in candidates])
        chosen.update(found)
    return sorted(chosen)


def _candidates(entries: Sequence[Entry]) -> Iterator[_Candidate]:
    for place, entry in enumerate(entries):
        if not entry.is_folder and entry.unsafe is None:
            yield _Candidate(place, clean_path(entry.name), is_system_file(entry.name))


def _matches(candidates: Sequence[_Candidate], name: str) -> list[int]:
    if not _WILDCARDS.search(name) and not name.endswith(("/", "\\")):
        return []
    fits = _matcher(name)
    with_system_files = is_system_file(name)
    return [
        candidate.place
        for candidate in candidates
        if (with_system_files or not candidate.is_system_file) and fits(candidate.path)
    ]


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return a function that matches paths with a pattern, in a time that grows with their length only.

    `*` and `?` do not match `/`, `**` does. A pattern without `/` matches the last part of a path in every folder; one
    that ends with `/` matches everything in that folder.
    """
    import re2

    path = pattern.replace("\\", "/")
    path = f"{path}**" if path.endswith("/") else path
    if "/" not in path and path != "**":
        path = f"**/{path}"
    try:
        expression = re2.compile("(?s)" + "".join(_expression(step) for step in _STEPS.findall(path)))
    except re2.error:
        raise InvalidInput(f'names: "{shown(pattern)}" is not a pattern; check what is between [ and ].') from None
    return lambda name: expression.fullmatch(name) is not None


def _expression(step: str) -> str:
    """Return the regular expression of a step of a pattern."""
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if step in known:
        return known[step]
    if len(step) == 1:
        return re.escape(step)
    negated = step.startswith("[!")
    members = step[1 + negated : -1].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
    return f"[{'^/' if negated else ''}{members}]"


def _names_unsafe(entries: Sequence[Entry], name: str) -> bool:
    return any(entry.unsafe and entry.name == name for entry in entries)


def _nothing_chosen(entries: Sequence[Entry], name: str, paths: Sequence[str]) -> InvalidInput:
    exact = next((entry for entry in entries if entry.name == name), None)
    if exact is not None and exact.unsafe:
        return InvalidInput(f'names: "{shown(name)}" {UNSAFE[exact.unsafe]}.')
    if exact is not None and exact.is_folder:
        return InvalidInput(f'names: "{shown(name)}" is a folder without files.')
    if _WILDCARDS.search(name):
        return InvalidInput(f'names: "{shown(name)}" matches no file of the archive.')
    match = similar(name, paths[:1000])
    hint = f'; did you mean "{shown(match)}"?' if match else "."
    return InvalidInput(f'names: "{shown(name)}" is not in the archive{hint}')
