"""The list of the tools, grouped by tag, and what each does. A tool is imported on first use."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mediakit.core.messages import nearest
from mediakit.errors import NotFound

if TYPE_CHECKING:
    from mediakit.core.tool import Tag, Tool


CATALOGUE: "Mapping[Tag, Mapping[str, str]]" = {
    "Images": {
        "capture": "Render HTML to an image.",
        "screenshot": "Take a screenshot of a web page.",
        "qr": "Create a QR code.",
        "barcode": "Create a barcode of one of ten types.",
        "chart": "Render a bar, line, area, pie, doughnut, radar or scatter chart, a timeline, or bars with lines.",
        "images": "Resize, convert or compress an image.",
        "code_reader": "Find and decode every QR code and barcode in an image or a PDF.",
        "image_info": "Tell what an image is: size, colors, animation, EXIF, location, palette, hashes.",
        "image_watermark": "Put text or a logo on an image.",
        "image_compare": "Compare two images pixel by pixel, and show what differs.",
        "image_animate": "Make an animated WebP, GIF or PNG of images, or convert or retime an animation.",
        "table_image": "Render a table as an image, a PDF or an HTML page, without a browser.",
    },
    "PDF": {
        "pdf": "Render HTML to a PDF.",
        "pdf_merge": "Merge PDFs and images into one PDF.",
        "pdf_split": "Split a PDF into several: by number of pages, page ranges, file size, bookmarks or blank pages.",
        "pdf_pages": "Select, reorder, remove, rotate, crop and resize the pages of a PDF, and put several on a sheet.",
        "pdf_compress": "Make a PDF smaller; the result is never larger than the input.",
        "pdf_stamp": "Stamp a PDF with text, an image, a QR code or another PDF.",
        "pdf_protect": "Encrypt a PDF with passwords and permissions, or decrypt it.",
        "pdf_redact": "Remove words, personal data and areas from a PDF, and verify that they are gone.",
        "pdf_to_images": "Draw the pages of a PDF as PNG, JPEG or WebP images.",
        "pdf_extract": "Extract text, Markdown, tables, words, links or images of a PDF.",
        "pdf_info": "Describe a PDF, or write its metadata, outline, attachments and page labels.",
        "pdf_form": "List, fill and flatten the fields of a PDF form.",
    },
    "Documents": {
        "web_to_markdown": "Convert a web page to Markdown, text or metadata.",
        "markdown_convert": "Convert Markdown to an HTML page, a PDF or a Word document.",
        "document_to_markdown": "Convert a document to Markdown or text.",
        "docx_template": "Fill the placeholders of a Word document with data.",
        "notebook_convert": "Convert a Jupyter notebook to a web page, a PDF, Markdown or a script.",
        "mail_merge": "Make a document for each row of a table.",
    },
    "Files": {
        "zip": "Pack files into a ZIP file, optionally encrypted with AES-256.",
        "unzip": "List and unpack a ZIP, TAR, TAR.GZ or GZ file, "
        "and relatives of ZIP such as DOCX, XLSX, EPUB and JAR.",
        "text_repair": "Convert text of any charset to clean UTF-8, "
        "and repair text that was decoded with the wrong one.",
        "file_info": "Identify a file by its content: media type, details, hashes, entropy.",
        "file_encode": "Encode a file or text as base64, hex, a data URI and other text, compress it, or decode it.",
    },
    "Validation": {
        "validate_email": "Check email addresses: syntax, domain, and typing errors in the names of common providers.",
        "validate_phone": "Check phone numbers, format them, and find their type, region and time zone.",
        "validate_iban": "Check account numbers (IBAN): structure, check digits, national check digits, bank.",
        "validate_tax_id": "Check tax, VAT, identity and company numbers of more than 80 countries.",
        "validate_code": "Check codes: EAN, ISBN, GS1, payment cards, IMEI, ISIN, "
        "LEI, BIC, containers, vehicles, ORCID and others.",
    },
    "Data": {
        "data_convert": "Convert a table, or JSON, YAML and TOML of any shape, to another format.",
        "data_profile": "Profile a table: types, statistics and problems of every column.",
        "data_diff": "Compare two tables, or two JSON, YAML or TOML documents.",
        "data_query": "Query tables with SQL: CSV, Excel, Parquet, JSON and data frames.",
        "data_sample": "Make up tables of test data: people, orders, sensors, or fields of your own.",
    },
    "Account": {},  # GET /status is not a tool
}
"""The tools by tag, each with the first line of its docstring.

The tool `qr` is the object `qr` in the module `mediakit.tools.images.qr`.
"""

SUMMARIES: Mapping[str, str] = {name: text for names in CATALOGUE.values() for name, text in names.items()}
"""What each tool does, in one sentence."""


def tool_names() -> tuple[str, ...]:
    """Return the names of all tools, without importing them."""
    return tuple(SUMMARIES)


def command_names() -> tuple[str, ...]:
    """Return the names of the shell commands of all tools, without importing the tools."""
    return tuple(name.replace("_", "-") for name in tool_names())


def module_of(name: str) -> str:
    """Return the name of the module that defines a tool.

    Raises:
        NotFound: The tool is unknown.
    """
    for tag, names in CATALOGUE.items():
        if name in names:
            return f"mediakit.tools.{tag.lower()}.{name}"
    from mediakit.tools.tasks import SYNONYMS

    raise NotFound(f"tool: unknown tool {name}; {nearest(name, tool_names(), SYNONYMS)}")


@cache
def load_tool(name: str) -> "Tool[..., Any]":
    """Import and return a tool by its name in Python or in the shell.

    Raises:
        NotFound: The tool is unknown.
    """
    name = name.replace("-", "_")
    tool: Tool[..., Any] = getattr(import_module(module_of(name)), name)
    return tool


def all_tools() -> "tuple[Tool[..., Any], ...]":
    """Import and return all tools, in the order of the catalogue."""
    return tuple(map(load_tool, tool_names()))
