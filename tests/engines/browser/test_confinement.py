"""Confinement of Chromium: its sandbox, its network namespace, and the leak check before the first render."""

import errno
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, launch
from mediakit.engines.browser import process as process_module
from mediakit.engines.browser.process import UNCONFINED, Confinement
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.errors import BrowserMissing
from tests.support.browser_kit import chromium_processes, decode, descendants, open_browser, render

pytestmark = [pytest.mark.browser, pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces")]

CONFINEMENTS = [
    Confinement(namespace=namespace, sandbox=sandbox) for namespace in (True, False) for sandbox in (True, False)
]


def system_allows(confinement: Confinement) -> bool:
    """Return whether this system allows what the launcher does."""
    as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if process_module.is_root() else []
    commands = []
    if confinement.namespace:
        commands.append(
            ["unshare", "--net", "true"] if process_module.is_root() else ["unshare", "--user", "--net", "true"]
        )
    if confinement.sandbox:
        commands.append([*as_user, "unshare", "--user", "true"])
    return all(subprocess.run(command, capture_output=True, check=False).returncode == 0 for command in commands)


@pytest.fixture(autouse=True)
def nothing_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the results of earlier leak checks, as in a new process."""
    monkeypatch.setattr(launch, "_verified", {})


@pytest.fixture(params=CONFINEMENTS, ids=str)
def confinement(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Confinement:
    confinement: Confinement = request.param
    if not system_allows(confinement):
        pytest.skip(f"this system does not allow: {confinement}")
    monkeypatch.setattr(launch, "supported_confinements", lambda: iter([confinement]))
    return confinement


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with open_browser(render_slots=1) as opened:
        yield opened


def processes(browser: Browser) -> list[psutil.Process]:
    local = runtime.run(browser.start()).local
    assert local
    return [psutil.Process(local.pid), *descendants(local.pid)]


def network_of(process: psutil.Process) -> str:
    return str(Path(f"/proc/{process.pid}/ns/net").readlink())


def seccomp_of(process: psutil.Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("Seccomp:")[1].split()[0])


def test_chromium_renders_with_each_confinement(chromium: Browser, confinement: Confinement) -> None:
    assert decode(render(chromium, "hello")).size == (200, 100)

    family = processes(chromium)
    networks = {network_of(process) for process in family}
    assert (network_of(psutil.Process()) not in networks) == confinement.namespace
    renderers = [process for process in family if "--type=renderer" in process.cmdline()]
    assert renderers
    assert all((seccomp_of(renderer) == 2) == confinement.sandbox for renderer in renderers)


def test_start_selects_strongest_confinement_that_system_allows(chromium: Browser) -> None:
    local = runtime.run(chromium.start()).local

    assert local
    assert local.confinement == next(each for each in process_module.supported_confinements() if system_allows(each))


def test_start_falls_back_to_weaker_confinement(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "LAUNCHER_SCRIPT", Path("/nowhere/launcher.py"))
    monkeypatch.setattr(launch, "supported_confinements", lambda: iter([CONFINEMENTS[0], UNCONFINED]))

    local = runtime.run(chromium.start()).local

    assert local
    assert local.confinement == UNCONFINED
    assert decode(render(chromium, "hello")).size == (200, 100)


def test_start_falls_back_when_chown_is_not_permitted(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(process_module, "is_root", lambda: True)
    monkeypatch.setattr("os.chown", deny)  # as in a container without capabilities
    monkeypatch.setattr(
        launch, "supported_confinements", lambda: iter([Confinement(namespace=False, sandbox=True), UNCONFINED])
    )

    local = runtime.run(chromium.start()).local

    assert local
    assert local.confinement == UNCONFINED


def test_failed_leak_check_leaves_no_chromium_process(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([ProtocolError("Page crashed"), None])
    others = set(chromium_processes())

    async def fails_first(_: object) -> None:
        if error := next(results):
            raise error

    monkeypatch.setattr(launch, "check_for_leaks", fails_first)
    monkeypatch.setattr(launch, "supported_confinements", lambda: iter([UNCONFINED, UNCONFINED]))

    assert decode(render(chromium, "hello")).size == (200, 100)
    assert len(set(chromium_processes()) - others) == 1


def test_chromium_starts_with_long_temporary_path(
    chromium: Browser, confinement: Confinement, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = "it's $HOME and so on " * 7  # longer than the path limit of Unix sockets
    for folder in (tmp_path, *tmp_path.parents):  # Chromium may run as another user
        if folder.name.startswith(("test_", "popen-", "pytest-")):
            folder.chmod(0o755)
    (tmp_path / name).mkdir(mode=0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / name))

    local = runtime.run(chromium.start()).local

    assert local
    assert local.confinement == confinement
    assert local.scratch.path.parent == tmp_path / name


def test_missing_temporary_folder_raises_browser_missing(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")

    with pytest.raises(BrowserMissing):
        render(chromium, "hello")


def test_chromium_environment_has_no_settings_and_no_proxies(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://me:secret@db/mediakit")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")

    main, *_ = processes(chromium)

    assert "PATH" in main.environ()
    assert not {"MEDIAKIT_DATABASE_URL", "HTTPS_PROXY"} & set(main.environ())


def test_chromium_that_bypasses_proxy_is_not_used(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(launch, "supported_confinements", lambda: iter([UNCONFINED]))
    monkeypatch.setattr(launch, "FLAGS", ())

    with pytest.raises(BrowserMissing):
        render(chromium, "hello")

    assert "can reach this machine without the proxy" in caplog.text


def test_network_namespace_passes_leak_check_without_flags(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    if not system_allows(CONFINEMENTS[0]):
        pytest.skip(f"this system does not allow: {CONFINEMENTS[0]}")
    monkeypatch.setattr(launch, "supported_confinements", lambda: iter([CONFINEMENTS[0]]))
    monkeypatch.setattr(launch, "FLAGS", ())

    assert decode(render(chromium, "hello")).size == (200, 100)
