"""One PDF of the files of all rows, with a bookmark for each row."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from typing_extensions import override

from mediakit.batches.targets.combined import CombinedTarget, run_in_worker
from mediakit.batches.targets.journal import Record, from_line, to_line
from mediakit.batches.targets.store import Store
from mediakit.batches.targets.target import write_reports
from mediakit.core.inputs import FileBytes
from mediakit.core.media import media_type
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput

GROUP_FILES, GROUP_BYTES, GROUP_PAGES = 50, 40_000_000, 400
"""Files that are merged in one step; the results of the steps are joined."""

MERGE_SECONDS, JOIN_SECONDS = 120.0, 900.0

PAGE_TYPES = frozenset(
    {"application/pdf", *(f"image/{kind}" for kind in ("png", "jpeg", "webp", "avif", "gif", "tiff"))}
)
"""Types of files that can be pages of a PDF."""

_POSITION = re.compile(r"files\[(\d+)\]:?\s*")


class PdfTarget(CombinedTarget):
    """A merged PDF. Files are merged in groups, so that only one group is in memory at a time."""

    @override
    def _check(self, record: Record) -> None:
        if record.file and record.mime_type not in PAGE_TYPES:
            media = media_type(record.mime_type)
            kind = media.label if media else "another file"
            raise InvalidInput(
                f"to: a .pdf can hold PDFs and images, but row {record.row} is {kind}. "
                'Choose another format of the tool, such as format="png", or save to a folder or a .zip.'
            )

    @override
    def _build(self, work: Path) -> list[Path]:
        groups = []
        for number, group in enumerate(_groups(record for record in self.manifest.records() if record.file)):
            groups.append(work / f"{number}.group.pdf")
            groups[-1].write_bytes(_merged(group, self.store))
        if not groups:
            raise InvalidInput("to: there are no pages for the PDF, because every row has failed.")
        if shutil.disk_usage(work).free < sum(each.stat().st_size for each in groups):  # workers lose the error number
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(work))
        path = work / self._file
        run_in_worker(join, list(map(str, groups)), str(path), self._title, seconds=JOIN_SECONDS)
        return [path, *write_reports(self.manifest, work, self._report_prefix)]

    @override
    def _parts(self) -> Iterator[bytes]:
        """Take the PDF of an earlier run apart. Images cannot be restored, because they are pages now."""
        records = [record for line in self._lines() if (record := from_line(line)) and record.file]
        work = self.store.work()
        with self._folder.open_file(self._file) as source, (work / "earlier.pdf").open("wb") as target:
            shutil.copyfileobj(source, target)
        titles = [_title(record) for record in records]
        if not run_in_worker(split, str(work / "earlier.pdf"), titles, str(work), seconds=JOIN_SECONDS):
            return
        for index, record in enumerate(records):
            content = (work / f"{index}.pdf").read_bytes()
            if record.file and record.mime_type == "application/pdf":
                self.store.write(record.file, content)
                yield to_line(replace(record, size_bytes=len(content), sha256=sha256(content).hexdigest()))


def _groups(records: Iterator[Record]) -> Iterator[list[Record]]:
    group: list[Record] = []
    size = pages = 0
    for record in records:
        found = record.meta.get("pages")
        count = found if isinstance(found, int) else 1
        if group and (
            len(group) == GROUP_FILES or size + record.size_bytes > GROUP_BYTES or pages + count > GROUP_PAGES
        ):
            yield group
            group, size, pages = [], 0, 0
        group.append(record)
        size, pages = size + record.size_bytes, pages + count
    if group:
        yield group


def _merged(group: list[Record], parts: Store) -> bytes:
    """Return the files of some rows as one PDF."""
    files = [FileBytes(parts.read(record.file)) for record in group if record.file]
    titles = [_title(record) for record in group]
    try:
        return run_in_worker(merge_group, files, titles, seconds=MERGE_SECONDS)
    except InvalidInput as error:
        if not (match := _POSITION.match(str(error))):
            raise
        record = group[int(match[1])]
        problem = str(error)[match.end() :]
        raise InvalidInput(f"to: row {record.row}, {quote(record.name)}, cannot be merged: it {problem}") from None


def _title(record: Record) -> str:
    from mediakit.tools.pdf.pdf_merge.inputs import clean_title

    return clean_title(record.name) or str(record.row)


def merge_group(files: list[FileBytes], titles: list[str]) -> bytes:
    """Return files as one PDF that has equal fonts and images once, so that few objects are left to join."""
    from io import BytesIO

    import pikepdf

    from mediakit.engines.pdf.saving import save
    from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects
    from mediakit.tools.pdf.pdf_merge.inputs import open_inputs
    from mediakit.tools.pdf.pdf_merge.merging import Merge

    merged = Merge(open_inputs(files, [""] * len(files), titles)).run()
    with pikepdf.open(BytesIO(merged.content)) as pdf:
        share_equal_objects(pdf)
        return save(pdf)


def join(paths: list[str], target: str, title: str) -> None:
    """Write the pages of PDFs, with their bookmarks, to one PDF in which equal fonts and images are stored once."""
    import pikepdf
    from pikepdf import Name, String

    from mediakit.engines.pdf.assembly import Assembly
    from mediakit.engines.pdf.opening import Source
    from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects

    assembly = Assembly("keep")
    for path in paths:
        source = Source(pikepdf.open(path))
        assembly.add(source, range(len(source.pages)))
    assembly.finish()
    share_equal_objects(assembly.pdf)
    pdf = assembly.pdf
    pdf.docinfo[Name.Title] = String(title)
    pdf.Root.PageMode = Name.UseOutlines
    pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


def split(path: str, titles: list[str], folder: str) -> bool:
    """Write the pages below each bookmark of the first level to a PDF, `0.pdf`, `1.pdf` and so on, in a folder.

    Returns:
        False if the PDF is damaged or has other titles of bookmarks; then nothing is written.
    """
    import pikepdf

    from mediakit.engines.pdf.destinations import Part
    from mediakit.engines.pdf.opening import Source
    from mediakit.engines.pdf.outlines import first_level
    from mediakit.tools.pdf.pdf_split.splitting import make_part

    try:
        source = Source(pikepdf.open(path))
    except pikepdf.PdfError:
        return False
    entries = first_level(Part(source, list(range(len(source.pages))), 0))
    starts = [entry.page for entry in entries]
    if [entry.title for entry in entries] != titles or starts != sorted(set(starts)):
        return False
    for index, (start, end) in enumerate(zip(starts, [*starts[1:], len(source.pages)], strict=True)):
        Path(folder, f"{index}.pdf").write_bytes(make_part(source, range(start, end), attachments=True).content)
    return True
