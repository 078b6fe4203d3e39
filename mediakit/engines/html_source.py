"""Request fields shared by `capture` and `pdf`: HTML, or a template and its data."""

from dataclasses import KW_ONLY
from typing import Self

from pydantic import model_validator

from mediakit.core.fields import Html, Language
from mediakit.core.request import request
from mediakit.engines.templates import TEMPLATES, Page, Template, TemplateName, check_source


@request
class HtmlSource:
    """The first fields of every request that renders HTML."""

    html: Html | None = None
    """HTML to render: a document or a fragment, at most 5 MB. Scripts do not run."""
    _: KW_ONLY
    template: TemplateName | None = None
    """Name of a template to render instead of `html`. `GET /templates` lists their keys and limits."""
    data: dict[str, str] | None = None
    """Texts for the template, by key. Omitted keys keep their example text; an empty text hides its element."""
    lang: Language = "en"
    """Language of the template's example texts and labels."""

    @property
    def selected_template(self) -> Template | None:
        """The template that `template` names, or None."""
        return TEMPLATES[self.template] if self.template else None

    def page(self, width: float, height: float, *, grow: bool = False) -> Page:
        """Return the HTML for a page of this size in CSS pixels. With `grow`, a template may be higher."""
        if self.selected_template:
            return self.selected_template.fill(self.data or {}, self.lang, width=width, height=height, grow=grow)
        return Page(self.html or "", round(width), round(height))

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        check_source(self.html, self.template, self.data)
        return self
