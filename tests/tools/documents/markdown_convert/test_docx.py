"""`markdown_convert` to DOCX: what python-docx reads, what Word requires, and input that could break a document."""

import base64
import io
import re
import zipfile
from typing import Any

import docx
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import GUIDE_MARKDOWN
from tests.conftest import Api
from tests.support.docx_rules import DocxFile, M, W, problems

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def convert(markdown: str, **options: Any) -> bytes:
    content: bytes = mediakit.markdown_convert(markdown, to="docx", **options).content
    assert problems(content) == []
    return content


def read(markdown: str, **options: Any) -> Any:
    return docx.Document(io.BytesIO(convert(markdown, **options)))


def styles(markdown: str, **options: Any) -> list[tuple[str, str]]:
    return [(each.style.name, each.text) for each in read(markdown, **options).paragraphs]


def png(width: int, height: int, kind: str = "png") -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "#3366cc").save(buffer, kind)
    return f"data:image/{kind};base64,{base64.b64encode(buffer.getvalue()).decode()}"


@pytest.mark.parametrize("theme", ["plain", "report", "github"])
def test_guide_has_real_styles_in_every_theme(theme: str) -> None:
    found = dict(reversed(styles(GUIDE_MARKDOWN, theme=theme, toc=True, numbered=True, page_numbers=True)))

    assert {"Title", "Subtitle", "Heading 2", "Heading 3", "List Number", "List Bullet", "Source Code", "Quote"} <= set(
        found
    )
    assert found["Title"] == "Surveying a mountain lake"
    assert found["Subtitle"] == "Mira Holm · 2026-05-14"


def test_each_block_has_its_style() -> None:
    text = "# A\n\n###### F\n\nb\n\n> q\n\n- x\n\n1. y\n\n---\n\n```\ncode\n```\n\nT\n: D\n\n> [!TIP]\n> help\n"

    assert styles(text) == [
        ("Heading 1", "A"),
        ("Heading 6", "F"),
        ("Normal", "b"),
        ("Quote", "q"),
        ("List Bullet", "x"),
        ("List Number", "y"),
        ("Horizontal Line", ""),
        ("Source Code", "code"),
        ("Definition Term", "T"),
        ("Definition", "D"),
        ("Alert Tip Title", "Tip"),
        ("Alert Tip", "help"),
    ]


def test_inline_formats_are_run_properties() -> None:
    text = "**b** *i* ~~s~~ `c` <u>u</u> x<sup>2</sup> H<sub>2</sub> <kbd>K</kbd> <mark>m</mark>"
    runs = {run.text: run for run in read(text).paragraphs[0].runs}

    assert (runs["b"].bold, runs["i"].italic, runs["s"].font.strike) == (True, True, True)
    assert (runs["u"].underline, runs["m"].font.highlight_color is not None) == (True, True)
    assert (runs["c"].style.name, runs["K"].style.name) == ("Verbatim Char", "HTML Keyboard")
    assert [runs["2"].font.superscript, runs["2"].font.subscript].count(True) == 1
    assert read(text).paragraphs[0].text == "b i s c u x2 H2 K m"


def test_links_are_hyperlinks_with_cleaned_addresses() -> None:
    text = (
        '[a](https://e.org/x?y=[1] "Tip") [b](mailto:a@b.org) [c](#top-ic) [d](#nowhere) <https://ü.de/ä>\n\n# Top ic'
    )
    paragraph = read(text).paragraphs[0]

    assert [(link.text, link.address, link.fragment) for link in paragraph.hyperlinks] == [
        ("a", "https://e.org/x?y=%5B1%5D", ""),
        ("b", "mailto:a@b.org", ""),
        ("c", "", "top_ic"),
        ("https://ü.de/ä", "https://xn--tda.de/%C3%A4", ""),
    ]
    assert paragraph.text == "a b c d https://ü.de/ä"


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("https://e.org/a b?c=d&e=[f]#g#h", "https://e.org/a%20b?c=d&e=%5Bf%5D#g%23h"),
        ("https://e.org/100%", "https://e.org/100%25"),
        ("https://e.org/%C3%A4", "https://e.org/%C3%A4"),
        ("https://ü.de/ä?q=ß", "https://xn--tda.de/%C3%A4?q=%C3%9F"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        (" mailto:a@b.org\n", "mailto:a@b.org"),
        ("notes/a.md", "notes/a.md"),
        ("https://e.org/" + "x" * 1986, "https://e.org/" + "x" * 1986),
    ],
)
def test_addresses_are_stored_as_ascii_uris(address: str, stored: str) -> None:
    (link,) = read(f'<a href="{address}">text</a>').paragraphs[0].hyperlinks

    assert f"{link.address}#{link.fragment}".rstrip("#") == stored


