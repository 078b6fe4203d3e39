"""Write the thumbnails of the documentation page of the API: `python docs/tool_thumbnails.py [COMMAND ...]`.

Each thumbnail shows what the tool really returns for its samples, arranged on a transparent background of 264 x 148
CSS pixels, so that it fits light and dark pages. Tools without an arrangement in `SCENES` show their first result.
"""

# ruff: noqa: INP001  # a script, not part of a package

import csv
import html
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import mediakit
from mediakit.api.public_pages import FOLDER
from mediakit.core.messages import readable_size
from mediakit.core.tool import Tool
from mediakit.engines.validation.result import ValidationResult
from mediakit.samples import (
    ARCHIVE,
    ARTICLE_HTML,
    CARD_HTML,
    GUIDE_MARKDOWN,
    LABEL,
    LANDSCAPE,
    LANDSCAPE_EDITED,
    LOGO,
    NOTEBOOK,
    PAGE,
    PARTICIPANTS,
    PROPOSAL,
    PROPOSAL_DATA,
    REPORT,
    SALES,
    SALES_REVISED,
    SLIDES,
    SUPPLIERS,
)
from mediakit.tools.catalogue import all_tools, load_tool

WIDTH, HEIGHT, SCALE = 264, 148, 2
QUALITY = 80

STYLE = (Path(__file__).parent / "tool_thumbnails.css").read_text("utf-8")


def paper(left: float, top: float, width: float, height: float, content: str, *, kind: str = "") -> str:
    """Return a sheet at a position, in CSS pixels."""
    box = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    return f"<div class='paper {kind}' style='{box}'>{content}</div>"


def image(result: mediakit.ImageResult) -> str:
    """Return an image as an element."""
    small = mediakit.images(result, width=640, format="webp", without_enlargement=True)
    return f"<img src='{small.data_uri()}' alt=''>"


def page(content: bytes, number: int = 0) -> str:
    """Return a page of a PDF as an image element."""
    import pymupdf

    with pymupdf.open(stream=content, filetype="pdf") as document:
        png: bytes = document[number].get_pixmap(dpi=100).tobytes("png")
    return image(mediakit.images(png, width=500, format="png"))


def capture() -> str:
    """Return markup beside the image that it renders to."""
    source = "<h1>\n  Seven charts\n  that explain\n  the year\n</h1>\n<p>From one\n  notebook"
    card = image(mediakit.capture(CARD_HTML))
    return paper(14, 24, 104, 100, f"<pre>{html.escape(source)}</pre>", kind="source") + paper(92, 36, 158, 83, card)


def screenshot() -> str:
    """Return a page in a browser window."""
    photo = mediakit.images(LANDSCAPE, width=480, format="jpeg").data_uri()
    source = PAGE.read_text("utf-8").replace("landscape.jpg", photo)
    shot = mediakit.capture(source, width=900, height=520)
    return paper(30, 20, 204, 140, f"<div class='browser'><i></i><i></i><i></i></div>{image(shot)}")


def qr() -> str:
    """Return three styles of QR codes."""
    samples = [{"style": "square"}, {"style": "rounded", "dark": "#0f3d3e"}, {"style": "dots", "dark": "#4c3f91"}]
    codes = [image(mediakit.qr("https://example.com", size=400, ecc="M", **each)) for each in samples]
    places = [(10, 39, 70, 70), (184, 39, 70, 70), (84, 26, 96, 96)]
    order = [codes[0], codes[2], codes[1]]
    return "".join(paper(*place, code) for place, code in zip(places, order, strict=True))


def barcode() -> str:
    """Return a linear and a two-dimensional code."""
    linear = mediakit.barcode("978020137962", type="ean13", scale=4)
    square = mediakit.barcode("(01)09501101530003(17)271231(10)ABC123", type="datamatrix", scale=6)
    return paper(20, 34, 140, 80, image(linear), kind="whole") + paper(170, 38, 72, 72, image(square))


