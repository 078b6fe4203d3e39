"""Forms (`multipart/form-data`): files and options in parts, limits while the form is read, and errors."""

import asyncio
import base64
import hashlib
import io
import json
import os
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pypdf
import pytest
from PIL import Image

from mediakit.api import body_stream
from mediakit.api.headers import parse_header
from mediakit.core.inputs import MAX_FILE_BYTES
from mediakit.samples import LANDSCAPE
from mediakit.tools.catalogue import load_tool
from tests.conftest import Api, open_api
from tests.support import file_tools
from tests.support.file_tools import many_files, one_file
from tests.support.pdf_kit import plain

pytestmark = pytest.mark.anyio

BOUNDARY = "----boundary-7d1f"
FORM_TYPE = f"multipart/form-data; boundary={BOUNDARY}"
MEGABYTE = 1024 * 1024


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    tools = (one_file, many_files, load_tool("images"), load_tool("pdf_merge"), load_tool("qr"))
    async for api in open_api(tmp_path, tools=tools):
        yield api


@dataclass(frozen=True)
class Part:
    """A part of a form, written without a library."""

    disposition: str
    content: bytes = b"x"
    headers: str = ""

    def __bytes__(self) -> bytes:
        head = f"--{BOUNDARY}\r\nContent-Disposition: {self.disposition}\r\n{self.headers}\r\n"
        return head.encode("utf-8", "surrogateescape") + self.content + b"\r\n"


def file(name: str = "a.txt", content: bytes = b"x", field: str = "files") -> Part:
    return Part(f'form-data; name="{field}"; filename="{name}"', content)


def option(name: str, value: str | bytes) -> Part:
    return Part(f'form-data; name="{name}"', value.encode() if isinstance(value, str) else value)


def form(*parts: Part) -> bytes:
    return b"".join(map(bytes, parts)) + f"--{BOUNDARY}--\r\n".encode()


async def send(api: Api, *parts: Part, path: str = "/many-files", query: str = "") -> httpx.Response:
    return await post(api, form(*parts), path=path + query)


async def post(
    api: Api, body: bytes | AsyncIterator[bytes], *, path: str = "/many-files", kind: str = FORM_TYPE
) -> httpx.Response:
    return await api.post(path, content=body, headers={"content-type": kind})


async def values(api: Api, *parts: Part, query: str = "") -> dict[str, Any]:
    response = await send(api, *parts, query=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["values"]
    return found


async def assert_rejected(api: Api, response: httpx.Response, message: str) -> None:
    assert (response.status_code, response.json()["error"]) == (400, message)
    assert (await api.status())["used"] == 0


async def test_files_are_in_order_with_their_names(api: Api) -> None:
    sent = [("b.txt", b"1"), ("a.txt", b"2"), ("été 東京.txt", b"\r\n--3\0\xff\r\n"), ("b.txt", b"4")]
    found = await values(api, *(file(name, content) for name, content in sent))
    assert [(each["name"], each["content"].encode("latin-1")) for each in found["files"]] == sent


async def test_file_name_has_no_folders(api: Api) -> None:
    names = ["C:\\docs\\a.txt", "../../b.txt", 'c\\"d.txt']
    found = await values(api, *map(file, names))
    assert [each["name"] for each in found["files"]] == ["a.txt", "b.txt", 'c"d.txt']


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("form-data; name=files; filename=a.txt", "a.txt"),
        ("form-data; name=files; filename=my file.txt ; x=y", "my file.txt"),
        ('form-data;name="files";filename="a;b.txt"', "a;b.txt"),
        ('FORM-DATA; NAME="files"; FILENAME="a.txt"', "a.txt"),
        ("form-data; name=files; filename*=UTF-8''%E2%82%AC.txt", "€.txt"),
        ("form-data; name=files; filename=x.txt; filename*=utf-8'en'%E2%82%AC.txt", "€.txt"),
        ("form-data; name=files; filename*=iso-8859-1''%E9.txt", "é.txt"),
        ("form-data; name=files; filename=x.txt; filename*=idna''%E9.txt", "x.txt"),
        ("form-data; name=files; filename*=undefined''a", ""),
        ("form-data; name=files; filename*=unicode_escape''%5Cud800", ""),
        ("form-data; name=files; filename*" + "9" * 3900 + "=b", ""),
        ("form-data; name=files; filename=\udce9.txt", "\ufffd.txt"),
        ("form-data; name=files", ""),
    ],
    ids=lambda value: value[:60],
)
async def test_file_name_is_read_from_every_notation(api: Api, disposition: str, name: str) -> None:
    found = await values(api, Part(disposition))
    assert [each["name"] for each in found["files"]] == [name]