def test_addresses_that_word_cannot_open_leave_their_text() -> None:
    result = mediakit.markdown_convert(f"[a](http://[::1) [b](https://e.org/{'x' * 1987})", to="docx")
    paragraph = docx.Document(io.BytesIO(result.content)).paragraphs[0]

    assert problems(result.content) == []
    assert (paragraph.text, paragraph.hyperlinks) == ("a b", [])
    assert result.meta["warnings"] == ["A link has an address that Word cannot open; its text is kept."]


def test_two_thousand_links_are_two_thousand_relationships() -> None:
    paragraph = read(" ".join(f"<https://e.org/{number % 2000}>" for number in range(4000))).paragraphs[0]

    assert {link.address for link in paragraph.hyperlinks} == {f"https://e.org/{number}" for number in range(2000)}
    assert len(paragraph.part.rels) < 2020


def test_bookmarks_of_headings_have_valid_and_unique_names() -> None:
    headings = ["a-b", "A_b", "1", "💡", "x" * 50, "x" * 60, "Überblick"]
    body = DocxFile(convert("\n\n".join(f"# {text}" for text in headings), toc=True)).body
    marks = {}
    for paragraph in body.iter(f"{W}p"):
        for mark in paragraph.iter(f"{W}bookmarkStart"):
            marks[str(mark.get(f"{W}name"))] = "".join(paragraph.itertext())

    assert list(marks.values()) == headings
    assert list(marks)[:3] == ["a_b", "a_b_2", "a_1"]
    assert list(marks)[4:] == ["x" * 40, "x" * 38 + "_2", "überblick"]
    assert [each.get(f"{W}anchor") for each in body.iter(f"{W}hyperlink")] == list(marks)


def numbering_of(document: DocxFile) -> list[tuple[str, int, int, str]]:
    """Return text, numbering, level and start of each list paragraph."""
    root = document.xml["word/numbering.xml"]
    starts = {each.get(f"{W}numId"): each.find(f"{W}lvlOverride/{W}startOverride") for each in root.iter(f"{W}num")}
    found = []
    for paragraph in document.body.iter(f"{W}p"):
        number = paragraph.find(f"{W}pPr/{W}numPr/{W}numId")
        if number is not None:
            level = paragraph.find(f"{W}pPr/{W}numPr/{W}ilvl")
            start = starts[number.get(f"{W}val")]
            text = "".join(each.text or "" for each in paragraph.iter(f"{W}t"))
            assert level is not None
            first = "" if start is None else str(start.get(f"{W}val"))
            found.append((text, int(str(number.get(f"{W}val"))), int(str(level.get(f"{W}val"))), first))
    return found


def test_numbered_lists_restart_and_keep_their_start() -> None:
    found = numbering_of(DocxFile(convert("1. a\n2. b\n\n   7. c\n   8. d\n3. e\n\ntext\n\n1. f\n\ntext\n\n5. g")))

    assert [(text, level, start) for text, _, level, start in found] == [
        ("a", 0, "1"),
        ("b", 0, "1"),
        ("c", 1, "7"),
        ("d", 1, "7"),
        ("e", 0, "1"),
        ("f", 0, "1"),
        ("g", 0, "5"),
    ]
    ids = [number for _, number, _, _ in found]
    assert ids[0] == ids[1] == ids[4]
    assert ids[2] == ids[3]
    assert len(set(ids)) == 4


def test_deep_lists_stay_within_the_nine_levels_of_word() -> None:
    text = "\n".join(f"{'  ' * depth}- {depth}" for depth in range(30))

    assert max(level for _, _, level, _ in numbering_of(DocxFile(convert(text)))) == 8


def test_blocks_of_a_list_item_are_indented_with_it() -> None:
    text = "- one\n\n  two\n\n  ```\n  code\n  ```\n\n  > quote\n\n  | a |\n  |---|\n  | b |\n"
    document = read(text)
    indents = [each.paragraph_format.left_indent for each in document.paragraphs[1:4]]

    assert [each.style.name for each in document.paragraphs][:4] == [
        "List Bullet",
        "List Continue",
        "Source Code",
        "Quote",
    ]
    assert all(indent.twips >= 400 for indent in indents)
    assert int(document.tables[0]._tbl.tblPr.find(f"{W}tblInd").get(f"{W}w")) == 400


