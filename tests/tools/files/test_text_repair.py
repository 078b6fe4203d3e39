"""The tool `text_repair`."""

from pathlib import Path
from typing import Literal

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


@pytest.mark.parametrize(
    "text",
    [
        "Ã is a letter of Portuguese",
        "The letters Ã and Â have accents",
        "Î is Greek to me, but Romanian to others",
        "a â b, â c",
        "“Ã ” in quotes",
    ],
)
def test_lone_letter_before_a_space_is_unchanged(text: str) -> None:
    result = mediakit.text_repair(text=text)
    assert (result.text, result.changes) == (text, [])


def test_lone_letter_before_a_space_is_repaired_beside_certain_signs() -> None:
    assert mediakit.text_repair(text="voilÃ  le dÃ©jÃ  vu").text == "voilà le déjà vu"
    assert mediakit.text_repair(text="Ã la carte\nCafÃ©").text == "à la carte\nCafé"


def test_controls_of_latin_1_are_those_of_windows() -> None:
    assert mediakit.text_repair(text="\x93one\x94 \x96 two").text == "“one” – two"


ENGLISH = "A plain line of English."
RUSSIAN = "Вчера мы ходили в лес за грибами,\nи принесли полную корзину."
MISREAD = [
    (RUSSIAN, "cp1251", "latin-1"),
    (RUSSIAN, "koi8-r", "latin-1"),
    (RUSSIAN, "cp866", "latin-1"),
    ("Η Αθήνα είναι η πρωτεύουσα της Ελλάδας", "cp1253", "cp1252"),
    ("Київ є столицею України, а Львів лежить на заході", "cp1251", "cp1252"),
    ("ירושלים היא עיר הבירה של ישראל", "cp1255", "latin-1"),
    ("القاهرة مدينة كبيرة في مصر", "cp1256", "latin-1"),
]


@pytest.mark.parametrize("fix", ["auto", "always"])
@pytest.mark.parametrize(("text", "charset", "read_as"), MISREAD)
def test_other_script_that_was_read_as_latin_letters_is_repaired(
    text: str, charset: str, read_as: str, fix: Literal["auto", "always"]
) -> None:
    result = mediakit.text_repair(text=f"{ENGLISH}\n{text.encode(charset).decode(read_as)}", fix=fix)
    assert result.text == f"{ENGLISH}\n{text}"
    assert "as its letters show; it was repaired." in result.meta["warnings"][0]
    assert {change["kind"] for change in result.changes} == {"encoding"}


@pytest.mark.parametrize(
    ("text", "charset", "read_as"),
    [
        ("Vyšší škola žije, dívčí gymnázium čeká", "cp1250", "cp1252"),
        ("Mąż poszedł do sklepu, żeby kupić świeży chleb", "cp1250", "latin-1"),
        ("Şişli'de çiğ köfte yiyen ağır işçi", "cp1254", "cp1252"),
        ("Žalias ąžuolas ir šilta žemė", "cp1257", "cp1252"),
        ("Die Bären müssen für das Frühstück größere Töpfe nehmen", "cp1252", "cp850"),
        ("L'élève a été très étonné par la leçon de français", "cp1252", "mac-roman"),
        ("La señora mayor también comió piñas mañana", "cp850", "cp1252"),
        ("Die Bären müssen für das Frühstück größere Töpfe nehmen", "cp1252", "cp1251"),
        (RUSSIAN, "koi8-r", "cp1251"),
        (RUSSIAN, "cp1251", "koi8-r"),
        (RUSSIAN, "cp866", "cp1251"),
        (RUSSIAN, "cp1251", "mac-roman"),
    ],
)
def test_forced_repair_exchanges_charsets_of_single_bytes(text: str, charset: str, read_as: str) -> None:
    assert mediakit.text_repair(text=text.encode(charset).decode(read_as), fix="always").text == text


@pytest.mark.parametrize(
    "text",
    [
        "L'élève a été très étonné par la leçon de français à Orléans",
        "Polynésie française\nAzerbaïdjan\nMayotte",
        "Die Bären müssen für das Frühstück größere Töpfe nehmen",
        "São Paulo não é a capital do país, mas é a maior cidade",
        "Það er gott að búa á Íslandi, þótt kalt sé",
        "Şişli'de çiğ köfte yiyen ağır işçi",
        "Vyšší škola žije, dívčí gymnázium čeká",
        "Đường phố Hà Nội rất đông người vào buổi sáng",
        RUSSIAN,
        "北京是中国的首都，上海是最大的城市",
        "π ≈ 3.14159, ∑ x² ≤ ∞, 5 × £3 ± €2",
    ],
)
@pytest.mark.parametrize("fix", ["auto", "always"])
def test_right_text_of_any_language_is_unchanged(text: str, fix: Literal["auto", "always"]) -> None:
    result = mediakit.text_repair(text=text, fix=fix)
    assert (result.text, result.changes, result.meta["warnings"]) == (text, [], [])


@pytest.mark.parametrize("text", ["ÉÈÊË ÀÂÄ ÎÏ ÔÖ ÙÛÜ Ç", "àáâãäåæçèéêëìíîïðñòóôõö", "ÀÁÂÃÄÅ", "Ïðèâåò"])
def test_lists_of_letters_and_single_words_are_unchanged(text: str) -> None:
    assert mediakit.text_repair(text=text).text == text


