"""Joins the paragraphs around tags with a dash: `{%- else -%}`."""

from lxml import etree

from mediakit.engines.word_templates.marks import MarkedPart
from mediakit.engines.word_templates.vocabulary import Vocabulary


def join_paragraphs(part: MarkedPart) -> None:
    """Join each paragraph that begins with `{%-` to the one before it, and one that ends with `-%}` to the next."""
    for marker in part.markers():
        tag = part.tag_of(marker)
        paragraph = next(marker.iterancestors(part.words.paragraph), None)
        if paragraph is None:
            continue
        if tag.joins_before and not _has_text(marker, paragraph, part.words, before=True):
            paragraph = _joined(paragraph.getprevious(), paragraph, part.words)
        if tag.joins_after and not _has_text(marker, paragraph, part.words, before=False):
            _joined(paragraph, paragraph.getnext(), part.words)


def _has_text(marker: etree._Element, paragraph: etree._Element, words: Vocabulary, *, before: bool) -> bool:
    is_before = True
    for element in paragraph.iter():
        if element is marker:
            is_before = False
        elif element.tag == words.text and is_before == before and element.text:
            return True
    return False


def _joined(first: etree._Element | None, second: etree._Element | None, words: Vocabulary) -> etree._Element:
    """Move the content of the second paragraph into the first, and return the one that has it."""
    if first is None or second is None or first.tag != words.paragraph or second.tag != words.paragraph:
        return first if second is None or second.tag != words.paragraph else second  # type: ignore[return-value]
    for child in list(second):
        if child.tag != words.paragraph_properties:
            first.append(child)
    second.getparent().remove(second)  # type: ignore[union-attr]  # it is a sibling
    return first
