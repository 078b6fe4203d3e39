"""Input files: what callers can pass in Python and over HTTP, the names of files, limits and error messages."""

import base64
import io
import os
import pickle
import shutil
import tempfile
import urllib.parse
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mediakit
from mediakit.core.inputs import MAX_FILE_BYTES, FileBytes, FileInput, files_in, is_missing, load_file
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult, ZipResult
from mediakit.samples import LANDSCAPE
from tests.conftest import Api, open_api
from tests.support.file_tools import many_files, one_file, text_file

TEXT = b"file content \xff"
BASE64 = base64.b64encode(TEXT).decode()
NOT_A_FILE = 'must be base64 text, or an object such as {"name": "report.pdf", "file": "<base64>"}.'
NOT_BASE64 = "must be base64 text (standard alphabet, with padding)."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_bytes(TEXT)
    return path


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async for api in open_api(tmp_path / "home", tools=(one_file, many_files, text_file)):
        yield api


def loaded(value: Any) -> FileBytes:
    file = one_file.build(value).file
    assert isinstance(file, FileBytes)
    return file


def error_of(*args: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        one_file(*args)
    return str(caught.value)


class Pipe(io.RawIOBase):
    """A source that returns one byte at a time."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def read(self, _size: int = -1) -> bytes:
        first, self._rest = self._rest[:1], self._rest[1:]
        return first


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (TEXT, ""),
        (bytearray(TEXT), ""),
        (memoryview(TEXT), ""),
        (io.BytesIO(TEXT), ""),
        (BASE64, ""),
        (f"{BASE64[:8]}\n {BASE64[8:]}\n", ""),
        (f"data:text/plain;base64,{BASE64}", ""),
        (f"data:text/plain;charset=utf-8;base64,{BASE64}", ""),
        ({"file": BASE64}, ""),
        ({"name": "a.txt", "file": BASE64}, "a.txt"),
        ({"name": "a.txt", "file": TEXT}, "a.txt"),
        ({"name": "a.txt", "file": f"data:;base64,{BASE64}"}, "a.txt"),
        (FileResult(TEXT, "text/plain", "result.txt"), "result.txt"),
        (FileBytes.named(TEXT, "kept.txt"), "kept.txt"),
        (Pipe(TEXT), ""),
    ],
    ids=[
        "bytes",
        "bytearray",
        "memoryview",
        "file object",
        "base64",
        "wrapped base64",
        "data uri",
        "data uri with charset",
        "object without name",
        "object",
        "object with bytes",
        "object with data uri",
        "result",
        "loaded file",
        "source with short reads",
    ],
)
def test_file_accepts_value_and_keeps_content_and_name(value: Any, name: str) -> None:
    file = loaded(value)
    assert (bytes(file), file.name, file.path) == (TEXT, name, None)


def test_file_accepts_path_and_keeps_its_name(path: Path) -> None:
    for value in (path, str(path), os.path.relpath(path)):
        file = loaded(value)
        assert (bytes(file), file.name, file.path) == (TEXT, "report.txt", Path(value))


def test_file_object_on_disk_keeps_its_name_without_folders(path: Path) -> None:
    with path.open("rb") as file:
        assert loaded(file).name == "report.txt"
    with open(os.fsencode(path), "rb") as file:  # noqa: PTH123  # only open() takes the path as bytes
        assert loaded(file).name == "report.txt"


def test_temporary_file_has_no_name() -> None:
    with tempfile.TemporaryFile() as file:  # its `name` is the number of a file descriptor
        file.write(TEXT)
        file.seek(0)
        assert (bytes(again := loaded(file)), again.name) == (TEXT, "")


def test_text_mode_file_is_rejected(path: Path) -> None:
    expected = 'file: must be a file opened in binary mode, such as open(path, "rb").'
    with path.open(encoding="utf-8") as file:  # its bytes are not UTF-8
        assert error_of(file) == expected


def test_text_in_memory_is_read_as_utf_8() -> None:
    assert loaded(io.StringIO("city\nCádiz\n")) == "city\nCádiz\n".encode()


def test_file_object_at_its_end_is_an_error_that_says_so(path: Path) -> None:
    written = io.BytesIO()
    written.write(TEXT)
    assert error_of(written) == "file: must not be empty, but the file object is at its end; call its .seek(0) first."
    assert error_of(io.BytesIO()) == "file: must not be empty."
    text = io.StringIO("tea")
    text.read()
    assert "call its .seek(0) first" in error_of(text)


def test_name_in_angle_brackets_is_not_the_name_of_a_file() -> None:
    stream = io.BytesIO(TEXT)
    stream.name = "<urllib response>"
    assert (loaded(stream), loaded(stream.getvalue()).name) == (TEXT, "")
    stream.seek(0)
    assert loaded(stream).name == ""


def test_file_inside_of_an_archive_is_read_by_its_path(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("data/notes.txt", TEXT)
    file = loaded(zipfile.Path(tmp_path / "pack.zip") / "data/notes.txt")
    assert (file, file.name) == (TEXT, "notes.txt")
    assert error_of(zipfile.Path(tmp_path / "pack.zip") / "none.txt").startswith("file: cannot read ")


@pytest.mark.parametrize("passed", [str, Path])
def test_tilde_is_the_home_folder(path: Path, monkeypatch: pytest.MonkeyPatch, passed: type[Any]) -> None:
    monkeypatch.setenv("HOME", str(path.parent))
    assert loaded(passed("~/report.txt")) == TEXT
    assert many_files.build(passed("~/*.txt")).files == [TEXT]
    saved = FileResult(TEXT, "text/plain", "a.txt").save(passed("~/new/copy.txt"))
    assert saved == path.parent / "new" / "copy.txt"


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("https://example.com/a.jpg", "its content, such as httpx.get(url).content."),
        ("file:///home/ada/a.jpg", "its path."),
    ],
)
def test_url_is_an_error_that_says_what_to_pass(address: str, way: str) -> None:
    expected = f'file: must be a file, but "{address}" is a URL, which is not opened; pass {way}'
    assert error_of(address) == expected


def test_items_of_iterables_are_files(path: Path) -> None:
    paths = [path, path.with_name("second.txt")]
    paths[1].write_bytes(b"second")
    for passed in (
        path.parent.glob("*.txt"),
        map(str, paths),
        (each.read_bytes() for each in paths),
        {"a": paths[0], "b": paths[1]}.values(),
        pd.Series(list(map(str, paths))),
        np.array(list(map(str, paths))),
    ):
        assert sorted(many_files.build(passed).files) == sorted([TEXT, b"second"])
    with pytest.raises(InvalidInput, match="must have at least 1 item"):
        many_files.build(path.parent.glob("*.pdf"))


def test_closed_file_is_rejected(path: Path) -> None:
    with path.open("rb") as file:
        pass
    assert error_of(file) == "file: cannot read the file object: read of closed file."


def test_result_of_tool_is_accepted_alone_and_in_list() -> None:
    note = text_file("hello", "hello.txt")
    assert loaded(note).name == "hello.txt"
    files = many_files([note, b"x", text_file("bye", "bye.txt")]).values["files"]
    assert [(file["name"], file["content"]) for file in files] == [
        ("hello.txt", "hello"),
        ("", "x"),
        ("bye.txt", "bye"),
    ]


def test_image_result_is_accepted_without_name() -> None:
    code = mediakit.qr("hi")
    assert (loaded(code), loaded(code).name) == (code.content, "")


def test_files_result_counts_as_list_of_its_files() -> None:
    several = ZipResult([text_file("a", "a.txt"), text_file("b", "b.txt")], "both.zip")
    assert [file["name"] for file in many_files(several).values["files"]] == ["a.txt", "b.txt"]
    assert loaded(several).startswith(b"PK")


@pytest.mark.parametrize("value", [b"x", "eA==", {"name": "a", "file": "eA=="}, io.BytesIO(b"x")])
def test_files_accepts_one_file_as_list_of_one(value: Any) -> None:
    assert [file["content"] for file in many_files(value).values["files"]] == ["x"]


def test_files_accepts_list_and_tuple_of_mixed_values(path: Path) -> None:
    values: list[FileInput] = [b"x", str(path), path, io.BytesIO(b"y"), "eg=="]
    contents = ["x", TEXT.decode("latin-1"), TEXT.decode("latin-1"), "y", "z"]
    assert [file["content"] for file in many_files(values).values["files"]] == contents
    values[3] = io.BytesIO(b"y")  # the first one is at its end
    assert [file["content"] for file in many_files(tuple(values)).values["files"]] == contents


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("/etc/passwd", "passwd"),
        ("..\\..\\windows\\a.pdf", "a.pdf"),
        ("C:\\a/b\\c.pdf", "c.pdf"),
        ("a\r\nb\0c\x7f.pdf", "abc.pdf"),
        ("\u202egnp.pdf", "gnp.pdf"),
        ("été 東京.pdf", "été 東京.pdf"),
        ("\ud800a.pdf", "a.pdf"),
        ("folder/", ""),
        ("x" * 300, "x" * 255),
    ],
)
def test_file_name_has_no_folders_and_control_characters(name: str, kept: str) -> None:
    assert FileBytes.named(b"x", name).name == kept
    assert loaded({"name": name, "file": "eA=="}).name == kept


@pytest.mark.parametrize(("name", "stem"), [("a.tar.gz", "a.tar"), ("a", "a"), ("", ""), (".profile", ".profile")])
def test_file_stem_is_name_without_extension(name: str, stem: str) -> None:
    assert FileBytes.named(b"x", name).stem == stem


def test_file_survives_pickling_without_its_path(path: Path) -> None:
    again = pickle.loads(pickle.dumps(loaded(path)))
    assert (bytes(again), again.name, again.path) == (TEXT, "report.txt", None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"", "must not be empty."),
        ("", "must not be empty."),
        (io.BytesIO(), "must not be empty."),
        ({"file": ""}, "must not be empty."),
        (5, NOT_A_FILE),
        (True, NOT_A_FILE),
        (None, NOT_A_FILE),
        ([], NOT_A_FILE),
        ([b"x"], NOT_A_FILE),
        ({}, 'must have the members "file" (base64 text) and optionally "name" (text).'),
        ({"name": "a"}, 'must have the members "file" (base64 text) and optionally "name" (text).'),
        ({"file": 5}, 'must have the members "file" (base64 text) and optionally "name" (text).'),
        ({"file": "eA==", "name": 5}, 'must have the members "file" (base64 text) and optionally "name" (text).'),
        ({"file": "eA==", "path": "x"}, 'must have the members "file" (base64 text) and optionally "name" (text).'),
        ({"file": "report.pdf"}, NOT_BASE64),
        ("data:text/plain;base64,!", NOT_BASE64),
        ("report.pdf", 'there is no file "report.pdf", and the text is not base64.'),
        ("eA", 'there is no file "eA", and the text is not base64.'),
        ("été", 'there is no file "été", and the text is not base64.'),
        ("-_==", 'there is no file "-_==", and the text is not base64.'),
        ("a\0b", 'there is no file "a\0b", and the text is not base64.'),
        ("x." * 50, f'there is no file "{"x." * 40}…", and the text is not base64.'),
        ("." * 5000, f'there is no file "{"." * 80}…", and the text is not base64.'),
        ("." * 300, f'there is no file "{"." * 80}…", and the text is not base64.'),
    ],
)
def test_invalid_file_raises_error_with_field_first(value: Any, message: str) -> None:
    assert error_of(value) == f"file: {message}"


def test_missing_path_and_folder_are_named_in_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.pdf"
    assert error_of(missing) == f"file: cannot read '{missing}': No such file or directory."
    assert error_of(tmp_path) == f"file: cannot read '{tmp_path}': Is a directory."
    assert error_of(str(missing)).startswith('file: there is no file "')


def test_name_of_a_folder_is_an_error_even_if_it_is_base64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "holidays").mkdir()
    assert error_of("holidays") == "file: must be a file, but 'holidays' is a folder."
    with pytest.raises(InvalidInput, match=r"^files\[1\]: must be a file, but 'holidays' is a folder\.$"):
        many_files([b"x", "holidays"])


def test_invalid_item_of_files_is_named_with_its_index() -> None:
    cases: list[tuple[Any, str]] = [
        ([b"x", b""], "files[1]: must not be empty."),
        ([b"x", 5], f"files[1]: {NOT_A_FILE}"),
        ([b"x", "no.pdf"], 'files[1]: there is no file "no.pdf", and the text is not base64.'),
        ([], "files: must have at least 1 item."),
        ([b"x"] * 21, "files: must have at most 20 items, got 21."),
        ("no.pdf", 'files: there is no file "no.pdf", and the text is not base64.'),
    ]
    for value, message in cases:
        with pytest.raises(InvalidInput) as caught:
            many_files(value)
        assert str(caught.value) == message


def test_file_of_20_mb_is_accepted_and_one_byte_more_is_rejected(tmp_path: Path) -> None:
    most = b"x" * MAX_FILE_BYTES
    assert len(loaded(most)) == MAX_FILE_BYTES
    large = tmp_path / "large"
    large.write_bytes(most + b"x")
    for value in (most + b"x", large, str(large), io.BytesIO(most + b"x"), {"file": most + b"x"}):
        assert error_of(value) == "file: must have at most 20 MB."


def test_endless_file_object_is_read_up_to_limit() -> None:
    with open("/dev/zero", "rb") as endless:  # noqa: PTH123
        assert error_of(endless) == "file: must have at most 20 MB."


def test_files_of_more_than_50_mb_in_total_are_rejected() -> None:
    part = b"x" * (10 * 1024 * 1024)
    assert len(many_files.build([part] * 5).files) == 5
    with pytest.raises(InvalidInput, match=r"^files: must have at most 50 MB in total\.$"):
        many_files([part] * 5 + [b"x"])


def test_load_file_accepts_empty_file_if_allowed() -> None:
    assert load_file(b"", allow_empty=True) == b""


@pytest.fixture
def base64_path() -> Iterator[str]:
    """An existing path that is also valid base64."""
    folder = Path("/tmp/mediakittests")  # the characters of a random name might not be base64
    folder.mkdir(exist_ok=True)
    path = folder / ("x" * (-len(f"{folder}/") % 4) + "file")
    path.write_bytes(b"secret")
    yield str(path)
    shutil.rmtree(folder)


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["file", "files"])
async def test_path_in_json_is_never_read(api: Api, path: Path, name: str) -> None:
    endpoint, field = ("/one-file", "file") if name == "file" else ("/many-files", "files[0]")
    for value in (str(path), "/etc/hostname", path.as_uri(), {"name": "x", "file": str(path)}):
        for sent in (value, [value]) if name == "files" else (value,):
            response = await api.json(endpoint, {name: sent})
            assert (response.status_code, response.json()["error"]) == (400, f"{field}: {NOT_BASE64}")


@pytest.mark.anyio
async def test_path_in_query_of_form_is_never_read(api: Api, path: Path) -> None:
    query = urllib.parse.urlencode({"file": str(path)})
    response = await api.post(f"/one-file?{query}", files=[("size", (None, b"2"))])
    assert (response.status_code, response.json()["error"]) == (400, f"file: {NOT_BASE64}")


@pytest.mark.anyio
async def test_path_that_is_base64_is_decoded_over_http_and_read_in_python(api: Api, base64_path: str) -> None:
    assert loaded(base64_path) == b"secret"
    response = await api.json("/one-file", {"file": base64_path})
    (file,) = response.json()["values"]["files"]
    assert file["content"].encode("latin-1") == base64.b64decode(base64_path)
    landscape = await api.json("/one-file", {"file": str(LANDSCAPE)})
    assert landscape.status_code == 400


@pytest.mark.anyio
@pytest.mark.parametrize("value", [5, True, 1.5, [], {}, ["eA=="], {"file": ["eA=="]}, {"file": {}}, "\u00e9", "x"])
async def test_error_over_http_does_not_mention_python(api: Api, value: Any) -> None:
    response = await api.json("/one-file", {"file": value})
    message = response.json()["error"]
    assert response.status_code == 400
    assert message.startswith("file: ")
    assert message.endswith(".")
    assert not any(word in message.lower() for word in ("path", "python", "bytes", "open(", "os.", "mapping", "filein"))
    assert (await api.status())["used"] == 0


@pytest.mark.anyio
async def test_file_name_reaches_server_from_json_and_client(api: Api, path: Path) -> None:
    sent = {"name": "/x/été.txt", "file": BASE64}
    body = (await api.json("/one-file", {"file": sent})).json()
    assert body["values"]["files"] == [{"name": "été.txt", "content": TEXT.decode("latin-1"), "size": len(TEXT)}]
    async with api.client() as client:
        made = await client.call(many_files, [path, text_file("a", "a.txt"), b"raw"])
    assert made == many_files([path, text_file("a", "a.txt"), b"raw"])
    assert [file["name"] for file in made.values["files"]] == ["report.txt", "a.txt", ""]


def test_folder_is_its_visible_files_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    for name in ("1.txt", "a/2.txt", "a/b/3.csv", ".hidden", "a/.hidden.txt"):
        (tmp_path / name).write_text(name)
    found = files_in(tmp_path, 3)
    assert found is not None
    assert [(file.full_name, bytes(file)) for file in found] == [
        (name, name.encode()) for name in ("1.txt", "a/2.txt", "a/b/3.csv")
    ]
    assert [file.full_name for file in files_in(tmp_path / "a/*.txt", 3) or ()] == ["2.txt"]
    assert files_in(tmp_path / "1.txt", 3) is None
    with pytest.raises(ValueError, match=r"^must have at most 2 files, but .* has 3\.$"):
        files_in(tmp_path, 2)
    with pytest.raises(ValueError, match=r"\*\.pdf matches no file\.$"):
        files_in(tmp_path / "*.pdf", 2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, True), (float("nan"), True), (pd.NA, True), (pd.NaT, True), (0, False), ("", False), (False, False)],
)
def test_missing_values_are_none_nan_and_those_of_pandas(value: Any, expected: bool) -> None:
    assert is_missing(value) is expected
