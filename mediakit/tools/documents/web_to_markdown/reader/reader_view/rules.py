"""The rules of an attempt. Each attempt to find the article is more lenient than the one before."""

from dataclasses import dataclass

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.reader_view.patterns import name_weight


@dataclass(frozen=True)
class Rules:
    """The rules of one attempt."""

    remove_unlikely: bool = True
    """Remove unlikely candidates before the scoring."""
    use_weights: bool = True
    """Use the weights of class names and ids."""
    remove_clutter: bool = True
    """Remove lists, tables and forms that look like clutter from the article."""

    def weight(self, element: HtmlElement) -> int:
        """Return the weight of an element's class names and id."""
        if not self.use_weights:
            return 0
        return sum(name_weight(names) for names in (element.get("class"), element.get("id")) if names)


UNLIKELY_KEPT = Rules(remove_unlikely=False)

ATTEMPTS = (
    Rules(),
    UNLIKELY_KEPT,
    Rules(remove_unlikely=False, use_weights=False),
    Rules(remove_unlikely=False, use_weights=False, remove_clutter=False),
)
