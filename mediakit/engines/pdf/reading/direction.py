"""The direction of a text."""

import re

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LEFT_TO_RIGHT = re.compile("[^\\W\\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def is_right_to_left(text: str) -> bool:
    """Return whether most letters of a text are of scripts that run from right to left."""
    if text.isascii():
        return False
    return len(_RIGHT_TO_LEFT.findall(text)) > len(_LEFT_TO_RIGHT.findall(text))
