"""Whether two texts are one typing error apart."""


def is_one_edit(one: str, other: str) -> bool:
    """Return whether one insertion, deletion, replacement or swap of neighbours turns a text into another."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    start = next((place for place, char in enumerate(short) if char != long[place]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    if short[start + 1 :] == long[start + 1 :]:
        return True
    is_swap = short[start : start + 2] == long[start : start + 2][::-1]
    return is_swap and short[start + 2 :] == long[start + 2 :]
