"""Page templates with example texts in English and Spanish: six of this package, and own ones."""

from mediakit.engines.templates.manifest import DESIGNS
from mediakit.engines.templates.registry import TEMPLATES, TemplateName
from mediakit.engines.templates.template import Page, Template

__all__ = ["DESIGNS", "TEMPLATES", "Page", "Template", "TemplateName"]
