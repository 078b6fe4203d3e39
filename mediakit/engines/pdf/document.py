"""Opens the PDF of a tool, to read or to change it, and warns of what is active or gets lost."""

from pikepdf import Dictionary, Name

from mediakit.engines.file_types.identify import identify
from mediakit.engines.pdf import is_pdf
from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.flattening import remove_signatures
from mediakit.engines.pdf.objects import dictionary, fields_of, is_true, items, name_of
from mediakit.engines.pdf.opening import Source, open_pdf
from mediakit.engines.pdf.page_ranges import listed
from mediakit.errors import InvalidInput

JAVASCRIPT = "JavaScript"

KINDS = {
    "/JavaScript": JAVASCRIPT,
    "/Launch": "actions that start programs",
    "/SubmitForm": "actions that send the form",
    "/ImportData": "actions that import form data",
    "/GoToR": "links to other PDF files",
}
"""Types of actions that are reported, and their words."""


def warn_of_active_content(source: Source) -> None:
    """Add a warning that names the active content, which stays in the file."""
    if found := active_content(source):
        source.warn(f"The file contains {listed(found)}. All of it was kept, and nothing was run.")


def active_content(source: Source) -> list[str]:
    """Return the kinds of active content in words, in a fixed order."""
    root = source.root
    annotated = [annotation for page in source.pages for annotation in annotations(page)]
    actions = [root.get(Name.OpenAction), *(annotation.get(Name.A) for annotation in annotated)]
    for holder in (root, *source.pages, *annotated, *(field.item for field in fields_of(root.get(Name.AcroForm)))):
        actions += dictionary(holder.get(Name.AA)).values()
    found = {name_of(action.get(Name.S)) for action in actions if isinstance(action, Dictionary)}
    if source.names("/JavaScript") is not None:
        found.add("/JavaScript")
    return [words for kind, words in KINDS.items() if kind in found]


def open_to_read(content: bytes, password: str | None = None, field: str = "file") -> Source:
    """Open a PDF that is only read.

    Raises:
        InvalidInput: The file is not a PDF, the password does not open it, or it is damaged beyond repair, without
            pages or too large.
    """
    if not is_pdf(content):
        raise InvalidInput(f"{field}: must be a PDF, got {identify(content).description}.")
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
