"""The operator's pages: accounts, usage of all accounts, and health."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mediakit.accounts import Accounts
from mediakit.api.dashboard.operator import numbers_by_path
from mediakit.errors import InvalidKey, NotFound
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import commit, reserve
from tests.support.dashboard_kit import Site, Visitor, open_site, text_of

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA, BOB = "ada@example.com", "bob@example.com"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with open_site(tmp_path) as site:
        yield site


@pytest.fixture
def operator(site: Site) -> Visitor:
    return site.visitor("operator@example.com", admin=True)


@pytest.mark.anyio
async def test_accounts_are_found_by_a_part_of_the_address(site: Site, operator: Visitor) -> None:
    site.visitor(ADA)
    site.visitor(BOB, "pro")
    found = text_of(await operator.open("/dashboard/operator/accounts?q=ADA"))
    assert "1 account" in found
    assert ADA in found
    assert BOB not in found
    assert BOB in text_of(await operator.open("/dashboard/operator/accounts?plan=pro"))
    assert "No account matches" in text_of(await operator.open("/dashboard/operator/accounts?q=%25"))


@pytest.mark.anyio
async def test_disabled_account_loses_its_keys_and_sessions_until_it_is_enabled(site: Site, operator: Visitor) -> None:
    ada = site.visitor(ADA)
    key = site.accounts.create_key(ADA).key
    address = f"/dashboard/operator/accounts/{site.accounts.account(ADA).account_id}"
    page = await operator.send_and_follow(f"{address}/disable")
    assert "The account is disabled." in text_of(page)
    assert (await ada.http.get("/dashboard")).status_code == 303
    with pytest.raises(InvalidKey):
        site.accounts.authenticate(key)
    await operator.send_and_follow(f"{address}/enable")
    assert site.accounts.authenticate(key).email == ADA


@pytest.mark.anyio
async def test_operator_cannot_disable_themselves(site: Site, operator: Visitor) -> None:
    account = site.accounts.account("operator@example.com")
    response = await operator.send(f"/dashboard/operator/accounts/{account.account_id}/disable")
    assert response.status_code == 400
    assert site.accounts.account("operator@example.com").disabled is None


@pytest.mark.anyio
async def test_operator_verifies_an_address_and_sets_a_plan(site: Site, operator: Visitor) -> None:
    account = site.accounts.create_account(ADA)
    address = f"/dashboard/operator/accounts/{account.account_id}"
    await operator.send_and_follow(f"{address}/verify")
    await operator.send_and_follow(f"{address}/plan", plan="scale")
    account = site.accounts.account(ADA)
    assert (account.verified, account.plan) == (True, "scale")
    assert (await operator.send(f"{address}/plan", plan="huge")).status_code == 400
    assert (await operator.send(f"{address}/explode")).status_code == 404
    for unknown in (999, 2**31, 10**30):
        page = f"/dashboard/operator/accounts/{unknown}"
        assert (await operator.http.get(page)).status_code == 404
        assert (await operator.http.get(f"{page}/charts/days/light-wide.svg")).status_code == 404


@pytest.mark.anyio
async def test_usage_of_all_accounts_adds_up(site: Site, operator: Visitor) -> None:
    site.visitor(ADA)
    site.visitor(BOB)
    for principal, calls in ((site.principal(ADA), 3), (site.principal(BOB), 2)):
        for _ in range(calls):
            site.call(principal)
    page = await operator.open("/dashboard/operator")
    rows = [[cell.text_content() for cell in row] for row in page.xpath("//tbody/tr")]
    assert [row[:3] for row in rows if row[0] in ("qr", ADA, BOB)] == [
        ["qr", "5", "5"],
        [ADA, "3", "3"],
        [BOB, "2", "2"],
    ]
    ids = {account.email: account.account_id for account in site.accounts.list_accounts()}
    assert "2 of 50" in text_of(await operator.open(f"/dashboard/operator/accounts/{ids[BOB]}"))


@pytest.mark.anyio
async def test_health_page_has_the_numbers_of_metrics(operator: Visitor) -> None:
    await operator.http.get("/healthz")
    before = {each.path: each for each in numbers_by_path((await operator.http.get("/metrics")).text)}
    page = await operator.open("/dashboard/operator/health")
    rows = {row[0].text_content(): row[1].text_content() for row in page.xpath("//tbody/tr")}
    assert int(rows["/healthz"].replace(",", "")) == before["/healthz"].responses > 0
    assert "Ready" in text_of(page)


def test_account_id_that_no_account_can_have_is_not_found(accounts: Accounts) -> None:
    for unknown in (999, 2**31, 10**30):
        with pytest.raises(NotFound):
            accounts.search.by_id(unknown)


def test_search_shows_the_usage_of_the_current_month(accounts: Accounts, settings: AccountSettings) -> None:
    accounts.create_account(ADA, "pro", verified=True)
    principal = accounts.authenticate(accounts.create_key(ADA).key)
    commit(accounts, reserve(accounts, principal, 60))
    found = accounts.search.find("a_a")
    assert found.total == 0  # an underscore is not a wildcard
    found = accounts.search.find("ada", "pro")
    assert [(each.account.email, each.usage.used, each.usage.limit) for each in found.accounts] == [(ADA, 1, 500)]
    assert accounts.search.count_by_plan() == {"pro": 1}
    assert accounts.search.by_id(principal.account_id).usage.used == 1