def test_task_list_has_check_boxes_that_word_can_toggle() -> None:
    body = DocxFile(convert("- [ ] open\n- [x] done")).body
    w14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"

    assert [each.get(f"{w14}val") for each in body.iter(f"{w14}checked")] == ["0", "1"]
    assert ["".join(p.itertext()).strip() for p in body.iter(f"{W}p")] == ["☐open", "☒done"]


def test_table_has_header_row_alignment_and_widths() -> None:
    rows = "\n".join(f"| {number} | text {number} | x |" for number in range(300))
    document = read(f"| No | Name | C |\n|--:|:--|:-:|\n{rows}")
    table = document.tables[0]

    assert table.style.name == "Table Grid"
    assert len(table.rows) == 301
    flags = [row._tr.trPr.find(f"{W}tblHeader") is not None for row in table.rows]
    assert flags == [True, *[False] * 300]
    assert [cell.paragraphs[0].alignment for cell in table.rows[300].cells] == [
        WD_ALIGN_PARAGRAPH.RIGHT,
        WD_ALIGN_PARAGRAPH.LEFT,
        WD_ALIGN_PARAGRAPH.CENTER,
    ]
    assert [cell.text for cell in table.rows[300].cells] == ["299", "text 299", "x"]


def test_wide_table_fits_between_the_margins() -> None:
    columns = 30
    line = "| " + " | ".join(["several words here"] * columns) + " |"
    table = read(f"{line}\n{'|-' * columns}|\n{line}").tables[0]

    assert sum(column.width.mm for column in table.columns) <= 170.5


def test_merged_and_nested_tables_of_raw_html_stay() -> None:
    text = (
        "<table><tr><th colspan=2>M</th></tr><tr><td rowspan=2>r</td><td>1</td></tr>"
        "<tr><td><table><tr><td>n</td></tr></table></td></tr></table>"
    )
    table = read(text).tables[0]

    assert table.cell(0, 0)._tc is table.cell(0, 1)._tc
    assert table.cell(1, 0)._tc is table.cell(2, 0)._tc
    assert table.cell(2, 1).tables[0].cell(0, 0).text == "n"


def test_footnotes_are_footnotes() -> None:
    document = DocxFile(convert("a[^x] b[^y] c[^x]\n\n[^x]: First *note*.\n[^y]: Second\n\n    - list\n"))
    notes = document.xml["word/footnotes.xml"]
    texts = {each.get(f"{W}id"): "".join(each.itertext()).strip() for each in notes}

    assert texts == {"-1": "", "0": "", "1": "First note.", "2": "Secondlist"}
    assert [each.get(f"{W}id") for each in document.body.iter(f"{W}footnoteReference")] == ["1", "2"]
    assert "NOTEREF _Footnote1 \\h" in "".join(each.text or "" for each in document.body.iter(f"{W}instrText"))


def test_images_of_data_uris_have_the_size_of_their_pixels_and_fit_the_page() -> None:
    document = read(f"![small]({png(96, 48)}) ![large]({png(3000, 1500)}) ![again]({png(96, 48)})")
    sizes = [(round(shape.width.mm, 1), round(shape.height.mm, 1)) for shape in document.inline_shapes]

    assert sizes == [(25.4, 12.7), (170.0, 85.0), (25.4, 12.7)]
    assert [shape._inline.docPr.get("descr") for shape in document.inline_shapes] == ["small", "large", "again"]
    assert len([part for part in document.part.package.iter_parts() if "media" in str(part.partname)]) == 2


def test_images_that_word_does_not_show_become_png() -> None:
    document = DocxFile(convert(f"![w]({png(20, 10, 'webp')})"))

    with Image.open(io.BytesIO(document.parts["word/media/image1.png"])) as image:
        assert (image.format, image.size) == ("PNG", (20, 10))


