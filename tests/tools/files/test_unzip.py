"""`unzip`: archives as people have them, and archives that were made to do harm."""

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pyzipper

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.files import FilesResult, ImageResult
from mediakit.samples import ARCHIVE, LOGO, SALES
from mediakit.tools.files.unzip.tool import UnzippedFiles
from tests.conftest import Api
from tests.support.zip_kit import Part, archive, archive64, end, overlapping


def refusal(content: bytes, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.unzip(content, **options)
    return caught.value.message


def names(content: bytes, **options: Any) -> list[str]:
    return mediakit.unzip(content, **options).names


def texts(content: bytes, **options: Any) -> dict[str, bytes]:
    return {result.filename: result.file for result in mediakit.unzip(content, **options)}


def tar(*files: tuple[str, bytes], mode: str = "w") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as written:  # type: ignore[call-overload]  # a mode from a variable
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 86_400
            written.addfile(info, io.BytesIO(content))
    return target.getvalue()


# --- result -----------------------------------------------------------------------------------------------------------


def test_files_are_found_by_position_and_name() -> None:
    result = mediakit.unzip(ARCHIVE)
    assert isinstance(result, FilesResult)
    assert result.names == ["data/cities.csv", "data/visits.csv", "notes/größe.txt", "logo.png"]
    assert result["data/cities.csv"].file == result[0].file
    assert result[0].file.startswith(b"city,country,visitors\n")
    assert isinstance(result["logo.png"], ImageResult)
    assert result["logo.png"].file == LOGO.read_bytes()
    assert (result.comment, result.name_encoding, result.truncated) == ("A sample of mediakit.", "utf-8", False)


def test_file_goes_into_the_next_tool() -> None:
    table = mediakit.data_convert(mediakit.unzip(ARCHIVE)["data/cities.csv"], to="json")
    assert table.data[0] == {"city": "Lisbon", "country": "Portugal", "visitors": 1204}
    assert mediakit.unzip(mediakit.zip(mediakit.unzip(ARCHIVE)[0:2])).names == ["data/cities.csv", "data/visits.csv"]


def test_entries_describe_the_archive() -> None:
    with zipfile.ZipFile(ARCHIVE) as expected:
        infos = expected.infolist()
    entries = mediakit.unzip(ARCHIVE, list_only=True).entries
    assert [(e.name, e.size_bytes, e.compressed_bytes, e.crc32) for e in entries] == [
        (info.filename, info.file_size, info.compress_size, f"{info.CRC:08x}") for info in infos
    ]
    assert [entry.method for entry in entries] == ["deflate", "deflate", "stored", "stored"]


def test_list_has_a_frame_and_no_files() -> None:
    result = mediakit.unzip(ARCHIVE, list_only=True)
    assert len(result) == 0
    assert result.to_frame()["name"].tolist()[0] == "data/cities.csv"
    assert "files" not in json.loads(result.envelope())


def test_files_are_saved_into_folders(tmp_path: Path) -> None:
    mediakit.unzip(ARCHIVE).save(tmp_path / "out")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")) == [
        "out/data/cities.csv", "out/data/visits.csv", "out/logo.png", "out/notes/größe.txt",
    ]  # fmt: skip


def test_save_refuses_to_follow_a_link_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "data").symlink_to(outside, target_is_directory=True)
    with pytest.raises(InvalidInput, match="would be written outside"):
        mediakit.unzip(ARCHIVE).save(tmp_path / "out")
    assert list(outside.iterdir()) == []


def test_save_writes_archive_list_or_single_file(tmp_path: Path) -> None:
    result = mediakit.unzip(ARCHIVE)
    with zipfile.ZipFile(result.save(tmp_path / "again.zip")) as again:
        assert again.namelist() == result.names
    with zipfile.ZipFile(io.BytesIO(result.content)) as again:
        assert again.namelist() == result.names
    assert '"data/cities.csv"' in result.save(tmp_path / "list.json").read_text("utf-8")
    single = mediakit.unzip(ARCHIVE, names=["logo.png"])
    assert single.save(tmp_path / "mine.png").read_bytes() == LOGO.read_bytes()


