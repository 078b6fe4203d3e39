"""Lists the placeholders of a Word file, and fills them with data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from mediakit.engines.word_templates.blocks import find_blocks
from mediakit.engines.word_templates.context import Context
from mediakit.engines.word_templates.field_info import Filled, MissingPolicy
from mediakit.engines.word_templates.field_list import FieldList
from mediakit.engines.word_templates.ids import UniqueIds
from mediakit.engines.word_templates.joins import join_paragraphs
from mediakit.engines.word_templates.keeping import keep_blocks
from mediakit.engines.word_templates.language.tags import BODY
from mediakit.engines.word_templates.levels import drop_comments, place_blocks
from mediakit.engines.word_templates.marks import MarkedPart, text_element
from mediakit.engines.word_templates.media import ImageStore, PartMedia
from mediakit.engines.word_templates.nodes import Step, program
from mediakit.engines.word_templates.package import WordFile
from mediakit.engines.word_templates.rendering import Renderer
from mediakit.engines.word_templates.repairs import repair
from mediakit.engines.word_templates.values import Printer
from mediakit.engines.word_templates.vocabulary import WORD, Vocabulary, vocabulary_of

PROPERTIES = "properties"
"""The label of the document's title, author and so on."""

_BRACE = b"{"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class _Part:
    name: str
    words: Vocabulary
    steps: list[Step]


def fill(content: bytes, data: Mapping[str, Any] | None, missing: MissingPolicy = "error") -> Filled:
    """Fill a template with data; without data, only list its fields.

    Args:
        content: A DOCX or DOTX.
        data: Values by name; None to list the fields.
        missing: What a value that the data does not have is: an error, nothing, or the placeholder itself.

    Raises:
        InvalidInput: The file is not a Word document, a tag is wrong, or a value is missing or does not fit.
    """
    file = WordFile(content)
    context = Context(data or {}, missing)
    is_kept = data is not None and missing == "keep"
    parts = [_prepared(file, name, label, context, is_kept=is_kept) for name, label in _marked_parts(file)]
    properties = _Properties(file, context)
    listed = FieldList()
    for part, (_, label) in zip(parts, _marked_parts(file), strict=True):
        listed.collect(part.steps, label)
    for steps in properties.programs.values():
        listed.collect(steps, PROPERTIES)
    if data is None:
        return Filled(listed.fields, warnings=list(context.warnings))
    _write(file, parts, context)
    properties.write()
    context.require_all()
    return Filled(
        listed.fields,
        file.to_bytes(),
        unused=[name for name in data if name not in listed.roots and name not in listed.names],
        blank=list(context.blank),
        warnings=list(context.warnings),
    )


def _marked_parts(file: WordFile) -> list[tuple[str, str]]:
    return [(name, label) for name, label in file.text_parts() if label == BODY or _may_have_tags(file.read(name))]


def _may_have_tags(content: bytes) -> bool:
    return _BRACE in content or content.startswith(_UTF_16)


def _prepared(file: WordFile, name: str, label: str, context: Context, *, is_kept: bool) -> _Part:
    root = file.parse(name)
    words = vocabulary_of(root)
    return _Part(name, words, _program(MarkedPart(root, words, label), context, is_kept=is_kept))


def _program(part: MarkedPart, context: Context, *, is_kept: bool) -> list[Step]:
    drop_comments(part)
    join_paragraphs(part)
    blocks = find_blocks(part)
    if is_kept:
        keep_blocks(part, blocks, context.scope)
    place_blocks(part, blocks, lambda sentence: context.warnings.update({sentence: None}))
    _unbind_controls(part)
    return program(part)


def _unbind_controls(part: MarkedPart) -> None:
    """Detach content controls with placeholders from their data source, which would replace the values in Word."""
    for marker in part.markers():
        for control in marker.iterancestors(part.words.name("sdt")):
            properties = control.find(part.words.name("sdtPr"))
            for name in ("dataBinding", "showingPlcHdr"):
                element = None if properties is None else properties.find(part.words.name(name))
                if properties is not None and element is not None:
                    properties.remove(element)


def _write(file: WordFile, parts: list[_Part], context: Context) -> None:
    names = {part.name for part in parts}
    ids = UniqueIds([file.read(name) for name in file.names if name.endswith(".xml") and name not in names])
    store = ImageStore(file)
    for part in parts:
        media = PartMedia(file, part.name, part.words, store) if part.words.is_word else None
        root = Renderer(context, part.words, Printer(part.words, media, context.count)).render(part.steps)
        if part.words.is_word:
            repair(root, part.words)
        ids.apply(root, part.words)
        file.write(part.name, root)


class _Properties:
    """The core properties of a document, each of them a text with placeholders."""

    def __init__(self, file: WordFile, context: Context) -> None:
        self._file = file
        self._context = context
        self._words = Vocabulary(WORD)
        name = file.core_properties
        self._root = file.parse(name) if name and _may_have_tags(file.read(name)) else None
        self.programs: dict[etree._Element, list[Step]] = {}
        for element in self._root if self._root is not None else ():
            if "{" in (element.text or ""):
                self.programs[element] = self._program(element.text or "")

    def _program(self, text: str) -> list[Step]:
        paragraph = etree.Element(self._words.paragraph)
        etree.SubElement(paragraph, self._words.run).append(text_element(text, self._words))
        part = MarkedPart(paragraph, self._words, PROPERTIES)
        return _program(part, self._context, is_kept=self._context.policy == "keep")

    def write(self) -> None:
        """Fill the properties."""
        if self._root is None:
            return
        for element, steps in self.programs.items():
            paragraph = Renderer(self._context, self._words, Printer(self._words, None, self._context.count)).render(
                steps
            )
            element.text = "".join(paragraph.itertext(self._words.text))
        self._file.write(self._file.core_properties, self._root)
