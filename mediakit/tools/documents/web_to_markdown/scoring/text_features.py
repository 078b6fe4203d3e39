"""Features of the text of a block, and how its words and form compare with the rest of the page."""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.engines.markdown.html.elements import split_words, word_set
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage, TextBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOT_PRESENT = -1.0
"""A feature of a neighbor, an ancestor or a group of blocks that does not exist."""

NO_OFFSET = -999.0
"""The offset to a block that the page does not contain."""

NO_HEADING_DISTANCE = 99.0
"""The distance to a heading if there is none within `MAX_HEADING_DISTANCE` blocks."""


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

TAGS = split_words("p li h1 h2 h3 h4 td th div blockquote pre dt dd figcaption a span section label body")
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


def is_prose(block: TextBlock) -> bool:
    """Return whether a block is a full sentence or more, and not a list of links."""
    return (
        len(block.text) > MIN_PROSE_CHARACTERS
        and block.link_chars < 0.3 * len(block.text)
        and block.text.rstrip().endswith(_SENTENCE_ENDS)
    )


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
        len(_BOILERPLATE.findall(lower)),
        digits > 0 and _DATE.search(lower, 0, 200) is not None,
        _BYLINE.match(lower) is not None,
        _SEPARATOR.search(text) is not None,
        "?" in text,
        text[0].isupper(),
        text[0].isalnum(),
    ]


class BlockColumns(NamedTuple):
    """The blocks of a page and one number for each of them in each column."""

    blocks: list[TextBlock]
    chars: "NDArray[Any]"
    link_chars: "NDArray[Any]"
    prose_chars: "NDArray[Any]"
    """Characters of blocks that are prose. 0 for other blocks."""
    signatures: "NDArray[Any]"
    """Number of the signature of the block's region. Signatures are numbered in the order of their first block."""

    @property
    def total_chars(self) -> int:
        """The characters of all blocks, at least 1."""
        return max(1, int(self.chars.sum()))


def block_columns(page: SegmentedPage) -> BlockColumns:
    """Measure the blocks of a page."""
    import numpy as np

    blocks = page.blocks
    chars = [len(block.text) for block in blocks]
    numbers: dict[str, int] = {}
    return BlockColumns(
        blocks,
        np.array(chars, dtype=np.int64),
        np.array([block.link_chars for block in blocks], dtype=np.int64),
        np.array([length if is_prose(block) else 0 for block, length in zip(blocks, chars, strict=True)]),
        np.array([numbers.setdefault(block.region.signature, len(numbers)) for block in blocks]),
    )


VOCABULARY_FEATURES = (
    "title_words_found",
    "share_in_title",
    "function_word_share",
    "signature_rank",
    "signature_position",
)
PAGE_VOCABULARY_FEATURES = ("page_shop_share", "page_forum_share", "page_news_share", "page_price_share")

MAX_LABEL_WORDS = 30
"""A block with fewer words can be a label of a shop, a forum or a news list."""

PRICE_CHARACTERS = 30
"""Characters at the start of a block in which a currency sign is searched."""

_FUNCTION_WORDS = word_set(
    "the of and to a in is that for it as was with be by on are this from or an at which you i we he she they not "
    "have had has but his her its their our your my me us them will would can could were been there der die das "
    "und ist nicht ein eine zu den von mit auf für im sich des dem es auch wie bei hat le la les et est un une du "
    "en que pour dans qui sur pas plus de por los el se con para del lo una su"
)
"""Words that are common in sentences and rare in lists of names."""

_SITE_WORDS = (
    word_set("cart basket bag buy sale save stock sold shipping delivery returns warranty wishlist qty review"),
    word_set("posts joined member replies reply quote wrote votes answered asked badges registered likes said"),
    word_set("ago yesterday today january february march april june july august october november december"),
)
"""Words of shops, forums and news lists. The share of blocks with them indicates the type of the page."""

_CURRENCIES = ("$", "€", "£", "¥", "₹")


def vocabulary_features(
    columns: BlockColumns, words: Sequence[Sequence[str]], title: str | None
) -> list[tuple[float, ...]]:
    """Return the features of each block in the order of `VOCABULARY_FEATURES`."""
    import numpy as np

    in_title = set(_WORD.findall((title or "").lower()))
    # Signatures are ranked by the length of their text outside links. That of the main text is usually first.
    text_chars = np.bincount(columns.signatures, columns.chars - columns.link_chars)
    ranks: list[int] = np.argsort(np.argsort(-text_chars, kind="stable")).tolist()
    seen: Counter[int] = Counter()
    rows: list[tuple[float, ...]] = []
    for signature, block_words in zip(columns.signatures.tolist(), words, strict=True):
        vocabulary = set(block_words)
        shared = len(in_title & vocabulary)
        size = len(vocabulary) or 1
        common = len(_FUNCTION_WORDS & vocabulary)
        rows.append((shared / (len(in_title) or 1), shared / size, common / size, ranks[signature], seen[signature]))
        seen[signature] += 1
    return rows


def page_vocabulary_features(blocks: Sequence[TextBlock], words: Sequence[Sequence[str]]) -> list[float]:
    """Return the features of the page in the order of `PAGE_VOCABULARY_FEATURES`."""
    labels = [block_words for block_words in words if len(block_words) < MAX_LABEL_WORDS]
    return [
        *(sum(not site_words.isdisjoint(label) for label in labels) / len(blocks) for site_words in _SITE_WORDS),
        sum(any(sign in block.text[:PRICE_CHARACTERS] for sign in _CURRENCIES) for block in blocks) / len(blocks),
    ]
