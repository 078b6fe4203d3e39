"""Frames and the sequences that hold them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MAX_TOTAL_PIXELS = 200_000_000
"""Maximum pixels of all frames of an animation together."""

MAX_FRAMES = 1000

Pixels = NDArray[np.uint8]
"""An array of height, width and channels."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


class Frame(NamedTuple):
    """A frame of an animation: the whole image as it is shown."""

    image: Image.Image
    """RGBA, in the size of the animation."""
    delay_ms: int
    """Milliseconds that the frame is shown."""


@dataclass(frozen=True)
class Animation:
    """An animation whose frames are made on demand, as often as needed."""

    size: tuple[int, int]
    """Width and height of every frame, in pixels."""
    frames: Callable[[], Iterator[Frame]] = field(repr=False)
    """Returns a new iterator over the frames."""
    count: int
    """Number of frames."""
    plays: int = 0
    """How often it plays; 0: endlessly."""
    icc_profile: bytes = field(default=b"", repr=False)


def changed_box(before: Pixels | None, after: Pixels) -> Box | None:
    """Return the smallest box that contains all pixels that differ; None if none does."""
    if before is None:
        return 0, 0, after.shape[1], after.shape[0]
    return box_of_mask(packed(before) != packed(after))


def box_of_mask(mask: NDArray[np.bool_]) -> Box | None:
    """Return the smallest box that contains all true values; None if there are none."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def packed(pixels: Pixels) -> NDArray[np.uint32]:
    """Return RGBA pixels as one integer each: red in the lowest byte, alpha in the highest."""
    return np.ascontiguousarray(pixels).view("<u4")[..., 0]
