"""Functions that run in a worker process. Importing this module imports no parser."""

from mediakit.tools.documents.markdown_convert.job import Job, WrittenDocument, WrittenText


def write_text(job: Job) -> WrittenText:
    """Return the text of a job as HTML; see `writing.write_text`."""
    from mediakit.tools.documents.markdown_convert import writing

    return writing.write_text(job)


def write_document(job: Job) -> WrittenDocument:
    """Return the text of a job as a Word document; see `word_document.write_document`."""
    from mediakit.tools.documents.markdown_convert import word_document

    return word_document.write_document(job)


def heading_pages(pdf: bytes) -> dict[str, int]:
    """Return the pages of headings; see `heading_pages.find_heading_pages`."""
    from mediakit.tools.documents.markdown_convert.heading_pages import find_heading_pages

    return find_heading_pages(pdf)