@pytest.mark.parametrize(
    "source",
    [
        "https://example.com/a.png",
        "a.png",
        "data:image/png;base64,AAAA",
        "data:image/svg+xml,<svg/>",
        "data:image/png;base64,%%",
    ],
)
def test_images_that_are_not_stored_leave_their_text_and_a_warning(source: str) -> None:
    result = mediakit.markdown_convert(f"![A lake](<{source}>)", to="docx")

    assert problems(result.content) == []
    document = docx.Document(io.BytesIO(result.content))
    assert "A lake" in document.paragraphs[0].text
    assert len(document.inline_shapes) == 0


def test_remote_images_are_named_in_the_warnings() -> None:
    warnings = mediakit.markdown_convert("![](https://example.com/a.png)", to="docx").meta["warnings"]

    assert warnings == [
        "Image not stored: https://example.com/a.png: only data URIs are stored in DOCX; images are not fetched."
    ]


def test_formulas_are_equations_of_word() -> None:
    text = r"""Inline $\frac{a}{b}$, $x_i^2$.

$$\sum_{i=1}^{n} i + \sqrt[3]{x} + \left( \begin{matrix} a & b \\ c & d \end{matrix} \right) + \lim_{x \to 0} \sin x
\hat{y} + \overline{AB} + \binom{n}{k} + \int_0^1 f$$"""
    body = DocxFile(convert(text)).body
    names = {str(each.tag).removeprefix(M) for each in body.iter() if str(each.tag).startswith(M)}

    assert len(body.findall(f".//{M}oMathPara")) == 1
    assert {"f", "sSubSup", "nary", "rad", "d", "m", "limLow", "func", "acc", "bar"} <= names
    assert "".join(each.text or "" for each in body.iter(f"{M}t")).startswith("abxi2")


def test_code_keeps_lines_tabs_and_colors() -> None:
    document = read('```python\nif x:\n\treturn "a  b"\n\n```\n')
    paragraph = document.paragraphs[0]

    assert paragraph.text == 'if x:\n\treturn "a  b"\n'
    assert len({str(run.font.color.rgb) for run in paragraph.runs if run.font.color.rgb}) >= 2


def contents(document: DocxFile) -> list[tuple[str, str]]:
    found = []
    for paragraph in document.body.iter(f"{W}p"):
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        name = "" if style is None else str(style.get(f"{W}val"))
        if name.startswith("TOC"):
            found.append((name, "".join(each.text or "" for each in paragraph.iter(f"{W}t"))))
    return found


def test_contents_are_a_field_with_entries_that_link_to_headings() -> None:
    document = DocxFile(convert("# Title\n\ntext\n\n## A\n\n### B\n\n## C", toc=True))

    assert contents(document) == [("TOCHeading", "Contents"), ("TOC1", "A"), ("TOC2", "B"), ("TOC1", "C")]
    assert "".join(each.text or "" for each in document.body.iter(f"{W}instrText")) == ' TOC \\o "2-3" \\h \\z \\u '
    assert len(list(document.body.iter(f"{W}hyperlink"))) == 3
    assert document.xml["word/settings.xml"].find(f"{W}updateFields") is None


def test_contents_follow_the_title() -> None:
    first = [str(each.tag).removeprefix(W) for each in DocxFile(convert("# T\n\na\n\n## B", toc=True)).body[0]][:3]

    assert first == ["p", "sdt", "p"]


def test_numbers_of_headings_are_numbering_of_their_styles() -> None:
    document = DocxFile(convert("# Title\n\n## A\n\n#### Deep\n\n## B\n\n> ## Quoted", numbered=True, toc=True))
    styles_xml = document.xml["word/styles.xml"]
    levels = {
        style.get(f"{W}styleId"): style.find(f"{W}pPr/{W}numPr/{W}ilvl").get(f"{W}val")  # type: ignore[union-attr]
        for style in styles_xml.iter(f"{W}style")
        if style.find(f"{W}pPr/{W}numPr") is not None
    }
    direct = {text: level for text, _, level, _ in _with_numbers(document)}

    assert levels == {"Heading2": "1", "Heading3": "2", "Heading4": "3", "Heading5": "4", "Heading6": "5"}
    assert direct == {"Deep": 2, "Quoted": 0}
    assert [text for _, text in contents(document)][1:] == ["1A", "1.1Deep", "2B"]


def _with_numbers(document: DocxFile) -> list[tuple[str, str, int, str]]:
    found = []
    for paragraph in document.body.iter(f"{W}p"):
        level = paragraph.find(f"{W}pPr/{W}numPr/{W}ilvl")
        if level is not None:
            text = "".join(each.text or "" for each in paragraph.iter(f"{W}t"))
            found.append((text, "", int(str(level.get(f"{W}val"))), ""))
    return found


