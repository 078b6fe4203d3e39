"""A page of the web, opened with its scripts on and without its pictures, video and fonts, as HTML to read."""

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.browser import Browser
from mediakit.engines.web import (
    ELEMENT_TIMEOUT_SECONDS,
    LOAD_TIMEOUT_SECONDS,
    RESOURCE_TIMEOUT_SECONDS,
    Visit,
    ignore_navigation,
    page_timeout,
)
from mediakit.errors import NotConvertible, PageUnavailable

MOST_CHARACTERS = 4 * 1024 * 1024
READING_SECONDS = 15.0

MOST_SCREENS, SCREEN_MS = 30, 50
"""Screens that are looked at, for a page may grow without end, and how long each one is."""

ARRIVAL_SECONDS = 0.3
"""How long what a page asks for while it is looked through may take to come."""

SPARE_SECONDS = 5.0
VIEW = View(1280, 800, scripts=True)

NOT_A_PAGE = "url: is no web page but a document, a picture or a download; only HTML can be converted."
TOO_LARGE = f"The page's HTML has more than {MOST_CHARACTERS:,} characters; it is too large to convert."
EMPTY = "The page holds no text."
LOGIN = "The page shows its content only after a login."
ROBOTS = "The page shows its content to people only: it asks its visitor to prove not to be a robot."
CLICK = "The page shows its content only after a click."

PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
"""A GIF of one transparent pixel: what pictures are answered with, so that scripts do not take them for broken."""

_HTML = ("text/html", "application/xhtml+xml")
_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|signup|auth|sso|accounts?|session|checkpoint|anmelden|login\w*)(?:[/.?_-]|$)", re.IGNORECASE
)
_CHALLENGE = re.compile(
    r"just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|verif(?:y|ying) (?:that "
    r")?you(?:'re| are)? (?:are )?(?:a )?(?:human|not a (?:ro)?bot)|pardon our interruption|"
    r"checking (?:your browser|if the site connection is secure)|unusual traffic|complete the (?:security check|"
    r"captcha)|not a robot|bot (?:detection|verification)|human verification|"
    r"enable javascript and cookies to continue|request (?:was |has been )?blocked|ddos protection|security "
    r"(?:check|verification)|press (?:&|and) hold",
    re.IGNORECASE,
)
_LOGIN_WORDS = re.compile(
    r"(?:log|sign) ?in|create (?:an )?account|forgot(?:ten)? (?:your )?password|anmelden|se connecter|iniciar "
    r"sesi[oó]n|passwor[dt]|members only|subscribers only",
    re.IGNORECASE,
)
_GATE = re.compile(
    r"continue|enter|accept|agree|show|load|start|view|open|reveal|proceed|weiter|anzeigen|akzeptieren|zustimmen|"
    r"continuer|accepter|aceptar|continuar|ver ",
    re.IGNORECASE,
)

LITTLE = 140
"""Characters beside its buttons below which a page shows next to nothing."""

SHORT = 1_200
"""Characters; a page with more of them than that is no mere gate."""


@dataclass(frozen=True)
class Snapshot:
    """What stood in a page."""

    type: str
    url: str
    title: str
    text: str
    length: int
    passwords: int
    buttons: list[str]
    captchas: int
    html: str
    size: int


