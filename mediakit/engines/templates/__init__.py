"""Page templates with example texts in English and Spanish: six of this package, and own ones."""

from collections.abc import Mapping
from typing import Literal

from mediakit.core.messages import nearest, quote
from mediakit.engines.templates.manifest import DESIGNS
from mediakit.engines.templates.registry import TEMPLATES, TemplateName
from mediakit.engines.templates.template import Page, Template

__all__ = ["DESIGNS", "TEMPLATES", "Defaults", "Page", "Template", "TemplateName", "check_source"]

Defaults = Literal["example", "blank", "error"]
"""What the keys that `data` omits contain: their example text, no text, or an error."""


def check_source(
    html: str | None,
    template: str | None,
    data: Mapping[str, str] | None,
    *,
    lang: str = "en",
    defaults: Defaults | None = None,
    style: str | None = None,
) -> None:
    """Check that a request has either HTML or a template, and that its options are valid for the template.

    Raises:
        ValueError: Neither or both are given, a key or the style is unknown, a text is invalid, or `defaults` is
            `error` and a key with an example text is omitted.
    """
    if template is not None and html is not None:
        raise ValueError("html, template: only one of the two is allowed, got both.")
    if template is None and html is None:
        raise ValueError("html, template: one of the two is required.")
    if template is None:
        for name, value in (("data", data), ("defaults", defaults), ("style", style)):
            if value is not None:
                raise ValueError(f"{name}: requires template, not html.")
        return
    if style is not None and (problem := TEMPLATES[template].style_problem(style)):
        raise ValueError(f"style: {problem}")
    _check_data(TEMPLATES[template], data or {})
    if defaults == "error":
        _check_complete(TEMPLATES[template], data or {}, lang)


def _check_data(template: Template, data: Mapping[str, str]) -> None:
    for name, text in data.items():
        key = template.by_name.get(name)
        if key is None:
            hint = nearest(name, list(template.by_name))
            raise ValueError(f"data: {quote(name)} is not a key of {template.name}; {hint}")
        if problem := key.problem(text):
            raise ValueError(f"data.{name}: {problem}")


def _check_complete(template: Template, data: Mapping[str, str], lang: str) -> None:
    if omitted := template.examples_used(data, lang):
        raise ValueError(
            f'data: with defaults "error", every text of {template.name} is required; omitted: {", ".join(omitted)}. '
            "An empty text hides its element."
        )
