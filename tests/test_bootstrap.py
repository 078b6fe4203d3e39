"""Setting a checkout up, with commands that only pretend: no network, nothing installed."""

import ast
import hashlib
import importlib.util
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "mediakit/bootstrap.py"

PROJECT = """\
[build-system]
requires = ["hatchling"]
[project]
name = "mediakit"
dependencies = [{dependencies}]
[tool.ruff]
line-length = {length}
"""

FAKE = """\
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
    """A checkout of the test's own, and a machine with the commands it puts on PATH."""

    root: Path
    commands: Path
    patch: pytest.MonkeyPatch

    def give(self, *names: str) -> None:
        for name in names:
            command = self.commands / name
            command.write_text(FAKE.format(calls=self.commands / "calls", folder=self.commands))
            command.chmod(0o755)

    def breaks(self, name: str, output: str) -> None:
        (self.commands / f"{name} fails").write_text(output)

    def asks_for(self, dependencies: str = "", length: int = 120) -> None:
        (self.root / "pyproject.toml").write_text(PROJECT.format(dependencies=dependencies, length=length))

    def load(self, without: tuple[str, ...] = ()) -> ModuleType:
        """Load the checkout's own copy; `without` names the modules that the machine's Python lacks."""
        spec = importlib.util.spec_from_file_location("bootstrap_of_a_checkout", self.root / "mediakit/bootstrap.py")
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
        """Give the commands that were called since the last time, without the looks at what is there."""
        record = self.commands / "calls"
        calls = record.read_text().replace(str(self.root), "ROOT").splitlines() if record.exists() else []
        record.unlink(missing_ok=True)
        return [call for call in calls if "import sys" not in call and "config list" not in call]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    root = tmp_path / "a checkout"
    (root / "mediakit").mkdir(parents=True)
    shutil.copy(SOURCE, root / "mediakit")
    commands = tmp_path / "commands"
    commands.mkdir()
    monkeypatch.setenv("PATH", str(commands))
    made = Checkout(root, commands, monkeypatch)
    made.give("python")
    made.asks_for()
    return made


MAKE = "python -m venv ROOT/.venv"
FETCH_UV = "python -m pip install uv"
INSTALL_WITH_UV = "uv pip install --python ROOT/.venv/bin/python --editable .[all,dev]"
INSTALL_WITH_PIP = "python -m pip install --editable .[all,dev]"


def test_imports_the_standard_library_alone() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE.read_text())))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "subprocess" in imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_an_old_python_is_told_which_one_is_needed(checkout: Checkout) -> None:
    module = checkout.load()
    checkout.patch.setattr(module, "OLDEST", (99, 1))
    with pytest.raises(SystemExit, match=r"needs Python 99\.1 or newer; this is \d"):
        module.main()
    assert checkout.calls() == []


