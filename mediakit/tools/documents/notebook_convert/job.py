"""What travels to the worker and back: plain values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

NotebookFormat = Literal["html", "pdf", "markdown", "script"]
Theme = Literal["light", "dark"]

DEFAULT_REMOVE_TAGS = ("remove_cell", "hide_cell")


@dataclass(frozen=True)
class NotebookJob:
    """A notebook, and how to convert it."""

    content: bytes = field(repr=False)
    to: NotebookFormat
    stem: str = ""
    """File name without its extension; empty if unknown."""
    theme: Theme = "light"
    hide_code: bool = False
    hide_outputs: bool = False
    hide_prompts: bool = False
    remove_tags: Sequence[str] = DEFAULT_REMOVE_TAGS
    title: str = ""
    scripts: bool = False


@dataclass(frozen=True)
class ConvertedNotebook:
    """The result of a job. For a PDF it is the HTML to print."""

    content: bytes
    mime_type: str
    filename: str
    meta: dict[str, Any]
