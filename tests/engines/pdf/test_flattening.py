"""Flattened fields are content of their pages."""

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image

from mediakit.engines.pdf.flattening import flatten_fields
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.saving import save
from tests.support.pdf_kit import add_fields, add_layers, add_link, add_tags, blank, reopened, saved

RED, WHITE = (255, 0, 0), (255, 255, 255)


def with_field(pages: int = 1, *, look: bytes = b"1 0 0 rg 0 0 100 20 re f") -> pikepdf.Pdf:
    """Return a PDF whose first page has one red field."""
    pdf = blank(pages)
    add_fields(pdf, {"name": "Ada"})
    widget = pdf.pages[0].obj.Annots[0]
    widget.AP = Dictionary(N=pdf.make_stream(look, BBox=Array([0, 0, 100, 20])))
    return pdf


def flattened(pdf: pikepdf.Pdf) -> bytes:
    source = Source(reopened(saved(pdf)))
    flatten_fields(source)
    return save(source.pdf)


def drawn_page(content: bytes, page: int = 0) -> Image.Image:
    image: Image.Image = pypdfium2.PdfDocument(content)[page].render(may_draw_forms=False).to_pil()
    return image.convert("RGB")


def test_field_becomes_page_content() -> None:
    content = flattened(with_field())
    assert [drawn_page(content).getpixel(point) for point in ((70, 340), (15, 340), (125, 340))] == [RED, WHITE, WHITE]
    pdf = reopened(content)
    assert Name.AcroForm not in pdf.Root
    assert Name.Annots not in pdf.pages[0].obj


def test_equal_input_gives_equal_bytes() -> None:
    pdf = with_field()
    assert flattened(pdf) == flattened(pdf)


def test_other_annotations_stay() -> None:
    pdf = with_field()
    add_link(pdf, 0, 0)
    result = reopened(flattened(pdf))
    assert [str(item.Subtype) for item in result.pages[0].obj.Annots] == ["/Link"]


def test_unbalanced_content_does_not_move_the_field() -> None:
    pdf = with_field()
    pdf.pages[0].contents_add(b"q 2 0 0 2 100 100 cm q", prepend=False)
    assert drawn_page(flattened(pdf)).getpixel((70, 340)) == RED


def test_shared_resources_are_not_changed_on_other_pages() -> None:
    pdf = with_field(2)
    pdf.pages[1].obj.Resources = pdf.pages[0].obj.Resources = pdf.make_indirect(pdf.pages[0].obj.Resources)
    result = reopened(flattened(pdf))
    assert Name.XObject in result.pages[0].obj.Resources
    assert Name.XObject not in result.pages[1].obj.Resources


def test_hidden_layer_stays_hidden() -> None:
    pdf = with_field()
    add_layers(pdf, {"shown": True, "hidden": False})
    pdf.pages[0].obj.Annots[0].OC = pdf.Root.OCProperties.OCGs[1]
    assert drawn_page(flattened(pdf)).getpixel((70, 340)) == WHITE


def test_tag_of_a_field_gets_the_drawn_content() -> None:
    pdf = with_field()
    add_tags(pdf)
    widget, page, tree = pdf.pages[0].obj.Annots[0], pdf.pages[0].obj, pdf.Root.StructTreeRoot
    reference = Dictionary(Type=Name.OBJR, Obj=widget, Pg=page)
    element = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Form, P=tree.K[0], K=reference))
    tree.K[0].K.append(element)
    widget.StructParent = 1
    tree.ParentTree.Nums = Array([*tree.ParentTree.Nums, 1, element])
    result = reopened(flattened(pdf))
    form = result.Root.StructTreeRoot.K[0].K[1]
    mark = form.K[0]
    assert (str(mark.Type), int(mark.MCID), mark.Pg.objgen) == ("/MCR", 1, result.pages[0].obj.objgen)
    numbers = result.Root.StructTreeRoot.ParentTree.Nums
    assert [int(numbers[0]), len(numbers)] == [0, 2]
    assert numbers[1][1].objgen == form.objgen
    marked = [item for item in pikepdf.parse_content_stream(result.pages[0]) if str(item.operator) == "BDC"]
    assert [(str(item.operands[0]), int(item.operands[1].MCID)) for item in marked] == [("/Headline", 0), ("/Form", 1)]
