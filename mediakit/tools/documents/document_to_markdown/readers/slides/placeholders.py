"""What placeholders inherit from their layout and their master: position, bullets, and their role."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mediakit.tools.documents.document_to_markdown.readers.office.graphics import Box
from mediakit.tools.documents.document_to_markdown.readers.office.package import OfficePackage
from mediakit.tools.documents.document_to_markdown.readers.slides.names import A, Element, P, integer

TITLES = ("title", "ctrTitle")
FURNITURE = ("dt", "ftr", "hdr", "sldNum")
"""Placeholders of date, footer, header and slide number."""

_BULLETS = {f"{A}buNone": False, f"{A}buChar": True, f"{A}buAutoNum": True, f"{A}buBlip": True}
_MASTER_TYPES = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
"""Types of placeholders whose style is that of another type of the master."""

_LAYOUT_TYPES = {"ctrTitle": "title"}


@dataclass
class Placeholders:
    """The placeholders of a layout or a master, and those of its own master."""

    root: Element | None
    parent: "Placeholders | None" = None
    _found: dict[tuple[str, str], Element | None] = field(default_factory=dict)

    @cached_property
    def _shapes(self) -> list[tuple[str, str, Element]]:
        """The type, the index and the element of each placeholder."""
        if self.root is None:
            return []
        placeholders = ((shape, placeholder_of(shape)) for shape in self.root.iter(f"{P}sp", f"{P}pic"))
        return [(found.get("type") or "", found.get("idx") or "0", shape) for shape, found in placeholders
                if found is not None]  # fmt: skip

    def find(self, kind: str, index: str) -> Element | None:
        """Return the placeholder that one of a slide inherits from: of its index in a layout, else of its type."""
        key = kind, index
        if key not in self._found:
            by_index = (shape for _, other, shape in self._shapes if other == index != "0")
            wanted = _MASTER_TYPES.get(kind, kind) if self.parent is None else _LAYOUT_TYPES.get(kind, kind)
            by_type = (shape for other, _, shape in self._shapes if _LAYOUT_TYPES.get(other, other) == wanted)
            found = next(by_index, None) if self.parent is not None else None
            self._found[key] = next(by_type, None) if found is None else found
        return self._found[key]

    def chain(self, shape: Element) -> Iterator[Element]:
        """Yield a shape and the placeholders that it inherits from, the nearest first."""
        yield shape
        placeholder = placeholder_of(shape)
        level: Placeholders | None = self if placeholder is not None else None
        while level is not None and placeholder is not None:
            found = level.find(placeholder.get("type") or "", placeholder.get("idx") or "0")
            if found is not None:
                yield found
            level = level.parent

    def box(self, shape: Element) -> Box | None:
        """Return the position of a shape. None if neither it nor a placeholder states one."""
        return next((box for each in self.chain(shape) if (box := stated_box(each))), None)

    @cached_property
    def _master_styles(self) -> Mapping[str, Element | None]:
        """The text styles of the master by the role of a shape."""
        root = self.root if self.parent is None else self.parent.root
        styles = None if root is None else root.find(f"{P}txStyles")
        return {name: None if styles is None else styles.find(f"{P}{name}Style") for name in ("title", "body", "other")}

    def has_bullet(self, shape: Element, level: int) -> bool:
        """Return whether paragraphs of a level have bullets or numbers if they do not say so themselves."""
        styles = (each.find(f"{P}txBody/{A}lstStyle") for each in self.chain(shape))
        placeholder = placeholder_of(shape)
        role = "other" if placeholder is None else "title" if placeholder.get("type") in TITLES else "body"
        for style in (*styles, self._master_styles[role]):
            properties = None if style is None else style.find(f"{A}lvl{level + 1}pPr")
            stated = None if properties is None else stated_bullet(properties)
            if stated is not None:
                return stated
        return False


def placeholder_of(shape: Element) -> Element | None:
    """Return the `p:ph` element of a shape. None for other shapes."""
    return shape.find(f"*/{P}nvPr/{P}ph")


def stated_bullet(properties: Element) -> bool | None:
    """Return whether the properties of a paragraph state a bullet; None if they state nothing."""
    return next((_BULLETS[child.tag] for child in properties if child.tag in _BULLETS), None)


def stated_box(shape: Element) -> Box | None:
    """Return the position that a shape states itself."""
    transform = shape.find(f"{P}spPr/{A}xfrm")
    if transform is None:
        transform = shape.find(f"{P}grpSpPr/{A}xfrm")
    if transform is None:
        transform = shape.find(f"{P}xfrm")
    if transform is None:
        return None
    offset, extent = transform.find(f"{A}off"), transform.find(f"{A}ext")
    if offset is None or extent is None:
        return None
    return Box(integer(offset.get("x")), integer(offset.get("y")), integer(extent.get("cx")), integer(extent.get("cy")))


class Layouts:
    """The layouts of a presentation, each of which is parsed once."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._known: dict[str, Placeholders] = {}

    def of_slide(self, part: str) -> Placeholders:
        """Return the placeholders of the layout of a slide."""
        layout = self._package.related(part, "slideLayout")
        master = self._package.related(layout, "slideMaster") if layout else None
        return self._load(layout or "", self._load(master or "", None))

    def _load(self, part: str, parent: Placeholders | None) -> Placeholders:
        if part not in self._known:
            self._known[part] = Placeholders(self._package.xml(part) if part else None, parent)
        return self._known[part]