def test_notebook_shows_entries_with_their_dangers() -> None:
    content = archive(Part(b"a.txt"), Part(b"../<b>.txt"))
    html = mediakit.unzip(content)._repr_mimebundle_()[0]["text/html"]
    assert "../&lt;b&gt;.txt" in html
    assert "unsafe: leaves the archive" in html
    assert repr(mediakit.unzip(content)) == "<UnzippedFiles 1 file, 6 B>"


# --- choice -----------------------------------------------------------------------------------------------------------

TREE = archive(*(Part(name) for name in (b"a.csv", b"b.txt", b"data/c.csv", b"data/deep/d.csv", b"data/e[1].txt")))


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["*.csv"], ["a.csv", "data/c.csv", "data/deep/d.csv"]),
        (["data/*.csv"], ["data/c.csv"]),
        (["data/**"], ["data/c.csv", "data/deep/d.csv", "data/e[1].txt"]),
        (["data/"], ["data/c.csv", "data/deep/d.csv", "data/e[1].txt"]),
        (["data/**/*.csv"], ["data/c.csv", "data/deep/d.csv"]),
        (["?.txt"], ["b.txt"]),
        (["[!b].*"], ["a.csv", "data/c.csv", "data/deep/d.csv"]),
        (["data/e[1].txt"], ["data/e[1].txt"]),
        (["b.txt", "a.csv"], ["a.csv", "b.txt"]),
    ],
)
def test_names_and_patterns_choose_files(patterns: list[str], expected: list[str]) -> None:
    assert names(TREE, names=patterns) == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("dta/c.csv", 'names: "dta/c.csv" is not in the archive; did you mean "data/c.csv"?'),
        ("*.xml", 'names: "*.xml" matches no file of the archive.'),
        ("[z-a]", 'names: "[z-a]" is not a pattern; check what is between [ and ].'),
    ],
)
def test_name_that_chooses_nothing_is_refused(pattern: str, message: str) -> None:
    assert refusal(TREE, names=[pattern]) == message


def test_list_of_names_lists_their_entries_only() -> None:
    listed = mediakit.unzip(TREE, names=["*.csv"], list_only=True)
    assert [entry.name for entry in listed.entries] == ["a.csv", "data/c.csv", "data/deep/d.csv"]


def test_more_files_than_max_files_are_refused() -> None:
    assert refusal(TREE, max_files=4) == (
        "file: has 5 files, more than max_files (4); choose files with names, or list them with list_only."
    )
    assert len(mediakit.unzip(TREE, max_files=4, names=["*.csv"])) == 3


def test_files_of_systems_are_omitted_unless_named() -> None:
    content = archive(Part(b"a.txt"), Part(b"__MACOSX/._a.txt"), Part(b"d/.DS_Store"), Part(b"Thumbs.db"))
    assert names(content) == ["a.txt"]
    assert names(content, names=["**"]) == ["a.txt"]
    assert names(content, names=["d/.DS_Store"]) == ["d/.DS_Store"]
    assert len(mediakit.unzip(content, list_only=True).entries) == 4


def test_second_file_of_a_name_is_numbered() -> None:
    content = archive(Part(b"a.txt", b"one"), Part(b"a.txt", b"two"), Part(b"b.txt", b"three"))
    assert texts(content) == {"a.txt": b"one", "a (2).txt": b"two", "b.txt": b"three"}
    assert mediakit.unzip(content).meta["warnings"] == [
        "a.txt is in the archive more than once; it was renamed to a (2).txt."
    ]


def test_number_of_a_second_file_is_not_the_name_of_another_one() -> None:
    content = archive(Part(b"a.txt", b"one"), Part(b"a.txt", b"two"), Part(b"a (2).txt", b"three"))
    assert texts(content) == {"a.txt": b"one", "a (3).txt": b"two", "a (2).txt": b"three"}


COLLIDING = {
    "case": ("A.txt", "a.txt", "a (2).txt"),
    "case of a folder": ("Data/a.txt", "data/A.txt", "data/A (2).txt"),
    "form of an accent": ("caf\u00e9.txt", "cafe\u0301.txt", "cafe\u0301 (2).txt"),
    "folder": ("a/b", "a", "a (2)"),
}


