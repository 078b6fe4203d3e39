"""The pages of a signed-in account: keys, calls, plan, templates, calls to copy, sessions, deletion."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from lxml import html
from lxml.etree import fromstring

from mediakit.accounts import Outcome
from mediakit.api.dashboard.rendering import day
from mediakit.errors import InvalidKey
from mediakit.settings import ServerSettings
from tests.support.dashboard_kit import Site, open_site, text_of

pytestmark = pytest.mark.anyio

ADA, BOB = "ada@example.com", "bob@example.com"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with open_site(tmp_path) as site:
        yield site


async def test_new_key_is_shown_once_and_works(site: Site) -> None:
    ada = site.visitor(ADA)
    form = (await ada.open("/dashboard/keys")).forms[-1]
    fields = {"id": form.fields["id"], "name": "Website"}
    created = await ada.send("/dashboard/keys", **fields)
    assert created.status_code == 200
    page = (await ada.http.get("/dashboard/keys")).text
    key = site.accounts.list_keys(ADA)[0]
    shown = created.text.partition('id="key"')[2].partition(">")[2].partition("<")[0]
    assert site.accounts.authenticate(shown).key_id == key.id == fields["id"]
    assert shown not in page
    assert "Website" in page


async def test_form_for_a_key_that_is_sent_again_creates_no_second_key(site: Site) -> None:
    ada = site.visitor(ADA)
    fields = {"id": (await ada.open("/dashboard/keys")).forms[-1].fields["id"], "name": "Website"}
    await ada.send("/dashboard/keys", **fields)
    page = await ada.send_and_follow("/dashboard/keys", **fields)
    assert "A key is shown only when it is created." in text_of(page)
    assert len(site.accounts.list_keys(ADA)) == 1


async def test_id_of_a_key_of_another_account_is_rejected(site: Site) -> None:
    ada, _bob = site.visitor(ADA), site.visitor(BOB)
    key = site.accounts.create_key(BOB)
    response = await ada.send("/dashboard/keys", id=key.id, name="Mine")
    assert response.status_code == 400
    assert "id: a key with this id already exists." in response.text
    assert site.accounts.authenticate(key.key).email == BOB
    assert site.accounts.list_keys(ADA) == []


@pytest.mark.parametrize(("name", "problem"), [(" ", "name: is required"), ("x" * 101, "name: must have at most 100")])
async def test_invalid_name_of_a_key_is_reported_beside_the_field(site: Site, name: str, problem: str) -> None:
    response = await site.visitor(ADA).send("/dashboard/keys", name=name)
    assert response.status_code == 400
    assert problem in response.text
    assert site.accounts.list_keys(ADA) == []


async def test_revoked_key_stops_working_at_once(site: Site) -> None:
    ada = site.visitor(ADA)
    new = site.accounts.create_key(ADA, "Laptop")
    assert "Revoke “Laptop”?" in text_of(await ada.open(f"/dashboard/keys/{new.id}/revoke"))
    page = await ada.send_and_follow(f"/dashboard/keys/{new.id}/revoke")
    assert "The key is revoked." in text_of(page)
    with pytest.raises(InvalidKey):
        site.accounts.authenticate(new.key)


async def test_keys_of_other_accounts_do_not_exist(site: Site) -> None:
    ada, _bob = site.visitor(ADA), site.visitor(BOB)
    key = site.accounts.create_key(BOB, "Laptop")
    assert (await ada.http.get(f"/dashboard/keys/{key.id}/revoke")).status_code == 404
    assert (await ada.send(f"/dashboard/keys/{key.id}/revoke")).status_code == 404
    assert site.accounts.authenticate(key.key).email == BOB


async def test_overview_and_charts_show_the_calls_of_the_account(site: Site) -> None:
    ada, _bob = site.visitor(ADA), site.visitor(BOB)
    principal, other = site.principal(ADA), site.principal(BOB)
    for _ in range(3):
        site.call(principal)
    site.call(other, "chart")
    page = text_of(await ada.open("/dashboard"))
    assert "3 of 50 credits used" in page
    assert "id-of-a-charged-call" in page
    for look in ("light-wide", "dark-wide", "light-narrow", "dark-narrow"):
        svg = await ada.http.get(f"/dashboard/charts/tools/{look}.svg")
        assert svg.headers["content-type"] == "image/svg+xml"
        texts = [element.text for element in fromstring(svg.content).iter("{*}text")]
        assert "qr" in texts
        assert "chart" not in texts
    assert (await ada.http.get("/dashboard/charts/days/pink-wide.svg")).status_code == 404


async def test_calls_are_filtered_by_tool_and_status_and_paged(site: Site) -> None:
    ada, principal = site.visitor(ADA, "pro"), site.principal(ADA)
    for _ in range(60):
        site.call(principal)
    site.call(principal, "pdf")
    site.accounts.record_refused(principal, Outcome("qr", 400, 3, "id-of-a-refused-call"))
    site.accounts._refused.flush()
    first = await ada.open("/dashboard/calls")
    assert len(first.xpath("//tbody/tr")) == 50
    older = first.xpath("//a[text()='Older calls']/@href")[0]
    response = await ada.http.get(f"/dashboard/{older.removeprefix('../dashboard/')}")
    assert response.text.count("<tr>") == 1 + 12
    assert "id-of-a-refused-call" in text_of(await ada.open("/dashboard/calls?status=refused"))
    assert len((await ada.open("/dashboard/calls?tool=pdf")).xpath("//tbody/tr")) == 1
    assert "No calls match" in text_of(await ada.open("/dashboard/calls?status=failed"))


async def test_calls_are_filtered_by_key_and_day(site: Site) -> None:
    ada, website, batch = site.visitor(ADA), site.principal(ADA, "Website"), site.principal(ADA, "Batch")
    for principal in (website, website, batch):
        site.call(principal)
    today = datetime.now(UTC).date()
    assert len((await ada.open(f"/dashboard/calls?key={website.key_id}")).xpath("//tbody/tr")) == 2
    of_day = await ada.open(f"/dashboard/calls?key={batch.key_id}&day={today}")
    assert [row.xpath("td[3]/text()") for row in of_day.xpath("//tbody/tr")] == [["Batch"]]
    assert of_day.xpath("//input[@name='day']/@value") == [str(today)]
    assert "No calls match" in text_of(await ada.open(f"/dashboard/calls?day={today - timedelta(days=2)}"))
    assert len((await ada.open("/dashboard/calls?key=unknown&day=never")).xpath("//tbody/tr")) == 3


async def test_calls_of_a_new_account_are_none_yet(site: Site) -> None:
    assert "No calls yet" in text_of(await site.visitor(ADA).open("/dashboard/calls"))


@pytest.mark.parametrize(
    "query",
    [
        "day=9999-12-31",
        "day=0001-01-01T00:00%2B14:00",
        "before=9999-12-31T23:59-14:00",
        "before=0001-01-01T00:00%2B14:00",
    ],
)
async def test_filter_by_a_time_out_of_range_is_ignored(site: Site, query: str) -> None:
    ada = site.visitor(ADA)
    site.call(site.principal(ADA))
    assert len((await ada.open(f"/dashboard/calls?{query}")).xpath("//tbody/tr")) == 1


async def test_key_is_created_with_tools_and_a_last_day(site: Site) -> None:
    ada = site.visitor(ADA)
    created = await ada.send("/dashboard/keys", name="Codes", scopes="qr, tag:PDF", expires="2099-12-31")
    assert created.status_code == 200
    [key] = site.accounts.list_keys(ADA)
    assert (key.scopes, key.expires) == (("qr", "tag:pdf"), datetime(2100, 1, 1, tzinfo=UTC))
    assert "qr, tag:pdf" in text_of(await ada.open("/dashboard/keys"))


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [("scopes", "qrr", "did you mean qr?"), ("expires", "2020-01-01", "must be in the future")],
)
async def test_invalid_limit_of_a_key_is_reported(site: Site, field: str, value: str, problem: str) -> None:
    response = await site.visitor(ADA).send("/dashboard/keys", name="Codes", **{field: value})
    assert response.status_code == 400
    assert problem in text_of(html.fromstring(response.text))
    assert html.fromstring(response.text).xpath(f"//input[@name='{field}']/@value") == [value]


async def test_plan_is_upgraded_at_once_and_downgraded_at_the_reset(tmp_path: Path) -> None:
    async with open_site(tmp_path, ServerSettings(upgrades="open")) as site:
        await _upgrade_and_downgrade(site)


async def _upgrade_and_downgrade(site: Site) -> None:
    ada = site.visitor(ADA)
    assert "Upgrade to the pro plan?" in text_of(await ada.open("/dashboard/plan/pro"))
    await ada.send_and_follow("/dashboard/plan/pro")
    assert site.accounts.account(ADA).plan == "pro"
    page = await ada.send_and_follow("/dashboard/plan/free")
    assert "The plan changes at the next reset." in text_of(page)
    account = site.accounts.account(ADA)
    assert (account.plan, account.next_plan) == ("pro", "free")
    page = await ada.send_and_follow("/dashboard/plan/pro")
    assert "The downgrade is canceled." in text_of(page)
    assert site.accounts.account(ADA).next_plan is None


async def test_upgrades_are_left_to_the_operator_by_default(tmp_path: Path) -> None:
    async with open_site(tmp_path) as site:
        ada = site.visitor(ADA, "pro")
        assert "Contact the operator" in text_of(await ada.open("/dashboard/plan"))
        assert (await ada.send("/dashboard/plan/scale")).status_code == 404
        await ada.send_and_follow("/dashboard/plan/free")
        assert site.accounts.account(ADA).next_plan == "free"


async def test_templates_have_a_thumbnail_of_each_style(site: Site) -> None:
    ada = site.visitor(ADA)
    page = await ada.open("/dashboard/templates")
    sources = page.xpath("//main//img/@src")
    assert len(sources) >= 19
    for source in sources:
        response = await ada.http.get(f"/dashboard/{source.removeprefix('../dashboard/')}")
        assert response.content[8:12] == b"WEBP"


async def test_calls_to_copy_name_this_server_and_no_real_key(site: Site) -> None:
    ada = site.visitor(ADA)
    key = site.accounts.create_key(ADA).key
    for language in ("curl", "python", "javascript"):
        page = text_of(await ada.open(f"/dashboard/try?tool=chart&language={language}"))
        assert "http://127.0.0.1:8000" in page
        assert "MEDIAKIT_API_KEY" in page
        assert key not in page
        assert ("mediakit-notebook" in page) == (language == "python")


async def test_session_of_another_browser_is_ended(site: Site) -> None:
    ada = site.visitor(ADA)
    account = site.accounts.account(ADA)
    other = site.accounts.sessions.create(account.account_id, "Mozilla/5.0 (iPhone) Safari/604")
    assert "Safari on iPhone" in text_of(await ada.open("/dashboard/account"))
    page = await ada.send_and_follow("/dashboard/account/end-session", session=other.session.id)
    assert "The session is ended." in text_of(page)
    assert site.accounts.sessions.find(other.token) is None
    assert site.accounts.sessions.find(ada.token)


async def test_signing_out_everywhere_ends_all_sessions(site: Site) -> None:
    ada = site.visitor(ADA)
    other = site.accounts.sessions.create(site.accounts.account(ADA).account_id)
    response = await ada.send("/dashboard/account/sign-out-everywhere")
    assert response.headers["location"].endswith("dashboard/sign-in")
    assert site.accounts.sessions.find(other.token) is None
    assert site.accounts.sessions.find(ada.token) is None


async def test_account_is_deleted_only_after_its_address_was_typed(site: Site) -> None:
    ada = site.visitor(ADA)
    key = site.accounts.create_key(ADA).key
    wrong = await ada.send("/dashboard/account/delete", email="ada")
    assert wrong.status_code == 400
    assert "email: must be ada@example.com." in wrong.text
    assert site.accounts.authenticate(key).email == ADA
    assert (await ada.send("/dashboard/account/delete", email=" ADA@example.com")).status_code == 303
    with pytest.raises(InvalidKey):
        site.accounts.authenticate(key)
    assert (await ada.http.get("/dashboard")).status_code == 303


def test_day_is_written_with_the_name_of_its_month() -> None:
    assert day(date(2026, 11, 3)) == "Nov 3, 2026"
