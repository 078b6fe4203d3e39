"""Form fields for tests: each function adds one field to the first page of a PDF."""

from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from tests.support.pdf_kit import add_annotation

DEFAULT = "/Helv 10 Tf 0 g"
BOX = (20, 50, 220, 70)
"""Points: left, bottom, right, top."""


def form_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Return the form, which is added if there is none."""
    if Name.AcroForm not in pdf.Root:
        font = pdf.make_indirect(
            Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
        )
        pdf.Root.AcroForm = Dictionary(Fields=Array(), DA=String(DEFAULT), DR=Dictionary(Font=Dictionary(Helv=font)))
    return pdf.Root.AcroForm


def add_field(
    pdf: pikepdf.Pdf, name: str, kind: str, *, flags: int = 0, box: Sequence[float] = BOX, **entries: Any
) -> pikepdf.Object:
    """Add a field of the type `Tx`, `Btn`, `Ch` or `Sig` with one widget."""
    field = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name(f"/{kind}"),
        T=String(name),
        Ff=flags,
        F=4,
        Rect=Array(list(box)),
        **entries,
    )
    made = add_annotation(pdf, 0, field)
    form_of(pdf).Fields.append(made)
    return made


def states(pdf: pikepdf.Pdf, on: str) -> pikepdf.Object:
    """Return appearances of a button: a black square when it is on, nothing when it is off."""
    drawn = pdf.make_stream(b"0 g 0 0 20 20 re f", BBox=Array([0, 0, 20, 20]))
    empty = pdf.make_stream(b"", BBox=Array([0, 0, 20, 20]))
    return Dictionary(N=Dictionary({f"/{on}": drawn, "/Off": empty}))


def add_checkbox(
    pdf: pikepdf.Pdf, name: str, on: str = "Yes", *, box: Sequence[float] = (20, 50, 40, 70)
) -> pikepdf.Object:
    return add_field(pdf, name, "Btn", box=box, AP=states(pdf, on), AS=Name.Off)


def add_buttons(
    pdf: pikepdf.Pdf, name: str, boxes: Mapping[str, Sequence[float]], *, flags: int = 0, **entries: Any
) -> pikepdf.Object:
    """Add a field with a button for each state: radio buttons with the flag 0x8000, else check boxes."""
    parent = pdf.make_indirect(Dictionary(FT=Name.Btn, T=String(name), Ff=flags, Kids=Array(), **entries))
    for state, box in boxes.items():
        kid = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, Rect=Array(list(box)), AP=states(pdf, state), AS=Name.Off, F=4
        )
        kid.Parent = parent
        parent.Kids.append(add_annotation(pdf, 0, kid))
    form_of(pdf).Fields.append(parent)
    return parent
