"""Setup of a checkout with fake commands, so that the tests need no network and install nothing."""

import ast
import hashlib
import importlib.util
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).resolve().parent.parent / ".ci/bootstrap.py"

PROJECT = """\
[build-system]
requires = ["hatchling"]
[project]
name = "mediakit-notebook"
dependencies = [{dependencies}]
[tool.ruff]
line-length = {length}
"""

FAKE_COMMAND = """\
#!/bin/sh
PATH=/usr/bin:/bin
echo "$(basename "$0") $*" >> "{calls}"
link() {{ mkdir -p .venv/bin; ln -sf "{folder}/$1" ".venv/bin/$1"; }}
case "$*" in
  *"import sys"*) echo "(3, 11)|{folder}"; exit ;;
  "-m pip config list") cat "{folder}/pip.conf" 2>/dev/null; exit ;;
  "-m venv"*) link python; exit ;;
  *"pip install"*" uv") link uv ;;
esac
if [ -e "{folder}/$(basename "$0") fails" ]; then cat "{folder}/$(basename "$0") fails"; exit 1; fi
"""


@dataclass
class Checkout:
    """A temporary checkout, and a PATH with fake commands."""

    root: Path
    commands: Path
    patch: pytest.MonkeyPatch

    def add_commands(self, *names: str) -> None:
        for name in names:
            command = self.commands / name
            command.write_text(FAKE_COMMAND.format(calls=self.commands / "calls", folder=self.commands))
            command.chmod(0o755)

    def make_fail(self, name: str, output: str) -> None:
        (self.commands / f"{name} fails").write_text(output)

    def write_project(self, dependencies: str = "", length: int = 120) -> None:
        (self.root / "pyproject.toml").write_text(PROJECT.format(dependencies=dependencies, length=length))

    def load(self, without: tuple[str, ...] = ()) -> ModuleType:
        """Load the bootstrap module of the checkout; `without` names modules to hide from it."""
        spec = importlib.util.spec_from_file_location("bootstrap_of_a_checkout", self.root / ".ci/bootstrap.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        find = importlib.util.find_spec
        self.patch.setattr(importlib.util, "find_spec", lambda name: None if name in without else find("json"))
        self.patch.setattr(module, "_base_python", lambda: str(self.commands / "python"))
        return module

    def run(self, without: tuple[str, ...] = ()) -> None:
        self.load(without).main()

    def calls(self) -> list[str]:
        """Return the commands since the last call, without queries of the environment."""
        record = self.commands / "calls"
        calls = record.read_text().replace(str(self.root), "ROOT").splitlines() if record.exists() else []
        record.unlink(missing_ok=True)
        return [call for call in calls if "import sys" not in call and "config list" not in call]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    root = tmp_path / "a checkout"
    (root / ".ci").mkdir(parents=True)
    shutil.copy(SOURCE, root / ".ci")
    commands = tmp_path / "commands"
    commands.mkdir()
    monkeypatch.setenv("PATH", str(commands))
    checkout = Checkout(root, commands, monkeypatch)
    checkout.add_commands("python")
    checkout.write_project()
    return checkout


CREATE = "python -m venv ROOT/.venv"
INSTALL_UV = "python -m pip install uv"
INSTALL_WITH_UV = "uv pip install --python ROOT/.venv/bin/python --editable .[all,dev]"
INSTALL_WITH_PIP = "python -m pip install --editable .[all,dev]"


def test_bootstrap_imports_only_standard_library() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE.read_text())))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "subprocess" in imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_old_python_is_rejected_with_required_version(checkout: Checkout) -> None:
    module = checkout.load()
    checkout.patch.setattr(module, "MIN_PYTHON", (99, 1))
    with pytest.raises(SystemExit, match=r"Python: must be 99\.1 or newer, got \d"):
        module.main()
    assert checkout.calls() == []


def test_packages_are_installed_with_existing_uv(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.add_commands("uv")
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_WITH_UV]
    assert [line[:21] for line in capsys.readouterr().out.splitlines()] == [
        "  Environment        ",
        "  Packages           ",
    ]


def test_uv_is_installed_if_missing(checkout: Checkout) -> None:
    checkout.patch.setenv("PATH", "/nowhere")
    checkout.add_commands("uv")
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_UV, INSTALL_WITH_UV]


def test_pip_is_used_if_uv_fails_and_reason_is_printed(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.add_commands("uv")
    checkout.make_fail(
        "uv", "error: Failed to fetch\n  Caused by: invalid peer certificate: UnknownIssuer\nhint: look\n"
    )
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_WITH_UV, INSTALL_WITH_PIP]
    output = capsys.readouterr().out
    assert "uv: the certificate of the package index is not trusted" in output
    assert "trying another method" in output
    assert "installed with pip" in output


