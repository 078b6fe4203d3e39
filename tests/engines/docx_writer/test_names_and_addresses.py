"""Addresses of links, names of bookmarks, and XML: what Word accepts."""

import pytest
from lxml import etree

from mediakit.engines.docx_writer.addresses import MAX_CHARACTERS, clean_address
from mediakit.engines.docx_writer.bookmarks import Bookmarks
from mediakit.engines.docx_writer.xml_tree import Element, to_xml


@pytest.mark.parametrize(
    ("address", "cleaned"),
    [
        ("https://e.org/a b?c=d&e=[f]#g#h", "https://e.org/a%20b?c=d&e=%5Bf%5D#g%23h"),
        ("https://e.org/100%", "https://e.org/100%25"),
        ("https://e.org/%C3%A4", "https://e.org/%C3%A4"),
        ("https://ü.de/ä?q=ß", "https://xn--tda.de/%C3%A4?q=%C3%9F"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        (" mailto:a@b.org\n", "mailto:a@b.org"),
        ("notes/a.md", "notes/a.md"),
        ("http://[::1", None),
        ("http://", None),
        ("https://e.org:99999/", None),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ('https://e"vil.org/', None),
        ("https://e.org/" + "x" * MAX_CHARACTERS, None),
        ("", None),
    ],
)
def test_addresses_are_ascii_or_refused(address: str, cleaned: str | None) -> None:
    assert clean_address(address) == cleaned


def test_names_of_bookmarks_are_valid_and_unique() -> None:
    bookmarks = Bookmarks()
    names = [bookmarks.name_of(anchor) for anchor in ("a-b", "A_b", "1", "", "💡", "x" * 50, "x" * 60, "überblick")]

    assert names == ["a_b", "A_b_2", "a_1", "section", "section_2", "x" * 40, "x" * 38 + "_2", "überblick"]
    assert bookmarks.name_of("a-b") == "a_b"


def test_xml_keeps_text_and_drops_characters_that_xml_does_not_allow() -> None:
    text = "a\0\x0b<&>\r\n\ud800\uffff🎉 "
    root = etree.fromstring(to_xml(Element("w:t", {"w:a": '"\t\n<' + text}, text=text), {"w": "urn:w"}))

    assert root.text == "a<&>\r\n🎉 "
    assert root.get("{urn:w}a") == '"\t\n<a<&>\r\n🎉 '
