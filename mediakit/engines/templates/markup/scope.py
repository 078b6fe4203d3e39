"""The texts and numbers that a place in the HTML of a template can use."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mediakit.engines.templates.items import MAX_ITEM_ROWS, item_key_names
from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.text_fitting import TextBox

ITEMS = "items"
"""Name of the section that is repeated for each item row."""


@dataclass(frozen=True)
class Scope:
    """The texts of a page, the current item row and the numbers that enclosing elements define."""

    texts: PageTexts
    columns: tuple[str, ...] = ()
    """Columns of the item rows."""
    row: int = 0
    """Number of the current item row; 0 outside of the items."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Numbers of `data-let` attributes."""

    def key(self, name: str) -> str:
        """Return the key of a name: in an item row, names of columns come first."""
        return f"item{self.row}_{name}" if self.row and name in self.columns else name

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of a name; `items.qty` are the keys of a column, `items` all item keys."""
        group, _, column = name.partition(".")
        if group == ITEMS:
            return item_key_names([column] if column else self.columns)
        return (self.key(name),)

    def has(self, *names: str) -> bool:
        """Return whether any of these has a text."""
        return any(self.texts.has(*self.keys(name)) for name in names)

    def rows(self) -> list["Scope"]:
        """Return the scope of each item row with a text."""
        numbers = range(1, MAX_ITEM_ROWS + 1)
        return [replace(self, row=row) for row in numbers if self.texts.has(*item_key_names(self.columns, [row]))]

    def with_numbers(self, numbers: Mapping[str, float]) -> "Scope":
        """Return the scope with further numbers."""
        return replace(self, numbers={**self.numbers, **numbers})

    def variable(self, name: str) -> float:
        """Return a number of an enclosing element, or a size of the page."""
        sizes = {"page": self.texts.width, "page_height": self.texts.height}
        return sizes[name] if name in sizes else self.numbers[name]

    def call(self, function: str, keys: list[str], numbers: list[float]) -> float:
        """Return the value of a function of texts."""
        if function == "has":
            return float(self.has(*keys))
        if function == "count":
            return float(len(self.rows()))
        names = [key for name in keys for key in self.keys(name)]
        if function == "height":
            return self.texts.height_of(*names)
        box = TextBox(0, numbers[0], numbers[0], weight=int(numbers[1]) if len(numbers) > 1 else 400)
        return max(self.texts.width_of(name, box) for name in names)
