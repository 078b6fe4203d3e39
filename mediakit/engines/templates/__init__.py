"""Six page templates with example texts in English and Spanish."""

from collections.abc import Mapping
from typing import Literal

from mediakit.core.messages import nearest, quote
from mediakit.engines.templates.designs.certificate import CERTIFICATE
from mediakit.engines.templates.designs.invoice import INVOICE
from mediakit.engines.templates.designs.og import OG
from mediakit.engines.templates.designs.receipt import RECEIPT
from mediakit.engines.templates.designs.social import SOCIAL
from mediakit.engines.templates.designs.youtube import YOUTUBE
from mediakit.engines.templates.template import Page, Template

__all__ = ["TEMPLATES", "Page", "Template", "TemplateName", "check_source"]

TemplateName = Literal["social", "og", "invoice", "receipt", "certificate", "youtube"]

TEMPLATES: dict[str, Template] = {
    template.name: template for template in (SOCIAL, OG, INVOICE, RECEIPT, CERTIFICATE, YOUTUBE)
}


def check_source(html: str | None, template: str | None, data: Mapping[str, str] | None) -> None:
    """Check that a request has either HTML or a template, and that `data` is valid for the template.

    Raises:
        ValueError: Neither or both are given, a key is unknown, or a text is invalid.
    """
    if template is not None and html is not None:
        raise ValueError("html, template: only one of the two is allowed, got both.")
    if template is None and html is None:
        raise ValueError("html, template: one of the two is required.")
    if template is None and data is not None:
        raise ValueError("data: requires template, not html.")
    if template is not None:
        _check_data(TEMPLATES[template], data or {})


def _check_data(template: Template, data: Mapping[str, str]) -> None:
    for name, text in data.items():
        key = template.by_name.get(name)
        if key is None:
            hint = nearest(name, list(template.by_name))
            raise ValueError(f"data: {quote(name)} is not a key of {template.name}; {hint}")
        if problem := key.problem(text):
            raise ValueError(f"data.{name}: {problem}")
