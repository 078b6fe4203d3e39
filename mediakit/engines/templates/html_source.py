"""Request fields shared by `capture` and `pdf`: HTML, or a template and its data."""

import base64
import os
from collections.abc import Mapping
from dataclasses import KW_ONLY, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from mediakit.core.fields import Html, Language
from mediakit.core.inputs import FileSource
from mediakit.core.media import detect, kind_of, type_of
from mediakit.core.messages import nearest, quote
from mediakit.core.request import request
from mediakit.core.runtime import runtime
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TEXTS, load_text, media_of, text_of
from mediakit.engines.guarded import run_guarded
from mediakit.engines.rich_text.page import Medium, text_page
from mediakit.engines.templates import TEMPLATES, Page, Template, TemplateName
from mediakit.engines.templates.registry import unknown_template
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

Defaults = Literal["example", "blank", "error"]
"""What the keys that `data` omits contain: their example text, no text, or an error."""

MAX_LISTED_KEYS = 8
"""Keys that the warning about example texts lists."""


class _TemplateNames:
    """Validates the name of a template. The schema lists the names at the time it is made."""

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_check_template)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"enum": list(TEMPLATES), "type": "string"}


def _check_template(name: Any) -> str:
    if not isinstance(name, str) or name not in TEMPLATES:
        raise ValueError(unknown_template(name))
    return name


TemplateField = Annotated[TemplateName | str, _TemplateNames()]
"""The name of a template of this package, or of an own one."""


def adapt_source(values: Mapping[str, Any], *, medium: Medium = "screen") -> dict[str, Any]:
    """Return the arguments of a Python call with `html` as HTML, and the images of `data` that are paths as data: URIs.

    `html` may be a styled table of pandas or a table of great_tables, which write their own HTML; or a file or a result
    with Markdown or plain text, which becomes a page, with a margin for print.

    Raises:
        InvalidInput: A file cannot be read.
    """
    arguments = dict(values)
    html = values.get("html")
    for name in ("as_raw_html", "to_html"):  # of great_tables, and of the Styler of pandas
        if not isinstance(html, str) and callable(write := getattr(html, name, None)):
            arguments["html"] = write()
            break
    if isinstance(html, os.PathLike | FileSource) and kind_of(media_of(html)) in ("markdown", "text"):
        arguments["html"] = _page_of_text(html, medium)
        if medium == "print":
            arguments.setdefault("margin", 20)  # millimeters
    data = values.get("data")
    if isinstance(data, Mapping):
        arguments["data"] = {key: _data_uri(key, value) for key, value in data.items()}
    return arguments


def _page_of_text(source: os.PathLike[str] | FileSource, medium: Medium) -> str:
    try:
        text, title = load_text(source, TEXTS), getattr(source, "title", None) or ""
    except ValueError as error:
        raise InvalidInput(f"html: {error}") from None
    arguments = text, title, medium, kind_of(media_of(source)) == "markdown"
    return text_page(*arguments) if runtime.inside else runtime.run(run_guarded(text_page, *arguments, field="html"))


def _data_uri(key: Any, value: Any) -> Any:
    if not isinstance(value, os.PathLike):
        return value
    try:
        content = Path(value).read_bytes()
    except OSError as error:
        raise InvalidInput(f"data.{key}: cannot read {value}: {error.strerror}.") from None
    media_type = detect(content) or type_of(Path(value)) or "application/octet-stream"
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def key_of_template(name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return that `data` takes a name that is a key of the template in some values; None for other names."""
    template = TEMPLATES.get(str(values.get("template")))
    return ("data", f"a key of the template {quote(template.name)}") if template and name in template.by_name else None


def _example_text_warning(keys: list[str]) -> ResultWarning:
    """Return the warning that keys of a template, which `data` omits, print their example text."""
    more = [f"{len(keys) - MAX_LISTED_KEYS} more"] if len(keys) > MAX_LISTED_KEYS else []
    *others, last = [*keys[:MAX_LISTED_KEYS], *more]
    listed = f"{', '.join(others)} and {last} print" if others else f"{last} prints"
    hint = f'Set {"them" if others else "it"} in data ("" prints nothing), or pass defaults="blank".'
    return {"code": "example_text", "message": f"data: {listed} the example text of the template. {hint}"}


@request
class HtmlSource:
    """The first fields of every request that renders HTML."""

    html: Html | None = None
    """HTML to render: a document or a fragment, at most 5 MB. Scripts do not run."""
    _: KW_ONLY
    template: Annotated[TemplateField | None, Synonyms("template_name, preset, layout")] = None
    """Name of a template to render instead of `html`. `GET /templates` lists their keys and limits."""
    data: Annotated[dict[str, str] | None, Synonyms("values, variables, context, texts, fields")] = None
    """Texts for the template, by key. `defaults` sets what omitted keys contain; an empty text hides its element."""
    lang: Language = "en"
    """Language of the template's example texts and labels."""
    defaults: Annotated[Defaults | None, Field(json_schema_extra={"default": "example"})] = None
    """What the keys that `data` omits contain: `example` prints their example text, `blank` leaves them empty, and
    `error` rejects the request and names them. `accent` and `logo` can always be omitted."""

    style: Annotated[str | None, Field(min_length=1, max_length=60), Synonyms("design, variant, look")] = None
    """Design of the template, one of the styles that `GET /templates` lists. The default is its first style."""

    @classmethod
    def member_of(cls, name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return the field that takes a key of the template, and what the name is; None for other names."""
        return key_of_template(name, values)

    @property
    def selected_template(self) -> Template | None:
        """The template that `template` names, or None."""
        return TEMPLATES[self.template] if self.template else None

    def page(self, width: float, height: float, *, grow: bool = False) -> Page:
        """Return the HTML for a page of this size in CSS pixels. With `grow`, a template may be higher."""
        if template := self.selected_template:
            page = template.fill(
                self.data or {},
                self.lang,
                style=self.style,
                width=width,
                height=height,
                grow=grow,
                blank=self.defaults == "blank",
            )
            examples = page.meta["defaults_used"]
            if self.defaults is None and examples:
                return replace(page, meta={**page.meta, "warnings": [_example_text_warning(examples)]})
            return page
        return Page(text_of(self.html or ""), round(width), round(height))

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if self.html is not None and self.template is not None:
            raise ValueError("html, template: only one of the two is allowed, got both.")
        if template := self.selected_template:
            self._check_template(template, self.data or {})
            return self
        if self.html is None:
            raise ValueError("html, template: one of the two is required.")
        for name in ("data", "defaults", "style"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name}: requires template, not html.")
        return self

    def _check_template(self, template: Template, data: Mapping[str, str]) -> None:
        """Check the style and the texts, and with `defaults="error"` that no text with an example is omitted."""
        if self.style is not None and (problem := template.style_problem(self.style)):
            raise ValueError(f"style: {problem}")
        for name, text in data.items():
            if (key := template.by_name.get(name)) is None:
                hint = nearest(name, list(template.by_name))
                raise ValueError(f"data: {quote(name)} is not a key of {template.name}; {hint}")
            if problem := key.problem(text):
                raise ValueError(f"data.{name}: {problem}")
        if self.defaults == "error" and (omitted := template.examples_used(data, self.lang)):
            raise ValueError(
                f'data: with defaults "error", every text of {template.name} is required; omitted: '
                f"{', '.join(omitted)}. An empty text hides its element."
            )
