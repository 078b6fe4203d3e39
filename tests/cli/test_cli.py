"""The command line, run in a subprocess."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mediakit
from mediakit.samples import LANDSCAPE, LOGO

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run mediakit in an empty folder with an empty home."""

    def call(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "MEDIAKIT_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-m", "mediakit", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, env=environment, timeout=120)

    return call


def test_output_option_writes_file(run: Run, tmp_path: Path) -> None:
    ran = run("qr", "hi", "--size", "300", "-o", "code.png")
    assert ran.returncode == 0
    assert (tmp_path / "code.png").read_bytes() == mediakit.qr("hi", size=300).content
    assert ran.stdout == b""
    assert ran.stderr.decode().startswith("code.png (300 × 300, ")


def test_redirected_output_is_the_file(run: Run) -> None:
    assert run("qr", "hi").stdout == mediakit.qr("hi").content


def test_dash_reads_standard_input(run: Run) -> None:
    assert run("qr", "-", stdin=b"hi\n").stdout == mediakit.qr("hi").content
    assert run("images", "-", "--width", "20", stdin=LANDSCAPE.read_bytes()).stdout == (
        mediakit.images(LANDSCAPE, width=20).content
    )


def test_file_option_accepts_path(run: Run) -> None:
    assert run("qr", "hi", "--logo", str(LOGO)).stdout == mediakit.qr("hi", logo=LOGO).content
    ran = run("qr", "hi", "--logo", "nowhere.png")
    assert (ran.returncode, ran.stderr.decode().strip()) == (
        2,
        "Error: logo: cannot read nowhere.png: No such file or directory.",
    )


def test_list_and_object_options_accept_json(run: Run) -> None:
    series = [{"name": "A", "data": [1, 2]}, {"name": "B", "data": [3, 4]}]
    expected = mediakit.chart("bar", ["Köln", "a, b"], series).content
    assert run("chart", "bar", "--labels", '["Köln", "a, b"]', "--series", json.dumps(series)).stdout == expected
    options = [option for each in series for option in ("--series", json.dumps(each))]
    assert run("chart", "bar", "--labels", "Köln", "--labels", "a, b", *options).stdout == expected


@pytest.mark.parametrize("arguments", [["page.html"], ["-"], ["--html", "page.html"]])
def test_web_to_markdown_accepts_url_or_file(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    page = b"<h1>Tea</h1><p>One <a href=cup>cup</a>."
    (tmp_path / "page.html").write_bytes(page)
    ran = run("web-to-markdown", *arguments, "--base-url", "https://example.com/", stdin=page)
    assert ran.stdout.decode() == mediakit.web_to_markdown(html=page.decode(), base_url="https://example.com/").content
    assert b"url: must begin with http" in run("web-to-markdown", "nowhere.html").stderr


@pytest.mark.browser
def test_template_data_accepts_json(run: Run) -> None:
    expected = mediakit.capture(template="og", data={"title": "A = B", "tag": "Tea"}).content
    data = ["--data", '{"title": "A = B"}', "--data", "tag=Tea"]
    assert run("capture", "--template", "og", *data).stdout == expected


def test_output_suffix_selects_format(run: Run, tmp_path: Path) -> None:
    run("qr", "hi", "-o", "code.svg")
    assert (tmp_path / "code.svg").read_bytes() == mediakit.qr("hi", format="svg").content
    run("images", str(LANDSCAPE), "--width", "20", "-o", "small.jpg")
    assert (tmp_path / "small.jpg").read_bytes() == mediakit.images(LANDSCAPE, width=20, format="jpeg").content


def test_json_option_prints_envelope(run: Run) -> None:
    envelope = json.loads(run("qr", "hi", "--json").stdout)
    assert envelope["success"] is True
    assert envelope["meta"] == mediakit.qr("hi").meta


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qr", "hi", "--size", "5"], "Error: size: must be between 64 and 2000, got 5."),
        (["qr", "hi", "--size", "five"], "'five' is not a valid integer"),
        (["qr", "hi", "--format", "gif"], "'gif' is not one of 'png', 'svg'"),
        (["qr", "hi", "--sise", "5"], "No such option"),
        (["qr"], "Missing argument 'DATA'"),
        (["images", "nowhere.png", "--width", "5"], "Error: file: cannot read nowhere.png: No such file or directory."),
        (
            ["qr", "hi", "--format", "svg", "-o", "code.png"],
            "Error: path: the file is named .png, but the result is SVG.",
        ),
        (["capture", "-"], "Error: html: must not be empty."),
        (["nonsense"], 'unknown command "nonsense". Search with "mediakit find WORDS".'),
        (["qr", "hi", "-o", "code.gif"], "Error: path: the file is named .gif, but the result is PNG."),
        (["qr", "hi", "-o", ""], "path: . is a folder; add a file name."),
    ],
)
def test_invalid_input_prints_one_line_and_exits_with_2(run: Run, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert ran.returncode == 2
    assert message in ran.stderr.decode()
    assert b"Traceback" not in ran.stderr
    assert ran.stdout == b""


def test_error_exits_with_1(run: Run) -> None:
    ran = run("account", "show", "unknown@example.com")
    assert ran.returncode == 1
    assert ran.stderr.decode() == (
        "Error: email: unknown@example.com has no account. Create one: mediakit account create unknown@example.com\n"
    )


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_unwritable_output_prints_one_line_and_exits_with_1(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "taken").write_bytes(b"")
    ran = run("qr", "hi", "-o", "taken/code.png", *arguments)
    assert (ran.returncode, len(ran.stderr.splitlines())) == (1, 1)
    assert ran.stderr.startswith(b"Error: taken")


def test_json_output_creates_folders(run: Run, tmp_path: Path) -> None:
    assert run("qr", "hi", "--json", "-o", "new/code.json").returncode == 0
    assert json.loads((tmp_path / "new" / "code.json").read_bytes())["success"] is True


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_endless_input_file_is_rejected_as_too_large(run: Run) -> None:
    ran = run("images", "/dev/zero", "--width", "5")
    assert ran.stderr == b"Error: file: must have at most 20 MB.\n"


def test_help_shows_default_of_choices(run: Run) -> None:
    assert "[default png]" in run("qr", "--help").stdout.decode()


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
        ("PUBLIC_URL", "example.com", "MEDIAKIT_PUBLIC_URL: must match ^https?://, got 'example.com'."),
        ("REDIS_URL", "example.com", "redis_url: must be redis://"),
        ("ALLOWED_NETWORKS", "intranet", "MEDIAKIT_ALLOWED_NETWORKS: 'intranet' is neither a network nor address:port"),
    ],
)
def test_serve_with_invalid_setting_prints_one_line_and_exits_with_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"MEDIAKIT_{name}", value)
    ran = run("serve", "--workers", "2", "--port", "0")
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, b"", 1)
    assert message in ran.stderr.decode()


