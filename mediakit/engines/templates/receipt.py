"""`receipt`: a till receipt, as narrow as its paper."""

from dataclasses import replace

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.items import ITEMS, ROWS, item_keys, item_names
from mediakit.engines.templates.keys import Key, plain_ascii
from mediakit.engines.templates.marks import code_128
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

COLUMNS = ("name", "qty", "price")
ROOM, MOST_ROOM = 316, 470
"""Width of the paper inside its margins, in pixels; on a wide page, a receipt that has to shrink takes more."""
MARGINS = 104
"""Of the paper and around it, left and right together, in pixels."""
FACTS = (("number", "date"), ("cashier", "time"))
"""Facts that stand beside each other."""
PRICE = Fit(MOST_ROOM, 14.5, 9, weight=550)
KEYS = (
    Key("store", 60, "Corner Coffee", "Café de la Esquina"),
    Key("address", 120, "8 Main Street, Springfield", "Calle Mayor 8, Sevilla"),
    Key("phone", 40, "+1 555 0100", "+34 955 000 000"),
    Key("number", 40, "Receipt 1024", "Recibo 1024"),
    Key("date", 40, "March 3, 2026", "3 de marzo de 2026"),
    Key("time", 20, "9:41 AM", "9:41"),
    Key("cashier", 60, "Served by Sam", "Le atendió Sara"),
    *item_keys(
        COLUMNS,
        {
            1: (("Flat white", "Café con leche"), ("2", "2"), ("$7.00", "3,60 €")),
            2: (("Croissant", "Cruasán"), ("1", "1"), ("$3.50", "1,80 €")),
        },
    ),
    Key("subtotal", 24, "$10.50", "4,91 €"),
    Key("tax_label", 40, "Tax (8%)", "IVA incluido (10 %)"),
    Key("tax", 24, "$0.84", "0,49 €"),
    Key("total", 24, "$11.34", "5,40 €"),
    Key("payment", 60, "Card ending 4242", "Tarjeta terminada en 4242"),
    Key("footer", 120, "Thank you, see you soon!", "¡Gracias, hasta pronto!"),
    Key("code", 24, rule=plain_ascii),
)
GROUPS = {
    "Shop": ("store", "address", "phone"),
    ITEMS: item_names(COLUMNS),
    "Sums": ("subtotal", "tax_label", "tax", "total"),
    "Payment and ending": ("payment", "footer", "code"),
}
WORDS = {"subtotal": ("Subtotal", "Subtotal"), "total": ("Total", "Total")}


def layout(texts: Texts) -> str:
    """Write the receipt: the shop, when and who, the rows, the sums, a code to scan."""
    room = _room(texts)
    shop = (
        texts.logo()
        + texts.put("store", Fit(room, 27, 17, lines=2, weight=750, tracking=-0.03, leading=1.18), tag="h1")
        + texts.put("address", Fit(room, 13.5, 11.5, lines=3, leading=1.4))
        + texts.put("phone", Fit(room, 13.5, 11.5))
    )
    header = f"<header>{shop}</header>" if shop else ""
    lines = _facts(texts) + _items(texts) + _sums(texts) + _ending(texts)
    return f'<article style="width:{room + 64:g}px">{header}{lines}</article>'


def _room(texts: Texts) -> float:
    return min(MOST_ROOM, max(ROOM, texts.width - MARGINS))


def _facts(texts: Texts) -> str:
    rows = "".join(f"<div>{row}</div>" for pair in FACTS for row in _pair(texts, *pair) if row)
    return f'<div class="facts">{rows}</div>' if rows else ""


def _pair(texts: Texts, left: str, right: str) -> list[str]:
    """Write two facts on one line, or each on its own where they are too long for that."""
    if _beside(texts, left, right):
        return [texts.put(left, _fact(texts), name="fact") + texts.put(right, _fact(texts), name="fact push")]
    return [texts.put(key, _fact(texts), name="fact") for key in (left, right)]


def _fact(texts: Texts) -> Fit:
    return Fit(_room(texts), 13.5, 9)


def _beside(texts: Texts, left: str, right: str) -> bool:
    fact = _fact(texts)
    return texts.width_of(left, fact) + texts.width_of(right, fact) + 12 <= fact.width


def _items(texts: Texts) -> str:
    rows = [row for row in range(1, ROWS + 1) if texts.has(*_row_keys(row))]
    if not rows:
        return ""
    counted = texts.has(*(f"item{row}_qty" for row in rows))
    price = min(120.0, 2 + max(texts.width_of(f"item{row}_price", PRICE) for row in rows))
    cells = "".join(_row(texts, row, price, counted=counted) for row in rows)
    return f'<div class="items{" counted" if counted else ""}" style="--price:{price:g}px">{cells}</div>'


def _row_keys(row: int) -> list[str]:
    return [f"item{row}_{column}" for column in COLUMNS]


def _row(texts: Texts, row: int, price: float, *, counted: bool) -> str:
    name, qty, cost = _row_keys(row)
    room = _room(texts) - 8 - price - (42 if counted else 0)
    what = texts.put(name, Fit(room, 14.5, 11, lines=3, weight=500, leading=1.28, height=52), name="name")
    count = f"<span>{texts.put(qty, Fit(34, 14.5, 8), name='qty')}</span>" if counted else ""
    amount = texts.put(cost, replace(PRICE, width=price), name="price")
    return f"<div>{count}<span>{what}</span><span>{amount}</span></div>"


def _sums(texts: Texts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.put('subtotal', Fit(140, 14, 10))}</li>"
    if texts.has("tax"):
        lines += f"<li>{texts.put('tax_label', Fit(180, 14, 11, lines=2))}{texts.put('tax', Fit(124, 14, 10))}</li>"
    if texts.has("total"):
        total = texts.put("total", Fit(224, 29, 15, weight=750, tracking=-0.03))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>' if lines else ""


def _ending(texts: Texts) -> str:
    room, code = _room(texts), texts.raw("code")
    drawn = code_128(code, room=ROOM - 20) + texts.put("code", Fit(room, 12.5, 10, tracking=0.12)) if code else ""
    payment = texts.put("payment", Fit(room, 14, 11, lines=2, weight=500))
    farewell = texts.put("footer", Fit(room, 14.5, 11.5, lines=4, weight=600, leading=1.35), name="farewell")
    lines = payment + farewell + drawn
    return f"<footer>{lines}</footer>" if lines else ""


def needs(texts: Texts) -> float:
    """Add up the height of the receipt as its style sheet lays it out, in pixels."""
    tall = texts.tall
    shop = (54 if texts.has("logo") else 0) + tall("store") + 6 + tall("address") + tall("phone")
    facts = 43 + sum(2 + tall(*pair) if _beside(texts, *pair) else 4 + sum(map(tall, pair)) for pair in FACTS)
    items = 24 + sum(7 + tall(*_row_keys(row)) for row in range(1, ROWS + 1) if texts.has(*_row_keys(row)))
    sums = 34 + tall("subtotal") + tall("tax", "tax_label") + tall("total")
    code = 74 + tall("code") if texts.has("code") else 0
    return 105 + shop + facts + items + sums + 23 + tall("payment") + tall("footer") + code


RECEIPT = Template(
    "receipt",
    "A till receipt; with full_page it is as high as it needs to be.",
    420,
    880,
    KEYS,
    layout,
    WORDS,
    pdf_format="A5",
    grows=True,
    needs=needs,
    tabular=True,
    groups=GROUPS,
)
