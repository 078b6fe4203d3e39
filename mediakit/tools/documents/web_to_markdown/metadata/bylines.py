"""The authors of a page, from its structured data or its visible byline."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import class_and_id, class_names, split_words
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import (
    StructuredData,
    node_types,
    page_kind,
    to_line,
)

MAX_BYLINE_CHARACTERS = 600
"""Characters of a byline in the structured data."""

MAX_VISIBLE_BYLINE_CHARACTERS = 60
MAX_VISIBLE_BYLINE_WORDS = 9
MAX_AUTHORS = 20
MAX_CANDIDATES = 12
"""Elements of each kind that are tried as the byline."""

MAX_PROFILE_LINKS = 6

_BYLINE_PREFIX = re.compile(
    r"^\s*(?:(?:written|posted|published|article|story|words|review|reviewed|text|report|reporting)\s+)?(?:by|von|par|por|di|door|af|av|author|autor(?:in)?|auteur|autore|作者|記者|文)\s*[:：|]?\s+|^\s*(?:by|author|autor|auteur|作者|著者|記者|文)\s*[:：]\s*|^\s*(?:By|BY)(?=[A-Z][a-z])",
    re.IGNORECASE,
)
_BYLINE_SUFFIX = re.compile(
    r"\s*(?:[|•·–—]\s*.*|\s+is\s+(?:an?\s|the\s|[A-Z]).*|\s-\s.*|@\w+.*|\d{1,2}:\d{2}.*|"
    r"\b(?:updated|published|posted|last updated|\d{1,2}\s+(?:min|hours?|days?)\b).*|"
    r",?\s+(?:on|am|le|at|in|for)\s+\w+\s+\d.*|\s+\d{1,2}\.?\s+\w+[.,]?\s+(?:19|20)\d\d.*|"
    r",?\s*\b\w+\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d.*|\b(?:19|20)\d\d[-/.年].*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOT_A_NAME = re.compile(
    r"^(?:https?:|www\.|@|/)|^(?:admin|administrator|unknown|null|none|undefined|anonymous|editor|webmaster|"
    r"(?:the )?author|staff writer|guest|post|written by|press release|get in touch|contact us|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)$|"
    r"[{}<>$€£»]|^\W*$",
    re.IGNORECASE,
)

_BYLINE_NAMES = split_words(
    "byline author-name author__name authorname author_name post-author entry-author p-author author"
)
"""Parts of class names and ids, the most reliable first."""

_PROFILE_PATHS = ("/author/", "/authors/", "/profile/author")
MAX_AUTHOR_BOXES = 100

_AUTHOR_BOX_NAME = re.compile(r"author[-\w]*name\b")
_IN_MENU = re.compile(r"menu|\bnav(?:bar|igation)?\b|dropdown|footer|testimonial")
_IN_COMMENTS = re.compile(r"comment|related|recommend|popular|reply|card|reviews|testimonial|customer")
_USER_PATHS = ("mode=viewprofile", "member.php?u", "action=profile")
_USER_CLASSES = frozenset(("username", "hnuser"))
"""Links of forum software to the users who wrote posts."""

_NOT_BYLINE_NAMES = re.compile(
    r"comment|related|sidebar|widget|footer|recommend|popular|reply|avatar|bio\b|about-?author|"
    r"author-?(?:box|bio|info|desc)|testimonial|customer|rating|review-?(?:er|author|item|card|list)|reviews"
)


_META_NAMES = split_words(
    "author article:author_name dc:creator dc:creator:personalname parsely-author sailthru:author byl byline "
    "article:author og:article:author citation_author twitter:data1 weibo:article:author cxenseparse:author rbauthors "
    "authors dcsext:author og:author vr:author shareaholic:article_author_name news_author twitter:creator:name"
)
"""Names of meta elements, the most reliable first."""

_REPEATED_META_NAMES = ("citation_author", "article:author", "dc:creator", "author")
"""Meta elements that pages repeat for each author."""

_WRITTEN_BY = re.compile(
    r"^(?:(?:(?:[Ww]ritten|[Pp]osted|[Ss]tarted|[Pp]ublished|[Aa]rticle|[Ww]ords|[Tt]ext)\s+)?(?:[Bb]y|BY)|[Vv]on|[Pp]ar|[Pp]or):?\s+"
    r"((?:[A-ZÀ-Þ][\w.'’-]*[ ]?){2,4})(?:,\s[A-Z].*|\s?on\s[A-Z]?.*\d.*)?$"
)
_BYLINE_LABEL = re.compile(
    r"\s*(?:(?:(?:written|article|post|posted|words|story|text) )?by|author)\s*:?\s*$", re.IGNORECASE
)
_FULL_NAME = re.compile(r"[A-ZÀ-Þ]\S+(?: (?:[A-ZÀ-Þ]\S*|\w{1,3}))* [A-ZÀ-Þ]\S+")
"""Words with a capital letter, and short ones such as "van" between them."""

_LABEL_TAGS = ("p", "div", "span", "small", "strong", "b", "h3", "h4", "h5", "h6", "dt", "label", "li")
_MAY_START_BYLINE = re.compile(r"\s*(?:[WwPpSsAaTtBbVv]|$)")
"""Matches the start of all texts that `_WRITTEN_BY` matches. The rest can be in other elements."""


def find_byline(data: StructuredData, root: HtmlElement, url: str) -> str | None:
    """Return the names of the authors of a page. A publisher is returned only if no author is found.

    On home pages, and on pages about products and other sections of a site, visible names are those of other pages.
    """
    publishers = _publishers(data)
    publisher = None
    rights = (data.first("copyright") or "").casefold()
    for candidate in _structured_bylines(data):
        if candidate and (name := clean_byline(candidate)):
            if name.casefold() not in publishers and name.casefold() not in rights:
                return name
            publisher = publisher or name
    kind = page_kind(data, url)
    if kind in ("home", "products", "services", "section"):
        return None
    return _visible_byline(root) or publisher


def clean_byline(text: str) -> str | None:
    """Return the names in a byline, without "By", dates and other text. None if it contains no name."""
    text = re.sub(r"\S+@\S+\.\w+|View ORCID Profile", "", text)
    for _ in range(2):
        text = _BYLINE_PREFIX.sub("", text).strip(" \t,;:-–—|•·")
    text = _BYLINE_SUFFIX.sub("", text).strip(" \t,;:-–—|•·")
    if not text or len(text) > MAX_BYLINE_CHARACTERS or _NOT_A_NAME.search(text) or not any(map(str.isalpha, text)):
        return None
    return text


def _publishers(data: StructuredData) -> set[str]:
    """Return the names of publishers and organizations in lower case."""
    publishers = [data.resolve(node.get("publisher")) for node in data.nodes]
    authors = [data.resolve(node.get("author")) for node in data.nodes]
    organizations = [
        node
        for node in (*data.nodes, *authors)
        if isinstance(node, dict) and any(name.endswith("Organization") for name in node_types(node))
    ]
    nodes = [*(node for node in publishers if isinstance(node, dict)), *organizations]
    meta = data.first("og:site_name"), data.first("copyright"), data.first("application-name")
    return {name.casefold() for name in (*meta, *(to_line(node.get("name")) for node in nodes)) if name}


def _structured_bylines(data: StructuredData) -> Iterator[str | None]:
    """Yield the authors in the structured data, the most reliable first."""
    yield data.first("dc:creator")
    article = data.article()
    for name in ("author", "creator", "contributor"):
        yield _person_names(data, article.get(name))
    for node in data.nodes:
        yield _person_names(data, node.get("author"))
    for name in _META_NAMES:
        label = (data.first("twitter:label1") or "").lower() if name == "twitter:data1" else "author"
        found = [text for text in data.meta.get(name, ()) if _is_name(text)]
        if found and label in ("written by", "by", "author"):
            yield ", ".join(dict.fromkeys(found[:MAX_AUTHORS])) if name in _REPEATED_META_NAMES else found[0]


def _is_name(text: str) -> bool:
    """Return whether a text is not a URL, a path or a user name."""
    return not text.startswith(("http", "@", "/"))


def _person_names(data: StructuredData, value: Any) -> str | None:
    """Return the names of the people that a property of a node references."""
    found: list[str] = []
    for person in value if isinstance(value, list) else [value]:
        node = data.resolve(person)
        stated = node.get("name") if isinstance(node, dict) else node
        names = stated if isinstance(node, dict) and isinstance(stated, list) else [stated]
        name = ", ".join(filter(None, map(to_line, names)))
        if name and _is_name(name) and name not in found:
            found.append(name)
    return ", ".join(found[:MAX_AUTHORS]) or None


def _visible_byline(root: HtmlElement) -> str | None:
    by_rel, by_property, named = _marked_elements(root)
    by_name = (
        [element for names, element in named if part in names and "authori" not in names] for part in _BYLINE_NAMES
    )
    for candidates in (by_rel, by_property, *by_name):
        for element in candidates[:MAX_CANDIDATES]:
            if name := _name_in(element):
                return name
    return (
        _line_with_by(root)
        or _name_after_label(root)
        or _profile_link(root)
        or _name_in_author_box(named)
        or _first_poster(root)
    )


def _name_in(element: HtmlElement) -> str | None:
    """Return the name in an element if the element is a byline."""
    text = " ".join(" ".join(element.itertext()).split())
    if not 2 < len(text) < 120 or _is_outside_article(element):
        return None
    inner = element.xpath(".//*[@itemprop='name' or @rel='author']") or (
        [link for link in element.iter("a") if link.text_content().strip()] if len(text) > 40 else []
    )
    name = clean_byline(" ".join((inner[0].get("content") or inner[0].text_content()).split()) if inner else text)
    if name and len(name) <= MAX_VISIBLE_BYLINE_CHARACTERS and len(name.split()) <= MAX_VISIBLE_BYLINE_WORDS:
        return name
    return None


def _marked_elements(root: HtmlElement) -> tuple[list[HtmlElement], list[HtmlElement], list[tuple[str, HtmlElement]]]:
    """Return the elements that are marked as the author by `rel`, by `itemprop`, and by names in lower case."""
    by_rel, by_property, named = [], [], []
    for element in root.iter():
        if attributes := element.keys():
            if "rel" in attributes and "author" in (element.get("rel") or "").split():
                by_rel.append(element)
            if "itemprop" in attributes and "author" in (element.get("itemprop") or ""):
                by_property.append(element)
            names = class_and_id(element)
            if "author" in names or "byline" in names:
                named.append((names, element))
    return by_rel, by_property, named


def _profile_link(root: HtmlElement) -> str | None:
    """Return the text of a link to the page of an author."""
    links = (link for link in root.iter("a") if any(path in (link.get("href") or "") for path in _PROFILE_PATHS))
    for link in islice(links, MAX_PROFILE_LINKS):
        text = " ".join(link.text_content().split())
        if 3 < len(text) < 50 and not _is_outside_article(link) and (name := clean_byline(text)):
            return name
    return None


def _name_in_author_box(named: Sequence[tuple[str, HtmlElement]]) -> str | None:
    """Return the name in a box about the author, which often follows the article."""
    for _, element in named[:MAX_AUTHOR_BOXES]:
        is_box = _AUTHOR_BOX_NAME.search((element.get("class") or "").lower())
        if is_box and not _IN_COMMENTS.search(_names_around(element)):
            text = " ".join(element.text_content().split())
            if 2 < len(text) <= MAX_VISIBLE_BYLINE_CHARACTERS and (name := clean_byline(text)):
                return name
    return None


def _names_around(element: HtmlElement) -> str:
    """Return the classes and ids of the ancestors of an element."""
    return " ".join(map(class_and_id, element.iterancestors()))


def _first_poster(root: HtmlElement) -> str | None:
    """Return the user who wrote the first post of a discussion."""
    for link in islice(filter(_is_user_link, root.iter("a", "span")), MAX_PROFILE_LINKS):
        text = " ".join(link.text_content().split())
        if 1 < len(text) < 40 and (name := clean_byline(text)):
            return name
    return None


def _is_user_link(element: HtmlElement) -> bool:
    classes = class_names(element).split()
    if element.tag == "span":
        return "username" in classes
    return not _USER_CLASSES.isdisjoint(classes) or any(path in (element.get("href") or "") for path in _USER_PATHS)


def _is_outside_article(element: HtmlElement) -> bool:
    for ancestor in (element, *element.iterancestors()):
        if ancestor.tag in ("main", "body"):
            return False
        if ancestor.tag in ("aside", "footer", "nav", "script", "style") or _NOT_BYLINE_NAMES.search(
            class_and_id(ancestor)
        ):
            return True
        if ancestor.tag == "article":
            return False
    return False


def _line_with_by(root: HtmlElement) -> str | None:
    """Return the name in a line that consists of "By" and a name."""
    for element in root.iter("p", "div", "span", "h2", "h3", "h4", "h5", "address", "em", "i"):
        start = element.text
        if start and 2 < len(start) < 80 and _MAY_START_BYLINE.match(start) and len(element) < 4:
            text = _short_text(element, 60)
            if text and (match := _WRITTEN_BY.match(text)) and not _is_in_menu(element):
                return clean_byline(match[1])
    return None


def _short_text(element: HtmlElement, limit: int) -> str:
    """Return the text of an element as one line. Empty if it has that many characters or more."""
    pieces, length = [], 0
    for piece in element.itertext():
        pieces.append(piece)
        length += len(" ".join(piece.split()))
        if length >= limit:
            return ""
    text = " ".join("".join(pieces).split())
    return text if len(text) < limit else ""


def _is_in_menu(element: HtmlElement) -> bool:
    """Return whether an element is in a menu, such as one of products "By use case"."""
    for ancestor in (element, *element.iterancestors()):
        if ancestor.tag in ("article", "main", "body"):
            return False
        if ancestor.tag in ("nav", "aside", "footer") or _IN_MENU.search(class_and_id(ancestor)):
            return True
    return False


def _name_after_label(root: HtmlElement) -> str | None:
    """Return the name after an element whose whole text is "Written by", "Author" or the like."""
    for element in root.iter(*_LABEL_TAGS):
        label = element.text
        is_alone = not len(element) and not (element.tail or "").strip()
        if label and is_alone and len(label) < 40 and _BYLINE_LABEL.match(label):
            text = _text_after(element)
            is_possible = 2 < len(text) <= MAX_VISIBLE_BYLINE_CHARACTERS and not _is_in_menu(element)
            if is_possible and not _IN_COMMENTS.search(_names_around(element)):
                name = clean_byline(text)
                if name and _FULL_NAME.fullmatch(name):
                    return name
    return None


def _text_after(element: HtmlElement) -> str:
    """Return the first text after an element, in its siblings or those of its parent."""
    for start in (element, *islice(element.iterancestors(), 1)):
        for sibling in start.itersiblings():
            text = next(filter(str.strip, sibling.itertext()), None)
            if text and sibling.tag not in ("script", "style"):
                return " ".join(text.split())
    return ""
