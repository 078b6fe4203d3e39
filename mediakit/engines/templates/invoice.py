"""`invoice`: a bill of one page, up to eight rows."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.items import ROWS, item_keys
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
WORDS = {
    "from": ("From", "De"),
    "to": ("Bill to", "Facturar a"),
    "number": ("Number", "Número"),
    "date": ("Date", "Fecha"),
    "due_date": ("Due", "Vencimiento"),
    "name": ("Description", "Descripción"),
    "qty": ("Qty", "Cant."),
    "price": ("Price", "Precio"),
    "item_total": ("Amount", "Importe"),
    "subtotal": ("Subtotal", "Subtotal"),
    "total": ("Total", "Total"),
    "payment": ("Payment", "Forma de pago"),
    "iban": ("IBAN", "IBAN"),
    "notes": ("Notes", "Notas"),
}
WIDTHS = {"name": 330.0, "qty": 62.0, "price": 110.0, "total": 116.0}
"""Of the columns, in pixels."""


def layout(texts: Texts) -> str:
    """Write the invoice: who and when, the rows, the sums, how to pay."""
    extra = texts.width - 794
    title = texts.put("title", Fit(300, 44, 26, weight=700, tracking=-0.035), tag="h1")
    company = texts.put("company", Fit(290, 22, 15, lines=2, weight=700, tracking=-0.02))
    facts = "".join(_fact(texts, key) for key in ("number", "date", "due_date"))
    parties = _party(texts, "from", "company", named=False) + _party(texts, "to", "client", named=True)
    return (
        f'<header><div class="brand">{texts.logo()}{company}</div>{title}</header>'
        f'<div class="facts">{facts}</div><div class="parties">{parties}</div>'
        f"{_table(texts, extra)}{_sums(texts)}{_ending(texts, extra)}"
    )


def _fact(texts: Texts, key: str) -> str:
    if not texts.has(key):
        return ""
    return f"<div>{texts.label(key)}{texts.put(key, Fit(195, 15.5, 11, weight=600), name='fact')}</div>"


def _party(texts: Texts, word: str, key: str, *, named: bool) -> str:
    lines = texts.put(key, Fit(300, 16, 12, lines=2, weight=650), name="party") if named else ""
    lines += texts.put(f"{key}_address", Fit(300, 14, 11.5, lines=3), name="address")
    lines += texts.put(f"{key}_tax_id", Fit(300, 14, 11.5), name="address")
    return f"<div>{texts.label(word)}{lines}</div>" if lines else ""


def _table(texts: Texts, extra: float) -> str:
    rows = "".join(_row(texts, row, extra) for row in range(1, ROWS + 1))
    if not rows:
        return ""
    head = "".join(f"<th>{texts.label('item_total' if name == 'total' else name, tag='span')}</th>" for name in COLUMNS)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _row(texts: Texts, row: int, extra: float) -> str:
    keys = [f"item{row}_{column}" for column in COLUMNS]
    if not texts.has(*keys):
        return ""
    room = WIDTHS | {"name": WIDTHS["name"] + extra}
    cells = (
        texts.put(
            key,
            Fit(room[column], 14.5, 11, lines=2 if column == "name" else 1, weight=550 if column != "qty" else 400),
            tag="div",
            name=column,
        )
        for key, column in zip(keys, COLUMNS, strict=True)
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _sums(texts: Texts) -> str:
    lines = ""
    if texts.has("subtotal"):
        lines += f"<li>{texts.label('subtotal')}{texts.put('subtotal', Fit(140, 14.5, 10, weight=550))}</li>"
    if texts.has("tax"):
        lines += (
            f"<li>{texts.put('tax_label', Fit(128, 14, 10))}{texts.put('tax', Fit(140, 14.5, 10, weight=550))}</li>"
        )
    if texts.has("total"):
        total = texts.put("total", Fit(210, 27, 15, weight=750, tracking=-0.025))
        lines += f'<li class="due">{texts.label("total")}{total}</li>'
    return f'<ul class="sums">{lines}</ul>'


def _ending(texts: Texts, extra: float) -> str:
    blocks = "".join(
        f"<div>{texts.label(key)}{texts.put(key, Fit(room, 14, 11, lines=lines), name='ending')}</div>"
        for key, room, lines in (("payment", 200.0, 2), ("iban", 290.0 + extra, 1))
        if texts.has(key)
    )
    if texts.has("notes"):
        notes = texts.put("notes", Fit(640 + extra, 14, 11.5, lines=3), name="ending")
        blocks += f'<div class="wide">{texts.label("notes")}{notes}</div>'
    return f"<footer>{blocks}</footer>" if blocks else ""


INVOICE = Template("invoice", "A bill of one page, with up to eight rows.", 794, 1123, KEYS, layout, WORDS)
