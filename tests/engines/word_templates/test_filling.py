"""Word templates are filled in every place of the document; results are read by python-docx and lxml."""

import io
import zipfile
from typing import Any

import pytest
from docx import Document
from lxml import etree

from mediakit.engines.word_templates.filling import fill
from mediakit.errors import InvalidInput
from tests.support.word_kit import MAIN, A, W, cells, docx, p, part, r, run_of, table, texts

BOLD = "<w:b/>"


def filled(body: str, data: dict[str, Any], parts: dict[str, str] | None = None, **options: Any) -> bytes:
    content = fill(docx(body, parts), data, **options).content
    assert content is not None
    Document(io.BytesIO(content))  # python-docx opens it
    return content


@pytest.mark.parametrize(
    "runs",
    [
        ["{{ client.name }}"],
        ["{", "{ client", ".name }", "}"],
        ["{{", '<w:proofErr w:type="spellStart"/>', "client", '<w:proofErr w:type="spellEnd"/>', ".name", "}}"],
        ["{{ cli", '<w:bookmarkStart w:id="0" w:name="here"/>', "ent.name }}", '<w:bookmarkEnd w:id="0"/>'],
        ["{{ client", f'<w:ins w:id="1" w:author="A">{r(".na")}</w:ins>', "me }}"],
        ["{{ client", '<w:del w:id="1"><w:r><w:delText>.old</w:delText></w:r></w:del>', ".name }}"],
        [f'<w:hyperlink w:anchor="x">{r("{{ client.")}</w:hyperlink>', "name }}"],
        [f"<w:sdt><w:sdtPr/><w:sdtContent>{r('{{ client.')}{r('name')}</w:sdtContent></w:sdt>", "}}"],
        ["<w:r><w:t>{{ client.</w:t><w:tab/><w:t>name }}</w:t></w:r>"],
        ["<w:r><w:t>{{</w:t><w:br/><w:t>client.name }}</w:t></w:r>"],
    ],
)
def test_placeholder_split_over_runs_is_filled(runs: list[str]) -> None:
    content = filled(p("Dear ", *runs, "!"), {"client": {"name": "Ada"}})
    assert texts(content) == ["Dear Ada!"]


def test_value_has_formatting_of_first_run() -> None:
    content = filled(p(r("{{ na", BOLD), r("me }}", "<w:i/>"), "."), {"name": "Ada"})
    run = run_of(content, "Ada")
    assert run.bold
    assert not run.italic


def test_newline_tab_and_markup_characters_are_text() -> None:
    content = filled(p("{{ text }}"), {"text": "A & B <i>\nline\ttab\r\nend\x00\x07"})
    assert texts(content) == ["A & B <i>\nline\ttab\nend\n"]


def test_spaces_around_value_are_kept() -> None:
    assert texts(filled(p("{{ a }} ", "and {{ b }}  end"), {"a": " 1", "b": "2 "})) == [" 1 and 2   end"]


def test_text_loop_repeats_text() -> None:
    body = p("{% for x in xs %}", "{{ loop.index }}:{{ x }}{% if not loop.last %}, {% endif %}", "{% endfor %}.")
    assert texts(filled(body, {"xs": ["a", "b", "c"]})) == ["1:a, 2:b, 3:c."]


def test_tags_alone_in_paragraphs_repeat_paragraphs() -> None:
    body = p("Start") + p("{% for x in xs %}") + p("– ", "{{ x }}") + p("{% endfor %}") + p("End")
    assert texts(filled(body, {"xs": ["a", "b"]})) == ["Start", "– a", "– b", "End"]


def test_loop_that_begins_and_ends_in_text_repeats_the_paragraph_break() -> None:
    body = p("{% for x in xs %}{{ x }}") + p("next {% endfor %}.")
    assert texts(filled(body, {"xs": ["a", "b"]})) == ["a", "next b", "next ."]


def test_condition_over_paragraphs() -> None:
    body = p("{% if a %}") + p("A") + p("{% elif b == 'x' %}") + p("B") + p("{% else %}") + p("C") + p("{% endif %}")
    assert texts(filled(body, {"a": True, "b": ""})) == ["A"]
    assert texts(filled(body, {"a": False, "b": "x"})) == ["B"]
    assert texts(filled(body, {"a": False, "b": "y"})) == ["C"]


