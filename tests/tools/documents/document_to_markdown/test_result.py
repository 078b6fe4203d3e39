"""The result of document_to_markdown: its view in notebooks, its file, its answers over HTTP."""

from pathlib import Path

import pytest
from lxml import html

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import MINUTES, SLIDES, STATIONS


def view(content: bytes) -> html.HtmlElement:
    bundle, _ = mediakit.document_to_markdown(content)._repr_mimebundle_()
    return html.fromstring(bundle["text/html"])


def test_view_shows_title_facts_tables_and_the_folded_source() -> None:
    shown = view(SLIDES.read_bytes())
    text = shown.text_content()
    assert "PPTX · Mara Lind · 2026-10-05 · 4 slides" in text
    assert [cell.text_content() for cell in shown.xpath("//tbody/tr[1]/td")] == ["Spring", "8.5", "6.1"]
    assert "## What we measured" in shown.xpath("//details/pre")[0].text_content()


def test_view_shows_merged_cells() -> None:
    assert view(MINUTES.read_bytes()).xpath("string(//th[@colspan='2'])") == "Depth in m"


def test_view_runs_and_loads_nothing() -> None:
    cell = "&lt;script>alert(1)&lt;/script><img src='https://example.com/x.png' onerror='a()'>"
    cell += "<a href='javascript:a()'>x</a>"
    page = f"<html><body><table><tr><th colspan=2>a</th></tr><tr><td>{cell}</td><td>b</td></tr></table>".encode()
    shown = view(page)
    assert shown.xpath("//td")[0].text_content().startswith("<script>alert(1)</script>")
    assert not shown.xpath("//script | //img | //*[@onerror] | //a[@href]")


def test_result_saves_its_markdown(tmp_path: Path) -> None:
    saved = mediakit.document_to_markdown(STATIONS).save(tmp_path / "stations")
    assert saved.name == "stations.md"
    assert saved.read_text("utf-8").startswith("## Readings")


def test_result_lists_only_the_parts_of_its_kind() -> None:
    assert "sheets" in mediakit.document_to_markdown(STATIONS).to_dict()
    assert "sheets" not in mediakit.document_to_markdown(SLIDES).to_dict()


def test_batch_converts_the_documents_of_a_table() -> None:
    rows = [{"file": str(MINUTES)}, {"file": str(SLIDES)}]
    report = mediakit.batch(mediakit.document_to_markdown, rows)
    assert [result.type for result in report.results] == ["docx", "pptx"]


def test_max_chars_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^max_chars: must be between 100 and 1000000"):
        mediakit.document_to_markdown(STATIONS, max_chars=99)
