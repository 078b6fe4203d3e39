"""The title of a page, without the name of the site."""

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.clean import INVISIBLE_SIGNS, PERMALINK_SIGNS
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import StructuredData, to_line

MIN_SIMILARITY = 0.4
"""Share of common words from which a heading is a variant of a title."""

MAX_HEADING_CHARACTERS = 200

MAX_SITE_WORDS = 3
"""Words after the last vertical bar of a title that are the name of the site, if the title has more words."""

_WORD = re.compile(r"\w+")
_BAR = re.compile(r"\s*[|｜]\s*")
_SIGNS = "".join(PERMALINK_SIGNS) + INVISIBLE_SIGNS
_NO_TITLES = ("home", "untitled")
_SEPARATOR = re.compile(r"\s+[|\-–—\\/>»•·:~]+\s+|\s*[|»｜]\s*|\s+::\s+")


def find_title(data: StructuredData, root: HtmlElement, site: str | None, base_url: str) -> str | None:
    """Return the title of a page, from its structured data, its `title` element or its heading.

    If the title in the structured data is not in the `title` element, the heading decides. What follows a vertical bar
    is removed, except on a home page, where it describes the site.
    """
    shown, heading = _title_element(root), _heading(root)
    address = urlsplit(base_url)
    is_home = bool(address.hostname) and address.path in ("", "/") and not address.query
    if shown and heading and not is_home:
        site = site or _site_beside_heading(shown, heading, base_url)
        heading = None if site and _letters(heading) == _letters(site) else heading
    title = _stated_title(data, shown, heading, site)
    if title and shown and heading and _letters(title) not in _letters(shown):
        title = heading if _is_variant(heading, title, shown, site) else title
    return _before_bar(title, site) if title and not is_home else title


def _site_beside_heading(shown: str, heading: str, base_url: str) -> str | None:
    """Return the part of the `title` element that is the name of the site, if the heading is the first or last part.

    A heading that is in the host, unlike the part at the other end, is the name of the site. Otherwise the site is at
    the end: it is not a heading at the start; and it is a heading at the end if the path has more words of the start.
    """
    parts = [part for part in _SEPARATOR.split(shown) if _letters(part)]
    if len(parts) < 2:
        return None
    first, last, name = parts[0], parts[-1], _letters(heading)
    if name not in (_letters(first), _letters(last)):
        return None
    other = last if name == _letters(first) else first
    address = urlsplit(base_url)
    host = _letters(address.hostname or "")
    if name in host and _letters(other) not in host:
        return heading
    if other == last:
        return last
    return last if _share_of_words(first, address.path) > _share_of_words(last, address.path) else None


def _share_of_words(text: str, path: str) -> float:
    """Return the share of the words of a text that a path contains."""
    words, path_words = (set(_WORD.findall(value.lower().replace("_", " "))) for value in (text, path))
    return len(words & path_words) / max(1, len(words))


def _is_variant(heading: str, title: str, shown: str, site: str | None) -> bool:
    """Return whether a heading is in the `title` element or has many words in common with the title."""
    words, title_words = (set(_WORD.findall(text.lower())) for text in (heading, title))
    if len(words) < 2 or len(heading) > MAX_HEADING_CHARACTERS or (site and _letters(heading) == _letters(site)):
        return False
    shared, total = len(words & title_words), len(words | title_words)
    return shared >= MIN_SIMILARITY * total or _letters(heading) in _letters(shown)


def _stated_title(data: StructuredData, shown: str | None, heading: str | None, site: str | None) -> str | None:
    article = data.article()
    named, headline = to_line(article.get("name")), to_line(article.get("headline"))
    if named and headline and named != headline and shown and shown.startswith(named):
        headline = named  # encyclopedias use the headline for a description
    candidates = [
        headline,
        data.first(
            "dc:title",
            "og:title",
            "weibo:article:title",
            "weibo:webpage:title",
            "citation_title",
            "title",
            "twitter:title",
            "parsely-title",
            "sailthru:title",
        ),
    ]
    for candidate in filter(None, candidates):
        if candidate != site and candidate.lower() not in _NO_TITLES:
            return _remove_site(candidate, site, heading)
    if shown:
        return _remove_site(shown, site, heading)
    return heading or to_line(article.get("name"))


def _remove_site(text: str, site: str | None, heading: str | None) -> str:
    """Return a title without the name of the site, if a separator is between the two."""
    if heading and heading != text and len(heading) > 3 and heading.lower() in text.lower():
        rest = text.lower().replace(heading.lower(), "", 1).strip()
        if _SEPARATOR.match(f" {rest} ") or _SEPARATOR.search(f" {rest} "):
            return heading
    parts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(text)]
    if not parts:
        return text
    start, end = parts[-1]
    head, tail = text[:start].strip(), text[end:].strip()
    if site and _is_same_name(tail, site) and head:
        return tail if head.lower() in _NO_TITLES else head
    if site and (first := _letters(text[: parts[0][0]])) and first in _letters(site):
        return text[parts[0][1] :].strip() or text
    if len(head.split()) >= 4 and len(tail.split()) <= 4 and not site:
        return head
    return text


def _before_bar(text: str, site: str | None) -> str:
    """Return a title without what follows a vertical bar: names of sections and sites, or words for search engines."""
    parts = [part for part in _BAR.split(text) if part]
    if len(parts) == 2 and site and _is_same_name(parts[0], site):
        return parts[1]
    is_title = len(parts) > 1 and parts[0].lower() not in _NO_TITLES and not (site and _is_same_name(parts[0], site))
    return parts[0] if is_title else text


def site_from_title(data: StructuredData, root: HtmlElement, base_url: str) -> str | None:
    """Return the name of the site from the `title` element, or else the host of the base URL."""
    shown = _title_element(root) or ""
    host = (urlsplit(base_url).hostname or "").removeprefix("www.")
    heading = _heading(root)
    if heading and (site := _site_beside_heading(shown, heading, base_url)):
        return site
    own = [_letters(title) for title in (data.first("og:title", "twitter:title"), heading) if title]
    parts = [part.strip() for part in _SEPARATOR.split(shown) if part.strip()]
    if len(parts) > 1:
        for part, rest in ((parts[-1], parts[:-1]), (parts[0], parts[1:])):
            if _letters(part) and (_letters(part) in _letters(host) or _letters("".join(rest)) in own):
                return part
    bar_parts = [part for part in _BAR.split(shown) if part]
    if len(bar_parts) > 1 and len(bar_parts[-1].split()) <= min(MAX_SITE_WORDS, len(bar_parts[0].split()) - 1):
        return bar_parts[-1]
    return host if "." in host else None


def _title_element(root: HtmlElement) -> str | None:
    return to_line(root.findtext(".//head/title") or root.findtext(".//title"))


def _heading(root: HtmlElement) -> str | None:
    """Return the text of the only level 1 heading."""
    found = {text for element in root.iter("h1") if (text := to_line(element.text_content().rstrip(_SIGNS)))}
    return found.pop() if len(found) == 1 else None


def _is_same_name(first: str, second: str) -> bool:
    return bool(_letters(first)) and (_letters(first) in _letters(second) or _letters(second) in _letters(first))


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()