RING = {"width": 420, "height": 420, "legend": "none", "values": False, "title": " "}


def chart() -> str:
    """Return a bar chart and a doughnut."""
    samples = [example.values for example in load_tool("chart").examples]
    bars = mediakit.chart(**{**samples[0], "width": 520, "height": 340})
    ring = mediakit.chart(**{**samples[2], **RING})
    return paper(18, 20, 164, 108, image(bars)) + paper(160, 52, 86, 82, image(ring))


def images() -> str:
    """Return a photo and a crop of it."""
    wide = mediakit.images(LANDSCAPE, width=480)
    crop = mediakit.images(LANDSCAPE, width=240, height=240, position="attention")
    return paper(18, 26, 154, 96, image(wide)) + paper(168, 58, 78, 78, image(crop), kind="framed")


def code_reader() -> str:
    """Return a label whose codes are marked."""
    label = image(mediakit.images(LABEL, width=640))
    width, height = 192, 128
    marks = "".join(_mark(code["box"], width / 1200) for code in mediakit.code_reader(LABEL).to_dict()["codes"])
    return paper(36, 10, width, height, label + marks)


def _mark(box: Mapping[str, int], scale: float) -> str:
    left, top, width, height = (box[name] * scale for name in ("x", "y", "width", "height"))
    return f"<i class='box' style='left:{left - 3}px;top:{top - 3}px;width:{width + 6}px;height:{height + 6}px'></i>"


def pdf() -> str:
    """Return the invoice of the first sample."""
    invoice = mediakit.pdf(load_tool("pdf").examples[0].values["html"], margin=20)
    return paper(66, 16, 132, 187, page(invoice.content))


def pdf_merge() -> str:
    """Return the pages of a merged file."""
    merged = mediakit.pdf_merge([REPORT, LANDSCAPE])
    pages = [page(merged.content, number) for number in (0, 1, 3)]
    places = [(26, 24, 78, 110), (72, 30, 78, 110), (126, 42, 118, 74)]
    return "".join(paper(*place, content) for place, content in zip(places, pages, strict=True))


def pdf_compress() -> str:
    """Return a page with its size before and after."""
    photo = mediakit.images(LANDSCAPE, format="png")
    whole = mediakit.pdf_merge([photo])
    small = mediakit.pdf_compress(whole)
    sizes = " → ".join(readable_size(len(result.content)) for result in (whole, small))
    label = "position:absolute;left:0;right:0;bottom:12px;text-align:center;font:600 17px sans-serif;color:#fff"
    shade = "text-shadow:0 0 8px #000,0 0 3px #000"
    return paper(32, 16, 200, 125, page(small.content) + f"<div style='{label};{shade}'>{sizes}</div>")


def pdf_protect() -> str:
    """Return a page with a padlock."""
    ring = "<path d='M20 30v-9a12 12 0 0 1 24 0v9' fill='none' stroke='#24413a' stroke-width='5'/>"
    body = (
        "<rect x='12' y='29' width='40' height='30' rx='6' fill='#24413a'/><circle cx='32' cy='42' r='4' fill='#fff'/>"
    )
    hole = "<path d='M32 43v8' stroke='#fff' stroke-width='3.4' stroke-linecap='round'/>"
    lock = f"<svg viewBox='0 0 64 64' class='lock'>{ring}{body}{hole}</svg>"
    return paper(66, 16, 132, 187, f"<div class='faint'>{page(REPORT.read_bytes())}</div>") + lock


def pdf_to_images() -> str:
    """Return a contact sheet."""
    (sheet,) = mediakit.pdf_to_images(REPORT, width=260, combine="grid")
    height = 200 * sheet.height / sheet.width
    return paper(32, (HEIGHT - height) / 2, 200, height, image(sheet))


