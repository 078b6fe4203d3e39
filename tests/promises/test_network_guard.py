"""Rendered pages cannot reach private addresses.

Each vector runs three times: guarded, where it must not reach the canary; with the canary's network allowed, where the
vectors that mediakit's browser runs must reach it; and in a Chromium without any guard, where all others must reach it.
The last two prove that the vectors work.
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
from mediakit.engines.browser.web import NOT_LOADED, render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput, PageUnavailable
from tests.support.browser_kit import Site, open_browser, open_site
from tests.support.canary import COLOR, SECRET, Canary, open_canary
from tests.support.vectors import PUBLIC_HOST, SCREENSHOT, UNGUARDED, Vector
from tests.support.vectors.families import FAMILIES
from tests.support.vectors.files import FILE_LIKE, FILES, SPELLINGS
from tests.support.vectors.hosts import SPELLINGS as HOSTS
from tests.support.vectors.renderers import RENDERERS, UnguardedChromium, colors
from tests.support.vectors.scripts import NAVIGATIONS, WINDOWS

pytestmark = pytest.mark.browser

OPEN = ("127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128")
SCRIPTED = {"scripts", "navigations", "windows"}
WAIT_TIMEOUT_SECONDS = 20.0
"""Time limit for the vectors that should reach the canary."""

every_renderer = pytest.mark.parametrize("renderer", RENDERERS)
every_family = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture(scope="module")
def running_canary() -> Iterator[Canary]:
    with open_canary() as canary:
        yield canary


@pytest.fixture
def canary(running_canary: Canary) -> Canary:
    running_canary.clear()
    return running_canary


@pytest.fixture(scope="module")
def public() -> Iterator[Site]:
    with open_site() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(public: Site) -> Iterator[Browser]:
    """Return a browser that may reach the public site and nothing else on loopback."""
    with open_browser(allowed_networks=(f"{PUBLIC_HOST}:{public.port}",)) as browser:
        yield browser


@pytest.fixture(scope="module")
def unguarded() -> Iterator[Browser]:
    """Return a browser that may reach all of loopback, canary included."""
    with open_browser(allowed_networks=OPEN) as browser:
        yield browser


def page_of(vectors: list[Vector], canary: Canary, public: Site) -> str:
    parts = (vector.page(canary, public) for vector in vectors)
    return "<!doctype html><meta charset=utf-8><title>Vectors</title><body>" + "\n".join(parts)


def expected(family: str, renderer: str) -> set[str]:
    return {vector.name for vector in FAMILIES[family] if renderer in vector.reaches}


def take_screenshot(browser: Browser, url: str, wait_ms: int = 0) -> bytes:
    image = render_screenshot(url, width=400, height=300, wait_ms=wait_ms, options=CaptureOptions(), browser=browser)
    return runtime.run(image).content


def error_message(browser: Browser, url: str) -> str:
    with pytest.raises(PageUnavailable) as caught:
        take_screenshot(browser, url)
    return caught.value.message


def shows_secret(content: bytes) -> bool:
    """Return whether a file shows the canary's color or text."""
    if content.startswith(b"%PDF"):
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            if any(SECRET in page.get_text() for page in document):
                return True
    return COLOR in colors(content)


def test_vector_names_are_unique() -> None:
    names = [vector.name for vectors in FAMILIES.values() for vector in vectors]

    assert len(names) == len(set(names))


@every_renderer
@every_family
def test_no_vector_reaches_private_address(
    guarded: Browser, public: Site, canary: Canary, family: str, renderer: str
) -> None:
    page = page_of(FAMILIES[family], canary, public)

    content = RENDERERS[renderer](guarded, public, page, 1000 if family in SCRIPTED else 400)

    assert canary.contacts == []
    assert not shows_secret(content)


@every_renderer
@every_family
def test_vectors_reach_allowed_network(
    unguarded: Browser, public: Site, canary: Canary, family: str, renderer: str
) -> None:
    page = page_of(FAMILIES[family], canary, public)
    deadline = time.monotonic() + WAIT_TIMEOUT_SECONDS
    wait_ms = 500

    while True:
        content = RENDERERS[renderer](unguarded, public, page, wait_ms)
        if not (missing := expected(family, renderer) - canary.reached) or time.monotonic() > deadline:
            break
        wait_ms += 1000

    assert missing == set()
    if family in SCRIPTED and renderer != SCREENSHOT:
        assert canary.contacts == []  # no script ran
    elif family in {"elements", "css and xml", "responses"}:
        assert shows_secret(content)


def test_remaining_vectors_reach_canary_from_chromium_without_guard(public: Site, canary: Canary) -> None:
    missing: set[str] = set()
    with UnguardedChromium() as chromium:
        for family, vectors in FAMILIES.items():
            page = page_of(vectors, canary, public)
            deadline = time.monotonic() + WAIT_TIMEOUT_SECONDS
            chromium.open(public, page)
            while (pending := expected(family, UNGUARDED) - canary.reached) and time.monotonic() < deadline:
                chromium.wait(100)
            missing |= pending

    assert missing == set()
    assert {contact.kind for contact in canary.contacts} == {"connection", "datagram", "tls", "http", "websocket"}


@pytest.mark.parametrize("vector", [*NAVIGATIONS, *WINDOWS], ids=lambda vector: vector.name)
def test_navigation_to_private_page_shows_nothing(
    guarded: Browser, public: Site, canary: Canary, vector: Vector
) -> None:
    vector.page(canary, public)
    content = b""
    with contextlib.suppress(PageUnavailable):
        content = take_screenshot(guarded, public.url(f"/{vector.name}/page", PUBLIC_HOST), wait_ms=500)

    assert not content or not shows_secret(content)
    assert canary.contacts == []


