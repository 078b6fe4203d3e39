"""Nothing private is reachable from a page that is drawn, whatever it tries; and the tests would notice.

Each vector runs three times: guarded, where the canary must stay silent; with its network allowed, where those reach it
that get through our browser; and in a Chromium without any guard, which proves that the others are tried at all.
"""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.web import NOT_LOADED
from mediakit.errors import InvalidInput, PageUnavailable
from mediakit.tools.images.screenshot import render as screenshot
from tests.support.browser_kit import Site, browser, site
from tests.support.canary import COLOUR, SECRET, Canary, singing
from tests.support.vectors import BARE, PUBLIC_HOST, SCREENSHOT, Vector
from tests.support.vectors.catalogue import FAMILIES
from tests.support.vectors.files import FILES, NO_FILES, SPELLINGS
from tests.support.vectors.hosts import SPELLINGS as HOSTS
from tests.support.vectors.scripts import WAYS_OUT, WINDOWS
from tests.support.vectors.ways import WAYS, Unguarded, colours

pytestmark = pytest.mark.browser

OPEN = ("127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128")
SCRIPTED = {"scripts", "ways out", "windows"}
PATIENCE = 20.0
"""Seconds after which a vector that should reach the canary, and has not, never will."""

every_way = pytest.mark.parametrize("way", WAYS)
every_family = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture(scope="module")
def listening() -> Iterator[Canary]:
    with singing() as canary:
        yield canary


@pytest.fixture
def canary(listening: Canary) -> Canary:
    listening.forget()
    return listening


@pytest.fixture(scope="module")
def public() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(public: Site) -> Iterator[Browser]:
    """A browser for which all of loopback is private, but for the public site."""
    with browser(allowed_networks=(f"{PUBLIC_HOST}:{public.port}",)) as made:
        yield made


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    """A browser whose pages may reach loopback, and so the canary."""
    with browser(allowed_networks=OPEN) as made:
        yield made


def page_of(vectors: list[Vector], canary: Canary, public: Site) -> str:
    parts = (vector.page(canary, public) for vector in vectors)
    return "<!doctype html><meta charset=utf-8><title>Vectors</title><body>" + "\n".join(parts)


def expected(family: str, who: str) -> set[str]:
    return {vector.name for vector in FAMILIES[family] if who in vector.reaches}


def shoot(on: Browser, url: str, wait_ms: int = 0) -> bytes:
    shot = screenshot.render_screenshot(
        url, width=400, height=300, wait_ms=wait_ms, options=CaptureOptions(), browser=on
    )
    return runtime.run(shot).content


def refusal(on: Browser, url: str) -> str:
    with pytest.raises(PageUnavailable) as caught:
        shoot(on, url)
    return caught.value.message


def shows_the_secret(content: bytes) -> bool:
    """Say whether a file shows the canary's colour, or says its words."""
    if content.startswith(b"%PDF"):
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            if any(SECRET in page.get_text() for page in document):
                return True
    return COLOUR in colours(content)


def test_vector_names_are_unique() -> None:
    names = [vector.name for vectors in FAMILIES.values() for vector in vectors]

    assert len(names) == len(set(names))


@every_way
@every_family
def test_no_vector_reaches_private_address(
    guarded: Browser, public: Site, canary: Canary, family: str, way: str
) -> None:
    page = page_of(FAMILIES[family], canary, public)

    content = WAYS[way](guarded, public, page, 1000 if family in SCRIPTED else 400)

    assert canary.touches == []
    assert not shows_the_secret(content)


@every_way
@every_family
def test_vectors_reach_allowed_network(opened: Browser, public: Site, canary: Canary, family: str, way: str) -> None:
    page = page_of(FAMILIES[family], canary, public)
    until = time.monotonic() + PATIENCE
    wait_ms = 500

    while True:
        content = WAYS[way](opened, public, page, wait_ms)
        if not (missing := expected(family, way) - canary.reached) or time.monotonic() > until:
            break
        wait_ms += 1000

    assert missing == set()
    if family in SCRIPTED and way != SCREENSHOT:
        assert canary.touches == []  # no script ran
    elif family in {"elements", "css and xml", "answers"}:
        assert shows_the_secret(content)


def test_remaining_vectors_reach_canary_from_chromium_without_guard(public: Site, canary: Canary) -> None:
    missing: set[str] = set()
    with Unguarded() as chromium:
        for family, vectors in FAMILIES.items():
            page = page_of(vectors, canary, public)
            until = time.monotonic() + PATIENCE
            chromium.open(public, page)
            while (left := expected(family, BARE) - canary.reached) and time.monotonic() < until:
                chromium.wait(100)
            missing |= left

    assert missing == set()
    assert {touch.kind for touch in canary.touches} == {"connection", "datagram", "tls", "http", "websocket"}


@pytest.mark.parametrize("vector", [*WAYS_OUT, *WINDOWS], ids=lambda vector: vector.name)
def test_navigation_to_private_page_shows_nothing(
    guarded: Browser, public: Site, canary: Canary, vector: Vector
) -> None:
    vector.page(canary, public)
    content = b""
    with contextlib.suppress(PageUnavailable):
        content = shoot(guarded, public.url(f"/{vector.name}/page", PUBLIC_HOST), wait_ms=500)

    assert not content or not shows_the_secret(content)
    assert canary.touches == []


