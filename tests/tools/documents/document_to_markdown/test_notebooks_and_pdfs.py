"""Jupyter notebooks and PDFs as Markdown."""

import base64
import io
import json
import time
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.engines.notebooks import read_notebook
from mediakit.errors import InvalidInput
from mediakit.samples import LOCKED, REPORT, SURVEY


def png() -> str:
    file = io.BytesIO()
    Image.new("RGB", (6, 3), "red").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def notebook(*cells: dict[str, Any], **metadata: Any) -> bytes:
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}
    return json.dumps(book).encode()


def markdown_cell(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def code_cell(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "execution_count": 1, "outputs": list(outputs)}


def data(**forms: str) -> dict[str, Any]:
    named = {name.replace("_", "/"): value for name, value in forms.items()}
    return {"output_type": "display_data", "metadata": {}, "data": named}


def markdown(*cells: dict[str, Any], **options: Any) -> str:
    return mediakit.document_to_markdown(notebook(*cells), **options).content


def test_markdown_cells_stay_as_they_are_written() -> None:
    source = "# Title\n\n* an *item*\n* `a|b`\n\n$x^2$"
    result = mediakit.document_to_markdown(notebook(markdown_cell(source)))
    assert (result.type, result.title, result.content) == ("ipynb", "Title", source)


def test_code_has_the_language_of_the_kernel_and_its_text_outputs() -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": ["1\n", "\x1b[31m2\x1b[0m\n"]}
    book = notebook(code_cell("print(1)", stream), kernelspec={"name": "ir", "language": "R"})
    assert mediakit.document_to_markdown(book).content == "```r\nprint(1)\n```\n\n```\n1\n2\n```"


def test_tables_of_data_frames_become_tables() -> None:
    html = "<div><style scoped>x</style><table class='dataframe'><thead><tr><th></th><th>a</th></tr></thead>"
    html += "<tbody><tr><th>0</th><td>1</td></tr></tbody></table></div>"
    content = markdown(code_cell("frame", data(text_html=html, text_plain="   a\n0  1")))
    assert content.endswith("|  | a |\n| --- | --- |\n| 0 | 1 |")
    assert "scoped" not in content


def test_notebook_without_images_has_no_image_syntax() -> None:
    book = notebook(markdown_cell("A ![dot](https://example.com/dot.png) b"), code_cell("p()", data(image_png=png())))
    assert mediakit.document_to_markdown(book, images="none").content == "A  b\n\n```python\np()\n```"


def test_images_of_outputs_and_attachments_are_named_in_order() -> None:
    attached = markdown_cell("![dot](attachment:dot.png)", attachments={"dot.png": {"image/png": png()}})
    book = notebook(attached, code_cell("plot()", data(image_png=png(), text_plain="<Figure>")))
    result = mediakit.document_to_markdown(book, images="embed")
    assert result.content.startswith("![dot](image-1.png)")
    assert result.content.endswith("![Output 2](image-2.png)")
    assert [(image.width, image.height) for image in result.images] == [(6, 3), (6, 3)]
    assert mediakit.document_to_markdown(book, images="none").content.endswith("```\n<Figure>\n```")


def test_errors_are_their_tracebacks_without_colors() -> None:
    error = {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["\x1b[0;31mE\x1b[0m: no"]}
    assert markdown(code_cell("1/0", error)).endswith("```\nE: no\n```")


def test_text_format_of_a_notebook_has_no_markup() -> None:
    assert markdown(markdown_cell("# A **b**"), code_cell("x = 1"), format="text") == "A b\n\nx = 1"


def test_broken_notebook_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^file: must be"):
        mediakit.document_to_markdown(notebook(markdown_cell("a"))[:-3])


def test_pdf_is_the_markdown_of_pdf_extract() -> None:
    result = mediakit.document_to_markdown(SURVEY)
    assert result.content == mediakit.pdf_extract(SURVEY, what="markdown").content
    assert (result.type, result.title) == ("pdf", "Lake survey 2026")
    assert mediakit.document_to_markdown(SURVEY, format="text").content == mediakit.pdf_extract(SURVEY).content


def test_pdf_author_and_dates_are_returned() -> None:
    described = mediakit.pdf_info(REPORT, metadata={"author": "Ada", "created": "2026-03-01T09:30:00Z"})
    result = mediakit.document_to_markdown(described)
    assert (result.author, result.created) == ("Ada", "2026-03-01T09:30:00+00:00")


def test_encrypted_pdf_is_opened_with_its_password() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is encrypted; send its password\.$"):
        mediakit.document_to_markdown(LOCKED)
    assert mediakit.document_to_markdown(LOCKED, password="correct horse").content


def test_lists_are_not_parsed_for_the_title_of_a_notebook() -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "- *tea*\n" * 2000}] * 200
    content = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
    begin = time.process_time()
    assert not read_notebook(content).first_heading
    assert time.process_time() - begin < 3
