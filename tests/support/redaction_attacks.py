"""PDFs that hide a word: one place of a file and one spelling of the word for each.

`PLACES` has a function for each place. It gets a PDF whose only page shows harmless text, the page, and the word as a
PDF string or as text, and hides the word there. `attacks` combines the places with words of several scripts and
with the encodings that a PDF string can have.
"""

import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

WORDS = ("Zephyrina", "Müller-Ödön", "Łukaszewicz", "Иваненко", "山田太郎丸")
"""A word in ASCII, in Latin-1, beyond it, and in two other scripts."""

STRING_WORDS = WORDS[::2]
"""Words that are tried in all encodings of strings."""

CONTROL = "Harmless words"

Hide = Callable[[Any, Any, Any], None]


@dataclass(frozen=True)
class Attack:
    """A PDF that hides a word."""

    name: str
    word: str
    content: bytes


def text_string(word: str, encoding: str) -> Any:
    """Return a word as a PDF string."""
    marks = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe", "utf-8": b"\xef\xbb\xbf"}
    return String(marks.get(encoding, b"") + word.encode(encoding.removeprefix("bare ")))


def encodings_of(word: str) -> tuple[str, ...]:
    """Return the encodings in which a string can hold a word."""
    plain = ("latin-1",) if all(ord(each) < 256 for each in word) else ()
    return (*plain, "utf-16-be", "utf-16-le", "utf-8", "bare utf-8", "bare utf-16-be")


