"""`mediakit template check` and `mediakit template copy`, and the example of the guide to own templates."""

import re
from pathlib import Path

import pytest
from PIL import Image

from mediakit.engines.templates import DESIGNS, TEMPLATES
from tests.cli.conftest import Run, Start

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "templates.md"


def write_example_of_guide(folder: Path) -> None:
    """Write the files of the guide's full example."""
    folder.mkdir(parents=True)
    for language, name in (("toml", "template.toml"), ("html", "template.html")):
        (text,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        (folder / name).write_text(text, encoding="utf-8")


def size(file: Path) -> tuple[int, int]:
    with Image.open(file) as image:
        return image.size


@pytest.mark.browser
def test_example_of_the_guide_passes_the_check_without_warnings(start: Start, tmp_path: Path) -> None:
    write_example_of_guide(tmp_path / "ticket")
    ran = start("template", "check", "ticket", "-o", "images", "--thumbnails")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert [line for line in lines if line.startswith(("error", "warning"))] == []
    assert lines[-1] == 'ticket: no errors. Use it with mediakit.templates.add("ticket").'
    assert size(tmp_path / "images" / "ticket-default-es.png") == (900, 500)
    assert size(tmp_path / "ticket" / "thumbnail.webp") == (480, 267)


def test_copied_template_is_the_same_and_checks_without_errors(run: Run, tmp_path: Path) -> None:
    assert run("template", "copy", "certificate", "my-certificate").exit_code == 0
    copied = sorted(path.name for path in (tmp_path / "my-certificate").iterdir())
    assert copied == sorted(path.name for path in (DESIGNS / "certificate").iterdir())


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_copy_of_one_style_has_only_this_style(run: Run, tmp_path: Path, name: str) -> None:
    style = TEMPLATES[name].styles[-1]
    assert run("template", "copy", name, "own", "--style", style).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == ["template.html", "template.toml"]
    kept = (tmp_path / "own" / "template.html").read_text("utf-8")
    assert kept == (DESIGNS / name / TEMPLATES[name].style_file(style)).read_text("utf-8")
    assert f'styles = ["{style}"]\n' in (tmp_path / "own" / "template.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ogg", "own"), "template: must be one of 'social'"),
        (("og", "Own"), "folder: must have a name of lowercase letters"),
        (("og", "invoice"), "folder: must have a name of lowercase letters"),
        (("og", "own", "--style", "retro"), 'style: "retro" is not a style of og; use '),
    ],
)
def test_invalid_copy_is_refused(run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = run("template", "copy", *arguments)
    assert ran.exit_code == 2
    assert ran.stderr.startswith(f"Error: {message}")
    assert not (tmp_path / "own").exists()


def test_copy_does_not_replace_a_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    ran = run("template", "copy", "og", "own")
    assert (ran.exit_code, ran.stderr.strip()) == (2, "Error: folder: own exists already.")


def test_check_reports_every_problem_with_file_and_line(run: Run, tmp_path: Path) -> None:
    write_example_of_guide(tmp_path / "ticket")
    with (tmp_path / "ticket" / "template.html").open("a", encoding="utf-8") as file:
        file.write('<script></script>\n<p onclick="x()">{{ evnt }}</p>\n<img src="https://example.com/a.png">\n')
    ran = run("template", "check", "ticket")
    assert ran.exit_code == 1
    found = re.findall(r"^error: .*/ticket/template\.html:(\d+): (\S+)", ran.stdout, re.MULTILINE)
    first = int(found[0][0])
    assert found == [
        (str(first), "<script>"),
        (str(first + 1), '"evnt"'),
        (str(first + 1), "onclick"),
        (str(first + 2), "src='https://example.com/a.png'"),
    ]
    assert ran.stdout.endswith("4 errors in ticket.\n")


@pytest.mark.browser
def test_check_warns_of_unused_keys_missing_examples_and_texts_that_do_not_fit(start: Start, tmp_path: Path) -> None:
    write_example_of_guide(tmp_path / "ticket")
    manifest, html = tmp_path / "ticket" / "template.toml", tmp_path / "ticket" / "template.html"
    manifest.write_text(manifest.read_text("utf-8").replace(', es = "Ada Lovelace"', ""), encoding="utf-8")
    changed = html.read_text("utf-8").replace("{{ place }}", "x").replace("size: 64; min: 32", "size: 164; min: 100")
    html.write_text(changed, encoding="utf-8")
    ran = start("template", "check", "ticket")
    warnings = [line.partition("/ticket/")[2] for line in ran.stdout.splitlines() if line.startswith("warning")]
    assert ran.returncode == 0
    assert warnings == [
        'template.toml:7: keys[1]: "visitor" has no example es.',
        "template.html: {{ place }} is never used.",
        "template.html: example texts (en) do not fit at full size: event.",
        "template.html: example texts (es) do not fit at full size: event.",
        "template.html: truncated at their max_length, even at the smallest font size: event.",
    ]


@pytest.mark.browser
def test_shell_reads_the_templates_of_the_setting(start: Start, tmp_path: Path) -> None:
    write_example_of_guide(tmp_path / "templates" / "ticket")
    arguments = ("capture", "--template", "ticket", "--data", "visitor=Grace Hopper", "-o", "ticket.png")
    ran = start(*arguments, MEDIAKIT_TEMPLATES="templates")
    assert ran.returncode == 0, ran.stderr
    assert size(tmp_path / "ticket.png") == (900, 500)
    refused = start(*arguments)
    assert refused.returncode == 2
    assert "ticket" in refused.stderr