class Reading(Visit):
    """A visit that makes nothing of what is no page."""

    not_a_page = staticmethod(lambda: NotConvertible(NOT_A_PAGE))

    def __init__(self, tab: Tab) -> None:
        super().__init__(tab)
        self._answering: set[asyncio.Task[Any]] = set()
        tab.cdp.on("Fetch.requestPaused", self._answer_later)

    async def spare(self) -> None:
        """Load no picture, video or font from now on."""
        patterns = [{"urlPattern": "*", "resourceType": kind} for kind in ("Image", "Media", "Font")]
        await self._tab.cdp.send("Fetch.enable", {"patterns": patterns})

    async def snapshot(self) -> Snapshot:
        """Take down what stands in the page."""
        script = files(__package__).joinpath("snapshot.js").read_text(encoding="utf-8")
        return Snapshot(**json.loads(await self._run(f"JSON.stringify(({script.strip()})({MOST_CHARACTERS}))")))

    async def look_through(self) -> None:
        """Look at each screen of a page once, so that what waits to be seen comes."""
        script = files(__package__).joinpath("scroll.js").read_text(encoding="utf-8")
        with ignore_navigation():
            if await self._run(f"({script.strip()})({MOST_SCREENS}, {SCREEN_MS})"):
                await asyncio.sleep(ARRIVAL_SECONDS)

    async def _run(self, expression: str) -> Any:
        """Run a script in a world of its own."""
        frame = await self._document()
        world = await self._tab.cdp.send("Page.createIsolatedWorld", {"frameId": frame["id"]})
        options = {"expression": expression, "contextId": world["executionContextId"]}
        answer = await self._tab.cdp.send("Runtime.evaluate", {**options, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            raise PageUnavailable("The page could not be read.")
        return answer["result"].get("value")

    def _answer_later(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(event["requestId"], event["resourceType"]))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, request: str, kind: str) -> None:
        with suppress(Error):  # the page has left meanwhile
            if kind == "Image":
                headers = [
                    {"name": "Content-Type", "value": "image/gif"},
                    {"name": "Access-Control-Allow-Origin", "value": "*"},
                ]
                picture = {"requestId": request, "responseCode": 200, "responseHeaders": headers, "body": PIXEL}
                await self._tab.cdp.send("Fetch.fulfillRequest", picture)
            else:
                await self._tab.cdp.send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"})


async def source(
    url: str,
    *,
    wait_ms: int = 0,
    wait_for: str | None = None,
    load_seconds: float = LOAD_TIMEOUT_SECONDS,
    element_seconds: float = ELEMENT_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> tuple[str, str]:
    """Open a page and give its HTML and its final address.

    Args:
        url: Address of the page.
        wait_ms: Extra wait after it has loaded, in milliseconds.
        wait_for: CSS selector of an element that must be there first.
        load_seconds: How long the page may take until its load event.
        element_seconds: How long the element of `wait_for` is waited for.
        browser: What opens it; the process's own when left out.

    Raises:
        InvalidInput: `wait_for` is no CSS selector.
        NotConvertible: It is no page, holds no text, or has too much HTML.
        PageUnavailable: It may not or could not be loaded, or shows its content to no stranger.
        ServerBusy: Too many renders wait already.
        BrowserMissing: No working Chromium was found.
    """

    async def open_and_read(tab: Tab) -> Snapshot:
        visit = Reading(tab)
        await visit.spare()
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        await asyncio.sleep(wait_ms / 1000)
        async with page_timeout(READING_SECONDS):
            await visit.look_through()
            await visit.settle()
            await visit.check()
            return await visit.snapshot()

    waits = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_TIMEOUT_SECONDS
    seconds = load_seconds + waits + READING_SECONDS + SPARE_SECONDS
    taken = await (browser or shared()).render(open_and_read, VIEW, seconds=seconds, page_error=PageUnavailable)
    _refuse_gates(taken, url)
    return taken.html, taken.url


def _refuse_gates(taken: Snapshot, asked: str) -> None:
    """Refuse what is no page, and pages that show no content of theirs."""
    if taken.type not in _HTML:
        raise NotConvertible(NOT_A_PAGE)
    if taken.size > MOST_CHARACTERS:
        raise NotConvertible(TOO_LARGE)
    if not taken.length and not taken.buttons:
        raise NotConvertible(EMPTY)
    for gate, words in GATES.items():
        if taken.length <= SHORT and gate(taken, asked):
            raise PageUnavailable(words)


def _asks_for_a_human(taken: Snapshot, _asked: str) -> bool:
    is_short = taken.length < SHORT / 2
    return bool(_CHALLENGE.search(taken.title) or (is_short and (taken.captchas or _CHALLENGE.search(taken.text))))


def _asks_for_a_login(taken: Snapshot, asked: str) -> bool:
    path, wanted = urlsplit(taken.url).path, urlsplit(asked).path
    if _LOGIN_PATH.search(path) and not _LOGIN_PATH.search(wanted):
        return True
    return bool(taken.passwords and (path != wanted or _LOGIN_PATH.search(path) or _LOGIN_WORDS.search(taken.text)))


def _asks_for_a_click(taken: Snapshot, _asked: str) -> bool:
    told = taken.length - sum(map(len, taken.buttons))
    return told < LITTLE and any(_GATE.search(button) for button in taken.buttons)


GATES = {_asks_for_a_human: ROBOTS, _asks_for_a_login: LOGIN, _asks_for_a_click: CLICK}
