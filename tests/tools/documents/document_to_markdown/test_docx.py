"""Word documents as Markdown: headings, emphasis, lists, links, tables, notes and images."""

import io

import pytest
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from tests.tools.documents.document_to_markdown.word_files import (
    abstract_list,
    docx,
    item,
    numbered_list,
    paragraph,
    relationships,
    run,
)

HEADINGS = (
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My style"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Outlined"><w:name w:val="Outlined"/><w:pPr>'
    '<w:outlineLvl w:val="2"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Local"><w:name w:val="Überschrift 2"/></w:style>'
)


def png(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


def markdown(content: bytes, **options: object) -> str:
    return mediakit.document_to_markdown(content, **options).content  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("style", "level"), [("berschrift1", 1), ("Mine", 1), ("Outlined", 3), ("Local", 2), ("Missing", 0)]
)
def test_style_decides_the_level_of_a_heading(style: str, level: int) -> None:
    prefix = "#" * level + " " if level else ""
    assert markdown(docx(paragraph("Tea", style=style), styles=HEADINGS)) == f"{prefix}Tea"


def test_direct_formatting_overrides_the_character_style() -> None:
    styles = '<w:style w:type="character" w:styleId="S"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>'
    runs = run("bold ", '<w:rStyle w:val="S"/>') + run("plain", '<w:rStyle w:val="S"/><w:b w:val="0"/>')
    assert markdown(docx(paragraph(runs), styles=styles)) == "**bold** plain"


def test_emphasis_strike_and_scripts_are_kept_and_hidden_text_is_not() -> None:
    runs = (
        run("a ", "<w:b/>")
        + run("b", "<w:b/><w:i/>")
        + run(" c ")
        + run("d", "<w:strike/>")
        + run(" m")
        + run("2", '<w:vertAlign w:val="superscript"/>')
        + run("secret", "<w:vanish/>")
    )
    assert markdown(docx(paragraph(runs))) == "**a _b_** c ~~d~~ m<sup>2</sup>"


def test_list_restarts_and_continues_with_its_own_numbers() -> None:
    numbering = (
        abstract_list(0, "decimal", "bullet", start=3)
        + numbered_list(1, 0)
        + numbered_list(2, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    )
    body = item("three") + item("inner", 1) + paragraph("Between.") + item("four") + item("one", number=2)
    assert markdown(docx(body, numbering=numbering)) == "3. three\n   - inner\n\nBetween.\n\n4. four\n\n1) one"


def test_first_number_of_a_list_applies_only_to_the_levels_that_it_uses() -> None:
    override = '<w:lvlOverride w:ilvl="{}"><w:startOverride w:val="1"/></w:lvlOverride>'
    numbering = (
        abstract_list(0, "decimal", "decimal")
        + numbered_list(1, 0)
        + numbered_list(2, 0, override.format(0) + override.format(1))
    )
    body = item("one") + item("inner", 1, number=2) + item("two")
    assert markdown(docx(body, numbering=numbering)) == "1. one\n   1. inner\n2. two"


def test_items_without_a_label_continue_the_item_before() -> None:
    styles = '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style>'
    blank = abstract_list(1, "bullet").replace('w:val="%1."', 'w:val=" "')
    numbering = abstract_list(0, "decimal") + blank + numbered_list(1, 0) + numbered_list(2, 1)
    listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'
    code = paragraph("code", style="C", properties=listed)
    body = item("one") + item("more", number=2) + code + code + item("two")
    expected = "1. one\n\n   more\n\n   ```\n   code\n   code\n   ```\n\n2. two"
    assert markdown(docx(body, numbering=numbering, styles=styles)) == expected


def test_indented_paragraph_after_an_item_belongs_to_the_item() -> None:
    numbering = abstract_list(0, "decimal") + numbered_list(1, 0)
    body = item("one") + paragraph("more", properties='<w:ind w:left="720"/>') + item("two") + paragraph("after")
    assert markdown(docx(body, numbering=numbering)) == "1. one\n\n   more\n\n2. two\n\nafter"


def test_styles_of_deeper_lists_are_nested_although_each_is_a_list_of_its_own() -> None:
    names = ("List Bullet", "List Bullet 2", "List Bullet 3")
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="B{number}"><w:name w:val="{name}"/><w:pPr><w:numPr>'
        f'<w:numId w:val="{number}"/></w:numPr></w:pPr></w:style>'
        for number, name in enumerate(names, 1)
    )
    level = '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl>'
    numbering = "".join(
        f'<w:abstractNum w:abstractNumId="{each}">{level}</w:abstractNum>' for each in (1, 2, 3)
    ) + "".join(f'<w:num w:numId="{each}"><w:abstractNumId w:val="{each}"/></w:num>' for each in (1, 2, 3))
    body = "".join(
        paragraph(text, style=style)
        for style, text in (("B1", "Tea"), ("B2", "Green"), ("B3", "Sencha"), ("B2", "Black"), ("B1", "Milk"))
    )
    assert markdown(docx(body, styles=styles, numbering=numbering)) == (
        "- Tea\n  - Green\n    - Sencha\n  - Black\n- Milk"
    )