def test_installs_with_the_uv_that_is_there(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.give("uv")
    checkout.run()
    assert checkout.calls() == [MAKE, INSTALL_WITH_UV]
    assert [line[:21] for line in capsys.readouterr().out.splitlines()] == [
        "  Environment        ",
        "  Packages           ",
    ]


def test_fetches_uv_into_the_environment_where_there_is_none(checkout: Checkout) -> None:
    checkout.patch.setenv("PATH", "/nowhere")
    checkout.give("uv")
    checkout.run()
    assert checkout.calls() == [MAKE, FETCH_UV, INSTALL_WITH_UV]


def test_falls_back_to_pip_and_says_why(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.give("uv")
    checkout.breaks("uv", "error: Failed to fetch\n  Caused by: invalid peer certificate: UnknownIssuer\nhint: look\n")
    checkout.run()
    assert checkout.calls() == [MAKE, INSTALL_WITH_UV, INSTALL_WITH_PIP]
    output = capsys.readouterr().out
    assert "uv: the package index's certificate is not trusted" in output
    assert "trying another way" in output
    assert "installed with pip" in output


def test_without_ensurepip_the_systems_pip_brings_one_in(checkout: Checkout) -> None:
    checkout.give("uv")
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


def test_without_any_pip_the_newest_of_the_index_installs_itself(checkout: Checkout) -> None:
    checkout.patch.delenv("PIP_INDEX_URL", raising=False)
    checkout.give("uv")
    module = checkout.load(without=("ensurepip", "pip"))
    checkout.patch.setattr(module, "_fetch", _index(b"a wheel", b"a wheel"))
    module.main()
    made, installed, _ = checkout.calls()
    assert made == "python -m venv --without-pip ROOT/.venv"
    assert installed.startswith("python ")
    assert "pip-26.10-py3-none-any.whl/pip install --no-index " in installed


def test_a_pip_that_is_not_the_one_listed_is_never_run(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.patch.delenv("PIP_INDEX_URL", raising=False)
    checkout.patch.setattr("os.geteuid", lambda: 0)
    checkout.give("uv", "apt-get")
    module = checkout.load(without=("ensurepip", "pip"))
    checkout.patch.setattr(module, "_fetch", _index(b"another", b"a wheel"))
    module.main()
    assert "pip-26.10-py3-none-any.whl: arrived damaged; trying another way" in capsys.readouterr().out
    calls = checkout.calls()
    assert not any("--no-index" in call for call in calls)
    assert [call.split()[0] for call in calls] == ["python", "apt-get", "apt-get", "python", "uv"]
    assert calls[2].endswith("install --no-install-recommends python3-venv")


def test_where_nothing_works_every_reason_and_one_command_are_given(checkout: Checkout) -> None:
    checkout.patch.setattr("os.geteuid", lambda: 1000)
    checkout.give("apt-get")
    module = checkout.load(without=("ensurepip", "pip"))

    def refuse(_address: str) -> bytes:
        raise module.StepError("pypi.org: no route to host")

    checkout.patch.setattr(module, "_fetch", refuse)
    with pytest.raises(SystemExit) as stopped:
        module.main()
    reasons = str(stopped.value)
    for reason in ("no ensurepip", "pip: this Python has none", "pypi.org: no route to host", "apt-get: for root"):
        assert reason in reasons
    assert "sudo apt install python3-venv" in reasons
    assert not any(call.startswith("apt-get") for call in checkout.calls())


def test_without_a_network_the_network_is_named(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.breaks("uv", "error: Request failed\n  cause: dns error\n")
    checkout.breaks(
        "python", "WARNING: Retrying: Temporary failure in name resolution\nERROR: No matching distribution\n"
    )
    with pytest.raises(SystemExit) as stopped:
        checkout.run()
    assert "pip: the package index cannot be reached" in str(stopped.value)
    assert "Check the network, HTTPS_PROXY and PIP_INDEX_URL" in str(stopped.value)


def test_a_second_run_does_nothing(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.give("uv")
    checkout.run()
    checkout.calls()
    capsys.readouterr()
    checkout.run()
    assert checkout.calls() == []
    assert capsys.readouterr().out == "  Environment        .venv is up to date\n"


def test_other_requirements_are_installed_into_the_same_environment(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.run()
    checkout.calls()
    checkout.asks_for(dependencies='"anyio"')
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]


def test_other_settings_of_a_linter_install_nothing(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.run()
    checkout.calls()
    checkout.asks_for(length=100)
    checkout.run()
    assert checkout.calls() == []


def test_an_interrupted_installation_begins_again(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.breaks("uv", "stopped half-way")
    checkout.breaks("python", "")
    with pytest.raises(SystemExit):
        checkout.run()
    checkout.calls()
    half = checkout.root / ".venv/half a package"
    half.touch()
    for name in ("uv", "python"):
        (checkout.commands / f"{name} fails").unlink()
    checkout.run()
    assert checkout.calls() == [MAKE, INSTALL_WITH_UV]
    assert not half.exists()


def test_an_interrupted_renewal_goes_on_and_keeps_what_was_there(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.run()
    kept = checkout.root / ".venv/a package of the user"
    kept.touch()
    checkout.asks_for(dependencies='"anyio"')
    for name in ("uv", "python"):
        checkout.breaks(name, "stopped half-way")
    with pytest.raises(SystemExit, match="stopped half-way"):
        checkout.run()
    checkout.calls()
    for name in ("uv", "python"):
        (checkout.commands / f"{name} fails").unlink()
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]
    assert kept.exists()


def test_a_checkout_that_was_moved_begins_again(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.run()
    checkout.calls()
    checkout.root = checkout.root.rename(checkout.root.with_name("elsewhere"))
    checkout.run()
    assert checkout.calls() == [MAKE, INSTALL_WITH_UV]


def test_an_environment_whose_python_has_gone_begins_again(checkout: Checkout) -> None:
    checkout.give("uv")
    checkout.run()
    checkout.calls()
    python = checkout.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.9")
    checkout.run()
    assert checkout.calls() == [MAKE, INSTALL_WITH_UV]


def test_an_environment_made_by_hand_is_kept(checkout: Checkout) -> None:
    checkout.give("uv")
    kept = checkout.root / ".venv/bin/python"
    kept.parent.mkdir(parents=True)
    kept.symlink_to(checkout.commands / "python")
    checkout.run()
    assert checkout.calls() == [INSTALL_WITH_UV]


def test_uv_is_told_what_pip_is_told(checkout: Checkout) -> None:
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS"):
        checkout.patch.delenv(name, raising=False)
    (checkout.commands / "pip.conf").write_text(
        ":env:.find-links='/a /b'\n"
        "global.extra-index-url='https://one.example https://two.example'\n"
        "global.find-links='/c'\n"
        "global.index-url='https://mirror.example/simple'\n"
    )
    checkout.give("uv")
    module = checkout.load()
    module.main()
    told = module._uv_settings()
    assert told["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
    assert told["UV_INDEX"] == "https://one.example https://two.example"
    assert told["UV_FIND_LINKS"] == "/a,/b"


def test_a_long_step_gives_signs_of_life(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.give("uv")
    module = checkout.load()
    checkout.patch.setattr(module, "PROGRESS_EVERY", 0.001)
    module.main()
    assert "  Environment        at work for 0 s\n" in capsys.readouterr().out
