"""The documentation is correct: its examples run, its links resolve, and generated files are up to date."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
import yaml

import mediakit
from bench.__main__ import BENCHMARKS
from mediakit import errors
from mediakit.cli import main
from mediakit.samples import LANDSCAPE, PARTICIPANTS
from mediakit.server import Server
from mediakit.settings import AccountSettings, BrowserSettings, MailSettings, ServerSettings
from mediakit.tools.catalogue import all_tools, command_names
from mediakit.tools.tasks import RECIPES, TASKS, Recipe

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ("gallery.md", "tasks.md")
"""Pages that `make docs` writes for the site only, beside those of the tools."""

PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED),
]
SAMPLES = LANDSCAPE.parent
RUN = [
    ROOT / name
    for name in (
        "README.md",
        "docs/python.md",
        "docs/notebook.md",
        "docs/shell.md",
        "docs/http.md",
        "docs/templates.md",
    )
]
"""Whose examples run, every one of them."""

PYTHON = {
    "README.md": "",
    "docs/get-started.md": "",
    "docs/notebook.md": "",
    "docs/python.md": "",
    "docs/running.md": "",
    "docs/scaling.md": "import mediakit",
    "docs/templates.md": "import mediakit\nvisitors = [{'event': 'Data Day', 'visitor': 'Ada Lovelace'}]",
}
"""Pages whose Python examples run in order, with what they need before."""

STAND_INS = {
    "from dask.distributed import Client": "client = None",
    'client = Client("tcp://scheduler:8786")': "",
    "s3://school/": "",
}
"""What runs in place of a cluster and a bucket."""

LOCAL = "http://127.0.0.1:8000"


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for language, text in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        yield Block(page, language, text)


def shell_blocks() -> list[Block]:
    found = [block for page in RUN for block in blocks(page) if block.language == "sh"]
    return [block for block in found if "mediakit serve &" not in block.text]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the files that the examples read."""
    (tmp_path / "photo.jpg").write_bytes(LANDSCAPE.read_bytes())
    (tmp_path / "landscape.jpg").write_bytes(LANDSCAPE.read_bytes())
    for name in ("people.csv", "students.csv"):
        shutil.copy(PARTICIPANTS, tmp_path / name)
    return tmp_path


