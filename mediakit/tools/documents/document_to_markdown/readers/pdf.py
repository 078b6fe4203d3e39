"""PDFs, read as `pdf_extract` reads them."""

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.pdf.reading import ExtractOptions
from mediakit.engines.pdf.reading.extraction import extract
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions

MAX_LISTED_PAGES = 20


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a PDF.

    Raises:
        InvalidInput: It is damaged, has too many pages, or its password is missing or wrong.
    """
    wanted = ExtractOptions(
        what="text" if options.plain else "markdown",
        headers=options.headers,
        max_chars=options.max_chars,
        password=options.password,
    )
    extracted = extract(content, wanted)
    document = Document(
        blocks=[Block("text", extracted.content or "")],
        title=extracted.title,
        author=extracted.author,
        created=extracted.created,
        modified=extracted.modified,
        warnings=extracted.warnings,
        truncated=extracted.truncated,
    )
    if pages := extracted.pages_without_text:
        shown = ", ".join(map(str, pages[:MAX_LISTED_PAGES])) + (" ..." if len(pages) > MAX_LISTED_PAGES else "")
        document.warnings.append(f"Pages without text, such as scans: {shown}.")
    return document
