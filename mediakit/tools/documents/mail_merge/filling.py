"""Fills HTML, a Word template or a PDF form for several rows, and joins PDFs; runs in a worker."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import nodes

from mediakit.core.parameters import as_text
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.forms import FormOptions
from mediakit.engines.pdf.forms.filling import work
from mediakit.engines.pdf.opening import MAX_PAGES, open_pdf, warn_of_lost_protection
from mediakit.engines.templates.filters import HTML_FILTERS
from mediakit.engines.templates.html import NONCHARACTERS, HtmlTemplate, compile_html
from mediakit.engines.templates.language import Language, LanguageError
from mediakit.engines.templates.rendering import DataError, Rendering, Tag
from mediakit.engines.word_templates.filling import fill
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.rows import Document, Joined, without_field

MAX_PAGE_BYTES = 5_000_000
"""Bytes of a page."""

_MISSING = re.compile(r"(.+) is missing\.", re.DOTALL)
_CALL = re.compile(r"\w\.\w+\s*\(|\w\(\s*\)")
"""A call such as `name.upper()`, other than the column `Price (EUR)`."""
_COLUMN = "\ua7f8"
"""A letter that begins the names that stand for columns while Jinja has them."""
_STAND_IN = re.compile(rf"{_COLUMN}\d+")


def columns_of(html: str) -> list[str]:
    """Return the columns that own HTML asks for, without the members of the items of lists.

    Raises:
        InvalidInput: The HTML does not follow the language, or a tag stands where no value can be escaped.
    """
    template, language = _compiled(html)
    lists = tuple(f"{field.name}." for field in template.template.fields if field.kind == "list")
    names = (field.name for field in template.template.fields if not field.name.startswith(lists))
    return list(dict.fromkeys(map(language.named, names)))


def fill_html(html: str, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return the page of each row, or why there is none.

    Raises:
        InvalidInput: The HTML does not follow the language, or a tag stands where no value can be escaped.
    """
    template, language = _compiled(html)
    return [_page(template, language, row) for row in rows]


def _compiled(html: str) -> tuple[HtmlTemplate, "ColumnLanguage"]:
    html = NONCHARACTERS.sub("", html)
    if (at := html.find("{{{")) >= 0:
        name = html[at + 3 : at + 43].partition("}")[0].strip()
        raise InvalidInput(
            f"html: {{{{{{ {name} }}}}}} would not escape its value; write {{{{ {name} }}}}, which does."
        )
    language = ColumnLanguage()
    try:
        return compile_html(html, language), language
    except LanguageError as error:
        raise InvalidInput(f"html: {error}") from None


def _page(template: HtmlTemplate, language: "ColumnLanguage", row: Mapping[str, Any]) -> Document:
    values = {name: _plain(value) for name, value in row.items()}
    values |= {name: values[column] for name, column in language.columns.items() if column in values}
    rendering = Rendering(values)
    try:
        page = template.fill(rendering).encode("utf-8", "replace")
    except DataError as error:
        return Document(b"", error=f"{language.named(error.reason)}.")
    if rendering.missing:
        return Document(b"", missing=language.named(next(iter(rendering.missing))))
    if len(page) > MAX_PAGE_BYTES:
        return Document(b"", error="its HTML must have at most 5 MB.")
    return Document(page)


class ColumnLanguage(Language):
    """The language of own HTML, in which `{{ First name }}` prints a column with any name."""

    def __init__(self) -> None:
        super().__init__(HTML_FILTERS)
        self.columns: dict[str, str] = {}
        """The columns by the names that stand for them."""

    def tag(self, source: str, line: int = 1) -> Tag:
        """Return the tag that a text spells.

        Raises:
            LanguageError: It does not follow the language.
        """
        try:
            tag = super().tag(source, line)
        except LanguageError:
            if source.startswith("{{") and not _CALL.search(source) and (found := self._column_tag(source, line)):
                return found
            raise
        return (isinstance(tag.expression, nodes.Const) and self._column_tag(source, line)) or tag

    def _column_tag(self, source: str, line: int) -> Tag | None:
        """Return the tag of a column whose name Jinja does not know; None if its filters do not follow the language."""
        column, pipe, filters = (part.strip() for part in source[2:-2].partition("|"))
        if not column:
            return None
        name = next((name for name, known in self.columns.items() if known == column), f"{_COLUMN}{len(self.columns)}")
        try:
            tag = super().tag(f"{{{{ {name} {pipe} {filters} }}}}", line)
        except LanguageError:
            return None
        self.columns[name] = column
        return tag._replace(source=source)

    def named(self, text: str) -> str:
        """Return a text with the columns instead of the names that stand for them."""
        return _STAND_IN.sub(lambda match: self.columns.get(match[0], match[0]), text)


def _plain(value: Any) -> Any:
    """Return a value of a row as the language takes it: whole numbers without decimals, dates as text."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if value is None or isinstance(value, str | bool | int | float) else as_text(value)


def fill_word(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return a Word file for each row, or why there is none."""
    documents = []
    for row in rows:
        try:
            filled = fill(content, row)
            documents.append(Document(filled.content or b"", warnings=filled.warnings))
        except InvalidInput as error:
            missing = next((match for each in error.details if (match := _MISSING.fullmatch(each["message"]))), None)
            documents.append(Document(b"", missing=missing[1] if missing else "", error=without_field(str(error))))
    return documents


def fill_form(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return a filled form for each row, or why there is none."""
    documents = []
    for row in rows:
        try:
            made = work(content, FormOptions(row, strict=False))
            documents.append(Document(made.content or b"", made.pages, warnings=made.warnings))
        except InvalidInput as error:
            documents.append(Document(b"", error=without_field(str(error))))
    return documents


def join(contents: Sequence[bytes], titles: Sequence[str]) -> Joined:
    """Return one PDF with a bookmark for each document.

    Raises:
        InvalidInput: The documents have too many pages together.
    """
    sources = [open_pdf(content, "file", []) for content in contents]
    count = sum(len(source.pages) for source in sources)
    if count > MAX_PAGES:
        raise InvalidInput(f"rows: make {count} pages; the most is {MAX_PAGES}.")
    assembly = Assembly("files")
    for source, title in zip(sources, titles, strict=True):
        warn_of_lost_protection(source)
        assembly.add(source, range(len(source.pages)), title, leads=not assembly.count)
    assembly.finish()
    warnings = dict.fromkeys(sentence for source in sources for sentence in source.warnings)
    if assembly.fields.renamed:
        warnings["Form fields have a number in their new names, because every document has the same ones."] = None
    return Joined(assembly.save(), count, list(warnings))
