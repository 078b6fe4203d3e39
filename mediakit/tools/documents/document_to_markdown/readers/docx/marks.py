"""The marks of a run of text: emphasis, strike-through, super- and subscript, and code."""

from mediakit.tools.documents.document_to_markdown.readers.docx.names import child_value, is_on
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import (
    CharacterStyle,
    Styles,
    read_character_properties,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    CODE,
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Marks,
)
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W

_NO_STYLE = CharacterStyle()
_COMPLEX_SCRIPT = (f"{W}rtl", f"{W}cs")


def run_marks(properties: Element, styles: Styles) -> Marks | None:
    """Return the marks of a run by its properties. None if its text is hidden or was deleted.

    Direct formatting takes precedence over the character style. The formatting of paragraph styles is not a mark: it
    is the same in the whole paragraph.
    """
    if len(properties) == 0:
        return ()
    is_complex = any(is_on(child) for child in properties.iterchildren(*_COMPLEX_SCRIPT))
    direct = read_character_properties(properties, is_complex=is_complex)
    name = child_value(properties, f"{W}rStyle")
    style = styles.character(name) if name else _NO_STYLE

    def is_set(attribute: str) -> bool:
        value = getattr(direct, attribute)
        return bool(getattr(style, attribute) if value is None else value)

    if is_set("hidden"):
        return None
    script = style.script if direct.script is None else direct.script
    found = [
        mark for mark, attribute in ((STRONG, "bold"), (EMPHASIS, "italic"), (STRIKE, "strike")) if is_set(attribute)
    ]
    if script:
        found.append(SUPERSCRIPT if script == "sup" else SUBSCRIPT)
    if style.is_code:
        found.append(CODE)
    return tuple(found)
