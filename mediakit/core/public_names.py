"""`dir()` and tab completion that list only the names that users need."""

from collections.abc import Iterable
from typing import ClassVar


class PublicNames:
    """Base class of objects that users work with. `dir()` lists no private and no internal names."""

    _internal_names: ClassVar[frozenset[str]] = frozenset()
    """Names without an underscore that only mediakit uses."""

    def __dir__(self) -> Iterable[str]:
        internal = frozenset().union(*(vars(kind).get("_internal_names", ()) for kind in type(self).__mro__))
        return sorted(name for name in super().__dir__() if not name.startswith("_") and name not in internal)
