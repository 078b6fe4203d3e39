"""What the readers of OpenDocument share: the parts of a document, and the images, formulas and forms in frames."""

import posixpath
from collections.abc import Iterable
from functools import cached_property
from urllib.parse import unquote

from lxml.html import HtmlElement

from mediakit.engines.archives.container import Container
from mediakit.tools.documents.document_to_markdown.document import LINKED_IMAGES, MISSING_IMAGES
from mediakit.tools.documents.document_to_markdown.readers.office import CHECKED, UNCHECKED, Element
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.package import part_xml
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading, image_element
from mediakit.tools.documents.document_to_markdown.readers.opendocument.styles import (
    DRAW,
    FIELD,
    FORM,
    MATHML,
    OFFICE,
    SVG,
    XLINK,
    XML_ID,
    ListNumbers,
    OpenStyles,
    count,
)
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request


class OpenReading(Reading):
    """The state of reading one text or presentation."""

    def __init__(
        self,
        container: Container,
        root: Element,
        styles: OpenStyles,
        options: Request,
        linked: Iterable[str],
    ) -> None:
        super().__init__(options, linked)
        self.container, self.styles = container, styles
        self.numbers = ListNumbers()
        self._root = root

    @cached_property
    def _controls(self) -> dict[str, Element]:
        """The controls of forms by identifier."""
        forms = self._root.iterfind(f".//{OFFICE}forms//{FORM}form//*")
        return {each.get(name) or "": each for each in forms for name in (XML_ID, f"{FORM}id")}

    def control_text(self, element: Element) -> str:
        """Return what a control of a form shows: a box with its label, or its value (OpenDocument 1.3, 13.5)."""
        control = self._controls.get(element.get(f"{DRAW}control") or "")
        if control is None:
            return ""
        label = control.get(f"{FORM}label") or ""
        if control.tag in (f"{FORM}checkbox", f"{FORM}radio"):
            state = control.get(f"{FORM}current-state") or control.get(f"{FORM}state")
            is_on = state == "checked" or (control.get(f"{FORM}current-selected") == "true")
            return f"{CHECKED if is_on else UNCHECKED} {label}".strip()
        options = control.iterchildren(f"{FORM}option")
        chosen = [each.get(f"{FORM}label") or "" for each in options if each.get(f"{FORM}current-selected") == "true"]
        return ", ".join(chosen) or control.get(f"{FORM}current-value") or control.get(f"{FORM}value") or label

    def frame_image(self, frame: Element) -> HtmlElement | None:
        """Return the image of a frame: the first one whose file is known (OpenDocument 1.3, 10.4). None without one."""
        alt = " ".join((frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title") or "").split())
        for image in frame.iterchildren(f"{DRAW}image"):
            address = image.get(f"{XLINK}href") or ""
            if address.lower().startswith(("http:", "https:")):
                self.warnings.warn(LINKED_IMAGES)
                return image_element(address, alt)
            if name := self.image_name(self.container, posixpath.normpath(unquote(address)), alt):
                return image_element(name, alt)
        self.warnings.warn(MISSING_IMAGES)
        return None

    def object_root(self, frame: Element) -> Element | None:
        """Return the root of an embedded object, such as a formula or a chart. None if the frame has none."""
        embedded = frame.find(f"{DRAW}object")
        if embedded is None:
            return None
        inside = next(embedded.iterchildren(f"{MATHML}math", f"{OFFICE}document"), None)
        folder = posixpath.normpath(unquote(embedded.get(f"{XLINK}href") or "."))
        return part_xml(self.container, posixpath.join(folder, "content.xml")) if inside is None else inside


def form_state(mark: Element) -> str:
    """Return what a form field of Word that LibreOffice saved shows: a box, or the choice of a list."""
    values: dict[str, list[str]] = {}
    for parameter in mark.iterchildren(f"{FIELD}param"):
        values.setdefault(parameter.get(f"{FIELD}name") or "", []).append(parameter.get(f"{FIELD}value") or "")
    kind = (mark.get(f"{FIELD}type") or "").rpartition(".")[2]
    if kind == "FORMCHECKBOX":
        return CHECKED if values.get("Checkbox_Checked") == ["true"] else UNCHECKED
    entries = values.get("Dropdown_ListEntry", []) if kind == "FORMDROPDOWN" else []
    selected = count(values.get("Dropdown_Selected", ["0"])[0], 0)
    return entries[selected] if selected < len(entries) else ""


def math_element(math: Element) -> HtmlElement:
    """Return a formula as an HTML element, without the source of OpenOffice's own formula language."""
    element = new_element("math")
    _copy(math, element)
    if math.get("display") == "block":
        element.set("display", "block")
    return element


def _copy(source: Element, target: HtmlElement) -> None:
    target.text = source.text
    for child in source:
        if isinstance(child.tag, str) and child.tag != f"{MATHML}annotation":
            copied = new_element(child.tag.rpartition("}")[2])
            target.append(copied)
            _copy(child, copied)