def test_page_has_the_asked_size_margins_and_page_numbers() -> None:
    document = read("a", format="Letter", landscape=True, margin=25, page_numbers=True)
    section = document.sections[0]

    assert (round(section.page_width.mm, 1), round(section.page_height.mm, 1)) == (279.4, 215.9)
    assert {round(side.mm) for side in (section.left_margin, section.top_margin, section.bottom_margin)} == {25}
    assert "PAGE" in "".join(section.footer.paragraphs[0]._p.itertext())
    assert read("a").sections[0].footer.is_linked_to_previous


def test_title_author_and_language_are_properties() -> None:
    document = read("---\ntitle: T <&>\nauthor: Ada\nlang: de\n---\nText")
    lang = document.styles.element.find(f".//{W}rPrDefault//{W}lang")

    assert (document.core_properties.title, document.core_properties.author) == ("T <&>", "Ada")
    assert document.core_properties.language == "de"
    assert lang.get(f"{W}val") == "de-DE"
    assert [each.text for each in document.paragraphs] == ["T <&>", "Ada", "Text"]


def test_right_to_left_documents_have_right_to_left_paragraphs_runs_and_tables() -> None:
    text = "# عنوان\n\nنص **عريض** English נוסף\n\n| أ | ب |\n|:--|--:|\n| ج | د |\n\n> اقتباس"
    document = DocxFile(convert(text, lang="ar"))
    normal = next(each for each in document.xml["word/styles.xml"] if each.get(f"{W}styleId") == "Normal")
    runs = {"".join(run.itertext()): run.find(f"{W}rPr/{W}rtl") is not None for run in document.body.iter(f"{W}r")}

    assert normal.find(f"{W}pPr/{W}bidi") is not None
    assert runs["عنوان"]
    assert not next(is_rtl for text, is_rtl in runs.items() if "English" in text)
    assert document.body.find(f".//{W}bidiVisual") is not None
    sides = [each.get(f"{W}val") for each in document.body.iter(f"{W}jc")]
    assert sides == ["right", "left", "right", "left"]


def test_equal_input_gives_equal_bytes() -> None:
    first, second = (convert(GUIDE_MARKDOWN, toc=True, numbered=True, page_numbers=True) for _ in range(2))

    assert first == second


