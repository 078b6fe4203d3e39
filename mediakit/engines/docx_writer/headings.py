"""Numbers of headings, as numbering that Word continues when headings are added."""

from collections.abc import Mapping, Sequence

from mediakit.engines.docx_writer.numbering import Numbering
from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.rich_text.markdown import Heading

NO_NUMBER = 0
"""ID of the numbering that removes the number of a style."""


class HeadingNumbers:
    """Decides how each heading gets its number."""

    def __init__(self, headings: Sequence[Heading], numbering: Numbering) -> None:
        self._numbers: Mapping[str, str] = {each.anchor: each.number for each in headings}
        numbered = [each.level for each in headings if each.number]
        self.top = min(numbered, default=1)
        """Level of headings with one number."""
        self.numbering = numbering.headings(self.top) if numbered else None

    def properties_of(self, anchor: str, level: int, *, is_nested: bool) -> list[Element]:
        """Return the properties that a heading needs beyond those of its style."""
        if self.numbering is None:
            return []
        number = "" if is_nested else self._numbers.get(anchor, "")
        if not number:
            return [w("numPr", w("ilvl", val=0), w("numId", val=NO_NUMBER))] if level >= self.top else []
        depth = number.count(".")
        if depth == level - self.top:
            return []
        return [w("numPr", w("ilvl", val=depth + self.top - 1), w("numId", val=self.numbering))]
