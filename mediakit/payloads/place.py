"""Places on earth."""

from mediakit.errors import InvalidInput


def location(latitude: float, longitude: float) -> str:
    """Give the text of a place (RFC 5870), to a tenth of a metre.

    Args:
        latitude: Degrees north, -90 to 90.
        longitude: Degrees east, -180 to 180.

    Raises:
        InvalidInput: There is no such place.
    """
    limits = {"latitude": (latitude, 90), "longitude": (longitude, 180)}
    for name, (value, limit) in limits.items():
        if not -limit <= value <= limit:
            raise InvalidInput(f"{name}: must be from -{limit} to {limit} degrees, got {value}.")
    return f"geo:{_degrees(latitude)},{_degrees(longitude)}"


def _degrees(value: float) -> str:
    """Write without an exponent, which the format does not know."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
