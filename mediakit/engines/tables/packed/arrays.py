"""The values of a packed column as arrays."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.packed.cells import Mask

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = slice | npt.NDArray[np.integer]


@dataclass(frozen=True)
class Arrays:
    """The values of a column of numbers or booleans, and which are null; each None where it does not apply."""

    is_null: Mask | None = None
    """Whether each value is null; None where none is."""
    integers: Integers | None = None
    """The values of integers, and of those numbers that have no point; 0 for null in a column of integers."""
    floats: Floats | None = None
    """The values of numbers as floats, NaN for null."""
    has_point: Mask | None = None
    """Whether a number has a decimal point; one without is an integer."""
    booleans: Mask | None = None

    def part(self, rows: Rows) -> "Arrays":
        """Return the values of some rows."""
        return Arrays(
            None if self.is_null is None else self.is_null[rows],
            None if self.integers is None else self.integers[rows],
            None if self.floats is None else self.floats[rows],
            None if self.has_point is None else self.has_point[rows],
            None if self.booleans is None else self.booleans[rows],
        )
