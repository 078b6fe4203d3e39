"""What an unknown name means: by its letters, and by synonyms, which are stated where the known names are."""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

SIMILARITY = 0.6
"""Minimum score of a name for "did you mean", from 0 to 1."""

MAX_LENGTH = 200
"""Characters of a name that are compared."""

_STOP_WORDS = (
    "a add an and as by can change convert create do for from generate get how i in into list load make my new of on "
    "open or put read save set show some take the this to use using with write"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that count only in a whole phrase, such as "add text to pdf": alone they do not say which name is meant."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TO = re.compile(r"(?<=[a-z])[24](?=[a-z])")
"""The digit in `html2pdf`."""
_VOWEL = re.compile("[aeiou]")
_ENDING = re.compile(r"(?<=...)(?:ing|ers?|ed|es|s|e|ions?|ors?)$")

SynonymTable = Mapping[str, str]
"""Other words for each known name, separated by commas; a word can be a phrase."""


class Synonyms:
    """Other words for a field, as an annotation. An error suggests the field for them; they are not accepted.

    Args:
        words: The words, separated by commas.
        choices: Words for choices of the field.
    """

    def __init__(self, words: str = "", choices: SynonymTable | None = None) -> None:
        self.words = words
        self.choices: SynonymTable = choices or {}


class Match(NamedTuple):
    """A known name, and how well it fits from 0 to 1."""

    name: str
    score: float


def similar(name: str, known: Collection[str], synonyms: SynonymTable | None = None) -> str | None:
    """Return the known name that is meant by another one; None if none is similar."""
    return next(iter(meant(name, known, synonyms)), None)


def meant(name: str, known: Collection[str], synonyms: SynonymTable | None = None) -> list[str]:
    """Return the known names that one of the synonyms stands for, or else the one with the most similar letters."""
    table = synonyms or {}
    words = _words(name)
    if same := [each for each in known if words and words in map(_words, table.get(each, "").split(","))]:
        return same
    found = rank(name, {each: table.get(each, "") for each in known}, minimum=SIMILARITY)
    return [found[0].name] if found else []


def rank(query: str, table: SynonymTable, *, minimum: float) -> list[Match]:
    """Return the names that fit a query in words, best first.

    A word counts the more, the fewer names have it: in "unlock pdf" it is "unlock" that decides. Typing errors, plurals
    and beginnings of words count a little less than the word itself.

    Args:
        query: A name or words, such as `docx_to_pdf` or `word to pdf`.
        table: The known names with their synonyms; the words of a name itself count, too.
        minimum: The lowest score of a match.
    """
    query = query[:MAX_LENGTH]
    words, folded = _words(query), query.casefold()
    phrases, owners = _index(tuple(table.items()))
    alike = {word: {known: score for known in owners if (score := _likeness(word, known))} for word in words}
    names = {word: {name for known in alike[word] for name in owners[known]} for word in words}
    content = _content(words)
    weights = {word: math.log(1 + len(table) / max(len(names[word]), 1)) * (word in content) for word in words}
    fitting = [name for name in table if any(name in names[word] for word in words)]
    scored = [Match(name, max(_scores(words, phrases[name], alike, weights))) for name in fitting]
    found = [match for match in scored if match.score >= minimum and match.name.casefold() != folded]
    exact = [Match(name, 1) for name in table if name.casefold() == folded]
    return [*exact, *sorted(found, key=lambda match: -match.score)]


Phrase = tuple[str, ...]
Alike = Mapping[str, Mapping[str, float]]
"""Known words that are like each word of a query, with their likeness."""


@lru_cache(maxsize=16)
def _index(entries: tuple[tuple[str, str], ...]) -> tuple[dict[str, list[Phrase]], dict[str, set[str]]]:
    """Return the phrases of each name, its own words first, and the names that have each word."""
    phrases = {name: [each for each in map(_words, (name, *text.split(","))) if each] for name, text in entries}
    owners: dict[str, set[str]] = {}
    for name, each in phrases.items():
        for word in chain(chain.from_iterable(each), map("".join, each)):
            owners.setdefault(word, set()).add(name)
    return phrases, owners


def _scores(words: Phrase, phrases: Sequence[Phrase], alike: Alike, weights: Mapping[str, float]) -> Iterator[float]:
    """Yield how well words fit each phrase, and all phrases together."""
    joined = "".join(words)
    for phrase in phrases:
        if words == phrase or joined == "".join(phrase):
            yield 1.0 if words == phrase else 0.98
        needed = _content(phrase)
        shared = sum(any(each in alike[word] for word in words) for each in needed) / max(len(needed), 1)
        is_opposite = "to" in words and "to" in phrase and phrase[-1] not in alike[words[-1]]
        yield _covered(words, phrase, alike, weights) * (0.7 + 0.25 * shared) * (0.6 if is_opposite else 1)
    yield _covered(words, list(chain.from_iterable(phrases)), alike, weights) * 0.65


def _covered(words: Phrase, known: Sequence[str], alike: Alike, weights: Mapping[str, float]) -> float:
    """Return the share of the words' weight that known words cover."""
    total = sum(weights[word] for word in words)
    best = (weights[word] * max((alike[word].get(each, 0.0) for each in known), default=0.0) for word in words)
    return sum(best) / total if total else 0.0


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]


def _words(text: str) -> Phrase:
    """Return the words of a name or phrase in lower case: `docx_to_pdf` has three, `pageSize` two."""
    return tuple(_WORD.findall(_TO.sub(" to ", _HUMP.sub(" ", text).casefold())))


def _likeness(word: str, known: str) -> float:
    """Return how well a word fits a known one: 1 if they are equal, 0 if they have little in common."""
    if word == known:
        return 1.0
    if word[0] != known[0] and word[:2] != known[1::-1] and word[1:] != known and word != known[1:]:
        return 0.0  # most pairs: a typing error in the first letter is rare, and slow to search for
    if _ENDING.sub("", word) == _ENDING.sub("", known):
        return 0.97
    if len(word) >= 4 and known.startswith(word):
        return 0.9
    if len(word) == len(known) == 2 and word[0] == known[0]:  # too little alone, but not in `de_CG`
        return 0.5
    is_abbreviation = word == known[0] + _VOWEL.sub("", known[1:])  # such as `img`
    return 0.85 if is_abbreviation or _is_misspelled(word, known) else 0.0


def _is_misspelled(word: str, known: str) -> bool:
    """Return whether two words differ by a typing error: one in words of 3 to 7 letters, two in longer ones.

    In words of three letters no letter is replaced: `csv` is not `tsv`.
    """
    length = min(len(word), len(known))
    allowed = 1 if length < 8 else 2
    if abs(len(word) - len(known)) > allowed or length < 2:
        return False
    if len(word) == len(known) < 4 and sorted(word) != sorted(known):
        return False
    return _edits(word, known) <= allowed


def _edits(first: str, second: str) -> int:
    """Return the number of letters to insert, delete, replace or swap with the next (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(second, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]
