"""Features of the text of one block."""

import math
import re
import string

from mediakit.tools.documents.web_to_markdown.reader.text_blocks import TextBlock

TEXT_FEATURES = (
    "log_chars",
    "link_density",
    "tag",
    "ends_sentence",
    "words",
    "word_length",
    "links",
    "bold_share",
    "punctuation_per_word",
    "uppercase_share",
    "digit_share",
    "boilerplate_words",
    "has_date",
    "starts_with_byline",
    "has_separator",
    "has_question_mark",
    "starts_uppercase",
    "starts_alphanumeric",
)
NEIGHBOR_TEXT_FEATURES = ("log_chars", "link_density", "tag", "ends_sentence")
"""The text features that are also computed for the blocks around a block. They must be the first text features."""

TAGS = (
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "td",
    "th",
    "div",
    "blockquote",
    "pre",
    "dt",
    "dd",
    "figcaption",
    "a",
    "span",
    "section",
    "label",
    "body",
)
"""The feature `tag` is the index of a tag in this list. All other tags share the next number."""

HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

MAX_COUNTED_CHARACTERS = 2_000
"""Longest block, in characters, whose words are counted. For longer blocks, the number of words is estimated."""

CHARACTERS_PER_WORD = 6

MIN_PROSE_CHARACTERS = 80

_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
_WORD = re.compile(r"\w+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SENTENCE_ENDS = tuple('.!?。！？…:;"”»)')
_SEPARATOR = re.compile("[|»›·]")
_LETTERS, _UPPERCASE, _DIGITS = string.ascii_letters.encode(), string.ascii_uppercase.encode(), string.digits.encode()
_BOILERPLATE = re.compile(
    r"cookie|privacy policy|terms of|all rights reserved|©|copyright|subscribe|sign up|sign in|log ?in|"
    r"newsletter|share (?:this|on)|follow us|read more|"
    r"related|comments?\b|advertis|skip to|back to top|add to cart|impressum|datenschutz|teilen|kommentar|mehr "
    r"zum thema|weiterlesen|anmelden|"
    r"click here|download|contact us|leave a|reply|tags?:|posted (?:in|by|on)|filed under|view all|see (?:all|"
    r"more)|load more|loading"
)
"""Matches lower-case text: a case-insensitive search for many words takes nine times as long."""

_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)[a-z]*\.? \d"
)
_BYLINE = re.compile(r"^(?:by|von|par|por|di|written by|author|posted by|photo|credit|source|image)\b")


def block_words(block: TextBlock) -> list[str]:
    """Return the words at the start of a block in lower case."""
    return _WORD.findall(block.text[:MAX_COUNTED_CHARACTERS].lower())


def title_words(title: str | None) -> set[str]:
    """Return the words of a title in lower case."""
    return set(_WORD.findall((title or "").lower()))


def is_prose(block: TextBlock) -> bool:
    """Return whether a block is a full sentence or more, and not a list of links."""
    return (
        len(block.text) > MIN_PROSE_CHARACTERS
        and block.link_chars < 0.3 * len(block.text)
        and block.text.rstrip().endswith(_SENTENCE_ENDS)
    )


def boilerplate_words(text: str) -> int:
    """Return how many words of menus, prompts and notices a lower-case text contains."""
    return len(_BOILERPLATE.findall(text))


def has_boilerplate(text: str) -> bool:
    """Return whether a lower-case text contains words of menus, prompts and notices."""
    return _BOILERPLATE.search(text) is not None


def _count_kinds(text: str) -> tuple[int, int, int]:
    """Return the number of letters, uppercase letters and digits of a text."""
    ascii_text = text.encode("ascii", "ignore")
    others = [] if len(ascii_text) == len(text) else _NOT_ASCII.findall(text)
    return (
        _count_bytes(ascii_text, _LETTERS) + sum(map(str.isalpha, others)),
        _count_bytes(ascii_text, _UPPERCASE) + sum(map(str.isupper, others)),
        _count_bytes(ascii_text, _DIGITS) + sum(map(str.isdigit, others)),
    )


def _count_bytes(text: bytes, counted: bytes) -> int:
    return len(text) - len(text.translate(None, counted))


def text_features(block: TextBlock, words: list[str]) -> list[float]:
    """Return the text features of a block, in the order of `TEXT_FEATURES`."""
    text = block.text
    length = len(text)
    word_count = len(words) if length < MAX_COUNTED_CHARACTERS else length / CHARACTERS_PER_WORD
    start, lower = text[:400], text[:300].lower()
    letters, uppercase, digits = _count_kinds(start)
    punctuation = text.count(",") + text.count(".") + text.count("、") + text.count("。")
    return [
        math.log1p(length),
        block.link_chars / length,
        _TAG_NUMBERS.get(block.region.tag, len(TAGS)),
        text.endswith(_SENTENCE_ENDS),
        word_count,
        length / (word_count or 1),
        block.links,
        block.bold_chars / length,
        punctuation / (word_count or 1),
        uppercase / (letters or 1),
        digits / len(start),
        boilerplate_words(lower),
        digits > 0 and _DATE.search(lower, 0, 200) is not None,
        _BYLINE.match(lower) is not None,
        _SEPARATOR.search(text) is not None,
        "?" in text,
        text[0].isupper(),
        text[0].isalnum(),
    ]
