"""Runs: text with its properties, split where the direction of writing changes."""

import re
from collections.abc import Iterator

from mediakit.engines.docx_writer.spans import Format, Span
from mediakit.engines.docx_writer.style_elements import bold, italic
from mediakit.engines.docx_writer.wordml import make, properties, text_element, w
from mediakit.engines.docx_writer.xml_tree import Element

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_LTR_WORD = r"A-Za-z0-9\u00c0-\u058f\u0900-\u1fff\u3040-\uabff\uac00-\ud7af"
_RTL_STRETCH = re.compile(f"[{_RTL}](?:[^{_LTR_WORD}\n\t]*[{_RTL}])*")
"""Text from the first to the last right-to-left letter, with the spaces and punctuation between them."""

_PIECES = re.compile("[\n\t]|[^\n\t]+")


def span_runs(span: Span) -> Iterator[Element]:
    """Yield the runs of a span."""
    if span.element is not None:
        yield span.element
        return
    for text, is_rtl in split_by_direction(span.text):
        yield text_run(text, span.format, rtl=is_rtl)


def split_by_direction(text: str) -> Iterator[tuple[str, bool]]:
    """Yield stretches of text with whether they are written from right to left."""
    position = 0
    for stretch in _RTL_STRETCH.finditer(text):
        if stretch.start() > position:
            yield text[position : stretch.start()], False
        yield stretch[0], True
        position = stretch.end()
    if position < len(text):
        yield text[position:], False


def text_run(text: str, text_format: Format, *, rtl: bool = False) -> Element:
    """Return a run of text. Newlines become line breaks."""
    run = w("r")
    found = run_properties(text_format)
    if rtl:
        found.append(w("rtl"))
    if found:
        run.children.append(properties("w:rPr", found))
    for piece in _PIECES.findall(text):
        run.children.append({"\n": w("br"), "\t": w("tab")}[piece] if piece in "\n\t" else text_element("w:t", piece))
    return run


def run_properties(text_format: Format) -> list[Element]:
    """Return the properties of a run, in no certain order."""
    found = [w("rStyle", val=style)] if (style := _style(text_format)) else []
    found += bold() if text_format.bold else ()
    found += italic() if text_format.italic else ()
    found += [w("strike")] if text_format.strike else []
    found += [w("highlight", val="yellow")] if text_format.highlight else []
    if text_format.underline or (text_format.link and text_format.style):
        found.append(w("u", val="single"))
    if text_format.color:
        found.append(w("color", val=text_format.color))
    if text_format.position:
        found.append(w("vertAlign", val=text_format.position))
    return found


def _style(text_format: Format) -> str | None:
    return text_format.style or ("Hyperlink" if text_format.link else None)


def field_runs(instruction: str, shown: str, text_format: Format) -> list[Element]:
    """Return a field with the result that is shown until Word updates it."""

    def run(content: Element) -> Element:
        found = run_properties(text_format)
        return w("r", *([properties("w:rPr", found)] if found else []), content)

    return [
        run(w("fldChar", fldCharType="begin")),
        run(text_element("w:instrText", f" {instruction} ")),
        run(w("fldChar", fldCharType="separate")),
        text_run(shown, text_format),
        run(w("fldChar", fldCharType="end")),
    ]


def check_box(identifier: int, *, checked: bool) -> Element:
    """Return a check box that can be clicked in Word 2010 and later."""
    symbol = "☒" if checked else "☐"
    states = [
        make(f"w14:{name}", {"w14:val": value, "w14:font": "MS Gothic"})
        for name, value in (("checkedState", "2612"), ("uncheckedState", "2610"))
    ]
    box = make("w14:checkbox", None, make("w14:checked", {"w14:val": int(checked)}), *states)
    found = w("rFonts", ascii="MS Gothic", hAnsi="MS Gothic", eastAsia="MS Gothic", hint="eastAsia")
    run = w("r", w("rPr", found), text_element("w:t", symbol))
    return w("sdt", w("sdtPr", w("id", val=identifier), box), w("sdtContent", run))
