"""Commands that install more of mediakit, for each way in which it can be installed."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mediakit import errors, installation
from mediakit.installation import client_command, install_command, required, update_command

ROOT = Path(__file__).resolve().parent.parent
OTHER_PROJECT = re.compile(r"""\binstall\s+(?:-\S+\s+)*[\\'"]*mediakit\b(?!-notebook)|\bmediakit\[[a-z]""")
"""A command that installs the project `mediakit` of the package index, or an extra of it."""

WHEEL = {"url": "file:///tmp/mediakit_notebook-1.0-py3-none-any.whl", "archive_info": {}}
FOLDER = {"url": "file:///src", "dir_info": {}}
REPOSITORY = {
    "url": "https://git.example/mediakit.git",
    "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": "0" * 40},
}


@pytest.fixture(autouse=True)
def _pip_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: str(Path(sys.executable).with_name("pip")))


def texts(*patterns: str) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the files of the repository that match the patterns."""
    for path in chain.from_iterable(map(ROOT.glob, patterns)):
        if "_build" not in path.parts and path.is_file() and b"\0" not in (content := path.read_bytes()):
            yield str(path.relative_to(ROOT)), content.decode(errors="replace")


def test_only_one_module_writes_installation_commands() -> None:
    found = [name for name, text in texts("mediakit/**/*.*") if re.search(r"\bpip\s+install\b", text)]
    assert found == []


def test_no_page_installs_another_project() -> None:
    assert OTHER_PROJECT.search("pip install -U mediakit")
    assert OTHER_PROJECT.search('pip install\n\\"mediakit[dask]\\"')
    assert not OTHER_PROJECT.search("pip install 'mediakit-notebook[dask]'")
    folders = ("mediakit", "docs", "notebooks", "bench", ".ci")
    pages = texts("[!C]*", *(f"{folder}/**/*.*" for folder in folders))
    assert [name for name, text in pages if OTHER_PROJECT.search(text)] == []


def install(monkeypatch: pytest.MonkeyPatch, origin: dict[str, Any] | None) -> None:
    """Simulate an installation; None is one from a package index."""
    text = None if origin is None else json.dumps(origin)
    monkeypatch.setattr(installation, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))


def checkout(folder: Path) -> dict[str, Any]:
    return {"url": folder.as_uri(), "dir_info": {"editable": True}}


def test_extra_of_checkout_is_installed_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, checkout(tmp_path / "my checkout"))
    (tmp_path / "my checkout").mkdir()
    monkeypatch.chdir(tmp_path)
    assert install_command(extra="parquet") == f"pip install -e '{tmp_path}/my checkout[parquet]'"
    monkeypatch.chdir(tmp_path / "my checkout")
    assert install_command(extra="parquet") == "pip install -e '.[parquet]'"
    assert update_command() == "git -C . pull && pip install -e ."


@pytest.mark.parametrize("origin", [None, WHEEL, FOLDER, REPOSITORY])
def test_extra_of_other_installations_keeps_mediakit(
    origin: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, origin)
    assert install_command("s3fs", extra="remote") == "pip install 'mediakit-notebook[remote]' s3fs"


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, "mediakit-notebook"),
        (WHEEL, "'mediakit-notebook @ file:///tmp/mediakit_notebook-1.0-py3-none-any.whl'"),
        (FOLDER, "'mediakit-notebook @ file:///src'"),
        (REPOSITORY, "'mediakit-notebook @ git+https://git.example/mediakit.git@main'"),
    ],
)
def test_update_comes_from_the_origin_of_the_installation(
    origin: dict[str, Any] | None, requirement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, origin)
    assert update_command() == f"pip install -U {requirement}"
    is_local = "file:" in requirement
    assert client_command().startswith("# requires mediakit-notebook " if is_local else f"pip install {requirement}")


def test_command_names_python_whose_pip_is_not_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, None)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/pip")
    assert install_command(extra="dask") == f"{sys.executable} -m pip install 'mediakit-notebook[dask]'"
    monkeypatch.setattr(installation, "find_spec", lambda _: None)
    assert install_command("s3fs") == f"uv pip install --python {sys.executable} s3fs"
    assert install_command("s3fs", python=Path("/opt/python")) == "/opt/python -m pip install s3fs"


def test_dependency_is_installed_in_supported_versions() -> None:
    assert re.fullmatch(r"pip install 'pymupdf<2,>=1[.\d]*'", install_command("pymupdf"))


def test_missing_package_is_named_with_its_command() -> None:
    with pytest.raises(errors.MissingPackage) as raised, required("file: reading it", "No-Such", module="no_such"):
        raise ModuleNotFoundError(name="no_such")
    assert str(raised.value) == (
        "file: reading it requires No-Such, which is not installed. Install it: pip install no-such"
    )
    assert isinstance(raised.value, ImportError)
    message = "reading it requires No-Such, which is not installed."
    assert raised.value.body() == {"error": f"file: {message}", "details": [{"field": "file", "message": message}]}


def test_other_missing_modules_are_not_renamed() -> None:
    with pytest.raises(ModuleNotFoundError), required("file: reading it", "PyMuPDF"):
        raise ModuleNotFoundError(name="no_such")
