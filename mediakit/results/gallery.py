"""Several results side by side."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Generic, TypeVar

from mediakit.core.introspection import PublicNames, readable
from mediakit.core.messages import quote
from mediakit.display.gallery import gallery_html
from mediakit.errors import InvalidInput
from mediakit.results.result import Result, card

R = TypeVar("R", bound=Result)

MAX_SHOWN = 60
"""Results that a notebook shows."""


class Gallery(PublicNames, Mapping[str, R], Generic[R]):
    """Results by name; a notebook shows them side by side."""

    def __init__(self, results: Mapping[str, R]) -> None:
        self._results = results

    def __getitem__(self, name: str) -> R:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _repr_html_(self) -> str:
        shown = [card(result, name) for name, result in islice(self.items(), MAX_SHOWN)]
        return gallery_html(shown) + self._more_html(len(self) - len(shown))

    def _more_html(self, count: int) -> str:
        style = "font-size:12px;opacity:.7;margin:2px 0 8px"
        return f'<div style="{style}">and {count:,} more</div>' if count else ""

    def __repr__(self) -> str:
        more = ", …" if len(self) > MAX_SHOWN else ""
        return f"<Gallery of {len(self)}: {', '.join(map(repr, islice(self.values(), MAX_SHOWN)))}{more}>"


@readable
def gallery(results: Mapping[Any, R] | Iterable[R]) -> Gallery[R]:
    """Return a gallery, which a notebook shows as thumbnails side by side.

    Args:
        results: Results, or a mapping from names to results. Results without a name are numbered from 1.

    Raises:
        InvalidInput: An item is not a result.
    """
    pairs = results.items() if isinstance(results, Mapping) else enumerate(results, 1)
    named = {str(name): result for name, result in pairs}
    for name, result in named.items():
        if not isinstance(result, Result):
            raise InvalidInput(f"results: {quote(name)} must be the result of a tool, got a {type(result).__name__}.")
    return Gallery(named)
