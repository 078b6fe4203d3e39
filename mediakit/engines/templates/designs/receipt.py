"""`receipt`: a sales receipt."""

from dataclasses import replace

from mediakit.engines.templates.inline_codes import code_128_svg
from mediakit.engines.templates.items import MAX_ITEM_ROWS
from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox

COLUMNS = ("name", "qty", "price")
MIN_CONTENT_WIDTH, MAX_CONTENT_WIDTH = 316, 470
"""Limits of the width of the content, in pixels. On wide pages, the content is wider."""
MARGINS = 104
"""Left and right margins inside and around the paper, in pixels."""
FACT_PAIRS = (("number", "date"), ("cashier", "time"))
"""Keys that share a line if they fit."""
PRICE_BOX = TextBox(MAX_CONTENT_WIDTH, 14.5, 9, weight=550)
MAX_PRICE_WIDTH, QUANTITY_WIDTH = 120.0, 42
"""Widths of columns, in pixels."""


def layout(texts: PageTexts) -> str:
    """Return the body of a receipt: shop, facts, items, totals and barcode."""
    width = _content_width(texts)
    store = TextBox(width, 27, 17, lines=2, weight=750, tracking=-0.03, line_height=1.18)
    shop = (
        texts.logo()
        + texts.element("store", store, tag="h1")
        + texts.element("address", TextBox(width, 13.5, 11.5, lines=3, line_height=1.4))
        + texts.element("phone", TextBox(width, 13.5, 11.5))
    )
    header = f"<header>{shop}</header>" if shop else ""
    lines = _facts(texts) + _items(texts) + _totals(texts) + _footer(texts)
    return f'<article style="width:{width + 64:g}px">{header}{lines}</article>'


def _content_width(texts: PageTexts) -> float:
    return min(MAX_CONTENT_WIDTH, max(MIN_CONTENT_WIDTH, texts.width - MARGINS))


def _facts(texts: PageTexts) -> str:
    rows = "".join(f"<div>{row}</div>" for pair in FACT_PAIRS for row in _fact_lines(texts, *pair) if row)
    return f'<div class="facts">{rows}</div>' if rows else ""


def _fact_lines(texts: PageTexts, left: str, right: str) -> list[str]:
    """Return two facts on one line, or on two lines if they are too long."""
    box = _fact_box(texts)
    if _share_line(texts, left, right):
        return [texts.element(left, box, css_class="fact") + texts.element(right, box, css_class="fact push")]
    return [texts.element(key, box, css_class="fact") for key in (left, right)]


def _fact_box(texts: PageTexts) -> TextBox:
    return TextBox(_content_width(texts), 13.5, 9)


def _share_line(texts: PageTexts, left: str, right: str) -> bool:
    box = _fact_box(texts)
    return texts.width_of(left, box) + texts.width_of(right, box) + 12 <= box.width


def _items(texts: PageTexts) -> str:
    rows = [row for row in range(1, MAX_ITEM_ROWS + 1) if texts.has(*_item_keys(row))]
    if not rows:
        return ""
    has_quantity = texts.has(*(f"item{row}_qty" for row in rows))
    price_width = min(MAX_PRICE_WIDTH, 2 + max(texts.width_of(f"item{row}_price", PRICE_BOX) for row in rows))
    lines = "".join(_item(texts, row, price_width, has_quantity=has_quantity) for row in rows)
    return f'<div class="items{" counted" if has_quantity else ""}" style="--price:{price_width:g}px">{lines}</div>'


def _item_keys(row: int) -> list[str]:
    return [f"item{row}_{column}" for column in COLUMNS]


def _item(texts: PageTexts, row: int, price_width: float, *, has_quantity: bool) -> str:
    name_key, quantity_key, price_key = _item_keys(row)
    name_width = _content_width(texts) - 8 - price_width - (QUANTITY_WIDTH if has_quantity else 0)
    name_box = TextBox(name_width, 14.5, 11, lines=3, weight=500, line_height=1.28, height=52)
    name = texts.element(name_key, name_box, css_class="name")
    quantity = texts.element(quantity_key, TextBox(34, 14.5, 8), css_class="qty") if has_quantity else ""
    price = texts.element(price_key, replace(PRICE_BOX, width=price_width), css_class="price")
    first = f"<span>{quantity}</span>" if has_quantity else ""
    return f"<div>{first}<span>{name}</span><span>{price}</span></div>"


def _totals(texts: PageTexts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.element('subtotal', TextBox(140, 14, 10))}</li>"
    if texts.has("tax"):
        label = texts.element("tax_label", TextBox(180, 14, 11, lines=2))
        lines += f"<li>{label}{texts.element('tax', TextBox(124, 14, 10))}</li>"
    if texts.has("total"):
        total = texts.element("total", TextBox(224, 29, 15, weight=750, tracking=-0.03))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>' if lines else ""


def _footer(texts: PageTexts) -> str:
    width, code = _content_width(texts), texts.raw("code")
    barcode = code_128_svg(code, max_width=MIN_CONTENT_WIDTH - 20) if code else ""
    code_text = texts.element("code", TextBox(width, 12.5, 10, tracking=0.12)) if code else ""
    payment = texts.element("payment", TextBox(width, 14, 11, lines=2, weight=500))
    farewell_box = TextBox(width, 14.5, 11.5, lines=4, weight=600, line_height=1.35)
    farewell = texts.element("footer", farewell_box, css_class="farewell")
    lines = payment + farewell + barcode + code_text
    return f"<footer>{lines}</footer>" if lines else ""


def needed_height(texts: PageTexts) -> float:
    """Return the height of the content as the style sheet lays it out, in pixels."""
    height = texts.height_of
    shop = (54 if texts.has("logo") else 0) + height("store") + 6 + height("address") + height("phone")
    facts = 43 + sum(
        2 + height(*pair) if _share_line(texts, *pair) else 4 + sum(map(height, pair)) for pair in FACT_PAIRS
    )
    items = 24 + sum(7 + height(*_item_keys(row)) for row in range(1, MAX_ITEM_ROWS + 1) if texts.has(*_item_keys(row)))
    totals = 34 + height("subtotal") + height("tax", "tax_label") + height("total")
    code = 74 + height("code") if texts.has("code") else 0
    return 105 + shop + facts + items + totals + 23 + height("payment") + height("footer") + code


RECEIPT = Template.load("receipt", layout, needed_height)