def test_tags_in_first_and_last_cell_repeat_row() -> None:
    body = table(["Name", "Price"], ["{% for i in items %}{{ i.name }}", "{{ i.price }}{% endfor %}"], ["Sum", "9"])
    items = [{"name": "Tea", "price": 2}, {"name": "Cake", "price": 7}]
    assert cells(filled(body, {"items": items})) == [["Name", "Price"], ["Tea", "2"], ["Cake", "7"], ["Sum", "9"]]
    assert cells(filled(body, {"items": []})) == [["Name", "Price"], ["Sum", "9"]]


def test_tags_in_paragraphs_of_their_own_in_first_and_last_cell_repeat_row() -> None:
    body = table([p("{% for i in items %}") + p("{{ i }}"), p("x") + p("{% endfor %}")])
    assert cells(filled(body, {"items": [1, 2]})) == [["1", "x"], ["2", "x"]]


def test_loop_in_one_cell_stays_in_the_cell() -> None:
    body = table(["{% for i in items %}{{ i }} {% endfor %}", "end"])
    assert cells(filled(body, {"items": [1, 2]})) == [["1 2 ", "end"]]


def test_nested_loops_in_table_rows() -> None:
    body = table(
        ["{%tr for group in groups %}", ""],
        ["{{ group.name }}", "{{ group.items | length }}"],
        ["{% for item in group.items %}{{ loop.index }}", "{{ item }}{% endfor %}"],
        ["{%tr endfor %}", ""],
    )
    groups = [{"name": "A", "items": ["x", "y"]}, {"name": "B", "items": []}]
    assert cells(filled(body, {"groups": groups})) == [["A", "2"], ["1", "x"], ["2", "y"], ["B", "0"]]


def test_rows_that_have_only_tags_disappear() -> None:
    body = table(["{% for i in items %}", ""], ["{{ i }}", "a"], ["{{ i }}", "b"], ["{% endfor %}", ""])
    assert cells(filled(body, {"items": [1, 2]})) == [["1", "a"], ["1", "b"], ["2", "a"], ["2", "b"]]


def test_condition_around_row() -> None:
    body = table(["{% if show %}A", "B{% endif %}"], ["C", "D"])
    assert cells(filled(body, {"show": False})) == [["C", "D"]]
    assert cells(filled(body, {"show": True})) == [["A", "B"], ["C", "D"]]


def test_table_without_rows_disappears_and_cell_keeps_a_paragraph() -> None:
    body = p("Before") + table(["{%tr for i in items %}"], ["{{ i }}"], ["{%tr endfor %}"]) + p("After")
    content = filled(body, {"items": []})
    assert texts(content) == ["Before", "After"]
    assert part(content).find(f".//{{{W}}}tbl") is None
    body = table([p("{% if no %}") + p("x") + p("{% endif %}"), "y"])
    cell = part(filled(body, {"no": False})).find(f".//{{{W}}}tc")
    assert cell is not None
    assert [etree.QName(child).localname for child in cell] == ["tcPr", "p"]


def test_columns_of_a_loop_fit_the_grid() -> None:
    body = table(["", "{%tc for c in cols %}", "{{ c }}", "{%tc endfor %}"])
    content = filled(body, {"cols": ["a", "b", "c", "d", "e"]})
    assert cells(content) == [["", "a", "b", "c", "d", "e"]]
    widths = [int(column.get(f"{{{W}}}w", "")) for column in part(content).iter(f"{{{W}}}gridCol")]
    assert len(widths) == 6
    assert abs(sum(widths) - 4000) < 6


def test_vertical_merge_of_a_loop() -> None:
    body = table(["{%tr for i in items %}", ""], ["{% vm %}", "{{ i }}"], ["{%tr endfor %}", ""])
    merges = part(filled(body, {"items": [1, 2, 3]})).iter(f"{{{W}}}vMerge")
    assert [each.get(f"{{{W}}}val") for each in merges] == ["restart", "continue", "continue"]