async def test_options_are_read_from_parts_and_query(api: Api) -> None:
    parts = (file(), option("title", "Grüße, 1"), option("size", "100"), option("dark", "True"))
    expected = await values(api, *parts)
    assert {"title": "Grüße, 1", "size": 100, "dark": True}.items() <= expected.items()
    assert await values(api, file(), query="?title=Gr%C3%BC%C3%9Fe,%201&size=100&dark=1") == expected
    assert await values(api, *parts[:2], query="?size=100&dark=true") == expected
    assert await values(api, *reversed(parts)) == expected


async def test_option_part_with_file_name_and_type_is_option(api: Api) -> None:
    part = Part('form-data; name="title"; filename="blob"', b"Hi", "Content-Type: text/plain\r\n")
    assert (await values(api, file(), part))["title"] == "Hi"


async def test_list_is_part_repeated_or_json_array(api: Api) -> None:
    tags = (option("tags", "a, b"), option("tags", "c"))
    found = await values(api, file(), *tags, option("numbers", "1.5"), option("numbers", "-2"))
    assert (found["tags"], found["numbers"]) == (["a, b", "c"], [1.5, -2])
    found = await values(api, file(), option("tags", '["a, b", "c"]'), option("numbers", "[1.5, -2]"))
    assert (found["tags"], found["numbers"]) == (["a, b", "c"], [1.5, -2])


async def test_object_is_json_text(api: Api) -> None:
    found = await values(api, file(), option("data", '{"title": "é", "items": [1, {"a": null}]}'))
    assert found["data"] == {"title": "é", "items": [1, {"a": None}]}


async def test_passwords_are_accepted_in_form(api: Api) -> None:
    assert (await values(api, file(), option("password", "a")))["password"] == ["a"]
    found = await values(api, file(), option("password", "a,b"), option("password", "c"))
    assert found["password"] == ["a,b", "c"]


async def test_password_in_query_is_rejected(api: Api) -> None:
    message = "password: must be sent in a JSON or multipart body, not in the query string."
    for path in ("/many-files", "/pdf-merge"):
        response = await send(api, file("a.pdf", plain()), path=path, query="?password=secret")
        await assert_rejected(api, response, message)
        assert "secret" not in response.text


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (option("size", "9"), "size: must be between 64 and 2000, got 9."),
        (option("size", "x"), 'size: must be an integer, got "x".'),
        (option("size", "100.5"), 'size: must be an integer, got "100.5".'),
        (option("dark", "maybe"), 'dark: must be true or false, got "maybe".'),
        (
            option("format", "jpg"),
            "format: must be one of 'png', 'jpeg' or 'webp', got \"jpg\". Did you mean \"jpeg\"?",
        ),
        (option("numbers", "x"), 'numbers: must be JSON such as [1, 2, 3], got "x".'),
        (option("numbers", "[1, NaN]"), 'numbers: must be JSON such as [1, 2, 3], got "[1, NaN]".'),
        (option("data", "x=1"), 'data: must be JSON such as {"title": "Hello"}, got "x=1".'),
        (option("data", "[1]"), "data: must be an object, got [1]."),
        (option("data", '{"a": NaN}'), 'data: must be JSON such as {"title": "Hello"}, got "{\\"a\\": NaN}".'),
        (option("title", b"caf\xe9"), "title: must be UTF-8 text."),
        (option("title", "x" * 101), "title: must have at most 100 characters, got 101."),
        (option("title", b"x" * (MEGABYTE + 1)), "title: must have at most 1 MB."),
        (option("sise", "9"), 'sise: is not a known field; did you mean "size"?'),
        (option("file", "x"), 'file: is not a known field; did you mean "files"?'),
        (file(content=b""), "files[1]: must not be empty."),
        (option("output", "binary"), "output: this tool answers json only."),
        (option("password", ""), "password[0]: must not be empty."),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, str) else "",
)
async def test_invalid_part_returns_400_without_charge(api: Api, part: Part, message: str) -> None:
    await assert_rejected(api, await send(api, file(), part), message)


@pytest.mark.parametrize("name", ["title", "size", "data", "output"])
async def test_repeated_option_returns_400(api: Api, name: str) -> None:
    part = option(name, {"size": "100", "data": "{}"}.get(name, "json"))
    await assert_rejected(api, await send(api, file(), part, part), f"{name}: must not be repeated in the form.")


async def test_repeated_part_of_single_file_returns_400(api: Api) -> None:
    response = await send(api, file(field="file"), file(field="file"), path="/one-file")
    await assert_rejected(api, response, "file: must not be repeated in the form.")