def test_list_zero_removes_a_paragraph_from_the_list_of_its_style() -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="List Number"/><w:pPr><w:numPr><w:numId w:val="1"/>'
        "</w:numPr></w:pPr></w:style>"
    )
    numbering = abstract_list(0, "decimal") + numbered_list(1, 0)
    none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    body = paragraph("one", style="L") + paragraph("none", style="L", properties=none)
    assert markdown(docx(body, styles=styles, numbering=numbering)) == "1. one\n\nnone"


def test_hyperlink_fields_and_relationships_are_links() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.example/x" \\l "y" '
        '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + run("field")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    link = f'<w:hyperlink r:id="L1">{run("link")}</w:hyperlink>'
    content = docx(paragraph(field) + paragraph(link), related={"L1": ("hyperlink", "https://b.example/")})
    assert markdown(content) == "[field](https://a.example/x#y)\n\n[link](https://b.example/)"


def test_field_that_never_ends_does_not_hide_the_rest() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    assert markdown(docx(paragraph(begin + run("instruction")) + paragraph("after"))) == "after"


def test_internal_links_point_to_headings_and_to_anchors() -> None:
    def mark(name: str) -> str:
        return f'<w:bookmarkStart w:id="0" w:name="{name}"/><w:bookmarkEnd w:id="0"/>'

    def link(name: str) -> str:
        return f'<w:hyperlink w:anchor="{name}">{run(name)}</w:hyperlink>'

    body = (
        paragraph(link("top") + link("here"))
        + paragraph(mark("top") + run("Hot Tea!"), style="berschrift1")
        + paragraph(run("text ") + mark("here") + mark("unused") + run("more"))
    )
    assert markdown(docx(body, styles=HEADINGS)) == (
        '[top](#hot-tea)[here](#here)\n\n# Hot Tea!\n\ntext <a id="here"></a>more'
    )


def test_tracked_changes_are_accepted() -> None:
    deleted = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
    body = paragraph(run("a ") + deleted + f"<w:ins>{run('new')}</w:ins>")
    joined = paragraph("one ", properties="<w:rPr><w:del/></w:rPr>") + paragraph("two")
    moved = f"<w:p><w:moveFrom>{run('gone')}</w:moveFrom><w:moveTo>{run('moved')}</w:moveTo></w:p>"
    assert markdown(docx(body + joined + moved)) == "a new\n\none two\n\nmoved"


