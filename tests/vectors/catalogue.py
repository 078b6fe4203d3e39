"""Every vector, a page of them for each family."""

from tests.vectors import Vector
from tests.vectors.answers import HEADERS, REDIRECTS
from tests.vectors.css import CSS
from tests.vectors.elements import ELEMENTS
from tests.vectors.hosts import FORMS, HOSTS
from tests.vectors.scripts import SCRIPTS, WAYS_OUT, WINDOWS
from tests.vectors.xml import XML

FAMILIES: dict[str, list[Vector]] = {
    "elements": ELEMENTS,
    "css and xml": CSS + XML,
    "addresses": HOSTS + FORMS,
    "answers": REDIRECTS + HEADERS,
    "scripts": SCRIPTS,
    "ways out": WAYS_OUT,
    "windows": WINDOWS,
}
