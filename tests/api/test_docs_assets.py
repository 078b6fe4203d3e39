"""Files of the documentation page: policy, types, caching, samples and thumbnails."""

import re

import httpx
import pytest

from mediakit.api.app import create_app
from mediakit.api.openapi import document
from mediakit.api.public_pages import ASSETS, FOLDER
from mediakit.tools.catalogue import all_tools

pytestmark = pytest.mark.anyio

MAX_THUMBNAIL_BYTES = 600_000


async def get(path: str, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as http:
        return await http.get(path, headers=headers)


async def test_page_allows_no_inline_scripts_or_styles() -> None:
    response = await get("/docs")
    assert "unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r"<style|<script(?! type=\"module\" src)|\sstyle=|\son\w+=", response.text)


async def test_page_preloads_every_module() -> None:
    text = (await get("/docs")).text
    names = [name for name in ASSETS if name.endswith((".js", ".css")) and not name.startswith("home/")]
    assert [name for name in names if f'"docs/{name}"' not in text] == []


async def test_scripts_have_type_and_are_revalidated() -> None:
    first = await get("/docs/main.js")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    again = await get("/docs/main.js", **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["nothing.js", "../docs.py", "%2e%2e/public_pages.py", "index.html"])
async def test_unknown_file_is_404(path: str) -> None:
    response = await get(f"/docs/{path}")
    assert response.status_code == 404
    assert "error" in response.json()


async def test_every_tool_has_thumbnail_and_sample_files_exist() -> None:
    paths = document(all_tools())["paths"]
    for path, methods in paths.items():
        docs = next(iter(methods.values())).get("x-docs")
        if docs is None:
            continue  # the page shows tools and the status
        assert docs["thumbnail"] == f"docs/thumbnails{path}.webp"
        for sample in docs.get("samples", []):
            for url in re.findall(r"docs/(samples/[\w.-]+)", str(sample)):
                assert url in ASSETS
    assert sum(file.stat().st_size for file in (FOLDER / "thumbnails").iterdir()) < MAX_THUMBNAIL_BYTES


async def test_every_tool_has_sample_on_the_page() -> None:
    paths = document(all_tools())["paths"]
    assert all(methods["post"]["x-docs"]["samples"] for methods in paths.values() if "post" in methods)
