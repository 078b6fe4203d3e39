"""What the parts of one document share while they are filled: data, missing values, limits."""

from collections.abc import Mapping
from typing import Any

from mediakit.core.request import invalid
from mediakit.engines.word_templates.field_info import MissingPolicy
from mediakit.engines.word_templates.language.scope import Missing, Scope, scope_of
from mediakit.errors import InvalidInput

MAX_ELEMENTS = 800_000
"""XML elements that the loops of a document make."""

MAX_CHARACTERS = 30_000_000
"""Characters that the values of a document make."""

MAX_REPORTED = 20
"""Missing values that an error names."""


class Context:
    """The data of a call and what became of it."""

    def __init__(self, data: Mapping[str, Any], missing: MissingPolicy) -> None:
        self.scope: Scope = scope_of(data)
        self.policy = missing
        self.missing: dict[str, None] = {}
        """Paths of values that the data does not have."""
        self.blank: dict[str, None] = {}
        """Paths of values that print nothing."""
        self.warnings: dict[str, None] = {}
        self._elements = 0
        self._characters = 0

    def on_missing(self, missing: Missing) -> None:
        """Note a value that the data does not have."""
        self.missing[missing.path] = None

    def count(self, elements: int, characters: int = 0) -> None:
        """Count what is made.

        Raises:
            InvalidInput: The document becomes too large.
        """
        self._elements += elements
        self._characters += characters
        if self._elements > MAX_ELEMENTS or self._characters > MAX_CHARACTERS:
            raise InvalidInput("file: its loops make a document that is too large; send fewer items.")

    def require_all(self) -> None:
        """Check that the data has all values, unless missing ones are allowed.

        Raises:
            InvalidInput: Values are missing; `details` lists the first 20.
        """
        if self.missing and self.policy == "error":
            names = list(self.missing)[:MAX_REPORTED]
            raise invalid([{"field": "data", "message": f"{name} is missing."} for name in names])
