"""Here-documents: text of several lines that follows a shell command."""


def here_document(text: str, name: str) -> str:
    """Return the redirection and the text that follows it, without expansions; the text ends with a newline.

    Args:
        text: The text, without null characters.
        name: The delimiter; underscores are added if a line of the text equals it.
    """
    lines = text.split("\n")
    while name in lines:
        name += "_"
    body = text if text.endswith("\n") else f"{text}\n"
    return f"<<'{name}'\n{body}{name}"