@pytest.mark.parametrize("kind", COLLIDING)
def test_files_that_are_one_on_some_systems_keep_their_names_and_are_saved_apart(kind: str, tmp_path: Path) -> None:
    first, second, saved = COLLIDING[kind]
    result = mediakit.unzip(
        archive(Part(first.encode(), b"one", flags=0x800), Part(second.encode(), b"two", flags=0x800))
    )
    assert [result[entry.name].file for entry in result.entries] == [b"one", b"two"]
    assert result.names == [first, second]
    assert result.meta["warnings"] == [
        f"{second} cannot be beside the other files on every system; it is saved as {saved}."
    ]
    folder = result.save(tmp_path / "out")
    assert ((folder / first).read_bytes(), (folder / saved).read_bytes()) == (b"one", b"two")
    for packed in (result.content, result.save(tmp_path / "out.zip").read_bytes()):
        with zipfile.ZipFile(io.BytesIO(packed)) as again:
            assert again.namelist() == [first, saved]


@pytest.mark.parametrize("name", ["data\\a.txt", "./a.txt", "data//a.txt"])
def test_file_is_found_by_the_name_of_its_entry(name: str) -> None:
    result = mediakit.unzip(archive(Part(name.encode(), b"one"), Part(b"b.txt", b"two")))
    assert result[result.entries[0].name].file == b"one"
    with pytest.raises(KeyError):
        result["c.txt"]


# --- unsafe entries ---------------------------------------------------------------------------------------------------

UNSAFE_NAMES = {
    "../evil.txt": "parent",
    "a/../../evil.txt": "parent",
    "..\\evil.txt": "parent",
    "a\\..\\..\\evil.txt": "parent",
    "/etc/passwd": "absolute",
    "\\evil.txt": "absolute",
    "//host/share/x": "network",
    "\\\\host\\share\\x": "network",
    "C:\\evil.txt": "drive",
    "c:evil.txt": "drive",
    "a.txt:stream": "stream",
    "a\0b.txt": "control",
    "a\nb.txt": "control",
    "a\x7fb": "control",
    "a\u202etxt.exe": "direction",
    "x" * 256: "long",
    "é" * 128: "long",
    "": "empty",
    ".": "dots",
    "./": "dots",
    "a/.. /b": "dots",
    "a/.../b": "dots",
    " ": "dots",
    "CON": "device name",
    "d/nul.txt": "device name",
    "Com1.tar.gz": "device name",
    "lpt¹": "device name",
    "conout$": "device name",
    "．．/evil": "disguised",
    "‥/evil": "disguised",
    "／etc/passwd": "disguised",
    "a／．．／．．／b": "disguised",
    "Ｃ：/evil": "disguised",
}


@pytest.mark.parametrize("name", UNSAFE_NAMES)
def test_unsafe_name_is_listed_and_never_unpacked(name: str) -> None:
    content = archive(Part(b"a.txt"), Part(name.encode(), flags=0x800))
    result = mediakit.unzip(content)
    assert result.names == ["a.txt"]
    assert (result.entries[1].name, result.entries[1].unsafe) == (name, UNSAFE_NAMES[name])
    assert names(content, names=["**"]) == ["a.txt"]
    if name.strip():
        assert refusal(content, names=[name]).startswith("names: ")


@pytest.mark.parametrize(
    "name", ["收入／支出.txt", "What？.txt", "Wait….txt", "שלום\u200f.txt", "a..b.txt", "console.txt"]
)
def test_unusual_names_of_real_files_are_safe(name: str) -> None:
    assert names(archive(Part(name.encode(), flags=0x800))) == [name]


def test_asking_for_an_unsafe_entry_says_why() -> None:
    content = archive(Part(b"../evil.txt"), Part(b"link", attributes=0o120777 << 16))
    assert refusal(content, names=["../evil.txt"]) == 'names: "../evil.txt" leaves the archive.'
    assert refusal(content, names=["link"]) == 'names: "link" is a link.'


