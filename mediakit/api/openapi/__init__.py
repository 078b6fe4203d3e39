"""The OpenAPI 3.1 document, generated from the requests and results of the tools."""

from mediakit.api.openapi.errors import ABSTRACT, OPTIONAL, errors_of
from mediakit.api.openapi.operations import API_VERSION, SERVICE_TOOLS, document

__all__ = ["ABSTRACT", "API_VERSION", "OPTIONAL", "SERVICE_TOOLS", "document", "errors_of"]
