"""Which characters of which font are shown."""

from array import array
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.objects import dictionary, items
from mediakit.engines.pdf.source import PageKey

PROGRAMS = (Name.FontFile, Name.FontFile2, Name.FontFile3)
"""Keys of a font descriptor that hold the font program."""


@dataclass
class FontUse:
    """A font, and the character codes that are shown with it."""

    font: pikepdf.Object
    """The font dictionary."""
    program: PageKey | None
    """Number of the stream with the font program; None if the font is not embedded."""
    wide: bool
    """Whether codes have two bytes."""
    codes: set[int] = field(default_factory=set)

    def show(self, text: bytes) -> None:
        """Note the codes of a string."""
        if not self.wide:
            self.codes.update(text)
            return
        pairs = array("H", text if len(text) % 2 == 0 else text + b"\0")
        pairs.byteswap()
        self.codes.update(pairs)


def font_use(font: pikepdf.Object) -> FontUse:
    """Return a font without codes."""
    inner = descendant(font)
    stream = program_of(inner)
    return FontUse(font, stream.objgen if stream is not None else None, font.get(Name.Subtype) == Name.Type0)


def descendant(font: pikepdf.Object) -> pikepdf.Object:
    """Return the CID font of a composite font, or a simple font itself."""
    if font.get(Name.Subtype) != Name.Type0:
        return font
    inner = items(font.get(Name.DescendantFonts))
    return dictionary(inner[0]) if inner else Dictionary()


def program_of(font: pikepdf.Object) -> pikepdf.Object | None:
    """Return the stream with the program of a simple or a CID font."""
    descriptor = dictionary(font.get(Name.FontDescriptor))
    for key in PROGRAMS:
        stream = descriptor.get(key)
        if isinstance(stream, Stream) and stream.is_indirect:
            return stream
    return None


def form_fonts(root: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the fonts in which readers write the values of form fields, and which must stay whole."""
    form = dictionary(root.get(Name.AcroForm))
    return [font for font in _fonts(form.get(Name.DR)) if isinstance(font, Dictionary)]


def appearance_fonts(appearance: pikepdf.Object) -> list[pikepdf.Object]:
    """Return the fonts of the appearance of a form field."""
    return [font for font in _fonts(appearance.get(Name.Resources)) if isinstance(font, Dictionary)]


def _fonts(resources: object) -> list[pikepdf.Object]:
    return [font for _, font in dictionary(dictionary(resources).get(Name.Font)).items()]


def is_identity(font: pikepdf.Object) -> bool:
    """Return whether codes of a composite font are its CIDs."""
    encoding = font.get(Name.Encoding)
    return isinstance(encoding, Name) and encoding in (Name("/Identity-H"), Name("/Identity-V"))


def differences(font: pikepdf.Object) -> dict[int, str]:
    """Return the glyph names by code that the encoding of a simple font changes."""
    found: dict[int, str] = {}
    code = 0
    changed = dictionary(font.get(Name.Encoding)).get(Name.Differences)
    for item in items(changed) if isinstance(changed, Array) else []:
        if isinstance(item, int):
            code = item
        elif isinstance(item, Name):
            found[code] = str(item)[1:]
            code += 1
    return found