async def test_file_that_was_not_chosen_in_browser_is_absent(api: Api) -> None:
    nothing = Part('form-data; name="logo"; filename=""', b"", "Content-Type: application/octet-stream\r\n")
    response = await send(api, option("data", "hello"), nothing, path="/qr")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
    required = Part('form-data; name="file"; filename=""', b"", "Content-Type: application/octet-stream\r\n")
    response = await send(api, required, path="/one-file")
    assert (response.status_code, response.json()["error"]) == (400, "file: is required.")


@pytest.mark.parametrize("coding", ["base64", "Quoted-Printable"])
async def test_part_in_encoding_of_email_returns_400(api: Api, coding: str) -> None:
    part = Part('form-data; name="files"; filename="a.txt"', b"aGk=", f"Content-Transfer-Encoding: {coding}\r\n")
    message = f"Content-Transfer-Encoding: must not be {coding}: send the bytes of the part as they are."
    await assert_rejected(api, await send(api, part), message)


async def test_option_in_form_and_query_returns_400(api: Api) -> None:
    response = await send(api, file(), option("size", "100"), query="?size=100")
    await assert_rejected(api, response, "size: is in the form and in the query; send it once.")


async def test_missing_file_returns_400(api: Api) -> None:
    await assert_rejected(api, await send(api, option("size", "100")), "files: is required.")
    await assert_rejected(api, await send(api, path="/one-file"), "file: is required.")
    await assert_rejected(api, await send(api, option("width", "100"), path="/images"), "file: is required.")


@pytest.mark.parametrize(
    "disposition",
    [
        "form-data",
        'form-data; name=""',
        'form-data; filename="a.txt"',
        "form-data; name*=utf-8''",
        'form-data; name="a',
    ],
)
async def test_part_without_name_returns_400(api: Api, disposition: str) -> None:
    message = "Every part of the form must have a name, as in Content-Disposition: form-data; name=file."
    await assert_rejected(api, await send(api, file(), Part(disposition)), message)


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        'multipart/form-data; boundary=""',
        f"multipart/form-data; boundary={'x' * 71}",
        "multipart/form-data; boundary=a*b",
        "multipart/form-data; charset=utf-8",
        'multipart/form-data; boundary="x',
    ],
)
async def test_missing_or_invalid_boundary_returns_400(api: Api, kind: str) -> None:
    message = (
        "Content-Type: multipart/form-data must have a boundary of 1 to 70 characters. "
        "HTTP clients add it if they set this header themselves."
    )
    await assert_rejected(api, await post(api, form(file()), kind=kind), message)


async def test_boundary_can_be_quoted(api: Api) -> None:
    body = form(file()).replace(BOUNDARY.encode(), b"a b:c")
    response = await post(api, body, kind='Multipart/Form-Data; charset=utf-8; Boundary="a b:c"')
    assert response.status_code == 200


async def test_truncated_form_returns_400(api: Api) -> None:
    whole = form(file(content=b"abc"), option("title", "x"))
    for end in range(0, len(whole) - 5, 3):  # without the hyphens of the closing boundary
        response = await post(api, whole[:end])
        assert response.status_code == 400, end
        assert response.json()["error"].startswith("The body is not a valid form: "), end
    assert (await api.status())["used"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"x",
        b"\r\n" * 10,
        b'{"files": "eA=="}',
        f"--{BOUNDARY}X\r\n".encode(),
        form(file()).replace(b"\r\n", b"\n"),
        form(file()).replace(b"Content-Disposition:", b"Content-Disposition"),
        form(file()).replace(b"Content-Disposition", b"Content\0Disposition"),
        form(Part("form-data; name=files", headers="X: y\r\n" * 20)),
        form(Part("form-data; name=files; x=" + "y" * 5000)),
    ],
    ids=["text", "line ends", "json", "boundary", "bare line feeds", "no colon", "NUL", "many headers", "long header"],
)
async def test_malformed_form_returns_400_without_charge(api: Api, body: bytes) -> None:
    response = await post(api, body)
    assert response.status_code == 400
    assert response.json()["error"].startswith("The body is not a valid form: ")
    assert response.json()["error"].endswith(".")
    assert not response.json()["error"].endswith("..")
    assert (await api.status())["used"] == 0


async def test_text_after_closing_boundary_is_ignored(api: Api) -> None:
    assert (await post(api, form(file()) + b"epilogue\r\n" * 100)).status_code == 200


