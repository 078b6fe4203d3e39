"""Text that was decoded with the wrong charset, and made right again.

UTF-8 that was read as another charset is recognized by its sequences (ftfy). Text of a charset of single bytes that was
read as another one has no such sign: how it reads decides, as it does when charsets are detected.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import ftfy

from mediakit.engines.charsets import best_likelihood, iana_name, likelihood, plausibility
from mediakit.engines.charsets.alphabets import LANGUAGES, Language

_MAX_ROUNDS = 4
_GUARD = "\x1f"
"""Stands for spaces, so that they are not taken for the no-break spaces in UTF-8 that was read as another charset."""

_READ_AS = {
    "sloppy-windows-1252": 0.0, "latin-1": -0.001, "mac-roman": -0.5, "cp1250": -0.5, "cp1251": -0.4, "cp437": -0.5,
    "cp850": -0.55, "koi8-r": -0.5, "cp866": -0.6, "iso8859-2": -0.6, "cp1253": -0.6, "cp1254": -0.6, "cp1255": -0.6,
    "cp1257": -0.6,
}  # fmt: skip
"""Codecs with which text is read by mistake, and what rare mistakes lose.

The sloppy one also has the bytes that windows-1252 does not define.
"""

_LATIN = ("sloppy-windows-1252", "latin-1")

_NOT_OF_WINDOWS = -0.2
"""What text in another charset than those of Windows loses."""

_CHARSETS = {
    charset: tuple(language for language in LANGUAGES if charset in language.charsets)
    for charset in dict.fromkeys(charset for language in LANGUAGES for charset in language.charsets)
}

_TOKEN = re.compile(r"\S*[^\x00-\x7f]\S*")
_MAX_TOKENS = 200
_MIN_LETTERS = 3
_MIN_PLAUSIBILITY = 0.8
_MIN_LIKELIHOOD = -4.0
_MIN_GAIN = 0.6
_LETTERS_FOR_GAIN = 4
"""By how much the score of the repaired text must be better: by this gain, and more for a few letters."""

_CERTAIN_LETTERS = 8
_CERTAIN_SHARE = 0.75
_CERTAIN_GAIN = 1.3
"""What the repair of text in another script needs to be certain: letters, their share beyond ASCII, and the gain."""

_WORSE = 2.5
"""By how much less likely a repaired line may be than it was, because the whole text was judged."""


@dataclass(frozen=True)
class _Mistake:
    """Text in a charset of single bytes that was read as another one."""

    charset: str
    read_as: str
    language: Language
    gain: float


class EncodingRepair:
    """Repairs the lines of a text that was decoded with the wrong charset."""

    def __init__(self, lines: Sequence[str], *, is_forced: bool) -> None:
        """Judge a text as a whole.

        Args:
            lines: Its lines.
            is_forced: Whether to change it also where the signs of a wrong charset are weak.
        """
        self._lines = [line for line in lines if not line.isascii()]
        self._is_forced = is_forced
        unsigned = [line for line in self._lines if not _has_certain_sign(line)]
        self._mistake = _find_mistake(unsigned, _READ_AS if is_forced else _LATIN, is_forced=is_forced)

    @property
    def note(self) -> str | None:
        """A sentence on the charsets of single bytes that were mistaken for each other; None if none were."""
        if self._mistake is None:
            return None
        charset, read_as = (
            iana_name(name.removeprefix("sloppy-")) for name in (self._mistake.charset, self._mistake.read_as)
        )
        return f"The text is {charset} that was decoded as {read_as}, as its letters show; it was repaired."

    def fix(self, line: str) -> str:
        """Return a line as it was meant."""
        if line.isascii():
            return line
        if self._mistake and (exchanged := _exchanged(line, self._mistake)) != line:
            return exchanged
        fixed = ftfy.fix_encoding(line)
        if fixed != line and not self._is_forced and not _has_certain_sign(line) and not self._has_certain_sign:
            fixed = line
        return _forced(line) if fixed == line and self._is_forced and "\ufffd" not in line else fixed

    @cached_property
    def _has_certain_sign(self) -> bool:
        return any(map(_has_certain_sign, self._lines))


def _has_certain_sign(line: str) -> bool:
    """Return whether a line has sequences of UTF-8 that are whole: `Ã` before a space is none, but a letter as well."""
    guarded = line.replace(" ", _GUARD)
    return ftfy.fix_encoding(guarded, fix_c1_controls=False) != guarded


def _forced(line: str) -> str:
    """Return a line as UTF-8, as long as its characters are bytes of windows-1252 that are valid UTF-8."""
    for _ in range(_MAX_ROUNDS):
        try:
            read = line.encode("sloppy-windows-1252").decode("utf-8")
        except UnicodeError:
            break
        if read == line:
            break
        line = read
    return line


def _find_mistake(lines: Sequence[str], readers: Iterable[str], *, is_forced: bool) -> _Mistake | None:
    """Return the mistake that explains a text; None if it reads well enough as it is."""
    tokens = list(dict.fromkeys(token for line in lines for token in _TOKEN.findall(line)))[:_MAX_TOKENS]
    letters = sum(not character.isascii() for token in tokens for character in token)
    if letters < _MIN_LETTERS:
        return None
    mistakes = (mistake for read_as in readers for mistake in _mistakes(tokens, read_as))
    best = max(mistakes, key=lambda mistake: mistake.gain, default=None)
    if best is None or best.gain < _MIN_GAIN + _LETTERS_FOR_GAIN / letters:
        return None
    return best if is_forced or _is_certain(tokens, best) else None


def _mistakes(tokens: Sequence[str], read_as: str) -> Iterator[_Mistake]:
    """Yield the charsets and languages in which tokens that were read as a charset read well."""
    usable = [token for token in tokens if _encoded(token, read_as) is not None]
    if not usable:
        return
    share, text = len(usable) / len(tokens), " ".join(usable)
    content, now = text.encode(read_as), best_likelihood(text) + 2 * math.log(plausibility(text))
    for charset, languages in _CHARSETS.items():
        try:
            read = content.decode(charset)
        except UnicodeDecodeError:
            continue
        if read == text or (fit := plausibility(read)) < _MIN_PLAUSIBILITY:
            continue
        prior = _READ_AS[read_as] + (0 if charset.startswith("cp125") else _NOT_OF_WINDOWS)
        for language in languages:
            if (likely := likelihood(read, language)) >= _MIN_LIKELIHOOD:
                score = likely + 2 * math.log(fit) + math.log(language.weight) / 2 + prior
                yield _Mistake(charset, read_as, language, share * (score - now))


def _is_certain(tokens: Sequence[str], mistake: _Mistake) -> bool:
    """Return whether words of another script, with hardly a letter of ASCII, were read as Latin letters."""
    letters = [character for character in "".join(tokens) if character.isalpha() or not character.isascii()]
    beyond = sum(not letter.isascii() for letter in letters)
    is_other_script = mistake.language.letters[0] > "\u0250"
    is_enough = beyond >= _CERTAIN_LETTERS and beyond >= _CERTAIN_SHARE * len(letters)
    return is_other_script and is_enough and mistake.gain >= _CERTAIN_GAIN


def _exchanged(line: str, mistake: _Mistake) -> str:
    """Return a line whose words are read as another charset, unless they read worse so."""
    changed = _TOKEN.sub(lambda match: _reread(match.group(), mistake), line)
    old, new = (" ".join(_TOKEN.findall(text)) for text in (line, changed))
    difference = plausibility(new) - plausibility(old)
    is_better = difference > 0 or likelihood(new, mistake.language) >= best_likelihood(old) - _WORSE
    return changed if difference >= 0 and is_better else line


def _reread(token: str, mistake: _Mistake) -> str:
    content = _encoded(token, mistake.read_as)
    try:
        return token if content is None else content.decode(mistake.charset)
    except UnicodeDecodeError:
        return token


def _encoded(token: str, codec: str) -> bytes | None:
    try:
        return token.encode(codec)
    except UnicodeEncodeError:
        return None
