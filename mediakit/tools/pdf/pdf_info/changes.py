"""Changes of a PDF, as the worker applies them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mediakit.core.inputs import FileBytes

LabelStyle = Literal["1", "i", "I", "a", "A", "none"]

Removable = Literal["metadata", "javascript", "attachments", "annotations", "links", "thumbnails", "actions", "layers"]
REMOVABLE: tuple[Removable, ...] = get_args(Removable)


@dataclass(frozen=True)
class LabelRange:
    """A range of page labels, up to the next one."""

    first: int
    """Index of its first page."""
    style: LabelStyle
    prefix: str
    start: int


@dataclass(frozen=True)
class OutlineItem:
    """A bookmark."""

    level: int
    title: str
    page: int
    """Number from 1."""


@dataclass(frozen=True)
class Changes:
    """What is written; None for what stays as it is."""

    metadata: Mapping[str, str | None] | None = None
    outline: Sequence[OutlineItem] | None = None
    attach: Sequence[FileBytes] = ()
    detach: Sequence[str] = ()
    labels: Sequence[LabelRange] | None = None
    remove: Sequence[Removable] = ()

    @property
    def any(self) -> bool:
        """Whether something is written."""
        changed = self.metadata is not None or self.outline is not None or self.labels is not None
        return changed or bool(self.attach or self.detach or self.remove)
