"""Features of the type of a page: what its structured data and its address say about it."""

import re
from urllib.parse import urlsplit

from mediakit.engines.markdown.html.elements import split_words
from mediakit.tools.documents.web_to_markdown.reader.features.missing import NOT_PRESENT
from mediakit.tools.documents.web_to_markdown.reader.metadata.structured_data import StructuredData, node_types

_SCHEMA_TYPES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"article|posting|report$",
        r"^product|^offer|vehicle|^book$|^movie$",
        r"itemlist|collectionpage|searchresults|^offercatalog|^blog$|^newsarticlelist",
        r"discussionforum|^question$|^qapage$|^comment$",
        r"^service|localbusiness|organization|professionalservice",
        r"^recipe|howto|faqpage|techarticle|^course",
    )
)
"""Types of linked data: articles, products, lists, forums, businesses and instructions."""

_DATE_PATH = re.compile(r"/(?:19|20)\d\d(?:/|-)\d{1,2}|\d{5,}")
_SECTION_PATH = re.compile(
    r"/(?:category|categories|tag|tags|topics?|collections?|shop|products?|search|listing|browse|c|blog|news)/?$",
    re.IGNORECASE,
)
_FORUM_PATH = re.compile(
    r"forum|thread|topic|viewtopic|showthread|/t/|/questions?/|community|discussion", re.IGNORECASE
)
_DOCS_PATH = re.compile(
    r"/(?:docs?|documentation|manual|reference|guide|api|learn|help|wiki|kb|support)(?:/|$)|^docs?\.|readthedocs",
    re.IGNORECASE,
)
_PRODUCT_PATH = re.compile(r"/(?:products?|p|dp|item|shop|pd)/", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{2,}")

PAGE_TYPE_FEATURES = split_words(
    "is_article is_product is_list is_forum is_business is_instructions og_article og_product og_website data_has_date "
    "data_has_author path_parts path_has_date path_is_section path_is_forum path_is_docs path_is_product path_words "
    "path_is_html has_query"
)


def page_type_features(data: StructuredData, url: str) -> list[float]:
    """Return the features in the order of `PAGE_TYPE_FEATURES`.

    Args:
        data: The structured data of the page.
        url: The address of the page, or an empty string.
    """
    return [*_data_features(data), *_url_features(url)]


def _data_features(data: StructuredData) -> list[float]:
    types = [name for node in data.nodes for name in node_types(node)]
    open_graph = (data.first("og:type") or "").lower()
    has_date = data.first("article:published_time", "datepublished") is not None
    return [
        *(float(any(pattern.search(name) for name in types)) for pattern in _SCHEMA_TYPES),
        float("article" in open_graph),
        float("product" in open_graph),
        float(open_graph in ("website", "")),
        float(has_date or any("datePublished" in node for node in data.nodes)),
        float(data.first("author", "article:author") is not None),
    ]


def _url_features(url: str) -> list[float]:
    parts = urlsplit(url)
    host, path = (parts.hostname or "", parts.path) if url else ("", "")
    last = path.rstrip("/").rpartition("/")[2]
    return [
        float(len([part for part in path.split("/") if part])) if url else NOT_PRESENT,
        float(_DATE_PATH.search(path) is not None),
        float(_SECTION_PATH.search(path) is not None),
        float(_FORUM_PATH.search(host + path) is not None),
        float(_DOCS_PATH.search(path) is not None or host.startswith(("docs.", "developer."))),
        float(_PRODUCT_PATH.search(path) is not None),
        float(len(_WORD.findall(last.lower()))),
        float(last.endswith((".html", ".htm", ".php"))),
        float(bool(parts.query)),
    ]