async def counted(chunks: Iterable[bytes], sent: list[int]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        sent[0] += len(chunk)
        yield chunk


@pytest.mark.parametrize(
    ("parts", "chunk", "message", "limit"),
    [
        ([bytes(file())[:-3]], b"x" * MEGABYTE, "files: must have at most 20 MB.", 22 * MEGABYTE),
        ([bytes(option("title", ""))[:-2]], b"x" * MEGABYTE, "title: must have at most 1 MB.", 3 * MEGABYTE),
        ([], bytes(file()) * 10, "files: must have at most 20 files.", 10_000),
        ([], bytes(option("tags", "x")) * 10, "The form must have at most 1000 parts.", 200_000),
        (
            [],
            bytes(file(content=b"x" * 4 * MEGABYTE)),
            "The form is too large: it must have at most 56,623,104 bytes.",
            60 * MEGABYTE,
        ),
    ],
    ids=["file", "option", "files", "parts", "form"],
)
async def test_oversized_form_is_rejected_while_it_is_read(
    api: Api, parts: list[bytes], chunk: bytes, message: str, limit: int
) -> None:
    sent = [0]
    repeats = 200 * MEGABYTE // len(chunk)
    response = await post(api, counted([*parts, *([chunk] * repeats)], sent))
    await assert_rejected(api, response, message)
    assert response.headers["connection"] == "close"
    assert sent[0] <= limit


async def test_too_large_content_length_is_rejected_before_form_is_read(api: Api) -> None:
    async def never() -> AsyncIterator[bytes]:
        pytest.fail("the body was read")
        yield b""

    headers = {"content-type": FORM_TYPE, "content-length": "100000000"}
    response = await api.post("/many-files", content=never(), headers=headers)
    await assert_rejected(api, response, "The form is too large: it must have at most 56,623,104 bytes.")
    assert response.headers["connection"] == "close"


async def test_file_of_20_mb_is_accepted_and_files_of_more_than_50_mb_are_rejected(api: Api) -> None:
    found = await values(api, file(content=b"x" * MAX_FILE_BYTES))
    assert found["files"][0]["size"] == MAX_FILE_BYTES
    used = (await api.status())["used"]
    response = await send(api, *[file(content=b"x" * (17 * MEGABYTE))] * 3)
    assert (response.status_code, response.json()["error"]) == (400, "files: must have at most 50 MB in total.")
    assert (await api.status())["used"] == used == 1


async def test_20_files_are_accepted_and_21_rejected(api: Api) -> None:
    assert len((await values(api, *[file()] * 20))["files"]) == 20
    response = await send(api, *[file()] * 21)
    assert (response.status_code, response.json()["error"]) == (400, "files: must have at most 20 files.")


async def test_stalled_form_returns_400_and_closes_connection(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_stream, "IDLE_TIMEOUT_SECONDS", 0.2)

    async def silent() -> AsyncIterator[bytes]:
        yield form(file())[:50]
        await asyncio.sleep(30)

    response = await post(api, silent())
    assert response.status_code == 400
    assert response.headers["connection"] == "close"


async def test_compressed_form_returns_400(api: Api) -> None:
    headers = {"content-type": FORM_TYPE, "content-encoding": "gzip"}
    response = await api.post("/many-files", content=form(file()), headers=headers)
    assert response.status_code == 400
    assert response.json()["error"].startswith("Content-Encoding: ")


def pieces(body: bytes, cut: Callable[[], int]) -> list[bytes]:
    """Return a body in pieces whose lengths are chosen one by one."""
    parts = []
    while body:
        size = cut()
        parts.append(body[:size])
        body = body[size:]
    return parts


@pytest.mark.parametrize("seed", range(12))
async def test_form_in_any_chunks_has_same_result(api: Api, seed: int) -> None:
    source = random.Random(seed)
    near = f"\r\n--{BOUNDARY}".encode()
    contents = [near[:-1] + b"x", b"\r\n" * 20, source.randbytes(300), near[:8] * 9 + b"\r"]
    parts = [file(f"é{index}.bin", content) for index, content in enumerate(contents)]
    body = form(*parts, option("title", "Grüße"), option("tags", "a"), option("tags", "b"))
    most = 1 if seed == 0 else source.choice((2, 7, 40, 200))
    chunks = pieces(body, lambda: source.randint(1, most))
    response = await post(api, counted(chunks, [0]))
    assert response.status_code == 200, response.text
    found = response.json()["values"]
    assert [each["content"].encode("latin-1") for each in found["files"]] == contents
    assert [each["name"] for each in found["files"]] == [f"é{index}.bin" for index in range(4)]
    assert (found["title"], found["tags"]) == ("Grüße", ["a", "b"])


async def test_failed_call_with_form_is_not_charged(api: Api) -> None:
    response = await send(api, file(), option("title", "fail"))
    assert (response.status_code, response.json()["error"]) == (422, "title: cannot be converted.")
    assert (await api.status())["used"] == 0
    assert (await send(api, file())).status_code == 200
    assert (await api.status())["used"] == 1


async def test_form_without_key_is_rejected_before_it_is_read(api: Api) -> None:
    sent = [0]
    body = counted([form(file())] * 100, sent)
    response = await api.post("/many-files", key="", content=body, headers={"content-type": FORM_TYPE})
    assert response.status_code == 401
    assert sent[0] == 0


async def test_calls_with_several_files_wait_for_memory_slot(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def slow(file: Any) -> dict[str, Any]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.1)
        with lock:
            running -= 1
        return {"name": file.name}

    monkeypatch.setattr(file_tools, "described", slow)
    responses = await asyncio.gather(*(send(api, file()) for _ in range(8)))
    assert {response.status_code for response in responses} == {200}
    assert 1 <= most <= max(2, os.cpu_count() or 2)


async def test_hostile_headers_are_parsed_in_linear_time(api: Api) -> None:
    started = time.process_time()
    for hostile in (f'{FORM_TYPE}; x="{";" * 60_000}', f'{FORM_TYPE}; x="{";" * 60_000}"', FORM_TYPE + ";" * 60_000):
        assert (await post(api, form(file()), kind=hostile)).status_code == 200
        raw = await api.raw("/qr", "x", f'text/plain; x="{";" * 60_000}"')
        assert raw.status_code == 200
    slow = Part(f'form-data; name=tags; x="{";" * 3900}')
    assert (await send(api, file(), *[slow] * 900)).status_code == 200
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("header", "parsed"),
    [
        ("", ("", {})),
        ("Text/HTML", ("text/html", {})),
        ("text/html ; Charset = UTF-8", ("text/html", {"charset": "UTF-8"})),
        ('a; b="c;d\\"e"; f', ("a", {"b": 'c;d"e'})),
        ("a; b=1; b=2", ("a", {"b": "1"})),
        ("a;; ;b=1", ("a", {"b": "1"})),
        ('a; b=1; c="d', ("a", {"b": "1", "c": ""})),
        ("a; b*=utf-8''%41; b=x", ("a", {"b": "A", "b*": "utf-8''%41"})),
    ],
)
async def test_header_is_split_into_value_and_parameters(header: str, parsed: tuple[str, dict[str, str]]) -> None:
    assert parse_header(header) == parsed


