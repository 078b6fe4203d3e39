"""Password fields of forms (ISO 32000-2, 12.7.5.3): their values are never drawn or read in clear."""

import pikepdf
from pikepdf import Name, Object, String

from mediakit.engines.pdf.objects import every_dictionary, inherited, text_of

PASSWORD = 1 << 13
"""Flag of a text field whose value is a password."""


def is_password(field: Object) -> bool:
    """Return whether a field, or a widget of a field, is a password field."""
    kind, flags = inherited(field, Name.FT), inherited(field, Name.Ff)
    return kind == Name.Tx and isinstance(flags, int) and bool(flags & PASSWORD)


def has_passwords(pdf: pikepdf.Pdf) -> bool:
    """Return whether a form has password fields with a value or an appearance."""
    return Name.AcroForm in pdf.Root and any(_shows(item) for item in every_dictionary(pdf))


def hide_passwords(pdf: pikepdf.Pdf) -> None:
    """Replace the values of password fields by asterisks, and remove their appearances, which may show them."""
    for field in [item for item in every_dictionary(pdf) if _shows(item)]:
        for key in (Name.V, Name.DV):
            if isinstance(field.get(key), String):
                field[key] = String("*" * len(text_of(field[key])))
        for key in (Name.AP, Name.RV):
            if key in field:
                del field[key]


def _shows(item: Object) -> bool:
    return any(key in item for key in (Name.V, Name.DV, Name.AP)) and is_password(item)
