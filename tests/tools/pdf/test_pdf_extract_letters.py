"""Text whose letters are drawn otherwise than they are read: twice, apart without spaces, to the left or downwards."""

from collections.abc import Sequence
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

import mediakit
from mediakit.engines.pdf.reading import What
from tests.support.pdf_kit import saved

HEIGHT = 600
SIZE = 20
WIDE = 0.5
"""Width of the letters of `page`, in sizes of the font."""

IDENTITY = Dictionary(Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0)

Piece = tuple[float, float, str]
"""Left, distance of the baseline from the top of the page, text."""

READINGS: tuple[What, ...] = ("text", "markdown", "words")


def page(pieces: Sequence[Piece], *, encoding: str = "Identity-H", width: float = WIDE, drawing: str = "") -> bytes:
    """Return a PDF that draws pieces of text in their order, with letters of one width."""
    used = sorted({letter for _, _, text in pieces for letter in text})
    codes = {letter: f"{code:04x}" for code, letter in enumerate(used, 1)}
    letters = "\n".join(f"<{codes[letter]}> <{letter.encode('utf-16-be').hex()}>" for letter in used)
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(500, HEIGHT))
    to_unicode = pdf.make_stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Made def /CMapType 2 def\n"
        b"1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        + f"{len(used)} beginbfchar\n{letters}\nendbfchar endcmap end end".encode()
    )
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Made, Flags=4, FontBBox=Array([0, -200, 1000, 800]), ItalicAngle=0,
        Ascent=800, Descent=-200, CapHeight=700, StemV=80,
    )  # fmt: skip
    descendant = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Made, DW=round(1000 * width),
        FontDescriptor=descriptor, CIDSystemInfo=IDENTITY,
    )  # fmt: skip
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Made, Encoding=Name(f"/{encoding}"), ToUnicode=to_unicode,
        DescendantFonts=Array([pdf.make_indirect(descendant)]),
    )  # fmt: skip
    pdf.pages[0].Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))
    content = drawing + "".join(
        f"BT /F {SIZE} Tf {x:.2f} {HEIGHT - y:.2f} Td <{''.join(codes[letter] for letter in text)}> Tj ET\n"
        for x, y, text in pieces
    )
    pdf.pages[0].Contents = pdf.make_stream(content.encode())
    return saved(pdf)


def read(content: bytes, what: What) -> str:
    """Return what is read, with single spaces and without signs of Markdown."""
    result: Any = mediakit.pdf_extract(content, what=what)
    text = " ".join(word.text for word in result.words) if what == "words" else result.content
    return " ".join(text.replace("#", " ").replace("*", " ").split())


def seen(y: float, text: str, left: float = 100) -> list[Piece]:
    """Return the letters of a line as they are seen from left to right, each drawn for itself."""
    return [(left + index * WIDE * SIZE, y, letter) for index, letter in enumerate(text)]


# --- letter spacing ----------------------------------------------------------------------------------------------


