"""Functions that run in a worker process. Importing this module does not import lxml."""

from mediakit.tools.documents.docx_template.block import Block


def read_outline(content: bytes) -> list[Block]:
    """Return the first paragraphs and tables of a document; see `outline.outline`."""
    from mediakit.tools.documents.docx_template.outline import outline

    return outline(content)
