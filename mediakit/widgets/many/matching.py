"""Matches the columns of a table with the keys of a form by their names."""

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

MIN_SIMILARITY = 0.84
"""Minimum similarity of two names that are not equal, from 0 to 1."""

SYNONYMS: Mapping[str, Sequence[str]] = {
    "recipient": ("name", "full name", "student", "participant", "attendee", "nombre", "alumno", "participante"),
    "client": ("customer", "client name", "customer name", "buyer", "cliente"),
    "client_address": ("address", "customer address", "direccion"),
    "store": ("shop", "merchant", "tienda"),
    "number": ("no", "nr", "invoice", "invoice number", "receipt number", "numero", "factura"),
    "total": ("amount", "sum", "amount due", "importe"),
    "title": ("headline", "heading", "titulo"),
    "course": ("subject", "class", "workshop", "curso"),
    "date": ("day", "fecha"),
    "due_date": ("due", "vencimiento"),
    "certificate_id": ("id", "certificate", "certificate number"),
    "verify_url": ("url", "link", "verification"),
    "data": ("url", "link", "text", "code", "value", "sku", "ean", "gtin", "barcode", "website", "enlace"),
    "name": ("full name", "ssid", "network", "title", "nombre"),
    "phone": ("tel", "telephone", "mobile", "telefono"),
    "email": ("mail", "e-mail", "correo"),
    "password": ("key", "passphrase", "clave"),
}
"""Other names of keys, without diacritics."""


def match_columns(columns: Iterable[str], keys: Mapping[str, Sequence[str]], main: Sequence[str]) -> dict[str, str]:
    """Return the key of each column that matches one; every key is used once.

    Args:
        columns: The columns of a table.
        keys: The names of the keys, with their aliases.
        main: The keys that need a column, which match first. If one column and one of these keys are left, they match.
    """
    matched: dict[str, str] = {}
    rest = list(columns)
    for score in (_is_equal, _is_synonym, _is_similar):
        for column in list(rest):
            free = (key for key in [*main, *keys] if key not in matched.values())
            key = next((key for key in free if score(_plain(column), key, keys.get(key, ()))), None)
            if key:
                matched[column] = key
                rest.remove(column)
    open_keys = [key for key in main if key not in matched.values()]
    if len(rest) == 1 and len(open_keys) == 1 and not matched:
        matched[rest[0]] = open_keys[0]
    return matched


def _is_equal(column: str, key: str, aliases: Sequence[str]) -> bool:
    return column in {_plain(name) for name in (key, *aliases)}


def _is_synonym(column: str, key: str, _aliases: Sequence[str]) -> bool:
    return column in {_plain(name) for name in SYNONYMS.get(key, ())}


def _is_similar(column: str, key: str, _aliases: Sequence[str]) -> bool:
    return difflib.SequenceMatcher(None, column, _plain(key)).ratio() >= MIN_SIMILARITY


def _plain(name: str) -> str:
    """Return a name in lower case, without diacritics, spaces and punctuation."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(char for char in decomposed if char.isalnum())
