"""The commands of the tools, and those for keys and setup."""

import inspect
import json
import os
import re
import sys
import threading
from importlib import import_module
from pathlib import Path

import pytest

import mediakit
from mediakit.cli import COMMANDS, tools
from mediakit.core.messages import readable_size
from mediakit.samples import ARCHIVE, FORM, LANDSCAPE, LOGO
from mediakit.tools.catalogue import SUMMARIES, command_names
from tests.cli.conftest import Run, Start


def test_output_option_writes_file(run: Run, tmp_path: Path) -> None:
    ran = run("qr", "hi", "--size", "300", "-o", "code.png")
    assert ran.exit_code == 0
    assert (tmp_path / "code.png").read_bytes() == mediakit.qr("hi", size=300).content
    assert ran.stdout == ""
    assert ran.stderr.startswith("code.png (300 × 300, ")


def test_output_option_writes_several_files_into_a_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    ran = run("unzip", str(ARCHIVE), "-o", "out")
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert {path.name for path in files} == {"cities.csv", "visits.csv", "größe.txt", "logo.png"}
    size = readable_size(sum(path.stat().st_size for path in files))
    assert (ran.exit_code, ran.stderr) == (0, f"out (4 files, {size})\n")


def test_warning_of_omitted_file_is_one_line(start: Start, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a.txt").write_text("a")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "folder/secret.txt").symlink_to(tmp_path / "secret.txt")
    ran = start("zip", "folder", "-o", "a.zip")
    warning, saved = ran.stderr.splitlines()
    assert warning == "Warning: folder: omitted secret.txt. It is a link that leads out of the folder."
    assert saved.startswith("a.zip (")


def test_redirected_output_is_the_file(start: Start) -> None:
    assert start("qr", "hi", text=False).stdout == mediakit.qr("hi").content


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX terminals")
def test_file_is_not_written_to_a_terminal(start: Start) -> None:
    _, terminal = os.openpty()
    ran = start("qr", "hi", stdout=terminal)
    assert ran.returncode == 2
    assert "Error: The result is not text. Add -o FILE, or redirect the output with > FILE." in ran.stderr
    assert start("validate-email", "ada@example.com", stdout=terminal).returncode == 0


def test_dash_reads_standard_input(run: Run) -> None:
    assert run("qr", "-", stdin=b"hi\n").stdout_bytes == mediakit.qr("hi").content
    assert run("images", "-", "--width", "20", stdin=LANDSCAPE.read_bytes()).stdout_bytes == (
        mediakit.images(LANDSCAPE, width=20).content
    )


def test_file_option_accepts_path(run: Run) -> None:
    assert run("qr", "hi", "--logo", str(LOGO)).stdout_bytes == mediakit.qr("hi", logo=LOGO).content
    ran = run("qr", "hi", "--logo", "nowhere.png")
    assert (ran.exit_code, ran.stderr) == (2, "Error: logo: cannot read 'nowhere.png': No such file or directory.\n")


def test_list_and_object_options_accept_json(run: Run) -> None:
    series = [{"name": "A", "data": [1, 2]}, {"name": "B", "data": [3, 4]}]
    expected = mediakit.chart("bar", ["Köln", "a, b"], series).content
    ran = run("chart", "bar", "--labels", '["Köln", "a, b"]', "--series", json.dumps(series))
    assert ran.stdout_bytes == expected
    options = [option for each in series for option in ("--series", json.dumps(each))]
    assert run("chart", "bar", "--labels", "Köln", "--labels", "a, b", *options).stdout_bytes == expected


def test_data_is_printed_as_json(run: Run) -> None:
    printed = json.loads(run("pdf-form", str(FORM)).stdout)
    assert [field["name"] for field in printed["fields"]][:2] == ["name", "email"]
    assert run("pdf-form", str(FORM), "--values", "name=Ada", "-o", "filled.pdf").exit_code == 0
    assert mediakit.pdf_form("filled.pdf").fields[0].value == "Ada"


@pytest.mark.parametrize("arguments", [["page.html"], ["-"], ["--html", "page.html"]])
def test_web_to_markdown_accepts_url_or_file(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    page = "<h1>Tea</h1><p>One <a href=cup>cup</a>."
    (tmp_path / "page.html").write_text(page, "utf-8")
    ran = run("web-to-markdown", *arguments, "--base-url", "https://example.com/", stdin=page)
    assert ran.stdout == mediakit.web_to_markdown(html=page, base_url="https://example.com/").content
    assert "url: must begin with http" in run("web-to-markdown", "nowhere.html").stderr


@pytest.mark.parametrize("name", ["notes.md", "Notes.MARKDOWN"])
def test_markdown_convert_reads_markdown_files(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# Ünï\n", "utf-8")
    assert run("markdown-convert", name, "-o", "page.html").exit_code == 0
    assert "Ünï</h1>" in (tmp_path / "page.html").read_text("utf-8")
    assert "cannot read 'no-such-file.md'" in run("markdown-convert", "no-such-file.md").stderr


@pytest.mark.parametrize(("argument", "given"), [("*text*", ""), ("-", "*text*")])
def test_markdown_convert_takes_text_and_standard_input(run: Run, argument: str, given: str) -> None:
    assert run("markdown-convert", argument, "--no-document", stdin=given).stdout == "<p><em>text</em></p>\n"


@pytest.mark.browser
def test_template_data_accepts_json(run: Run) -> None:
    expected = mediakit.capture(template="og", data={"title": "A = B", "tag": "Tea"}).content
    data = ["--data", '{"title": "A = B"}', "--data", "tag=Tea"]
    assert run("capture", "--template", "og", *data).stdout_bytes == expected


def test_output_suffix_selects_format(run: Run, tmp_path: Path) -> None:
    run("qr", "hi", "-o", "code.svg")
    assert (tmp_path / "code.svg").read_bytes() == mediakit.qr("hi", format="svg").content
    run("images", str(LANDSCAPE), "--width", "20", "-o", "small.jpg")
    assert (tmp_path / "small.jpg").read_bytes() == mediakit.images(LANDSCAPE, width=20, format="jpeg").content


def test_json_option_writes_envelope_and_creates_folders(run: Run, tmp_path: Path) -> None:
    envelope = json.loads(run("qr", "hi", "--json").stdout)
    assert envelope["success"] is True
    assert envelope["meta"] == mediakit.qr("hi").meta
    assert run("qr", "hi", "--json", "-o", "new/code.json").exit_code == 0
    assert json.loads((tmp_path / "new" / "code.json").read_bytes()) == envelope


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qr", "hi", "--size", "5"], "Error: size: must be between 64 and 2000, got 5."),
        (["qr", "hi", "--size", "five"], "'five' is not a valid integer"),
        (["qr", "hi", "--format", "gif"], "format: must be one of 'png' or 'svg', got \"gif\"."),
        (["qr", "hi", "--sise", "5"], "No such option"),
        (["qr"], "Missing argument 'DATA'"),
        (["capture", "--data", "Tea"], 'Error: data: must be KEY=VALUE or a JSON object, got "Tea".'),
        (["capture", "--data", '{"a": "b=c"'], "Error: data: must be KEY=VALUE or a JSON object, got "),
        (["chart"], "Choose from bar, line"),
        (
            ["images", "nowhere.png", "--width", "5"],
            "file: cannot read 'nowhere.png': No such file or directory.",
        ),
        (
            ["qr", "hi", "--format", "svg", "-o", "code.png"],
            "Error: path: the file is named .png, but the result is SVG.",
        ),
        (["capture", "-"], "Error: html: must not be empty."),
        (["nonsense"], 'unknown command "nonsense". Search with "mediakit find WORDS".'),
        (["batch", "qr"], "mediakit COMMAND --from TABLE --to FOLDER"),
        (["help", "qr"], "mediakit COMMAND --help"),
        (["qr", "hi", "code.png"], "did you mean -o code.png?"),
        (["image-info", "a", "b"], 'for several: mediakit image-info --from "folder/*" --to FOLDER'),
        (["text-repair", "hello"], "cannot read 'hello': No such file or directory. A text is passed as --text."),
        (["chart", "bar", "--x", "city"], "--x requires a TABLE."),
        (["qr", "hi", "there"], "extra argument (there). A text with spaces needs quotes."),
        (["data-convert", "a.csv", "json"], "did you mean --to json?"),
        (["validate-email", "a@example.com", "b@example.com"], "Pass several values as --values VALUE --values VALUE."),
        (["images", "--file", "a.png"], '"--file"; it is an argument without a name: mediakit images FILE'),
        (["images", "."], "file: . is a folder. For each of its files: --from . --to FOLDER"),
        (["pdf-merge", "none*.pdf"], "files: none*.pdf matches no file."),
        (["pdf", "https://example.com"], 'html: must be HTML, got the URL "https://example.com". web_to_markdown and'),
        (["qr", "hi", "-o", "code.gif"], "Error: path: the file is named .gif, but the result is PNG."),
        (["qr", "hi", "-o", ""], "path: . is a folder; add a file name."),
        (
            ["account", "create", "ada@example.com", "--since", "1 March"],
            "'1 March' does not match the format '%Y-%m-%d'",
        ),
    ],
)
def test_invalid_input_prints_message_and_exits_with_2(run: Run, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert message in ran.stderr


def test_pattern_in_quotes_is_the_files_that_match(run: Run, tmp_path: Path) -> None:
    for name in ("b1.txt", "b2.txt", "c.txt"):
        (tmp_path / name).write_text(name)
    assert run("zip", "b*.txt", "-o", "both.zip").exit_code == 0
    assert mediakit.unzip(tmp_path / "both.zip").names == ["b1.txt", "b2.txt"]


def test_html_itself_is_an_argument(run: Run, tmp_path: Path) -> None:
    assert run("web-to-markdown", "--html", "<h1>Tide tables</h1><p>High water at noon.</p>").stdout.startswith(
        "# Tide tables"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders")
def test_output_to_a_device_or_a_pipe_gets_no_extension(run: Run, tmp_path: Path) -> None:
    ran = run("qr", "hi", "-o", os.devnull)
    assert (ran.exit_code, ran.stderr.startswith(f"{os.devnull} (512 × 512, ")) == (0, True)
    assert "0 B" not in ran.stderr.split(", ")
    os.mkfifo(tmp_path / "pipe")
    reader = threading.Thread(target=lambda: received.append((tmp_path / "pipe").read_bytes()))
    received: list[bytes] = []
    reader.start()
    assert mediakit.qr("hi").save(tmp_path / "pipe") == tmp_path / "pipe"
    reader.join(10)
    assert received == [mediakit.qr("hi").content]


def test_error_exits_with_1(run: Run) -> None:
    ran = run("account", "show", "unknown@example.com")
    assert ran.exit_code == 1
    assert ran.stderr == (
        "Error: email: unknown@example.com has no account. Create one: mediakit account create unknown@example.com\n"
    )


def test_unexpected_error_prints_one_line_with_its_place(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "write", lambda *_: 1 / 0)
    ran = run("qr", "hi")
    assert ran.exit_code == 1
    line = test_unexpected_error_prints_one_line_with_its_place.__code__.co_firstlineno + 1
    assert ran.stderr == f"Error: ZeroDivisionError: division by zero ({__file__}, line {line})\n"


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_unwritable_output_prints_one_line_and_exits_with_1(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "taken").write_bytes(b"")
    ran = run("qr", "hi", "-o", "taken/code.png", *arguments)
    assert (ran.exit_code, len(ran.stderr.splitlines())) == (1, 1)
    assert ran.stderr.startswith("Error: taken")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_endless_input_file_is_rejected_as_too_large(run: Run) -> None:
    assert run("images", "/dev/zero", "--width", "5").stderr == "Error: file: must have at most 20 MB.\n"


def test_help_of_a_tool_lists_every_field_and_the_default_of_choices(run: Run) -> None:
    text = run("qr", "--help").stdout
    assert all(f"--{parameter.name.replace('_', '-')}" in text for parameter in mediakit.qr.parameters[1:])
    assert "-o, --output" in text
    assert "[default png]" in text


def test_help_lists_every_command_with_its_summary(run: Run) -> None:
    words = " ".join(run("--help").stdout.split())
    assert all(f"{name} {text}" in words for name, text in zip(command_names(), SUMMARIES.values(), strict=True))
    for name, (module, text) in COMMANDS.items():
        assert f"{name} {text}" in words
        command = getattr(import_module(module), name)
        assert inspect.cleandoc(command.help).startswith(text.removesuffix("."))


def test_help_imports_neither_tools_nor_pydantic(start: Start) -> None:
    ran = start("--help", interpreter=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "mediakit.tools.catalogue" in imported
    assert not {"pydantic", "mediakit.core.tool", "mediakit.tools.images.qr", "mediakit.accounts"} & imported


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "RATE_LIMITS",
            "many",
            "MEDIAKIT_RATE_LIMITS: must be one number, or one per plan such as free=10,pro=60, got 'many'.",
        ),
        ("RATE_LIMITS", "-1", "MEDIAKIT_RATE_LIMITS: must be at least 0, got -1."),
        ("RENDER_SLOTS", "0", "MEDIAKIT_RENDER_SLOTS: must be greater than 0, got '0'."),
        ("PUBLIC_URL", "example.com", "MEDIAKIT_PUBLIC_URL: must be a URL without a query, such as https://"),
        ("PUBLIC_URL", "https://example.com/?a=1", "MEDIAKIT_PUBLIC_URL: must be a URL without a query, such as https"),
        ("EXECUTOR", "scheduler:8786", "MEDIAKIT_EXECUTOR: must be the address of a Dask scheduler, such as tcp://"),
        ("TEMPLATES", "/no-folder", "MEDIAKIT_TEMPLATES: must be a folder of template folders, got /no-folder."),
        ("REDIS_URL", "example.com", "MEDIAKIT_REDIS_URL: must be redis://"),
        ("RATELIMITS", "5", "MEDIAKIT_RATELIMITS: is not a setting; did you mean MEDIAKIT_RATE_LIMITS?"),
        ("BROWSER", "/opt/no-browser", "MEDIAKIT_BROWSER: must be the path of Chrome, Chromium or Edge, got /opt"),
        ("ALLOWED_NETWORKS", "intranet", "MEDIAKIT_ALLOWED_NETWORKS: 'intranet' is neither a network nor address:port"),
    ],
)
def test_serve_with_invalid_setting_prints_one_line_and_exits_with_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"MEDIAKIT_{name}", value)
    ran = run("serve", "--workers", "2", "--port", "0")
    assert (ran.exit_code, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)
    assert message in ran.stderr


