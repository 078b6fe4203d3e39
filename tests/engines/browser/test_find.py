"""Selection and installation of Chromium, and removal of old temporary folders."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import command, install, process
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tests create executables as shell scripts")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which executables are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("MEDIAKIT_BROWSER", raising=False)
    for name in ("HEADLESS_SHELLS", "BROWSERS"):
        monkeypatch.setattr(command, name, [path for path in getattr(command, name) if not path.startswith("/")])
    return tmp_path


def executable(path: Path, text: str = "exit 1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def settings(browser: Path | None = None) -> BrowserSettings:
    return BrowserSettings(browser=browser)


def test_candidates_are_headless_shells_then_playwright_then_installed_browsers(folder: Path) -> None:
    chromium = executable(folder / "chromium")
    chrome = executable(folder / "google-chrome")
    playwright = executable(folder / "playwright/chromium-1255/chrome-linux/chrome")
    playwright_shell = executable(folder / "playwright/chromium_headless_shell-1255/linux/chrome-headless-shell")
    shell = executable(folder / "chrome-headless-shell")

    assert list(command.candidates(settings())) == [shell, playwright_shell, playwright, chrome, chromium]


def test_find_prefers_newest_playwright_build(folder: Path) -> None:
    old, new = (
        executable(folder / f"playwright/chromium_headless_shell-{n}/x/chrome-headless-shell") for n in (999, 1000)
    )
    os.utime(old, (1, 1))

    assert command.find(settings()) == new


def test_browser_setting_is_only_candidate(folder: Path) -> None:
    executable(folder / "chrome-headless-shell")
    configured = executable(folder / "mine/chrome")

    assert list(command.candidates(settings(configured))) == [configured]


def test_browser_setting_without_executable_raises_browser_missing(folder: Path) -> None:
    executable(folder / "chromium")

    with pytest.raises(BrowserMissing, match=r"MEDIAKIT_BROWSER: .*nothing-here, which is not an executable"):
        command.find(settings(folder / "nothing-here"))


def test_browser_missing_names_affected_tools_and_how_to_install(folder: Path) -> None:
    with pytest.raises(BrowserMissing) as caught:
        command.find(settings())

    for part in ("screenshots", "QR codes", "`mediakit browser install`", "apt install chromium", "MEDIAKIT_BROWSER"):
        assert part in caught.value.message
    assert caught.value.status == 503


def test_install_rejects_browser_that_does_not_render(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = executable(folder / "chromium", "echo Chromium 156; exit 0")
    monkeypatch.setattr(
        install, "PLAYWRIGHT_INSTALL", (str(executable(folder / "download", "echo Error: no network; exit 1")),)
    )
    lines: list[str] = []

    with pytest.raises(BrowserMissing, match="mediakit browser install"):
        runtime.run(install.install(settings(), lines.append))

    assert lines[0] == f"{broken} was found, but does not render."
    assert any(line.endswith("failed: Error: no network") for line in lines)


@pytest.mark.browser
def test_install_returns_downloaded_browser(folder: Path, monkeypatch: pytest.MonkeyPatch, real: Path) -> None:
    target = folder / "playwright/chromium_headless_shell-1/linux/chrome-headless-shell"
    copy = (
        f"/bin/mkdir -p {target.parent}; printf '#!/bin/sh\\nexec {real} \"$@\"\\n' >{target}; /bin/chmod +x {target}"
    )
    monkeypatch.setattr(install, "PLAYWRIGHT_INSTALL", (str(executable(folder / "download", copy)),))
    lines: list[str] = []

    assert runtime.run(install.install(settings(), lines.append)) == target
    assert lines[-1] == f"{target} works."


@pytest.fixture
def real() -> Path:
    """Return a working Chromium at a fixed path, because `folder` has replaced `PATH`."""
    found = shutil.which("/usr/lib/chromium/chromium-headless-shell") or shutil.which("/usr/lib/chromium/chromium")
    if not found:
        pytest.skip("no Chromium at a fixed path")
    return Path(found)


def make_old(folder: process.Scratch) -> None:
    os.utime(folder.path, (1, 1))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("names", [[process.LOCK_NAME, "profile"], ["profile"]], ids=["whole", "half-removed"])
def test_sweep_removes_folder_of_ended_process(temporary: Path, names: list[str]) -> None:
    dead = temporary / f"{process.PREFIX}dead"
    dead.mkdir()
    for name in names:
        (dead / name).touch()
    os.utime(dead, (1, 1))

    process.sweep()

    assert not dead.exists()


def test_sweep_keeps_folder_of_running_process(temporary: Path) -> None:
    active = process.Scratch()
    make_old(active)

    other = process.Scratch()

    assert active.path.is_dir()
    active.remove()
    other.remove()
    assert list(temporary.iterdir()) == []