def spaced(text: str, spacing: float, *, typed: str = "") -> bytes:
    """Return a PDF with a line of Helvetica that has letter spacing in points, or spaces typed between its letters."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(500, HEIGHT))
    helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    pdf.pages[0].Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(helvetica)))
    plain = "BT /F 12 Tf 50 500 Td (The harbor is open all day.) Tj ET\n"
    line = f"BT /F 12 Tf {spacing} Tc 50 400 Td ({typed.join(text) if typed else text}) Tj ET"
    pdf.pages[0].Contents = pdf.make_stream((plain + line).encode())
    return saved(pdf)


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("spacing", [2, 3, 5, 8])
@pytest.mark.parametrize("text", ["Zephyrina", "Annual Report of Ely", "4111222233334444"])
def test_word_with_letter_spacing_is_read_as_a_word(text: str, spacing: float, what: What) -> None:
    assert read(spaced(text, spacing), what) == f"The harbor is open all day. {text}"


@pytest.mark.parametrize("what", READINGS)
def test_word_with_typed_spaces_between_its_letters_is_read_as_a_word(what: What) -> None:
    assert read(spaced("Zephyrina", 0, typed=" "), what) == "The harbor is open all day. Zephyrina"


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("text", ["A B C D E F G", "1 2 3 4 5", "J. R. R. Tolkien", "x = a + b"])
def test_letters_that_stand_for_themselves_keep_their_spaces(text: str, what: What) -> None:
    assert read(spaced(text, 0), what) == f"The harbor is open all day. {text}"


# --- drawn several times ------------------------------------------------------------------------------------------


TITLE = "Harbor fees of all all ports"


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize(
    "offsets",
    [[(0, 0), (0.5, 0)], [(1.5, 1.5), (0, 0)], [(0.4, 0), (-0.4, 0), (0, 0.4), (0, -0.4), (0, 0)], [(0, 0), (0, 0)]],
    ids=["bold", "shadow", "outline", "same place"],
)
def test_line_that_is_drawn_several_times_is_read_once(offsets: list[tuple[float, float]], what: What) -> None:
    title = [(50 + x, 80 + y, TITLE) for x, y in offsets]
    assert read(page([*title, (50, 140, "It was very very long.")]), what) == f"{TITLE} It was very very long."


@pytest.mark.parametrize("what", READINGS)
def test_letters_that_are_each_drawn_twice_are_read_once(what: What) -> None:
    twice = [(x + shift, y, letter) for x, y, letter in seen(80, "Moor book keeper") for shift in (0, 0.4)]
    assert read(page([*twice, (100, 140, "aardvark llama")]), what) == "Moor book keeper aardvark llama"


@pytest.mark.parametrize("what", READINGS)
def test_words_that_are_each_drawn_twice_are_read_once(what: What) -> None:
    words = [(50.0, "North"), (120.0, "wind"), (180.0, "rises")]
    pieces = [(x + shift, 80.0, word) for x, word in words for shift in (0, 0.6)]
    assert read(page(pieces), what) == "North wind rises"


def test_cells_that_are_drawn_twice_are_read_once() -> None:
    rows = [("Port", "Ships"), ("Emden", "120"), ("Husum", "34"), ("Kiel", "911")]
    pieces: list[Piece] = []
    for index, row in enumerate(rows):
        for x, text in zip((50, 250), row, strict=True):
            pieces += [(x + shift, 80 + 30 * index, text) for shift in ((0, 0.5) if index == 0 else (0,))]
    (table,) = mediakit.pdf_extract(page(pieces), what="tables").tables
    assert table.rows == [list(row) for row in rows]


@pytest.mark.parametrize("what", ["text", "words"])
def test_letter_that_other_text_covers_is_kept(what: What) -> None:
    assert "Potato" in read(page([(50, 80, "Page one of"), (50, 80, "Potato")]), what)


# --- spaces -------------------------------------------------------------------------------------------------------


def words_apart(text: str, gap: float, tracking: float = 0.0) -> list[Piece]:
    """Return the letters of words without spaces, whose distance is a share of the size."""
    pieces, x = [], 50.0
    for letter in text:
        if letter == " ":
            x += gap * SIZE
            continue
        pieces.append((x, 80.0, letter))
        x += (WIDE + tracking) * SIZE
    return pieces


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize(
    ("text", "gap", "tracking"),
    [
        ("서울역에서 버스를 타고 갑니다.", 0.3, 0.0),
        ("우리는 KTX 표를 샀다", 0.25, 0.0),
        ("작은 집", 0.3, 0.0),
        ("자간이 넓은 제목입니다", 0.5, 0.2),
        ("자간이 좁은 문장입니다", 0.3, -0.05),
        ("ქართული ენა", 0.3, 0.0),
        ("tỉ lệ thế kỷ", 0.3, 0.0),
    ],
)
def test_words_that_are_only_apart_have_spaces(text: str, gap: float, tracking: float, what: What) -> None:
    assert read(page(words_apart(text, gap, tracking)), what) == text


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("text", ["天気予報は晴れです", "星期六上午九点", "대한민국헌법"])
def test_letters_that_are_evenly_spaced_have_no_spaces(text: str, what: What) -> None:
    assert read(page(words_apart(text, 0, 0.15)), what) == text


# --- right to left ------------------------------------------------------------------------------------------------

LINES = [
    ("תליא 2031 תנשב הנבנ רשגה", "הגשר נבנה בשנת 2031 אילת"),
    ("?רחמ חותפ קושה םאה", "האם השוק פתוח מחר?"),
    (".04-8765432-ב Anna Berg לא ורשקתה", "התקשרו אל Anna Berg ב-04-8765432."),
    ("!₪12.50 וא 30% לש החנה", "הנחה של 30% או ₪12.50!"),
    (".(היינש הרודהמ) הפמ התארה איה", "היא הראתה מפה (מהדורה שנייה)."),
    ("؟2031 ماع يف رسجلا ينب له", "هل بني الجسر في عام 2031؟"),
    ("(ابيرقت) افيض ٤٥ لصو", "وصل ٤٥ ضيفا (تقريبا)"),
]
"""What is seen from left to right, and what is read."""


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("order", ["seen", "read"])
@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_line_that_runs_to_the_left_is_read_in_logical_order(line: str, wanted: str, order: str, what: What) -> None:
    letters = seen(80, line)
    if order == "read":  # from right to left, as a program writes that moves the pen by itself
        letters.reverse()
    assert read(page(letters), what) == wanted


@pytest.mark.parametrize("what", READINGS)
def test_line_that_runs_to_the_left_is_read_in_logical_order_if_drawn_at_once(what: What) -> None:
    line, wanted = LINES[2]
    assert read(page([(100, 80, line)]), what) == wanted


@pytest.mark.parametrize("what", READINGS)
def test_hebrew_words_in_an_english_line_keep_the_line_in_order(what: What) -> None:
    line = "The sign says (םולש) twice, in 1987."
    assert read(page([(20, 80, line), (20, 140, "It is old and it is green.")]), what).startswith(
        "The sign says (שלום) twice, in 1987."
    )


@pytest.mark.parametrize("what", READINGS)
def test_arabic_letters_are_read_without_their_forms(what: What) -> None:
    assert read(page(seen(80, "ﺔﻴﺑﺮﻌﻟﺍ")), what) == "العربية"


@pytest.mark.parametrize("what", READINGS)
def test_arabic_ligature_of_a_printed_page_is_read_in_its_order(what: What) -> None:
    made = mediakit.pdf('<p dir="rtl">السعر دولار أو أكثر</p>')
    assert read(made.content, what) == "السعر دولار أو أكثر"


def test_cells_with_hebrew_are_read_in_logical_order() -> None:
    rows = [("ריחמ", "תומכ", "רואת"), ("12.50", "3", "G2 Pilot טע"), ("7.90", "12", "A4 תרבחמ"), ("1.20", "8", "קחמ")]
    pieces = [
        (x, 80 + 30 * index, text)
        for index, row in enumerate(rows)
        for x, text in zip((50, 150, 250), row, strict=True)
    ]
    (table,) = mediakit.pdf_extract(page(pieces), what="tables").tables
    assert table.rows == [
        ["מחיר", "כמות", "תאור"],
        ["12.50", "3", "עט G2 Pilot"],
        ["7.90", "12", "מחברת A4"],
        ["1.20", "8", "מחק"],
    ]


def test_tagged_lines_that_run_to_the_left_are_read_in_logical_order() -> None:
    html = """<html lang="he" dir="rtl"><h1>המפה (שלנו) משנת 1923 נמצאה</h1>
    <p>כתבו אל <b>Anna Berg</b> עד 30 במאי. האם יש 5% הנחה?</p>
    <table><tr><th>שם</th><th>כמות</th></tr><tr><td>עט Lamy Safari</td><td>5</td></tr></table></html>"""
    made = mediakit.pdf(html, tagged=True).content
    assert mediakit.pdf_extract(made, what="markdown").content == (
        "# המפה (שלנו) משנת 1923 נמצאה\n\n"
        "כתבו אל **Anna Berg** עד 30 במאי. האם יש 5% הנחה?\n\n"
        "| שם | כמות |\n| --- | --- |\n| עט Lamy Safari | 5 |"
    )


# --- vertical writing ---------------------------------------------------------------------------------------------

POEM = ["山の上に月が出て", "川の水が光り", "夜の町は静か", "。"]


def placed_columns(columns: Sequence[str], step: float = 22, pitch: float = 32) -> list[Piece]:
    """Return the letters of columns, the first one at the right, each drawn for itself."""
    return [
        (420 - pitch * place, 80 + step * index, letter)
        for place, column in enumerate(columns)
        for index, letter in enumerate(column)
    ]


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize(("step", "pitch"), [(20, 26), (22, 32), (28, 50)])
def test_letters_in_columns_are_read_downwards(step: float, pitch: float, what: What) -> None:
    text = read(page(placed_columns(POEM, step, pitch), width=1), what)
    assert text.replace(" ", "") == "".join(POEM)


@pytest.mark.parametrize("what", READINGS)
@pytest.mark.parametrize("order", ["rows", "left column first"])
def test_letters_in_columns_are_read_downwards_in_whatever_order_they_are_drawn(order: str, what: What) -> None:
    pieces = placed_columns(POEM)
    pieces.sort(key=lambda piece: (piece[1], piece[0]) if order == "rows" else (piece[0], piece[1]))
    assert read(page(pieces, width=1), what).replace(" ", "") == "".join(POEM)


@pytest.mark.parametrize("what", READINGS)
def test_font_that_writes_downwards_is_read_in_columns_from_the_right(what: What) -> None:
    pieces = [(420 - 32 * place, 80, column) for place, column in enumerate(POEM)]
    assert read(page(pieces, encoding="Identity-V", width=1), what).replace(" ", "") == "".join(POEM)


@pytest.mark.parametrize("what", READINGS)
def test_title_above_and_number_below_columns_keep_their_places(what: What) -> None:
    pieces = [(240, 560, "17"), *placed_columns(POEM), (100, 40, "月の詩三編より")]
    assert read(page(pieces, width=1), what).replace(" ", "") == "".join(["月の詩三編より", *POEM, "17"])


@pytest.mark.parametrize("what", READINGS)
def test_upper_columns_are_read_before_lower_ones(what: What) -> None:
    upper = ["山の上に月が出ている", "川の水が光っている", "夜の町は静かである", "人は家で眠っている"]
    lower = [column[::-1] for column in upper]
    pieces = [(420 - 32 * place, y, text) for y, tier in ((60, upper), (330, lower)) for place, text in enumerate(tier)]
    text = read(page(pieces, encoding="Identity-V", width=1), what)
    assert text.replace(" ", "") == "".join([*upper, *lower])


@pytest.mark.parametrize("what", READINGS)
def test_signs_in_columns_are_read_without_their_forms(what: What) -> None:
    assert (
        read(page(placed_columns(["彼は﹁そうだ﹂", "と言った︒"]), width=1), what).replace(" ", "")
        == "彼は「そうだ」と言った。"
    )


@pytest.mark.parametrize("what", READINGS)
def test_number_upright_in_a_column_is_read_in_its_place(what: What) -> None:
    column = [(420.0, 80.0, "春"), (420, 102, "の"), (420, 124, "12"), (420, 146, "日"), (420, 168, "目")]
    assert (
        read(page([*column, (388, 80, "次"), (388, 102, "の"), (388, 124, "日")]), what).replace(" ", "")
        == "春の12日目次の日"
    )


@pytest.mark.parametrize("what", READINGS)
def test_lines_of_letters_that_are_apart_are_read_across(what: What) -> None:
    lines = [
        (60 + 26 * index, 80 + 60 * row, letter)
        for row, line in enumerate(POEM[:3])
        for index, letter in enumerate(line)
    ]
    assert read(page(lines, width=1), what).replace(" ", "") == "".join(POEM[:3])


def test_words_of_columns_have_their_boxes_on_the_page() -> None:
    words = mediakit.pdf_extract(page(placed_columns(POEM), width=1), what="words").words
    assert [word.text for word in words] == POEM
    assert (words[0].x0, words[0].x1) == pytest.approx((420, 440), abs=2)
    assert words[0].y1 - words[0].y0 == pytest.approx(8 * 22, abs=5)
