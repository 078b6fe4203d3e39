"""What the name of a column tells about its values: words of names in English, Spanish, German, French and Italian."""

import re
import unicodedata

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|%")

IDENTIFIERS = frozenset(
    "id ids uuid guid identifier key pk ref reference sku isbn ean gtin upc serial clave kennung referencia".split()
)
_NUMBERED = frozenset(
    "order invoice customer client account ticket case member employee student contract booking shipment transaction "
    "pedido factura cliente cuenta rechnung kunde kunden auftrag commande facture".split()
)
_NUMBERED_ALONE = frozenset("order invoice ticket pedido factura auftrag commande".split())
_NUMBER_WORDS = frozenset("number no nr num nummer numero code".split())

POSTCODES = frozenset("zip zipcode postcode postal postalcode plz postleitzahl cp cap cep".split())
PHONES = frozenset(
    "phone phones telephone tel mobile cell fax telefono telefon movil celular handy whatsapp landline".split()
)
PADDED_CODES = POSTCODES | frozenset("ean gtin upc isbn siren siret fips ssn nuts insee routing barcode bic".split())
CODES = frozenset("code codes codigo kode kod number nummer numero nr no account".split())
COUNTRIES = frozenset("country countries nation nationality land pays pais paese iso iso2 iso3".split())
BIRTHS = frozenset(
    "birth birthday birthdate dob born nacimiento nacido geburt geburtstag geburtsdatum naissance nascita "
    "nascimento".split()
)
COUNTS = frozenset(
    "count counts qty quantity quantities units pieces pcs visitors visits views clicks attendees attendance employees "
    "students people persons population headcount stock inventory seats tickets downloads items copies children rooms "
    "age ages edad edades alter cantidad unidades existencias personas visitas anzahl menge stueck besucher quantite "
    "nombre visiteurs quantita".split()
)
MONEY = frozenset(
    "price prices cost costs revenue salary wage fee income turnover eur usd gbp chf precio precios coste importe "
    "salario preis preise kosten umsatz gehalt prix cout chiffre salaire prezzo costo".split()
)
PERCENTS = frozenset("pct percent percentage percentages prozent porcentaje pourcentage % perc".split())
TOTALS = re.compile(
    r"\W*(?:grand[ -]?|sub[ -]?)?"
    r"(?:totals?|total(?:e|es)?|totaal|sum(?:me)?|suma|somme|gesamt(?:summe)?|insgesamt|all|Σ)"
    r"(?:[ -]general)?\W*",
    re.IGNORECASE,
)
"""The label of a row of totals."""


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case without accents: `customerId` and `customer_id` have the same."""
    decomposed = unicodedata.normalize("NFKD", name[:200])
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return [word.lower() for word in _WORD.findall(plain)]


def names_identifier(words: frozenset[str]) -> bool:
    """Return whether a name is one of identifiers."""
    if not words:
        return False
    if words & IDENTIFIERS:
        return True
    return words <= _NUMBERED_ALONE or bool(words & _NUMBERED and words & _NUMBER_WORDS)