async def test_image_is_resized_from_form(api: Api) -> None:
    sent = {"file": ("tent.png", LANDSCAPE.read_bytes(), "image/png"), "width": (None, "32")}
    response = await api.post("/images?format=webp", files=sent)
    assert response.headers["content-type"] == "image/webp"
    with Image.open(io.BytesIO(response.content)) as image:
        assert (image.size, image.format) == ((32, 20), "WEBP")
    as_json = await api.post("/images", files={**sent, "output": (None, "json")})
    assert json.loads(as_json.content)["mime_type"] == "image/jpeg"


async def test_pdfs_are_merged_from_form_with_options_for_each(api: Api) -> None:
    pdfs = [file("one.pdf", plain(2, text="first")), file("two.pdf", plain(3, text="second"))]
    pages = (option("pages", "2,1"), option("pages", "3-"))
    titles = (option("titles", "Erste, 1"), option("titles", ""))
    response = await send(api, pdfs[0], pages[0], titles[0], pdfs[1], pages[1], titles[1], path="/pdf-merge")
    assert response.headers["content-type"] == "application/pdf"
    reader = pypdf.PdfReader(io.BytesIO(response.content))
    found = [page.extract_text() for page in reader.pages]
    assert ["first" in text for text in found] == [True, True, False]
    assert [entry["/Title"] for entry in reader.outline] == ["Erste, 1", "two"]  # type: ignore[call-overload]
    names = [each["name"] for each in json.loads(response.headers["x-mediakit-meta"])["files"]]
    assert names == ["one.pdf", "two.pdf"]
    wrong = await send(api, pdfs[0], *pages, path="/pdf-merge")
    assert wrong.json()["error"] == "pages: needs one page range for the file, got 2."


async def test_form_and_json_have_same_result(api: Api) -> None:
    pdf = plain(2)
    made = await send(api, file("a.pdf", pdf), path="/pdf-merge", query="?toc=true")
    sent = {"name": "a.pdf", "file": base64.b64encode(pdf).decode()}
    expected = (await api.json("/pdf-merge", {"files": [sent], "toc": True})).json()
    assert hashlib.sha256(made.content).digest() == hashlib.sha256(base64.b64decode(expected["pdf"])).digest()
