"""Authors as pages write them, to names."""

import re
from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import Statements, text, types

LONGEST = 600
"""Characters of all the names."""

MOST = 20
"""Names of those who wrote a page."""

_BY = re.compile(
    r"^\s*(?:(?:written|posted|published|article|story|words|review|reviewed|text|report|reporting)\s+)?(?:by|von|par|por|di|door|af|av|author|autor(?:in)?|auteur|autore|作者|記者|文)\s*[:：|]?\s+|^\s*(?:by|author|autor|auteur|作者|著者|記者|文)\s*[:：]\s*|^\s*(?:By|BY)(?=[A-Z][a-z])",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:[|•·–—]\s*.*|\s+is\s+(?:an?\s|the\s|[A-Z]).*|\s+\d{1,2}\.?\s+\w+\.?\s+(?:19|20)\d\d.*|"
    r"\s-\s.*|,?\s+(?:on|am|le|at|in|for)\s+\w+\s+\d.*|\b(?:updated|published|"
    r"posted|last updated|\d{1,2}\s+(?:min|hours?|days?)\b).*|[,]?\s*\b\w+\.?\s+\d{1,2},?\s+(?:19|20)\d\d.*|\b(?:19|"
    r"20)\d\d[-/.年].*|@\w+.*|\d{1,2}:\d{2}.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOT_A_NAME = re.compile(
    r"^(?:https?:|www\.|@|/)|^(?:admin|administrator|unknown|null|none|undefined|anonymous|editor|webmaster|"
    r"author|staff writer|guest)$|[{}<>]|^\W*$",
    re.IGNORECASE,
)
_SIGNED = "//*[@rel='author' or contains(concat(' ',@rel,' '),' author ')]"
_STATED = "//*[contains(@itemprop,'author')]"
_NAMED = "//*[{}]".format(
    " or ".join(
        f"contains(@{attribute},'{part}')"
        for attribute in ("class", "id")
        for part in ("uthor", "UTHOR", "yline", "yLine", "YLINE")
    )
)
"""Finds what may be named so without turning each name of the page into small letters."""

_CLASSES = (
    "byline",
    "author-name",
    "author__name",
    "authorname",
    "author_name",
    "post-author",
    "entry-author",
    "p-author",
    "author",
)
"""Parts of names, the surest first."""

_PROFILES = "//a[contains(@href,'/author/') or contains(@href,'/authors/') or contains(@href,'/profile/author')]"
_ELSEWHERE = re.compile(
    r"comment|related|sidebar|widget|footer|recommend|popular|reply|avatar|bio\b|about-?author|author-?(?:box|bio|info|desc)",
    re.IGNORECASE,
)


def byline(statements: Statements, root: HtmlElement) -> str | None:
    """Name who wrote a page."""
    publishers = _publishers(statements)
    otherwise = None
    for candidate in _stated(statements):
        if candidate and (name := clean(candidate)):
            if name.casefold() not in publishers:
                return name
            otherwise = otherwise or name
    return _shown(root) or otherwise


def _publishers(statements: Statements) -> set[str]:
    """Name those who publish, who often stand where the author should."""
    nodes = [statements.refer(node.get("publisher")) for node in statements.nodes]
    names = [text(node.get("name")) for node in nodes if isinstance(node, dict)]
    stated = statements.first("og:site_name"), statements.first("copyright"), statements.first("application-name")
    authors = [statements.refer(node.get("author")) for node in statements.nodes]
    houses = [node for node in (*statements.nodes, *authors) if isinstance(node, dict) and _is_house(node)]
    return {name.casefold() for name in (*names, *stated, *(text(house.get("name")) for house in houses)) if name}


def _is_house(node: dict[str, Any]) -> bool:
    return any(kind.endswith("Organization") for kind in types(node))


def clean(words: str) -> str | None:
    """Give the names in a byline; None where there are none."""
    words = re.sub(r"\S+@\S+\.\w+|View ORCID Profile", "", words)
    for _ in range(2):
        words = _BY.sub("", words).strip(" \t,;:-–—|•·")
    words = _AFTER.sub("", words).strip(" \t,;:-–—|•·")
    if not words or len(words) > LONGEST or _NOT_A_NAME.search(words) or not any(map(str.isalpha, words)):
        return None
    return words