def pdf_info() -> str:
    """Return a page beside what is known of it."""
    about = mediakit.pdf_info(REPORT)
    size = about.page_sizes[0]
    facts = {
        "Title": about.title,
        "Pages": f"{about.pages} × {size['name']}",
        "Outline": ", ".join(entry["title"] for entry in about.outline),
        "Fonts": f"{len(about.fonts)}, embedded",
        "Language": about.language,
    }
    cells = "".join(f"<tr><th>{name}</th>{_cells([value])}</tr>" for name, value in facts.items())
    return paper(22, 24, 78, 110, page(REPORT.read_bytes())) + paper(78, 30, 164, 94, f"<table>{cells}</table>")


def web_to_markdown() -> str:
    """Return a page beside its Markdown."""
    shot = mediakit.capture(f"<body style='font:30px Georgia;margin:30px'>{ARTICLE_HTML}", width=520, height=500)
    text = mediakit.web_to_markdown(html=ARTICLE_HTML, base_url="https://example.com/tea").content
    return paper(20, 28, 106, 96, image(shot)) + paper(
        112, 22, 132, 108, f"<pre>{html.escape(text)}</pre>", kind="source"
    )


def document_to_markdown() -> str:
    """Return a slide beside its Markdown."""
    text = mediakit.document_to_markdown(SLIDES, notes=False).content.split("\n\n## ")[1]
    title, _, bullets = text.partition("\n\n")
    items = "".join(f"<li>{html.escape(line.strip(' -'))}</li>" for line in bullets.splitlines())
    head = f"<b style='font-size:11px'>{html.escape(title)}</b>"
    listed = f"<ul style='margin:4px 0;padding-left:14px'>{items}</ul>"
    slide = f"<div style='font-size:8.5px;padding:4px 6px'>{head}{listed}</div>"
    return paper(16, 20, 148, 92, slide) + paper(112, 44, 136, 88, f"<pre>## {html.escape(text)}</pre>", kind="source")


def markdown_convert() -> str:
    """Return Markdown beside the page that it becomes."""
    source = "# Lake survey\n\n- [x] **Sounder**\n- [ ] Bottles\n\n| Station | m |\n|---------|--:|\n| Inlet   | 4 |\n"
    made = mediakit.markdown_convert(GUIDE_MARKDOWN, "pdf", theme="report", format="A5", margin=14, numbered=True)
    return paper(14, 22, 116, 100, f"<pre>{html.escape(source)}</pre>", kind="source") + paper(
        126, 14, 112, 159, page(made.content)
    )


def mail_merge() -> str:
    """Return the rows of a table and three of their certificates."""
    made = mediakit.mail_merge(PARTICIPANTS, template="certificate", data={"accent": "#0f766e"})
    certificates = [page(made[number].content) for number in range(3)]
    names = [row["recipient"] for row in csv.DictReader(PARTICIPANTS.read_text("utf-8").splitlines())]
    cells = "".join(f"<tr><td>{html.escape(name)}</td></tr>" for name in names[:5])
    table = paper(14, 28, 104, 92, f"<table><tr><th>recipient</th></tr>{cells}</table>")
    places = [(126, 16, 104, 73.5), (136, 35, 104, 73.5), (146, 54, 104, 73.5)]
    return table + "".join(paper(*place, each) for place, each in zip(places, reversed(certificates), strict=True))


def docx_template() -> str:
    """Return a Word template and the filled document, as LibreOffice prints them."""
    result = mediakit.docx_template(PROPOSAL, PROPOSAL_DATA)
    pages = [page(_printed(content)) for content in (PROPOSAL.read_bytes(), result.content)]
    return paper(28, 14, 112, 158, pages[0]) + paper(126, 24, 112, 158, pages[1])