def test_horizontal_merge_of_a_loop() -> None:
    row = ["{%tc for i in items %}", "{% hm %}Title", "{%tc endfor %}"]
    content = filled(table(row, ["{%tc for i in items %}", "{{ i }}", "{%tc endfor %}"]), {"items": [1, 2]})
    assert cells(content) == [["Title", "Title"], ["1", "2"]]  # python-docx repeats a cell for each column


def test_span_and_color_of_a_cell() -> None:
    content = filled(table(["{% colspan 2 %}{% cellbg color %}A", "B"]), {"color": "#ffEE00"})
    properties = part(content).find(f".//{{{W}}}tcPr")
    assert properties is not None
    assert [etree.QName(child).localname for child in properties] == ["tcW", "gridSpan", "shd"]
    assert properties[2].get(f"{{{W}}}fill") == "ffEE00"
    with pytest.raises(InvalidInput, match="six hexadecimal digits"):
        fill(docx(table(["{% cellbg color %}A"])), {"color": 'x" w:x="'})


def test_dash_joins_paragraphs() -> None:
    body = p("I live") + p("{%- if town -%}") + p("in town") + p("{%- else -%}") + p("outside") + p("{%- endif -%}")
    assert texts(filled(body + p("and like it."), {"town": True})) == ["I livein townand like it."]


def test_comments_and_escaped_braces() -> None:
    body = p("A{# no #}B") + p("{#p all gone #} too") + p("{_{ name }_} {_% if %_}")
    assert texts(filled(body, {})) == ["AB", "{{ name }} {% if %}"]


def test_headers_footers_notes_and_charts_are_filled() -> None:
    note = f'<w:footnote w:id="2">{p("Note {{ a }}")}</w:footnote>'
    title = (
        "<c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr b='1'/><a:t>{{ a</a:t></a:r>"
        "<a:r><a:t> }} sales</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart>"
    )
    parts = {"header1": p("H {{ a }}"), "footer2": p("F {{ a }}"), "footnotes": note, "chart1": title}
    content = filled(p("B {{ a }}"), {"a": "1 < 2\n&"}, parts)
    assert texts(content) == ["B 1 < 2\n&"]
    assert texts(content, "word/header1.xml") == ["H 1 < 2\n&"]
    assert texts(content, "word/footer2.xml") == ["F 1 < 2\n&"]
    assert texts(content, "word/footnotes.xml") == ["Note 1 < 2\n&"]
    assert texts(content, "word/charts/chart1.xml") == ["1 < 2\n& sales"]
    assert all(not text.attrib for text in part(content, "word/charts/chart1.xml").iter(f"{{{A}}}t"))


def test_text_boxes_are_filled_in_both_versions() -> None:
    box = f"<w:txbxContent>{p('{% for x in xs %}{{ x }}{% endfor %}')}</w:txbxContent>"
    run = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wp:docPr id='1' name='Box'/>"
        f"<wps:txbx>{box}</wps:txbx></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    content = filled(p("{% if a %}", run, "{% endif %}{{ a }}"), {"a": "A", "xs": [1, 2]})
    assert texts(content)[1:] == ["12", "12"]


def test_core_properties_are_filled() -> None:
    core = "<dc:title>Offer {{ n }}</dc:title><dc:creator>{% if n %}Ada{% endif %}</dc:creator>"
    content = fill(docx(p("x"), core=core), {"n": 7}).content or b""
    properties = Document(io.BytesIO(content)).core_properties
    assert (properties.title, properties.author) == ("Offer 7", "Ada")


def test_content_control_is_detached_from_its_data() -> None:
    control = (
        f"<w:sdt><w:sdtPr><w:dataBinding w:xpath='/a'/></w:sdtPr><w:sdtContent>{p('{{ a }}')}</w:sdtContent></w:sdt>"
    )
    content = filled(control, {"a": "new"})
    assert texts(content) == ["new"]
    assert part(content).find(f".//{{{W}}}dataBinding") is None


