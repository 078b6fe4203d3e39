"""`mediakit.doctor()`: checks, warnings, errors, and their fixes."""

import json
import os
import re
import socket
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import mediakit
from mediakit import diagnosis, installation
from mediakit.accounts.private_files import private_folder
from mediakit.api import proxy_urls
from mediakit.api.proxy_urls import server_python
from mediakit.diagnosis import Diagnosis, Finding
from mediakit.engines.browser.command import find, home_variable
from mediakit.errors import MediakitError
from mediakit.settings import BrowserSettings, Settings

OK = Finding("Python", "3.11")
WARNING = Finding("Fonts", "no emoji", "install <fonts>", is_warning=True)
ERROR = Finding("Browser", "not found", "mediakit browser install")


def test_diagnosis_with_warnings_only_is_healthy() -> None:
    assert Diagnosis((OK, WARNING)).healthy
    assert not Diagnosis((OK, ERROR)).healthy


def test_diagnosis_displays_as_lines_and_as_table() -> None:
    found = Diagnosis((OK, WARNING, ERROR))
    assert [line[0] for line in str(found).splitlines() if "fix:" not in line] == ["✓", "!", "✗"]
    assert "<code>install &lt;fonts&gt;</code>" in found._repr_html_()


@pytest.mark.browser
def test_doctor_reports_this_machine_as_healthy() -> None:
    found = mediakit.doctor()
    assert found.healthy, str(found)
    assert {"Python", "Browser", "Rendering", "Confinement", "Home", "Port", "JupyterLab"} <= {
        finding.subject for finding in found
    }


@pytest.mark.browser
def test_missing_scripts_compares_letters_with_missing_glyph(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"latin": ("a", "", ""), "unassigned": ("\u0379", "", "")}
    monkeypatch.setattr(diagnosis, "SCRIPTS", known)
    assert diagnosis.missing_scripts() == ["unassigned"]


@pytest.mark.parametrize(("absent", "mark"), [(["Latin", "emoji"], "✗"), (["emoji"], "!"), ([], "✓")])
def test_missing_latin_font_is_an_error_and_others_are_warnings(
    absent: list[str], mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "missing_scripts", lambda: absent)
    (finding,) = diagnosis.fonts(Settings())
    assert finding.mark == mark


def test_font_fix_names_packages_or_families(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/apt-get")
    assert diagnosis.font_command(["emoji", "Arabic", "Devanagari"]) == (
        "sudo apt-get install fonts-noto-color-emoji fonts-noto-core"
    )
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert diagnosis.font_command(["CJK"]) == "install Noto Sans CJK (fonts.google.com/noto)"


def test_used_port_is_warning_with_free_port_as_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr(diagnosis, "SHELL_PORT", taken.getsockname()[1])
        (finding,) = diagnosis.ports(Settings())
    assert finding.is_warning
    assert finding.fix.startswith("mediakit serve --port ")


def test_old_widget_extension_fix_names_python_of_jupyterlab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = tmp_path / "bin" / "python3"
    monkeypatch.setattr(diagnosis, "server_python", lambda: server)
    (finding,) = diagnosis.widgets(Settings())
    assert re.fullmatch(rf"{server} -m pip install 'ipywidgets<\d+,>=8[.\d]*'", finding.fix)
    package = tmp_path / diagnosis.WIDGET_MANAGER
    package.parent.mkdir(parents=True)
    package.write_text(json.dumps({"version": "3.1.2"}))
    (finding,) = diagnosis.widgets(Settings())
    assert finding.outcome.endswith("is older than the widgets of this kernel")
    assert finding.fix.startswith(f"{server} -m pip install 'ipywidgets<")
    package.write_text(json.dumps({"version": "5.0.15"}))
    (finding,) = diagnosis.widgets(Settings())
    assert not finding.fix


def test_missing_and_unsupported_packages_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    other_markers = ["lab>=4; extra == 'lab'", "winloop; sys_platform == 'no-system'"]
    required = ["pillow>=12", "no-such-thing>=1", "click>=8,<8.0.1", *other_markers]
    monkeypatch.setattr(diagnosis, "requires", lambda _: required)
    monkeypatch.setattr(installation, "requires", lambda _: required)
    (finding,) = diagnosis.packages(Settings())
    assert finding.outcome == f"no-such-thing is not installed, click {version('click')} is not supported"
    assert finding.fix.endswith("pip install 'no-such-thing>=1' 'click<8.0.1,>=8'")


def test_package_omitted_for_its_license_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def version_of(name: str) -> str:
        if name == "pymupdf":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(diagnosis, "version", version_of)
    (finding,) = diagnosis.packages(Settings())
    assert (finding.mark, finding.outcome) == ("!", "pymupdf is not installed")
    assert finding.fix == installation.install_command("pymupdf")


@pytest.fixture
def _without_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = (diagnosis.python, diagnosis.home, diagnosis.accounts, diagnosis.redis, diagnosis.ports)
    monkeypatch.setattr("mediakit.diagnosis.CHECKS", checks)


@pytest.mark.usefixtures("_without_renders")
def test_invalid_setting_is_reported_once_and_other_checks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_RATE_LIMITS", "many")
    found = mediakit.doctor()
    assert [(finding.subject, finding.fix) for finding in found if finding.fix and not finding.is_warning] == [
        ("Settings", "unset MEDIAKIT_RATE_LIMITS")
    ]
    assert list(found)[-1].subject == "Port"


@pytest.mark.usefixtures("_without_renders")
def test_unreachable_database_and_redis_are_reported_without_logging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://user:secret@127.0.0.1:9/none")
    monkeypatch.setenv("MEDIAKIT_REDIS_URL", "redis://:secret@127.0.0.1:9")
    found = mediakit.doctor()
    assert {finding.subject: finding.fix for finding in found if finding.fix and not finding.is_warning} == {
        "Accounts": "start it, or unset MEDIAKIT_DATABASE_URL",
        "Redis": "start it, or unset MEDIAKIT_REDIS_URL",
    }
    assert "secret" not in str(found) + found._repr_html_()
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("_without_renders")
def test_fix_names_env_file_of_invalid_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MEDIAKIT_DATABASE_URL=mysql://there\n")
    monkeypatch.chdir(tmp_path)
    assert "delete MEDIAKIT_DATABASE_URL from .env" in str(mediakit.doctor())


def test_unwritable_home_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path / "file" / "home"))
    (finding,) = diagnosis.home(Settings())
    assert (finding.mark, finding.fix) == ("✗", "set MEDIAKIT_HOME to a folder that you can write to")


