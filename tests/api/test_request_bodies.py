"""Request bodies: JSON, raw bodies, query options, size limits, and their error messages."""

import asyncio
import base64
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PIL import Image

from mediakit.api import body_stream
from mediakit.samples import CONTRACT, LABEL, LANDSCAPE
from tests.conftest import Api

pytestmark = pytest.mark.anyio

PHOTO = base64.b64encode(LANDSCAPE.read_bytes()).decode()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "data: is required."),
        ({"data": ""}, "data: must not be empty."),
        ({"data": 5}, "data: must be text, got 5."),
        ({"data": None}, "data: must not be null; omit it instead."),
        ({"data": "x" * 1501}, "data: must have at most 1500 characters, got 1501."),
        ({"data": "x", "size": True}, "size: must be an integer, got true."),
        ({"data": "x", "size": "512"}, 'size: must be an integer, got "512".'),
        ({"data": "x", "size": 512.5}, "size: must be an integer, got 512.5."),
        ({"data": "x", "size": 63}, "size: must be between 64 and 2000, got 63."),
        ({"data": "x", "size": 2001}, "size: must be between 64 and 2000, got 2001."),
        ({"data": "x", "margin": 21}, "margin: must be between 0 and 20, got 21."),
        ({"data": "x", "format": "PNG"}, "format: must be one of 'png' or 'svg', got \"PNG\"."),
        ({"data": "x", "dark": "red"}, "dark: must be six hexadecimal digits such as \"#1a2b3c\", got 'red'."),
        ({"data": "x", "dark": "#fff", "light": "#ffffff"}, "dark: must be six hexadecimal digits"),
        ({"data": "x", "dark": "#ABCDEF", "light": "abcdef"}, "dark, light: must be different colors"),
        ({"data": "x", "sise": 100}, 'sise: is not a known field; did you mean "size"?'),
        ({"data": "x", "outputt": "url"}, 'outputt: is not a known field; did you mean "output"?'),
        ({"DATA": "x"}, 'DATA: is not a known field; did you mean "data"?'),
        ({"data": "x", "url": "y"}, 'data: is passed twice, as "data" and "url".'),
        ({"data": "x", "output": "pdf"}, 'output: must be one of json, binary, url, image; got "pdf".'),
        ({"data": "x" * 1500, "ecc": "H"}, "Use ecc Q or shorten the text."),
        ({"data": "x" * 400, "size": 64}, "size: must be at least"),
    ],
)
async def test_invalid_value_returns_400_and_costs_no_credit(api: Api, values: dict[str, Any], words: str) -> None:
    response = await api.json("/qr", values)
    assert response.status_code == 400
    assert words in response.json()["error"]
    assert (await api.status())["used"] == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"{",
        b'{"data":"x"}x',
        b'{"data":"x","size":NaN}',
        b'{"data":"x","size":Infinity}',
        b'{"data":"x","size":1e999}',
        b'{"data":"x","size":' + b"9" * 5000 + b"}",
        b'{"data":"\\ud800"}',
        b'{"data":"\xff"}',
        '{"data":"x"}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 5000,
    ],
    ids=lambda content: repr(content[:24]),
)
async def test_body_that_is_not_json_object_returns_400(api: Api, content: bytes) -> None:
    response = await api.post("/qr", content=content, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert isinstance(response.json()["error"], str)


async def test_json_with_byte_order_mark_is_accepted(api: Api) -> None:
    marked = b'\xef\xbb\xbf{"data":"x"}'
    assert (await api.post("/qr", content=marked, headers={"content-type": "application/json"})).status_code == 200


async def test_whitespace_around_key_is_ignored(api: Api) -> None:
    assert (await api.post("/qr", json={"data": "x"}, headers={"x-api-key": f" {api.key}\t "})).status_code == 200


async def test_unknown_field_inside_list_is_named_with_its_index(api: Api) -> None:
    series = [{"data": [1]}, {"data": [2], "shade": "red"}]
    answer = (await api.json("/chart", {"type": "bar", "labels": ["a"], "series": series})).json()
    assert answer["error"] == "series[1].shade: is not a known field."


async def test_details_list_every_invalid_field(api: Api) -> None:
    answer = (await api.json("/qr", {"data": "x", "size": 1, "margin": 99})).json()
    assert [problem["field"] for problem in answer["details"]] == ["size", "margin"]


@pytest.mark.parametrize("name", ["data", "url", "text"])
async def test_field_accepts_each_alias(api: Api, name: str) -> None:
    assert (await api.json("/qr", {name: "https://example.com"})).status_code == 200


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("size=abc", 'size: must be an integer, got "abc".'),
        ("size=1.5", "size: must be an integer"),
        ("sise=100", 'sise: is not a known field; did you mean "size"?'),
        ("size=100&size=200", "size: must not be repeated in the query."),
        ("data=y", "data: must not be in the query, because the body of this request contains it."),
        ("size=99999999999999999999", "size: must be an integer"),
        ("size=6_4", "size: must be an integer"),
    ],
)
async def test_invalid_query_option_returns_400(api: Api, query: str, words: str) -> None:
    response = await api.post(f"/qr?{query}", content=b"x", headers={"content-type": "text/plain"})
    assert response.status_code == 400
    assert words in response.json()["error"]


