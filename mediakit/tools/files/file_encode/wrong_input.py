"""The error for content that is not of its encoding."""


class WrongInput(ValueError):  # noqa: N818  # what is said of the content
    """The content cannot be decoded; the message says where and why."""


def wrong_character(encoding: str, content: bytes, position: int) -> WrongInput:
    """Return the error for a character at a position, counted from 0."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        shown = f"byte 0x{content[position]:02x}"
        return WrongInput(f"is not {encoding}: {shown} at {position}.")
    place = len(content[:position].decode(errors="ignore"))
    character = text[place]
    shown = f'character "{character}"' if character.isprintable() else f"character U+{ord(character):04X}"
    return WrongInput(f"is not {encoding}: {shown} at {place}.")