def test_navigation_to_allowed_page_is_shown(opened: Browser, public: Site, canary: Canary) -> None:
    (vector,) = (vector for vector in WAYS_OUT if vector.name == "leave-location")
    vector.page(canary, public)

    assert shows_the_secret(shoot(opened, public.url(f"/{vector.name}/page", PUBLIC_HOST)))


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_every_spelling_of_private_url_is_refused(guarded: Browser, canary: Canary, host: str) -> None:
    address = f"http://{host}:{canary.port}/page.html"
    with contextlib.suppress(InvalidInput):  # what the tool passes on is what the browser is given
        address = mediakit.screenshot.validate({"url": address}).url

    assert refusal(guarded, address) == NOT_LOADED
    assert canary.touches == []


@pytest.mark.parametrize("spelling", ["name", "decimal", "ipv6", "ipv6-mapped", "user"])
def test_same_url_opens_when_allowed(opened: Browser, canary: Canary, spelling: str) -> None:
    assert shows_the_secret(shoot(opened, f"http://{HOSTS[spelling]}:{canary.port}/page.html"))


@pytest.mark.parametrize("scheme", ["https", "ws", "wss", "ftp", "view-source:http"])
def test_other_schemes_do_not_open_private_page(guarded: Browser, canary: Canary, scheme: str) -> None:
    assert refusal(guarded, f"{scheme}://127.0.0.1:{canary.port}/page.html") == NOT_LOADED
    assert canary.touches == []


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_to_private_page_are_refused_after_any_number_of_hops(
    guarded: Browser, public: Site, canary: Canary, code: int
) -> None:
    for hop in range(5):
        public.answers(f"/hop/{hop}", code, Location=f"/hop/{hop + 1}")
    public.answers("/hop/5", code, Location=f"http:{canary.address('hop', '.html')}")

    assert refusal(guarded, public.url("/hop/0", PUBLIC_HOST)) == NOT_LOADED
    assert canary.touches == []


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """Give the path of a folder with files that nobody may see."""
    fill = f"rgb{COLOUR}"
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
    (tmp_path / "secret.svg").write_text(f"{svg}<rect width='40' height='40' fill='{fill}'/></svg>")
    (tmp_path / "secret.html").write_text(f"<body style='background:{fill}'>{SECRET}")
    (tmp_path / "secret.css").write_text(f"body{{background:{fill}}} body::after{{content:'{SECRET}'}}")
    return str(tmp_path)


@every_way
def test_page_shows_no_local_file(guarded: Browser, public: Site, secret: str, way: str) -> None:
    folders = [spelling.format(path=secret) for spelling in (*SPELLINGS, *NO_FILES)]
    page = "".join(html.replace("{folder}", folder) for folder in folders for html in FILES.values())

    assert not shows_the_secret(WAYS[way](guarded, public, f"<!doctype html><body>{page}", 300))


@every_way
def test_same_page_shows_file_of_site(opened: Browser, public: Site, secret: str, way: str) -> None:
    page = ""
    for name, html in FILES.items():
        page += html.replace("{folder}", public.url(f"/{way}/{name}"))
        for kind, suffix in (("image/svg+xml", "svg"), ("text/html", "html"), ("text/css", "css")):
            public.serves(f"/{way}/{name}/secret.{suffix}", kind, Path(secret, f"secret.{suffix}").read_bytes())

    content = WAYS[way](opened, public, f"<!doctype html><body>{page}", 300)

    assert shows_the_secret(content)
    assert {hit.split("/")[2] for hit in public.hits if hit.startswith(f"/{way}/")} == set(FILES)


@pytest.mark.parametrize("spelling", [*SPELLINGS, *NO_FILES])
def test_every_spelling_of_file_url_is_rejected(guarded: Browser, secret: str, spelling: str) -> None:
    address = spelling.format(path=f"{secret}/secret.html")

    with pytest.raises(InvalidInput, match=r"^url: "):
        mediakit.screenshot.validate({"url": address})


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_navigation_to_file_shows_nothing(guarded: Browser, public: Site, secret: str, spelling: str) -> None:
    address = spelling.format(path=f"{secret}/secret.html").replace("\\", "\\\\")
    public.serves(
        "/to-a-file", "text/html", f"<script>location.href = '{address}'; open('{address}')</script>".encode()
    )
    public.answers("/at-a-file", 302, Location=address)

    assert not shows_the_secret(shoot(guarded, public.url("/to-a-file", PUBLIC_HOST), wait_ms=200))
    assert refusal(guarded, public.url("/at-a-file", PUBLIC_HOST)) == NOT_LOADED


@pytest.mark.parametrize(
    "variables",
    [
        {"PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK": "1"},
        {"NO_PROXY": "*", "no_proxy": "*"},
        dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"), "CANARY"),
    ],
    ids=["Playwright's", "no proxy", "another proxy"],
)
def test_environment_variables_do_not_open_guard(
    public: Site, canary: Canary, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("CANARY", f"http://127.0.0.1:{canary.port}"))
    page = page_of(FAMILIES["answers"] + FAMILIES["scripts"], canary, public)

    with browser(allowed_networks=(f"{PUBLIC_HOST}:{public.port}",)) as fresh:
        content = WAYS[SCREENSHOT](fresh, public, page, 700)

    assert canary.touches == []
    assert not shows_the_secret(content)
