"""Words, sentences, and products with their prices."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mediakit.tools.data.data_sample.plan import Chance, Options, Plan, Setting, Weighted
from mediakit.tools.data.data_sample.values import people

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


CURRENCIES = (
    "EUR", "USD", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY",
    "BRL", "MXN", "ARS", "CLP", "COP", "INR", "CNY", "KRW", "SGD", "ZAR",
)  # fmt: skip
DEFAULT_WORDS = 8
MAX_SENTENCE_WORDS = 14
MAX_SENTENCES = 5
_MIN_SENTENCE_WORDS = 6
_MIN_SENTENCES = 3
_OMITTED = ("cum",)
_MAX_COMPANIES = 1000
"""Names of companies that are made; the rows after that many choose among them, unless they must be unique."""


def _words() -> list[str]:
    """Return the words of Lorem ipsum: a placeholder that makes no statement, whichever words are together."""
    return [word for word in people.provider("lorem", "la").word_list if word not in _OMITTED]


def plan_text(options: Options, _setting: Setting) -> Plan:
    """Plan a number of words."""
    words, count = _words(), options.get("words", DEFAULT_WORDS)
    return Plan(lambda _entity, chance, _row: " ".join([chance.pick(words) for _ in range(count)]), len(words) ** count)


def plan_sentence(_options: Options, _setting: Setting) -> Plan:
    """Plan one sentence."""
    words = _words()
    return Plan(lambda _entity, chance, _row: _sentence(chance, words))


def plan_paragraph(_options: Options, _setting: Setting) -> Plan:
    """Plan a few sentences."""
    words = _words()

    def value(_entity: object, chance: Chance, _row: int) -> str:
        return " ".join([_sentence(chance, words) for _ in range(chance.between(_MIN_SENTENCES, MAX_SENTENCES))])

    return Plan(value)


def plan_choice(options: Options, _setting: Setting) -> Plan:
    """Plan choices of values, with weights if there are any."""
    values = options["values"]
    items: Weighted[Any] = Weighted(values, options.get("weights"))
    shares = options.get("weights") or [1] * len(values)
    different = list(dict.fromkeys(value for value, share in zip(values, shares, strict=True) if share))
    return Plan(lambda _entity, chance, _row: items.draw(chance), len(different), different.__getitem__)


def plan_currency(_options: Options, _setting: Setting) -> Plan:
    """Plan codes of currencies (ISO 4217)."""
    return Plan(lambda _entity, chance, _row: chance.pick(CURRENCIES), len(CURRENCIES), CURRENCIES.__getitem__)


def plan_job(_options: Options, setting: Setting) -> Plan:
    """Plan names of jobs."""
    jobs = people.jobs(setting.locale)
    return Plan(lambda _entity, chance, _row: jobs.draw(chance), len(jobs.items), jobs.items.__getitem__)


def plan_company(_options: Options, setting: Setting) -> Plan:
    """Plan names of companies."""
    make = people.company_maker(setting.locale, f"{setting.seed}/company")
    made: list[str] = []

    def value(_entity: object, chance: Chance, _row: int) -> str:
        if len(made) == _MAX_COMPANIES and chance.random() < _REUSED:
            return chance.pick(made)
        name = " ".join(make().split())
        if len(made) < _MAX_COMPANIES:
            made.append(name)
        return name

    return Plan(value)


_REUSED = 0.95


def check_choice(options: Options) -> None:
    """Check that there are values, and as many weights."""
    if "values" not in options:
        raise ValueError('values is required, such as {"kind": "choice", "values": ["red", "green"]}.')
    if "weights" in options and len(options["weights"]) != len(options["values"]):
        counts = f"{len(options['values'])} and {len(options['weights'])}"
        raise ValueError(f"values and weights must be equally many, got {counts}.")


def _sentence(chance: Chance, words: list[str]) -> str:
    count = chance.between(_MIN_SENTENCE_WORDS, MAX_SENTENCE_WORDS)
    text = " ".join([chance.pick(words) for _ in range(count)])
    return f"{text[0].upper()}{text[1:]}."
