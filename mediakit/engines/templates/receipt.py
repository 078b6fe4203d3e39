"""`receipt`: a till receipt, as narrow as its paper."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.items import ROWS, item_keys
from mediakit.engines.templates.keys import Key, plain_ascii
from mediakit.engines.templates.marks import code_128
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

COLUMNS = ("name", "qty", "price")
ROOM = 316
"""Width of the paper inside its margins, in pixels."""
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
WORDS = {"subtotal": ("Subtotal", "Subtotal"), "total": ("Total", "Total")}


def layout(texts: Texts) -> str:
    """Write the receipt: the shop, when and who, the rows, the sums, a code to scan."""
    shop = (
        texts.logo()
        + texts.put("store", Fit(ROOM, 27, 17, lines=2, weight=750, tracking=-0.03), tag="h1")
        + texts.put("address", Fit(ROOM, 13.5, 11.5, lines=2))
        + texts.put("phone", Fit(ROOM, 13.5, 11.5))
    )
    rows = "".join(_row(texts, row) for row in range(1, ROWS + 1))
    items = f'<div class="items">{rows}</div>' if rows else ""
    return (
        f'<article><header>{shop}</header><div class="facts">{_facts(texts)}</div>'
        f"{items}{_sums(texts)}{_ending(texts)}</article>"
    )


def _facts(texts: Texts) -> str:
    pairs = (("number", "date", 150, 158), ("cashier", "time", 220, 88))
    rows = (
        texts.put(left, Fit(wide, 13.5, 10)) + texts.put(right, Fit(narrow, 13.5, 10), name="at")
        for left, right, wide, narrow in pairs
    )
    return "".join(f"<div>{row}</div>" for row in rows if row)


def _row(texts: Texts, row: int) -> str:
    keys = [f"item{row}_{column}" for column in COLUMNS]
    if not texts.has(*keys):
        return ""
    name = texts.put(keys[0], Fit(164, 14.5, 11, lines=2, weight=500), name="name")
    qty = texts.put(keys[1], Fit(38, 14.5, 10), name="qty")
    price = texts.put(keys[2], Fit(106, 14.5, 9.5, weight=550), name="price")
    return f"<div><span>{qty}</span><span>{name}</span><span>{price}</span></div>"


def _sums(texts: Texts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.put('subtotal', Fit(140, 14, 10))}</li>"
    if texts.has("tax"):
        lines += f"<li>{texts.put('tax_label', Fit(180, 14, 10))}{texts.put('tax', Fit(124, 14, 10))}</li>"
    if texts.has("total"):
        total = texts.put("total", Fit(224, 29, 15, weight=750, tracking=-0.03))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>' if lines else ""


def _ending(texts: Texts) -> str:
    code = texts.raw("code")
    drawn = code_128(code, room=ROOM - 20) + texts.put("code", Fit(ROOM, 12.5, 10, tracking=0.12)) if code else ""
    payment = texts.put("payment", Fit(ROOM, 14, 11, weight=500))
    farewell = texts.put("footer", Fit(ROOM, 14.5, 11.5, lines=3, weight=600), name="farewell")
    return f"<footer>{payment}{farewell}{drawn}</footer>"


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
)
