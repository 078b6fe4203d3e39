"""What a notebook holds, in one shape for all versions of its format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

CellKind = Literal["code", "markdown", "raw"]
OutputKind = Literal["stream", "data", "error"]


@dataclass(frozen=True)
class Output:
    """One output of a code cell."""

    kind: OutputKind
    name: str = ""
    """`stdout` or `stderr` of a stream; name of the error."""
    text: str = ""
    """Text of a stream; traceback of an error. It may contain escape sequences of a terminal."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The forms of the same value by media type: text, or the value of a JSON type."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the forms, such as the size of an image, by media type."""
    is_result: bool = False
    """Whether the output is the value of the cell's last expression."""
    count: int | None = None
    """Number of the execution that returned the value."""


@dataclass(frozen=True)
class Cell:
    """One cell."""

    kind: CellKind
    source: str
    outputs: Sequence[Output] = ()
    count: int | None = None
    """Number of the execution; None for a cell that was not run."""
    tags: frozenset[str] = frozenset()
    """Tags in lower case, with underscores for hyphens."""
    attachments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Images that Markdown refers to as `attachment:NAME`: by name, and by media type as base64."""
    media_type: str = ""
    """Media type of a raw cell."""


@dataclass(frozen=True)
class Notebook:
    """A notebook."""

    cells: Sequence[Cell]
    language: str = ""
    """Name of the kernel's language in lower case, such as `python`; empty if the notebook does not say."""
    extension: str = ""
    """Extension of the language's source files with the dot, as the kernel gives it; may be empty."""
    title: str = ""
    """Title in the metadata; may be empty."""
    authors: Sequence[str] = ()
    widgets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Saved state of widgets by the id of their model."""
    warnings: Sequence[str] = ()
