"""The tool `text_repair`."""

from pathlib import Path

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import CITIES, LANDSCAPE

SPANISH = "Málaga: ¡el mar más cálido!\nCádiz y La Viña\nLogroño, jamón y una noche\n"


def test_legacy_charset_becomes_utf_8() -> None:
    result = mediakit.text_repair(SPANISH.encode("cp1252"))
    assert result.content == SPANISH.encode()
    assert (result.encoding, result.changes, result.had_bom) == ("windows-1252", [], False)
    assert (result.filename, result.mime_type) == ("text.txt", "text/plain; charset=utf-8")


def test_sample_keeps_name_and_gets_lf() -> None:
    result = mediakit.text_repair(CITIES)
    assert (result.filename, result.newlines) == ("cities.txt", {"lf": 0, "crlf": 6, "cr": 0})
    assert "Gijón: sidra a 3 € la botella – «la mejor del año»\n" in result.text
    assert "\r" not in result.text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "iso2022_jp"])
def test_unicode_and_escape_charsets_are_decoded(encoding: str) -> None:
    text = "こんにちは世界、ようこそ\n" if encoding == "iso2022_jp" else SPANISH
    assert mediakit.text_repair(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        ("Съешь же ещё этих мягких французских булок, да выпей чаю\n", "koi8-r", "koi8-r"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю\n", "cp866", "ibm866"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy\n", "cp1250", "windows-1250"),
        ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία\n", "cp1253", "windows-1253"),
        ("色は匂へど散りぬるを我が世誰ぞ常ならむ\n", "euc_jp", "euc-jp"),
        ("天地玄黄宇宙洪荒日月盈昃辰宿列张\n", "gb18030", "gb18030"),
    ],
)
def test_charset_of_short_text_is_detected(text: str, encoding: str, name: str) -> None:
    result = mediakit.text_repair(text.encode(encoding))
    assert (result.text, result.encoding) == (text, name)


def test_ascii_is_utf_8() -> None:
    result = mediakit.text_repair(b"plain\n")
    assert (result.encoding, result.confidence, result.alternatives) == ("utf-8", 1.0, [])


def test_declared_charset_of_xml_is_used() -> None:
    text = '<?xml version="1.0" encoding="iso-8859-5"?><a>Дом</a>'
    result = mediakit.text_repair(text.encode("iso8859-5"))
    assert (result.text, result.encoding) == (text, "iso-8859-5")


def test_alternatives_have_a_line_that_differs() -> None:
    result = mediakit.text_repair(SPANISH.encode("cp1252"))
    assert 0 < len(result.alternatives) <= 3
    assert all(one["encoding"] != "windows-1252" and one["sample"] not in SPANISH for one in result.alternatives)


def test_given_encoding_is_used() -> None:
    assert mediakit.text_repair("Дом".encode("cp1251"), encoding="windows-1251").text == "Дом"


def test_invalid_byte_of_given_encoding_is_refused_with_its_offset() -> None:
    with pytest.raises(InvalidInput, match=r"^file: byte 0x81 at 2 is not windows-1252; set encoding"):
        mediakit.text_repair(b"ab\x81", encoding="windows-1252")


def test_invalid_bytes_of_given_encoding_are_replaced_when_forced() -> None:
    result = mediakit.text_repair(b"ab\x81\x8d", encoding="windows-1252", fix="always")
    assert (result.text, result.replaced) == ("ab\ufffd\ufffd", 2)
    assert result.meta["warnings"] == ["2 bytes are not windows-1252 and were replaced by U+FFFD."]


def test_unknown_encoding_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match=r'^encoding: "windos-1252" is not known; did you mean "windows-1252"\?$'):
        mediakit.text_repair(b"a", encoding="windos-1252")


def test_image_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidInput, match=r"^file: must be text, got a JPEG image\.$"):
        mediakit.text_repair(LANDSCAPE)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("CafÃ© MÃ¼ller", "Café Müller"),
        ("â€œquotedâ€\x9d", "“quoted”"),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", "Привет"),
        ("CafÃƒÂ©", "Café"),
    ],
)
def test_wrongly_decoded_text_is_repaired(wrong: str, right: str) -> None:
    assert mediakit.text_repair(text=wrong).text == right


