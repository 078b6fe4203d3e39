"""Ready lists of fields."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

Template = Literal["people", "orders", "products", "sensors", "surveys"]

TEMPLATES: tuple[str, ...] = get_args(Template)

_STATUS = {
    "en": ("delivered", "shipped", "paid", "pending", "returned"),
    "es": ("entregado", "enviado", "pagado", "pendiente", "devuelto"),
    "de": ("geliefert", "versandt", "bezahlt", "offen", "retourniert"),
    "fr": ("livrée", "expédiée", "payée", "en attente", "retournée"),
    "it": ("consegnato", "spedito", "pagato", "in attesa", "reso"),
    "pt": ("entregue", "enviado", "pago", "pendente", "devolvido"),
    "ja": ("配達済み", "発送済み", "支払い済み", "保留中", "返品"),
}
_COMMENTS = {
    "en": (
        "Everything worked as expected.", "The staff were friendly and quick.",
        "Delivery took longer than announced.", "I would like more colors to choose from.",
        "Easy to order, easy to use.", "The instructions could be clearer.",
        "Good value for the price.", "The package arrived damaged, but was replaced.", "I will order again.",
        "The website was slow in the evening.", "Nothing to add.", "The opening hours do not suit me.",
    ),
    "es": (
        "Todo funcionó como esperaba.", "El personal fue amable y rápido.", "La entrega tardó más de lo anunciado.",
        "Me gustaría poder elegir más colores.", "Fácil de pedir y de usar.",
        "Las instrucciones podrían ser más claras.",
        "Buena relación calidad-precio.", "El paquete llegó dañado, pero lo cambiaron.", "Volveré a comprar.",
        "La web iba lenta por la tarde.", "Nada que añadir.", "El horario de apertura no me conviene.",
    ),
    "de": (
        "Alles hat wie erwartet funktioniert.", "Das Personal war freundlich und schnell.",
        "Die Lieferung dauerte länger als angekündigt.", "Mehr Farben zur Auswahl wären schön.",
        "Einfach zu bestellen und zu bedienen.", "Die Anleitung könnte klarer sein.",
        "Gutes Preis-Leistungs-Verhältnis.",
        "Das Paket kam beschädigt an, wurde aber ersetzt.", "Ich bestelle wieder.", "Abends war die Website langsam.",
    ),
    "ja": (
        "期待どおりでした。", "スタッフの対応が親切でした。", "配送が予定より遅れました。",
        "色の種類がもっと欲しいです。", "注文も使い方も簡単でした。", "説明書が少し分かりにくいです。",
        "値段のわりに良いです。", "また注文します。",
    ),
}  # fmt: skip


def template_fields(template: str, language: str) -> Mapping[str, Any]:
    """Return the fields of a template."""
    return _MAKERS[template](language)


def _people(_language: str) -> Mapping[str, Any]:
    return {
        "id": "id",
        "first_name": "first_name",
        "last_name": "last_name",
        "gender": "gender",
        "birth_date": {"kind": "date", "from": "1950-01-01", "to": "2005-12-31"},
        "email": "email",
        "phone": "phone",
        "street": "street",
        "postcode": "postcode",
        "city": "city",
        "country": "country",
        "job": {"kind": "job", "null_pct": 8},
    }


def _orders(language: str) -> Mapping[str, Any]:
    return {
        "order": {"kind": "sequence", "pattern": "ORD-#####", "start": 10001},
        "day": "date",
        "customer": "name",
        "email": "email",
        "city": "city",
        "sku": "sku",
        "product": "product",
        "category": "category",
        "price": "price",
        "quantity": {"kind": "choice", "values": [1, 2, 3, 4, 5, 10], "weights": [52, 24, 11, 6, 4, 3]},
        "total": {"kind": "formula", "formula": "round(price * quantity, 2)"},
        "status": {"kind": "choice", "values": list(_in(_STATUS, language)), "weights": [62, 14, 12, 8, 4]},
    }


def _products(_language: str) -> Mapping[str, Any]:
    return {
        "sku": {"kind": "sku", "unique": True},
        "ean": {"kind": "ean13", "unique": True},
        "product": "product",
        "category": "category",
        "price": "price",
        "stock": {"kind": "integer", "min": 0, "max": 400},
        "weight_kg": {"kind": "number", "min": 0.05, "max": 12, "decimals": 2},
        "tax_pct": {"kind": "choice", "values": [4, 10, 21], "weights": [1, 2, 7]},
        "active": {"kind": "boolean", "pct": 92},
        "added": {"kind": "date", "null_pct": 3},
    }


def _sensors(_language: str) -> Mapping[str, Any]:
    return {
        "time": {"kind": "datetime", "from": "2025-01-01T00:00:00", "step": 600, "time_zone": "UTC"},
        "sensor": {"kind": "choice", "values": ["S1", "S2", "S3", "S4"]},
        "temperature": {"kind": "number", "mean": 21.5, "std": 1.8, "decimals": 1, "null_pct": 2},
        "humidity": {"kind": "number", "mean": 48, "std": 7, "min": 0, "max": 100, "decimals": 1, "null_pct": 2},
        "pressure_hpa": {"kind": "number", "mean": 1013, "std": 6, "decimals": 1},
        "battery": {"kind": "percent", "min": 35, "max": 100, "decimals": 0},
        "ok": {"kind": "boolean", "pct": 97},
    }


def _surveys(language: str) -> Mapping[str, Any]:
    return {
        "response": {"kind": "uuid"},
        "answered": {"kind": "datetime", "from": "2025-03-01", "to": "2025-03-31"},
        "age": {"kind": "age", "null_pct": 4},
        "gender": {"kind": "gender", "null_pct": 4},
        "city": "city",
        "satisfaction": {"kind": "choice", "values": [1, 2, 3, 4, 5], "weights": [4, 8, 18, 40, 30]},
        "recommend": {
            "kind": "choice",
            "values": list(range(11)),
            "weights": [2, 1, 1, 2, 2, 6, 7, 14, 24, 20, 21],
        },
        "minutes": {"kind": "number", "mean": 6.5, "std": 2.5, "min": 1, "max": 20, "decimals": 1},
        "comment": {"kind": "choice", "values": list(_in(_COMMENTS, language)), "null_pct": 45},
        "contact_allowed": {"kind": "boolean", "pct": 35},
    }


def _in(texts: Mapping[str, tuple[str, ...]], language: str) -> tuple[str, ...]:
    return texts.get(language, texts["en"])


_MAKERS = {
    "people": _people,
    "orders": _orders,
    "products": _products,
    "sensors": _sensors,
    "surveys": _surveys,
}
