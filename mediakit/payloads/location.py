"""Geographic locations."""

from mediakit.errors import InvalidInput


def location(latitude: float, longitude: float) -> str:
    """Return the text of a location (RFC 5870), with a resolution of 0.1 m.

    Args:
        latitude: Degrees north, -90 to 90.
        longitude: Degrees east, -180 to 180.

    Raises:
        InvalidInput: A coordinate is out of range.
    """
    limits = {"latitude": (latitude, 90), "longitude": (longitude, 180)}
    for name, (value, limit) in limits.items():
        if not -limit <= value <= limit:
            raise InvalidInput(f"{name}: must be from -{limit} to {limit} degrees, got {value}.")
    return f"geo:{_degrees(latitude)},{_degrees(longitude)}"


def _degrees(value: float) -> str:
    """Format a coordinate without an exponent, which the standard does not allow."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