def test_ids_are_unique_after_repetition() -> None:
    drawing = "<w:r><w:drawing><wp:inline><wp:docPr id='7' name='P'/></wp:inline></w:drawing></w:r>"
    mark = '<w:bookmarkStart w:id="3" w:name="Here"/>', '<w:bookmarkEnd w:id="3"/>'
    control = f"<w:sdt><w:sdtPr><w:id w:val='5'/></w:sdtPr><w:sdtContent>{r('x')}</w:sdtContent></w:sdt>"
    line = p(mark[0], drawing, control, mark[1]).replace("<w:p>", '<w:p w14:paraId="0A0B0C0D">', 1)
    content = filled(p("{% for x in xs %}") + line + p("{% endfor %}"), {"xs": [1, 2, 3]})
    root = part(content)
    ids = [each.get("id") for each in root.iter("{*}docPr")]
    starts = list(root.iter(f"{{{W}}}bookmarkStart"))
    assert len(ids) == len(set(ids)) == 3
    assert [each.get(f"{{{W}}}name") for each in starts] == ["Here"]
    assert [each.get(f"{{{W}}}id") for each in root.iter(f"{{{W}}}bookmarkEnd")] == ["3"]
    assert len(root.findall(f".//{{{W}}}sdtPr/{{{W}}}id")) == 1
    assert len(root.findall(".//*[@w14:paraId]", {"w14": "http://schemas.microsoft.com/office/word/2010/wordml"})) == 1


def test_bookmarks_of_the_same_id_are_kept() -> None:
    marks = [f'<w:bookmarkStart w:id="1" w:name="{name}"/><w:bookmarkEnd w:id="1"/>' for name in "ab"]
    root = part(filled("".join(p(mark, r("{{ x }}")) for mark in marks), {"x": 1}))
    assert [each.get(f"{{{W}}}name") for each in root.iter(f"{{{W}}}bookmarkStart")] == ["a", "b"]
    assert len(list(root.iter(f"{{{W}}}bookmarkEnd"))) == 2


def test_section_break_in_a_paragraph_with_a_tag_is_kept() -> None:
    section = "<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>{%p if a %}</w:t></w:r></w:p>"
    content = filled(section + p("x") + p("{%p endif %}"), {"a": False})
    assert len(list(part(content).iter(f"{{{W}}}sectPr"))) == 2


def test_fields_are_listed() -> None:
    body = p("{{ client.name }} {% if paid %}{{ client.name | upper }}{% endif %}") + table(
        ["{% for i in items %}{{ i.price }}{{ loop.index }}", "{% for t in i.tags %}{{ t }}{% endfor %}{% endfor %}"]
    )
    listed = fill(docx(body, {"header1": p("{{ client.name }}")}), None)
    assert listed.content is None
    assert [(field.name, field.kind, field.where) for field in listed.fields] == [
        ("client.name", "value", "body, header 1"),
        ("paid", "condition", "body"),
        ("items", "list", "body"),
        ("items.price", "value", "body"),
        ("items.tags", "list", "body"),
    ]


def test_missing_values_are_named_with_their_path() -> None:
    body = p("{{ client.city }}{% if paid %}{% endif %}{% for i in items %}{{ i.price }}{% endfor %}")
    with pytest.raises(InvalidInput) as caught:
        fill(docx(body), {"client": {}, "items": [{"price": 1}, {}]})
    assert str(caught.value) == "data: client.city is missing. (2 more in details)"
    assert [each["message"] for each in caught.value.details] == [
        "client.city is missing.",
        "paid is missing.",
        "items.1.price is missing.",
    ]


def test_missing_blank_leaves_out() -> None:
    made = fill(
        docx(p("A{{ a }}B{% if b %}x{% else %}y{% endif %}{% for c in d %}z{% endfor %}{{ e }}")), {"e": ""}, "blank"
    )
    assert texts(made.content or b"") == ["ABy"]
    assert made.blank == ["a", "e"]


def test_missing_keep_leaves_tags() -> None:
    body = p("{{ a }} {{ b | upper }} {% for c in d %}{{ c }}{{ a }}{% endfor %} {% if a %}{{ x.y }}{% endif %}")
    made = fill(docx(body), {"a": 1}, "keep")
    assert texts(made.content or b"") == ["1 {{ b | upper }} {% for c in d %}{{ c }}{{ a }}{% endfor %} {{ x.y }}"]


