"""Sheets: pages of the demo that show everything of one kind."""

import re
from functools import partial
from pathlib import Path

import pytest

import mediakit
from mediakit.cli.sheets.contents import SHEETS
from mediakit.cli.sheets.sheet import Figure, Section, Sheet, write
from mediakit.cli.sheets.templates import ESSENTIAL, KINDS, texts
from mediakit.core.fields import Language
from mediakit.engines.templates import TEMPLATES, check_source

CODE = partial(mediakit.qr, "hi", size=64)


def sheet(*figures: Figure) -> Sheet:
    return Sheet("codes", "Codes & more", "What <b> means.", (Section("First", figures), Section("Second", figures)))


def test_writes_a_page_that_shows_every_figure(tmp_path: Path) -> None:
    done: list[int] = []
    drawn = (Figure("A <PNG>", CODE), Figure("An SVG", partial(mediakit.qr, "hi", format="svg")))
    path = write(sheet(*drawn), tmp_path, done=lambda: done.append(1))
    html = path.read_text("utf-8")
    shown = re.findall(r'<img src="([^"]+)"', html)
    assert path == tmp_path / "codes.html"
    assert shown == ["codes/001.png", "codes/002.svg", "codes/003.png", "codes/004.svg"]
    assert all((tmp_path / name).stat().st_size > 100 for name in shown)
    assert len(done) == 4
    assert "A &lt;PNG&gt;" in html
    assert "What &lt;b&gt; means." in html
    assert 'href="index.html"' in html


@pytest.mark.browser
def test_a_pdf_is_shown_by_its_first_page(tmp_path: Path) -> None:
    pytest.importorskip("pymupdf")
    path = write(sheet(Figure("Paper", partial(mediakit.pdf, "<h1>Hi"))), tmp_path, done=lambda: None)
    assert '<a href="codes/001.pdf"><img src="codes/001.pdf.png"' in path.read_text("utf-8")
    assert (tmp_path / "codes" / "001.pdf.png").read_bytes().startswith(b"\x89PNG")


def test_what_fails_in_a_figure_is_told(tmp_path: Path) -> None:
    with pytest.raises(mediakit.errors.InvalidInput):
        write(sheet(Figure("Wrong", partial(mediakit.qr, "hi", size=1))), tmp_path, done=lambda: None)


def test_sheets_have_names_of_their_own_and_captions_that_tell_figures_apart() -> None:
    assert len({sheet.name for sheet in SHEETS}) == len(SHEETS)
    assert "index" not in {sheet.name for sheet in SHEETS}
    for part in (part for sheet in SHEETS for part in sheet.sections):
        captions = [figure.caption for figure in part.figures]
        assert len(set(captions)) == len(captions), part.title


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("name", list(TEMPLATES))
def test_the_texts_of_the_gallery_keep_to_the_templates_rules(name: str, lang: Language) -> None:
    template = TEMPLATES[name]
    kept = set(ESSENTIAL[name])
    assert kept <= set(template.by_name)
    for kind in (*KINDS, "sparse", "empty", "example"):
        check_source(None, name, texts(template, kind, lang))
    assert {key for key, text in texts(template, "sparse", lang).items() if text} == kept