@pytest.mark.browser
def test_capture_reads_html_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<body style='background:#2563eb'>", encoding="utf-8")
    ran = run("capture", "page.html", "--width", "120", "--height", "100", "-o", "page.png")
    assert ran.exit_code == 0, ran.stderr
    from PIL import Image

    with Image.open(tmp_path / "page.png") as image:
        assert image.size == (120, 100)
        assert image.convert("RGB").getpixel((60, 50)) == (37, 99, 235)


@pytest.mark.browser
def test_doctor_reports_this_machine_as_healthy(start: Start) -> None:
    ran = start("doctor")
    assert ran.returncode == 0, ran.stdout
    assert any(line.startswith("✓ Rendering") for line in ran.stdout.splitlines())


def test_doctor_prints_fix_for_missing_browser(start: Start, tmp_path: Path) -> None:
    ran = start("doctor", MEDIAKIT_BROWSER=str(tmp_path / "no-chromium"))
    assert ran.returncode == 1
    assert "fix: unset MEDIAKIT_BROWSER" in ran.stdout


def test_second_field_of_diff_and_query_is_an_argument(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("id,n\n1,2\n")
    second.write_text("id,n\n1,3\n")
    diff = json.loads(run("data-diff", str(first), str(second)).output)
    assert diff["changed"][0]["changes"] == {"n": {"from": 2, "to": 3}}
    query = json.loads(run("data-query", str(second), "select n * 2 as n from data").output)
    assert query["rows"] == [{"n": 6}]
    twice = run("data-query", str(second), "select 1", "--sql", "select 2")
    assert (twice.exit_code, "Got SQL twice" in twice.output) == (2, True)


def test_table_is_charted(run: Run, tmp_path: Path) -> None:
    table, chart = tmp_path / "sales.csv", tmp_path / "sales.svg"
    table.write_text("city,sales,costs\nOslo,10,2\nRome,20,3\nOslo,5,1\n")
    columns = ("--x", "city", "--y", "sales", "--y", "costs", "--aggregate", "sum")
    assert run("chart", "bar", str(table), *columns, "--values", "-o", str(chart)).exit_code == 0
    texts = re.findall(r"<text[^>]*>([^<]+)<", chart.read_text())
    assert {"Oslo", "Rome", "15", "20", "3", "sales", "costs"} <= set(texts)
    piped = run("chart", "bar", "-", *columns, stdin=table.read_bytes())
    assert piped.stdout_bytes.startswith(b"\x89PNG")


def test_templates_are_listed(run: Run) -> None:
    assert re.search(r"^invoice +794 x 1123 +An invoice", run("template", "list").output, re.MULTILINE)


def test_table_that_sample_data_are_like_is_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "boats.csv").write_text("id,boat\n10,sloop\n20,yawl\n")
    ran = run("data-sample", "--like", "boats.csv", "--rows", "2", "--seed", "1", "--format", "jsonl")
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [10, 20]
    assert run("data-sample", "--like", "none.csv").stderr.startswith("Error: like: cannot read 'none.csv'")
    ran = run("data-sample", "--like", '{"id": 10}', "--like", '{"id": 20}', "--rows", "2", "--format", "jsonl")
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [10, 20]
    assert "like: must be JSON" in run("data-sample", "--like", "boats.csv", "--like", "boats.csv").stderr