@pytest.mark.parametrize(("kind", "reason"), [
    (stat.S_IFLNK, "link"), (stat.S_IFCHR, "device"), (stat.S_IFBLK, "device"), (stat.S_IFIFO, "device"),
    (stat.S_IFSOCK, "device"),
])  # fmt: skip
def test_links_and_devices_are_unsafe(kind: int, reason: str) -> None:
    content = archive(Part(b"a.txt"), Part(b"x", attributes=(kind | 0o777) << 16), Part(b"x/b.txt"))
    result = mediakit.unzip(content)
    assert [entry.unsafe for entry in result.entries] == [None, reason, "below a link" if reason == "link" else None]
    assert "x" not in result.names


def test_backslashes_separate_folders() -> None:
    content = archive(Part(b"data\\a.txt", system=0))
    assert names(content) == ["data/a.txt"]
    assert mediakit.unzip(content).entries[0].name == "data\\a.txt"


def test_warning_names_unsafe_entries() -> None:
    warnings = mediakit.unzip(archive(Part(b"a"), Part(b"../\x1b[2Jx"))).meta["warnings"]
    assert warnings == ["1 entry is unsafe and never unpacked: ../\\x1b[2Jx (leaves the archive)."]


# --- bombs ------------------------------------------------------------------------------------------------------------


def test_bombs_are_refused_and_can_be_listed() -> None:
    many = archive(*(Part(b"%d" % number, os.urandom(1000) * 19_000) for number in range(6)))
    bombs = {
        "file: zeros unpacks to more than 200 times its packed size; this is a decompression bomb.": archive(
            Part(b"zeros", bytes(3_000_000))
        ),
        "file: unpacks to more than 100 MB.": many,
        "file: big unpacks to more than 20 MB.": archive(Part(b"big", size=21 * 1024 * 1024, method=0)),
        "file: zeros has more bytes than it claims; this is a decompression bomb.": archive(
            Part(b"zeros", bytes(3_000_000), size=10)
        ),
        "file: entries overlap; this is a decompression bomb.": overlapping(15),
    }
    for message, content in bombs.items():
        assert refusal(content) == message
        assert mediakit.unzip(content, list_only=True).entries[0].size_bytes >= 10


def test_small_file_of_a_large_archive_can_be_taken_by_name() -> None:
    content = archive(Part(b"big", size=2**31, method=0), Part(b"a.txt"))
    assert texts(content, names=["a.txt"]) == {"a.txt": b"hello\n"}


def test_entry_that_reaches_into_the_directory_is_refused() -> None:
    part = Part(b"a.txt")
    content = bytearray(archive(part))
    place = content.index(b"PK\1\2") + 20
    content[place : place + 4] = (60).to_bytes(4, "little")
    assert refusal(bytes(content)) == "file: entries overlap; this is a decompression bomb."


def test_archive_inside_is_a_file() -> None:
    inner = archive(Part(b"../evil.txt"))
    assert texts(archive(Part(b"inner.zip", inner))) == {"inner.zip": inner}


def test_first_thousand_of_many_entries_are_listed() -> None:
    content = archive(*(Part(b"f%d" % number, b"", method=0) for number in range(3000)))
    result = mediakit.unzip(content, list_only=True)
    assert (len(result.entries), result.truncated, result.meta["entries"]) == (1000, True, 3000)
    assert names(content, names=["f2999"]) == ["f2999"]


