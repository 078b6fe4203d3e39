"""The format of API keys: `mk_live_<id>_<secret><checksum>`, in base 62.

Secret scanners find leaked keys by the prefix, and confirm them by the checksum. The checksum also rejects mistyped
keys without a database query.
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
_PATTERN = re.compile(
    rf"{PREFIX}([0-9A-Za-z]{{{ID_LENGTH}}})_([0-9A-Za-z]{{{SECRET_LENGTH}}})([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})"
)


@dataclass(frozen=True, slots=True)
class PlaintextKey:
    """A complete key in plain text: a public id and a secret."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def generate(cls) -> Self:
        """Return a new random key."""
        return cls(_random_text(ID_LENGTH), _random_text(SECRET_LENGTH))

    @classmethod
    def with_id(cls, key_id: str) -> Self:
        """Return a new random key with an id that was chosen before, in the format of `is_key_id`."""
        return cls(key_id, _random_text(SECRET_LENGTH))

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse a key; return None if its format or its checksum is wrong."""
        match = _PATTERN.fullmatch(text)
        if match is None:
            return None
        key = cls(match[1], match[2])
        return key if key._checksum() == match[3] else None

    def text(self) -> str:
        """Return the complete key as text."""
        return f"{key_prefix(self.id)}{self.secret}{self._checksum()}"

    def _checksum(self) -> str:
        number = crc32(f"{key_prefix(self.id)}{self.secret}".encode())
        digits = []
        for _ in range(CHECKSUM_LENGTH):
            number, digit = divmod(number, len(_ALPHABET))
            digits.append(_ALPHABET[digit])
        return "".join(reversed(digits))


def is_key_id(text: str) -> bool:
    """Return whether a text has the format of a key's public id."""
    return len(text) == ID_LENGTH and all(char in _ALPHABET for char in text)


def key_prefix(key_id: str) -> str:
    """Return the public part of a key."""
    return f"{PREFIX}{key_id}_"


def _random_text(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