def test_unused_data_is_named() -> None:
    made = fill(docx(p("{{ a.b }} {{ c.d }}")), {"a": {"b": 1}, "c.d": 2, "e": 3})
    assert made.unused == ["e"]


def test_removed_text_beside_a_tag_is_reported() -> None:
    made = fill(docx(p("Text {%p if a %}") + p("x") + p("{%p endif %}")), {"a": 1})
    assert made.warnings == ['The text "Text" was removed: {%p if a %} replaces its paragraph.']


def test_removed_placeholder_beside_a_tag_is_reported() -> None:
    made = fill(
        docx(table(["{%tr for x in xs %}", "{{ total }}"], ["{{ x }}", ""], ["{%tr endfor %}", ""])),
        {"xs": [1], "total": 2},
    )
    assert made.warnings == ['The text "{{ total }}" was removed: {%tr for x in xs %} replaces its table row.']


def test_unopened_block_is_refused_also_when_fields_are_listed() -> None:
    with pytest.raises(InvalidInput, match=r"no {% for %} before it"):
        fill(docx(p("{% endfor %}{{ a }}")), None)


def test_block_in_places_that_do_not_match_is_refused() -> None:
    body = p("{% if a %}x") + table(["{% endif %}", "y"])
    with pytest.raises(InvalidInput, match=r"begins and ends in places that do not match"):
        fill(docx(body), {"a": 1})
    crossed = table(["{% if a %}{% for x in xs %}", "{% endfor %}{% else %}"], ["{% for x in xs %}{% endfor %}", ""])
    with pytest.raises(InvalidInput, match=r"begins and ends in places that do not match"):
        fill(docx(crossed + p("{% endif %}")), {"a": 1, "xs": []})


def test_template_type_becomes_document() -> None:
    content = fill(docx(p("{{ a }}"), main_type=f"{MAIN}.template.main+xml"), {"a": 1}).content or b""
    assert Document(io.BytesIO(content)).paragraphs[0].text == "1"


def test_equal_input_gives_equal_bytes() -> None:
    body = table(["{% for i in items %}{{ i }}", "{% endfor %}"])
    assert fill(docx(body), {"items": [1, 2]}).content == fill(docx(body), {"items": [1, 2]}).content