async def test_whole_float_counts_as_integer(api: Api) -> None:
    whole = await api.json("/qr", {"data": "x", "size": 512})
    assert (await api.json("/qr", {"data": "x", "size": 512.0})).json()["image"] == whole.json()["image"]


async def test_query_options_with_json_body_return_400(api: Api) -> None:
    response = await api.post("/qr?size=100", json={"data": "x"})
    assert response.status_code == 400
    assert "size: must be in the JSON body, not in the query." in response.json()["error"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("true", True), ("True", True), ("1", True), ("false", False), ("False", False), ("0", False)],
)
async def test_boolean_option_accepts_common_spellings(api: Api, written: str, meant: bool) -> None:
    raw = await api.raw("/barcode", "x", "text/plain", include_text=written)
    expected = await api.json("/barcode", {"data": "x", "include_text": meant, "output": "binary"})
    assert raw.content == expected.content


async def test_list_option_accepts_commas_and_repetition(api: Api) -> None:
    async def read(query: str) -> Any:
        answer = await api.post(
            f"/code-reader?{query}", content=LABEL.read_bytes(), headers={"content-type": "image/png"}
        )
        return answer.json()["meta"]["formats"]

    assert await read("formats=QRCode,Code128") == ["QRCode", "Code128"]
    assert await read("formats=QRCode&formats=Code128") == ["QRCode", "Code128"]


async def test_raw_image_is_accepted_with_any_image_media_type(api: Api) -> None:
    for kind in ("image/jpeg", "image/*", "IMAGE/PNG"):
        made = await api.raw("/images", LANDSCAPE.read_bytes(), kind, width="10")
        assert made.headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize("kind", ["", "text/html", "multipart/mixed; boundary=x", "application/x-www-form-urlencoded"])
async def test_unsupported_media_type_returns_400(api: Api, kind: str) -> None:
    response = await api.post("/qr", content=b"x", headers={"content-type": kind} if kind else {})
    assert response.status_code == 400
    assert "Content-Type: must be application/json, multipart/form-data or text/plain" in response.json()["error"]


@pytest.mark.parametrize(
    ("output", "kind"),
    [("json", "application/json"), ("binary", "image/png"), ("image", "image/png"), ("url", "application/json")],
)
async def test_output_option_overrides_default_of_body_type(api: Api, output: str, kind: str) -> None:
    as_json = await api.json("/qr", {"data": "x", "output": output})
    as_raw = await api.raw("/qr", "x", "text/plain", output=output)
    assert as_json.headers["content-type"] == as_raw.headers["content-type"] == kind


async def test_raw_text_is_decoded_with_declared_charset(api: Api) -> None:
    expected = (await api.json("/qr", {"data": "é"})).json()["image"]
    latin = await api.raw("/qr", "é".encode("latin-1"), "text/plain; charset=iso-8859-1", output="json")
    assert latin.json()["image"] == expected
    assert (await api.raw("/qr", b"\xe9", "text/plain")).status_code == 400
    assert (await api.raw("/qr", b"x", "text/plain; charset=utf-7")).status_code == 400
    assert (await api.raw("/qr", b"x", "text/plain; charset=nonsense")).status_code == 400


async def test_compressed_body_returns_400(api: Api) -> None:
    headers = {"content-type": "text/plain", "content-encoding": "gzip"}
    assert (await api.post("/qr", content=b"x", headers=headers)).status_code == 400


async def test_too_large_content_length_returns_400_without_reading_body(api: Api) -> None:
    async def never() -> AsyncIterator[bytes]:
        pytest.fail("the body was read")
        yield b""

    headers = {"content-type": "text/plain", "content-length": "100000000"}
    response = await api.post("/qr", content=never(), headers=headers)
    assert response.status_code == 400
    assert "The body is too large" in response.json()["error"]
    assert response.headers["connection"] == "close"


async def test_stalled_body_returns_400_and_closes_connection(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_stream, "IDLE_TIMEOUT_SECONDS", 0.2)

    async def silent() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.sleep(30)

    response = await api.post("/qr", content=silent(), headers={"content-type": "text/plain"})
    assert response.status_code == 400
    assert response.headers["connection"] == "close"


