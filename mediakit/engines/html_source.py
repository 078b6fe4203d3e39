"""What `capture` and `pdf` draw: HTML, or a template and its data."""

from dataclasses import KW_ONLY
from typing import Self

from pydantic import model_validator

from mediakit.core.fields import Html, Language
from mediakit.core.request import request
from mediakit.engines.templates import TEMPLATES, Page, Template, TemplateName, check_source


@request
class HtmlSource:
    """The fields that every request drawn from HTML begins with."""

    html: Html | None = None
    """HTML to draw: a document or a fragment, at most 5 MB. Scripts never run."""
    _: KW_ONLY
    template: TemplateName | None = None
    """Name of a template to draw instead of `html`; `GET /templates` lists their keys, limits and examples."""
    data: dict[str, str] | None = None
    """Texts for the template, by key; keys left out keep their example text, an empty text hides its element."""
    lang: Language = "en"
    """Language of the template's example texts and labels."""

    @property
    def pattern(self) -> Template | None:
        """The template that was asked for."""
        return TEMPLATES[self.template] if self.template else None

    def page(self, width: float, height: float, *, grow: bool = False) -> Page:
        """Give the HTML to draw on a page of this size in CSS pixels, or higher where a template may `grow`."""
        if self.pattern:
            return self.pattern.fill(self.data or {}, self.lang, width=width, height=height, grow=grow)
        return Page(self.html or "", round(width), round(height))

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        check_source(self.html, self.template, self.data)
        return self