def test_values_have_paths_with_dots_dashes_and_indexes() -> None:
    body = p("{{ grid.1.0 }} {{ first-name }} {{ client.vat }} {{ nothing | default(“–”) }} {{ 'a' if yes else 'b' }}")
    data = {"grid": [[1, 2], [3, 4]], "first-name": "Grace", "client.vat": "DE1", "yes": True}
    assert texts(filled(body, data)) == ["3 Grace DE1 – a"]


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("{{ name | foo }}", 'file: unknown filter "foo" in {{ name | foo }}.'),
        ("{{ name() }}", 'file: in "{{ name() }}": name() is a call, and templates have none.'),
        ("{{ ''.__class__ }}", "file: in \"{{ ''.__class__ }}\": only values of the data have names and members"),
        ("{{ a + b }}", 'file: in "{{ a + b }}": "+" is not part of the language.'),
        ("{{ a ==", 'file: in "{{ a ==": it has no "}}" in its paragraph.'),
        ("{% set a = 1 %}", '"set" is not a statement; use for, if, elif, else, endif or endfor.'),
        ("{% for a in b %}", 'file: in "{% for a in b %}": no {% endfor %}.'),
        ("{%p if a %}", 'file: in "{%p if a %}": no {% endif %}.'),
        ("{% vm %}", 'file: in "{% vm %}": it must be in a table cell.'),
    ],
)
def test_wrong_tag_is_refused(tag: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        fill(docx(p(tag)), {"a": 1, "b": []})
    assert str(caught.value).startswith(message) or message in str(caught.value)


def test_part_of_a_wrong_tag_is_named() -> None:
    with pytest.raises(InvalidInput, match=r'file: in "{% for row in rows %}" \(header 1\): no {% endfor %}\.'):
        fill(docx(p("Body"), {"header1": p("{% for row in rows %}")}), {})


def test_value_that_does_not_fit_is_named_with_its_tag_and_part() -> None:
    message = r'data: due must be a date such as .* got "soon", in {{ due | date }} \(header 2\)\.'
    with pytest.raises(InvalidInput, match=message):
        fill(
            docx(p("Body"), {"footnotes": f'<w:footnote w:id="2">{p("{{ due | date }}")}</w:footnote>'}),
            {"due": "soon"},
        )


def test_braces_in_quotes_do_not_close_placeholder() -> None:
    assert texts(filled(p('{{ nothing | default("}} <&>") }}'), {})) == ["}} <&>"]


def test_format_of_every_run_is_kept_around_split_placeholders() -> None:
    content = filled(
        p(r("{{", BOLD), r("a}} and ", "<w:i/>"), "{% if a %}", r("more", '<w:u w:val="single"/>'), "{% endif %}"),
        {"a": "A"},
    )
    run = run_of(content, "A")
    assert (run.bold, run_of(content, " and ").italic, run_of(content, "more").underline) == (True, True, True)


def test_value_beside_a_tag_is_content_of_its_paragraph() -> None:
    body = p("{% for x in xs %}{{ x }}") + p("{% endfor %}")
    assert texts(filled(body, {"xs": ["a", "b"]}))[:2] == ["a", "b"]


def test_missing_span_and_color_leave_the_cell_as_it_is() -> None:
    body = table(["{% colspan n %}{% cellbg c %}A", "B"])
    properties = part(filled(body, {}, missing="blank")).find(f".//{{{W}}}tcPr")
    assert properties is not None
    assert [etree.QName(child).localname for child in properties] == ["tcW"]
    assert texts(filled(body, {}, missing="keep"))[0] == "{% colspan n %}{% cellbg c %}A"


def test_kept_placeholders_are_as_they_were_written() -> None:
    body = p("{{name}} {{r  x }}{%- if y -%} {{ z }}{% endif %}")
    assert texts(filled(body, {"z": 1}, missing="keep")) == ["{{name}} {{ x }}{%- if y -%} {{ z }}{% endif %}"]


def test_text_that_looks_like_a_tag_in_a_value_stays_text() -> None:
    assert texts(filled(p("{{ a }} {{ b }}"), {"a": "{{ b }}", "b": "{% if %}{_{ x"})) == ["{{ b }} {% if %}{_{ x"]


def test_strict_document_is_filled() -> None:
    strict = {W: "http://purl.oclc.org/ooxml/wordprocessingml/main"}
    body = p("{% for x in xs %}{{ x }}{% endfor %}")
    content = docx(body)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as archive:
        for name, entry in entries.items():
            archive.writestr(name, entry.replace(W.encode(), strict[W].encode()))
    made = fill(saved.getvalue(), {"xs": [1, "x\ny"]}).content or b""
    assert "".join(part(made).itertext()) == "1xy"
    assert len(list(part(made).iter(f"{{{strict[W]}}}br"))) == 1


@pytest.mark.parametrize(
    "inner",
    [
        '<w:r><w:t>\ufdd4 0\ufdd4 \ufdd47\ufdd4 \ufdd0 </w:t></w:r><mediakit-tag n="0"/><mediakit-tag n="99"/>',
        '<mediakit-tag xmlns="urn:x" n="0"/><mediakit-tag xmlns="urn:x" n="99"/>',
        '<w:bookmarkStart w:id="mediakit-tag-0" w:name="mediakit-tag-99"/><!-- {{ no }} -->',
        "<w:r><w:instrText>{{ no }} {% if %}</w:instrText></w:r>",
    ],
)
def test_text_that_looks_like_a_marker_stays_text(inner: str) -> None:
    content = filled(f"<w:p>{inner}</w:p>" + p("{{ a }}{{ b }}"), {"a": "<A>", "b": "B-->"})
    assert "".join(part(content).itertext(f"{{{W}}}t")).endswith("<A>B-->")
