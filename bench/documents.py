"""Document tools compared with packages for the same tasks."""

import importlib
import io
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case, NotMeasured
from bench.worker import Worker, ours, python
from mediakit.samples import GUIDE_MARKDOWN, NOTEBOOK, PROPOSAL, PROPOSAL_DATA


def markdown_text(copies: int) -> str:
    """Return a guide with headings, lists, tables, code, formulas and footnotes, several times."""
    return "\n\n".join([GUIDE_MARKDOWN.partition("---\n\n")[2]] * copies)


def markdown_with_mediakit(values: Mapping[str, Any]) -> Job:
    text = markdown_text(values["copies"])
    return lambda: mediakit.markdown_convert(text, document=values["document"]).content


def markdown_with_markdown_it(values: Mapping[str, Any]) -> Job:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.gfm import gfm_plugin

    text, parser = markdown_text(values["copies"]), MarkdownIt("commonmark").use(gfm_plugin)
    return lambda: parser.render(text).encode()


def markdown_with_pandoc(values: Mapping[str, Any]) -> Job:
    if not shutil.which("pandoc"):
        raise NotMeasured("pandoc is not installed")
    text = markdown_text(values["copies"]).encode()
    options = ["--standalone", "--mathml"] if values["document"] else ["--mathml"]
    command = ["pandoc", "-f", "gfm", "-t", "html", *options, "--metadata", "title=Guide"]
    return lambda: subprocess.run(command, input=text, capture_output=True, check=True).stdout


def describe_html(_case: Case, content: bytes) -> str:
    """Return how many tables and formulas the HTML has, and whether its code is highlighted."""
    formulas, tables = content.count(b"<math"), content.count(b"<table")
    spans = content.count(b"<span class=")
    return f"{tables} tables, {formulas} formulas, code {'highlighted' if spans > tables * 10 else 'plain'}"


def word_document(copies: int) -> bytes:
    """Return the guide as a Word document."""
    content: bytes = mediakit.markdown_convert(markdown_text(copies), "docx").content
    return content


def word_with_mediakit(values: Mapping[str, Any]) -> Job:
    document = word_document(values["copies"])

    def convert() -> bytes:
        return mediakit.document_to_markdown(document).content.encode()

    return convert


def word_with_markitdown(values: Mapping[str, Any]) -> Job:
    try:
        converter = importlib.import_module("markitdown").MarkItDown()
    except ImportError:
        raise NotMeasured("markitdown[docx] is not installed") from None
    document = word_document(values["copies"])

    def convert() -> bytes:
        text: str = converter.convert_stream(io.BytesIO(document), file_extension=".docx").text_content
        return text.encode()

    return convert


def word_with_pandoc(values: Mapping[str, Any]) -> Job:
    if not shutil.which("pandoc"):
        raise NotMeasured("pandoc is not installed")
    document = word_document(values["copies"])
    command = ["pandoc", "-f", "docx", "-t", "gfm", "--wrap=none"]
    return lambda: subprocess.run(command, input=document, capture_output=True, check=True).stdout


def describe_markdown(_case: Case, content: bytes) -> str:
    """Return how many headings, tables and formulas the Markdown has."""
    text = content.decode()
    headings, tables = len(re.findall(r"(?m)^#{1,6} ", text)), len(re.findall(r"(?m)^\|[ :|-]+\|$", text))
    return f"{headings} headings, {tables} tables, {text.count('$') // 2} formulas"


def notebook(copies: int) -> str:
    """Return the sample notebook with its cells repeated: Markdown, code, a chart, a table, an error."""
    book = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = [{**cell, "id": f"{cell['id']}-{copy}"} for copy in range(copies) for cell in book["cells"]]
    return json.dumps({**book, "cells": cells})


def notebook_with_mediakit(values: Mapping[str, Any]) -> Job:
    content, to = notebook(values["copies"]).encode(), values["to"]

    def convert() -> bytes:
        made: bytes = mediakit.notebook_convert(content, to).content
        return made

    return convert


def notebook_with_nbconvert(values: Mapping[str, Any]) -> Job:
    import nbformat
    from nbconvert import HTMLExporter, MarkdownExporter, ScriptExporter

    kinds = {"html": HTMLExporter, "markdown": MarkdownExporter, "script": ScriptExporter}
    text, exporter = notebook(values["copies"]), kinds[values["to"]]()  # type: ignore[no-untyped-call]

    def convert() -> bytes:
        made: str = exporter.from_notebook_node(nbformat.reads(text, as_version=4))[0]  # type: ignore[no-untyped-call]
        return made.encode()

    return convert


def describe_notebook(_case: Case, content: bytes) -> str:
    """Return the number of images in an archive, or of lines."""
    if content.startswith(b"PK"):
        with ZipFile(io.BytesIO(content)) as archive:
            return f"{len(archive.namelist()) - 1} images"
    return f"{content.count(b'data:image/')} images, {len(content.splitlines()):,} lines"


