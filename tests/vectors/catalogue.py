"""Every vector, a page of them for each family."""

from tests.vectors import Vector
from tests.vectors.answers import HEADERS, REDIRECTS
from tests.vectors.css import CSS
from tests.vectors.elements import ELEMENTS
from tests.vectors.hosts import FORMS, HOSTS
from tests.vectors.scripts import SCRIPTS, WAYS_OUT
from tests.vectors.xml import XML

FAMILIES: dict[str, list[Vector]] = {
    "elements": ELEMENTS,
    "css": CSS,
    "xml": XML,
    "hosts": HOSTS,
    "forms": FORMS,
    "redirects": REDIRECTS,
    "headers": HEADERS,
    "scripts": SCRIPTS,
    "ways out": WAYS_OUT,
}
