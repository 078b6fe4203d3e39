"""`invoice`: an invoice of one page with up to eight items."""

from collections.abc import Mapping

from mediakit.engines.templates.items import MAX_ITEM_ROWS, item_key_names
from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox

COLUMNS = ("name", "qty", "price", "total")
DESIGN_WIDTH = 794
"""Width of the page for which the other widths are defined, in pixels."""
CONTENT_WIDTH, PARTY_WIDTH = 622, 290
"""In pixels."""
COMPACT_FROM = 6
"""From this number of items on, the style sheet uses smaller spacing."""
CELL_WIDTHS = {"qty": 72.0, "price": 122.0, "total": 126.0}
"""Widths of the columns of numbers, in pixels."""
TEXT_WIDTHS = {"qty": 62.0, "price": 110.0, "total": 116.0}
"""Maximum widths of the texts in these columns, in pixels."""


def layout(texts: PageTexts) -> str:
    """Return the body of an invoice: parties and dates, items, totals, payment."""
    content_width = CONTENT_WIDTH + texts.width - DESIGN_WIDTH
    title = texts.element(
        "title",
        TextBox(352, 44, 22, lines=2, weight=700, tracking=-0.035, height=62, line_height=1.25),
        tag="h1",
        css_class="title push",
    )
    company = texts.element(
        "company", TextBox(PARTY_WIDTH, 22, 15, lines=2, weight=700, tracking=-0.02, line_height=1.2)
    )
    facts = "".join(_fact(texts, key) for key in ("number", "date", "due_date"))
    parties = _party(texts, "from", "company", named=False) + _party(texts, "to", "client", named=True)
    header = f'<header><div class="brand">{texts.logo()}{company}</div>{title}</header>'
    middle = _block("facts", facts) + _block("parties", parties) + _item_table(texts, content_width)
    return header + middle + _totals(texts) + _footer(texts, content_width)


def _block(name: str, content: str) -> str:
    return f'<div class="{name}">{content}</div>' if content else ""


def _fact(texts: PageTexts, key: str) -> str:
    if not texts.has(key):
        return ""
    return f"<div>{texts.label(key)}{texts.element(key, TextBox(195, 15.5, 11, weight=600), css_class='fact')}</div>"


def _party(texts: PageTexts, label: str, key: str, *, named: bool) -> str:
    name = TextBox(PARTY_WIDTH, 16, 12, lines=2, weight=650, line_height=1.35)
    address = TextBox(PARTY_WIDTH, 14, 11.5, lines=4, line_height=1.5, height=64)
    tax_id = TextBox(PARTY_WIDTH, 14, 10.5, line_height=1.5)
    lines = texts.element(key, name, css_class="party") if named else ""
    lines += texts.element(f"{key}_address", address, css_class="address")
    lines += texts.element(f"{key}_tax_id", tax_id, css_class="address")
    return f"<div>{texts.label(label)}{lines}</div>" if lines else ""


def _item_table(texts: PageTexts, content_width: float) -> str:
    """Return the table of items; columns without any text are omitted."""
    columns = ["name", *(column for column in COLUMNS[1:] if texts.has(*item_key_names([column])))]
    widths = TEXT_WIDTHS | {"name": content_width - sum(CELL_WIDTHS[column] for column in columns[1:])}
    rows = "".join(_item_row(texts, row, columns, widths) for row in range(1, MAX_ITEM_ROWS + 1))
    if not rows:
        return ""
    head = "".join(f'<th class="{name}">{texts.label(f"item_{name}", tag="span")}</th>' for name in columns)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _item_row(texts: PageTexts, row: int, columns: list[str], widths: Mapping[str, float]) -> str:
    if not texts.has(*item_key_names(COLUMNS, [row])):
        return ""
    boxes = {column: TextBox(widths[column], 14.5, 9, weight=400 if column == "qty" else 550) for column in columns[1:]}
    boxes["name"] = TextBox(widths["name"], 14.5, 11, lines=3, weight=550, line_height=1.35, height=45)
    cells = ""
    for column in columns:
        css_class = "name" if column == "name" else "number push"
        text = texts.element(f"item{row}_{column}", boxes[column], tag="div", css_class=css_class)
        cells += f'<td class="{column}">{text}</td>'
    return f"<tr>{cells}</tr>"


def _totals(texts: PageTexts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.element('subtotal', TextBox(140, 14.5, 10, weight=550))}</li>"
    if texts.has("tax"):
        label = texts.element("tax_label", TextBox(146, 14, 11, lines=2))
        lines += f"<li>{label}{texts.element('tax', TextBox(140, 14.5, 10, weight=550))}</li>"
    if texts.has("total"):
        total = texts.element("total", TextBox(210, 27, 15, weight=750, tracking=-0.025))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>' if lines else ""


def _footer(texts: PageTexts, content_width: float) -> str:
    blocks = _footer_block(texts, "payment", 230) + _footer_block(texts, "iban", content_width - 262)
    if texts.has("notes"):
        box = TextBox(content_width, 14, 11.5, lines=4, line_height=1.5, height=64)
        notes = texts.element("notes", box, css_class="ending")
        blocks += f'<div class="wide">{texts.label("notes")}{notes}</div>'
    return f"<footer>{blocks}</footer>" if blocks else ""


def _footer_block(texts: PageTexts, key: str, width: float) -> str:
    text = texts.element(key, TextBox(width, 14, 11, lines=3, line_height=1.5, height=50), css_class="ending")
    return f"<div>{texts.label(key)}{text}</div>" if text else ""


def needed_height(texts: PageTexts) -> float:
    """Return the height of the content as the style sheet lays it out, in pixels."""
    height = texts.height_of
    rows = [keys for row in range(1, MAX_ITEM_ROWS + 1) if texts.has(*(keys := item_key_names(COLUMNS, [row])))]
    gap, edges, padding = (20, 86, 13) if len(rows) >= COMPACT_FROM else (28, 106, 19)
    facts = gap + 51 + height("number", "date", "due_date")
    parties = gap + 19 + max(_party_height(texts, "company", named=False), _party_height(texts, "client", named=True))
    table = gap + 42 + sum(padding + height(*keys) for keys in rows)
    totals = 82 + height("subtotal") + height("tax", "tax_label") + height("total")
    footer = 19 + 33 + height("payment", "iban") + 21 + height("notes")
    return edges + max(58, height("title"), height("company")) + facts + parties + table + totals + footer


def _party_height(texts: PageTexts, key: str, *, named: bool) -> float:
    name = 3 + texts.height_of(key) if named else 0
    return name + 6 + texts.height_of(f"{key}_address") + texts.height_of(f"{key}_tax_id")


INVOICE = Template.load("invoice", layout, needed_height)
