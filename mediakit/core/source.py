"""What `capture` and `pdf` draw: HTML, or a template and its data."""

from dataclasses import KW_ONLY
from typing import Literal, Self

from pydantic import model_validator

from mediakit.core.fields import Html, Language
from mediakit.core.request import request

Template = Literal["social", "og", "invoice", "receipt", "certificate", "youtube"]


@request
class HtmlSource:
    """The fields that every request drawn from HTML begins with."""

    html: Html | None = None
    """HTML to draw: a document or a fragment, at most 5 MB. Scripts never run."""
    _: KW_ONLY
    template: Template | None = None
    """Name of a template to draw instead of `html`."""
    data: dict[str, str] | None = None
    """Texts for the template, by key."""
    lang: Language = "en"
    """Language of the template's example texts."""

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if self.template is not None and self.html is not None:
            raise ValueError("html, template: give one of them, not both.")
        if self.template is not None:
            raise ValueError("template: templates are not available in this version; send html.")
        if self.html is None:
            raise ValueError("html: is required.")
        if self.data is not None:
            raise ValueError("data: goes with a template, not with html.")
        return self
