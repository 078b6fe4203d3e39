"""Calls as type checkers see them; mypy judges this file, and says so where a wrong call would pass."""

from pathlib import Path
from typing import Any, Literal, assert_type

import altair as alt

import mediakit
from mediakit import AsyncClient, BatchResult, ChartResult, Client, FileResult, ImageResult, PageResult, PdfResult
from mediakit.client import RemoteJob
from mediakit.results.files import ZipResult
from mediakit.tools.documents.mail_merge.tool import MergedFiles, MergedPdf

client = Client("http://127.0.0.1:8000", api_key="key")
async_client = AsyncClient("http://127.0.0.1:8000", api_key="key")

assert_type(mediakit.qr("hi"), ImageResult)
assert_type(mediakit.qr("hi", size=300, ecc="H"), ImageResult)
assert_type(mediakit.images(Path("photo.jpg"), width=300, fit="inside"), ImageResult)
assert_type(mediakit.images(mediakit.qr("hi"), format="webp"), ImageResult)
assert_type(mediakit.chart("bar", ["a", "b"], [{"name": "x", "data": [1, 2]}], stacked=True), ChartResult)
assert_type(mediakit.chart("pie", {"a": 1, "b": 2}, palette=["#0d6b60"]), ChartResult)
assert_type(mediakit.chart("line", ["a"], {"x": [1]}, theme="dark").to_altair(), alt.Chart | alt.LayerChart)
assert_type(mediakit.chart("bar", {"a": [1], "b": ["c"]}, x="b", y=["a"], palette="ocean"), ChartResult)
assert_type(client.chart("line", {"a": 1}), ChartResult)
assert_type(mediakit.capture("<h1>Hi</h1>", full_page=True), ImageResult)
assert_type(mediakit.pdf("<h1>Hi</h1>", format="A5", margin=20, scale=0.5), PdfResult)
assert_type(client.pdf("<h1>Hi</h1>", landscape=True), PdfResult)
assert_type(mediakit.pdf(Path("page.html")), PdfResult)
assert_type(mediakit.pdf(mediakit.markdown_convert("# Tea")), PdfResult)
assert_type(mediakit.markdown_convert(mediakit.document_to_markdown("notes.docx"), to="pdf"), PdfResult)
assert_type(mediakit.web_to_markdown("https://example.com", format="text"), PageResult)
assert_type(mediakit.web_to_markdown(html="<p>Hi</p>").content, str)
assert_type(mediakit.image_animate([b"", b""]), ImageResult)
assert_type(mediakit.image_animate([b"", b""], format="gif", frames=False), ImageResult)
assert_type(mediakit.image_animate([b""], frames=True), ZipResult[FileResult])
assert_type(mediakit.markdown_convert("# Hi"), FileResult)
assert_type(mediakit.markdown_convert("# Hi", "html", toc=True), FileResult)
assert_type(mediakit.markdown_convert("# Hi", "pdf", theme="report"), PdfResult)
assert_type(mediakit.markdown_convert(markdown="# Hi", to="pdf"), PdfResult)
assert_type(client.markdown_convert("# Hi", "pdf"), PdfResult)
assert_type(client.markdown_convert("# Hi"), FileResult)
assert_type(mediakit.notebook_convert("a.ipynb"), FileResult)
assert_type(mediakit.notebook_convert("a.ipynb", "script", hide_outputs=True), FileResult)
assert_type(mediakit.notebook_convert(file={"cells": []}, to="pdf", page_numbers=True), PdfResult)
assert_type(client.notebook_convert("a.ipynb", "pdf"), PdfResult)
assert_type(client.notebook_convert("a.ipynb", "markdown"), FileResult)
assert_type(mediakit.mail_merge([{"name": "Ada"}], html="{{ name }}"), MergedFiles)
assert_type(mediakit.mail_merge("people.csv", template="certificate", merge=True), MergedPdf)
assert_type(client.mail_merge([{"name": "Ada"}], file="form.pdf", merge=False), MergedFiles)
assert_type(client.qr("hi", size=300), ImageResult)
assert_type(client.submit(mediakit.qr, "hi", size=300).result(), ImageResult)
assert_type(client.submit(client.qr, "hi"), RemoteJob[ImageResult])
assert_type(client.call(mediakit.qr, "hi", size=300), ImageResult)
assert_type(mediakit.batch(mediakit.qr, ["a", "b"], size=300, to="out"), BatchResult[ImageResult])
assert_type(mediakit.batch(client.pdf, [{"html": "a"}], name="{row}").results, list[PdfResult])
assert_type(mediakit.batch("qr", ["a"]), BatchResult[Any])
assert_type(mediakit.batch(mediakit.chart, {"a": {"type": "pie"}})["a"], ChartResult)


async def awaited() -> None:
    assert_type(await mediakit.batch.aio(mediakit.qr, ["a"]), BatchResult[ImageResult])
    assert_type(await mediakit.batch.aio(async_client.pdf, ["<p>a"]), BatchResult[PdfResult])
    assert_type(await mediakit.qr.aio("hi", size=300), ImageResult)
    assert_type(await async_client.qr("hi", size=300), ImageResult)
    assert_type(await mediakit.markdown_convert.aio("# Hi", "pdf"), PdfResult)
    assert_type(await mediakit.markdown_convert.aio("# Hi"), FileResult)
    assert_type(await async_client.markdown_convert("# Hi", to="pdf"), PdfResult)
    assert_type(await async_client.markdown_convert("# Hi"), FileResult)
    assert_type(await mediakit.notebook_convert.aio("a.ipynb", "pdf"), PdfResult)
    assert_type(await async_client.notebook_convert("a.ipynb"), FileResult)
    assert_type(await async_client.call(mediakit.qr, "hi"), ImageResult)


def either(to: Literal["html", "pdf"]) -> None:
    assert_type(mediakit.markdown_convert("# Hi", to), FileResult | PdfResult)
    assert_type(mediakit.notebook_convert("a.ipynb", to), FileResult | PdfResult)


def wrong() -> None:
    mediakit.markdown_convert("# Hi", "rtf")  # type: ignore[call-overload]
    mediakit.notebook_convert("a.ipynb", "docx")  # type: ignore[call-overload]
    mediakit.notebook_convert("a.ipynb", size=3)  # type: ignore[call-overload]
    mediakit.qr()  # type: ignore[call-arg]
    mediakit.qr(5)  # type: ignore[arg-type]
    mediakit.qr("hi", 300)  # type: ignore[call-arg]
    mediakit.qr("hi", sise=300)  # type: ignore[call-arg]
    mediakit.qr("hi", ecc="X")  # type: ignore[arg-type]
    mediakit.pdf("<h1>Hi</h1>", "og")  # type: ignore[call-arg]
    mediakit.pdf("<h1>Hi</h1>", format="A6")  # type: ignore[arg-type]
    mediakit.chart("bubble", ["a"], [[1]])  # type: ignore[arg-type]
    mediakit.chart()  # type: ignore[call-arg]
    mediakit.chart("bar", ["a"], [[1]], "A title")  # type: ignore[call-arg]
    mediakit.images(5, width=3)  # type: ignore[arg-type]
    client.qr("hi", size="300")  # type: ignore[arg-type]
    mediakit.batch(5, ["a"])  # type: ignore[arg-type]
    mediakit.batch(mediakit.qr, ["a"], "{row}")  # type: ignore[call-arg]
    client.barcodes("hi")  # type: ignore[attr-defined]
