"""Render the image of merged certificates and badges: `python docs/mail_merge_image.py`."""

# ruff: noqa: INP001  # a script, not part of a package

import csv
from html import escape
from pathlib import Path

import pymupdf

import mediakit
from mediakit.samples import PARTICIPANTS

TARGET = Path(__file__).parent / "images" / "mail-merge.jpg"
WIDTH, HEIGHT = 1180, 570

STYLE = """
body { margin: 0; font: 15px/1.4 Inter, "Helvetica Neue", Arial, sans-serif; color: #1f2937; background: #eef1f4; }
main { display: flex; gap: 26px; align-items: center; height: 570px; box-sizing: border-box; padding: 0 34px; }
table { flex: none; border-collapse: collapse; background: #fff; border-radius: 8px; box-shadow: 0 1px 3px #0002; }
th, td { padding: 9px 16px; text-align: left; border-bottom: 1px solid #e5e7eb; white-space: nowrap; }
th { font-weight: 600; color: #6b7280; }
.pages { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; flex: 1; }
img { display: block; width: 100%; border-radius: 3px; box-shadow: 0 1px 4px #0003; }
"""


def main() -> None:
    """Write the image."""
    made = mediakit.mail_merge(PARTICIPANTS, template="certificate", data={"accent": "#0f766e"}, merge=True)
    rows = list(csv.DictReader(PARTICIPANTS.read_text("utf-8").splitlines()))
    cells = "".join(f"<tr><td>{escape(row['recipient'])}</td><td>{row['certificate_id']}</td></tr>" for row in rows)
    table = f"<table><tr><th>recipient</th><th>certificate_id</th></tr>{cells}</table>"
    with pymupdf.open(stream=made.content, filetype="pdf") as document:
        pages = [mediakit.images(page.get_pixmap(dpi=110).tobytes("png"), width=700) for page in list(document)[:4]]
    images = "".join(f"<img src='{page.data_uri()}' alt=''>" for page in pages)
    html = f"<style>{STYLE}</style><main>{table}<div class='pages'>{images}</div></main>"
    mediakit.capture(html, width=WIDTH, height=HEIGHT, format="jpeg", device_scale_factor=2).save(TARGET)


if __name__ == "__main__":
    main()
