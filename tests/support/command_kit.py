"""Run the command line in the process of the tests, which starts no interpreter and imports nothing again."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from mediakit.cli import main

RECORD = """mediakit() { printf '%s\\0' "$@" > "$MEDIAKIT_WORDS"; cat > "$MEDIAKIT_STDIN"; }
"""


def run_command(words: Sequence[str], stdin: bytes = b"") -> Result:
    """Run `mediakit` with these words."""
    return CliRunner().invoke(main, words, input=stdin, prog_name="mediakit")


def run_shell_code(code: str, home: Path) -> Result:
    """Run code with one call of `mediakit`: bash reads the code, the command runs in this process and directory.

    Args:
        code: The code.
        home: A folder for the words and the standard input of the call.
    """
    words, stdin = home / "words", home / "stdin"
    environment = {"MEDIAKIT_WORDS": str(words), "MEDIAKIT_STDIN": str(stdin)}
    subprocess.run(["bash", "-c", RECORD + code], env=environment, check=True, stdin=subprocess.DEVNULL)
    return run_command(words.read_text("utf-8").split("\0")[:-1], stdin.read_bytes())
