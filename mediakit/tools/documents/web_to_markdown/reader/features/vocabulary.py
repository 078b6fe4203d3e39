"""Features of the vocabulary of a block and a page: words of the title, of sentences, and of kinds of sites."""

from collections import Counter
from collections.abc import Sequence

from mediakit.engines.markdown.html.elements import word_set
from mediakit.tools.documents.web_to_markdown.reader.features.columns import BlockColumns
from mediakit.tools.documents.web_to_markdown.reader.features.text import title_words
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import TextBlock

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
    in_title = title_words(title)
    ranks = _signature_ranks(columns)
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


def _signature_ranks(columns: BlockColumns) -> list[int]:
    """Rank the signatures by the length of their text outside links. That of the main text is usually first."""
    import numpy as np

    text_chars = np.bincount(columns.signatures, columns.chars - columns.link_chars)
    ranks: list[int] = np.argsort(np.argsort(-text_chars, kind="stable")).tolist()
    return ranks


def page_vocabulary_features(blocks: Sequence[TextBlock], words: Sequence[Sequence[str]]) -> list[float]:
    """Return the features of the page in the order of `PAGE_VOCABULARY_FEATURES`."""
    labels = [block_words for block_words in words if len(block_words) < MAX_LABEL_WORDS]
    return [
        *(sum(not site_words.isdisjoint(label) for label in labels) / len(blocks) for site_words in _SITE_WORDS),
        sum(any(sign in block.text[:PRICE_CHARACTERS] for sign in _CURRENCIES) for block in blocks) / len(blocks),
    ]
