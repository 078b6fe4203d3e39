"""Keys for some tools, and keys that expire."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mediakit.accounts import Accounts
from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.keys import parse_expiry
from mediakit.errors import InvalidInput, InvalidKey, KeyNotAllowed, MediakitError
from tests.conftest import Api, TestSettings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("scopes", [["qr"], ["tag:images"], ["Tag:Images", "pdf-merge"], ["/qr"]])
async def test_key_calls_the_tools_of_its_scopes(api: Api, scopes: list[str]) -> None:
    key = api.accounts.create_key(api.email, scopes=scopes).key
    assert (await api.json("/qr", {"data": "hi"}, key=key)).status_code == 200
    refused = await api.json("/file-info", {"file": "aGk="}, key=key)
    assert refused.status_code == 403
    assert refused.json()["reason"] == "scope"
    assert "file_info needs a key with another scope" in refused.json()["error"]
    assert isinstance(MediakitError.from_body(403, refused.json()), KeyNotAllowed)
    assert (await api.status())["used"] == 1


async def test_tag_and_tool_of_the_same_name_differ(api: Api) -> None:
    key = api.accounts.create_key(api.email, scopes=["pdf"]).key
    response = await api.json("/pdf-info", {"file": "aGk="}, key=key)
    assert response.status_code == 403


async def test_key_reads_only_jobs_of_its_tools(api: Api) -> None:
    accepted = await api.json("/qr", {"data": "hi"}, headers={"prefer": "respond-async"})
    key = api.accounts.create_key(api.email, scopes=["pdf"]).key
    for method in ("GET", "DELETE"):
        response = await api.http.request(method, accepted.headers["location"], headers={"x-api-key": key})
        assert (response.status_code, response.json()["reason"]) == (403, "scope")


async def test_every_key_reads_the_usage_of_its_account(api: Api) -> None:
    key = api.accounts.create_key(api.email, scopes=["qr"]).key
    for path in ("/status", "/usage"):
        assert (await api.http.get(path, headers={"x-api-key": key})).status_code == 200


def test_expired_key_says_when_it_expired(tmp_path: Path) -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    accounts = Accounts.open(TestSettings(tmp_path).accounts, lambda: now)
    accounts.create_account("ada@example.com", verified=True)
    key = accounts.create_key("ada@example.com", expires=parse_expiry("2026-11-01")).key
    accounts.authenticate(key)
    now += timedelta(days=1)
    with pytest.raises(InvalidKey, match=r"expired on 2026-11-02 00:00 UTC\. Create a new key"):
        accounts.authenticate(key)
    other = PlaintextKey.with_id(accounts.list_keys("ada@example.com")[0].id).text()
    with pytest.raises(InvalidKey, match="is not valid"):  # a wrong secret does not learn that the key existed
        accounts.authenticate(other)
    accounts.close()


@pytest.mark.parametrize("scope", ["qrr", "tag:pdfs", "PDF files"])
def test_unknown_scope_is_refused(tmp_path: Path, scope: str) -> None:
    accounts = Accounts.open(TestSettings(tmp_path).accounts)
    accounts.create_account("ada@example.com", verified=True)
    with pytest.raises(InvalidInput, match="scope: must be the name of a tool"):
        accounts.create_key("ada@example.com", scopes=[scope])
    assert accounts.list_keys("ada@example.com") == []
    accounts.close()


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "0d", "90 weeks", "99999d", "9999-12-31"])
def test_invalid_expiry_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="expires: must be a day such as 2026-12-31"):
        parse_expiry(text)


def test_expiry_in_the_past_is_refused(tmp_path: Path) -> None:
    accounts = Accounts.open(TestSettings(tmp_path).accounts)
    accounts.create_account("ada@example.com", verified=True)
    with pytest.raises(InvalidInput, match="expires: must be in the future"):
        accounts.create_key("ada@example.com", expires=parse_expiry("2020-01-01"))
    accounts.close()


def test_expiry_in_days_is_counted_from_now() -> None:
    now = datetime(2026, 11, 1, 12, tzinfo=UTC)
    assert parse_expiry("90d", now) == now + timedelta(days=90)
