"""Joins the documents of all rows into one PDF; runs in a worker."""

from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.opening import MAX_PAGES, open_pdf, warn_of_lost_protection
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.joining_job import Joined, JoinJob


def join(job: JoinJob) -> Joined:
    """Return one PDF with a bookmark for each document.

    Raises:
        InvalidInput: The documents have too many pages together.
    """
    sources = [open_pdf(content, "file", []) for content in job.contents]
    count = sum(len(source.pages) for source in sources)
    if count > MAX_PAGES:
        raise InvalidInput(f"rows: make {count} pages; the most is {MAX_PAGES}.")
    assembly = Assembly("files")
    for source, title in zip(sources, job.titles, strict=True):
        warn_of_lost_protection(source)
        assembly.add(source, range(len(source.pages)), title, leads=not assembly.count)
    assembly.finish()
    warnings = dict.fromkeys(sentence for source in sources for sentence in source.warnings)
    if assembly.fields.renamed:
        warnings["Form fields have a number in their new names, because every document has the same ones."] = None
    return Joined(assembly.save(), count, list(warnings))
