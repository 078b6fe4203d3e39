"""Lists and unpacks an archive; runs in a worker."""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from mediakit.core.inputs import file_of
from mediakit.core.media import type_of
from mediakit.core.suggestions import similar
from mediakit.engines.archives import UNSAFE, Entry, clean_path, is_system_file, shown, unique_paths
from mediakit.engines.archives.archive import open_archive
from mediakit.engines.archives.container import Archive
from mediakit.engines.file_types.identify import identify
from mediakit.errors import InvalidInput
from mediakit.tools.files.unzip.tool import Unpacked, UnpackedFile, UnzipRequest

_WILDCARDS = re.compile(r"[*?\[]")
_STEPS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|.", re.DOTALL)
"""The steps of a pattern: stars, single characters, and sets such as `[abc]` and `[!0-9]`."""

BINARY = "application/octet-stream"

MAX_LISTED = 1000
"""Entries that are listed; of larger archives the first ones."""

CUT = "The archive unpacks to more than its limit; only its first entries are listed."

_MAX_NAMED = 5
"""Names that a warning lists."""


def unpack(request: UnzipRequest) -> Unpacked:
    """Return the entries of an archive, and the chosen files.

    Raises:
        InvalidInput: The archive or a chosen file cannot be read, or too many files are chosen.
    """
    file = file_of(request.file)
    archive = open_archive(file, filename=file.name, name_encoding=request.name_encoding, list_only=request.list_only)
    entries = archive.entries
    chosen = [] if request.list_only and request.names is None else _chosen(entries, request)
    listed = [entries[place] for place in chosen] if request.list_only and request.names is not None else entries
    files, warnings = ([], []) if request.list_only else _files(archive, chosen, request.password)
    return Unpacked(
        entries=list(listed[:MAX_LISTED]),
        entry_count=len(listed),
        total_bytes=sum(entry.size_bytes for entry in entries),
        name_encoding=archive.name_encoding,
        comment=archive.comment,
        files=files,
        warnings=[*warnings, *_about_unsafe(entries), *([CUT] if archive.is_cut else [])],
        is_cut=archive.is_cut or len(listed) > MAX_LISTED,
    )


def _chosen(entries: Sequence[Entry], request: UnzipRequest) -> list[int]:
    if request.names is None:  # all files, without what macOS and Windows add by themselves
        chosen = [place for place, path in _safe_files(entries).items() if not is_system_file(path)]
    else:
        chosen = named_files(entries, request.names)
    if len(chosen) > request.max_files and not request.list_only:
        done = "has" if request.names is None else "has, of these names,"
        raise InvalidInput(
            f"file: {done} {len(chosen):,} files, more than max_files ({request.max_files}); "
            "choose files with names, or list them with list_only."
        )
    return chosen


def _files(archive: Archive, chosen: Sequence[int], password: str | None) -> tuple[list[UnpackedFile], list[str]]:
    paths = [clean_path(archive.entries[place].name) for place in chosen]
    names = unique_paths(paths)
    warnings = [
        f"{shown(path)} is in the archive more than once; it was renamed to {shown(name)}."
        for path, name in zip(paths, names, strict=True)
        if path != name
    ]
    warnings += [
        f"{shown(name)} cannot be beside the other files on every system; it is saved as {shown(saved)}."
        for name, saved in zip(names, unique_paths(names, is_portable=True), strict=True)
        if name != saved
    ]
    contents = archive.read(chosen, password)
    files = []
    for name, content in zip(names, contents, strict=True):  # a file without content has a type by its name
        mime_type = identify(content, name).mime_type if content else type_of(PurePosixPath(name)) or BINARY
        files.append(UnpackedFile(name, content, mime_type))
    return files, warnings


def _about_unsafe(entries: Sequence[Entry]) -> list[str]:
    if not (unsafe := [entry for entry in entries if entry.unsafe]):
        return []
    named = ", ".join(f"{shown(entry.name)} ({UNSAFE[entry.unsafe or '']})" for entry in unsafe[:_MAX_NAMED])
    more = f" and {len(unsafe) - _MAX_NAMED:,} more" if len(unsafe) > _MAX_NAMED else ""
    count = "1 entry is" if len(unsafe) == 1 else f"{len(unsafe):,} entries are"
    return [f"{count} unsafe and never unpacked: {named}{more}."]


def named_files(entries: Sequence[Entry], names: Sequence[str]) -> list[int]:
    """Return the places of the files that names choose, in the order of the archive.

    Raises:
        InvalidInput: A name chooses nothing, or an unsafe entry.
    """
    paths = _safe_files(entries)
    by_path: dict[str, list[int]] = {}
    for place, path in paths.items():
        by_path.setdefault(path, []).append(place)
    chosen: set[int] = set()
    for name in names:
        found = by_path.get(clean_path(name), [])
        if not found and (_WILDCARDS.search(name) or name.endswith(("/", "\\"))):
            fits, takes_system_files = _matcher(name), is_system_file(name)
            safe = (place for place, path in paths.items() if takes_system_files or not is_system_file(path))
            found = [place for place in safe if fits(paths[place])]
        if not found or any(entry.unsafe and entry.name == name for entry in entries):
            raise _nothing_chosen(entries, name, list(paths.values()))
        chosen.update(found)
    return sorted(chosen)


def _safe_files(entries: Sequence[Entry]) -> dict[int, str]:
    """Return the paths of all files that are safe, by their places."""
    return {
        place: clean_path(entry.name)
        for place, entry in enumerate(entries)
        if not entry.is_folder and entry.unsafe is None
    }


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
