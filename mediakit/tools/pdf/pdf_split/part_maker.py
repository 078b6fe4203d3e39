"""Makes the PDFs of the parts."""

from collections.abc import Sequence

from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.source import Source


class PartMaker:
    """Makes PDFs of pages of one PDF, which stays as it is."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.removed_links = 0
        """Links of the latest part that led to pages of others."""

    def make(self, pages: Sequence[int], *, attachments: bool) -> bytes:
        """Return a PDF of some of the pages, with everything that belongs to them.

        Args:
            pages: Indices of the pages.
            attachments: Keep the attachments of the document.
        """
        assembly = Assembly(attachments=attachments)
        part = assembly.add(self.source, pages, leads=True)
        part.changes.undo()
        assembly.finish()
        self.removed_links = len(part.removed_links)
        return assembly.save()