def base(*, control: str = CONTROL) -> Any:
    """Return a PDF with one page of harmless text."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 300, 400]),
        Resources=Dictionary(Font=Dictionary(F1=font)),
        Contents=pdf.make_stream(f"BT /F1 12 Tf 40 340 Td ({control}) Tj ET\n".encode()),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def saved(pdf: Any, **options: Any) -> bytes:
    target = io.BytesIO()
    pdf.save(target, **options)
    return target.getvalue()


def add_content(pdf: Any, page: Any, content: bytes) -> None:
    page.Contents = pdf.make_stream(page.Contents.read_bytes() + content)


def form(pdf: Any, page: Any, content: bytes, **entries: Any) -> Any:
    made = pdf.make_stream(content)
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 300, 400])
    made.Resources = Dictionary(Font=page.Resources.Font)
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


def annotation(pdf: Any, page: Any, **entries: Any) -> Any:
    made = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=Array([10, 10, 90, 40]), **entries))
    page.Annots = Array([*page.get(Name.Annots, Array()), made])
    return made


# Strings of the document: each function puts a PDF string somewhere.


def info_title(pdf: Any, _page: Any, text: Any) -> None:
    pdf.trailer.Info = pdf.make_indirect(Dictionary(Title=text))


def info_own_key(pdf: Any, _page: Any, text: Any) -> None:
    pdf.trailer.Info = pdf.make_indirect(Dictionary({"/Client": text}))


def info_date(pdf: Any, _page: Any, text: Any) -> None:
    pdf.trailer.Info = pdf.make_indirect(Dictionary(CreationDate=text))


def outline_title(pdf: Any, page: Any, text: Any) -> None:
    item = pdf.make_indirect(Dictionary(Title=text, Dest=Array([page, Name.Fit])))
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=item, Last=item, Count=1))
    item.Parent = pdf.Root.Outlines


def destination(pdf: Any, page: Any, text: Any) -> None:
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([text, Array([page, Name.Fit])])))


def page_label(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=text)]))


def layer_name(pdf: Any, page: Any, text: Any) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=text))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(Order=Array([layer])))
    page.Resources.Properties = Dictionary(Layer=layer)


def script(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=text)


def script_stream(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=pdf.make_stream(bytes(text)))


def page_action(pdf: Any, page: Any, text: Any) -> None:
    page.AA = Dictionary(O=Dictionary(S=Name.Named, N=Name.Print, Note=text))


def note(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Text, Contents=text)


def note_author(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Text, T=text, Contents=String("x"))


def note_subject(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Text, Subj=text)


def note_rich_text(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.FreeText, RC=text, DA=String("/F1 9 Tf 0 g"))


def link_address(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=text))


def link_file(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.GoToR, F=Dictionary(F=text, UF=text)))


def stamp_name(pdf: Any, page: Any, text: Any) -> None:
    annotation(pdf, page, Subtype=Name.Stamp, NM=text)


def field(pdf: Any, page: Any, **entries: Any) -> None:
    widget = annotation(pdf, page, Subtype=Name.Widget, FT=Name.Tx, **{"T": String("field"), **entries})
    pdf.Root.AcroForm = Dictionary(Fields=Array([widget]), DA=String("/F1 9 Tf 0 g"))


def field_value(pdf: Any, page: Any, text: Any) -> None:
    field(pdf, page, V=text)


def field_default(pdf: Any, page: Any, text: Any) -> None:
    field(pdf, page, DV=text)


def field_name(pdf: Any, page: Any, text: Any) -> None:
    field(pdf, page, T=text)


def field_tooltip(pdf: Any, page: Any, text: Any) -> None:
    field(pdf, page, TU=text)


def field_stream(pdf: Any, page: Any, text: Any) -> None:
    field(pdf, page, V=pdf.make_stream(bytes(text)))


def choice(pdf: Any, page: Any, text: Any) -> None:
    widget = annotation(
        pdf, page, Subtype=Name.Widget, FT=Name.Ch, T=String("choice"), Opt=Array([Array([text, text])])
    )
    pdf.Root.AcroForm = Dictionary(Fields=Array([widget]))


def button_caption(pdf: Any, page: Any, text: Any) -> None:
    widget = annotation(pdf, page, Subtype=Name.Widget, FT=Name.Btn, T=String("b"), MK=Dictionary(CA=text, RC=text))
    pdf.Root.AcroForm = Dictionary(Fields=Array([widget]))


def attachment(pdf: Any, _page: Any, text: Any) -> None:
    file = pdf.make_stream(bytes(text))
    spec = pdf.make_indirect(Dictionary(Type=Name.Filespec, F=text, UF=text, Desc=text, EF=Dictionary(F=file)))
    pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Names=Array([text, spec])))


def structure(pdf: Any, **entries: Any) -> None:
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    element = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Figure, P=root, **entries))
    root.K = element
    pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)


def tag_alt(pdf: Any, page: Any, text: Any) -> None:
    structure(pdf, Alt=text, Pg=page)


def tag_alt_without_page(pdf: Any, _page: Any, text: Any) -> None:
    structure(pdf, Alt=text)


def tag_actual_text(pdf: Any, _page: Any, text: Any) -> None:
    structure(pdf, ActualText=text)


def tag_title(pdf: Any, page: Any, text: Any) -> None:
    structure(pdf, T=text, K=Array([Dictionary(Type=Name.MCR, Pg=page, MCID=0)]))


def tag_expansion(pdf: Any, page: Any, text: Any) -> None:
    note = annotation(pdf, page, Subtype=Name.Text, Contents=String("x"))
    structure(pdf, E=text, K=Dictionary(Type=Name.OBJR, Obj=note))


def tag_attribute(pdf: Any, _page: Any, text: Any) -> None:
    structure(pdf, A=Dictionary(O=Name.UserProperties, P=Array([Dictionary(N=String("client"), V=text)])))


def tag_direct(pdf: Any, page: Any, text: Any) -> None:
    structure(pdf, K=Array([Dictionary(Type=Name.StructElem, S=Name.Span, Alt=text)]), Pg=page)


def property_list(pdf: Any, page: Any, text: Any) -> None:
    page.Resources.Properties = Dictionary(P0=Dictionary(ActualText=text))
    add_content(pdf, page, b"/Span /P0 BDC 10 10 m 20 20 l S EMC\n")


def piece_info(pdf: Any, page: Any, text: Any) -> None:
    page.PieceInfo = Dictionary(Editor=Dictionary(LastModified=String("D:2026"), Private=Dictionary(Text=text)))


def output_intent(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.OutputIntents = Array([Dictionary(S=Name.GTS_PDFA1, OutputConditionIdentifier=String("sRGB"), Info=text)])


def collection(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.Collection = Dictionary(Schema=Dictionary(Name=Dictionary(Subtype=Name.F, N=text)))


def article_thread(pdf: Any, page: Any, text: Any) -> None:
    bead = pdf.make_indirect(Dictionary(P=page, R=Array([0, 0, 9, 9])))
    bead.N = bead.V = bead
    pdf.Root.Threads = Array([pdf.make_indirect(Dictionary(F=bead, I=Dictionary(Title=text)))])


def private_stream(pdf: Any, page: Any, text: Any) -> None:
    page["/Own"] = pdf.make_stream(bytes(text))


def viewer_preferences(pdf: Any, _page: Any, text: Any) -> None:
    pdf.Root.ViewerPreferences = Dictionary({"/Note": text})


def font_family(pdf: Any, page: Any, text: Any) -> None:
    font = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Own, FontDescriptor=descriptor(FontFamily=text)
    )
    page.Resources.Font.F2 = pdf.make_indirect(font)
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (xy) Tj ET\n")


STRINGS: tuple[Hide, ...] = (
    info_title, info_own_key, info_date, outline_title, destination, page_label, layer_name, script, script_stream,
    page_action, note, note_author, note_subject, note_rich_text, link_address, link_file, stamp_name, field_value,
    field_default, field_name, field_tooltip, field_stream, choice, button_caption, attachment, tag_alt,
    tag_alt_without_page, tag_actual_text, tag_title, tag_expansion, tag_attribute, tag_direct, property_list,
    piece_info, output_intent, collection, article_thread, private_stream, viewer_preferences, font_family,
)  # fmt: skip


# Metadata: XMP, and that of images.


def xmp(word: str) -> bytes:
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="{word}">'
        f"<dc:creator><rdf:Seq><rdf:li>{word}</rdf:li></rdf:Seq></dc:creator></rdf:Description>"
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def references(word: str) -> str:
    """Return a word as XML character references."""
    return "".join(f"&#{ord(each)};" for each in word)


def metadata(pdf: Any, content: bytes) -> Any:
    stream = pdf.make_stream(content)
    stream.Type, stream.Subtype = Name.Metadata, Name.XML
    return stream


def catalog_xmp(pdf: Any, _page: Any, word: str) -> None:
    pdf.Root.Metadata = metadata(pdf, xmp(word))


def catalog_xmp_with_references(pdf: Any, _page: Any, word: str) -> None:
    pdf.Root.Metadata = metadata(pdf, xmp(references(word)))


def broken_xmp(pdf: Any, _page: Any, word: str) -> None:
    pdf.Root.Metadata = metadata(pdf, xmp(word).replace(b"</rdf:RDF>", b""))


def page_xmp(pdf: Any, page: Any, word: str) -> None:
    page.Metadata = metadata(pdf, xmp(word))


def direct_property_xmp(pdf: Any, page: Any, word: str) -> None:
    page.Resources.Properties = Dictionary(MC0=Dictionary(Metadata=metadata(pdf, xmp(word))))
    add_content(pdf, page, b"/Span /MC0 BDC 10 10 m 20 20 l S EMC\n")


def font_xmp(pdf: Any, page: Any, word: str) -> None:
    page.Resources.Font.F1.Metadata = metadata(pdf, xmp(word))


def image(pdf: Any, page: Any, content: bytes) -> Any:
    stream = pdf.make_stream(content)
    stream.Type, stream.Subtype, stream.Filter = Name.XObject, Name.Image, Name.DCTDecode
    stream.Width, stream.Height = 16, 16
    stream.ColorSpace, stream.BitsPerComponent = Name.DeviceRGB, 8
    page.Resources.XObject = Dictionary(Im0=stream)
    add_content(pdf, page, b"q 50 0 0 50 20 20 cm /Im0 Do Q\n")
    return stream


def jpeg(**options: Any) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (16, 16), "#3366aa").save(target, "JPEG", **options)
    return target.getvalue()


def jpeg_comment(pdf: Any, page: Any, word: str) -> None:
    image(pdf, page, jpeg(comment=word.encode()))


def jpeg_exif(pdf: Any, page: Any, word: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = word.encode()  # a text would be written in ASCII
    image(pdf, page, jpeg(exif=exif))


def jpeg_xmp(pdf: Any, page: Any, word: str) -> None:
    image(pdf, page, jpeg(xmp=xmp(word)))


def image_xmp(pdf: Any, page: Any, word: str) -> None:
    image(pdf, page, jpeg()).Metadata = metadata(pdf, xmp(word))


def thumbnail(pdf: Any, page: Any, word: str) -> None:
    image(pdf, page, jpeg(comment=word.encode()))
    page.Thumb = page.Resources.XObject.Im0


METADATA: tuple[Hide, ...] = (
    catalog_xmp, catalog_xmp_with_references, broken_xmp, page_xmp, direct_property_xmp, font_xmp, jpeg_comment,
    jpeg_exif, jpeg_xmp, image_xmp, thumbnail,
)  # fmt: skip


# Text of pages: each function draws a word.


def descriptor(**entries: Any) -> Any:
    box = Array([0, 0, 600, 700])
    return Dictionary(Type=Name.FontDescriptor, FontName=Name.Own, Flags=4, FontBBox=box, **entries)


def font_of(pdf: Any, word: str) -> tuple[Any, bytes]:
    """Return a font without glyphs whose codes are mapped to the characters of a word, and the word in its codes."""
    letters = sorted(set(word))
    codes = {letter: index + 1 for index, letter in enumerate(letters)}
    entries = "\n".join(f"<{code:04x}> <{letter.encode('utf-16-be').hex()}>" for letter, code in codes.items())
    mapped = pdf.make_stream(
        f"begincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{len(codes)} beginbfchar\n{entries}\n"
        "endbfchar\nendcmap".encode()
    )
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Own, DW=600, CIDToGIDMap=Name.Identity,
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        FontDescriptor=descriptor(),
    )  # fmt: skip
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Own, Encoding=Name("/Identity-H"),
        DescendantFonts=Array([inner]), ToUnicode=mapped,
    )  # fmt: skip
    return font, b"<" + "".join(f"{codes[letter]:04x}" for letter in word).encode() + b">"


def japanese_font(character_map: str) -> Any:
    """Return a font without ToUnicode map whose codes are those of a character map that readers know."""
    system = Dictionary(Registry="Adobe", Ordering="Japan1", Supplement=2)
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name.Own, CIDSystemInfo=system, FontDescriptor=descriptor()
    )  # fmt: skip
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Own, Encoding=Name(f"/{character_map}"),
        DescendantFonts=Array([inner]),
    )  # fmt: skip


def shown(pdf: Any, page: Any, word: str) -> bytes:
    """Return operands that show a word in font F2."""
    page.Resources.Font.F2, codes = font_of(pdf, word)
    return codes


def plain_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET\n")


def kerned_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)[1:-1]
    parts = b" -20 ".join(b"<" + codes[at : at + 4] + b">" for at in range(0, len(codes), 4))
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td [" + parts + b"] TJ ET\n")


def letters_apart(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)[1:-1]
    parts = [
        f"1 0 0 1 {40 + at / 4 * 7.2:.1f} 300 Tm <".encode() + codes[at : at + 4] + b"> Tj"
        for at in range(0, len(codes), 4)
    ]
    add_content(pdf, page, b"BT /F2 12 Tf " + b" ".join(reversed(parts)) + b" ET\n")


def invisible_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"BT 3 Tr /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET\n")


def white_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"q 1 g BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET Q\n")


def outside_page(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"BT /F2 12 Tf 900 900 Td " + shown(pdf, page, word) + b" Tj ET\n")


def clipped_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"q 0 0 1 1 re W n BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET Q\n")


def tiny_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"BT /F2 0.1 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET\n")


def rotated_text(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"BT /F2 12 Tf 0 1 -1 0 200 40 Tm " + shown(pdf, page, word) + b" Tj ET\n")


def covered_text(pdf: Any, page: Any, word: str) -> None:
    plain_text(pdf, page, word)
    add_content(pdf, page, b"0 g 30 290 200 30 re f\n")


def form_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    inner = form(pdf, page, b"BT /F2 12 Tf 40 300 Td " + codes + b" Tj ET")
    page.Resources.XObject = Dictionary(Fm0=inner)
    add_content(pdf, page, b"/Fm0 Do\n")


def nested_form_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    inner = form(pdf, page, b"BT /F2 12 Tf 40 300 Td " + codes + b" Tj ET")
    outer = form(pdf, page, b"/Fm1 Do")
    outer.Resources.XObject = Dictionary(Fm1=inner)
    page.Resources.XObject = Dictionary(Fm0=outer)
    add_content(pdf, page, b"/Fm0 Do\n")


def hidden_layer(pdf: Any, page: Any, word: str) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    page.Resources.Properties = Dictionary(L0=layer)
    add_content(pdf, page, b"/OC /L0 BDC BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET EMC\n")


def pattern_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    tile = pdf.make_stream(b"BT /F2 12 Tf 4 4 Td " + codes + b" Tj ET")
    tile.Type, tile.PatternType, tile.PaintType, tile.TilingType = Name.Pattern, 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 100, 20]), 100, 20
    tile.Resources = Dictionary(Font=page.Resources.Font)
    page.Resources.Pattern = Dictionary(P0=tile)
    add_content(pdf, page, b"/Pattern cs /P0 scn 20 20 200 60 re f\n")


def mask_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    group = form(pdf, page, b"BT /F2 12 Tf 40 300 Td " + codes + b" Tj ET")
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    page.Resources.ExtGState = Dictionary(G0=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=group)))
    add_content(pdf, page, b"q /G0 gs 0 0 1 rg 0 0 300 400 re f Q\n")


def glyph_text(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    glyph = pdf.make_stream(b"600 0 d0 BT /F2 1 Tf 0 0 Td " + codes + b" Tj ET")
    page.Resources.Font.F3 = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 9, 9]), FontMatrix=Array([0.1, 0, 0, 0.1, 0, 0]),
        FirstChar=97, LastChar=97, Widths=Array([600]), CharProcs=Dictionary(a=glyph),
        Encoding=Dictionary(Differences=Array([97, Name.a])),
        Resources=Dictionary(Font=Dictionary(F2=page.Resources.Font.F2)),
    )  # fmt: skip
    add_content(pdf, page, b"BT /F3 10 Tf 40 200 Td (a) Tj ET\n")


def replaced_text(pdf: Any, page: Any, word: str) -> None:
    actual = String(word).unparse()
    add_content(pdf, page, b"/Span <</ActualText " + actual + b">> BDC BT /F1 12 Tf 40 300 Td (xy) Tj ET EMC\n")


def content_comment(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, b"% " + word.encode() + b"\n")


def appearance(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    look = form(pdf, page, b"BT /F2 12 Tf 4 4 Td " + codes + b" Tj ET")
    annotation(pdf, page, Subtype=Name.Stamp, AP=Dictionary(N=look))


def appearance_of_state(pdf: Any, page: Any, word: str) -> None:
    codes = shown(pdf, page, word)
    look = form(pdf, page, b"BT /F2 12 Tf 4 4 Td " + codes + b" Tj ET")
    states = Dictionary(Off=form(pdf, page, b""), On=look)
    widget = annotation(
        pdf, page, Subtype=Name.Widget, FT=Name.Btn, T=String("box"), AS=Name.Off, AP=Dictionary(N=states)
    )
    pdf.Root.AcroForm = Dictionary(Fields=Array([widget]))


def named_glyphs(pdf: Any, page: Any, word: str) -> None:
    """Draw the word with glyphs that only their names tell, two letters a glyph."""
    pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
    names = ["uni" + "".join(f"{ord(each):04X}" for each in pair) for pair in pairs]
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Own, FirstChar=65, LastChar=64 + len(pairs),
        Widths=Array([600] * len(pairs)), FontDescriptor=descriptor(),
        Encoding=Dictionary(Differences=Array([65, *(Name(f"/{name}") for name in names)])),
    )  # fmt: skip
    codes = bytes(range(65, 65 + len(pairs)))
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (" + codes + b") Tj ET\n")


def built_in_encoding(pdf: Any, page: Any, word: str) -> None:
    """Draw the word with a font that names its glyphs itself, two letters a glyph."""
    pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
    names = ["uni" + "".join(f"{ord(each):04X}" for each in pair) for pair in pairs]
    program = pdf.make_stream(compact_font(names))
    program.Subtype = Name.Type1C
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Own, FirstChar=65, LastChar=64 + len(pairs),
        Widths=Array([600] * len(pairs)),
        FontDescriptor=descriptor(FontFile3=program),
    )  # fmt: skip
    codes = bytes(range(65, 65 + len(pairs)))
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (" + codes + b") Tj ET\n")


def compact_font(names: list[str]) -> bytes:
    """Return a CFF font whose encoding maps the codes from 65 to glyphs of these names."""
    builder = FontBuilder(1000, isTTF=False)
    order = [".notdef", *dict.fromkeys(names)]
    builder.setupGlyphOrder(order)
    glyphs = {}
    for name in order:
        pen = T2CharStringPen(600, None)
        pen.moveTo((100, 0))
        pen.lineTo((500, 0))
        pen.lineTo((300, 700))
        pen.closePath()
        glyphs[name] = pen.getCharString()
    builder.setupCFF("Own", {}, glyphs, {})
    fonts = builder.font["CFF "].cff
    encoding = [".notdef"] * 256
    for code, name in enumerate(names, 65):
        encoding[code] = name
    fonts[0].Encoding = encoding
    compiled: bytes = builder.font["CFF "].compile(builder.font)
    return compiled


PAGE_TEXTS: tuple[Hide, ...] = (
    plain_text, kerned_text, letters_apart, invisible_text, white_text, outside_page, clipped_text, tiny_text,
    rotated_text, covered_text, form_text, nested_form_text, hidden_layer, pattern_text, mask_text, glyph_text,
    replaced_text, content_comment, appearance, appearance_of_state, named_glyphs, built_in_encoding,
)  # fmt: skip


# A word in other codes than its letters: each function takes a word of ASCII letters.


def mapped_font(pdf: Any, page: Any, letters: dict[int, str], **entries: Any) -> Any:
    """Return a font with one-byte codes and a ToUnicode map, as F2 of a page."""
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding, **entries
    )  # fmt: skip
    lines = "\n".join(f"<{code:02x}> <{text.encode('utf-16-be').hex()}>" for code, text in letters.items())
    head = f"begincmap\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{len(letters)} beginbfchar\n"
    font.ToUnicode = pdf.make_stream(f"{head}{lines}\nendbfchar\nendcmap".encode())
    page.Resources.Font.F2 = font
    return font


def letters_joined(pdf: Any, page: Any, word: str) -> None:
    """Put a grapheme joiner, which has no width, between all letters."""
    mapped_font(pdf, page, {1: "\u034f"} | {ord(letter): letter for letter in word})
    codes = "01".join(f"{ord(letter):02x}" for letter in word)
    add_content(pdf, page, f"BT /F2 12 Tf 40 300 Td <{codes}> Tj ET\n".encode())


def wrong_map(pdf: Any, page: Any, word: str) -> None:
    """Draw a word with a font whose map says that its letters are spaces."""
    mapped_font(pdf, page, {ord(letter): " " for letter in word})
    add_content(pdf, page, f"BT /F2 12 Tf 40 300 Td [({word[:4]}) -1 ({word[4:]})] TJ ET\n".encode())


def unused_code(pdf: Any, page: Any, word: str) -> None:
    """Map a code to a word, and draw another one."""
    mapped_font(pdf, page, {97: "a", 98: word})
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (a) Tj ET\n")


def column_of_letters(pdf: Any, page: Any, word: str) -> None:
    letters = " ".join(f"({letter}) Tj 0 -14 Td" for letter in word)
    add_content(pdf, page, f"BT /F1 12 Tf 1 0 0 1 40 300 Tm {letters} ET\n".encode())


def hexadecimal_glyphs(pdf: Any, page: Any, word: str) -> None:
    numbered_glyphs(pdf, page, [f"G{ord(letter):02X}" for letter in word])


def decimal_glyphs(pdf: Any, page: Any, word: str) -> None:
    numbered_glyphs(pdf, page, [f"c{ord(letter)}" for letter in word])


def numbered_glyphs(pdf: Any, page: Any, names: list[str]) -> None:
    """Draw glyphs that are named by the codes of their letters."""
    encoding = Dictionary(Differences=Array([1, *(Name(f"/{name}") for name in names)]))
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=encoding
    )  # fmt: skip
    codes = bytes(range(1, 1 + len(names))).hex()
    add_content(pdf, page, f"BT /F2 12 Tf 40 300 Td <{codes}> Tj ET\n".encode())


def form_address(pdf: Any, page: Any, word: str) -> None:
    address = "https://a.example/?name=" + "".join(f"%{ord(letter):02X}" for letter in word)
    action = Dictionary(S=Name.SubmitForm, F=Dictionary(FS=Name.URL, F=String(address)))
    annotation(pdf, page, Subtype=Name.Link, A=action)


def escaped_script(pdf: Any, page: Any, word: str) -> None:
    script = f"app.alert('{word[:4]}\\x{ord(word[4]):02x}\\u{ord(word[5]):04x}{word[6:]}')"
    annotation(pdf, page, Subtype=Name.Link, A=Dictionary(S=Name.JavaScript, JS=String(script)))


def rich_text_with_references(pdf: Any, page: Any, word: str) -> None:
    text = f"<body><p>{word[:4]}&#{ord(word[4])};<b>{word[5:]}</b></p></body>"
    annotation(pdf, page, Subtype=Name.FreeText, DA=String("/Helv 12 Tf"), RC=String(text))


def packed_jpeg(pdf: Any, page: Any, word: str) -> None:
    """Compress a JPEG with a comment once more."""
    stream = image(pdf, page, jpeg(comment=word.encode()))
    stream.write(zlib.compress(stream.read_raw_bytes()), filter=Array([Name.FlateDecode, Name.DCTDecode]))


def after_end_of_jpeg(pdf: Any, page: Any, word: str) -> None:
    stream = image(pdf, page, jpeg())
    stream.write(stream.read_raw_bytes() + word.encode(), filter=Name.DCTDecode)


def after_end_of_packed_jpeg(pdf: Any, page: Any, word: str) -> None:
    stream = image(pdf, page, jpeg())
    packed = zlib.compress(stream.read_raw_bytes()) + word.encode()
    stream.write(packed, filter=Array([Name.FlateDecode, Name.DCTDecode]))
    stream.DecodeParms = Array([Dictionary(Predictor=1), Dictionary(ColorTransform=1)])


def after_end_of_data(pdf: Any, page: Any, word: str) -> None:
    stream = image(pdf, page, b"")
    stream.write(zlib.compress(b"\x33" * 432) + word.encode(), filter=Name.FlateDecode)


SPELLINGS: tuple[Hide, ...] = (
    letters_joined, wrong_map, unused_code, column_of_letters, hexadecimal_glyphs, decimal_glyphs, form_address,
    escaped_script, rich_text_with_references, packed_jpeg, after_end_of_jpeg, after_end_of_packed_jpeg,
    after_end_of_data,
)  # fmt: skip


def checksum(pdf: Any, page: Any, word: str) -> None:
    annotation(pdf, page, Subtype=Name.Text, ExData=Dictionary(CheckSum=String(word)))


def certificate(pdf: Any, page: Any, word: str) -> None:
    annotation(pdf, page, Subtype=Name.Text, ExData=Dictionary(Cert=String(b"\x30\x82" + word.encode("utf-16-be"))))


IDENTIFIERS: tuple[Hide, ...] = (checksum, certificate)


# Names: each function uses a word as a key, a type, the name of a resource, or a tag of content.


def own_key(pdf: Any, _page: Any, word: str) -> None:
    pdf.Root[f"/{word}"] = 1


def own_name(pdf: Any, page: Any, word: str) -> None:
    page["/Own"] = Array([1, Array([Name(f"/{word}")])])


def info_key(pdf: Any, _page: Any, word: str) -> None:
    pdf.trailer.Info = pdf.make_indirect(Dictionary({f"/{word}": String("x")}))


def color_name(_pdf: Any, page: Any, word: str) -> None:
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]), N=1)
    page.Resources.ColorSpace = Dictionary(C0=Array([Name.Separation, Name(f"/{word}"), Name.DeviceGray, function]))
    add_content(_pdf, page, b"/C0 cs 1 scn 0 0 9 9 re f\n")


def tag_type(pdf: Any, page: Any, word: str) -> None:
    structure(pdf, Alt=String("x"), Pg=page)
    pdf.Root.StructTreeRoot.K.S = Name(f"/{word}")
    pdf.Root.StructTreeRoot.RoleMap = Dictionary({f"/{word}": Name.P})
    pdf.Root.StructTreeRoot.ClassMap = Dictionary({f"/{word}": Dictionary(O=Name.Layout)})


def tag_identifier(pdf: Any, _page: Any, word: str) -> None:
    structure(pdf, ID=String(word))
    root = pdf.Root.StructTreeRoot
    root.IDTree = Dictionary(Names=Array([String(word), root.K]))


def font_resource(pdf: Any, page: Any, word: str) -> None:
    page.Resources.Font[f"/{word}"] = page.Resources.Font.F1
    add_content(pdf, page, b"BT " + Name(f"/{word}").unparse() + b" 12 Tf 40 300 Td (a) Tj ET\n")


def content_tag(pdf: Any, page: Any, word: str) -> None:
    add_content(pdf, page, Name(f"/{word}").unparse() + b" BMC 10 10 m 20 20 l S EMC\n")


def inner_property(pdf: Any, page: Any, word: str) -> None:
    inner = String(word).unparse()
    add_content(pdf, page, b"/Span <</Q [<</R " + inner + b">>]>> BDC 10 10 m 20 20 l S EMC\n")


def glyph_name(pdf: Any, page: Any, word: str) -> None:
    names = Array([97, Name(f"/{word}")])
    page.Resources.Font.F2 = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Dictionary(Differences=names)
    )
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (xy) Tj ET\n")


def base_font(pdf: Any, page: Any, word: str) -> None:
    page.Resources.Font.F2 = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{word}"))
    add_content(pdf, page, b"BT /F2 12 Tf 40 300 Td (xy) Tj ET\n")


NAMES: tuple[Hide, ...] = (
    own_key, own_name, info_key, color_name, tag_type, tag_identifier, font_resource, content_tag, inner_property,
    glyph_name, base_font,
)  # fmt: skip


# Content that nothing draws: each function puts a form or a pattern somewhere.


def unused_look(pdf: Any, page: Any, word: str) -> Any:
    return form(pdf, page, b"BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET")


def unused_pattern(pdf: Any, page: Any, word: str) -> None:
    pattern_text(pdf, page, word)
    page.Contents = pdf.make_stream(
        page.Contents.read_bytes().replace(b"/P0 scn", b"0 0 0 scn").replace(b"/Pattern cs", b"/DeviceRGB cs")
    )


def unused_mask(pdf: Any, page: Any, word: str) -> None:
    group = unused_look(pdf, page, word)
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    page.Resources.ExtGState = Dictionary(G0=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=group)))


def button(pdf: Any, page: Any, icon: Any) -> None:
    entries = Dictionary(I=icon)
    widget = annotation(pdf, page, Subtype=Name.Widget, FT=Name.Btn, Ff=65536, T=String("b"), MK=entries)
    pdf.Root.AcroForm = Dictionary(Fields=Array([widget]))


def button_icon(pdf: Any, page: Any, word: str) -> None:
    button(pdf, page, unused_look(pdf, page, word))


def unused_form_of_form(pdf: Any, page: Any, word: str) -> None:
    outer = form(pdf, page, b"10 10 m 20 20 l S")
    outer.Resources.XObject = Dictionary(Fm1=unused_look(pdf, page, word))
    page.Resources.XObject = Dictionary(Fm0=outer)
    add_content(pdf, page, b"/Fm0 Do\n")


def unused_form_with_short_codes(pdf: Any, page: Any, word: str) -> None:
    """Hide the word in a composite font whose own map has codes of one byte."""
    look = unused_look(pdf, page, word)
    font = page.Resources.Font.F2
    look.write(look.read_bytes().replace(b"00", b""))
    font.Encoding = pdf.make_stream(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 begincidrange <00> <ff> 0 endcidrange endcmap"
    )
    font.Encoding.Type, font.Encoding.CMapName = Name.CMap, Name.Own
    button(pdf, page, look)


def template_of_page(pdf: Any, page: Any, word: str) -> None:
    content = pdf.make_stream(b"BT /F2 12 Tf 40 300 Td " + shown(pdf, page, word) + b" Tj ET")
    template = Dictionary(Type=Name.Template, MediaBox=page.MediaBox, Resources=page.Resources, Contents=content)
    pdf.Root.Names = Dictionary(Templates=Dictionary(Names=Array([String("t"), pdf.make_indirect(template)])))


def named_look(pdf: Any, page: Any, word: str) -> None:
    pdf.Root.Names = Dictionary(AP=Dictionary(Names=Array([String("t"), unused_look(pdf, page, word)])))


UNUSED: tuple[Hide, ...] = (
    unused_pattern,
    unused_mask,
    button_icon,
    unused_form_of_form,
    unused_form_with_short_codes,
    template_of_page,
    named_look,
)


def spellings(hide: Hide) -> list[tuple[str, str]]:
    """Return the words that are hidden in a place, each with the encoding of its string."""
    if hide not in STRINGS:
        return [(word, "") for word in WORDS]
    return [(word, encoding) for word in STRING_WORDS for encoding in encodings_of(word)]


def attacks(hide: Hide) -> Iterator[Attack]:
    """Yield the PDFs that hide words in a place.

    Every second one shows the word on its page, too, and has object streams.
    """
    for number, (word, encoding) in enumerate(spellings(hide)):
        pdf = base()
        page = pdf.pages[0].obj
        hide(pdf, page, text_string(word, encoding) if encoding else word)
        is_shown = number % 2 == 1
        if is_shown:
            page.Resources.Font.F9, codes = font_of(pdf, word)
            add_content(pdf, page, b"BT /F9 12 Tf 40 100 Td " + codes + b" Tj ET\n")
        name = " ".join(filter(None, (hide.__name__, word, encoding, "shown" if is_shown else "hidden")))
        mode = pikepdf.ObjectStreamMode.generate if is_shown else pikepdf.ObjectStreamMode.disable
        yield Attack(name, word, saved(pdf, object_stream_mode=mode))
