"""Cells as HTML."""

from dataclasses import dataclass
from html import escape

from mediakit.engines.notebooks.model import Cell, Output
from mediakit.tools.documents.notebook_convert.html.markdown_cells import markdown_html
from mediakit.tools.documents.notebook_convert.html.outputs import OutputWriter
from mediakit.tools.documents.notebook_convert.remarks import Remarks
from mediakit.tools.documents.notebook_convert.selection import ShownCell

MAX_HIGHLIGHTED_CHARACTERS = 1_000_000
"""Characters of code that are colored in a notebook; the rest is plain."""

LEXERS = {"": "python", "ipython": "python", "c++11": "c++", "c++14": "c++", "c++17": "c++", "sage": "python"}
"""Names of languages that Pygments does not know."""


MAGIC_LEXERS = {
    **{name: name for name in ("bash", "html", "javascript", "latex", "markdown", "perl", "ruby", "sql")},
    "js": "javascript",
    "HTML": "html",
    "sh": "bash",
    "svg": "xml",
}
"""Lexers of cells that begin with a cell magic such as `%%bash`."""


@dataclass
class CellWriter:
    """Writes the cells of one notebook."""

    outputs: OutputWriter
    remarks: Remarks
    language: str
    prompts: bool
    _highlighted: int = 0

    def write(self, shown: ShownCell) -> str:
        """Return a cell as HTML; empty if it has nothing to show."""
        cell = shown.cell
        if cell.kind == "code":
            return self._code_cell(shown)
        if not cell.source.strip():
            return ""
        if cell.kind == "markdown":
            return f'<section class="cell markdown">{markdown_html(cell.source, self.remarks, cell)}</section>'
        return f'<section class="cell raw"><pre>{escape(cell.source, quote=False)}</pre></section>'

    def _code_cell(self, shown: ShownCell) -> str:
        parts = [self._source(shown.cell)] if shown.has_input and shown.cell.source.strip() else []
        parts += filter(None, map(self._output, shown.cell.outputs))
        return f'<section class="cell code">{"".join(parts)}</section>' if parts else ""

    def _source(self, cell: Cell) -> str:
        number = " " if cell.count is None else f"{cell.count}"
        return self._row(
            "input", f"[{number}]", f'<pre class="source"><code>{self._highlight(cell.source)}</code></pre>'
        )

    def _highlight(self, source: str) -> str:
        from mediakit.engines.rich_text.highlighting import highlight

        self._highlighted += len(source)
        if self._highlighted > MAX_HIGHLIGHTED_CHARACTERS:
            return escape(source, quote=False)
        return highlight(source, _lexer(self.language, source))

    def _output(self, output: Output) -> str:
        html = self.outputs.write(output)
        if not html:
            return ""
        prompt = f"[{output.count}]" if output.is_result and output.count is not None else ""
        return self._row(f"output {output.kind}", prompt, html)

    def _row(self, kind: str, prompt: str, html: str) -> str:
        label = f'<div class="prompt" aria-hidden="true">{prompt}</div>' if self.prompts else ""
        return f'<div class="{kind}">{label}<div class="content">{html}</div></div>'


def _lexer(language: str, source: str) -> str:
    """Return the name of the lexer for a cell: that of its cell magic, or of the kernel's language."""
    magic = source[2:].split(None, 1)[0] if source.startswith("%%") and source[2:].strip() else ""
    return MAGIC_LEXERS.get(magic) or LEXERS.get(language, language)
