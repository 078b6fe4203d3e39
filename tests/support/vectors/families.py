"""All vectors, by family. Each family is one page."""

from tests.support.vectors import Vector
from tests.support.vectors.css import CSS
from tests.support.vectors.elements import ELEMENTS
from tests.support.vectors.hosts import FORMS, HOSTS
from tests.support.vectors.responses import HEADERS, REDIRECTS
from tests.support.vectors.scripts import NAVIGATIONS, SCRIPTS, WINDOWS
from tests.support.vectors.xml import XML

FAMILIES: dict[str, list[Vector]] = {
    "elements": ELEMENTS,
    "css and xml": CSS + XML,
    "addresses": HOSTS + FORMS,
    "responses": REDIRECTS + HEADERS,
    "scripts": SCRIPTS,
    "navigations": NAVIGATIONS,
    "windows": WINDOWS,
}
