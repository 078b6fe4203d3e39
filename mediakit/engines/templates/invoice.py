"""`invoice`: a bill of one page, up to eight rows."""

from collections.abc import Mapping

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.items import ITEMS, ROWS, item_keys, item_names
from mediakit.engines.templates.keys import Key
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

COLUMNS = ("name", "qty", "price", "total")
KEYS = (
    Key("title", 40, "Invoice", "Factura"),
    Key("company", 80, "Northwind Studio", "Estudio Norte"),
    Key("company_address", 200, "12 Harbor Street, Portland, OR 97201", "Calle del Puerto 12, 28013 Madrid"),
    Key("company_tax_id", 40, "Tax ID 00-0000000", "NIF B00000000"),
    Key("number", 40, "INV-0042", "F-0042"),
    Key("date", 40, "March 3, 2026", "3 de marzo de 2026"),
    Key("due_date", 40, "April 2, 2026", "2 de abril de 2026"),
    Key("client", 80, "Acme Inc.", "Acme S.L."),
    Key(
        "client_address",
        200,
        "500 Market Street, San Francisco, CA 94105",
        "Avenida del Mercado 500, 08002 Barcelona",
    ),
    Key("client_tax_id", 40, "Tax ID 11-1111111", "NIF B11111111"),
    *item_keys(
        COLUMNS,
        {
            1: (("Logo design", "Diseño de logotipo"), ("1", "1"), ("$400.00", "400,00 €"), ("$400.00", "400,00 €")),
            2: (("Web page", "Página web"), ("3", "3"), ("$150.00", "150,00 €"), ("$450.00", "450,00 €")),
        },
    ),
    Key("subtotal", 24, "$850.00", "850,00 €"),
    Key("tax_label", 40, "Tax (10%)", "IVA (21 %)"),
    Key("tax", 24, "$85.00", "178,50 €"),
    Key("total", 24, "$935.00", "1.028,50 €"),
    Key("payment", 120, "Bank transfer", "Transferencia bancaria"),
    Key("iban", 60, "", "ES91 2100 0418 4502 0005 1332"),
    Key("notes", 300, "Thank you for your business.", "Gracias por su confianza."),
)
GROUPS = {
    "Seller": ("company", "company_address", "company_tax_id"),
    "Buyer": ("client", "client_address", "client_tax_id"),
    ITEMS: item_names(COLUMNS),
    "Sums": ("subtotal", "tax_label", "tax", "total"),
    "Payment and notes": ("payment", "iban", "notes"),
}
WORDS = {
    "from": ("From", "De"),
    "to": ("Bill to", "Facturar a"),
    "number": ("Number", "Número"),
    "date": ("Date", "Fecha"),
    "due_date": ("Due", "Vencimiento"),
    "item_name": ("Description", "Descripción"),
    "item_qty": ("Qty", "Cant."),
    "item_price": ("Price", "Precio"),
    "item_total": ("Amount", "Importe"),
    "subtotal": ("Subtotal", "Subtotal"),
    "total": ("Total", "Total"),
    "payment": ("Payment", "Forma de pago"),
    "iban": ("IBAN", "IBAN"),
    "notes": ("Notes", "Notas"),
}
CROWDED = 6
"""Rows from which on the style sheet draws them closer."""
CELLS = {"qty": 72.0, "price": 122.0, "total": 126.0}
"""Widths of the columns of numbers, in pixels."""
TEXTS = {"qty": 62.0, "price": 110.0, "total": 116.0}
"""Widths of what stands in them."""


def layout(texts: Texts) -> str:
    """Write the invoice: who and when, the rows, the sums, how to pay."""
    extra = texts.width - 794
    title = texts.put(
        "title",
        Fit(352, 44, 22, lines=2, weight=700, tracking=-0.035, height=62, leading=1.25),
        tag="h1",
        name="title push",
    )
    company = texts.put("company", Fit(290, 22, 15, lines=2, weight=700, tracking=-0.02, leading=1.2))
    facts = "".join(_fact(texts, key) for key in ("number", "date", "due_date"))
    parties = _party(texts, "from", "company", named=False) + _party(texts, "to", "client", named=True)
    header = f'<header><div class="brand">{texts.logo()}{company}</div>{title}</header>'
    middle = _block("facts", facts) + _block("parties", parties) + _table(texts, extra)
    return header + middle + _sums(texts) + _ending(texts, extra)


def _block(name: str, content: str) -> str:
    return f'<div class="{name}">{content}</div>' if content else ""