def test_notes_and_comments_become_footnotes() -> None:
    notes = '<w:footnotes {ns}><w:footnote w:id="2"><w:p><w:r><w:t>First.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    comments = (
        '<w:comments {ns}><w:comment w:id="0" w:author="Ada"><w:p><w:r><w:t>Why?</w:t></w:r></w:p></w:comment>'
        "</w:comments>"
    )
    body = paragraph(
        run("Text") + '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>'
    )
    content = docx(
        body,
        related={"f": ("footnotes", "footnotes.xml"), "c": ("comments", "comments.xml")},
        parts={"word/footnotes.xml": notes, "word/comments.xml": comments},
    )
    assert markdown(content) == "Text[^1]\n\n[^1]: First."
    assert markdown(content, comments=True) == "Text[^1][^c1]\n\n[^1]: First.\n\n[^c1]: Ada: Why?"


def test_damaged_comments_do_not_matter_unless_they_are_read() -> None:
    content = docx(
        paragraph(run("Text") + '<w:r><w:commentReference w:id="0"/></w:r>'),
        related={"c": ("comments", "comments.xml")},
        parts={"word/comments.xml": "<damaged"},
    )
    assert markdown(content) == "Text"
    with pytest.raises(InvalidInput, match="comments"):
        markdown(content, comments=True)
    assert markdown(content, notes=False) == "Text"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def test_table_with_a_header_row_is_in_the_syntax_of_github() -> None:
    rows = f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cell('a')}{cell('b')}</w:tr><w:tr>{cell('1')}{cell('2')}</w:tr>"
    assert markdown(docx(f"<w:tbl>{rows}</w:tbl>")) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_merged_cells_are_an_html_table() -> None:
    rows = (
        "<w:tr>" + cell("a", '<w:vMerge w:val="restart"/>') + cell("b", '<w:gridSpan w:val="2"/>') + "</w:tr>"
        f"<w:tr>{cell('', '<w:vMerge/>')}{cell('1')}{cell('2')}</w:tr>"
    )
    assert markdown(docx(f"<w:tbl>{rows}</w:tbl>")).replace("\n", "") == (
        '<table><tbody><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>1</td><td>2</td></tr></tbody>'
        "</table>"
    )


def test_lines_of_code_are_one_block() -> None:
    styles = '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style>'
    body = paragraph("def f():", style="C") + paragraph("    return 1", style="C") + paragraph("after")
    assert markdown(docx(body, styles=styles)) == "```\ndef f():\n    return 1\n```\n\nafter"


IMAGE = (
    '<w:r><w:drawing><wp:inline><wp:docPr descr="A cup"/><a:graphic><a:blip r:{}="I"/></a:graphic></wp:inline>'
    "</w:drawing></w:r>"
)


def test_image_is_named_and_linked_image_is_never_loaded() -> None:
    content = docx(
        paragraph(IMAGE.format("embed")),
        related={"I": ("image", "media/x.png")},
        parts={"word/media/x.png": png(30, 20)},
    )
    result = mediakit.document_to_markdown(content)
    assert result.content == "![A cup](image-1.png)"
    assert (result.images[0].width, result.images[0].height) == (30, 20)
    linked = mediakit.document_to_markdown(
        docx(paragraph(run("Cup: ") + IMAGE.format("link")), related={"I": ("image", "file:///etc/passwd")})
    )
    assert linked.content == "Cup:"
    assert linked.meta["warnings"] == ["Linked images that were not loaded: 1."]


