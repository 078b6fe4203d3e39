"""Detects pages that show a login, a bot check or a consent screen instead of their content."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

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
    if _is_bot_check(page):
        return BOT_CHECK
    if _is_login(page, requested_url):
        return LOGIN_REQUIRED
    return CLICK_REQUIRED if _requires_click(page) else None


def _is_bot_check(page: Snapshot) -> bool:
    if _BOT_CHECK_TEXT.search(page.title):
        return True
    is_short = page.length < MAX_CHALLENGE_CHARACTERS
    return is_short and bool(page.captchas or _BOT_CHECK_TEXT.search(page.text))


def _is_login(page: Snapshot, requested_url: str) -> bool:
    path, requested_path = urlsplit(page.url).path, urlsplit(requested_url).path
    is_login_path = _LOGIN_PATH.search(path) is not None
    if is_login_path and not _LOGIN_PATH.search(requested_path):
        return True
    return bool(page.passwords) and (
        path != requested_path or is_login_path or _LOGIN_TEXT.search(page.text) is not None
    )


def _requires_click(page: Snapshot) -> bool:
    text_beside_buttons = page.length - sum(map(len, page.buttons))
    return text_beside_buttons < MIN_TEXT_BESIDE_BUTTONS and any(map(_BUTTON_TEXT.search, page.buttons))
