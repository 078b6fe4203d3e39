"""Fail if a text has a word that words.toml replaces: `python .ci/check_words.py`."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
SUFFIXES = {".py", ".pyi", ".md", ".toml", ".yml", ".html", ".css", ".js", ".cjs", ".ipynb", ".ini", ""}


def problems() -> Iterator[str]:
    """Yield each line that has a replaced word, with what to write instead."""
    rules = tomllib.loads((HERE / "words.toml").read_text("utf-8"))
    words = [(re.compile(rf"(?<![\w-]){word}(?![\w-])", re.IGNORECASE), hint) for word, hint in rules["words"].items()]
    allowed = [(each["files"], re.compile(each["text"], re.IGNORECASE)) for each in rules.get("allowed", [])]
    for path in _files(rules["ignored"]):
        exceptions = [text for files, text in allowed if fnmatch(path, files)]
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1):
            text = line
            for exception in exceptions:
                text = exception.sub("", text)
            text = text.replace("_", " ")
            for word, hint in words:
                if match := word.search(text):
                    yield f'{path}:{number}: "{match[0]}": write {hint}.'


def _files(ignored: list[str]) -> Iterator[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in listed.splitlines():
        if Path(path).suffix in SUFFIXES and not any(fnmatch(path, pattern) for pattern in ignored):
            yield path


def main() -> int:
    """Print the problems."""
    found = list(problems())
    print(*found, sep="\n", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
