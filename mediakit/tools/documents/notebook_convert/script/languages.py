"""Languages of kernels: the extension of their files, and how they write a comment of one line."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ScriptLanguage:
    """A language of scripts."""

    extension: str
    """Extension of its files with the dot."""
    comment: str
    """Start of a comment of one line."""
    comment_end: str = ""
    """End of a comment, for languages without comments of one line."""
    has_magics: bool = False
    """Whether its kernel takes IPython's magics and shell commands."""


PYTHON = ScriptLanguage(".py", "#", has_magics=True)
UNKNOWN = ScriptLanguage(".txt", "#")

_SLASHES = "//"

LANGUAGES: Mapping[str, ScriptLanguage] = {
    "": PYTHON,  # notebooks without metadata are older than other kernels, or made by a Python program
    "python": PYTHON,
    "ipython": PYTHON,
    "python2": PYTHON,
    "python3": PYTHON,
    "ansible": ScriptLanguage(".yml", "#"),
    "bash": ScriptLanguage(".sh", "#"),
    "sh": ScriptLanguage(".sh", "#"),
    "zsh": ScriptLanguage(".zsh", "#"),
    "c": ScriptLanguage(".c", _SLASHES),
    "c#": ScriptLanguage(".cs", _SLASHES),
    "csharp": ScriptLanguage(".cs", _SLASHES),
    "c++": ScriptLanguage(".cpp", _SLASHES),
    "c++11": ScriptLanguage(".cpp", _SLASHES),
    "c++14": ScriptLanguage(".cpp", _SLASHES),
    "c++17": ScriptLanguage(".cpp", _SLASHES),
    "clojure": ScriptLanguage(".clj", ";;"),
    "coconut": ScriptLanguage(".coco", "#"),
    "coffeescript": ScriptLanguage(".coffee", "#"),
    "common lisp": ScriptLanguage(".lisp", ";;"),
    "elixir": ScriptLanguage(".exs", "#"),
    "erlang": ScriptLanguage(".erl", "%"),
    "f#": ScriptLanguage(".fsx", _SLASHES),
    "fsharp": ScriptLanguage(".fsx", _SLASHES),
    "fortran": ScriptLanguage(".f90", "!"),
    "gnuplot": ScriptLanguage(".gp", "#"),
    "go": ScriptLanguage(".go", _SLASHES),
    "groovy": ScriptLanguage(".groovy", _SLASHES),
    "haskell": ScriptLanguage(".hs", "--"),
    "java": ScriptLanguage(".java", _SLASHES),
    "javascript": ScriptLanguage(".js", _SLASHES),
    "julia": ScriptLanguage(".jl", "#"),
    "kotlin": ScriptLanguage(".kts", _SLASHES),
    "lua": ScriptLanguage(".lua", "--"),
    "matlab": ScriptLanguage(".m", "%"),
    "maxima": ScriptLanguage(".mac", "/*", " */"),
    "nim": ScriptLanguage(".nim", "#"),
    "ocaml": ScriptLanguage(".ml", "(*", " *)"),
    "octave": ScriptLanguage(".m", "%"),
    "perl": ScriptLanguage(".pl", "#"),
    "php": ScriptLanguage(".php", _SLASHES),
    "powershell": ScriptLanguage(".ps1", "#"),
    "prolog": ScriptLanguage(".pl", "%"),
    "q": ScriptLanguage(".q", "/"),
    "r": ScriptLanguage(".r", "#"),
    "raku": ScriptLanguage(".raku", "#"),
    "ruby": ScriptLanguage(".rb", "#"),
    "rust": ScriptLanguage(".rs", _SLASHES),
    "sage": ScriptLanguage(".sage", "#", has_magics=True),
    "sas": ScriptLanguage(".sas", "/*", " */"),
    "scala": ScriptLanguage(".scala", _SLASHES),
    "scheme": ScriptLanguage(".scm", ";;"),
    "scilab": ScriptLanguage(".sci", _SLASHES),
    "sql": ScriptLanguage(".sql", "--"),
    "stata": ScriptLanguage(".do", _SLASHES),
    "swift": ScriptLanguage(".swift", _SLASHES),
    "tcl": ScriptLanguage(".tcl", "#"),
    "typescript": ScriptLanguage(".ts", _SLASHES),
    "wolfram language": ScriptLanguage(".wl", "(*", " *)"),
}


def script_language(name: str, extension: str) -> ScriptLanguage:
    """Return a language by the name that the kernel gives it.

    Args:
        name: Name in lower case; empty if the notebook does not say.
        extension: The kernel's own extension with the dot; it is used for languages that are not in the list.
    """
    if name in LANGUAGES:
        return LANGUAGES[name]
    return ScriptLanguage(extension, UNKNOWN.comment) if extension else UNKNOWN
