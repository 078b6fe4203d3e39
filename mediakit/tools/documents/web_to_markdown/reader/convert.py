"""Conversion of a page in a worker process, with limits on time and memory."""

from typing import Any

from mediakit.tools.documents.web_to_markdown.reader.options import ReadOptions

CONVERSION_TIMEOUT_SECONDS = 10.0
MAX_MEMORY_BYTES = 1_000_000_000


async def convert_page(html: str, options: ReadOptions) -> dict[str, Any]:
    """Convert a page in a worker process.

    Returns:
        The fields of the response by name, and `main_content_found`.

    Raises:
        InvalidInput: A selector is invalid or matches no element.
        NotConvertible: The conversion exceeds its limit of time or memory.
    """
    from mediakit.engines import workers
    from mediakit.errors import NotConvertible
    from mediakit.tools.documents.web_to_markdown.reader.pipeline import page_fields

    try:
        return await workers.run(
            page_fields, html, options, seconds=CONVERSION_TIMEOUT_SECONDS, memory=MAX_MEMORY_BYTES
        )
    except workers.TookTooLong:
        raise NotConvertible(
            f"The page is too complex to convert: the conversion took more than {CONVERSION_TIMEOUT_SECONDS:g} seconds."
        ) from None
    except workers.WorkerFailed:
        raise NotConvertible("The page is too complex to convert.") from None
