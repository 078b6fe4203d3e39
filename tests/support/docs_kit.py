"""The documentation page of the API in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Request, expect


class Visit:
    """A browser page, with its requests and console errors."""

    def __init__(self, page: Page, url: str, key: str) -> None:
        self.page = page
        self.url = url
        self.key = key
        self.requests: list[str] = []
        self.console_errors: list[str] = []
        page.on("request", self._record_request)
        page.on(
            "console", lambda message: self.console_errors.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))

    def open(self, tool: str = "") -> Page:
        self.page.goto(f"{self.url}/docs{f'#/{tool}' if tool else ''}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        return self.page

    def open_empty(self, tool: str) -> Page:
        """Open the page of a tool, without the values of its first sample."""
        page = self.open(tool)
        page.get_by_role("button", name="Empty form").click()
        return page

    def send(self, *, key: str | None = None) -> None:
        self.page.get_by_label("API key").fill(self.key if key is None else key)
        self.page.get_by_role("button", name="Send").click()

    def _record_request(self, request: Request) -> None:
        self.requests.append(request.url)


@contextmanager
def open_visit(browser: Browser, url: str, key: str, **options: Any) -> Iterator[Visit]:
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    yield Visit(context.new_page(), url, key)
    context.close()


def response_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Response")
