"""Headings that a word processor numbers keep their numbers, unless they are not wanted."""

import pytest

import mediakit
from tests.tools.documents.document_to_markdown.test_odt import odt
from tests.tools.documents.document_to_markdown.test_rtf import rtf
from tests.tools.documents.document_to_markdown.word_files import docx, numbered_list, paragraph


def headings(content: bytes, **options: object) -> list[str]:
    result = mediakit.document_to_markdown(content, **options)  # type: ignore[arg-type]
    return [line.lstrip("# ").replace("\\", "") for line in result.content.splitlines() if line.startswith("#")]


def level(index: int, text: str, number_format: str = "decimal", more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{number_format}"/>'
        f'<w:pStyle w:val="H{index + 1}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
    )


STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{number}"><w:name w:val="heading {number}"/><w:pPr><w:numPr>'
    f'<w:ilvl w:val="{number - 1}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    for number in (1, 2, 3)
)


def document(*texts: tuple[int, str], levels: str, overrides: str = "") -> bytes:
    """Return a document of headings: the level and the text of each."""
    abstract = f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
    body = "".join(paragraph(text, style=f"H{number}") for number, text in texts)
    return docx(body, styles=STYLES, numbering=abstract + numbered_list(1, 7, overrides))


OUTLINE = ((1, "Aims"), (2, "Scope"), (2, "Terms"), (3, "Words"), (1, "Cost"), (2, "Fees"))


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        (
            level(0, "Part %1:", "upperRoman") + level(1, "%2)", "lowerLetter") + level(2, "(%3)", "lowerRoman"),
            ["Part I: Aims", "a) Scope", "b) Terms", "(i) Words", "Part II: Cost", "a) Fees"],
        ),
        (
            level(0, "§ %1 ", more='<w:suff w:val="nothing"/>') + level(1, "%1-%2", more='<w:suff w:val="space"/>')
            + level(2, "%1.%2.%3.", more="<w:isLgl/>"),
            ["§ 1 Aims", "1-1 Scope", "1-2 Terms", "1.2.1. Words", "§ 2 Cost", "2-1 Fees"],
        ),
        (
            level(0, "%1", "upperLetter") + level(1, "%1.%2", "decimalZero") + level(2, "%3", "none"),
            ["A Aims", "A.01 Scope", "A.02 Terms", "Words", "B Cost", "B.01 Fees"],
        ),
        (
            level(0, "%1", "upperRoman") + level(1, "%1.%2", more="<w:isLgl/>") + level(2, "", "bullet"),
            ["I Aims", "1.1 Scope", "1.2 Terms", "Words", "II Cost", "2.1 Fees"],
        ),
        (
            level(0, "%1 chapter", "ordinal") + level(1, "") + level(2, "%3", more='<w:lvlRestart w:val="0"/>'),
            ["1st chapter Aims", "Scope", "Terms", "1 Words", "2nd chapter Cost", "Fees"],
        ),
    ],
)  # fmt: skip
def test_headings_of_word_begin_with_the_number_that_word_shows(levels: str, shown: list[str]) -> None:
    assert headings(document(*OUTLINE, levels=levels)) == shown


@pytest.mark.parametrize(
    ("number_format", "first", "shown"),
    [
        ("upperRoman", 1994, "MCMXCIV"),
        ("lowerLetter", 27, "aa"),
        ("ordinal", 12, "12th"),
        ("ordinal", 23, "23rd"),
        ("decimalEnclosedCircle", 11, "⑪"),
        ("decimalFullWidth", 12, "１２"),
        ("russianUpper", 3, "В"),
        ("chineseCounting", 10, "十"),
        ("chineseCountingThousand", 21, "二十一"),
        ("chineseCountingThousand", 205, "二百〇五"),
        ("japaneseCounting", 1050, "千五十"),
        ("ideographDigital", 20, "二〇"),
        ("ganada", 2, "나"),
        ("ganada", 99, "99"),
        ("hex", 10, "10"),
    ],
)
def test_heading_number_is_in_the_format_of_its_level(number_format: str, first: int, shown: str) -> None:
    levels = level(0, "%1.", number_format).replace('<w:start w:val="1"/>', f'<w:start w:val="{first}"/>')
    assert headings(document((1, "A"), levels=levels)) == [f"{shown}. A"]


