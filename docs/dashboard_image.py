"""Draw the image of the dashboard in docs/accounts.md: `python docs/dashboard_image.py`."""

# ruff: noqa: INP001  # a script, not part of a package

import random
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from mediakit import server
from mediakit.accounts import Accounts
from mediakit.accounts.models import CallRow, PeriodRow
from mediakit.accounts.subscriptions import period_at
from mediakit.api.app import create_app
from mediakit.engines.browser.command import find
from mediakit.settings import AccountSettings, BrowserSettings, Settings

TARGET = Path(__file__).parent / "images" / "dashboard.webp"
TOOLS = ["qr"] * 8 + ["capture"] * 6 + ["pdf"] * 4 + ["web_to_markdown"] * 3 + ["chart"] * 2 + ["images"]
STATUSES = [200] * 92 + [400] * 4 + [429] * 3 + [503]
CALLS = 900


def fill(accounts: Accounts) -> str:
    """Create an account with calls of 30 days, and return the token of a session."""
    now = datetime.now(UTC)
    account = accounts.create_account(
        "ada@example.com", "business", verified=True, since=now.date() - timedelta(days=750)
    )
    key = accounts.create_key(account.email, "Production website")
    month = period_at(account.since, now).start
    numbers = random.Random(4)  # noqa: S311  # sample data
    used = 0
    with accounts._database.write() as session:  # noqa: SLF001  # the ledger has no way to add past calls
        for _ in range(CALLS):
            created, status = now - timedelta(days=numbers.triangular(0, 30, 4)), numbers.choice(STATUSES)
            used += status == 200 and created >= month
            session.add(
                CallRow(
                    id=uuid.uuid4().hex,
                    account_id=account.account_id,
                    key_id=key.id,
                    tool=numbers.choice(TOOLS),
                    status=status,
                    milliseconds=int(numbers.lognormvariate(4.5, 1.3)),
                    request_id=uuid.uuid4().hex[:16],
                    created=created,
                    period_start=month,
                    charged=status == 200,
                )
            )
        session.add(PeriodRow(account_id=account.account_id, start=month, used=used))
    return accounts.sessions.create(account.account_id).token


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Run the app on a free port, and return its URL."""
    sock = server.listen("127.0.0.1", 0)
    running = uvicorn.Server(server.config(create_app(settings)))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]})
    thread.start()
    while not running.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    running.should_exit = True
    thread.join()


def main() -> None:
    """Write the image."""
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        settings = Settings()
        settings.__dict__["accounts"] = AccountSettings(home=Path(home))
        with closing(Accounts.open(settings.accounts)) as accounts:
            token = fill(accounts)
        browser = playwright.chromium.launch(executable_path=find(BrowserSettings()), chromium_sandbox=False)
        with serving(settings) as url:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            context.add_cookies([{"name": "mediakit_session", "value": token, "url": url}])
            page = context.new_page()
            page.goto(f"{url}/dashboard", wait_until="networkidle")
            image = Image.open(BytesIO(page.screenshot()))
        image.save(TARGET, quality=82, method=6)
        browser.close()


if __name__ == "__main__":
    main()
