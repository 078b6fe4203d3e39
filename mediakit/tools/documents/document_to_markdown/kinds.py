"""The kinds of documents."""

from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal[
    "docx",
    "pptx",
    "xlsx",
    "xlsm",
    "xlsb",
    "xls",
    "ods",
    "odt",
    "odp",
    "epub",
    "rtf",
    "html",
    "csv",
    "tsv",
    "ipynb",
    "pdf",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

PARTS: Mapping[Kind, str] = {
    **dict.fromkeys(("pptx", "odp"), "slides"),
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "xls", "ods"), "sheets"),
    "epub": "chapters",
}
"""Field of the response with the names of a document's parts, for the kinds that have it."""
