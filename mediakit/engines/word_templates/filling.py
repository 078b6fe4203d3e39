"""Lists the placeholders of a Word file, and fills them with data; runs in a worker."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lxml import etree

from mediakit.core.request import invalid
from mediakit.engines.templates.data import MissingPolicy
from mediakit.engines.templates.language import LanguageError, list_fields
from mediakit.engines.templates.rendering import DataError, Rendering, TooLargeError
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.engines.word_templates.finishing import UniqueIds, repair
from mediakit.engines.word_templates.package import BODY, WordFile
from mediakit.engines.word_templates.preprocessing import BRACE, LANGUAGE, Part
from mediakit.engines.word_templates.values import Images, Printer
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput

PROPERTIES = "properties"
"""The label of the document's title, author and so on."""

MAX_REPORTED = 20
"""Missing values that an error names."""

_DRAWING_TEXT = '<a:p xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:r><a:t/></a:r></a:p>'
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


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
    rendering = Rendering(data or {}, missing)
    parts = {
        name: _part(file.parse(name), label)
        for name, label in file.text_parts()
        if label == BODY or _has_tags(file, name)
    }
    core = file.core_properties if _has_tags(file, file.core_properties) else ""
    properties = file.parse(core) if core else etree.Element("none")
    titles = {each: _part(_paragraph(each.text), PROPERTIES) for each in properties if "{" in (each.text or "")}
    everything = [*parts.values(), *titles.values()]
    fields = _fields(everything)
    warnings: list[str] = []
    for part in everything:
        with _errors(part):
            part.place(rendering if data is not None and missing == "keep" else None)
        warnings += part.warnings
    if data is None:
        return Filled(fields, warnings=list(dict.fromkeys(warnings)))
    images = Images(file)
    ids = UniqueIds([file.parts[name] for name in file.parts if name.endswith(".xml") and name not in parts])
    for name, part in parts.items():
        root = _filled(part, Printer(file, name, part.words, images, rendering), rendering)
        if part.words.is_word:
            repair(root, part.words)
        ids.apply(root, part.words)
        file.write(name, root)
    for element, part in titles.items():
        root = _filled(part, Printer(file, core, part.words, images, rendering), rendering)
        element.text = "".join(root.itertext(part.words("t")))
    if titles:
        file.write(core, properties)
    if rendering.missing and missing == "error":
        names = list(rendering.missing)[:MAX_REPORTED]
        raise invalid([{"field": "data", "message": f"{name} is missing."} for name in names])
    roots = {field.name.partition(".")[0] for field in fields} | {field.name for field in fields}
    return Filled(
        fields,
        file.to_bytes(),
        unused=[name for name in data if name not in roots],
        blank=list(rendering.blank),
        warnings=list(dict.fromkeys(warnings)),
    )


def _has_tags(file: WordFile, name: str) -> bool:
    content = file.parts.get(name, b"")
    return b"{" in content or content.startswith(_UTF_16)


def _paragraph(text: str | None) -> etree._Element:
    """Return a property of the document as a paragraph, so that it can have all tags."""
    paragraph = etree.fromstring(_DRAWING_TEXT)
    paragraph[0][0].text = text
    return paragraph


def _part(root: etree._Element, label: str) -> Part:
    part = Part(root, label)
    with _errors(part):
        part.mark()
    return part


@contextmanager
def _errors(part: Part) -> Iterator[None]:
    """Turn the errors of a template into those of a call; they name the part, unless it is the body."""
    place = "" if part.label == BODY else part.label
    try:
        yield
    except LanguageError as error:
        raise InvalidInput(f"file: {error.sentence(place)}") from None
    except TooLargeError as error:
        raise InvalidInput(f"file: {error.reason}.") from None
    except DataError as error:
        tag = f", in {' '.join(error.tag.source.split())}" if error.tag else ""
        raise InvalidInput(f"data: {error.reason}{tag}{f' ({place})' if place else ''}.") from None


def _fields(parts: Sequence[Part]) -> list[TemplateField]:
    places: dict[str, dict[str, None]] = {}
    for part in parts:
        for field in list_fields(part.tags):
            places.setdefault(field.name, {})[part.label] = None
    fields = list_fields([tag for part in parts for tag in part.tags])
    return [TemplateField(field.name, field.kind, ", ".join(places[field.name])) for field in fields]


def _filled(part: Part, printer: Printer, rendering: Rendering) -> etree._Element:
    """Return the root of a part with the data."""
    rendering.show = printer.show
    with _errors(part):
        text = LANGUAGE.from_string(part.source()).fill(rendering)
    root = parse_xml(text.replace(BRACE, "{").encode(), part.label)
    printer.finish(root)
    return root