def _fact(texts: Texts, key: str) -> str:
    if not texts.has(key):
        return ""
    return f"<div>{texts.label(key)}{texts.put(key, Fit(195, 15.5, 11, weight=600), name='fact')}</div>"


def _party(texts: Texts, word: str, key: str, *, named: bool) -> str:
    lines = texts.put(key, Fit(290, 16, 12, lines=2, weight=650, leading=1.35), name="party") if named else ""
    lines += texts.put(f"{key}_address", Fit(290, 14, 11.5, lines=4, leading=1.5, height=64), name="address")
    lines += texts.put(f"{key}_tax_id", Fit(290, 14, 10.5, leading=1.5), name="address")
    return f"<div>{texts.label(word)}{lines}</div>" if lines else ""


def _table(texts: Texts, extra: float) -> str:
    columns = ["name", *(column for column in COLUMNS[1:] if texts.has(*item_names([column])))]
    room = TEXTS | {"name": 622 + extra - sum(CELLS[column] for column in columns[1:])}
    rows = "".join(_row(texts, row, columns, room) for row in range(1, ROWS + 1))
    if not rows:
        return ""
    head = "".join(f'<th class="{name}">{texts.label(f"item_{name}", tag="span")}</th>' for name in columns)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(texts: Texts, row: int, columns: list[str], room: Mapping[str, float]) -> str:
    if not texts.has(*item_names(COLUMNS, [row])):
        return ""
    fits = {column: Fit(room[column], 14.5, 9, weight=400 if column == "qty" else 550) for column in columns[1:]}
    fits["name"] = Fit(room["name"], 14.5, 11, lines=3, weight=550, leading=1.35, height=45)
    cells = (
        texts.put(f"item{row}_{column}", fits[column], tag="div", name="name" if column == "name" else "number push")
        for column in columns
    )
    drawn = "".join(f'<td class="{name}">{cell}</td>' for name, cell in zip(columns, cells, strict=True))
    return f"<tr>{drawn}</tr>"


def _sums(texts: Texts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.put('subtotal', Fit(140, 14.5, 10, weight=550))}</li>"
    if texts.has("tax"):
        label = texts.put("tax_label", Fit(146, 14, 11, lines=2))
        lines += f"<li>{label}{texts.put('tax', Fit(140, 14.5, 10, weight=550))}</li>"
    if texts.has("total"):
        total = texts.put("total", Fit(210, 27, 15, weight=750, tracking=-0.025))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>' if lines else ""


def _ending(texts: Texts, extra: float) -> str:
    blocks = _end(texts, "payment", 230) + _end(texts, "iban", 360 + extra)
    if texts.has("notes"):
        notes = texts.put("notes", Fit(622 + extra, 14, 11.5, lines=4, leading=1.5, height=64), name="ending")
        blocks += f'<div class="wide">{texts.label("notes")}{notes}</div>'
    return f"<footer>{blocks}</footer>" if blocks else ""


def _end(texts: Texts, key: str, room: float) -> str:
    text = texts.put(key, Fit(room, 14, 11, lines=3, leading=1.5, height=50), name="ending")
    return f"<div>{texts.label(key)}{text}</div>" if text else ""


def needs(texts: Texts) -> float:
    """Add up the height of the invoice as its style sheet lays it out, in pixels."""
    tall = texts.tall
    rows = [keys for row in range(1, ROWS + 1) if texts.has(*(keys := item_names(COLUMNS, [row])))]
    crowded = len(rows) >= CROWDED
    gap, edges, padding = (20, 86, 13) if crowded else (28, 106, 19)
    facts = gap + 51 + tall("number", "date", "due_date")
    parties = gap + 19 + max(_party_needs(texts, "company", named=False), _party_needs(texts, "client", named=True))
    table = gap + 42 + sum(padding + tall(*keys) for keys in rows)
    sums = 82 + tall("subtotal") + tall("tax", "tax_label") + tall("total")
    ending = 19 + 33 + tall("payment", "iban") + 21 + tall("notes")
    return edges + max(58, tall("title"), tall("company")) + facts + parties + table + sums + ending


def _party_needs(texts: Texts, key: str, *, named: bool) -> float:
    return (3 + texts.tall(key) if named else 0) + 6 + texts.tall(f"{key}_address") + texts.tall(f"{key}_tax_id")


INVOICE = Template(
    "invoice",
    "A bill of one page, with up to eight rows.",
    794,
    1123,
    KEYS,
    layout,
    WORDS,
    needs=needs,
    tabular=True,
    groups=GROUPS,
)
