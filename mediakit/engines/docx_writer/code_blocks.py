"""Code blocks: one paragraph with line breaks, in the colors of the highlighter."""

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.runs import text_run
from mediakit.engines.docx_writer.spans import PLAIN, Format, InlineContent
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.rich_text.highlighting import token_styles

MAX_COLORED_SPANS = 20_000
"""Code with more tokens is written without colors, so that Word opens it quickly."""


def code_runs(block: HtmlElement) -> list[Element]:
    """Return the runs of a code block."""
    content = InlineContent()
    is_colored = sum(1 for _ in block.iter("span")) <= MAX_COLORED_SPANS
    colors = {name: color.lstrip("#").upper() for name, color in token_styles().items()} if is_colored else {}
    _collect(block, PLAIN, colors, content)
    spans = content.spans
    if spans:
        spans[-1].text = spans[-1].text.removesuffix("\n")
    return [text_run(span.text, span.format) for span in spans if span.text]


def _collect(element: HtmlElement, outer: Format, colors: dict[str, str], content: InlineContent) -> None:
    inner = outer
    for name in (element.get("class") or "").split() if element.tag == "span" else ():
        if name in colors:
            inner = Format(color=colors[name], italic=name in ("c", "ch", "cm", "c1", "cs"))
    if element.tag == "br":
        content.add_verbatim("\n", inner)
    _add(element.text, inner, content)
    for child in element:
        _collect(child, inner, colors, content)
        _add(child.tail, inner, content)


def _add(text: str | None, text_format: Format, content: InlineContent) -> None:
    if text:
        content.add_verbatim(text.replace("\r\n", "\n").replace("\r", "\n"), text_format)
