"""The publication date of a page, from its structured data, its address or its visible text, in ISO 8601."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from itertools import chain, islice, takewhile
from typing import Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import class_and_id, split_words
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import (
    PAGE_TYPES,
    PRODUCT_TYPES,
    StructuredData,
    node_types,
    page_kind,
    to_line,
)

MAX_TIME_ELEMENTS = 60
"""`time` and `abbr` elements that are read."""

_META_NAMES = split_words(
    "article:published_time og:published_time og:article:published_time datepublished dc:date:issued dc:issued "
    "dc:date dc:date:created dc:created parsely-pub-date sailthru:date pubdate publishdate publish-date "
    "publish_date publication_date publication-date date_published cxenseparse:recs:publishtime article:published "
    "published_time citation_publication_date citation_date datecreated article_date_original "
    "originalpublicationdate published-date release_date video:release_date article:post_date bt:pubdate ptime "
    "pub_date displaydate date article:created created timestamp og:pubdate rnews:datepublished "
    "weibo:article:create_at"
)
"""Names of meta elements, the most reliable first."""

_DATE_CLASS = re.compile(
    r"publish|posted|dateline|entry-date|post-date|article-?date|dt-published|byline|meta|timestamp|created|date|time"
)
_LINE_ELEMENTS = split_words("h1 h2 h3 h4 h5 h6 span div p li a small td em i b strong section header")
_OTHER_DATE_CLASS = re.compile(
    r"comment|related|sidebar|footer|widget|recommend|popular|recent|modified|updated|reply|copyright|event|"
    r"(?<!p)review|hours|joined"
)
_EMBEDDED_TYPES = re.compile(r"^(?:Review|Comment|Rating|Offer|VideoObject|ImageObject|Event)$|^Aggregate")
"""Types of nodes with dates of their own on pages about something else."""

_PUBLISHED_LABEL = re.compile(
    r"\b(?:posted|published|first published|written|veröffentlicht|erschienen|publié|publicado|pubblicato)\b"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGE_CLASS = re.compile(r"\b(?:age|ago|timeago|timestamp|relative-time|posted)\b")


def find_publication_date(data: StructuredData, root: HtmlElement, base_url: str, canonical: str | None) -> str | None:
    """Return when a page was published (ISO 8601). None if it does not state it."""
    kind = page_kind(data, base_url)
    if kind in ("products", "services", "section"):  # their dates are those of reviews, offers and the site's software
        return find_in_url(base_url)
    candidates = chain(_structured_dates(data), _time_elements(root))
    found = next((date for candidate in candidates if candidate and (date := parse_date(candidate))), None)
    found = found or find_in_url(base_url) or find_in_url(canonical or "")
    if found or kind not in ("article", "other"):
        return found
    visible = _near_heading(root) or _labeled_date(root) or _only_time_element(root) or _first_age(root)
    article = data.article()
    return visible or (None if _is_page(article) else parse_date(to_line(article.get("dateModified"))))


def _structured_dates(data: StructuredData) -> Iterator[str | None]:
    article = data.article()
    others = [node for node in data.nodes if not any(map(_EMBEDDED_TYPES.search, node_types(node)))]
    for node in (article, *others):
        if not _is_page(node) and not any(map(PRODUCT_TYPES.search, node_types(node))):
            yield from (to_line(node.get("datePublished")), to_line(node.get("dateCreated")))
    for name in _META_NAMES:
        yield data.first(name)
    for element in data.properties.get("datepublished", ()):
        yield element.get("datetime") or element.get("content") or element.text_content()
    yield to_line(article.get("uploadDate"))


def _is_page(node: dict[str, Any]) -> bool:
    """Return whether a node describes the page itself, whose dates are those of a record of the site's software."""
    return any(map(PAGE_TYPES.search, node_types(node)))


def _time_elements(root: HtmlElement) -> Iterator[str | None]:
    """Yield the visible times of a page. Those that are marked as its publication date come first."""
    found = []
    for element in islice(root.iter("time", "abbr"), MAX_TIME_ELEMENTS):
        names = f"{element.get('class') or ''} {element.get('itemprop') or ''} {_ancestor_names(element)}".lower()
        is_beside_text = next(element.iterancestors("aside", "nav", "footer"), None) is not None
        if not is_beside_text and not _OTHER_DATE_CLASS.search(names):
            found.append((element, element.get("pubdate") is not None or _DATE_CLASS.search(names) is not None))
    for element, _ in sorted(found, key=lambda time: not time[1]):
        if element.tag == "time":
            yield element.get("datetime") or element.text_content()
        elif "publish" in (element.get("class") or ""):
            yield element.get("title") or element.text_content()


def _ancestor_names(element: HtmlElement) -> str:
    near = islice(element.iterancestors(), 4)
    return " ".join(map(class_and_id, takewhile(lambda each: each.tag not in ("body", "article", "main"), near)))


def _near_heading(root: HtmlElement) -> str | None:
    """Return a date in a short line near the level 1 heading, or at the top of a page without one."""
    elements = list(root.iter(*_LINE_ELEMENTS))
    heading = next((index for index, element in enumerate(elements) if element.tag == "h1"), 0)
    near = elements[heading : heading + 160] + elements[max(0, heading - 60) : heading]
    lines = [line for element in near for line in _lines_with_year(element)]
    for names, text in sorted(lines, key=lambda line: not _DATE_CLASS.search(line[0])):
        if 5 < len(text) < 60 and not _OTHER_DATE_CLASS.search(names) and (date := find_in_text(text)):
            return date
    return None


