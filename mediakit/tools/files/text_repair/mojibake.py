"""Text that was decoded with the wrong charset, and made right again."""

_MAX_ROUNDS = 4


def fix_line(line: str, *, is_forced: bool) -> str:
    """Return a line whose UTF-8 was read as another charset, as it was meant.

    Args:
        line: The line.
        is_forced: Whether to change it also where the signs of a wrong charset are weak.
    """
    import ftfy

    if line.isascii():
        return line
    fixed = ftfy.fix_encoding(line)
    return _forced(fixed) if is_forced and fixed == line and "\ufffd" not in line else fixed


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
