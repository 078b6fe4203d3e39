"""`mediakit.doctor()`: each thing that is broken is named with its mend."""

import json
import os
import socket
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest

import mediakit
from mediakit.accounts.private_files import private_folder
from mediakit.api import proxy_urls
from mediakit.api.proxy_urls import server_python
from mediakit.diagnosis import Diagnosis, Finding, notebook, scripts, stores, system
from mediakit.engines.browser import driver
from mediakit.engines.browser.find import find
from mediakit.errors import MediakitError
from mediakit.settings import BrowserSettings, Settings

WELL = Finding("Python", "3.11")
COULD_BE_BETTER = Finding("Fonts", "no emoji", "install <fonts>", minor=True)
BROKEN = Finding("Browser", "not found", "mediakit browser install")


def test_what_could_be_better_is_no_failure() -> None:
    assert Diagnosis((WELL, COULD_BE_BETTER)).healthy
    assert not Diagnosis((WELL, BROKEN)).healthy


def test_reads_as_lines_and_as_a_table() -> None:
    found = Diagnosis((WELL, COULD_BE_BETTER, BROKEN))
    assert [line[0] for line in str(found).splitlines() if "mend:" not in line] == ["✓", "!", "✗"]
    assert "<code>install &lt;fonts&gt;</code>" in found._repr_html_()


@pytest.mark.browser
def test_finds_this_machine_well() -> None:
    found = mediakit.doctor()
    assert found.healthy, str(found)
    assert {"Python", "Browser", "Rendering", "Confinement", "Home", "Port", "JupyterLab"} <= {
        finding.subject for finding in found
    }


@pytest.mark.browser
def test_asks_the_browser_which_letters_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"latin": scripts.Script("a", "", ""), "unassigned": scripts.Script("\u0379", "", "")}
    monkeypatch.setattr(scripts, "SCRIPTS", known)
    assert scripts.missing() == ["unassigned"]


@pytest.mark.parametrize(("absent", "mark"), [(["Latin", "emoji"], "✗"), (["emoji"], "!"), ([], "✓")])
def test_no_letters_at_all_are_a_failure(absent: list[str], mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "missing", lambda: absent)
    (found,) = system.fonts(Settings())
    assert found.mark == mark


def test_names_the_fonts_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/apt-get")
    assert scripts.mend(["emoji", "Arabic", "Devanagari"]) == (
        "sudo apt-get install fonts-noto-color-emoji fonts-noto-core"
    )
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert scripts.mend(["CJK"]) == "install Noto Sans CJK (fonts.google.com/noto)"


def test_names_another_port_where_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setattr(notebook, "SHELL_PORT", taken.getsockname()[1])
        (found,) = notebook.ports(Settings())
    assert found.minor
    assert found.mend.startswith("mediakit serve --port ")


def test_names_the_python_whose_jupyterlab_shows_older_widgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = tmp_path / "bin" / "python3"
    monkeypatch.setattr(notebook, "server_python", lambda: server)
    (found,) = notebook.widgets(Settings())
    assert found.mend == f'{server} -m pip install "ipywidgets>=8"'
    package = tmp_path / notebook.MANAGER
    package.parent.mkdir(parents=True)
    package.write_text(json.dumps({"version": "3.1.2"}))
    (found,) = notebook.widgets(Settings())
    assert found.mend == f'{server} -m pip install -U "ipywidgets>=8"'
    package.write_text(json.dumps({"version": "5.0.15"}))
    (found,) = notebook.widgets(Settings())
    assert not found.mend


def test_names_packages_that_are_not_there_or_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = ["lab>=4; extra == 'lab'", "winloop; sys_platform == 'no-system'"]
    wanted = ["pillow>=12", "no-such-thing>=1", "click>=8,<8.0.1", *elsewhere]
    monkeypatch.setattr(system, "requires", lambda _: wanted)
    (found,) = system.packages(Settings())
    assert found.outcome == f"click {version('click')} does not fit, no-such-thing is not installed"
    assert found.mend == f'{sys.executable} -m pip install "click<8.0.1,>=8" "no-such-thing>=1"'


@pytest.fixture
def _without_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = (system.python, system.home, stores.accounts, stores.redis, notebook.ports)
    monkeypatch.setattr("mediakit.diagnosis.LOOKS", looks)


@pytest.mark.usefixtures("_without_renders")
def test_a_wrong_setting_is_one_finding_and_the_rest_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_RATE_LIMITS", "many")
    found = mediakit.doctor()
    assert [(one.subject, one.mend) for one in found if one.mend and not one.minor] == [
        ("Settings", "unset MEDIAKIT_RATE_LIMITS")
    ]
    assert list(found)[-1].subject == "Port"


@pytest.mark.usefixtures("_without_renders")
def test_names_a_database_and_a_redis_that_do_not_answer_and_logs_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://nobody:secret@127.0.0.1:9/none")
    monkeypatch.setenv("MEDIAKIT_REDIS_URL", "redis://:secret@127.0.0.1:9")
    found = mediakit.doctor()
    assert {one.subject: one.mend for one in found if one.mend and not one.minor} == {
        "Accounts": "start it, or unset MEDIAKIT_DATABASE_URL",
        "Redis": "start it, or unset MEDIAKIT_REDIS_URL",
    }
    assert "secret" not in str(found) + found._repr_html_()
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("_without_renders")
def test_names_a_setting_that_stands_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MEDIAKIT_DATABASE_URL=mysql://there\n")
    monkeypatch.chdir(tmp_path)
    assert "delete MEDIAKIT_DATABASE_URL from .env" in str(mediakit.doctor())


def test_names_a_home_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path / "file" / "home"))
    (found,) = system.home(Settings())
    assert (found.mark, found.mend) == ("✗", "set MEDIAKIT_HOME to a folder that you can write to")


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user whom nobody knows, as in a container that runs as any number."""
    pwd = pytest.importorskip("pwd")

    def unknown(number: int) -> object:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "MEDIAKIT_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_has_a_passing_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (found,) = system.home(Settings())
    assert (found.mark, found.mend) == ("!", "set MEDIAKIT_HOME to a folder that you can write to")
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o700
    assert driver.home(tmp_path) == {"HOME": str(tmp_path)}


@pytest.mark.browser
@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_has_a_browser() -> None:
    assert find(BrowserSettings()).is_file()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes another user's folder")
def test_a_passing_home_that_somebody_else_made_is_not_trusted(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    trap = tmp_path / "mediakit-0"
    trap.mkdir()
    os.chown(trap, 12345, 12345)
    with pytest.raises(MediakitError, match="belongs to another user"):
        private_folder(trap)


def test_names_the_setting_of_linux_that_forbids_namespaces(tmp_path: Path) -> None:
    assert system._namespace_mend(tmp_path) == ""
    setting = tmp_path / "proc/sys/user/max_user_namespaces"
    setting.parent.mkdir(parents=True)
    setting.write_text("1000\n")
    assert system._namespace_mend(tmp_path) == ""
    setting.write_text("0\n")
    assert system._namespace_mend(tmp_path) == "sudo sysctl -w user.max_user_namespaces=10000"


def test_names_what_a_hub_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    monkeypatch.setattr(proxy_urls, "has_server_proxy", lambda: False)
    (found,) = notebook.proxy(Settings())
    assert found.minor
    assert "pip install jupyter-server-proxy" in found.mend
    monkeypatch.setattr(proxy_urls, "has_server_proxy", lambda: True)
    (found,) = notebook.proxy(Settings())
    assert found.outcome.endswith("/user/ann/proxy/PORT")


def test_takes_this_python_where_no_jupyter_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    assert server_python() == Path(sys.executable)
