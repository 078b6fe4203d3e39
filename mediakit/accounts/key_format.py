"""What an API key looks like: `mk_live_<id>_<secret><checksum>`, in the 62 letters and digits.

The prefix lets scanners of code find a key that slipped out; the checksum lets a typo be told from a key without
asking the database, and scanners be sure of what they found.
"""

import re
import secrets
import string
from dataclasses import dataclass, field
from typing import Self
from zlib import crc32

PREFIX = "mk_live_"
ID_LENGTH = 10
SECRET_LENGTH = 32
"""32 of 62 characters: 190 bits."""
CHECKSUM_LENGTH = 6

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_SHAPE = re.compile(
    rf"{PREFIX}([0-9A-Za-z]{{{ID_LENGTH}}})_([0-9A-Za-z]{{{SECRET_LENGTH}}})([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})"
)


@dataclass(frozen=True, slots=True)
class KeyText:
    """The two parts of a key: a public id and a secret."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def make(cls) -> Self:
        """Draw a new key."""
        return cls(_draw(ID_LENGTH), _draw(SECRET_LENGTH))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a key; None when it is not one, or when its checksum says that a character is wrong."""
        match = _SHAPE.fullmatch(text)
        if match is None:
            return None
        key = cls(match[1], match[2])
        return key if key._checksum() == match[3] else None

    def text(self) -> str:
        """Write the whole key, as its owner gets to see it once."""
        return f"{key_prefix(self.id)}{self.secret}{self._checksum()}"

    def _checksum(self) -> str:
        number = crc32(f"{key_prefix(self.id)}{self.secret}".encode())
        digits = []
        for _ in range(CHECKSUM_LENGTH):
            number, digit = divmod(number, len(_ALPHABET))
            digits.append(_ALPHABET[digit])
        return "".join(reversed(digits))


def key_prefix(key_id: str) -> str:
    """Give the part of a key that may be shown."""
    return f"{PREFIX}{key_id}_"


def _draw(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
