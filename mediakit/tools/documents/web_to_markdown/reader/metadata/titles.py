"""The title of a page, without the name of the site."""

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.metadata.structured_data import StructuredData, to_line

_SEPARATOR = re.compile(r"\s+[|\-–—\\/>»•·:~]+\s+|\s*[|»｜]\s*|\s+::\s+")


def find_title(data: StructuredData, root: HtmlElement, site: str | None) -> str | None:
    """Return the title of a page, from its structured data, its `title` element or its heading."""
    article = data.article()
    shown = _title_element(root)
    heading = _heading(root)
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
        if candidate != site and candidate.lower() not in ("home", "untitled"):
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
        return head
    if site and _is_same_name(text[: parts[0][0]], site):
        return text[parts[0][1] :].strip() or text
    if len(head.split()) >= 4 and len(tail.split()) <= 4 and not site:
        return head
    return text


def site_from_title(data: StructuredData, root: HtmlElement, base_url: str) -> str | None:
    """Return the name of the site from the `title` element, or else the host of the base URL."""
    shown = _title_element(root) or ""
    host = (urlsplit(base_url).hostname or "").removeprefix("www.")
    own = [_letters(title) for title in (data.first("og:title", "twitter:title"), _heading(root)) if title]
    parts = [part.strip() for part in _SEPARATOR.split(shown) if part.strip()]
    if len(parts) > 1:
        for part, rest in ((parts[-1], parts[:-1]), (parts[0], parts[1:])):
            if _letters(part) and (_letters(part) in _letters(host) or _letters("".join(rest)) in own):
                return part
    return host if "." in host else None


def _title_element(root: HtmlElement) -> str | None:
    return to_line(root.findtext(".//head/title") or root.findtext(".//title"))


def _heading(root: HtmlElement) -> str | None:
    """Return the text of the only level 1 heading."""
    found = {text for element in root.iter("h1") if (text := to_line(element.text_content()))}
    return found.pop() if len(found) == 1 else None


def _is_same_name(first: str, second: str) -> bool:
    return bool(_letters(first)) and (_letters(first) in _letters(second) or _letters(second) in _letters(first))


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()
