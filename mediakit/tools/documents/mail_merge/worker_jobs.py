"""Functions that run in a worker process. Importing this module does not import pikepdf or lxml."""

from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.tools.documents.mail_merge.joining_job import Joined, JoinJob
from mediakit.tools.documents.mail_merge.outcome import Document


def fill_word(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Fill a Word template for each row; see `filling.fill_word`."""
    from mediakit.tools.documents.mail_merge import filling

    return filling.fill_word(content, rows)


def fill_form(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Fill a PDF form for each row; see `filling.fill_form`."""
    from mediakit.tools.documents.mail_merge import filling

    return filling.fill_form(content, rows)


def join(job: JoinJob) -> Joined:
    """Join PDFs; see `joining.join`."""
    from mediakit.tools.documents.mail_merge import joining

    return joining.join(job)