# --- damaged ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive(Part(b"a.txt"))[:-30], "file: is a damaged ZIP file; its directory is missing."),
        (archive(Part(b"a.txt", crc=1)), "file: a.txt is damaged; its CRC is wrong."),
        (archive(Part(b"a.txt", size=7)), "file: a.txt is cut."),
        (archive(Part(b"a.txt", packed=b"\xff" * 9)), "file: a.txt is damaged."),
        (archive(Part(b"a.txt", packed=b"", method=12)), "file: a.txt is cut."),
        (archive(Part(b"a.txt", packed=b"xx", method=14)), "file: a.txt is damaged."),
        (
            archive(Part(b"a.txt", method=9)),
            "file: a.txt is compressed with deflate64 (method 9), which cannot be read.",
        ),
        (archive(Part(b"a.txt", method=93)), "file: a.txt is compressed with zstd (method 93), which cannot be read."),
        (archive(Part(b"a.txt", method=77)), "file: a.txt is compressed with method 77, which cannot be read."),
        (
            archive(Part(b"a.txt", flags=0x2001)),
            "file: its names are encrypted (strong encryption), which cannot be read.",
        ),
        (archive(Part(b"a.txt", flags=1)), "file: a.txt is encrypted; send its password."),
        (end(5, 0, 0), "file: is a damaged ZIP file; its directory is missing."),
        (LOGO.read_bytes(), "file: must be a ZIP, TAR or gzip file, got a PNG image."),
        (b"7z\xbc\xaf\x27\x1c" + bytes(40), "file: must be a ZIP, TAR or gzip file, got a 7-Zip archive."),
        (b"hello", "file: must be a ZIP, TAR or gzip file, got a text file."),
        (gzip.compress(b"hello", mtime=0)[:-9], "file: is a damaged gzip file; it is cut."),
        (tar(("a", b"x" * 2000))[:1500], "file: is a damaged TAR file."),
    ],
    ids=lambda value: value[-30:] if isinstance(value, str) else "",
)
def test_damaged_archive_is_refused_with_the_reason(content: bytes, message: str) -> None:
    assert refusal(content) == message


def test_other_entries_of_a_damaged_archive_can_be_taken() -> None:
    content = archive(Part(b"bad.txt", crc=1), Part(b"good.txt"))
    assert refusal(content) == "file: bad.txt is damaged; its CRC is wrong."
    assert texts(content, names=["good.txt"]) == {"good.txt": b"hello\n"}


def test_every_cut_and_every_flipped_byte_is_answered() -> None:
    content = archive(Part(b"a.txt"), Part(b"b.txt", flags=0x800), comment=b"hi")
    for place in range(1, len(content), 3):
        flipped = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        for broken in (content[:place], flipped):
            with suppress(InvalidInput):
                assert len(mediakit.unzip(broken)) <= 2


# --- kinds of archives ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_every_method_of_python_is_read(method: int) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as written:
        written.writestr("a.txt", b"hello " * 100)
    assert texts(target.getvalue()) == {"a.txt": b"hello " * 100}


def test_streamed_archive_is_read() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.content = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.content += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("a.txt", b"hello")
    assert texts(pipe.content) == {"a.txt": b"hello"}


def test_archive_with_prefix_comment_and_zip64_records_is_read() -> None:
    tricky = b"PK\5\6" + bytes(18) + b" is a signature, and PK\5\6 is another"
    for content in (
        archive(Part(b"a.txt"), prefix=b"#!/bin/sh\n" + bytes(600)),
        archive(Part(b"a.txt"), comment=tricky),
        archive(Part(b"a.txt")) + b"\r\n",
        archive64(Part(b"a.txt")),
        b"MZ" + bytes(100) + archive64(Part(b"a.txt")),
    ):
        assert texts(content) == {"a.txt": b"hello\n"}


def test_impossible_dates_are_null() -> None:
    entries = mediakit.unzip(archive(Part(b"a"), Part(b"b", date=0), Part(b"c", time=0xFFFF))).entries
    assert [entry.modified for entry in entries] == ["2024-05-17T13:30:20", None, None]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar_is_read(mode: str) -> None:
    content = tar(("a.txt", b"one"), ("d/b.csv", b"two"), ("../evil", b"x"), mode=mode)
    result = mediakit.unzip(content)
    assert {each.filename: each.file for each in result} == {"a.txt": b"one", "d/b.csv": b"two"}
    assert [(e.modified, e.unsafe) for e in result.entries] == [
        ("1970-01-02T00:00:00", None), ("1970-01-02T00:00:00", None), ("1970-01-02T00:00:00", "parent"),
    ]  # fmt: skip