async def test_endless_body_returns_400_at_size_limit(api: Api) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 10**8:
            sent += 65536
            yield b"x" * 65536

    response = await api.post("/qr", content=endless(), headers={"content-type": "text/plain"})
    assert response.status_code == 400
    assert sent < 10**6


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        (PHOTO, True),
        (f"data:image/jpeg;base64,{PHOTO}", True),
        ("\n".join(PHOTO[start : start + 76] for start in range(0, len(PHOTO), 76)), True),
        (PHOTO[:-1], False),
        ("-_" + PHOTO[2:], False),
        ("not base64!", False),
        ("", False),
        (str(LANDSCAPE), False),
    ],
    ids=["plain", "data uri", "wrapped", "no padding", "url-safe", "garbage", "empty", "a path"],
)
async def test_file_in_json_must_be_base64(api: Api, text: str, fine: bool) -> None:
    response = await api.json("/images", {"file": text, "width": 10})
    assert response.status_code == (200 if fine else 400)
    assert fine or response.json()["error"].startswith("file: ")


async def test_raw_image_type_is_detected_from_its_bytes(api: Api) -> None:
    response = await api.raw("/images", LANDSCAPE.read_bytes(), "image/png", width=32)
    assert response.headers["content-type"] == "image/jpeg"
    with Image.open(io.BytesIO(response.content)) as image:
        assert image.size == (32, 20)


