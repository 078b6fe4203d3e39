"""Characters of formulas as LaTeX: symbols, accents, large operators, functions and alphabets."""

import unicodedata

from mediakit.engines.markdown.html.elements import split_words, word_set

_GREEK = split_words(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau "
    "upsilon varphi chi psi omega"
)
_CAPITALS = {
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_NAMED = {
    "ϵ": "epsilon", "ε": "varepsilon", "ϑ": "vartheta", "ϕ": "phi", "ϖ": "varpi", "ϱ": "varrho", "ϰ": "varkappa",
    "±": "pm", "∓": "mp", "×": "times", "÷": "div", "⋅": "cdot", "·": "cdot", "∗": "ast", "⋆": "star", "∘": "circ",
    "∙": "bullet", "•": "bullet", "⊕": "oplus", "⊖": "ominus", "⊗": "otimes", "⊘": "oslash", "⊙": "odot",
    "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx", "≡": "equiv", "≅": "cong", "∼": "sim", "≃": "simeq",
    "∝": "propto", "≪": "ll", "≫": "gg", "≺": "prec", "≻": "succ", "⪯": "preceq", "⪰": "succeq", "≐": "doteq",
    "∈": "in", "∉": "notin", "∋": "ni", "⊂": "subset", "⊃": "supset", "⊆": "subseteq", "⊇": "supseteq",
    "∪": "cup", "∩": "cap", "∖": "setminus", "∅": "emptyset", "∧": "land", "∨": "lor", "¬": "neg", "∀": "forall",
    "∃": "exists", "∄": "nexists", "∂": "partial", "∇": "nabla", "∞": "infty", "∆": "Delta", "ℏ": "hbar",
    "ℓ": "ell", "ℜ": "Re", "ℑ": "Im", "ℵ": "aleph", "℘": "wp", "∠": "angle", "⊥": "perp", "∥": "parallel",
    "∣": "mid", "⊢": "vdash", "⊨": "models", "⊤": "top", "△": "triangle", "□": "square", "◇": "diamond",
    "→": "to", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow", "⇐": "Leftarrow", "⇔": "Leftrightarrow",
    "↦": "mapsto", "↑": "uparrow", "↓": "downarrow", "⟶": "longrightarrow", "⟵": "longleftarrow",
    "⟹": "Longrightarrow", "⟺": "iff", "↗": "nearrow", "↘": "searrow", "⇌": "rightleftharpoons",
    "⇀": "rightharpoonup", "…": "ldots", "⋯": "cdots", "⋮": "vdots", "⋱": "ddots", "∴": "therefore",
    "∵": "because", "†": "dagger", "‡": "ddagger", "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle",
    "⌈": "lceil", "⌉": "rceil", "⌊": "lfloor", "⌋": "rfloor", "‖": "Vert", "√": "surd", "′": "prime",
}  # fmt: skip
_PLAIN = {
    "−": "-", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\xa0": "~", "\u2003": r"\quad ",
    "\u2009": r"\,", "\u2005": r"\:", "\u2002": r"\enspace ", "″": "''", "‴": "'''", "°": r"^{\circ}",
    "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "$": r"\$", "_": r"\_", "\\": r"\backslash ", "~": r"\sim ",
    "^": r"\hat{}",
}  # fmt: skip

LARGE_OPERATORS = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint",
    "∯": r"\oiint", "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "⨁": r"\bigoplus",
    "⨂": r"\bigotimes", "⨀": r"\bigodot", "⨄": r"\biguplus", "⨆": r"\bigsqcup",
}  # fmt: skip
INTEGRALS = frozenset("∫∬∭∮∯∰")

ACCENTS = {
    "\u0300": r"\grave", "\u0301": r"\acute", "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar",
    "\u0305": r"\overline", "\u0306": r"\breve", "\u0307": r"\dot", "\u0308": r"\ddot", "\u030c": r"\check",
    "\u20d7": r"\vec", "\u20d6": r"\overleftarrow", "\u20e1": r"\overleftrightarrow", "\u20db": r"\dddot",
    "^": r"\hat", "~": r"\tilde", "¯": r"\bar", "‾": r"\bar", "→": r"\vec", "˙": r"\dot", "¨": r"\ddot",
    "ˇ": r"\check", "´": r"\acute", "`": r"\grave", "˘": r"\breve", "˜": r"\tilde", "ˆ": r"\hat",
}  # fmt: skip
GROUPS = {
    "⏞": r"\overbrace", "⏟": r"\underbrace", "⏜": r"\overparen", "⏝": r"\underparen", "→": r"\overrightarrow",
    "←": r"\overleftarrow", "⎴": r"\overbracket", "⎵": r"\underbracket",
}  # fmt: skip
DELIMITERS = {
    "": ".", "{": r"\{", "}": r"\}", "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle",
    "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor", "‖": r"\|", "∥": r"\|", "∣": "|", "|": "|",
    "⟦": r"\llbracket", "⟧": r"\rrbracket", "(": "(", ")": ")", "[": "[", "]": "]", "/": "/", "\\": r"\backslash",
    "<": r"\langle", ">": r"\rangle",
}  # fmt: skip

FUNCTIONS = word_set(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
ALPHABETS = {
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
"""Commands by the script of a run (ISO/IEC 29500-1, 22.1.2.91)."""

_UNICODE_ALPHABETS = (
    ("DOUBLE-STRUCK", "mathbb"),
    ("SCRIPT", "mathcal"),
    ("FRAKTUR", "mathfrak"),
    ("BLACK-LETTER", "mathfrak"),
    ("MONOSPACE", "mathtt"),
    ("SANS-SERIF", "mathsf"),
    ("BOLD", "mathbf"),
)

_COMMANDS: dict[str, str] = {
    **{chr(0x3B1 + index): f"\\{name} " for index, name in enumerate(_GREEK)},
    **{character: f"\\{name} " for character, name in (_CAPITALS | _NAMED).items()},
    **{character: f"{command} " for character, command in LARGE_OPERATORS.items()},
    **_PLAIN,
    "ο": "o",
}


def tex_characters(text: str) -> str:
    """Return the characters of a formula as LaTeX."""
    return "".join(_character(character) for character in text)


def escape_text(text: str) -> str:
    """Return the characters of normal text, as an argument of the command `text`."""
    return "".join(f"\\{character}" if character in "{}%#$_&" else character for character in text)


def _character(character: str) -> str:
    command = _COMMANDS.get(character)
    if command is not None:
        return command
    if character.isascii() or not _is_styled_letter(character):
        return character
    name = unicodedata.name(character, "")
    plain = unicodedata.normalize("NFKC", character)
    inner = _COMMANDS.get(plain, plain).strip()
    alphabet = next((command for word, command in _UNICODE_ALPHABETS if word in name), "")
    return f"\\{alphabet}{{{inner}}}" if alphabet else _COMMANDS.get(plain, plain)


def _is_styled_letter(character: str) -> bool:
    """Return whether a character is a letter of a mathematical alphabet."""
    return 0x1D400 <= ord(character) <= 0x1D7FF or 0x2102 <= ord(character) <= 0x2138
