"""Text that was decoded with the wrong charset, and made right again.

UTF-8 that was read as another charset is recognized by its sequences (ftfy). Text of a charset of single bytes that was
read as another one has no such sign: how it reads decides, as it does when charsets are detected.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import ftfy

from mediakit.engines.charsets import best_likelihood, iana_name, likelihood, plausibility
from mediakit.engines.charsets.statistics import LANGUAGES, Language

_GUARD = "\x1f"
"""Stands for spaces, so that they are not taken for the no-break spaces in UTF-8 that was read as another charset."""

_CONTROLS = {code: bytes((code,)).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
"""The characters of windows-1252 for C1 controls, which Latin-1 has in their place."""

_BYTES = {ord(character): code for code, character in _CONTROLS.items()}

_READ_AS = {
    "windows-1252": 0.0, "mac-roman": -0.5, "cp1250": -0.5, "cp1251": -0.4, "cp437": -0.5,
    "cp850": -0.55, "koi8-r": -0.5, "cp866": -0.6, "iso8859-2": -0.6, "cp1253": -0.6, "cp1254": -0.6, "cp1255": -0.6,
    "cp1257": -0.6,
}  # fmt: skip
"""Codecs with which text is read by mistake, and what rare mistakes lose."""

_CHARSETS = {
    charset: tuple(language for language in LANGUAGES if charset in language.charsets)
    for charset in dict.fromkeys(charset for language in LANGUAGES for charset in language.charsets)
}

_TOKEN = re.compile(r"[^ \t]*[^\x00-\x7f][^ \t]*")
"""A word with characters beyond ASCII, of which some may be bytes of letters that are no-break spaces and controls."""

_MIN_PLAUSIBILITY = 0.8
_MIN_LIKELIHOOD = -4.0
_MIN_GAIN = 0.6
_LETTERS_FOR_GAIN = 4
"""By how much the score of the repaired text must be better: by this gain, and more for a few letters."""

_CERTAIN_LETTERS = 8
_CERTAIN_SHARE = 0.75
_CERTAIN_GAIN = 0.8
_LONG_WORD = re.compile(r"[^\x00-\x7f]{5,}")
"""What the repair of text in another script needs to be certain: letters in long words, which no Latin language has
without a letter of ASCII; the share of such letters; and the gain."""


@dataclass(frozen=True)
class _Mistake:
    """Text in a charset of single bytes that was read as another one."""

    charset: str
    read_as: str
    language: Language
    gain: float
    """By how much better the text reads, less for a few letters."""


class EncodingRepair:
    """Repairs the lines of a text that was decoded with the wrong charset."""

    def __init__(self, lines: Sequence[str], *, is_forced: bool) -> None:
        """Judge a text as a whole; if it is forced, it changes also where the signs of a wrong charset are weak."""
        self._lines = [line for line in lines if not line.isascii()]
        self._is_forced = is_forced
        sample = self._lines[:: max(1, len(self._lines) // 200)]  # from its start to its end
        unsigned = [line for line in sample if not _has_certain_sign(line, with_controls=False)]
        readers = _READ_AS if is_forced else ("windows-1252",)
        tokens = list(dict.fromkeys(token for line in unsigned for token in _TOKEN.findall(line)))[:200]
        mistakes = (mistake for read_as in readers for mistake in _mistakes(tokens, read_as))
        best = max(mistakes, key=lambda mistake: mistake.gain, default=None)
        is_found = best and best.gain > _MIN_GAIN and (is_forced or _is_certain(tokens, best))
        self._mistake = best if is_found else None
        """The mistake that explains the text; None if it reads well enough as it is."""
        self._has_exchanged = False

    @property
    def note(self) -> str | None:
        """A sentence on the charsets of single bytes of the fixed lines; None if no line was read as another one."""
        if self._mistake is None or not self._has_exchanged:
            return None
        charset, read_as = iana_name(self._mistake.charset), iana_name(self._mistake.read_as)
        return f"The text is {charset} that was decoded as {read_as}, as its letters show; it was repaired."

    def fix(self, line: str) -> str:
        """Return a line as it was meant."""
        if line.isascii():
            return line
        if self._mistake and (exchanged := _exchanged(line, self._mistake)) != line:
            self._has_exchanged = True
            return exchanged
        fixed = ftfy.fix_encoding(line)
        if fixed != line and not self._is_forced and not _has_certain_sign(line) and not self._has_certain_sign:
            fixed = line
        return _forced(line) if fixed == line and self._is_forced and "\ufffd" not in line else fixed

    @cached_property
    def _has_certain_sign(self) -> bool:
        return any(map(_has_certain_sign, self._lines))


def _has_certain_sign(line: str, *, with_controls: bool = True) -> bool:
    """Return whether a line has whole sequences of UTF-8, or C1 controls; `Ã` before a space may be a letter."""
    guarded = line.replace(" ", _GUARD)
    fixed = ftfy.fix_encoding(guarded)
    return fixed != guarded and (with_controls or fixed != guarded.translate(_CONTROLS))


def _forced(line: str) -> str:
    """Return a line as UTF-8, as long as its characters are bytes of windows-1252 that are valid UTF-8."""
    for _ in range(4):
        try:
            read = line.encode("sloppy-windows-1252").decode("utf-8")
        except UnicodeError:
            break
        if read == line:
            break
        line = read
    return line


def _mistakes(tokens: Sequence[str], read_as: str) -> Iterator[_Mistake]:
    """Yield the charsets and languages in which tokens that were read as a charset read well.

    The gain is that of the words that change, times the share of the words that can have been read so. The language
    must fit the other words as well.
    """
    usable = {token: content for token in tokens if (content := _encoded(token, read_as)) is not None}
    fit_of_all = best_likelihood(" ".join(usable))
    for charset, languages in _CHARSETS.items():
        try:
            read = {token: content.decode(charset) for token, content in usable.items()}
        except UnicodeDecodeError:
            continue
        changed = [token for token in usable if read[token] != token]
        old, new = " ".join(changed), " ".join(read[token] for token in changed)
        if not changed or (fit := plausibility(new)) < _MIN_PLAUSIBILITY:
            continue
        now = best_likelihood(old) + 2 * math.log(plausibility(old))
        prior = _READ_AS[read_as] - (0 if charset.startswith("cp125") else 0.2)  # those of Windows are more usual
        prior -= _LETTERS_FOR_GAIN / sum(not character.isascii() for character in old)
        for language in languages:
            likely = likelihood(new, language)
            if likely >= _MIN_LIKELIHOOD and likelihood(" ".join(read.values()), language) > fit_of_all:
                score = likely + 2 * math.log(fit) + math.log(language.weight) / 2 + prior
                yield _Mistake(charset, read_as, language, (score - now) * len(usable) / len(tokens))


def _is_certain(tokens: Sequence[str], mistake: _Mistake) -> bool:
    """Return whether words of another script, with hardly a letter of ASCII, were read as Latin letters."""
    letters = [character for character in "".join(tokens) if character.isalpha() or not character.isascii()]
    share = sum(not letter.isascii() for letter in letters) / len(letters)
    words = (word for token in tokens for word in _LONG_WORD.findall(token))
    in_words = sum(len(word) for word in words if word != "".join(sorted(word)))  # tables of characters are in order
    is_other_script = mistake.language.letters[0] > "\u0250"
    return (
        is_other_script and in_words >= _CERTAIN_LETTERS and share >= _CERTAIN_SHARE and mistake.gain >= _CERTAIN_GAIN
    )


def _exchanged(line: str, mistake: _Mistake) -> str:
    """Return a line whose words are read as another charset, unless they read worse so."""

    def reread(match: re.Match[str]) -> str:
        content = _encoded(match[0], mistake.read_as)
        try:
            return match[0] if content is None else content.decode(mistake.charset)
        except UnicodeDecodeError:
            return match[0]

    changed = _TOKEN.sub(reread, line)
    old, new = (" ".join(_TOKEN.findall(text)) for text in (line, changed))
    difference = plausibility(new) - plausibility(old)
    # a line may be less likely than it was, because the whole text was judged
    is_better = difference > 0 or likelihood(new, mistake.language) >= best_likelihood(old) - 2.5
    return changed if difference >= 0 and is_better else line


def _encoded(token: str, codec: str) -> bytes | None:
    """Return the bytes that were read as a token; windows-1252 stands for Latin-1 as well, which has C1 controls."""
    try:
        return token.translate(_BYTES).encode("latin-1") if codec == "windows-1252" else token.encode(codec)
    except UnicodeEncodeError:
        return None