def _printed(document: bytes) -> bytes:
    """Return a Word document as PDF."""
    program = shutil.which("soffice")
    if not program:
        raise SystemExit("The thumbnail of docx-template needs LibreOffice (soffice).")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "document.docx"
        source.write_bytes(document)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [program, "--headless", profile, "--convert-to", "pdf", "--outdir", folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603  # a program of this machine
        return source.with_suffix(".pdf").read_bytes()


def notebook_convert() -> str:
    """Return the page of a notebook in light and dark colors."""
    sheets = []
    for left, top, theme in ((14, 12, "light"), (122, 26, "dark")):
        made = mediakit.notebook_convert(NOTEBOOK, theme=theme).text
        sheets.append(paper(left, top, 128, 118, image(mediakit.capture(made, width=760, height=700))))
    return "".join(sheets)


def _cells(values: Iterable[Any]) -> str:
    return "".join(f"<td>{html.escape(str(value))}</td>" for value in values)


def data_convert() -> str:
    """Return a CSV file and its table."""
    lines = "\n".join(SALES.read_text("utf-8").splitlines()[:6])
    rows = mediakit.data_convert(SALES).to_frame().head(5)
    names = list(rows.columns)[:4]
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(row[name]))}</td>" for name in names) + "</tr>"
        for row in rows.to_dict("records")
    )
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    return paper(14, 20, 126, 92, f"<pre class='lines'>{html.escape(lines)}</pre>") + paper(
        84, 46, 166, 92, f"<table><tr>{head}</tr>{cells}</table>"
    )


def data_profile() -> str:
    """Return the cards of a profile."""
    days = [f"2024-{month:02d}-{day:02d}" for month in range(1, 13) for day in range(1, 29)]
    visits = [round(400 + 260 * math.sin(place / 53) + 90 * math.cos(place * 1.7)) for place in range(len(days))]
    city = [("Oslo", "Roma", "Gent", "Roma", "Oslo", "Roma")[place % 6] for place in range(len(days))]
    profile = mediakit.data_profile({"visits": visits, "city": city})
    shown = profile._repr_mimebundle_()[0]["text/html"]
    page = f"<body style='margin:14px;background:#fff;width:500px'>{shown}</body>"
    return paper(14, 16, 236, 124, image(mediakit.capture(page, width=528, height=277)))


def data_diff() -> str:
    """Return a table of differences with red and green cells."""
    shown = mediakit.data_diff(SALES, SALES_REVISED, ignore=["customer", "day", "items", "carrier"])
    return paper(14, 20, 236, 112, shown._repr_mimebundle_()[0]["text/html"])


def data_query() -> str:
    """Return a query and its rows."""
    sql = "SELECT paid, count(*) AS orders,\n  sum(amount) AS total\nFROM sales\nGROUP BY ALL"
    result = mediakit.data_query(SALES, sql)
    head = "".join(f"<th>{html.escape(column['name'])}</th>" for column in result.columns)
    rows = "".join(f"<tr>{_cells(row.values())}</tr>" for row in result)
    return paper(14, 20, 150, 92, f"<pre class='lines'>{html.escape(sql)}</pre>") + paper(
        104, 92, 142, 62, f"<table><tr>{head}</tr>{rows}</table>"
    )


def data_sample() -> str:
    """Return the first rows of a table that is made up."""
    result = mediakit.data_sample({"name": "name", "city": "city", "age": "age"}, rows=5, seed=12)
    head = "".join(f"<th>{html.escape(column['name'])}</th>" for column in result.columns)
    rows = "".join(f"<tr>{_cells(row.values())}</tr>" for row in result)
    return paper(14, 18, 236, 108, f"<table><tr>{head}</tr>{rows}</table>")


def _sizes(sizes: Mapping[str, int]) -> str:
    """Return names and sizes as a table."""
    rows = "".join(f"<tr>{_cells((name, readable_size(size)))}</tr>" for name, size in sizes.items())
    return f"<table>{rows}</table>"


