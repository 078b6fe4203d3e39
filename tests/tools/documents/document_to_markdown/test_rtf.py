"""Rich Text Format as Markdown: charsets, styles, lists, fields, notes, tables and images."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.readers.rtf import read
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest

FONTS = r"{\fonttbl{\f0\fcharset0 Calibri;}{\f1\fcharset204 Arial;}{\f2\fcharset128 MS Mincho;}{\f3\fcharset2 Symbol;}}"
STYLES = r"{\stylesheet{\ql Normal;}{\s1 heading 1;}{\s2\outlinelevel2 Mine;}{\s3 Quote;}{\s4 HTML Preformatted;}}"
LISTS = (
    r"{\*\listtable{\list{\listlevel\levelnfc0\levelstartat3{\leveltext\'02\'00.;}}{\listlevel\levelnfc23}\listid77}}"
    r"{\*\listoverridetable{\listoverride\listid77\ls1}}"
)


def rtf(body: str, header: str = "") -> bytes:
    return rf"{{\rtf1\ansi\ansicpg1252\deff0{FONTS}{STYLES}{LISTS}{header}{body}}}".encode("latin-1")


def markdown(body: str, header: str = "", **options: object) -> str:
    return mediakit.document_to_markdown(rtf(body, header), **options).content  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"caf\'e9 \emdash \~x", "café —\xa0x"),
        (r"{\f1\'cf\'f0\'e8}", "При"),
        (r"{\f2\'93\'fa\'96\'7b}", "日本"),
        (r"{\f3 ab}", "αβ"),
        (r"\u8364?\uc2\u-10179??\u-8704??.", "€😀."),
        (r"\u-10179?x", "\ufffdx"),
        (r"\{\}\\", r"{}\\"),
    ],
)
def test_characters_are_decoded(source: str, text: str) -> None:
    assert markdown(rf"\pard {source}\par") == text


def test_marks_are_kept_and_hidden_text_is_not() -> None:
    body = r"\pard a {\b b {\i c}} {\strike d} m{\super 2}{\v secret}\line e\par"
    assert markdown(body) == "a **b _c_** ~~d~~ m<sup>2</sup>  \ne"


def test_styles_are_headings_quotes_and_code() -> None:
    body = (
        r"\pard\s1 \b Tea\b0\par\pard\s2 Cups\par\pard\s3 quoted\par\pard\s4 def f():\par     return 1\par"
        r"\pard\outlinelevel1 Outlined\par"
    )
    assert markdown(body) == "# Tea\n\n### Cups\n\n> quoted\n\n```\ndef f():\n    return 1\n```\n\n## Outlined"


def test_lists_have_their_levels_and_numbers() -> None:
    body = (
        r"\pard\ls1\ilvl0{\listtext 3.\tab}three\par\pard\ls1\ilvl1{\listtext \'b7\tab}inner\par"
        r"\pard\ls1\ilvl0{\listtext 4.\tab}four\par\pard text\par\pard{\pntext 9.\tab}nine\par"
    )
    assert markdown(body) == "3. three\n   - inner\n4. four\n\ntext\n\n9. nine"


def test_bullets_and_numbers_with_a_hanging_indent_are_lists() -> None:
    body = (
        r"\pard\li360\fi-360 1.\tab one\par\pard\li720\fi-360\bullet\tab inner\par\pard\li360\fi-360 2.\tab two\par"
        r"\pard 3.\tab text\par"
    )
    assert markdown(body) == "1. one\n   - inner\n2. two\n\n3\\. text"


def test_fields_are_links_to_addresses_and_bookmarks() -> None:
    body = (
        r'\pard {\field{\*\fldinst HYPERLINK "https://example.com/x"}{\fldrslt {\ul out}}} '
        r'{\field{\*\fldinst HYPERLINK \\l "top"}{\fldrslt in}}\par'
        r"\pard\s1 {\*\bkmkstart top}Green Tea{\*\bkmkend top}\par"
    )
    assert markdown(body) == "[out](https://example.com/x) [in](#green-tea)\n\n# Green Tea"


def test_text_is_read_once_where_a_group_has_it_without_and_with_unicode() -> None:
    assert markdown(r"\pard a {\upr{caf?}{\*\ud{caf\u233?}}} b\par") == "a café b"


def test_text_of_a_group_that_states_no_unicode_text_is_kept() -> None:
    assert markdown(r"\pard a {\upr plain} b {\upr}{\b c}\par") == "a plain b **c**"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (r"{\field{\*\fldinst EQ \\f(1,2)}{\fldrslt half}}", "half"),
        (r"{\field{\*\fldinst EQ \\f(1,2)}{\fldrslt  }}", "1/2"),
        (r"{\field{\*\fldinst EQ \\f(1,2)}}", "1/2"),
        (r"{\v\field{\*\fldinst EQ \\f(1,2)}{\fldrslt }}", ""),
    ],
)
def test_equation_is_read_if_its_field_has_no_result(field: str, shown: str) -> None:
    assert markdown(rf"\pard [{field}]\par").replace(" ", "") == f"[{shown}]"


def test_characters_with_a_phonetic_guide_are_read() -> None:
    guide = r"{\field{\*\fldinst EQ \\* jc2 \\* hps10 \\o\\ad(\\s\\up 9(\u12363?),\u28450?)}{\fldrslt}}"
    assert markdown(rf"\pard \b0 {guide}\u23383?\par") == "漢字"


def test_footnotes_comments_and_headers_are_read_on_request() -> None:
    body = (
        r"{\header\pard Head\par}\pard Text{\footnote\pard {\super\chftn} A note.}"
        r"{\*\atnauthor Ada}{\*\annotation\pard Why?}.\par"
    )
    assert markdown(body) == "Text[^1].\n\n[^1]: A note."
    assert markdown(body, notes=False) == "Text."
    assert markdown(body, comments=True, headers=True) == "Head\n\nText[^1][^c1].\n\n[^1]: A note.\n\n[^c1]: Ada: Why?"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (r"\fftype1\ffres1\ffdefres0", "☒"),
        (r"\fftype1\ffres25\ffdefres1", "☒"),
        (r"\fftype1\ffres0\ffdefres1", "☐"),
        (r"\fftype1{\*\ffname Box}", "☐"),
        (r"\fftype2\ffres2{\*\ffl Bern}{\*\ffl Basel}{\*\ffl Z\'fcrich}", "Zürich"),
        (r"\fftype2\ffres25\ffdefres1{\*\ffl Bern}{\*\ffl Basel}", "Basel"),
        (r"\fftype2\ffres7{\*\ffl Bern}", ""),
        (r"\fftype0{\*\ffdeftext none}", ""),
    ],
)
def test_form_fields_show_their_state(data: str, shown: str) -> None:
    field = rf"{{\field{{\*\fldinst {{FORM}}{{\*\formfield{{{data}}}}}}}{{\fldrslt }}}}"
    assert markdown(rf"\pard [{field}]\par\pard after\par").replace("\\", "") == f"[{shown}]\n\nafter"


def test_table_has_its_header_and_merged_cells() -> None:
    plain = (
        r"\trowd\trhdr\cellx1\cellx2\pard\intbl a\cell b\cell\row"
        r"\trowd\cellx1\cellx2\pard\intbl 1\cell 2\par two\cell\row\pard after\par"
    )
    assert markdown(plain) == "| a | b |\n| --- | --- |\n| 1 | 2<br>two |\n\nafter"
    merged = (
        r"\trowd\clmgf\cellx1\clmrg\cellx2\pard\intbl wide\cell\cell\row"
        r"\trowd\cellx1\cellx2\pard\intbl 1\cell 2\cell\row"
    )
    assert '<td colspan="2">wide</td>' in markdown(merged)


def test_cells_below_a_merged_or_wide_cell_stay_in_their_columns() -> None:
    def row(*cells: tuple[str, str]) -> str:
        edges = "".join(f"{words}" for _, words in cells)
        return rf"\trowd\trleft-108{edges}\pard\intbl " + "".join(rf"{text}\cell " for text, _ in cells) + r"\row "

    table = (
        row(("Offer", r"\cellx3000"))
        + row(("Item", r"\clvmgf\cellx1000"), ("Price", r"\clmgf\cellx2000"), ("", r"\clmrg\cellx3000"))
        + row(("", r"\clvmrg\cellx1000"), ("net", r"\cellx2000"), ("gross", r"\cellx3010"))
        + row(("Tea", r"\cellx1000"), ("on request", r"\cellx3000"))
    )
    rows = [line for line in markdown(table).splitlines() if line.startswith("<tr>")]
    assert rows == [
        '<tr><td colspan="3">Offer</td></tr>',
        '<tr><td rowspan="2">Item</td><td colspan="2">Price</td></tr>',
        "<tr><td>net</td><td>gross</td></tr>",
        '<tr><td>Tea</td><td colspan="2">on request</td></tr>',
    ]


def test_rows_of_other_widths_are_one_plain_table() -> None:
    first = r"\trowd\cellx900\cellx3000\pard\intbl a\cell b\cell\row"
    second = r"\trowd\cellx1500\cellx3000\pard\intbl 1\cell 2\cell\row"
    assert markdown(first + second).endswith("| a | b |\n| 1 | 2 |")


def test_images_are_read_once() -> None:
    file = io.BytesIO()
    Image.new("RGB", (4, 3)).save(file, "PNG")
    png = file.getvalue().hex()
    body = rf"\pard a{{\*\shppict{{\pict\pngblip {png}}}}}{{\nonshppict{{\pict\wmetafile8 0123}}}}\par"
    result = mediakit.document_to_markdown(rtf(body))
    assert result.content == "a![](image-1.png)"
    assert [(image.mime_type, image.width, image.height) for image in result.images] == [("image/png", 4, 3)]


def test_properties_are_read() -> None:
    result = mediakit.document_to_markdown(
        rtf("text", r"{\info{\title A caf\'e9}{\author Ada}{\creatim\yr2020\mo3\dy4\hr5\min6}}")
    )
    assert (result.title, result.author, result.created) == ("A café", "Ada", "2020-03-04T05:06:00")
    assert result.content == "text"


def test_title_is_read_where_the_file_has_it_without_and_with_unicode() -> None:
    header = r"{\info{\upr{\title caf?}{\*\ud\uc1{\title caf\u233?}}}{\author Ada}}"
    result = mediakit.document_to_markdown(rtf("text", header))
    assert (result.title, result.author) == ("café", "Ada")


def test_embedded_objects_and_unknown_destinations_are_omitted() -> None:
    body = r"\pard a{\object{\*\objdata 0105}{\result b}}{\*\unknown c {d}}{\*\bin3 }}}e\par"
    assert markdown(body).startswith("ab")


def test_deep_groups_are_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is nested deeper than 500 levels.$"):
        mediakit.document_to_markdown(b"{\\rtf1" + b"{" * 10_000)


@pytest.mark.parametrize(
    ("font", "source", "text"),
    [
        ("Wingdings", r"\'fe", "☑"),
        ("Wingdings", r"\u-3843 ?", "☒"),
        ("Wingdings 2", r"\'52", "☑"),
        ("Webdings", r"\'61", "✔"),
        ("Symbol", r"\'ae a", "→ α"),
        ("MT Extra", r"\'4b", "K"),
    ],
)
def test_letters_of_symbol_fonts_are_the_symbols_that_they_show(font: str, source: str, text: str) -> None:
    body = rf"\pard {{\f9 {source}}}\par"
    assert markdown(body, rf"{{\fonttbl{{\f9\fnil\fcharset2 {{\*\panose 05}}{font};}}}}") == text


def test_embedded_and_linked_material_is_named() -> None:
    body = (
        r"\pard {\object\objemb{\*\objdata 0105}{\result chart}}{\object\objautlink{\*\objdata 01}{\result sheet}} "
        r'{\field{\*\fldinst INCLUDEPICTURE "a.png" \\d}{\fldrslt }}{\pict\pngblip 123}\par'
    )
    result = mediakit.document_to_markdown(rtf(body))
    assert result.content == "chartsheet"
    assert result.meta["warnings"] == [
        "Embedded files that were omitted: 1.",
        "Linked documents that were not loaded: 1.",
        "Linked images that were not loaded: 1.",
        "Images that are missing in the file: 1.",
    ]


def test_column_without_text_keeps_its_delimiter() -> None:
    row = r"\trowd{}\cellx1\cellx2\cellx3\pard\intbl {}\cell\cell {}\cell\row"
    body = rf"{row.format(chr(92) + 'trhdr', 'name', 'room')}{row.format('', 'Ada', '')}\pard end\par"
    assert markdown(body) == "| name |  | room |\n| --- | --- | --- |\n| Ada |  |  |\n\nend"


TOKENS = st.sampled_from(
    [
        *("{", "}", "\\par ", "\\cell ", "\\row ", "\\trowd ", "\\intbl ", "\\pard ", "\\cellx9 ", "\\clmrg ", "x"),
        *("{\\footnote ", "{\\pict ", "{\\*\\fldinst HYPERLINK ", "{\\fldrslt ", "{\\header ", "{\\shptxt ", "\\u-9 "),
        *("\\'93", "\\bin5 ", "\\f2 ", "{\\fonttbl ", "{\\stylesheet ", "{\\listtext 9.}", "\\ls1 ", "\\ilvl99 "),
        *("\\outlinelevel-5 ", "{\\title ", "{\\creatim ", "\\yr99999 ", "{\\*\\bkmkstart ", "\\s1 ", "\\uc-3 "),
    ]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(TOKENS, max_size=40))
def test_any_sequence_of_tokens_is_read(tokens: list[str]) -> None:
    content = b"{\\rtf1" + "".join(tokens).encode()
    assert read(content, DocumentToMarkdownRequest(content, headers=True, comments=True)).body is not None


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (r"Tom\uc0\u8217 s", "Tom’s"),
        (r"\uc2\u8364??5", "€5"),
        (r"{\u8364}5", "€5"),
        (r"\f1\'cf\f0\'e9", "Пé"),
    ],
)
def test_titles_and_labels_follow_their_own_fonts_and_fallbacks(title: str, text: str) -> None:
    assert mediakit.document_to_markdown(rtf(r"\pard x\par", rf"{{\info{{\title {title}}}}}")).title == text
    heading = markdown(rf"\pard\s1 {{\listtext {title}.\tab}}Tea\par")
    assert heading == f"# {text}. Tea"


def test_a_title_at_the_cut_end_of_a_file_is_read() -> None:
    content = rtf("", r"{\info{\title Tea").rstrip(b"}")
    assert mediakit.document_to_markdown(content).title == "Tea"