def _stated(statements: Statements) -> Iterator[str | None]:
    yield statements.first("dc:creator")
    article = statements.article()
    for name in ("author", "creator", "contributor"):
        yield people(statements, article.get(name))
    for node in statements.nodes:
        yield people(statements, node.get("author"))
    meta = statements.meta
    for name in (
        "author",
        "article:author_name",
        "dc:creator",
        "dc:creator:personalname",
        "parsely-author",
        "sailthru:author",
        "byl",
        "byline",
        "article:author",
        "og:article:author",
        "citation_author",
        "twitter:data1" if (statements.first("twitter:label1") or "").lower() in ("written by", "by", "author") else "",
        "weibo:article:author",
        "cxenseparse:author",
        "rbauthors",
        "authors",
        "dcsext:author",
        "og:author",
        "vr:author",
        "shareaholic:article_author_name",
        "news_author",
        "twitter:creator:name",
    ):
        found = [each for each in meta.get(name, ()) if not each.startswith(("http", "@", "/"))]
        if found:
            yield (
                ", ".join(dict.fromkeys(found[:MOST]))
                if name in ("citation_author", "article:author", "dc:creator", "author")
                else found[0]
            )


def people(statements: Statements, value: Any) -> str | None:
    """Name the people that a node refers to."""
    found: list[str] = []
    for each in value if isinstance(value, list) else [value]:
        person = statements.refer(each)
        name = (
            text(person.get("name"))
            if isinstance(person, dict) and not isinstance(person.get("name"), list)
            else text(person)
        )
        if isinstance(person, dict) and isinstance(person.get("name"), list):
            name = ", ".join(filter(None, map(text, person["name"])))
        if name and not name.startswith(("http", "@", "/")) and name not in found:
            found.append(name)
    return ", ".join(found[:MOST]) or None


def _shown(root: HtmlElement) -> str | None:
    """Find the byline that readers see."""
    for elements in _places(root):
        for element in elements[:12]:
            words = " ".join(" ".join(element.itertext()).split())
            if not 2 < len(words) < 120 or _is_elsewhere(element):
                continue
            inner = element.xpath(".//*[@itemprop='name' or @rel='author']") or (
                [link for link in element.iter("a") if link.text_content().strip()] if len(words) > 40 else []
            )
            candidate = " ".join(inner[0].text_content().split()) if inner else words
            name = clean(candidate)
            if name and len(name) <= 60 and len(name.split()) <= 9:
                return name
    return _after_by(root) or _linked(root)


def _places(root: HtmlElement) -> Iterator[list[HtmlElement]]:
    """Find where bylines stand, the surest places first."""
    yield root.xpath(_SIGNED)
    yield root.xpath(_STATED)
    named = [
        (f"{element.get('class') or ''} {element.get('id') or ''}".lower(), element) for element in root.xpath(_NAMED)
    ]
    for part in _CLASSES:
        yield [element for names, element in named if part in names and "authori" not in names]


def _linked(root: HtmlElement) -> str | None:
    """Find a link to an author's page."""
    for link in root.xpath(_PROFILES)[:6]:
        words = " ".join(link.text_content().split())
        if 3 < len(words) < 50 and not _is_elsewhere(link) and (name := clean(words)):
            return name
    return None


def _is_elsewhere(element: HtmlElement) -> bool:
    for ancestor in (element, *element.iterancestors()):
        if ancestor.tag in ("aside", "footer", "nav", "script", "style") or _ELSEWHERE.search(
            f"{ancestor.get('class') or ''} {ancestor.get('id') or ''}"
        ):
            return True
        if ancestor.tag in ("article", "main", "body"):
            return False
    return False


_WRITTEN_BY = re.compile(r"^(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or)\s+((?:[A-ZÀ-Þ][\w.'’-]+\s*){2,4})$")


def _after_by(root: HtmlElement) -> str | None:
    """Find a line that says "By" and a name, and nothing else."""
    for element in root.iter("p", "div", "span", "h2", "h3", "h4", "h5", "address", "em", "i"):
        if len(element) < 4 and 2 < len(element.text or "") < 80:
            words = " ".join(element.text_content().split())
            if len(words) < 60 and (match := _WRITTEN_BY.match(words)):
                return clean(match[1])
    return None
