"""Opens the PDF of a tool that takes one, for reading or for changing it."""

from pikepdf import Dictionary, Name

from mediakit.engines.pdf.active_content import warn_of_active_content
from mediakit.engines.pdf.kinds import require_pdf
from mediakit.engines.pdf.objects import dictionary, is_true, items
from mediakit.engines.pdf.opening import open_pdf
from mediakit.engines.pdf.signatures import remove_signatures
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput


def open_to_read(content: bytes, password: str | None = None, field: str = "file") -> Source:
    """Open a PDF that is only read.

    Raises:
        InvalidInput: The file is not a PDF, the password does not open it, or it is damaged beyond repair, without
            pages or too large.
    """
    require_pdf(content, field)
    source = open_pdf(content, field, [password] if password else [])
    if isinstance(source.root.get(Name.Collection), Dictionary):
        source.warn("The file is a portfolio: only its cover page was processed, and its attachments were kept.")
    return source


def open_to_change(content: bytes, password: str | None = None, field: str = "file") -> Source:
    """Open a PDF that is changed and saved with `saving.save`, which keeps its encryption.

    Signatures are removed, because a change breaks them. Their appearance stays on the page.

    Raises:
        InvalidInput: As for `open_to_read`.
    """
    source = open_to_read(content, password, field)
    prepare_to_change(source)
    return source


def prepare_to_change(source: Source) -> None:
    """Remove the signatures of a PDF that was opened to be read, and warn of its active content."""
    warn_of_active_content(source)
    remove_signatures(source)


def has_xfa(source: Source) -> bool:
    """Return whether a PDF has an XFA form."""
    return Name.XFA in dictionary(source.root.get(Name.AcroForm))


def is_dynamic_xfa(source: Source) -> bool:
    """Return whether the pages of a PDF are only a placeholder for an XFA form."""
    if not has_xfa(source):
        return False
    without_fields = not items(source.root.AcroForm.get(Name.Fields))
    return is_true(source.root, Name.NeedsRendering) or without_fields


def refuse_dynamic_xfa(source: Source) -> None:
    """Refuse a PDF whose pages are only a placeholder for an XFA form.

    Raises:
        InvalidInput: It is one.
    """
    if is_dynamic_xfa(source):
        raise InvalidInput(f"{source.label}: is a dynamic XFA form, which only Adobe Reader can open.")
