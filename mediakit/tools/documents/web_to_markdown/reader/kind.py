"""What kind of page it is, as far as the page and its address say: an article, a product, a list of others."""

import re
from urllib.parse import urlsplit

from mediakit.tools.documents.web_to_markdown.markdown.elements import named
from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import Statements, types

_ARTICLE = re.compile(r"article|posting|report$", re.IGNORECASE)
_PRODUCT = re.compile(r"^product|^offer|vehicle|^book$|^movie$", re.IGNORECASE)
_LIST = re.compile(r"itemlist|collectionpage|searchresults|^offercatalog|^blog$|^newsarticlelist", re.IGNORECASE)
_FORUM = re.compile(r"discussionforum|^question$|^qapage$|^comment$", re.IGNORECASE)
_PLACE = re.compile(r"^service|localbusiness|organization|professionalservice", re.IGNORECASE)
_HOW = re.compile(r"^recipe|howto|faqpage|techarticle|^course", re.IGNORECASE)
_DATED = re.compile(r"/(?:19|20)\d\d(?:/|-)\d{1,2}|\d{5,}")
_SECTION = re.compile(
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

NAMES = named(
    "is_article is_product is_list is_forum is_place is_how og_article og_product og_site states_date "
    "states_author path_parts path_dated path_section path_forum path_docs path_product path_words path_html "
    "query"
)


def kind_of(stated: Statements, address: str) -> list[float]:
    """Give what a page and its address state about its kind, in the order of `NAMES`."""
    kinds = [kind for node in stated.nodes for kind in types(node)]
    og = (stated.first("og:type") or "").lower()
    parts = urlsplit(address) if address else None
    path = parts.path if parts else ""
    last = path.rstrip("/").rpartition("/")[2]
    host = (parts.hostname or "") if parts else ""
    return [
        *(
            float(any(pattern.search(kind) for kind in kinds))
            for pattern in (_ARTICLE, _PRODUCT, _LIST, _FORUM, _PLACE, _HOW)
        ),
        float("article" in og),
        float("product" in og),
        float(og in ("website", "")),
        float(
            stated.first("article:published_time", "datepublished") is not None
            or any("datePublished" in node for node in stated.nodes)
        ),
        float(stated.first("author", "article:author") is not None),
        float(len([part for part in path.split("/") if part])) if address else -1.0,
        float(_DATED.search(path) is not None),
        float(_SECTION.search(path) is not None),
        float(_FORUM_PATH.search(host + path) is not None),
        float(_DOCS_PATH.search(path) is not None or host.startswith(("docs.", "developer."))),
        float(_PRODUCT_PATH.search(path) is not None),
        float(len(re.findall(r"[a-z]{2,}", last.lower()))),
        float(last.endswith((".html", ".htm", ".php"))),
        float(bool(parts and parts.query)),
    ]
