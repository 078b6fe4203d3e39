"""A page's title, without the site's name."""

import re
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import Statements, text

_SEPARATOR = re.compile(r"\s+[|\-–—\\/>»•·:~]+\s+|\s*[|»｜]\s*|\s+::\s+")


def title(stated: Statements, root: HtmlElement, site: str | None) -> str | None:
    """Name a page."""
    article = stated.article()
    shown = text(root.findtext(".//head/title") or root.findtext(".//title"))
    heading = _heading(root)
    named, headline = text(article.get("name")), text(article.get("headline"))
    if named and headline and named != headline and shown and shown.startswith(named):
        headline = named  # encyclopedias put a description into the headline
    candidates = [
        headline,
        stated.first(
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
            return without_site(candidate, site, heading)
    if shown:
        return without_site(shown, site, heading)
    return heading or text(article.get("name"))


def without_site(words: str, site: str | None, heading: str | None) -> str:
    """Take the name of the site off a title, where a separator shows that it is one."""
    if heading and heading != words and len(heading) > 3 and heading.lower() in words.lower():
        rest = words.lower().replace(heading.lower(), "", 1).strip()
        if _SEPARATOR.match(f" {rest} ") or _SEPARATOR.search(f" {rest} "):
            return heading
    parts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(words)]
    if not parts:
        return words
    start, end = parts[-1]
    head, tail = words[:start].strip(), words[end:].strip()
    if site and _same(tail, site) and head:
        return head
    if site and _same(words[: parts[0][0]], site):
        return words[parts[0][1] :].strip() or words
    if len(head.split()) >= 4 and len(tail.split()) <= 4 and not site:
        return head
    return words


def site(stated: Statements, root: HtmlElement, base: str) -> str | None:
    """Name the site as the window's title does beside the page's own, else by its host."""
    shown = text(root.findtext(".//head/title") or root.findtext(".//title")) or ""
    host = (urlsplit(base).hostname or "").removeprefix("www.")
    own = [_letters(each) for each in (stated.first("og:title", "twitter:title"), _heading(root)) if each]
    parts = [part.strip() for part in _SEPARATOR.split(shown) if part.strip()]
    if len(parts) > 1:
        for part, rest in ((parts[-1], parts[:-1]), (parts[0], parts[1:])):
            if _letters(part) and (_letters(part) in _letters(host) or _letters("".join(rest)) in own):
                return part
    return host if "." in host else None


def _heading(root: HtmlElement) -> str | None:
    found = [text(element.text_content()) for element in root.iter("h1")]
    found = [each for each in found if each]
    return found[0] if len(found) == 1 or (found and len(set(found)) == 1) else None


def _same(first: str, second: str) -> bool:
    return bool(_letters(first)) and (_letters(first) in _letters(second) or _letters(second) in _letters(first))


def _letters(words: str) -> str:
    return re.sub(r"\W+", "", words).lower()