def test_system_pip_is_used_without_ensurepip(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run(without=("ensurepip",))
    assert checkout.calls() == [
        "python -m venv --without-pip ROOT/.venv",
        "python -m pip --python ROOT/.venv/bin/python install pip",
        INSTALL_WITH_UV,
    ]


def _index(content: bytes, listed: bytes) -> Callable[[str], bytes]:
    digest = hashlib.sha256(listed).hexdigest()
    links = [
        f'<a href="../../f/pip-{version}-py3-none-any.whl#sha256={digest}">' for version in ("9.0", "26.3", "26.10")
    ]
    links.append(f'<a href="../../f/pip-27.0.tar.gz#sha256={digest}">')
    pages = {
        "https://pypi.org/simple/pip/": "\n".join(links).encode(),
        "https://pypi.org/f/pip-26.10-py3-none-any.whl": content,
    }
    return pages.__getitem__


def test_newest_pip_of_index_is_used_without_any_pip(checkout: Checkout) -> None:
    checkout.patch.delenv("PIP_INDEX_URL", raising=False)
    checkout.add_commands("uv")
    module = checkout.load(without=("ensurepip", "pip"))
    checkout.patch.setattr(module, "_fetch", _index(b"a wheel", b"a wheel"))
    module.main()
    created, installed, _ = checkout.calls()
    assert created == "python -m venv --without-pip ROOT/.venv"
    assert installed.startswith("python ")
    assert "pip-26.10-py3-none-any.whl/pip install --no-index " in installed


def test_downloaded_pip_with_wrong_digest_is_not_run(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.patch.delenv("PIP_INDEX_URL", raising=False)
    checkout.patch.setattr("os.geteuid", lambda: 0)
    checkout.add_commands("uv", "apt-get")
    module = checkout.load(without=("ensurepip", "pip"))
    checkout.patch.setattr(module, "_fetch", _index(b"another", b"a wheel"))
    module.main()
    assert (
        "pip-26.10-py3-none-any.whl: SHA-256 digest does not match the package index; trying another method"
        in capsys.readouterr().out
    )
    calls = checkout.calls()
    assert not any("--no-index" in call for call in calls)
    assert [call.split()[0] for call in calls] == ["python", "apt-get", "apt-get", "python", "uv"]
    assert calls[2].endswith("install --no-install-recommends python3-venv")


def test_failure_lists_every_reason_and_a_fix(checkout: Checkout) -> None:
    checkout.patch.setattr("os.geteuid", lambda: 1000)
    checkout.add_commands("apt-get")
    module = checkout.load(without=("ensurepip", "pip"))

    def fail(_address: str) -> bytes:
        raise module.StepError("pypi.org: no route to host")

    checkout.patch.setattr(module, "_fetch", fail)
    with pytest.raises(SystemExit) as stopped:
        module.main()
    reasons = str(stopped.value)
    for reason in ("no ensurepip", "pip: is not installed", "pypi.org: no route to host", "apt-get: requires root"):
        assert reason in reasons
    assert "sudo apt install python3-venv" in reasons
    assert not any(call.startswith("apt-get") for call in checkout.calls())


def test_failure_without_network_names_network(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.make_fail("uv", "error: Request failed\n  cause: dns error\n")
    checkout.make_fail(
        "python", "WARNING: Retrying: Temporary failure in name resolution\nERROR: No matching distribution\n"
    )
    with pytest.raises(SystemExit) as stopped:
        checkout.run()
    assert "pip: the package index cannot be reached" in str(stopped.value)
    assert "Check the network, HTTPS_PROXY and PIP_INDEX_URL" in str(stopped.value)


def test_second_run_does_nothing(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.add_commands("uv")
    checkout.run()
    checkout.calls()
    capsys.readouterr()
    checkout.run()
    assert checkout.calls() == []
    assert capsys.readouterr().out == "  Environment        .venv is up to date\n"


def test_changed_requirements_are_installed_into_same_environment(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run()
    checkout.calls()
    checkout.write_project(dependencies='"anyio"')
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]


def test_changed_linter_settings_install_nothing(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run()
    checkout.calls()
    checkout.write_project(length=100)
    checkout.run()
    assert checkout.calls() == []


def test_interrupted_first_installation_starts_over(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.make_fail("uv", "stopped half-way")
    checkout.make_fail("python", "")
    with pytest.raises(SystemExit):
        checkout.run()
    checkout.calls()
    half = checkout.root / ".venv/half a package"
    half.touch()
    for name in ("uv", "python"):
        (checkout.commands / f"{name} fails").unlink()
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_WITH_UV]
    assert not half.exists()


def test_interrupted_update_continues_and_keeps_other_files(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run()
    kept = checkout.root / ".venv/a package of the user"
    kept.touch()
    checkout.write_project(dependencies='"anyio"')
    for name in ("uv", "python"):
        checkout.make_fail(name, "stopped half-way")
    with pytest.raises(SystemExit, match="stopped half-way"):
        checkout.run()
    checkout.calls()
    for name in ("uv", "python"):
        (checkout.commands / f"{name} fails").unlink()
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]
    assert kept.exists()


def test_moved_checkout_starts_over(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run()
    checkout.calls()
    checkout.root = checkout.root.rename(checkout.root.with_name("elsewhere"))
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_WITH_UV]


def test_environment_with_missing_python_starts_over(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    checkout.run()
    checkout.calls()
    python = checkout.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.9")
    checkout.run()
    assert checkout.calls() == [CREATE, INSTALL_WITH_UV]


def test_environment_created_by_hand_is_kept(checkout: Checkout) -> None:
    checkout.add_commands("uv")
    kept = checkout.root / ".venv/bin/python"
    kept.parent.mkdir(parents=True)
    kept.symlink_to(checkout.commands / "python")
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]


def test_pip_settings_are_passed_to_uv(checkout: Checkout) -> None:
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS"):
        checkout.patch.delenv(name, raising=False)
    (checkout.commands / "pip.conf").write_text(
        ":env:.find-links='/a /b'\n"
        "global.extra-index-url='https://one.example https://two.example'\n"
        "global.find-links='/c'\n"
        "global.index-url='https://mirror.example/simple'\n"
    )
    checkout.add_commands("uv")
    module = checkout.load()
    module.main()
    settings = module._uv_settings()
    assert settings["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
    assert settings["UV_INDEX"] == "https://one.example https://two.example"
    assert settings["UV_FIND_LINKS"] == "/a,/b"


def test_long_step_prints_progress(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.add_commands("uv")
    module = checkout.load()
    checkout.patch.setattr(module, "PROGRESS_INTERVAL_SECONDS", 0.001)
    module.main()
    assert re.search(r"^  Environment        running for \d+ s$", capsys.readouterr().out, re.MULTILINE)
