"""Contact sheets: demo pages with many results of one tool."""

import re
from functools import partial
from pathlib import Path

import pytest

import mediakit
from mediakit.cli.contact_sheets.catalog import CONTACT_SHEETS
from mediakit.cli.contact_sheets.contact_sheet import ContactSheet, Figure, Section, save_contact_sheet
from mediakit.cli.contact_sheets.html_page import save_preview
from mediakit.cli.contact_sheets.templates import CAPTIONS, ESSENTIAL_KEYS, texts
from mediakit.core.fields import Language
from mediakit.engines.templates import TEMPLATES, check_source

QR_CODE = partial(mediakit.qr, "hi", size=64)


def contact_sheet(*figures: Figure) -> ContactSheet:
    sections = (Section("First", figures), Section("Second", figures))
    return ContactSheet("codes", "Codes & more", "What <b> means.", sections)


def save(folder: Path, *figures: Figure) -> Path:
    return save_contact_sheet(contact_sheet(*figures), folder, on_figure=lambda: None)


def test_page_shows_every_figure(tmp_path: Path) -> None:
    calls: list[int] = []
    figures = (Figure("A <PNG>", QR_CODE), Figure("An SVG", partial(mediakit.qr, "hi", format="svg")))
    path = save_contact_sheet(contact_sheet(*figures), tmp_path, on_figure=lambda: calls.append(1))
    html = path.read_text("utf-8")
    images = re.findall(r'<img src="([^"]+)"', html)
    assert path == tmp_path / "codes.html"
    assert images == ["codes/001.png", "codes/002.svg", "codes/003.png", "codes/004.svg"]
    assert all((tmp_path / name).stat().st_size > 100 for name in images)
    assert len(calls) == 4
    assert "A &lt;PNG&gt;" in html
    assert "What &lt;b&gt; means." in html
    assert 'href="index.html"' in html


@pytest.mark.browser
def test_preview_of_a_pdf_is_its_first_page(tmp_path: Path) -> None:
    pytest.importorskip("pymupdf")
    path = save(tmp_path, Figure("Paper", partial(mediakit.pdf, "<h1>Hi")))
    assert '<a href="codes/001.pdf"><img src="codes/001.pdf.png"' in path.read_text("utf-8")
    assert (tmp_path / "codes" / "001.pdf.png").read_bytes().startswith(b"\x89PNG")


def test_error_of_a_figure_is_raised(tmp_path: Path) -> None:
    with pytest.raises(mediakit.errors.InvalidInput):
        save(tmp_path, Figure("Wrong", partial(mediakit.qr, "hi", size=1)))


def test_names_and_captions_are_unique() -> None:
    assert len({sheet.name for sheet in CONTACT_SHEETS}) == len(CONTACT_SHEETS)
    assert "index" not in {sheet.name for sheet in CONTACT_SHEETS}
    for section in (section for sheet in CONTACT_SHEETS for section in sheet.sections):
        captions = [figure.caption for figure in section.figures]
        assert len(set(captions)) == len(captions), section.title


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("name", list(TEMPLATES))
def test_sample_texts_of_a_template_are_valid(name: str, lang: Language) -> None:
    template = TEMPLATES[name]
    essential = set(ESSENTIAL_KEYS[name])
    assert essential <= set(template.by_name)
    for kind in CAPTIONS:
        check_source(None, name, texts(template, kind, lang))
    assert {key for key, text in texts(template, "minimal", lang).items() if text} == essential


def test_preview_of_file_without_image_is_its_notebook_view(tmp_path: Path) -> None:
    result = mediakit.data_convert(text="city,visitors\nOslo,3\n", to="xlsx")
    preview = save_preview(result, result.save(tmp_path / "table.xlsx"))
    assert preview.suffix == ".html"
    assert "Oslo" in preview.read_text("utf-8")
