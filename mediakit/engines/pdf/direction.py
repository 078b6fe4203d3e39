"""Direction of writing."""

import unicodedata


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter is of a script that is written from right to left."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False
