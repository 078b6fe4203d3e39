"""EPUB publications as Markdown: reading order, links between chapters, notes and images."""

import io
import zipfile
from collections.abc import Mapping

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput

CONTAINER = '<container><rootfiles><rootfile full-path="EPUB/book.opf"/></rootfiles></container>'


def epub(chapters: Mapping[str, str], parts: Mapping[str, str | bytes] | None = None, metadata: str = "") -> bytes:
    """Return a publication of XHTML pages; the bodies by file name."""
    items = "".join(
        f'<item id="i{number}" href="text/{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="i{number}"/>' for number in reversed(range(len(chapters))))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f'<dc:title>Tea</dc:title>{metadata}</metadata><manifest>{items}<item id="n" href="nav.xhtml" '
        f'media-type="application/xhtml+xml" properties="nav"/></manifest><spine>{spine}</spine></package>'
    )
    pages = {
        f"EPUB/text/{name}": '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>{body}</body></html>'
        for name, body in chapters.items()
    }
    files = {"META-INF/container.xml": CONTAINER, "EPUB/book.opf": package, **pages, **(parts or {})}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def markdown(content: bytes, **options: object) -> str:
    return mediakit.document_to_markdown(content, **options).content  # type: ignore[arg-type]


def test_chapters_are_in_the_order_of_the_spine_with_titles_of_the_contents() -> None:
    nav = '<html><body><nav epub:type="toc"><ol><li><a href="text/a.xhtml">The end</a></li></ol></nav></body></html>'
    result = mediakit.document_to_markdown(
        epub(
            {"a.xhtml": "<h1>A</h1>", "b.xhtml": "<h1>B</h1>"}, {"EPUB/nav.xhtml": nav}, "<dc:creator>Ada</dc:creator>"
        )
    )
    assert (result.content, result.chapters) == ("# B\n\n# A", ["B", "The end"])
    assert (result.type, result.title, result.author) == ("epub", "Tea", "Ada")


def test_links_between_chapters_point_to_headings_and_anchors() -> None:
    content = epub(
        {
            "a.xhtml": '<h2 id="x">The <i>leaf</i></h2><p>See <b id="y">this</b>.</p>',
            "b.xhtml": '<p><a href="a.xhtml#x">1</a> <a href="a.xhtml#y">2</a> <a href="a.xhtml">3</a> '
            '<a href="gone.xhtml">4</a></p>',
        }
    )
    assert markdown(content) == (
        '[1](#the-leaf) [2](#a.xhtml_y) [3](#the-leaf) 4\n\n## The *leaf*\n\nSee **<a id="a.xhtml_y"></a>this**.'
    )


def test_notes_become_footnotes_and_are_omitted_on_request() -> None:
    content = epub(
        {
            "a.xhtml": '<p>Text<a epub:type="noteref" href="#n">*</a>.</p>'
            '<aside epub:type="footnote" id="n"><p>A note.</p></aside>'
        }
    )
    assert markdown(content) == "Text[^1].\n\n[^1]: A note."
    assert markdown(content, notes=False) == "Text."


def test_notes_with_plain_links_or_without_a_reference_are_kept() -> None:
    notes = (
        '<aside epub:type="footnote" id="m"><p>By a mark.</p></aside>'
        '<aside epub:type="footnote" id="w"><p>By words.</p></aside>'
        '<aside epub:type="footnote" id="o"><p>By nothing.</p></aside>'
    )
    content = epub({"a.xhtml": f'<p>One<a href="#m">[2]</a>, <a href="#w">see there</a>.</p>{notes}'})
    assert markdown(content) == (
        'One[^1], [see there](#a.xhtml_w).\n\n<a id="a.xhtml_w"></a>\n\nBy words.\n\nBy nothing.\n\n[^1]: By a mark.'
    )
    assert markdown(content, notes=False) == "One, see there."


def test_number_of_a_note_that_links_to_the_note_is_not_a_reference() -> None:
    notes = "".join(
        f'<aside epub:type="footnote" id="{name}"><p><a href="#{name}">{name}</a> {text}.</p></aside>'
        for name, text in (("1", "Read"), ("2", "Left"))
    )
    content = markdown(epub({"a.xhtml": f'<p>One<a href="#1">1</a>.</p>{notes}'}))
    assert content.startswith("One[^1].")
    assert content.endswith("Left.\n\n[^1]: 1 Read.")


def test_empty_elements_of_xml_do_not_swallow_the_text() -> None:
    content = epub({"a.xhtml": '<p>a<a id="t"/>b <i/>c&nbsp;d</p><div/><p>e</p>'})
    assert markdown(content) == "ab c\xa0d\n\ne"


def test_images_are_read_from_the_container_and_never_from_outside() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 3)).save(buffer, "PNG")
    body = '<p><img src="../i/x.png" alt="A cup"/> <img src="https://example.com/y.png" alt="far"/></p>'
    result = mediakit.document_to_markdown(epub({"a.xhtml": body}, {"EPUB/i/x.png": buffer.getvalue()}), images="embed")
    assert result.content == "![A cup](image-1.png)"
    assert [(image.width, image.height, image.name) for image in result.images] == [(4, 3, "image-1.png")]


def test_media_and_images_that_are_omitted_are_named() -> None:
    body = (
        '<p>Song<audio src="a.mp3"><p>no sound</p></audio><video><source src="v.mp4"/></video></p>'
        '<p><img src="https://example.com/y.png"/><img src="gone.png"/></p><iframe src="x.xhtml"></iframe>'
    )
    result = mediakit.document_to_markdown(epub({"a.xhtml": body}))
    assert result.content == "Song"
    assert result.meta["warnings"] == [
        "Linked images that were not loaded: 1.",
        "Images that are missing in the file: 1.",
        "Audio and video that were omitted: 2.",
        "Linked documents that were not loaded: 1.",
    ]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"META-INF/encryption.xml": "<e><EncryptionMethod Algorithm='aes'/></e>"},
            "file: is an EPUB that is protected",
        ),
        ({"EPUB/book.opf": "<package>"}, "file: its part EPUB/book.opf is damaged XML."),
        (
            {"META-INF/container.xml": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'},
            "file: its part META-INF/container.xml declares a DTD, which is not allowed.",
        ),
    ],
)
def test_protected_and_hostile_publications_are_rejected(parts: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.document_to_markdown(epub({"a.xhtml": "<p>a</p>"}, parts))
    assert str(caught.value).startswith(message)


def test_obfuscated_fonts_do_not_protect_the_text() -> None:
    parts = {"META-INF/encryption.xml": "<e><EncryptionMethod Algorithm='http://www.idpf.org/2008/embedding'/></e>"}
    assert markdown(epub({"a.xhtml": "<p>a</p>"}, parts)) == "a"


def test_long_name_of_an_element_does_not_delay_a_page() -> None:
    """Takes hours where each part of a name is tried as the whole one."""
    content = epub({"a.xhtml": f"<p>Before</p><{'a' * 300_000} <br/><p>After</p>"})
    assert "Before" in markdown(content)
