"""One style of a template: its parsed HTML and CSS."""

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from mediakit.engines.fonts import FILES, Family
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.markup.nodes import Node, render_all
from mediakit.engines.templates.markup.parser import MarkupParser
from mediakit.engines.templates.markup.problems import Problem
from mediakit.engines.templates.markup.scope import Scope
from mediakit.engines.templates.page_texts import PageTexts


@dataclass(frozen=True)
class Design:
    """A parsed HTML file of a template."""

    css: str
    body: tuple[Node, ...]
    text: str
    """The fixed texts of the file."""
    families: tuple[Family, ...]
    """Font families that the file uses."""
    columns: tuple[str, ...]
    """Columns of the item rows."""
    problems: tuple[Problem, ...] = ()

    def render(self, texts: PageTexts) -> str:
        """Return the body of the page with texts."""
        return render_all(self.body, Scope(texts, self.columns))


def parse_design(source: str, manifest: Manifest, file: str) -> Design:
    """Return the design of an HTML file with its problems."""
    parser = MarkupParser(manifest, file)
    body = parser.parse(source)
    families = tuple(family for family in FILES if family == "sans" or _uses(family, source))
    unused = [Problem(file, 0, message, is_warning=True) for message in parser.unused(manifest)]
    problems = (*parser.problems, *([] if manifest.is_bundled else unused))
    return Design(parser.css, body, unescape(parser.text), families, manifest.item_columns, problems)


def _uses(family: Family, source: str) -> bool:
    """Return whether a file uses a font: in `data-fit`, as a class or as a CSS font family."""
    return bool(re.search(rf'family:\s*{family}\b|Mediakit {family}\b|class="[^"]*\b{family}\b', source))


def load_design(file: Path, manifest: Manifest) -> Design:
    """Return the design of a file with its problems."""
    try:
        source = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = Problem(str(file), 0, f"cannot be read: {getattr(error, 'strerror', None) or error}")
        return Design("", (), "", ("sans",), manifest.item_columns, (problem,))
    return parse_design(source, manifest, str(file))