def run(command: list[str], folder: Path, **variables: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.browser
@pytest.mark.parametrize("name", PYTHON)
def test_python_examples_of_page_run_in_order(name: str, folder: Path) -> None:
    found = list(blocks(ROOT / name))
    if name == "docs/templates.md":
        run([sys.executable, "-m", "mediakit", "template", "copy", "certificate", "my-certificate"], folder)
        (folder / "ticket").mkdir()
        for block in found:
            if block.language in ("toml", "html"):
                (folder / f"ticket/template.{block.language}").write_text(block.text, "utf-8")
    text = "\n".join([PYTHON[name], *(block.text for block in found if block.language == "python")])
    for example, stand_in in STAND_INS.items():
        text = text.replace(example, stand_in)
    script = folder / "example.py"
    script.write_text(text, "utf-8")
    run([sys.executable, "-W", "error", str(script)], folder)


def test_python_example_on_usage_runs(server: Server) -> None:
    (block,) = [block for block in blocks(ROOT / "docs/accounts.md") if block.language == "python"]
    address = '"https://api.example.com", api_key="mk_live_..."'
    assert address in block.text
    names: dict[str, Any] = {"mediakit": mediakit, "server": server}
    exec(block.text.replace(address, "server.url, api_key=server.key"), names)
    names["client"].close()


def test_every_python_example_is_executed_but_the_tool_to_write() -> None:
    with_python = {
        page.relative_to(ROOT).as_posix() for page in PAGES for block in blocks(page) if block.language == "python"
    }
    assert with_python - set(PYTHON) == {"docs/accounts.md"}
    assert {block.language for page in PAGES for block in blocks(page)} <= {
        *("python", "sh", "shell", "json", "toml", "html", "text", "")
    }


def test_readme_starts_a_server_and_calls_it(folder: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("this machine has no curl")
    (block,) = [block.text for block in blocks(ROOT / "README.md") if "mediakit serve &" in block.text]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lines = block.replace("mediakit serve &", f"mediakit serve --port {port} & trap 'kill %1' EXIT").replace(
        LOCAL, f"http://127.0.0.1:{port}"
    )
    run(["bash", "-emo", "pipefail", "-c", lines], folder, MEDIAKIT_HOME=str(folder / "home"))
    assert mediakit.code_reader(folder / "code.png")[0].text == "https://example.com"


@pytest.mark.browser
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
def test_line_for_task_runs(recipe: Recipe, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "https://example.com" in recipe.call and recipe.tool in ("screenshot", "web_to_markdown"):
        pytest.skip("the line opens a page of the internet")
    for path in SAMPLES.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    monkeypatch.chdir(folder)
    eval(recipe.call, {"mediakit": mediakit})


def test_tasks_use_every_group_of_tools_and_are_at_least_sixty() -> None:
    lines = [*(recipe.call for recipe in RECIPES), *(task.call for task in TASKS if task.call)]
    assert len(lines) >= 60
    used = {name for line in lines for name in re.findall(r"mediakit\.(\w+)", line)}
    assert {tool.name for tool in all_tools()} <= used


@pytest.mark.browser
@pytest.mark.parametrize(
    "block", shell_blocks(), ids=lambda block: f"{block.page.name}: {block.text.split(maxsplit=2)[:2]}"
)
def test_shell_examples_run(block: Block, folder: Path, server: Server) -> None:
    if block.text.startswith("make "):
        for line in block.text.splitlines():
            target = line.partition("#")[0].split()[1]
            run(["make", "--dry-run", "--directory", str(ROOT), target], folder)
    elif block.text.startswith("mediakit serve"):
        _serve(block.text.partition("#")[0].split()[1:], folder)
    elif "curl " in block.text and not shutil.which("curl"):
        pytest.skip("this machine has no curl")
    else:
        run(["bash", "-euo", "pipefail", "-c", _curl(block.text, server)], folder, MEDIAKIT_API_KEY=server.key)


def _curl(text: str, server: Server) -> str:
    return text.replace(LOCAL, server.url).replace("curl ", "curl -sS --fail-with-body ")


def _serve(arguments: list[str], folder: Path) -> None:
    """Start the server that a page names, on a free port, until it has said its key."""
    command = [sys.executable, "-m", "mediakit", *arguments, "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        said = [next(running.stdout) for _ in range(3)]
        running.terminate()
        running.stdout.read()
    assert "/docs" in said[0]
    assert said[2].startswith("mk_live_")


def test_every_readme_example_is_executed_but_those_that_install() -> None:
    for block in blocks(ROOT / "README.md"):
        if block.language == "shell":
            assert re.match(r"(pip install|conda env create) ", block.text)
    assert {block.language for block in blocks(ROOT / "README.md")} == {"python", "sh", "shell"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_page_exist(page: Path) -> None:
    for block in blocks(page):
        for line in block.text.splitlines():
            if line.startswith("mediakit "):
                _resolve(line.partition("#")[0].split()[1:])


def _resolve(words: list[str]) -> None:
    command: click.Command = main
    context = click.Context(main)
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(context, word)
        assert found is not None, f"no command {' '.join(words)}"
        command = found
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    given = words[: words.index("--")] if "--" in words else words
    assert {word for word in given if word.startswith("--")} <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_in_page_resolve(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    images = [(source, "") for source in re.findall(r'<img src="([^"]+)"', text)]
    for target, anchor in [*images, *re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text)]:
        if target.startswith("https://") or target in GENERATED:
            continue
        if tool := re.fullmatch(r"(?:docs/)?tools/([\w-]+)\.md", target):
            assert tool[1] in ("index", *command_names())
            continue
        there = page.parent / target if target else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":
            assert anchor in _anchors(there)


def _anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub creates for the headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {"#" + re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def test_generated_files_are_up_to_date() -> None:
    run([sys.executable, "docs/build.py", "--check"], ROOT)


def test_check_lists_stale_file(tmp_path: Path) -> None:
    build = [sys.executable, str(ROOT / "docs/build.py"), "--root", str(tmp_path)]
    run(build, ROOT)
    (tmp_path / "docs/errors.md").write_text("old")
    checked = subprocess.run([*build, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 1
    assert checked.stdout == "docs/errors.md is stale; run `make docs`.\n"


@pytest.mark.parametrize("page", ["speed", "quality"])
def test_every_measurement_names_a_command_that_exists(page: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text("utf-8")
    commands = re.findall(r"\| `python -m bench([. ])(\w+)[^`]*` \|$", text, re.MULTILINE)
    assert len(commands) == len(re.findall(r"^\| (?!---)", text, re.MULTILINE)) - 1
    for separator, name in commands:
        assert name in BENCHMARKS if separator == " " else (ROOT / f"bench/{name}.py").is_file()


def test_readme_is_short_and_lists_every_tool() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 120
    listed = [line for line in lines if re.match(r"- \*\*\w+\*\*: `", line)]
    assert len(listed) == 7
    for tool in all_tools():
        (entry,) = [
            entry for line in listed for entry in re.split(r": |, ", line) if entry.startswith(f"`{tool.name}`")
        ]
        assert ("*" in entry) == bool(tool.spec.needs_browser)


def test_every_error_is_documented() -> None:
    page = (ROOT / "docs/errors.md").read_text("utf-8")
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.MediakitError):
            assert f"| `{kind.__name__}` | {kind.status} |" in page


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs/running.md").read_text("utf-8")
    names = {
        name
        for section in (AccountSettings, BrowserSettings, MailSettings, ServerSettings)
        for name in section.model_fields
    }
    described = {name.lower() for name in re.findall(r"^\| `MEDIAKIT_(\w+)`", page, re.MULTILINE)}
    assert described == names


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    (everything,) = extras["all"]
    chosen = everything.removeprefix("mediakit-notebook[").removesuffix("]").split(",")
    return [*project["dependencies"], *(requirement for extra in chosen for requirement in extras[extra])]


def test_conda_environment_has_requirements_of_project() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    python, pip, by_pip = environment["dependencies"]
    assert (python, pip) == ("python>=3.11", "pip")
    assert by_pip == {"pip": requirements()}


@pytest.mark.parametrize("name", [re.split(r"[^\w-]", requirement)[0] for requirement in requirements()])
def test_notice_lists_every_dependency_with_its_license(name: str) -> None:
    found = re.search(rf"^{name} {{2,}}(\S.*)$", (ROOT / "NOTICE").read_text("utf-8"), re.MULTILINE)
    assert found, f"NOTICE does not name {name}"
    said, known = found[1], metadata(name).json.get("license_expression")
    assert known is None or said.startswith(str(known))


@pytest.mark.browser
def test_calls_load_pymupdf_only_for_pdfs(folder: Path) -> None:
    script = """
import sys
import mediakit
mediakit.images(mediakit.qr("hello"), width=64)
mediakit.capture("<p>hello", width=100, height=100)
print(mediakit.pdf("<p>hello").pages)
mediakit.serve(port=0).stop()
print({"pymupdf", "fitz"} & set(sys.modules))
"""
    assert run([sys.executable, "-c", script], folder) == "1\nset()\n"
