"""Short names of browsers and systems, from `User-Agent` headers."""

BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
"""Parts of the header, most specific first: Edge names Chrome and Safari, too."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def short_name(user_agent: str) -> str:
    """Return the browser and the system of a `User-Agent`, as in `Firefox on Windows`."""
    browser = next((name for part, name in BROWSERS if part in user_agent), "Unknown browser")
    system = next((name for part, name in SYSTEMS if part in user_agent), None)
    return f"{browser} on {system}" if system else browser