def test_links_of_a_tar_are_unsafe() -> None:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as written:
        for name, kind in (("s", tarfile.SYMTYPE), ("h", tarfile.LNKTYPE), ("p", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            written.addfile(info)
    result = mediakit.unzip(target.getvalue())
    assert (result.names, [entry.unsafe for entry in result.entries]) == ([], ["link", "link", "device"])


def test_gzip_has_the_name_of_its_header_or_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv.gz"
    path.write_bytes(gzip.compress(SALES.read_bytes(), mtime=0))
    result = mediakit.unzip(path)
    assert (result.names, result[0].mime_type, result[0].file) == (["sales.csv"], "text/csv", SALES.read_bytes())
    with gzip.GzipFile("inner.txt", "wb", fileobj=(named := io.BytesIO()), mtime=1) as file:
        file.write(b"hello")
    assert texts(named.getvalue()) == {"inner.txt": b"hello"}
    assert texts(gzip.compress(b"a") + gzip.compress(b"b")) == {"file": b"ab"}


def test_gzip_bombs_are_refused_and_listed() -> None:
    bomb = gzip.compress(bytes(30_000_000))
    assert refusal(bomb) == "file: file unpacks to more than 20 MB."
    assert mediakit.unzip(bomb, list_only=True).entries[0].size_bytes == 30_000_000
    many = gzip.compress(bytes(160_000_000), 1)
    assert mediakit.unzip(many, list_only=True).truncated
    inside = gzip.compress(tar(*((f"f{number}", bytes(15_000_000)) for number in range(11))), 1)
    assert refusal(inside) == "file: unpacks to more than 100 MB."
    assert mediakit.unzip(inside, list_only=True).truncated


# --- passwords --------------------------------------------------------------------------------------------------------


def aes(password: str, bits: int = 256) -> bytes:
    target = io.BytesIO()
    with pyzipper.AESZipFile(target, "w", pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as written:
        written.setencryption(pyzipper.WZ_AES, nbits=bits)
        written.setpassword(password.encode())
        written.writestr("a.txt", b"hello " * 50)
    return target.getvalue()


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_aes_is_read_with_its_password(bits: int) -> None:
    content = aes("pässwörd", bits)
    assert texts(content, password="pässwörd") == {"a.txt": b"hello " * 50}
    assert refusal(content, password="nope") == "password: is wrong for a.txt."
    assert refusal(content) == "file: a.txt is encrypted; send its password."
    entry = mediakit.unzip(content, list_only=True).entries[0]
    assert (entry.encrypted, entry.method, entry.crc32) == (True, "deflate", None)


def test_changed_aes_content_is_refused() -> None:
    content = bytearray(aes("x"))
    content[60] ^= 1
    assert refusal(bytes(content), password="x") == "password: is wrong for a.txt."


def test_unencrypted_files_of_a_mixed_archive_need_no_password() -> None:
    content = archive(Part(b"open.txt"), Part(b"secret.txt", flags=1))
    assert texts(content, names=["open.txt"]) == {"open.txt": b"hello\n"}


# --- HTTP -------------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_binary_output_is_the_only_chosen_file(api: Api) -> None:
    response = await api.raw("/unzip", ARCHIVE.read_bytes(), "application/zip", names="logo.png", output="binary")
    assert (response.headers["content-type"], response.content) == ("image/png", LOGO.read_bytes())
    several = await api.raw("/unzip", ARCHIVE.read_bytes(), "application/zip", output="binary")
    assert several.status_code == 400
    assert several.json()["error"].startswith("output: must be json, because")


@pytest.mark.anyio
async def test_password_in_query_is_refused(api: Api) -> None:
    response = await api.raw("/unzip", ARCHIVE.read_bytes(), "application/zip", password="x")
    assert response.status_code == 400
    assert response.json()["error"] == "password: must be sent in a JSON or multipart body, not in the query string."


def test_result_is_equal_after_its_envelope() -> None:
    from pydantic_core import from_json

    for result in (mediakit.unzip(ARCHIVE), mediakit.unzip(ARCHIVE, list_only=True)):
        assert UnzippedFiles.from_envelope(from_json(result.envelope())) == result