async def test_images_without_operation_returns_400(api: Api) -> None:
    response = await api.json("/images", {"file": PHOTO})
    assert response.status_code == 400
    assert response.json()["error"] == "At least one of width, height, format, quality, max_bytes and crop is required."


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "html, template: one of the two is required."),
        ({"html": "x", "template": "og"}, "html, template: only one of the two is allowed, got both."),
        (
            {"template": "og", "data": {"titel": "Hi"}},
            'data: "titel" is not a key of og; did you mean "title"?',
        ),
        ({"template": "poster"}, "template: must be one of"),
        ({"html": "x", "data": {"title": "Hi"}}, "data: requires template, not html."),
        ({"html": "x", "data": {"title": 5}}, "data.title: must be text, got 5."),
        ({"html": "x", "wait_ms": 5001}, "wait_ms: must be between 0 and 5000, got 5001."),
        ({"html": "x", "full_page": "yes"}, 'full_page: must be true or false, got "yes".'),
        ({"html": "x", "lang": "fr"}, "lang: must be one of 'en' or 'es', got \"fr\"."),
        ({"html": "é" * 2_621_441}, "html: must have at most 5 MB."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_capture_validates_its_fields(api: Api, values: dict[str, Any], words: str) -> None:
    response = await api.json("/capture", values)
    assert response.status_code == 400
    assert words in response.json()["error"]


async def test_link_returns_file_and_wrong_token_returns_404(api: Api) -> None:
    link = (await api.json("/qr", {"data": "x", "format": "svg", "output": "url"})).json()
    found = await api.http.get(link["url"])
    assert found.status_code == 200
    assert found.headers["content-disposition"] == 'attachment; filename="qr.svg"'
    assert found.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in found.headers["content-security-policy"]
    lost = await api.http.get(link["url"][:-1] + ("a" if link["url"][-1] != "a" else "b"))
    assert (lost.status_code, lost.json()) == (404, {"error": "This link has expired or does not exist."})


MORE_RESPONSES = {
    "/capture": {"422"},
    "/data-convert": {"422"},
    "/data-diff": {"422"},
    "/data-profile": {"422"},
    "/data-query": {"422"},
    "/data-sample": {"422"},
    "/document-to-markdown": {"422"},
    "/file-info": {"422"},
    "/image-animate": {"422"},
    "/image-compare": {"422"},
    "/image-info": {"422"},
    "/image-watermark": {"422"},
    "/markdown-convert": {"422"},
    "/docx-template": {"422"},
    "/mail-merge": {"422"},
    "/notebook-convert": {"422"},
    "/pdf": {"422"},
    "/pdf-compress": {"422"},
    "/pdf-extract": {"422"},
    "/pdf-form": {"422"},
    "/pdf-info": {"422"},
    "/pdf-merge": {"422"},
    "/pdf-pages": {"422"},
    "/pdf-protect": {"422"},
    "/pdf-redact": {"422"},
    "/pdf-split": {"422"},
    "/pdf-stamp": {"422"},
    "/pdf-to-images": {"422"},
    "/screenshot": {"502"},
    "/table-image": {"422"},
    "/unzip": {"422"},
    "/validate-email": {"422"},
    "/validate-code": {"422"},
    "/validate-iban": {"422"},
    "/validate-phone": {"422"},
    "/validate-tax-id": {"422"},
    "/text-repair": {"422"},
    "/web-to-markdown": {"422", "502"},
}


FREE_RESPONSES = {
    "/status": {"401"},
    "/usage": {"400", "401"},
    "/files/{token}": {"206", "304", "404", "416", "503"},
    "/jobs/{id}": {"401", "403", "404", "503"},
    "/readyz": {"503"},
}


async def test_openapi_document_is_valid(api: Api) -> None:
    from openapi_spec_validator import validate

    document = (await api.http.get("/openapi.json")).json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == "1.0.0"
    for path, operation in document["paths"].items():
        if "get" in operation:
            assert set(operation["get"]["responses"]) == {"200"} | FREE_RESPONSES.get(path, set())
        else:
            responses = {"200", "202", "400", "401", "403", "409", "429", "431", "503"}
            assert set(operation["post"]["responses"]) == responses | MORE_RESPONSES.get(path, set())


async def test_openapi_examples_return_200(api: Api) -> None:
    document = (await api.http.get("/openapi.json")).json()
    examples = document["paths"]["/qr"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    for example in examples.values():
        assert (await api.json("/qr", example["value"])).status_code == 200


async def test_link_contains_forwarded_prefix(api: Api) -> None:
    response = await api.json(
        "/qr", {"data": "x", "output": "url"}, headers={"x-forwarded-prefix": "/user/ann/proxy/8000"}
    )
    assert response.json()["url"].startswith("http://api.test/user/ann/proxy/8000/files/")


@pytest.mark.browser
async def test_template_renders_from_query_without_body(api: Api) -> None:
    data = json.dumps({"title": "Hello"})
    raw = await api.raw("/capture", b"", "text/html", template="og", data=data, lang="es")
    asked = {"template": "og", "data": {"title": "Hello"}, "lang": "es", "output": "image"}
    assert raw.content == (await api.json("/capture", asked)).content
    nothing = await api.raw("/capture", b"", "text/html")
    assert nothing.status_code == 400
    assert nothing.json()["error"] == "html, template: one of the two is required."


async def test_link_uses_scheme_of_first_proxy(api: Api) -> None:
    answer = await api.json("/qr", {"data": "x", "output": "url"}, headers={"x-forwarded-proto": "https,http"})
    assert answer.json()["url"].startswith("https://api.test/files/")


async def test_raw_body_of_call_without_file_returns_json(api: Api) -> None:
    headers = {"content-type": "application/pdf"}
    query = "/pdf-redact?kinds=email&find_only=true"
    found = await api.post(query, content=CONTRACT.read_bytes(), headers=headers)
    assert (found.status_code, found.json()["meta"]["found"]) == (200, 3)
    refused = await api.post(f"{query}&output=binary", content=CONTRACT.read_bytes(), headers=headers)
    assert (refused.status_code, refused.json()["details"][0]["field"]) == (400, "output")


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ('{"data": "a", "data": "b"}', "data", "occurs twice in a JSON object; send it once."),
        ('{"data": "a", "content": {"vcard": {"name": "a", "name": "b"}}}', "name", "occurs twice in a JSON object"),
        ('{"data": "a", "d\\u0061ta": "a"}', "data", "occurs twice in a JSON object; send it once."),
        ("{", "body", "The body is not JSON: EOF while parsing an object"),
        ("", "body", "The body is empty: it must be a JSON object."),
        (b'{"data":"\xe9"}', "body", "The body is not JSON: it must be UTF-8 text without NUL bytes."),
        ('{"\0d\0a\0', "body", "The body is not JSON: it must be UTF-8 text without NUL bytes."),
        ('["data"]', "body", "The body must be a JSON object"),
        ('{"data": "x", "size": 9}', "size", "must be between 64 and 2000, got 9."),
    ],
)
async def test_every_invalid_body_has_details(api: Api, body: str | bytes, field: str, message: str) -> None:
    headers = {"x-api-key": api.key, "content-type": "application/json"}
    response = await api.http.post("/qr", content=body, headers=headers)
    assert response.status_code == 400
    [detail] = response.json()["details"]
    assert detail["field"] == field
    assert detail["message"].startswith(message)
    assert detail["message"] in response.json()["error"]


@pytest.mark.parametrize(("made", "status"), [("csv", 200), ("json", 400)])
async def test_file_of_data_is_sent_in_each_format_but_json(api: Api, made: str, status: int) -> None:
    values = {"fields": "name", "rows": 1, "seed": 1, "format": made, "output": "binary"}
    assert (await api.json("/data-sample", values)).status_code == status