def zip_files() -> str:
    """Return files before and after they are packed."""
    files = [SALES, REPORT, LANDSCAPE]
    packed = mediakit.zip(files)
    entries = mediakit.unzip(packed, list_only=True).entries
    before = _sizes({path.name: path.stat().st_size for path in files})
    after = _sizes({entry.name: entry.compressed_bytes or 0 for entry in entries})
    total = f"<b>{packed.filename}</b> {readable_size(len(packed.content))}"
    return paper(14, 22, 140, 78, before) + paper(104, 46, 146, 84, f"<table><tr><td>{total}</td></tr></table>{after}")


def unzip() -> str:
    """Return the entries of an archive."""
    entries = mediakit.unzip(ARCHIVE, list_only=True).entries
    rows = "".join(f"<tr>{_cells((each.name, readable_size(each.size_bytes), each.method))}</tr>" for each in entries)
    head = f"<tr>{''.join(f'<th>{name}</th>' for name in ('name', 'size', 'method'))}</tr>"
    return paper(26, 26, 212, 100, f"<table>{head}{rows}</table>")


def file_encode() -> str:
    """Return an image and its data URI."""
    uri = mediakit.file_encode(LOGO, encoding="data-uri").text
    lines = "\n".join(uri[start : start + 34] for start in range(0, 34 * 14, 34))
    return paper(98, 18, 152, 112, f"<pre class='lines'>{html.escape(lines)}</pre>") + paper(
        12, 32, 84, 84, image(mediakit.images(LOGO, width=320)), kind="whole"
    )


def text_repair() -> str:
    """Return text in the wrong charset above the repaired one."""
    wrong = "CafÃ© MÃ¼ller\nâ€žcrÃ¨me brÃ»lÃ©eâ€œ\n12,50 â‚¬"
    right = mediakit.text_repair(text=wrong).text
    box = "white-space:pre;font-size:11px;line-height:1.5"
    first = paper(20, 16, 150, 68, f"<pre style='{box};color:#b3261e'>{html.escape(wrong)}</pre>")
    return first + paper(102, 66, 142, 68, f"<pre style='{box}'>{html.escape(right)}</pre>", kind="source")


def image_info() -> str:
    """Return an image above its main colors, beside what is known of it."""
    about = mediakit.image_info(LANDSCAPE, palette=6, hashes=True)
    facts = {
        "Format": f"JPEG, quality {about.quality}",
        "Pixels": f"{about.width} × {about.height}, {about.aspect_ratio}",
        "Location": "none",
        "Hash": (about.hashes or {})["perceptual"],
    }
    cells = "".join(f"<tr><th>{name}</th>{_cells([value])}</tr>" for name, value in facts.items())
    colors = "".join(
        f"<i style='flex:{one['share']} 0 0;background:{one['color']}'></i>" for one in about.palette or ()
    )
    photo = image(mediakit.images(LANDSCAPE, width=320))
    swatches = f"<div style='display:flex;height:16px'>{colors}</div>"
    return paper(18, 16, 124, 96, photo + swatches) + paper(104, 52, 146, 78, f"<table>{cells}</table>")


def image_compare() -> str:
    """Return two images behind their differences."""
    photos = [image(mediakit.images(each, width=320)) for each in (LANDSCAPE, LANDSCAPE_EDITED)]
    diff = image(mediakit.image_compare(LANDSCAPE, LANDSCAPE_EDITED))
    first, second = paper(16, 14, 112, 70, photos[0]), paper(134, 14, 112, 70, photos[1])
    return first + second + paper(68, 58, 128, 80, diff)


def file_info() -> str:
    """Return an image beside what is known of its file."""
    about = mediakit.file_info(LANDSCAPE)
    facts = {
        "Type": about.description,
        "Media type": about.mime_type,
        "Pixels": f"{about.details['width']} × {about.details['height']}",
        "Size": readable_size(about.size_bytes),
        "SHA-256": about.hashes["sha256"][:16] + "…",
    }
    cells = "".join(f"<tr><th>{name}</th>{_cells([value])}</tr>" for name, value in facts.items())
    photo = image(mediakit.images(LANDSCAPE, width=320))
    return paper(18, 20, 112, 72, photo) + paper(96, 44, 150, 90, f"<table>{cells}</table>")