def test_heading_numbers_are_omitted_on_request() -> None:
    content = document(*OUTLINE, levels=level(0, "%1.") + level(1, "%1.%2"))
    assert headings(content, heading_numbers=False) == [text for _, text in OUTLINE]


def test_heading_numbers_start_where_the_list_does_and_skip_empty_headings() -> None:
    overrides = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>'
    content = document(
        (1, "A"), (2, ""), (2, "B"), (1, "C"), levels=level(0, "%1") + level(1, "%1.%2"), overrides=overrides
    )
    assert headings(content) == ["4 A", "4.2 B", "5 C"]


def test_link_to_a_numbered_heading_leads_to_its_anchor() -> None:
    levels = level(0, "%1.")
    mark = '<w:bookmarkStart w:id="1" w:name="m"/><w:bookmarkEnd w:id="1"/>'
    link = '<w:hyperlink w:anchor="m"><w:r><w:t>see</w:t></w:r></w:hyperlink>'
    body = paragraph(link) + paragraph(f"{mark}<w:r><w:t>Aims</w:t></w:r>", style="H1")
    numbering = f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>' + numbered_list(1, 7)
    content = mediakit.document_to_markdown(docx(body, styles=STYLES, numbering=numbering)).content
    assert content == "[see](#1-aims)\n\n# 1. Aims"


def test_number_of_a_list_item_is_not_repeated_in_its_text() -> None:
    numbering = f'<w:abstractNum w:abstractNumId="7">{level(0, "%1.")}</w:abstractNum>' + numbered_list(1, 7)
    properties = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    body = paragraph("tea", properties=properties) + paragraph("milk", properties=properties)
    assert mediakit.document_to_markdown(docx(body, numbering=numbering)).content == "1. tea\n2. milk"


def open_heading(text: str, number: int, attributes: str = "") -> str:
    return f'<text:h text:outline-level="{number}" {attributes}>{text}</text:h>'


OPEN_LEVELS = (
    '<text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>'
    '<text:outline-level-style text:level="2" style:num-format="1" style:num-prefix="(" style:num-suffix=")" '
    'text:display-levels="2"/><text:outline-level-style text:level="3" style:num-format=""/>'
)


def test_headings_of_opendocument_have_the_numbers_of_the_outline() -> None:
    body = (
        open_heading("Aims", 1) + open_heading("Scope", 2) + open_heading("Words", 3)
        + open_heading("Preface", 1, 'text:is-list-header="true"') + open_heading("Terms", 2) + open_heading("Cost", 1)
        + open_heading("Fees", 2, 'text:restart-numbering="true" text:start-value="7"')
    )  # fmt: skip
    content = odt(body, f"<text:outline-style>{OPEN_LEVELS}</text:outline-style>")
    shown = ["I. Aims", "(I.1) Scope", "Words", "Preface", "(I.2) Terms", "II. Cost", "(II.7) Fees"]
    assert headings(content) == shown
    assert headings(content, heading_numbers=False) == ["Aims", "Scope", "Words", "Preface", "Terms", "Cost", "Fees"]


def test_headings_in_a_list_of_opendocument_are_headings_with_its_numbers() -> None:
    styles = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="A"/>'
        '<text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/></text:list-style>'
    )
    inner = f"<text:list><text:list-item>{open_heading('Scope', 2)}</text:list-item></text:list>"
    body = (
        f'<text:list text:style-name="L"><text:list-item>{open_heading("Aims", 1)}{inner}</text:list-item>'
        f"<text:list-item>{open_heading('Cost', 1)}</text:list-item></text:list><text:p>end</text:p>"
    )
    result = mediakit.document_to_markdown(odt(body, styles))
    assert result.content == "# A Aims\n\n## A.1 Scope\n\n# B Cost\n\nend"


def test_headings_of_rich_text_have_the_numbers_that_the_file_shows() -> None:
    content = rtf(
        r"{\listtext\pard 2.\tab}\pard\s1\ls1 Aims\par{\listtext\pard 2.1\tab}\pard\s2\ls1\ilvl1 Terms\par"
        r"\pard\s1 Annex\par"
    )
    assert headings(content) == ["2. Aims", "2.1 Terms", "Annex"]
    assert headings(content, heading_numbers=False) == ["Aims", "Terms", "Annex"]