def _lines_with_year(element: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the text in an element and the text after it if they contain a year, with the names of their element."""
    text = element.text_content() if 0 < len(element) < 6 else element.text or ""
    if _YEAR.search(text):
        yield class_and_id(element), " ".join(text.split())
    parent = element.getparent()
    if element.tail and _YEAR.search(element.tail) and parent is not None and parent.get("class"):
        yield class_and_id(parent), " ".join(element.tail.split())


def _labeled_date(root: HtmlElement) -> str | None:
    """Return the date in a short line with a label such as "Published"."""
    for element in root.iter(*_LINE_ELEMENTS):
        text = element.text or ""
        is_labeled = 10 < len(text) < 80 and _PUBLISHED_LABEL.search(text.lower())
        if is_labeled and not _OTHER_DATE_CLASS.search(_ancestor_names(element)):
            return find_in_text(" ".join(text.split()))
    return None


def _only_time_element(root: HtmlElement) -> str | None:
    """Return the date of the `time` elements if all of them have the same one."""
    times = [
        element for element in list(root.iter("time"))[:MAX_TIME_ELEMENTS] if "modified" not in _ancestor_names(element)
    ]
    found = {parse_date(element.get("datetime") or element.text_content()) for element in times}
    return found.pop() if len(found) == 1 else None


def _first_age(root: HtmlElement) -> str | None:
    """Return the exact time in the `title` of the first relative time, such as "2 hours ago"."""
    ages = (each for each in root.xpath("//*[@title]") if _AGE_CLASS.search((each.get("class") or "").lower()))
    return next(filter(None, (parse_date(element.get("title")) for element in ages)), None)


MIN_YEAR, MAX_YEAR = 1950, 2100

_ISO = re.compile(
    r"^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{1,2}:\d{2})(:\d{2})?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{0,2})?)?",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\d/.])(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?![\d])")
_DOTTED = re.compile(r"(?<![\d/.])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar januari enero janvier gennaio janeiro ene janv gen jän jänner",
            "february feb februar februari febrero février fevrier febbraio fevereiro févr fev febr",
            "march mar märz maerz maart marzo mars março marco mrz mär",
            "april apr abril avril aprile avr abr",
            "may mai mei mayo maggio maio mag",
            "june jun juni junio juin giugno junho giu",
            "july jul juli julio juillet luglio julho juil lug",
            "august aug agosto août aout augustus ago ag",
            "september sep sept septiembre septembre settembre setembro set",
            "october oct oktober okt octubre octobre ottobre outubro ott out",
            "november nov noviembre novembre novembro",
            "december dec dezember dez december diciembre décembre decembre dicembre dezembro dic déc",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH_NAME = re.compile(
    r"(?<!\d)(?:(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,10})\.?,?\s+(?:de\s+|del\s+)?(\d{4})|([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}))(?!\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[\s,.]+([^\W\d_]{3,10})\.?\s+(\d{1,2})(?!\d)")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")


def parse_date(value: str | None) -> str | None:
    """Return a date or time in ISO 8601 with its original offset. None if it cannot be parsed."""
    text = (value or "").strip()
    if found := _parse_iso(text):
        return found
    if re.fullmatch(r"\d{10}(?:\d{3})?", text):  # seconds or milliseconds since 1970
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat().replace("+00:00", "Z")
    return _parse_mail_date(text) or find_in_text(text)


def find_in_text(text: str) -> str | None:
    """Return the first date in a text."""
    if match := _EAST_ASIAN.search(text) or _SLASHED.search(text):
        return _iso_date(match[1], match[2], match[3])
    for match in _MONTH_NAME.finditer(text):
        day, month, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        if number := _MONTHS.get(month.lower()):
            return _iso_date(year, str(number), day)
    for match in _YEAR_FIRST.finditer(text):
        if number := _MONTHS.get(match[2].lower()):
            return _iso_date(match[1], str(number), match[3])
    if match := _DOTTED.search(text):
        first, second = int(match[1]), int(match[3])
        month_first = second > 12 or (match[2] == "/" and first <= 12)
        return _iso_date(match[4], *((match[1], match[3]) if month_first else (match[3], match[1])))
    if match := re.search(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)", text):
        return _iso_date(match[1], match[2], match[3])
    return None


def find_in_url(url: str) -> str | None:
    """Return the date in the path of a URL, such as `/2024/03/05/`."""
    match = _URL_DATE.search(url)
    return _iso_date(match[1], match[2], match[3]) if match else None


def _parse_iso(text: str) -> str | None:
    match = _ISO.match(text)
    if not match or not (day := _iso_date(match[1], match[2], match[3])):
        return None
    if not match[4]:
        return day
    zone = (match[6] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
    if zone and zone != "Z":
        zone = f"{zone[:3]}:{zone[3:].strip(':') or '00'}"
    written = f"{day}T{match[4].zfill(5)}{match[5] or ':00'}{zone}"
    with suppress(ValueError):
        return datetime.fromisoformat(written).isoformat().replace("+00:00", "Z")
    return day


def _parse_mail_date(text: str) -> str | None:
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        parsed = parsedate_to_datetime(text)
        if MIN_YEAR <= parsed.year <= MAX_YEAR and "," in text[:5]:
            return parsed.isoformat().replace("+00:00", "Z")
    return None


def _iso_date(year: str, month: str, day: str) -> str | None:
    with suppress(ValueError):
        if MIN_YEAR <= int(year) <= MAX_YEAR:
            return date(int(year), int(month), int(day)).isoformat()
    return None