def test_only_one_choice_of_alternate_content_is_read() -> None:
    box = "<w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict>"
    alternate = (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="w14">{box.format(paragraph("box"))}</mc:Choice>'
        f"<mc:Fallback>{box.format(paragraph('fallback'))}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert markdown(docx(paragraph(run("text") + alternate))) == "text\n\nbox"


def test_drop_cap_begins_the_next_paragraph() -> None:
    body = paragraph("D", properties='<w:framePr w:dropCap="drop"/>') + paragraph("rop cap.")
    assert markdown(docx(body)) == "Drop cap."


def test_symbols_hyphens_and_breaks_are_characters() -> None:
    runs = (
        '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/>'
        "<w:br/><w:t>c</w:t><w:tab/><w:t>d</w:t></w:r>"
    )
    assert markdown(docx(paragraph(runs))) == "✓a\u2011b  \nc d"


def test_styles_and_notes_that_refer_to_themselves_are_read_once() -> None:
    styles = '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="A"/></w:style>'
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    notes = f'<w:footnotes {{ns}}><w:footnote w:id="2"><w:p>{run("x")}{mark}</w:p></w:footnote></w:footnotes>'
    content = docx(
        paragraph(run("text") + mark, style="A"),
        styles=styles,
        related={"f": ("footnotes", "footnotes.xml")},
        parts={"word/footnotes.xml": notes},
    )
    assert markdown(content) == "text[^1]\n\n[^1]: x[^1]"


def test_claimed_spans_are_limited() -> None:
    row = "<w:tr>" + cell("a", '<w:gridSpan w:val="999999999"/>') + cell("b") + "</w:tr>"
    assert '<td colspan="63">a</td><td>b</td>' in markdown(docx(f"<w:tbl>{row * 2}</w:tbl>"))


def test_headers_are_read_on_request() -> None:
    body = paragraph("text") + '<w:sectPr><w:headerReference w:type="default" r:id="H"/></w:sectPr>'
    content = docx(
        body,
        related={"H": ("header", "header1.xml")},
        parts={"word/header1.xml": f"<w:hdr {{ns}}>{paragraph('Head')}</w:hdr>"},
    )
    assert markdown(content) == "text"
    assert markdown(content, headers=True) == "Head\n\ntext"


def math(content: str) -> str:
    return markdown(docx(f"<w:p>{run('x ')}<m:oMath>{content}</m:oMath></w:p>"))[2:]


def text(content: str, properties: str = "") -> str:
    return f"<m:r><m:rPr>{properties}</m:rPr><m:t>{content}</m:t></m:r>"


def part(name: str, content: str) -> str:
    return f"<m:{name}>{content}</m:{name}>"


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        (part("f", part("num", text("a")) + part("den", text("b"))), r"\frac{a}{b}"),
        (part("rad", part("deg", text("3")) + part("e", text("x"))), r"\sqrt[3]{x}"),
        (part("rad", '<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>' + part("e", text("x"))), r"\sqrt{x}"),
        (part("sSubSup", part("e", text("x")) + part("sub", text("i")) + part("sup", text("2"))), "x_{i}^{2}"),
        (part("sSup", part("e", text("ab")) + part("sup", text("2"))), "{ab}^{2}"),
        (
            part(
                "nary",
                '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
                + part("sub", text("i=1"))
                + part("sup", text("n"))
                + part("e", text("i")),
            ),
            r"\sum_{i=1}^{n} i",
        ),
        (
            part("d", '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>' + part("e", text("x"))),
            r"\left[ x \right]",
        ),
        (
            part("d", part("e", part("m", part("mr", part("e", text("1")) + part("e", text("2")))))),
            r"\begin{pmatrix} 1 & 2 \end{pmatrix}",
        ),
        (
            part(
                "d",
                '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
                + part("e", part("eqArr", part("e", text("1,&amp;x")) + part("e", text("0,&amp;y")))),
            ),
            r"\begin{cases} 1,&x \\ 0,&y \end{cases}",
        ),
        (
            part(
                "func",
                part("fName", part("limLow", part("e", text("lim", '<m:sty m:val="p"/>')) + part("lim", text("x→0"))))
                + part("e", text("f")),
            ),
            r"\lim_{x\to0} f",
        ),
        (part("acc", '<m:accPr><m:chr m:val="\u20d7"/></m:accPr>' + part("e", text("v"))), r"\vec{v}"),
        (part("bar", '<m:barPr><m:pos m:val="top"/></m:barPr>' + part("e", text("AB"))), r"\overline{AB}"),
        (text("αβ≤∞"), r"\alpha\beta\leq\infty"),
        (text("R", '<m:scr m:val="double-struck"/>'), r"\mathbb{R}"),
        (text("if 50%", "<m:nor/>"), r"\text{if 50\%}"),
        (part("groupChr", part("e", text("a+b"))), r"\underbrace{a+b}"),
    ],
)
def test_formula_is_latex(source: str, tex: str) -> None:
    assert math(source) == f"${tex}$"