def test_navigation_to_allowed_page_is_shown(unguarded: Browser, public: Site, canary: Canary) -> None:
    (vector,) = (vector for vector in NAVIGATIONS if vector.name == "leave-location")
    vector.page(canary, public)

    assert shows_secret(take_screenshot(unguarded, public.url(f"/{vector.name}/page", PUBLIC_HOST)))


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_every_spelling_of_private_url_is_blocked(guarded: Browser, canary: Canary, host: str) -> None:
    address = f"http://{host}:{canary.port}/page.html"
    with contextlib.suppress(InvalidInput):  # the tool passes the normalized URL to the browser
        address = mediakit.screenshot.validate({"url": address}).url

    assert error_message(guarded, address) == NOT_LOADED
    assert canary.contacts == []


@pytest.mark.parametrize("spelling", ["name", "decimal", "ipv6", "ipv6-mapped", "user"])
def test_same_url_opens_when_allowed(unguarded: Browser, canary: Canary, spelling: str) -> None:
    assert shows_secret(take_screenshot(unguarded, f"http://{HOSTS[spelling]}:{canary.port}/page.html"))


@pytest.mark.parametrize("scheme", ["https", "ws", "wss", "ftp", "view-source:http"])
def test_other_schemes_do_not_open_private_page(guarded: Browser, canary: Canary, scheme: str) -> None:
    assert error_message(guarded, f"{scheme}://127.0.0.1:{canary.port}/page.html") == NOT_LOADED
    assert canary.contacts == []


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_to_private_page_are_refused_after_any_number_of_hops(
    guarded: Browser, public: Site, canary: Canary, code: int
) -> None:
    for hop in range(5):
        public.add_response(f"/hop/{hop}", code, Location=f"/hop/{hop + 1}")
    public.add_response("/hop/5", code, Location=f"http:{canary.url('hop', '.html')}")

    assert error_message(guarded, public.url("/hop/0", PUBLIC_HOST)) == NOT_LOADED
    assert canary.contacts == []


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """Return the path of a folder with files that no page may show."""
    fill = f"rgb{COLOR}"
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
    (tmp_path / "secret.svg").write_text(f"{svg}<rect width='40' height='40' fill='{fill}'/></svg>")
    (tmp_path / "secret.html").write_text(f"<body style='background:{fill}'>{SECRET}")
    (tmp_path / "secret.css").write_text(f"body{{background:{fill}}} body::after{{content:'{SECRET}'}}")
    return str(tmp_path)


@every_renderer
def test_page_shows_no_local_file(guarded: Browser, public: Site, secret: str, renderer: str) -> None:
    folders = [spelling.format(path=secret) for spelling in (*SPELLINGS, *FILE_LIKE)]
    page = "".join(html.replace("{folder}", folder) for folder in folders for html in FILES.values())

    assert not shows_secret(RENDERERS[renderer](guarded, public, f"<!doctype html><body>{page}", 300))


@every_renderer
def test_same_page_shows_file_of_site(unguarded: Browser, public: Site, secret: str, renderer: str) -> None:
    page = ""
    for name, html in FILES.items():
        page += html.replace("{folder}", public.url(f"/{renderer}/{name}"))
        for kind, suffix in (("image/svg+xml", "svg"), ("text/html", "html"), ("text/css", "css")):
            public.add_page(f"/{renderer}/{name}/secret.{suffix}", kind, Path(secret, f"secret.{suffix}").read_bytes())

    content = RENDERERS[renderer](unguarded, public, f"<!doctype html><body>{page}", 300)

    assert shows_secret(content)
    assert {hit.split("/")[2] for hit in public.hits if hit.startswith(f"/{renderer}/")} == set(FILES)


@pytest.mark.parametrize("spelling", [*SPELLINGS, *FILE_LIKE])
def test_every_spelling_of_file_url_is_rejected(guarded: Browser, secret: str, spelling: str) -> None:
    address = spelling.format(path=f"{secret}/secret.html")

    with pytest.raises(InvalidInput, match=r"^url: "):
        mediakit.screenshot.validate({"url": address})


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_navigation_to_file_shows_nothing(guarded: Browser, public: Site, secret: str, spelling: str) -> None:
    address = spelling.format(path=f"{secret}/secret.html").replace("\\", "\\\\")
    public.add_page(
        "/to-a-file", "text/html", f"<script>location.href = '{address}'; open('{address}')</script>".encode()
    )
    public.add_response("/at-a-file", 302, Location=address)

    assert not shows_secret(take_screenshot(guarded, public.url("/to-a-file", PUBLIC_HOST), wait_ms=200))
    assert error_message(guarded, public.url("/at-a-file", PUBLIC_HOST)) == NOT_LOADED


@pytest.mark.parametrize(
    "variables",
    [
        {"PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK": "1"},
        {"NO_PROXY": "*", "no_proxy": "*"},
        dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"), "CANARY"),
    ],
    ids=["Playwright variable", "no proxy", "other proxy"],
)
def test_environment_variables_do_not_open_guard(
    public: Site, canary: Canary, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("CANARY", f"http://127.0.0.1:{canary.port}"))
    page = page_of(FAMILIES["responses"] + FAMILIES["scripts"], canary, public)

    with open_browser(allowed_networks=(f"{PUBLIC_HOST}:{public.port}",)) as browser:
        content = RENDERERS[SCREENSHOT](browser, public, page, 700)

    assert canary.contacts == []
    assert not shows_secret(content)
