"""CSV and TSV: one table whose cells stay as they are written."""

from mediakit.engines.charsets import decode
from mediakit.engines.tables.layout import directive, sniff
from mediakit.engines.tables.readers.delimited import split_records
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.sheets.grids import Grid


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a table. Charset and delimiter are detected.

    Raises:
        InvalidInput: A byte does not belong to the charset, or a quote is never closed.
    """
    text, charset = decode(content, "auto", "file")
    declared = directive(text)
    delimiter, text = declared or (sniff(text), text)
    limit = options.max_chars  # a record has a character at least
    records = split_records(text, delimiter, limit + 1)
    grid = Grid(options.max_chars)
    for place, record in enumerate(records[:limit]):
        if not grid.add(place, {column: cell for column, cell in enumerate(record) if cell.strip()}):
            break
    block, warnings = grid.block(options)
    document = Document(blocks=[block] if block else [], warnings=warnings)
    document.truncated = grid.is_cut or len(records) > limit
    if charset not in ("utf-8", "ascii"):
        document.warnings.append(f"The charset was detected: {charset}.")
    return document
