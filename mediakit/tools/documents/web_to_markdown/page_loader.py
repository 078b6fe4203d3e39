"""Loads a web page in a browser and returns its HTML. Pages that hide their content are recognized."""

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.pool import Browser
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.web import (
    ELEMENT_TIMEOUT_SECONDS,
    LOAD_TIMEOUT_SECONDS,
    RESOURCE_TIMEOUT_SECONDS,
    Visit,
    ignore_navigation,
    page_timeout,
)
from mediakit.errors import NotConvertible, PageUnavailable

LOGIN_REQUIRED = "The page shows its content only after a login."
BOT_CHECK = "The page shows its content only after a check that the visitor is human."
CLICK_REQUIRED = "The page shows its content only after a click."

MAX_WALL_CHARACTERS = 1_200
"""Pages with more text are not access walls."""

MAX_CHALLENGE_CHARACTERS = 600
"""With more text, only the title shows that a page is a bot check."""

MIN_TEXT_BESIDE_BUTTONS = 140
"""Characters outside of buttons. Pages with fewer show their content only after a click."""

_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|signup|auth|sso|accounts?|session|checkpoint|anmelden|login\w*)(?:[/.?_-]|$)", re.IGNORECASE
)
_BOT_CHECK_TEXT = re.compile(
    r"just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|verif(?:y|ying) (?:that "
    r")?you(?:'re| are)? (?:are )?(?:a )?(?:human|not a (?:ro)?bot)|pardon our interruption|"
    r"checking (?:your browser|if the site connection is secure)|unusual traffic|complete the (?:security check|"
    r"captcha)|not a robot|bot (?:detection|verification)|human verification|"
    r"enable javascript and cookies to continue|request (?:was |has been )?blocked|ddos protection|security "
    r"(?:check|verification)|press (?:&|and) hold",
    re.IGNORECASE,
)
_LOGIN_TEXT = re.compile(
    r"(?:log|sign) ?in|create (?:an )?account|forgot(?:ten)? (?:your )?password|anmelden|se connecter|iniciar "
    r"sesi[oó]n|passwor[dt]|members only|subscribers only",
    re.IGNORECASE,
)
_BUTTON_TEXT = re.compile(
    r"continue|enter|accept|agree|show|load|start|view|open|reveal|proceed|weiter|anzeigen|akzeptieren|zustimmen|"
    r"continuer|accepter|aceptar|continuar|ver ",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Snapshot:
    """The state of a loaded page. `snapshot.js` creates it."""

    type: str
    """Media type of the document."""
    url: str
    title: str
    text: str
    """The start of the visible text."""
    length: int
    """Characters of the visible text."""
    passwords: int
    """Visible password fields."""
    buttons: list[str]
    """Labels of the first visible buttons."""
    captchas: int
    html: str
    size: int
    """Characters of the HTML."""


def find_access_wall(page: Snapshot, requested_url: str) -> str | None:
    """Return why a page does not show its content. None if it does."""
    if page.length > MAX_WALL_CHARACTERS:
        return None
    is_short = page.length < MAX_CHALLENGE_CHARACTERS
    if _BOT_CHECK_TEXT.search(page.title) or (is_short and (page.captchas or _BOT_CHECK_TEXT.search(page.text))):
        return BOT_CHECK
    path, requested_path = urlsplit(page.url).path, urlsplit(requested_url).path
    is_login_path = _LOGIN_PATH.search(path)
    if is_login_path and not _LOGIN_PATH.search(requested_path):
        return LOGIN_REQUIRED
    if page.passwords and (path != requested_path or is_login_path or _LOGIN_TEXT.search(page.text)):
        return LOGIN_REQUIRED
    text_beside_buttons = page.length - sum(map(len, page.buttons))
    is_closed = text_beside_buttons < MIN_TEXT_BESIDE_BUTTONS and any(map(_BUTTON_TEXT.search, page.buttons))
    return CLICK_REQUIRED if is_closed else None


MAX_HTML_CHARACTERS = 4 * 1024 * 1024
READ_TIMEOUT_SECONDS = 15.0

MAX_SCREENS, SCREEN_MS = 30, 50
"""Number of screens to scroll through, because a page may grow without end, and milliseconds to wait at each one."""

SCROLL_LOAD_SECONDS = 0.3
"""Time for content that is loaded while the page is scrolled."""

MARGIN_SECONDS = 5.0
"""Time on top of all timeouts of a page until the browser tab is closed."""

VIEW = View(1280, 800, scripts=True)

NOT_A_PAGE = "url: must be an HTML page, got a document, an image or a download."
TOO_LARGE = f"The HTML of the page is too large to convert: it has more than {MAX_HTML_CHARACTERS:,} characters."
EMPTY = "The page contains no text."

PLACEHOLDER_IMAGE = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
"""A transparent GIF of one pixel in base64. It is the response for all images, so that scripts see no failed image."""


class PageVisit(Visit):
    """A visit that raises `NotConvertible` for downloads and other documents that are not pages."""

    not_a_page = staticmethod(lambda: NotConvertible(NOT_A_PAGE))

    def __init__(self, tab: Tab) -> None:
        super().__init__(tab)
        self._response_tasks: set[asyncio.Task[Any]] = set()
        tab.cdp.on("Fetch.requestPaused", self._respond_later)

    async def block_media(self) -> None:
        """Load no images, video and fonts from now on."""
        patterns = [{"urlPattern": "*", "resourceType": kind} for kind in ("Image", "Media", "Font")]
        await self._tab.cdp.send("Fetch.enable", {"patterns": patterns})

    async def snapshot(self) -> Snapshot:
        """Return the current state of the page."""
        script = _script("snapshot.js")
        return Snapshot(**json.loads(await self._run(f"JSON.stringify(({script})({MAX_HTML_CHARACTERS}))")))

    async def scroll_through(self) -> None:
        """Scroll through the page once, so that content that is loaded when it becomes visible is loaded."""
        with ignore_navigation():
            if await self._run(f"({_script('scroll.js')})({MAX_SCREENS}, {SCREEN_MS})"):
                await asyncio.sleep(SCROLL_LOAD_SECONDS)

    async def _run(self, expression: str) -> Any:
        """Run a script in an isolated world and return its result."""
        frame = await self._document()
        world = await self._tab.cdp.send("Page.createIsolatedWorld", {"frameId": frame["id"]})
        options = {"contextId": world["executionContextId"], "returnByValue": True, "awaitPromise": True}
        response = await self._tab.cdp.send("Runtime.evaluate", {"expression": expression, **options})
        if "exceptionDetails" in response:
            raise PageUnavailable("The page could not be read.")
        return response["result"].get("value")

    def _respond_later(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._respond(event["requestId"], event["resourceType"]))
        self._response_tasks.add(task)
        task.add_done_callback(self._response_tasks.discard)

    async def _respond(self, request: str, kind: str) -> None:
        with suppress(ProtocolError):  # the page was left before the response
            if kind == "Image":
                headers = [
                    {"name": "Content-Type", "value": "image/gif"},
                    {"name": "Access-Control-Allow-Origin", "value": "*"},
                ]
                response = {"responseCode": 200, "responseHeaders": headers, "body": PLACEHOLDER_IMAGE}
                await self._tab.cdp.send("Fetch.fulfillRequest", {"requestId": request, **response})
            else:
                await self._tab.cdp.send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"})


def _script(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


async def load_page(
    url: str,
    *,
    wait_ms: int = 0,
    wait_for: str | None = None,
    load_seconds: float = LOAD_TIMEOUT_SECONDS,
    element_seconds: float = ELEMENT_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> tuple[str, str]:
    """Load a page and return its HTML and its final address.

    By default, the browser is the one that all calls share. `load_seconds` is the timeout for the load event,
    `element_seconds` that for the element of the CSS selector `wait_for`.

    Raises:
        InvalidInput: `wait_for` is not a CSS selector.
        NotConvertible: The URL is not a page, or the page contains no text or too much HTML.
        PageUnavailable: The page could not be loaded, or does not show its content.
        ServerBusy: All render slots are in use and the queue is full.
        BrowserMissing: No working Chromium was found.
    """

    async def visit_page(tab: Tab) -> Snapshot:
        visit = PageVisit(tab)
        await visit.block_media()
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        await asyncio.sleep(wait_ms / 1000)
        async with page_timeout(READ_TIMEOUT_SECONDS):
            await visit.scroll_through()
            await visit.settle()
            await visit.check()
            return await visit.snapshot()

    wait_seconds = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_TIMEOUT_SECONDS
    seconds = load_seconds + wait_seconds + READ_TIMEOUT_SECONDS + MARGIN_SECONDS
    page = await (browser or shared()).render(visit_page, VIEW, seconds=seconds, page_error=PageUnavailable)
    if page.type not in ("text/html", "application/xhtml+xml"):
        raise NotConvertible(NOT_A_PAGE)
    if page.size > MAX_HTML_CHARACTERS:
        raise NotConvertible(TOO_LARGE)
    if not page.length and not page.buttons:
        raise NotConvertible(EMPTY)
    if reason := find_access_wall(page, url):
        raise PageUnavailable(reason)
    return page.html, page.url