def validate_email() -> str:
    """Return email addresses with their verdicts."""
    return _verdicts(mediakit.validate_email(file=SUPPLIERS, column="email"))


def validate_phone() -> str:
    """Return phone numbers with their verdicts."""
    return _verdicts(mediakit.validate_phone(file=SUPPLIERS, column="phone"))


def validate_tax_id() -> str:
    """Return tax numbers with their verdicts."""
    return _verdicts(mediakit.validate_tax_id(file=SUPPLIERS, column="tax_id"))


def validate_code() -> str:
    """Return EANs with their verdicts."""
    return _verdicts(mediakit.validate_code(file=SUPPLIERS, column="ean"))


def validate_iban() -> str:
    """Return account numbers with their verdicts."""
    return _verdicts(mediakit.validate_iban(file=SUPPLIERS, column="iban"))


def _verdicts(result: ValidationResult[Any]) -> str:
    marks = {True: "<b style='color:#15803d'>✓</b>", False: "<b style='color:#b91c1c'>✗</b>"}
    rows = "".join(f"<tr><th>{marks[each.valid]}</th>{_cells([each.input[:25]])}</tr>" for each in list(result)[2:7])
    return paper(24, 22, 208, 100, f"<table>{rows}</table>")


def status() -> str:
    """Return the credits of an account."""
    bar = "<div class='bar'><i></i></div>"
    return paper(32, 28, 200, 92, f"<b>1,240</b> of 5,000 credits used{bar}Resets on 1 December", kind="text")


FUNCTIONS = (
    capture,
    screenshot,
    qr,
    barcode,
    chart,
    images,
    code_reader,
    image_info,
    image_compare,
    pdf,
    pdf_merge,
    pdf_compress,
    pdf_protect,
    pdf_to_images,
    pdf_info,
    markdown_convert,
    notebook_convert,
    web_to_markdown,
    document_to_markdown,
    unzip,
    file_encode,
    text_repair,
    file_info,
    validate_email,
    validate_phone,
    validate_iban,
    validate_tax_id,
    validate_code,
    data_convert,
    data_profile,
    data_diff,
    data_query,
    data_sample,
    docx_template,
    mail_merge,
    status,
)
SCENES: Mapping[str, Callable[[], str]] = {
    "zip": zip_files,
    **{function.__name__.replace("_", "-"): function for function in FUNCTIONS},
}


def default_scene(tool: Tool[..., Any]) -> str:
    """Return the first result of a tool: its image, its first page, or its text."""
    result = tool(**tool.examples[0].values)
    if isinstance(result, mediakit.ImageResult):
        return paper(42, 20, 180, 108, image(result))
    if isinstance(result, mediakit.PdfResult):
        return paper(66, 16, 132, 187, page(result.content))
    is_file = isinstance(result, mediakit.FileResult)
    text = result.content[:600].decode("utf-8", "replace") if is_file else str(result.to_dict())
    return paper(32, 22, 200, 140, f"<pre>{html.escape(text[:600])}</pre>")


def write(command: str, scene: str) -> None:
    """Render a scene to the file of a thumbnail."""
    rendered = mediakit.capture(
        f"<!doctype html><style>{STYLE}</style>{scene}",
        width=WIDTH,
        height=HEIGHT,
        device_scale_factor=SCALE,
        transparent=True,
        format="png",
    )
    path = FOLDER / "thumbnails" / f"{command}.webp"
    print(mediakit.images(rendered, format="webp", quality=QUALITY).save(path), path.stat().st_size)  # noqa: T201  # prints the path


if __name__ == "__main__":
    tools = {tool.command: tool for tool in all_tools()}
    for command in sys.argv[1:] or [*tools, "status"]:
        write(command, SCENES[command]() if command in SCENES else default_scene(tools[command]))
