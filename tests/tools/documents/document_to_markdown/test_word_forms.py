"""Forms of Word as Markdown: form fields of Word 97-2003, content controls, and lists of check boxes."""

import pytest

import mediakit
from tests.tools.documents.document_to_markdown.word_files import docx, item, numbered_list, paragraph, run


def markdown(content: bytes, **options: object) -> str:
    return mediakit.document_to_markdown(content, **options).content  # type: ignore[arg-type]


def form_field(kind: str, data: str, result: str | None = None) -> str:
    """Return a form field. Without a result, its instruction is followed by its end."""
    separate = "" if result is None else f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}'
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="F"/><w:enabled/>{data}</w:ffData></w:fldChar>'
        f'</w:r><w:r><w:instrText xml:space="preserve"> {kind} </w:instrText></w:r>{separate}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


@pytest.mark.parametrize(
    ("state", "box"),
    [
        ('<w:default w:val="1"/>', "☒"),
        ('<w:default w:val="0"/>', "☐"),
        ('<w:default w:val="1"/><w:checked w:val="0"/>', "☐"),
        ('<w:default w:val="0"/><w:checked/>', "☒"),
        ('<w:checked w:val="false"/>', "☐"),
        ("", "☐"),
    ],
)
def test_check_box_field_shows_its_state_or_its_default(state: str, box: str) -> None:
    field = form_field("FORMCHECKBOX", f"<w:checkBox><w:sizeAuto/>{state}</w:checkBox>")
    assert markdown(docx(paragraph(field + run(" Vegetarian")))) == f"{box} Vegetarian"


def test_check_box_field_with_an_empty_result_shows_its_state_once() -> None:
    field = form_field("FORMCHECKBOX", "<w:checkBox><w:checked/></w:checkBox>", result=run(""))
    assert markdown(docx(paragraph(run("Agreed: ") + field))) == "Agreed: ☒"


def test_check_boxes_in_cells_show_their_state() -> None:
    box = form_field("FORMCHECKBOX", "<w:checkBox><w:checked/></w:checkBox>")
    cells = "".join(f"<w:tc>{paragraph(content)}</w:tc>" for content in ("Invoice sent", box))
    assert "| Invoice sent | ☒ |" in markdown(docx(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"))


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ('<w:result w:val="2"/>', "Zürich"),
        ('<w:default w:val="1"/>', "Basel"),
        ('<w:result w:val="0"/><w:default w:val="1"/>', "Bern"),
        ("", "Bern"),
        ('<w:result w:val="9"/>', ""),
    ],
)
def test_list_field_shows_its_choice(choice: str, shown: str) -> None:
    names = "".join(f'<w:listEntry w:val="{name}"/>' for name in ("Bern", "Basel", "Zürich"))
    field = form_field("FORMDROPDOWN", f"<w:ddList>{choice}{names}</w:ddList>")
    assert markdown(docx(paragraph(run("Branch: ") + field + run(".")))) == f"Branch: {shown}."


def test_text_field_shows_its_result_or_its_default() -> None:
    data = '<w:textInput><w:default w:val="first name"/></w:textInput>'
    filled = form_field("FORMTEXT", data, result=run("Grace ") + run("Hopper", "<w:b/>"))
    untouched = form_field("FORMTEXT", data)
    cleared = form_field("FORMTEXT", data, result=run("\u2002\u2002"))
    body = paragraph(filled) + paragraph(untouched) + paragraph(cleared + run("end"))
    assert markdown(docx(body)).split("\n\n") == ["Grace **Hopper**", "first name", "\u2002\u2002end"]


def test_hidden_form_field_is_omitted() -> None:
    field = form_field("FORMCHECKBOX", "<w:checkBox><w:checked/></w:checkBox>")
    hidden = form_field("REF x", "", result=None).replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    assert markdown(docx(paragraph(hidden + field + run(" shown")))) == "☒ shown"


def content_control(checked: str, content: str) -> str:
    return (
        f'<w:sdt><w:sdtPr><w14:checkbox>{checked}<w14:checkedState w14:val="2612" w14:font="MS Gothic"/></w14:checkbox>'
        f"</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"
    )


def test_content_control_shows_its_box_or_else_its_state() -> None:
    shown = content_control('<w14:checked w14:val="1"/>', run("☑"))
    symbol = content_control('<w14:checked w14:val="1"/>', '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>')
    checked = content_control('<w14:checked w14:val="1"/>', run(""))
    unchecked = content_control('<w14:checked w14:val="0"/>', "")
    body = "".join(paragraph(control + run(" x")) for control in (shown, symbol, checked, unchecked))
    assert markdown(docx(body)) == "☑ x\n\n☑ x\n\n☒ x\n\n☐ x"


def bullets(*texts: tuple[str, str]) -> str:
    """Return lists with a level for each bullet and font."""
    lists = "".join(
        f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>'
        f'<w:lvlText w:val="{text}"/><w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr></w:lvl>'
        "</w:abstractNum>"
        for number, (text, font) in enumerate(texts, 1)
    )
    return lists + "".join(numbered_list(number, number) for number in range(1, len(texts) + 1))


def test_items_with_boxes_for_bullets_are_a_task_list() -> None:
    numbering = bullets(("☐", "MS Gothic"), ("☒", "MS Gothic"), ("\uf0a8", "Wingdings"), ("\uf0fe", "Wingdings"))
    body = "".join(item(text, number=number) for number, text in enumerate(("pack", "pay", "call", "sign"), 1))
    content = docx(body, numbering=numbering)
    assert markdown(content) == "- [ ] pack\n- [x] pay\n- [ ] call\n- [x] sign"


def test_items_with_other_bullets_have_no_check_box() -> None:
    numbering = bullets(("\uf0b7", "Symbol"), ("\uf0fc", "Wingdings"), ("o", "Courier New"))
    body = "".join(item(text, number=number) for number, text in enumerate(("a", "b", "c"), 1))
    assert "[" not in markdown(docx(body, numbering=numbering))