@pytest.mark.parametrize(
    "text", ["Café Müller", "ÉCOLE", "Ã", "5×£3", "naïve – “yes”", "AHÅ™, a sofa", "👩‍👩‍👧 می‌خواهم"]
)
def test_right_text_is_unchanged(text: str) -> None:
    result = mediakit.text_repair(text=text)
    assert (result.text, result.changes) == (text, [])


def test_changes_name_words_and_lines() -> None:
    result = mediakit.text_repair(text="fine\nCafÃ© and MÃ¼ller")
    assert result.changes == [
        {"kind": "encoding", "before": "CafÃ©", "after": "Café", "line": 2},
        {"kind": "encoding", "before": "MÃ¼ller", "after": "Müller", "line": 2},
    ]


def test_no_repair_is_made_when_turned_off() -> None:
    assert mediakit.text_repair(text="CafÃ©", fix="none").text == "CafÃ©"


def test_forced_repair_changes_what_is_merely_possible() -> None:
    text = "AHÅ™, the new sofa"
    assert mediakit.text_repair(text=text).text == text
    assert mediakit.text_repair(text=text, fix="always").text == "AHř, the new sofa"


def test_controls_are_removed_by_name() -> None:
    result = mediakit.text_repair(text="a\0b\u202ec\ufeffd\u200be\tf")
    assert result.text == "abcde\tf"
    assert [change["before"] for change in result.changes] == [
        "U+0000 NULL",
        "U+202E RIGHT-TO-LEFT OVERRIDE",
        "U+FEFF ZERO WIDTH NO-BREAK SPACE",
        "U+200B ZERO WIDTH SPACE",
    ]
    assert result.bidi_controls == 1


def test_controls_are_kept_on_request() -> None:
    result = mediakit.text_repair(text="a\u202eb", controls="keep")
    assert (result.text, result.bidi_controls) == ("a\u202eb", 1)


@pytest.mark.parametrize(
    ("options", "content"),
    [
        ({}, b"a\nb\nc\n"),
        ({"newline": "crlf"}, b"a\r\nb\r\nc\r\n"),
        ({"newline": "keep"}, b"a\r\nb\rc\n"),
        ({"bom": True}, b"\xef\xbb\xbfa\nb\nc\n"),
    ],
)
def test_line_breaks_and_mark_are_written(options: dict[str, str], content: bytes) -> None:
    result = mediakit.text_repair(b"a\r\nb\rc\n", **options)  # type: ignore[arg-type]
    assert (result.content, result.newlines) == (content, {"lf": 1, "crlf": 1, "cr": 1})


def test_unicode_quotes_and_trailing_spaces_are_normalized() -> None:
    result = mediakit.text_repair(text="“e\u0301”  \nﬁ \t", unicode="nfkc", quotes="straight", trim=True)
    assert result.text == '"é"\nfi'
    assert {change["kind"] for change in result.changes} == {"unicode", "quotes", "trim"}


def test_many_changes_are_counted_and_cut() -> None:
    result = mediakit.text_repair(text="CafÃ©\n" * 150)
    assert (len(result.changes), result.text.count("Café")) == (100, 150)
    assert result.meta["warnings"] == ["changes lists the first 100 of 150 changes."]


def test_exactly_one_source_is_required() -> None:
    with pytest.raises(InvalidInput, match="exactly one"):
        mediakit.text_repair()
    with pytest.raises(InvalidInput, match="exactly one"):
        mediakit.text_repair(b"a", text="b")


def test_notebook_view_marks_changes_and_escapes() -> None:
    html = mediakit.text_repair(text="<b> CafÃ© a\u202eb")._repr_mimebundle_()[0]["text/html"]
    assert "&lt;b&gt; <mark" in html
    assert ">Café</mark>" in html
    assert "U+202E RIGHT-TO-LEFT OVERRIDE</del>" in html


def test_result_is_a_file_and_a_text(tmp_path: Path) -> None:
    result = mediakit.text_repair(SPANISH.encode("cp1252"))
    assert result.save(tmp_path / "out.txt").read_text("utf-8") == SPANISH == str(result)


def test_language_decides_between_charsets() -> None:
    content = "Zażółć gęślą jaźń\n".encode("iso8859-2")
    assert mediakit.text_repair(content, language="pl").text == "Zażółć gęślą jaźń\n"
