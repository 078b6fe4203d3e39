"""Products whose name, category, price and stock-keeping unit agree."""

from dataclasses import dataclass
from pathlib import Path

from mediakit.tools.data.data_sample.chance import Chance

_FILE = Path(__file__).parent / "products.tsv"
LANGUAGES = ("en", "es", "de", "fr", "it", "pt", "ja")
"""Languages of the table of products."""

_CATEGORIES = {
    "es": ("Hogar", "Cocina", "Alimentación", "Oficina", "Jardín", "Deporte", "Electrónica", "Juguetes"),
    "de": ("Wohnen", "Küche", "Lebensmittel", "Büro", "Garten", "Sport", "Elektronik", "Spielzeug"),
    "fr": ("Maison", "Cuisine", "Alimentation", "Bureau", "Jardin", "Sport", "Électronique", "Jouets"),
    "it": ("Casa", "Cucina", "Alimentari", "Ufficio", "Giardino", "Sport", "Elettronica", "Giocattoli"),
    "pt": ("Casa", "Cozinha", "Alimentação", "Escritório", "Jardim", "Desporto", "Eletrónica", "Brinquedos"),
    "ja": ("ホーム", "キッチン", "食品", "オフィス", "ガーデン", "スポーツ", "家電", "おもちゃ"),
}
_ENGLISH = ("Home", "Kitchen", "Food", "Office", "Garden", "Sports", "Electronics", "Toys")


@dataclass(frozen=True)
class Product:
    """A product; all rows with its name have its price."""

    name: str
    category: str
    price: float
    sku: str


class Products:
    """Draws products."""

    def __init__(self, language: str) -> None:
        names = _CATEGORIES.get(language, _ENGLISH)
        translated = dict(zip(_ENGLISH, names, strict=True))
        column = LANGUAGES.index(language) if language in LANGUAGES else 0
        self._products = []
        for line in _FILE.read_text("utf-8").splitlines():
            category, english, price, *others = line.split("\t")
            name = [english, *others][column]
            self._products.append((name, translated[category], float(price), _letters(category)))

    def draw(self, chance: Chance, _attempt: int) -> Product:
        """Return a product."""
        place = chance.below(len(self._products))
        name, category, price, letters = self._products[place]
        return Product(name, category, price, f"{letters}-{place + 1:03d}-{chance.digits(4)}")


def _letters(category: str) -> str:
    return category[:3].upper()
