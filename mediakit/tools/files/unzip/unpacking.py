"""Lists and unpacks an archive; runs in a worker."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from mediakit.core.media import type_of
from mediakit.engines.archives.archive import Archive, open_archive
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.limits import shown
from mediakit.engines.archives.names import UNSAFE, clean_path, folded
from mediakit.engines.file_types import identify
from mediakit.errors import InvalidInput
from mediakit.tools.files.unzip.job import MAX_LISTED, Unpacked, UnpackedFile, UnzipJob
from mediakit.tools.files.unzip.selection import all_files, named_files

BINARY = "application/octet-stream"

_MAX_NAMED = 5
"""Names that a warning lists."""


def unpack(job: UnzipJob) -> Unpacked:
    """Return the entries of an archive, and the chosen files.

    Raises:
        InvalidInput: The archive or a chosen file cannot be read, or too many files are chosen.
    """
    archive = open_archive(job.content, filename=job.filename, name_encoding=job.name_encoding, list_only=job.list_only)
    entries = archive.entries
    chosen = [] if job.list_only and job.names is None else _chosen(entries, job)
    listed = [entries[place] for place in chosen] if job.list_only and job.names is not None else entries
    files, warnings = ([], []) if job.list_only else _files(archive, chosen, job.password)
    return Unpacked(
        entries=list(listed[:MAX_LISTED]),
        entry_count=len(listed),
        total_bytes=sum(entry.size_bytes for entry in entries),
        name_encoding=archive.name_encoding,
        comment=archive.comment,
        files=files,
        warnings=[*warnings, *_about_unsafe(entries), *_about_cut(archive)],
        is_cut=archive.is_cut or len(listed) > MAX_LISTED,
    )


def _chosen(entries: Sequence[Entry], job: UnzipJob) -> list[int]:
    chosen = all_files(entries) if job.names is None else named_files(entries, job.names)
    if len(chosen) > job.max_files and not job.list_only:
        done = "has" if job.names is None else "has, of these names,"
        raise InvalidInput(
            f"file: {done} {len(chosen):,} files, more than max_files ({job.max_files}); "
            "choose files with names, or list them with list_only."
        )
    return chosen


def _files(archive: Archive, chosen: Sequence[int], password: str | None) -> tuple[list[UnpackedFile], list[str]]:
    contents = archive.read(chosen, password)
    names = _unique([clean_path(archive.entries[place].name) for place in chosen])
    files, warnings = [], []
    for place, name, content in zip(chosen, names, contents, strict=True):
        before = clean_path(archive.entries[place].name)
        if name != before:
            warnings.append(f"{shown(before)} is in the archive more than once; it was renamed to {shown(name)}.")
        files.append(UnpackedFile(name, content, _media_type(name, content)))
    return files, warnings


def _unique(paths: Sequence[str]) -> list[str]:
    """Return paths that can be written into one folder: of those that are equal on a system, the later are numbered."""
    taken = {folded(str(folder)) for path in paths for folder in PurePosixPath(path).parents}
    unique = []
    for path in paths:
        candidate, count = path, 1
        while folded(candidate) in taken:
            count += 1
            candidate = _numbered(path, count)
        taken.add(folded(candidate))
        unique.append(candidate)
    return unique


def _numbered(path: str, count: int) -> str:
    """Return a path with a number before its extension: `a (2).txt`."""
    pure = PurePosixPath(path)
    return str(pure.with_name(f"{pure.stem} ({count}){pure.suffix}"))


def _media_type(name: str, content: bytes) -> str:
    """Return the media type of a file, by its content; by its name if it has no content."""
    return identify(content, name).mime_type if content else type_of(PurePosixPath(name)) or BINARY


def _about_unsafe(entries: Sequence[Entry]) -> list[str]:
    unsafe = [entry for entry in entries if entry.unsafe]
    if not unsafe:
        return []
    named = ", ".join(f"{shown(entry.name)} ({UNSAFE[entry.unsafe or '']})" for entry in unsafe[:_MAX_NAMED])
    more = f" and {len(unsafe) - _MAX_NAMED:,} more" if len(unsafe) > _MAX_NAMED else ""
    count = "1 entry is" if len(unsafe) == 1 else f"{len(unsafe):,} entries are"
    return [f"{count} unsafe and never unpacked: {named}{more}."]


def _about_cut(archive: Archive) -> list[str]:
    return ["The archive unpacks to more than its limit; only its first entries are listed."] if archive.is_cut else []
