"""Settings from environment variables: empty values, and errors that name the variable."""

from pathlib import Path

import pytest

from mediakit import errors
from mediakit.settings import AccountSettings, BrowserSettings, MailSettings, Section, ServerSettings, Settings

SECTIONS: tuple[type[Section], ...] = (AccountSettings, BrowserSettings, MailSettings, ServerSettings)


@pytest.mark.parametrize(
    ("section", "name"), [(section, name) for section in SECTIONS for name in section.model_fields], ids=str
)
def test_empty_variable_is_unset(
    section: type[Section], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(f"MEDIAKIT_{name.upper()}", raising=False)
    default = getattr(section(), name)
    monkeypatch.setenv(f"MEDIAKIT_{name.upper()}", "")
    assert getattr(section(), name) == default
    assert default != Path()


def test_empty_variable_in_env_file_is_unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEDIAKIT_HOME", raising=False)
    default = AccountSettings().home
    Path(".env").write_text("MEDIAKIT_HOME=\nMEDIAKIT_RATE_LIMITS=\n")
    assert AccountSettings().home == default


def test_env_file_in_another_charset_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_bytes(b"# caf\xe9\n")
    for read in (ServerSettings, Settings.check_names):
        with pytest.raises(errors.InvalidInput, match=r"^\.env: must be UTF-8 text\.$"):
            read()


def test_env_file_with_byte_order_mark_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEDIAKIT_LEDGER_DAYS", raising=False)
    Path(".env").write_text("MEDIAKIT_LEDGER_DAYS=31\n", encoding="utf-8-sig")
    assert AccountSettings().ledger_days == 31


@pytest.mark.parametrize("name", ["MEDIAKIT_RATELIMITS", "mediakit_rate_limit"])
def test_misspelled_setting_in_env_file_is_refused(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(f"MEDIAKIT_LEDGER_DAYS=31\nMEDIAKIT_OTHER=1\n{name}=5\n")
    with pytest.raises(errors.InvalidInput, match=f"{name.upper()}: is not a setting; did you mean MEDIAKIT_RATE_LIM"):
        Settings.check_names()


@pytest.mark.parametrize("value", ["10.0.0.0/33", "proxy.example", "10.0.0.0/8;::1"])
def test_invalid_trusted_proxies_name_the_variable(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_TRUSTED_PROXIES", value)
    with pytest.raises(errors.InvalidInput, match="MEDIAKIT_TRUSTED_PROXIES: must be IP addresses or networks"):
        ServerSettings()
