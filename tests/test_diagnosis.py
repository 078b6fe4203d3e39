"""`mediakit.doctor()`: each thing that is broken is named with its mend."""

import json
import socket
import sys
from pathlib import Path

import pytest

import mediakit
from mediakit.api.addresses import server_python
from mediakit.diagnosis import Diagnosis, Finding, notebook, scripts, system
from mediakit.settings import Settings

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


def test_names_packages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "requires", lambda _: ["pillow>=12", "no-such-thing>=1", "lab>=4; extra == 'lab'"])
    (found,) = system.packages(Settings())
    assert found.mend == "pip install no-such-thing"


def test_takes_this_python_where_no_jupyter_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    assert server_python() == Path(sys.executable)
