"""Features of a whole page: its length, elements and sections, its structured data and its address."""

import math
import re
from collections import Counter
from urllib.parse import urlsplit

from mediakit.engines.markdown.html.elements import split_words
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import StructuredData, node_types
from mediakit.tools.documents.web_to_markdown.scoring.text_features import HEADING_TAGS, NOT_PRESENT, BlockColumns
from mediakit.tools.documents.web_to_markdown.text_blocks import SECTIONS, Region

_PAGE_SECTIONS = ("article", "main", "list", "table", "nav")

PAGE_FEATURES = (
    "page_log_chars",
    "page_log_blocks",
    "page_link_density",
    "page_prose_share",
    "page_prose_blocks",
    "page_prose_mean_chars",
    "page_li_share",
    "page_td_share",
    "page_heading_share",
    "page_h1_count",
    "page_top_share",
    "page_top_link_density",
    *(f"page_{section}_share" for section in _PAGE_SECTIONS),
)


def page_features(columns: BlockColumns, top: Region) -> list[float]:
    """Return the features in the order of `PAGE_FEATURES`. `top` is the region that a reader view would choose."""
    import numpy as np

    blocks, total_chars = columns.blocks, columns.total_chars
    sections = np.array([block.region.sections for block in blocks])
    prose_chars, prose_blocks = int(columns.prose_chars.sum()), int((columns.prose_chars > 0).sum())
    tags = Counter(block.region.tag for block in blocks)
    return [
        math.log1p(total_chars),
        math.log1p(len(blocks)),
        int(columns.link_chars.sum()) / total_chars,
        prose_chars / total_chars,
        float(prose_blocks),
        prose_chars / max(1, prose_blocks),
        tags["li"] / len(blocks),
        tags["td"] / len(blocks),
        sum(tags[tag] for tag in HEADING_TAGS) / len(blocks),
        float(tags["h1"]),
        top.chars / total_chars,
        top.link_chars / max(1, top.chars),
        *(int(columns.chars @ (sections >> SECTIONS.index(name) & 1)) / total_chars for name in _PAGE_SECTIONS),
    ]


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
    """Return the features in the order of `PAGE_TYPE_FEATURES`. The address of the page may be empty."""
    types = [name for node in data.nodes for name in node_types(node)]
    open_graph = (data.first("og:type") or "").lower()
    has_date = data.first("article:published_time", "datepublished") is not None
    parts = urlsplit(url)
    host, path = (parts.hostname or "", parts.path) if url else ("", "")
    last = path.rstrip("/").rpartition("/")[2]
    return [
        *(float(any(pattern.search(name) for name in types)) for pattern in _SCHEMA_TYPES),
        float("article" in open_graph),
        float("product" in open_graph),
        float(open_graph in ("website", "")),
        float(has_date or any("datePublished" in node for node in data.nodes)),
        float(data.first("author", "article:author") is not None),
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
