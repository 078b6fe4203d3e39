"""Write the sample archive `mediakit.samples.ARCHIVE`: `python docs/sample_archive.py`."""

# ruff: noqa: INP001  # a script, not part of a package

from mediakit.samples import ARCHIVE, LOGO
from mediakit.tools.files.zip import zip as pack

CITIES = "city,country,visitors\nLisbon,Portugal,1204\nQuito,Ecuador,873\nOslo,Norway,652\n"
VISITS = "day,city,visitors\n" + "".join(f"2024-06-{day:02},Lisbon,{30 + day * 7 % 23}\n" for day in range(1, 31))
NOTES = "Größe and naïve names are UTF-8.\n"


def main() -> None:
    """Write the archive."""
    files = [
        {"name": "data/cities.csv", "file": CITIES.encode()},
        {"name": "data/visits.csv", "file": VISITS.encode()},
        {"name": "notes/größe.txt", "file": NOTES.encode()},
        LOGO,
    ]
    pack(files, filename=ARCHIVE.name, comment="A sample of mediakit.").save(ARCHIVE)


if __name__ == "__main__":
    main()
