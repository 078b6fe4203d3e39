"""What to compare, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source

Mode = Literal["auto", "table", "tree"]
Format = Literal["json", "csv", "xlsx", "html", "markdown", "patch"]


@dataclass(frozen=True)
class DiffOptions:
    """Options of a comparison."""

    key: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    tolerance: float = 0.0
    relative_tolerance: float = 0.0
    ignore_case: bool = False
    ignore_space: bool = False
    ignore_order: bool = True
    strict_keys: bool = False
    mode: Mode = "auto"
    rename: Mapping[str, str] | None = None
    format: Format = "json"
    max_changes: int = 1000

    @property
    def is_tolerant(self) -> bool:
        """Whether numbers may differ."""
        return self.tolerance > 0 or self.relative_tolerance > 0

    @property
    def is_exact(self) -> bool:
        """Whether values that count as equal have no difference that was asked to be ignored."""
        return not (self.is_tolerant or self.ignore_case or self.ignore_space)


@dataclass(frozen=True)
class Side:
    """One of the two inputs."""

    source: Source
    read: ReadOptions

    @property
    def name(self) -> str:
        """The field that errors name."""
        return self.read.field