def test_display_formula_is_between_two_dollar_signs() -> None:
    body = f"<w:p><m:oMathPara><m:oMath>{text('a=b')}</m:oMath></m:oMathPara></w:p>"
    assert markdown(docx(body)) == "$$a=b$$"


def test_chart_is_a_table_and_diagram_a_list() -> None:
    chart = (
        "<c:chartSpace {ns}><c:chart><c:title><a:p><a:r><a:t>Cups</a:t></a:r></a:p></c:title><c:ser>"
        "<c:tx><c:v>2026</c:v></c:tx>"
        '<c:cat><c:pt idx="0"><c:v>May</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>3</c:v></c:pt></c:val>'
        "</c:ser></c:chart></c:chartSpace>"
    )
    diagram = (
        '<dgm:dataModel {ns}><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>top</a:t></a:r></a:p></dgm:t></dgm:pt>'
        "</dgm:dataModel>"
    )
    body = paragraph(
        '<w:r><w:drawing><wp:inline><c:chart r:id="C"/></wp:inline></w:drawing><w:drawing><wp:inline>'
        '<dgm:relIds r:dm="D"/></wp:inline></w:drawing></w:r>'
    )
    content = docx(
        body,
        related={"C": ("chart", "charts/c.xml"), "D": ("diagramData", "diagrams/d.xml")},
        parts={"word/charts/c.xml": chart, "word/diagrams/d.xml": diagram},
    )
    assert markdown(content) == "**Cups**\n\n|  | 2026 |\n| --- | --- |\n| May | 3 |\n\n- top"


def test_strict_document_is_read() -> None:
    content = (
        '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p><w:r><w:t>strict</w:t></w:r>'
        "</w:p></w:body></w:document>"
    )
    assert markdown(docx("", parts={"word/document.xml": content})) == "strict"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"word/document.xml": "<w:document>"}, "file: its part word/document.xml is damaged XML."),
        (
            {"word/document.xml": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'},
            "file: its part word/document.xml declares a DTD, which is not allowed.",
        ),
        (
            {"word/document.xml": "<a>" * 10_000 + "</a>" * 10_000},
            "file: its part word/document.xml is",
        ),
        ({"word/document.xml": "<a/>"}, "file: is a damaged Word document that has no text."),
        (
            {"word/styles.xml": '<!DOCTYPE a [<!ENTITY b "bbb">]><a>&b;</a>'},
            "file: its part word/styles.xml declares a DTD, which is not allowed.",
        ),
        (
            {
                "_rels/.rels": relationships({"main": ("officeDocument", "other.xml")}),
                "word/document.xml": "<w:document",
            },
            "file: its part word/document.xml is damaged XML.",
        ),
    ],
)
def test_hostile_parts_are_rejected(parts: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.document_to_markdown(docx(paragraph("text"), parts=parts))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        (r"EQ \f(1,2)", "1/2"),
        (r"eq \f(a+b,\r(3,x))", "(a+b)/(3√(x))"),
        (r'EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(かん),漢)', "漢"),
        (r"EQ \b\bc\[(\a\al(p,q))", "(p q)"),
        (r"EQ a\,b", "a,b"),
        (r"EQUIP \f(1,2)", ""),
    ],
)
def test_equation_field_without_a_result_is_read(instruction: str, shown: str) -> None:
    field = (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{instruction}</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    content = markdown(docx(paragraph(run("[") + field + run("]"))))
    assert content == f"[{shown}]"


def test_hidden_equation_field_is_not_shown() -> None:
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    parts = ('<w:fldChar w:fldCharType="begin"/>', r"<w:instrText>EQ \f(1,2)</w:instrText>")
    field = "".join(f"<w:r>{hidden}{part}</w:r>" for part in (*parts, '<w:fldChar w:fldCharType="end"/>'))
    assert markdown(docx(paragraph(run("[") + field + run("]")))) == "[]"
