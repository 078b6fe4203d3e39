"""Documents of other formats in a Word document are read in place; what is not read is a warning."""

import io
import zipfile

import pytest
from PIL import Image

import mediakit
from tests.tools.documents.document_to_markdown.test_rtf import rtf
from tests.tools.documents.document_to_markdown.word_files import docx, paragraph, run

CHUNK = '<w:altChunk r:id="chunk"/>'
NOTES = '<w:footnotes {{ns}}><w:footnote w:id="1"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote></w:footnotes>'
NOTE_MARK = '<w:r><w:footnoteReference w:id="1"/></w:r>'
UNREAD = "Inserted documents that could not be read: {}."


def with_chunk(name: str, content: bytes, chunks: int = 1) -> bytes:
    body = paragraph("before") + CHUNK * chunks + paragraph("after")
    return docx(body, related={"chunk": ("aFChunk", name)}, parts={f"word/{name}": content})


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (5, 2)).save(buffer, "PNG")
    return buffer.getvalue()


MHTML = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; "
    b"charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Gr=FC=DFe</p>\r\n"
    b"--x--\r\n"
)


@pytest.mark.parametrize(
    ("name", "content", "markdown"),
    [
        ("a.htm", b"<html><body><ol start='3'><li>Tea<li>Milk</ol></body></html>", "3. Tea\n4. Milk"),
        ("a.xhtml", "<table><tr><th>Größe</th></tr><tr><td>4</td></tr></table>".encode(), "| Größe |\n| --- |\n| 4 |"),
        ("a.mht", MHTML, "Grüße"),
        ("a.rtf", rtf(r"\pard Plain {\b bold}\par"), "Plain **bold**"),
        ("a.txt", "Line *one*\r\n\r\nLine two\r\n".encode("utf-16"), "Line \\*one\\*\n\nLine two"),
        ("a.txt", b"bell\x07 and\x0bline", "bell and\n\nline"),
        ("a.docx", docx(paragraph(run("strong", "<w:b/>"))), "**strong**"),
        ("a.dat", docx(paragraph("by its content")), "by its content"),
    ],
)
def test_chunk_of_another_format_is_read_in_place(name: str, content: bytes, markdown: str) -> None:
    result = mediakit.document_to_markdown(with_chunk(name, content))
    assert result.content == f"before\n\n{markdown}\n\nafter"
    assert result.meta["warnings"] == []


@pytest.mark.parametrize(
    ("content_type", "content", "markdown"),
    [
        ("text/plain", b"2 * 3", "2 * 3"),
        ("text/html; charset=utf-8", b"Some <i>words</i>", "Some *words*"),
        ("message/rfc822", MHTML, "Grüße"),
    ],
)
def test_declared_type_of_a_chunk_decides_how_it_is_read(content_type: str, content: bytes, markdown: str) -> None:
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="dat" ContentType="{content_type}"/><Override PartName="/word/document.xml" ContentType="'
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    parts: dict[str, str | bytes] = {"[Content_Types].xml": types, "word/chunk1.dat": content}
    document = docx(CHUNK, related={"chunk": ("aFChunk", "chunk1.dat")}, parts=parts)
    assert mediakit.document_to_markdown(document).content == markdown


def test_notes_and_images_of_chunks_are_numbered_with_those_around_them() -> None:
    drawing = '<w:r><w:drawing><a:blip r:embed="i"/></w:drawing></w:r>'

    def noted(text: str, chunk: str = "", **parts: str | bytes) -> bytes:
        related = {"f": ("footnotes", "footnotes.xml"), "i": ("image", "i.png"), "chunk": ("aFChunk", "c.docx")}
        files = {"word/footnotes.xml": NOTES.format(text=f"note of {text}"), "word/i.png": png(), **parts}
        return docx(paragraph(run(text) + NOTE_MARK + drawing) + chunk, related=related, parts=files)

    content = noted("outer", CHUNK, **{"word/c.docx": noted("inner")})
    result = mediakit.document_to_markdown(content, images="embed")
    assert result.content == (
        "outer[^1]![](image-1.png)\n\ninner[^2]![](image-2.png)\n\n[^1]: note of outer\n\n[^2]: note of inner"
    )
    assert [(image.name, image.width, image.file) for image in result.images] == [
        ("image-1.png", 5, png()),
        ("image-2.png", 5, png()),
    ]


def test_chunk_in_a_chunk_is_read_to_a_limited_depth() -> None:
    content = docx(paragraph("innermost"))
    for _ in range(4):
        content = with_chunk("c.docx", content)
    result = mediakit.document_to_markdown(content)
    assert result.content.split("\n\n") == ["before"] * 3 + ["after"] * 3
    assert result.meta["warnings"] == [UNREAD.format(1)]


