"""`zip`: archives that every program opens, read back with Python, unzip, 7-Zip and bsdtar."""

import base64
import io
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
import pyzipper

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import LOGO, REPORT, SALES
from tests.conftest import Api


def named(name: str, content: bytes = b"x") -> dict[str, Any]:
    return {"name": name, "file": content}


def opened(result: Any) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(result.content))


def refusal(*files: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.zip(list(files), **options)
    return caught.value.message


TEXT = b"blue lake\n" * 500


def test_files_are_read_back_with_their_names() -> None:
    result = mediakit.zip([SALES, LOGO, named("data/größe.txt", TEXT), named("empty.txt", b"")], comment="Ä note")
    with opened(result) as archive:
        assert archive.testzip() is None
        assert {info.filename: archive.read(info) for info in archive.infolist()} == {
            "sales.csv": SALES.read_bytes(), "logo.png": LOGO.read_bytes(), "data/größe.txt": TEXT, "empty.txt": b"",
        }  # fmt: skip
        assert {info.flag_bits for info in archive.infolist()} == {0x800}
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.comment.decode() == "Ä note"
    assert (result.filename, result.mime_type) == ("files.zip", "application/zip")


def test_meta_describes_the_archive() -> None:
    result = mediakit.zip([named("a.txt", TEXT), LOGO])
    original = len(TEXT) + LOGO.stat().st_size
    assert result.meta == {
        "size_bytes": len(result.content),
        "original_bytes": original,
        "ratio": round(len(result.content) / original, 4),
        "entries": 2,
        "encryption": "none",
        "stored": ["logo.png"],
        "warnings": [],
    }


def test_same_files_are_the_same_bytes() -> None:
    assert mediakit.zip([SALES, REPORT]).content == mediakit.zip([SALES, REPORT]).content


def test_level_sets_the_compression() -> None:
    sizes = [len(mediakit.zip([SALES, named("a", TEXT)], level=level).content) for level in (0, 1, 6, 9)]
    assert sizes == sorted(sizes, reverse=True)
    with opened(mediakit.zip([named("a", TEXT)], level=0)) as archive:
        assert archive.infolist()[0].compress_type == zipfile.ZIP_STORED


def test_folder_contains_all_files() -> None:
    assert opened(mediakit.zip([SALES, named("b/c.txt")], folder="2024/june/")).namelist() == [
        "2024/june/sales.csv", "2024/june/b/c.txt",
    ]  # fmt: skip


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A folder with a folder, and hidden files."""
    folder = tmp_path / "reports"
    for name in ("b.csv", "a.csv", "old/a.csv", "old/c.txt", ".hidden", ".git/config"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("", ["a.csv", "b.csv", "old/a.csv", "old/c.txt"]),
        ("old", ["a.csv", "c.txt"]),
        ("*.csv", ["a.csv", "b.csv"]),
        ("**/*.csv", ["a.csv", "b.csv", "old/a.csv"]),
        ("o?d/[ac].*", ["old/a.csv", "old/c.txt"]),
    ],
)
@pytest.mark.parametrize("kind", [str, Path])
def test_folder_or_pattern_is_its_files(pattern: str, names: list[str], kind: Any, reports: Path) -> None:
    archive = opened(mediakit.zip(kind(reports / pattern)))
    assert archive.namelist() == names
    assert archive.read(names[0]).decode().endswith(names[0])


def test_pattern_is_relative_to_the_working_folder(reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(reports.parent)
    assert opened(mediakit.zip("reports/*.csv")).namelist() == ["a.csv", "b.csv"]
    monkeypatch.chdir(reports)
    assert opened(mediakit.zip("*.csv")).namelist() == ["a.csv", "b.csv"]
    assert opened(mediakit.zip(".", folder="all")).namelist()[0] == "all/a.csv"


def test_folder_with_too_many_files_and_pattern_without_one_are_invalid(reports: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"^files: .*\.nix matches no file\.$"):
        mediakit.zip(str(reports / "*.nix"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=r"^files: .*empty has no files\.$"):
        mediakit.zip(tmp_path / "empty")
    for number in range(20):
        (reports / f"{number}.txt").write_text("x")
    with pytest.raises(InvalidInput, match=r"^files: must have at most 20 files, but .*reports has 24\.$"):
        mediakit.zip(reports)


def test_links_that_lead_out_of_a_folder_are_omitted_with_a_warning(reports: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret")
    (tmp_path / "others").mkdir()
    (tmp_path / "others/d.csv").write_text("others")
    (reports / "secret.csv").symlink_to(tmp_path / "secret.csv")
    (reports / "out").symlink_to(tmp_path / "others")
    (reports / "same.csv").symlink_to(reports / "a.csv")
    kept = ["a.csv", "b.csv", "same.csv"]
    with pytest.warns(UserWarning, match=r"reports: omitted .*secret\.csv.* a link that leads out of the folder\."):
        assert opened(mediakit.zip(reports / "*.csv")).namelist() == kept
    with (
        pytest.warns(UserWarning, match=r"omitted out/d\.csv\. It is a link"),
        pytest.raises(InvalidInput, match="match"),
    ):
        mediakit.zip(reports / "o[u]t/*.csv")
    with pytest.warns(UserWarning, match="secret"):
        assert not any("secret" in name for name in opened(mediakit.zip(str(reports))).namelist())
    with pytest.warns(UserWarning, match="secret"):
        assert len(mediakit.batch("text_repair", reports / "*.csv")) == 3


@pytest.mark.parametrize("name", ["nofolder", "Photos", "data/photos/june", "/tmp/none"])
def test_word_or_path_without_a_file_is_not_read_as_base64(name: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        mediakit.zip(name)
    assert str(raised.value).startswith(f'files: there is no file or folder "{name}". A file is bytes, a path,')


def test_short_base64_text_with_a_prefix_is_a_file() -> None:
    archive = opened(mediakit.zip("data:;base64,nofolder"))
    assert archive.read(archive.namelist()[0]) == base64.b64decode("nofolder")


def test_text_that_names_no_folder_stays_base64() -> None:
    text = base64.b64encode(b"x" * 1200).decode()
    assert opened(mediakit.zip(text)).read("file-1.txt") == b"x" * 1200
    assert opened(mediakit.zip("")).read("file-1.bin") == b""


def test_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a[1].csv").write_text("x")
    assert opened(mediakit.zip(str(tmp_path / "a[1].csv"))).namelist() == ["a[1].csv"]


@pytest.mark.anyio
async def test_folder_is_not_read_over_http(api: Api, reports: Path) -> None:
    response = await api.post("/zip", json={"files": str(reports)})
    assert response.status_code == 400


def test_unnamed_files_are_named_by_their_content() -> None:
    result = mediakit.zip([LOGO.read_bytes(), b"text", b"\0\1\2", REPORT.read_bytes()])
    assert opened(result).namelist() == ["file-1.png", "file-2.txt", "file-3.bin", "file-4.pdf"]


def test_names_are_normalized() -> None:
    assert opened(mediakit.zip([named("e\u0301.txt")])).namelist() == ["é.txt"]


def test_results_of_tools_are_packed() -> None:
    split = mediakit.pdf_split(REPORT)
    assert opened(mediakit.zip(split)).namelist() == split.names


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../x", '"../x" leaves the archive.'),
        ("a/../../x", '"a/../../x" leaves the archive.'),
        ("/etc/passwd", '"/etc/passwd" leaves the archive.'),
        ("\\\\host\\x", '"\\\\host\\x" leaves the archive.'),
        ("．．/x", '"．．/x" leaves the archive.'),
        ("a:b", 'must not contain ":", which Windows does not allow.'),
        ("C:\\x", 'must not contain ":", which Windows does not allow.'),
        ("a\\b", 'must not contain "\\", which Windows does not allow.'),
        ("what?", 'must not contain "?", which Windows does not allow.'),
        ("a\nb", "must not contain U+000A, which Windows does not allow."),
        ("a\u202eb", "must not contain U+202E, which Windows does not allow."),
        ("a.", 'must not end with ".", which Windows does not allow.'),
        ("a /b", "must not end with a space, which Windows does not allow."),
        ("nul.txt", 'must not contain "nul.txt", which is a device name of Windows.'),
        ("a//b", 'must have a name between any two "/".'),
        ("a/./b", 'must have a name between any two "/".'),
        ("é" * 128, "must have at most 255 bytes in a part, got 256."),
        ("/".join(["x" * 200] * 5), "must have at most 1000 bytes of UTF-8, got 1004."),
        ("a.txt", '"a.txt" is there already.'),
        ("A.TXT", '"A.TXT" differs from "a.txt" by case only; one would overwrite the other on Windows or macOS.'),
        ("a.txt/b", '"a.txt/b" is below "a.txt", which is a file.'),
    ],
)
def test_name_that_a_system_cannot_have_is_refused(name: str, problem: str) -> None:
    assert refusal(named("a.txt"), named(name)) == f"files[1].name: {problem}"


def test_file_must_not_have_the_name_of_a_folder() -> None:
    assert refusal(named("a/b"), named("A")) == 'files[1].name: "A" is the name of a folder, too.'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 10}, "level: must be between 0 and 9, got 10."),
        ({"filename": "a/b.zip"}, "filename: must be a name without folders."),
        ({"folder": "../x"}, "folder: leaves the archive."),
        ({"comment": "a\0"}, "comment: must not contain control characters."),
        ({"password": "x" * 129}, "password: must have at most 128 characters, got 129."),
    ],
)
def test_option_out_of_its_range_is_refused(options: dict[str, Any], message: str) -> None:
    assert refusal(SALES, **options) == message


def test_filename_gets_its_extension() -> None:
    assert mediakit.zip([SALES], filename="June").filename == "June.zip"


def test_password_encrypts_with_aes_256() -> None:
    result = mediakit.zip([SALES, LOGO], password="pässwörd")
    with pyzipper.AESZipFile(io.BytesIO(result.content)) as archive:
        archive.setpassword("pässwörd".encode())
        assert [archive.read(name) for name in archive.namelist()] == [SALES.read_bytes(), LOGO.read_bytes()]
        assert [(info.wz_aes_strength, info.wz_aes_version, info.CRC) for info in archive.infolist()] == [(3, 2, 0)] * 2
    assert result.meta["encryption"] == "aes256"
    assert result.meta["warnings"] == ["The names of the files are not encrypted."]
    assert b"order" not in result.content
    assert mediakit.unzip(result, password="pässwörd")["logo.png"].file == LOGO.read_bytes()


def test_password_is_neither_in_meta_nor_in_code() -> None:
    result = mediakit.zip([SALES], password="hush-hush")
    shown = [str(result.meta), *(result.code(language) for language in ("python", "curl", "http", "shell"))]
    assert not any("hush" in text for text in shown)


PROGRAMS = {
    "unzip": ["unzip", "-q", "archive.zip"],
    "7z": ["7z", "x", "-bd", "-y", "archive.zip"],
    "bsdtar": ["bsdtar", "-xf", "archive.zip"],
}
DECRYPTING = {
    "7z": ["7z", "x", "-bd", "-y", "-psecret", "archive.zip"],
    "bsdtar": ["bsdtar", "-xf", "archive.zip", "--passphrase", "secret"],
}


def unpacked(command: list[str], folder: Path, content: bytes) -> dict[str, bytes]:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    (folder / "archive.zip").write_bytes(content)
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env={"LC_ALL": "C.UTF-8"})
    (folder / "archive.zip").unlink()
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_programs_unpack_the_archive(program: str, tmp_path: Path) -> None:
    content = mediakit.zip([LOGO, named("data/größe 日本.txt", TEXT), named("empty", b"")]).content
    expected = {"logo.png": LOGO.read_bytes(), "data/größe 日本.txt": TEXT, "empty": b""}
    assert unpacked(PROGRAMS[program], tmp_path, content) == expected


@pytest.mark.parametrize("program", DECRYPTING)
def test_other_programs_decrypt_the_archive(program: str, tmp_path: Path) -> None:
    content = mediakit.zip([LOGO, named("a.txt", TEXT), named("empty", b"")], password="secret").content
    expected = {"logo.png": LOGO.read_bytes(), "a.txt": TEXT, "empty": b""}
    assert unpacked(DECRYPTING[program], tmp_path, content) == expected


# --- HTTP -------------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_names_keep_their_folders_over_http(api: Api) -> None:
    file = {"name": "data/a.txt", "file": base64.b64encode(b"a").decode()}
    as_json = await api.json("/zip", {"files": [file]})
    as_form = await api.post("/zip", files=[("files", ("data/a.txt", b"a"))])
    assert (
        base64.b64decode(as_json.json()["file"]) == as_form.content == mediakit.zip([named("data/a.txt", b"a")]).content
    )


@pytest.mark.anyio
async def test_error_names_the_file(api: Api) -> None:
    response = await api.json("/zip", {"files": [{"name": "../x", "file": "eA=="}]})
    assert (response.status_code, response.json()["error"]) == (400, 'files[0].name: "../x" leaves the archive.')


@pytest.mark.anyio
async def test_password_in_query_of_a_form_is_refused(api: Api) -> None:
    response = await api.post("/zip?password=x", files=[("files", ("a.txt", b"a"))])
    assert response.status_code == 400
    assert response.json()["error"].startswith("password: must be sent in a JSON or multipart body")


@pytest.mark.anyio
async def test_client_keeps_folders(api: Api) -> None:
    async with api.client() as client:
        result = await client.zip([named("data/a.txt", b"a")])
    assert opened(result).namelist() == ["data/a.txt"]