def template_data(rows: int) -> dict[str, Any]:
    """Return the data of the sample template with many rows in its table."""
    items = PROPOSAL_DATA["items"]
    return {**PROPOSAL_DATA, "website": "northlight.example", "items": [items[row % len(items)] for row in range(rows)]}


def template_with_mediakit(values: Mapping[str, Any]) -> Job:
    data = template_data(values["rows"])
    return lambda: mediakit.docx_template(PROPOSAL, data).content


def template_with_docxtpl(values: Mapping[str, Any]) -> Job:
    import jinja2
    from docxtpl import DocxTemplate

    data, content = template_data(values["rows"]), docxtpl_template()
    environment = jinja2.Environment(autoescape=True)
    environment.filters |= {"number": lambda value, _: f"{value:,.2f}", "date": lambda value, _: value}

    def fill() -> bytes:
        document, saved = DocxTemplate(io.BytesIO(content)), io.BytesIO()
        document.render(data, environment)
        document.save(saved)
        return saved.getvalue()

    return fill


def docxtpl_template() -> bytes:
    """Return the sample template with the tags that docxtpl needs to repeat rows and paragraphs."""
    saved = io.BytesIO()
    with ZipFile(PROPOSAL) as source, ZipFile(saved, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            text = source.read(name)
            if name == "word/document.xml":
                text = text.replace(b"{% for item in items %}", b"").replace(
                    b"{{ item.amount | number(2) }}{% endfor %}", b"{{ item.amount | number(2) }}"
                )
                text = re.sub(rb"(<w:tr>(?:(?!<w:tr>).)*?item\.work.*?</w:tr>)", _with_row_tags, text, flags=re.DOTALL)
                text = re.sub(rb"\{% (if discount|for step in steps) %\}", rb"{%p \1 %}", text)
                text = re.sub(rb"(<w:t[^>]*>)\{% (endif|endfor) %\}(</w:t>)", rb"\1{%p \2 %}\3", text)
            target.writestr(name, text)
    return saved.getvalue()


def _with_row_tags(row: re.Match[bytes]) -> bytes:
    tag = b"<w:tr><w:tc><w:p><w:r><w:t>{%%tr %s %%}</w:t></w:r></w:p></w:tc></w:tr>"
    return tag % b"for item in items" + row[1] + tag % b"endfor"


def describe_document(_case: Case, content: bytes) -> str:
    """Return how many table rows the document has."""
    with ZipFile(io.BytesIO(content)) as archive:
        rows = archive.read("word/document.xml").count(b"<w:tr>")
    return f"{rows} rows"


BENCHES = [
    Bench(
        tool="documents: markdown_convert",
        about="A guide of one page and of 40 pages becomes HTML: the fragment, and a page with highlighted code. "
        "mediakit parses and cleans in a separate process.",
        cases=[
            Case("1 page, fragment", {"copies": 1, "document": False}),
            Case("1 page", {"copies": 1, "document": True}),
            Case("40 pages, fragment", {"copies": 20, "document": False}),
            Case("40 pages", {"copies": 20, "document": True}),
        ],
        ours=ours("bench.documents:markdown_with_mediakit"),
        peers=[
            Worker(f"markdown-it-py {version('markdown-it-py')}", python("bench.documents:markdown_with_markdown_it")),
            Worker("pandoc", python("bench.documents:markdown_with_pandoc")),
        ],
        inspect=describe_html,
    ),
    Bench(
        tool="documents: document_to_markdown",
        about="A Word document of one page and of 40 pages becomes Markdown. mediakit reads it in a separate process.",
        cases=[Case("1 page", {"copies": 1}), Case("40 pages", {"copies": 20})],
        ours=ours("bench.documents:word_with_mediakit"),
        peers=[
            Worker("markitdown", python("bench.documents:word_with_markitdown")),
            Worker("pandoc", python("bench.documents:word_with_pandoc")),
        ],
        inspect=describe_markdown,
    ),
    Bench(
        tool="documents: notebook_convert",
        about="A notebook of 13 cells and of 260 cells is converted. mediakit reads it in a separate process, and "
        "cleans the HTML of its outputs.",
        cases=[
            Case(f"{to}, {13 * copies} cells", {"to": to, "copies": copies})
            for to in ("html", "markdown", "script")
            for copies in (1, 20)
        ],
        ours=ours("bench.documents:notebook_with_mediakit"),
        peers=[Worker(f"nbconvert {version('nbconvert')}", python("bench.documents:notebook_with_nbconvert"))],
        inspect=describe_notebook,
    ),
    Bench(
        tool="documents: docx_template",
        about="The sample proposal is filled with a table of 3 and of 1,000 rows. mediakit uses a separate process.",
        cases=[Case("3 rows", {"rows": 3}), Case("1,000 rows", {"rows": 1000})],
        ours=ours("bench.documents:template_with_mediakit"),
        peers=[Worker(f"docxtpl {version('docxtpl')}", python("bench.documents:template_with_docxtpl"))],
        inspect=describe_document,
    ),
]