def test_deep_chunk_in_deep_tables_is_read() -> None:
    page = b"<ul><li>" * 140 + b"innermost" + b"</li></ul>" * 140
    start, end = "<w:tbl><w:tr><w:tc><w:p/>" * 60, "</w:tc></w:tr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>" * 60
    document = docx(start + CHUNK + end, related={"chunk": ("aFChunk", "c.html")}, parts={"word/c.html": page})
    assert "innermost" in mediakit.document_to_markdown(document).content


def bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("word/document.xml", b" " * 50_000_000)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.docx", b"PK\x03\x04 not an archive"),
        ("c.docx", bomb()),
        ("c.docx", docx("", parts={"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'})),
        ("c.xlsx", b"<Workbook/>"),
        ("c.mht", b"MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nno page"),
        ("c.mht", b"MIME-Version: 1.0\r\n" + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n" * 5000),
        ("c.bin", png()),
    ],
)
def test_chunk_that_cannot_be_read_is_a_warning(name: str, content: bytes) -> None:
    result = mediakit.document_to_markdown(with_chunk(name, content))
    assert result.content == "before\n\nafter"
    assert result.meta["warnings"] == [UNREAD.format(1)]


def test_number_of_chunks_is_limited() -> None:
    result = mediakit.document_to_markdown(with_chunk("c.html", b"<p>again</p>", chunks=150))
    assert result.content.count("again") == 100
    assert result.meta["warnings"] == [UNREAD.format(50)]


def test_external_chunk_and_missing_chunk_are_warnings() -> None:
    external = docx(CHUNK, related={"chunk": ("aFChunk", "https://example.com/a.html")})
    unrelated = docx(CHUNK)
    missing = docx(CHUNK, related={"chunk": ("aFChunk", "gone.html")})
    for content in (external, unrelated, missing):
        assert mediakit.document_to_markdown(content).meta["warnings"] == [UNREAD.format(1)]


def in_run(content: str) -> str:
    return f"<w:r>{content}</w:r>"


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        (in_run('<w:object><o:OLEObject Type="Embed" ProgID="Excel.Sheet.12" r:id="e"/></w:object>'), "Embedded files"),
        (in_run('<w:object><w:control r:id="e" w:name="Button"/></w:object>'), "Embedded files"),
        (in_run('<w:object><w:objectEmbed r:id="e" w:progId="Package"/></w:object>'), "Embedded files"),
        (in_run('<w:object><o:OLEObject Type="Link" ProgID="Word.Document" r:id="e"/></w:object>'), "Linked documents"),
        ('<w:subDoc r:id="e"/>', "Linked documents"),
        (in_run('<w:drawing><a:videoFile r:link="e"/></w:drawing>'), "Audio and video"),
        (in_run('<w:drawing><a:audioFile r:link="e"/></w:drawing>'), "Audio and video"),
        (in_run('<w:drawing><a:blip r:link="e"/></w:drawing>'), "Linked images"),
        (in_run('<w:drawing><a:blip r:embed="gone"/></w:drawing>'), "Images that are missing"),
        (in_run('<w:drawing><c:chart r:id="none"/></w:drawing>'), "Charts and diagrams without data"),
    ],
)
@pytest.mark.parametrize("is_plain", [False, True])
def test_embedded_and_linked_material_is_a_warning(content: str, warning: str, is_plain: bool) -> None:
    related = {"e": ("oleObject", "https://example.com/x"), "gone": ("image", "gone.png")}
    document = docx(paragraph(run("a") + content) + paragraph("b"), related=related)
    result = mediakit.document_to_markdown(document, format="text" if is_plain else "markdown")
    assert [sentence[: len(warning)] for sentence in result.meta["warnings"]] == [warning]
    assert result.meta["warnings"][0].endswith(": 1.")


def test_preview_of_an_embedded_file_is_an_image() -> None:
    shape = '<v:shape alt="Budget"><v:imagedata r:id="i"/></v:shape><o:OLEObject Type="Embed" r:id="e"/>'
    related = {"i": ("image", "i.png"), "e": ("package", "book.xlsx")}
    parts = {"word/i.png": png(), "word/book.xlsx": b"PK"}
    result = mediakit.document_to_markdown(
        docx(paragraph(in_run(f"<w:object>{shape}</w:object>")), related=related, parts=parts)
    )
    assert result.content == "![Budget](image-1.png)"
    assert result.meta["warnings"] == ["Embedded files that were omitted: 1."]