# --- two charsets in one file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["latin-1", "cp1252", "cp437", "cp850", "mac-roman"])
def test_lines_of_utf_8_and_of_another_charset_are_each_read_as_such(second: str) -> None:
    lines = ["Überall blüht es", "Die Äpfel sind süß und schön", "plain", "Zwölf Boxkämpfer"]
    content = b"".join(f"{line}\r\n".encode(second if line.startswith("Die") else "utf-8") for line in lines)
    result = mediakit.text_repair(content)
    assert result.text.splitlines() == lines
    assert result.encoding == "utf-8"
    (warning,) = result.meta["warnings"]
    assert warning.startswith("Line 2 is in ")
    assert warning.endswith(", and the others in utf-8; each was decoded as such.")


@pytest.mark.parametrize(
    ("unicode", "other", "second"),
    [
        ("Ελλάδα\n", "Το βιβλίο είναι καλό\n", "cp1253"),
        ("Привет\n", "Большая собака спит у дома\n", "cp866"),
        ("Žluťoučký kůň\n", "Děti šly do školy, příště půjdou dřív\n", "cp1250"),
        ("日本語\n", "今日はとても良い天気ですね\n", "shift_jis"),
        ("name;café;", "crème brûlée\n", "cp1252"),
        ("crème\n", "“quoted” – it’s 5 €\n", "cp1252"),
    ],
)
def test_second_charset_is_found_by_its_letters(unicode: str, other: str, second: str) -> None:
    assert mediakit.text_repair(unicode.encode() + other.encode(second)).text == unicode + other


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Лі\nМої\nДії Київ\nїжак і кіт\n", "cp1251"),
        ("сок\nцел\nрад\nфон\nКак дела\n", "cp866"),
        ("模\n新\n年度\n报告\n", "gbk"),
        ("Größe\nMüller\nSöhne\n", "cp1252"),
    ],
)
def test_lines_that_are_valid_utf_8_by_chance_are_read_as_the_others(text: str, charset: str) -> None:
    assert mediakit.text_repair(text.encode(charset)).text == text


@pytest.mark.parametrize(
    ("first", "second"), [("cp1252", "cp437"), ("cp1252", "mac-roman"), ("cp1250", "cp852"), ("cp437", "cp1252")]
)
def test_lines_of_two_charsets_of_single_bytes_are_warned_of(first: str, second: str) -> None:
    text = "Příště přijdou žáci včas\n" if first == "cp1250" else "Größere Äpfel für Bären\n"
    warnings = mediakit.text_repair((text * 3).encode(first) + text.encode(second)).meta["warnings"]
    assert any(warning.startswith("Line 4 is not like text in ") for warning in warnings)


# --- zero bytes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"name;city\nAda;London\n\0", "name;city\nAda;London\n"),
        (b"name;city\nAda;London\n" + bytes(4000), "name;city\nAda;London\n"),
        (b"Ada\0\0\0\0\0London\0\0\n", "AdaLondon\n"),
        ("Zoë\0Müller\n".encode(), "ZoëMüller\n"),
        ("Zoë\0Müller\nGrößer\n".encode("cp1252"), "ZoëMüller\nGrößer\n"),
        (b"Abc\0", "Abc"),
        (b"plain\n" + "appended\n".encode("utf-16-le"), "plain\nappended\n"),
    ],
)
def test_zero_bytes_in_a_text_are_removed_and_listed(content: bytes, text: str) -> None:
    result = mediakit.text_repair(content)
    assert result.text == text
    assert all(change["before"].startswith("U+0000 NULL") for change in result.changes)
    assert len(result.changes) > 0
    assert mediakit.text_repair(content, controls="keep").text.replace("\0", "") == text


def test_zero_bytes_in_a_row_are_one_change() -> None:
    result = mediakit.text_repair(b"a" + bytes(1500) + b"b\0c")
    assert [change["before"] for change in result.changes] == ["U+0000 NULL (1,500 times)", "U+0000 NULL"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_utf_16_and_utf_32_without_a_mark_have_no_zero_bytes_to_remove(encoding: str) -> None:
    result = mediakit.text_repair("Ünicode, plain and short\n".encode(encoding))
    assert (result.text, result.changes) == ("Ünicode, plain and short\n", [])


@pytest.mark.parametrize("content", [bytes(8), b"\0\n\0", b"\0\1\2\3binary\0\x8f\x02\x9d\0", b"MZ\x90\0\3\0\0\0\4\0"])
def test_binary_file_with_zero_bytes_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^file: must be text, got "):
        mediakit.text_repair(content)


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


def test_text_is_the_first_argument_unless_it_names_a_file(tmp_path: Path) -> None:
    assert mediakit.text_repair("FranÃ§ois").text == "François"
    assert mediakit.text_repair("Test").text == "Test"
    file = tmp_path / "names.txt"
    file.write_text("Ada", "utf-8")
    assert mediakit.text_repair(str(file)).text == "Ada"
    with pytest.raises(InvalidInput, match=r'there is no file "missing\.txt"'):
        mediakit.text_repair("missing.txt")
