"""`POST /markdown-convert`: bodies, envelopes, outputs and clients."""

import base64

import pytest

from mediakit import FileResult, PdfResult
from tests.conftest import Api

pytestmark = pytest.mark.anyio


async def test_raw_markdown_returns_the_page(api: Api) -> None:
    response = await api.raw("/markdown-convert", "# Grüße", "text/markdown", theme="github")

    assert response.headers["content-type"].startswith("text/html")
    assert 'filename="document.html"' in response.headers["content-disposition"]
    assert "Grüße</h1>" in response.text


async def test_json_returns_an_envelope_with_file_name(api: Api) -> None:
    body = (await api.json("/markdown-convert", {"markdown": "*a*", "document": False})).json()

    assert (body["filename"], body["mime_type"]) == ("document.html", "text/html")
    assert base64.b64decode(body["file"]) == b"<p><em>a</em></p>\n"
    assert "pdf" not in body


@pytest.mark.browser
async def test_json_returns_a_pdf_as_pdf(api: Api) -> None:
    body = (await api.json("/markdown-convert", {"markdown": "a", "to": "pdf"})).json()
    file = await api.json("/markdown-convert", {"markdown": "a", "to": "pdf", "output": "pdf"})

    assert body["mime_type"] == "application/pdf"
    assert base64.b64decode(body["pdf"]) == file.content
    assert "file" not in body


async def test_output_pdf_requires_a_pdf(api: Api) -> None:
    response = await api.json("/markdown-convert", {"markdown": "a", "output": "pdf"})

    assert response.status_code == 400
    assert response.json()["error"] == 'output: must be json, binary or url, because to is html; got "pdf".'


@pytest.mark.browser
async def test_client_returns_the_class_of_the_result(api: Api) -> None:
    async with api.client() as client:
        page = await client.markdown_convert("# A")
        pdf = await client.markdown_convert("# A", "pdf")

    assert isinstance(page, FileResult)
    assert (page.filename, page.meta["title"]) == ("document.html", "A")
    assert isinstance(pdf, PdfResult)
    assert (pdf.pages, pdf.meta["title"]) == (1, "A")
