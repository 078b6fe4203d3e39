"""PDFs for tests: each function adds one thing to a PDF, so that a test names what it needs."""

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pikepdf
import pypdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, String

PAGE = (300, 400)
"""Points."""


def blank(pages: int = 1, *, text: str = "page", size: tuple[float, float] = PAGE) -> pikepdf.Pdf:
    """Return a PDF whose pages say `text 1`, `text 2` and so on."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
    for number in range(1, pages + 1):
        content = f"BT /F1 12 Tf 40 {size[1] - 60} Td ({text} {number}) Tj ET".encode()
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, *size]),
            Resources=Dictionary(Font=Dictionary(F1=font)),
            Contents=pdf.make_stream(content),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def saved(pdf: pikepdf.Pdf, **options: Any) -> bytes:
    target = io.BytesIO()
    if "encryption" not in options:
        options |= {"static_id": True, "stream_decode_level": pikepdf.StreamDecodeLevel.none}
    pdf.save(target, **options)
    return target.getvalue()


def plain(pages: int = 1, **options: Any) -> bytes:
    return saved(blank(pages, **options))


def miscounted(pdf: pikepdf.Pdf, count: int) -> bytes:
    """Return a PDF whose page tree states a wrong number of pages; its cross-references are right."""
    padding = "." * 20
    pdf.Root.Pages.Padding = String(padding)
    right = f"/Count {len(pdf.pages)} ".encode()
    wrong = f"/Count {count} ".encode()
    content = saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    assert content.count(right) == content.count(padding.encode()) == 1
    shorter = padding[len(wrong) - len(right) :]
    return content.replace(right, wrong).replace(padding.encode(), shorter.encode())


def add_outline(pdf: pikepdf.Pdf, titles: Sequence[str]) -> None:
    """Add a closed, red, bold bookmark for each page, each with one child."""
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines))
    items = []
    for title, page in zip(titles, pdf.pages, strict=False):
        target = Array([page.obj, Name.XYZ, 0, 100, 0])
        child = pdf.make_indirect(Dictionary(Title=String(f"{title} child"), Dest=target))
        item = pdf.make_indirect(
            Dictionary(Title=String(title), Dest=target, First=child, Last=child, Count=-1, C=Array([1, 0, 0]), F=2)
        )
        item.Parent, child.Parent = root, item
        items.append(item)
    for before, after in pairwise(items):
        before.Next, after.Prev = after, before
    root.First, root.Last, root.Count = items[0], items[-1], len(items)
    pdf.Root.Outlines = root


def add_link(pdf: pikepdf.Pdf, page: int, target: Any) -> pikepdf.Object:
    """Add a link to a page index, a named destination or an address."""
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([10, 20, 110, 40]), Border=Array([0, 0, 0]))
    if isinstance(target, int):
        link.Dest = Array([pdf.pages[target].obj, Name.XYZ, 0, 200, None])
    elif isinstance(target, str) and target.startswith("https:"):
        link.A = Dictionary(S=Name.URI, URI=String(target))
    else:
        link.Dest = String(target)
    return add_annotation(pdf, page, link)


def add_annotation(pdf: pikepdf.Pdf, page: int, annotation: pikepdf.Object) -> pikepdf.Object:
    holder, item = pdf.pages[page].obj, pdf.make_indirect(annotation)
    if Name.Annots not in holder:
        holder.Annots = Array()
    holder.Annots.append(item)
    return item


def add_destinations(pdf: pikepdf.Pdf, names: Mapping[str, int]) -> None:
    flat = [
        item
        for name, page in sorted(names.items())
        for item in (String(name), Array([pdf.pages[page].obj, Name.XYZ, 0, 300, None]))
    ]
    names_of(pdf).Dests = pdf.make_indirect(Dictionary(Names=Array(flat)))


def add_attachments(pdf: pikepdf.Pdf, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        pdf.attachments[name] = content


def add_fields(pdf: pikepdf.Pdf, values: Mapping[str, str], page: int = 0) -> None:
    """Add text fields; a name with a dot makes a group."""
    if Name.AcroForm not in pdf.Root:
        font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        pdf.Root.AcroForm = Dictionary(
            Fields=Array(), DA=String("/Helv 12 Tf 0 g"), DR=Dictionary(Font=Dictionary(Helv=font))
        )
    for name, value in values.items():
        *groups, last = name.split(".")
        field = add_annotation(
            pdf,
            page,
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Widget,
                FT=Name.Tx,
                T=String(last),
                V=String(value),
                Rect=Array([20, 50, 120, 70]),
                DA=String("/Helv 10 Tf 0 g"),
            ),
        )
        _attach(pdf, pdf.Root.AcroForm.Fields, groups, field)


def _attach(pdf: pikepdf.Pdf, fields: pikepdf.Object, groups: Sequence[str], field: pikepdf.Object) -> None:
    if not groups:
        fields.append(field)
        return
    found = next((item for item in fields if str(item.T) == groups[0]), None)
    if found is None:
        found = pdf.make_indirect(Dictionary(T=String(groups[0]), Kids=Array()))
        fields.append(found)
    field.Parent = found
    _attach(pdf, found.Kids, groups[1:], field)


def add_signature(pdf: pikepdf.Pdf, page: int = 0) -> None:
    """Add a signed field whose appearance is a red square."""
    look = pdf.make_stream(b"1 0 0 rg 0 0 50 50 re f", BBox=Array([0, 0, 50, 50]))
    look.Type, look.Subtype = Name.XObject, Name.Form
    value = pdf.make_indirect(
        Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), ByteRange=Array([0, 1, 2, 3]), Contents=String(b"x"))
    )
    field = Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Sig,
        T=String("Signature"),
        V=value,
        Rect=Array([100, 100, 200, 200]),
        AP=Dictionary(N=look),
    )
    if Name.AcroForm not in pdf.Root:
        pdf.Root.AcroForm = Dictionary(Fields=Array())
    pdf.Root.AcroForm.SigFlags = 3
    pdf.Root.AcroForm.Fields.append(add_annotation(pdf, page, field))
    pdf.Root.Perms = Dictionary(DocMDP=value)


def add_labels(pdf: pikepdf.Pdf, ranges: Mapping[int, tuple[str, str, int]]) -> None:
    """Add page labels: index of the first page to style, prefix and first number."""
    flat: list[Any] = []
    for index, (style, prefix, start) in ranges.items():
        flat += [index, Dictionary(S=Name(f"/{style}"), P=String(prefix), St=start)]
    pdf.Root.PageLabels = Dictionary(Nums=Array(flat))


def add_layers(pdf: pikepdf.Pdf, shown: Mapping[str, bool], *, base: str = "ON") -> None:
    groups = {name: pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name))) for name in shown}
    default = Dictionary(
        Order=Array(list(groups.values())),
        BaseState=Name(f"/{base}"),
        ON=Array([group for name, group in groups.items() if shown[name]]),
    )
    if base == "ON":
        default.OFF = Array([group for name, group in groups.items() if not shown[name]])
    pdf.Root.OCProperties = Dictionary(OCGs=Array(list(groups.values())), D=default)


def add_tags(pdf: pikepdf.Pdf, role: str = "Headline", maps_to: str = "H1", element_id: str = "one") -> None:
    """Tag the text of each page with a role of its own, below one Document element."""
    root = pdf.make_indirect(
        Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary({f"/{role}": Name(f"/{maps_to}")}))
    )
    top = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=root, K=Array()))
    numbers: list[Any] = []
    for index, page in enumerate(pdf.pages):
        element = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{role}"), P=top, Pg=page.obj, K=0))
        if not index:
            element.ID = String(element_id)
            root.IDTree = Dictionary(Names=Array([String(element_id), element]))
        top.K.append(element)
        page.obj.StructParents = index
        numbers += [index, Array([element])]
        page.contents_add(f"/{role} << /MCID 0 >> BDC".encode(), prepend=True)
        page.contents_add(b"EMC")
    root.K, root.ParentTree = Array([top]), Dictionary(Nums=Array(numbers))
    pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)


def names_of(pdf: pikepdf.Pdf) -> pikepdf.Object:
    if Name.Names not in pdf.Root:
        pdf.Root.Names = pdf.make_indirect(Dictionary())
    return pdf.Root.Names


def reopened(content: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(content))


def reader(content: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(content))


def texts(content: bytes) -> list[str]:
    """Return the text of each page, as pdfium reads it."""
    with_pages = pypdfium2.PdfDocument(content)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in with_pages]


def outline_titles(content: bytes) -> list[Any]:
    """Return the titles of the outline, children as lists after their parents, as pypdf reads it."""

    def titles(items: Sequence[Any]) -> list[Any]:
        return [titles(item) if isinstance(item, list) else str(item.title) for item in items]

    return titles(reader(content).outline)
