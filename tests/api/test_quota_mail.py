"""Email at 80 and at 100 percent of the credits: once a month each, on any number of servers."""

import asyncio
from pathlib import Path

import pytest

from mediakit.accounts import Accounts
from mediakit.accounts.mail_delivery import MailDelivery
from mediakit.settings import MailSettings
from tests.conftest import Api, TestSettings, open_api
from tests.support.accounts_kit import commit, reserve

pytestmark = pytest.mark.anyio


async def call(api: Api, times: int) -> None:
    for _ in range(times):
        assert (await api.json("/qr", {"data": "hi"})).status_code == 200


async def mails(home: Path, count: int) -> list[str]:
    """Return the texts of the messages that the server has written to files."""
    async with asyncio.timeout(30):
        while len(found := sorted(home.rglob("*.eml"))) < count:  # noqa: ASYNC110, ASYNC240  # written by the server
            await asyncio.sleep(0.05)
    return [path.read_text() for path in found]


async def test_account_gets_one_email_at_80_and_one_at_100_percent(tmp_path: Path) -> None:
    async for api in open_api(tmp_path, plan="free", rates={"free": 0}):
        await call(api, 39)
        assert api.accounts.outbox.size() == 0
        await call(api, 1)
        [first] = await mails(tmp_path, 1)
        assert "Subject: 80% of your mediakit credits are used" in first
        assert "40 of the 50 credits of your free plan are used" in first
        assert f"To: {api.email}" in first
        await call(api, 10)
        texts = await mails(tmp_path, 2)
        assert sum("Subject: Your mediakit credits are used up" in text for text in texts) == 1


def test_servers_write_one_message_each_month(tmp_path: Path) -> None:
    accounts = [Accounts.open(TestSettings(tmp_path).accounts) for _ in range(2)]
    account = accounts[0].create_account("ada@example.com", "free", verified=True)
    principal = accounts[0].authenticate(accounts[0].create_key(account.email).key)
    for _ in range(45):
        usage = commit(accounts[0], reserve(accounts[0], principal, 60))
    for each in accounts:
        each.outbox.report_quota(account.account_id, account.email, usage, "https://api.example.com")
    assert accounts[0].outbox.size() == 1
    for each in accounts:
        each.close()


async def test_message_links_to_the_plan_of_the_server(tmp_path: Path) -> None:
    accounts = Accounts.open(TestSettings(tmp_path).accounts)
    account = accounts.create_account("ada@example.com", "free", verified=True)
    principal = accounts.authenticate(accounts.create_key(account.email).key)
    for _ in range(50):
        usage = commit(accounts, reserve(accounts, principal, 60))
    accounts.outbox.report_quota(account.account_id, account.email, usage, "https://api.example.com")
    delivery = MailDelivery(accounts.outbox, accounts.sign_in, MailSettings(), TestSettings(tmp_path).accounts)
    assert await delivery.send_next()
    [text] = await mails(tmp_path, 1)
    assert "https://api.example.com/dashboard/plan" in text
    assert "Calls return 429 until" in text
    assert accounts.outbox.size() == 0
    accounts.close()
