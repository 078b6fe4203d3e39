"""Every vector, a page of them for each family."""

from tests.support.vectors import Vector
from tests.support.vectors.answers import HEADERS, REDIRECTS
from tests.support.vectors.css import CSS
from tests.support.vectors.elements import ELEMENTS
from tests.support.vectors.hosts import FORMS, HOSTS
from tests.support.vectors.scripts import SCRIPTS, WAYS_OUT, WINDOWS
from tests.support.vectors.xml import XML

FAMILIES: dict[str, list[Vector]] = {
    "elements": ELEMENTS,
    "css and xml": CSS + XML,
    "addresses": HOSTS + FORMS,
    "answers": REDIRECTS + HEADERS,
    "scripts": SCRIPTS,
    "ways out": WAYS_OUT,
    "windows": WINDOWS,
}
