"""Makes lines that MuPDF drew searchable: readers extract them in the order of reading, with the right letters."""

from collections.abc import Mapping, Sequence

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.glyph_runs import (
    DrawnText,
    LineFont,
    complete_texts,
    is_plain,
    read_text,
    runs_to_the_left,
)
from mediakit.engines.pdf.source import PageKey
from mediakit.engines.pdf.to_unicode import write_glyph_texts


def make_searchable(source: pikepdf.Pdf, lines: Sequence[str]) -> list[bytes]:
    """Return the content of each page, from which readers extract its line; the fonts' maps are completed.

    Args:
        source: A PDF with a page for each line.
        lines: The text of each page.
    """
    known: dict[PageKey, LineFont] = {}
    used: dict[PageKey, set[int]] = {}
    contents = []
    for page, line in zip(source.pages, lines, strict=True):
        fonts: dict[str, LineFont] = {}
        for name, font in page.obj.Resources.get(Name.Font, Dictionary()).items():
            if font.objgen not in known:
                known[font.objgen] = LineFont.read(font)
            fonts[name] = known[font.objgen]
        drawn = read_text(page, fonts)
        _note_used(used, drawn, fonts)
        contents.append(_content(page, line, drawn, fonts))
    for key, each in known.items():
        write_glyph_texts(each.font, {code: each.texts[code] for code in used[key] & each.texts.keys()})
    return contents


def _note_used(used: dict[PageKey, set[int]], drawn: DrawnText | None, fonts: Mapping[str, LineFont]) -> None:
    """Note the glyphs of each font that a page draws; all of them where the content is not as expected."""
    for font in fonts.values():
        codes = used.setdefault(font.font.objgen, set())
        if drawn is None:
            codes |= font.texts.keys()
    for run in drawn.runs if drawn else ():
        used[fonts[run.font].font.objgen] |= {glyph.code for glyph in run.glyphs}


def _content(page: pikepdf.Page, text: str, drawn: DrawnText | None, fonts: Mapping[str, LineFont]) -> bytes:
    content = page.Contents.read_bytes()
    if is_plain(text):
        return content
    spelled = drawn is not None and complete_texts(drawn.runs, fonts, text)
    if drawn is not None and runs_to_the_left(text):
        content = drawn.in_visual_order(fonts)
        if spelled:
            return content
    span = Dictionary(ActualText=String(text)).unparse(resolved=True)
    return b"/Span " + span + b" BDC\n" + content + b"\nEMC"