@pytest.fixture
def without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a user without a passwd entry, as in a container with an arbitrary user id."""
    pwd = pytest.importorskip("pwd")

    def unknown(number: int) -> object:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "MEDIAKIT_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("without_home")
def test_user_without_home_gets_temporary_home_and_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (finding,) = diagnosis.home(Settings())
    assert (finding.mark, finding.fix) == ("!", "set MEDIAKIT_HOME to a folder that you can write to")
    (home,) = tmp_path.iterdir()
    assert home.stat().st_mode & 0o777 == 0o700
    assert home_variable(tmp_path) == {"HOME": str(tmp_path)}


@pytest.mark.browser
@pytest.mark.usefixtures("without_home")
def test_browser_is_found_for_user_without_home() -> None:
    assert find(BrowserSettings()).is_file()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="requires root to change the owner of a folder"
)
def test_temporary_home_owned_by_another_user_is_rejected(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    folder = tmp_path / "mediakit-0"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(MediakitError, match="belongs to another user"):
        private_folder(folder)


def test_namespace_fix_names_linux_setting(tmp_path: Path) -> None:
    assert diagnosis._namespace_fix(tmp_path) == ""
    setting = tmp_path / "proc/sys/user/max_user_namespaces"
    setting.parent.mkdir(parents=True)
    setting.write_text("1000\n")
    assert diagnosis._namespace_fix(tmp_path) == ""
    setting.write_text("0\n")
    assert diagnosis._namespace_fix(tmp_path) == "sudo sysctl -w user.max_user_namespaces=10000"


def test_missing_hub_proxy_is_warning_with_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    monkeypatch.setattr(proxy_urls, "has_server_proxy", lambda: False)
    (finding,) = diagnosis.proxy(Settings())
    assert finding.is_warning
    assert "pip install 'jupyter-server-proxy>=" in finding.fix
    monkeypatch.setattr(proxy_urls, "has_server_proxy", lambda: True)
    (finding,) = diagnosis.proxy(Settings())
    assert finding.outcome.endswith("/user/ann/proxy/PORT")


def test_server_python_is_this_python_without_jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    assert server_python() == Path(sys.executable)


@pytest.mark.parametrize("file", ["memory.max", "memory/memory.limit_in_bytes"])
def test_slots_that_need_more_memory_than_the_container_has_are_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    path = tmp_path / "sys/fs/cgroup" / file
    path.parent.mkdir(parents=True)
    path.write_text("1000000000")
    available = diagnosis.available_memory(tmp_path)
    assert available == 1_000_000_000
    monkeypatch.setattr(diagnosis, "available_memory", lambda: available)
    [finding] = diagnosis.memory(Settings())
    assert finding.mark == "!"
    assert "there are 1.0 GB" in finding.outcome
    assert "MEDIAKIT_RENDER_SLOTS" in finding.fix


def test_memory_without_a_limit_is_that_of_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "sys/fs/cgroup/memory.max"
    path.parent.mkdir(parents=True)
    path.write_text("max")
    assert diagnosis.available_memory(tmp_path) > 1_000_000_000
