"""The list of the tools: one line per tool, grouped by tag. A tool is imported on first use."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from mediakit.core.messages import nearest
from mediakit.core.tool import Tag, Tool
from mediakit.errors import NotFound

CATALOGUE: Mapping[Tag, tuple[str, ...]] = {
    "Images": (
        "capture",
        "screenshot",
        "qr",
        "barcode",
        "chart",
        "images",
        "code_reader",
        "image_info",
        "image_watermark",
        "image_compare",
        "image_animate",
        "table_image",
    ),
    "PDF": (
        "pdf",
        "pdf_merge",
        "pdf_split",
        "pdf_pages",
        "pdf_compress",
        "pdf_stamp",
        "pdf_protect",
        "pdf_redact",
        "pdf_to_images",
        "pdf_extract",
        "pdf_info",
        "pdf_form",
    ),
    "Documents": (
        "web_to_markdown",
        "markdown_convert",
        "document_to_markdown",
        "docx_template",
        "notebook_convert",
        "mail_merge",
    ),
    "Files": (
        "zip",
        "unzip",
        "text_repair",
        "file_info",
        "file_encode",
    ),
    "Validation": (
        "validate_email",
        "validate_phone",
        "validate_iban",
        "validate_tax_id",
        "validate_code",
    ),
    "Data": (
        "data_convert",
        "data_profile",
        "data_diff",
        "data_query",
        "data_sample",
    ),
    "Account": (),  # GET /status is not a tool
}  # fmt: skip
"""The names of the tools by tag. The tool `qr` is the object `qr` in the module `mediakit.tools.images.qr`."""


def tool_names() -> tuple[str, ...]:
    """Return the names of all tools, without importing them."""
    return tuple(name for names in CATALOGUE.values() for name in names)


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
    raise NotFound(f"tool: unknown tool {name}; {nearest(name, tool_names())}")


@cache
def load_tool(name: str) -> Tool[..., Any]:
    """Import and return a tool by its name in Python or in the shell.

    Raises:
        NotFound: The tool is unknown.
    """
    name = name.replace("-", "_")
    tool: Tool[..., Any] = getattr(import_module(module_of(name)), name)
    return tool


def all_tools() -> tuple[Tool[..., Any], ...]:
    """Import and return all tools, in the order of the catalogue."""
    return tuple(map(load_tool, tool_names()))