HOSTILE = {
    "control characters": "a\x01\x08\x0b\x1fb &#1; &#x0; &#xFFFE; \ufffe `\x02`",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 **👍🏽**",
    "nested quotes": ">" * 300 + " deep",
    "nested lists": "".join(f"{'  ' * depth}- x\n" for depth in range(150)),
    "lists in quotes in lists": "- a\n  > - b\n  >   > 1. c\n  >   >    > - d\n  >   >    >   ```\n  >   >    >   e\n",
    "nested emphasis": "*a **b " * 200 + "c** d*" * 200,
    "nested html": "<div>" * 500 + "x" + "</div>" * 500,
    "nested tables": "<table><tr><td>" * 60 + "x" + "</td></tr></table>" * 60,
    "open tags": "<b><i><table><tr><td><ul><li>",
    "empty things": (
        "#\n\n- \n- \n\n1.\n\n>\n\n```\n```\n\n||\n|-|\n||\n\n[](a) ![]() ****\n\n<table></table><ul></ul><a id=x></a>"
    ),
    "list that begins with a block": (
        "- ```\n  code\n  ```\n- > quote\n- # heading\n- - - nested\n- | a |\n  |---|\n  | b |"
    ),
    "footnotes in footnotes": "a[^1]\n\n[^1]: b[^2] c[^1]\n[^2]: d[^3]\n[^3]: e[^1]",
    "footnotes in headings and tables": "# a[^1]\n\n| b[^1] | c[^2] |\n|---|---|\n\n[^1]: x\n[^2]: | t |\n    |---|",
    "links in links": "[a [b](c) d](e) <a href=x>y <a href=z>w</a></a>",
    "links around blocks": "<a href='https://e.org'><h2>T</h2><p>p</p><table><tr><td>c</td></tr></table></a>",
    "block formulas in inline elements": "**a $$x$$ b** [c $$y$$](d)\n\n| $$z$$ |\n|---|\n",
    "broken formulas": r"$\frac{a}$ $\left($ $\begin{matrix}$ $}{$ $\sum\sum\sum\sum$ $x^$",
    "many sums": "$" + r"\sum" * 900 + "$",
    "equal anchors": "# A\n\n# a\n\n# A\n\n[x](#a) [y](#a-1)\n\n"
    "# " + "long " * 40 + "\n\n# 1\n\n# 💡\n\n# " + "long " * 40,
    "raw anchors": "<a id='1 2'></a><p id='x\"y'>t</p> [a](<#1 2>) [b](#x\"y) <a name=n>q</a> [c](#n)",
    "huge spans": "<table><tr><td colspan=99999 rowspan=99999>x</td></tr><tr><td>y</td></tr></table>",
    "list starts": "<ol start=-5><li>a<li value=99999999999>b</ol><ol type=i start=0><li>c</ol>\n\n999999999. d",
    "raw fields": "<input type=checkbox checked> <form><button>b</button></form> <svg><text>s</text></svg>",
    "direction": "<p dir=rtl>שלום</p><div dir=rtl align=left><pre>x</pre><blockquote>y</blockquote></div>",
    "title": '---\ntitle: "a\\u0001<b>"\nauthor: [x, y]\n---\n',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_unusual_text_makes_a_valid_document(text: str) -> None:
    for options in ({}, {"toc": True, "numbered": True, "page_numbers": True, "lang": "he"}):
        read(text, **options)


def test_characters_that_xml_does_not_allow_are_dropped_from_text_titles_and_contents() -> None:
    text = '---\ntitle: "T\\u0001"\nauthor: "A\\u0002"\n---\n# a\x0bb<&>🎉\n\n`c\x02`'
    document = read(text, toc=True)

    assert [each.text for each in document.paragraphs] == ["T", "A", "ab<&>🎉", "c"]
    assert (document.core_properties.title, document.core_properties.author) == ("T", "A")


def test_title_and_author_of_more_than_255_characters_are_whole_in_the_text_and_short_in_the_properties() -> None:
    result = mediakit.markdown_convert(f"---\ntitle: {'t' * 300}\nauthor: {'a' * 300}\n---\nx", to="docx")
    document = docx.Document(io.BytesIO(result.content))

    assert [len(each.text) for each in document.paragraphs] == [300, 300, 1]
    assert (document.core_properties.title, document.core_properties.author) == ("t" * 255, "a" * 255)
    assert result.meta["warnings"] == [
        f"In the properties of the file, the {name} was shortened to 255 characters." for name in ("title", "author")
    ]


def test_raw_html_is_cleaned() -> None:
    document = read("a<script>alert(1)</script><style>b{}</style> <b onclick=x>bold</b>\n\n<iframe src=x></iframe>c")

    assert [each.text for each in document.paragraphs] == ["a bold", "c"]


def test_fragments_are_html_only() -> None:
    with pytest.raises(InvalidInput, match="document: false requires to html, got docx"):
        mediakit.markdown_convert("a", to="docx", document=False)


@pytest.mark.anyio
async def test_api_answers_with_a_named_word_file(api: Api) -> None:
    response = await api.post("/markdown-convert", json={"markdown": "# A", "to": "docx", "output": "binary"})

    assert response.status_code == 200
    assert response.headers["content-type"] == WORD
    assert "document.docx" in response.headers["content-disposition"]
    assert docx.Document(io.BytesIO(response.content)).paragraphs[0].text == "A"


def test_right_to_left_paragraph_of_a_left_to_right_document_starts_at_the_right() -> None:
    document = DocxFile(convert("Plain text.\n\nمرحبا بالعالم.\n\n## عنوان\n\n1. واحد\n"))
    found = {"".join(each.itertext()): each.find(f"{W}pPr/{W}bidi") is not None for each in document.body.iter(f"{W}p")}
    assert found == {"Plain text.": False, "مرحبا بالعالم.": True, "عنوان": True, "واحد": True}


def test_columns_of_a_formula_keep_their_alignment() -> None:
    xml = mediakit.markdown_convert(r"$$\begin{aligned} a &= b \\ c &= d \end{aligned}$$", to="docx").content
    with zipfile.ZipFile(io.BytesIO(xml)) as archive:
        document = archive.read("word/document.xml").decode()
    assert re.findall(r'<m:mcJc m:val="(\w+)"', document) == ["right", "left"]