def test_help_lists_every_field(run: Run) -> None:
    text = run("qr", "--help").stdout.decode()
    assert all(f"--{parameter.name.replace('_', '-')}" in text for parameter in mediakit.qr.parameters[1:])
    assert "-o, --output" in text


def test_account_and_key_commands_from_creation_to_revocation(run: Run) -> None:
    assert run("account", "create", "ada@example.com", "--plan", "pro", "--since", "2020-01-31").returncode == 0
    assert "not verified" in run("account", "show", "ada@example.com").stdout.decode()
    assert "ada@example.com (verified)" in run("account", "verify", "ada@example.com").stdout.decode()
    shown = run("account", "set-plan", "ada@example.com", "business").stdout.decode()
    assert "business" in shown
    created = run("key", "create", "ada@example.com", "--name", "laptop").stdout.decode()
    key = created.splitlines()[-1]
    assert key.startswith("mk_live_")
    head, row = run("key", "list", "ada@example.com").stdout.decode().splitlines()
    assert head.split()[:2] == ["ID", "PREFIX"]
    assert key not in row
    assert row.split()[1].removesuffix("…") in key
    assert "laptop" in row
    assert run("key", "revoke", row.split()[0]).returncode == 0
    assert "revoked" in run("key", "list", "ada@example.com").stdout.decode()
    assert "ada@example.com" in run("account", "list").stdout.decode()


@pytest.mark.browser
def test_capture_reads_html_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<body style='background:#2563eb'>", encoding="utf-8")
    ran = run("capture", "page.html", "--width", "120", "--height", "100", "-o", "page.png")
    assert ran.returncode == 0, ran.stderr
    from PIL import Image

    with Image.open(tmp_path / "page.png") as image:
        assert image.size == (120, 100)
        assert image.convert("RGB").getpixel((60, 50)) == (37, 99, 235)


@pytest.mark.browser
def test_doctor_reports_this_machine_as_healthy(run: Run) -> None:
    ran = run("doctor")
    lines = ran.stdout.decode().splitlines()
    assert ran.returncode == 0, ran.stdout.decode()
    assert any(line.startswith("✓ Rendering") for line in lines)


def test_doctor_prints_fix_for_missing_browser(tmp_path: Path) -> None:
    environment = {**os.environ, "MEDIAKIT_HOME": str(tmp_path), "MEDIAKIT_BROWSER": str(tmp_path / "no-chromium")}
    ran = subprocess.run(
        [sys.executable, "-m", "mediakit", "doctor"], capture_output=True, env=environment, timeout=120
    )
    assert ran.returncode == 1
    assert "fix: unset MEDIAKIT_BROWSER" in ran.stdout.decode()
