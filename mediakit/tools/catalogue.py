"""The list of the tools, grouped by tag: what each does, and other words for it. A tool is imported on first use."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.core.messages import nearest
from mediakit.core.suggestions import SynonymTable
from mediakit.errors import NotFound

if TYPE_CHECKING:
    from mediakit.core.tool import Tag, Tool


class Listing(NamedTuple):
    """What is known of a tool before it is imported."""

    summary: str
    """The first line of the tool's docstring."""
    synonyms: str
    """Other words for the tool, separated by commas. Searches and error messages use them."""


CATALOGUE: "Mapping[Tag, Mapping[str, Listing]]" = {
    "Images": {
        "capture": Listing(
            "Render HTML to an image.",
            "html to image, html to png, html to jpg, render html, html snapshot, social card, social media "
            "image, share image, link preview, og image, open graph, twitter card, youtube thumbnail, video "
            "thumbnail, banner, badge, html template, certificate image, html2canvas, imgkit",
        ),
        "screenshot": Listing(
            "Take a screenshot of a web page.",
            "url to image, url to png, website screenshot, webpage to image, web page image, site, page shot, "
            "full page screenshot, snapshot, website thumbnail, browser, puppeteer, selenium, playwright",
        ),
        "qr": Listing(
            "Create a QR code.",
            "qr code, qrcode, quick response, wifi code, wi-fi, vcard, contact card, url code, event ticket, "
            "ticket, payment code, scan me, matrix code, segno",
        ),
        "barcode": Listing(
            "Create a barcode of one of ten types.",
            "ean, ean13, upc, code128, code39, itf14, gs1, datamatrix, data matrix, pdf417, aztec, product code, "
            "shipping label, boarding pass",
        ),
        "chart": Listing(
            "Render a bar, line, area, pie, doughnut, radar or scatter chart, a timeline, or bars with lines.",
            "graph, plot, diagram, bar chart, column chart, line chart, pie chart, doughnut, donut, radar chart, "
            "scatter plot, area chart, timeline, time series, histogram, visualization, matplotlib, plotly, "
            "infographic",
        ),
        "images": Listing(
            "Resize, convert or compress an image.",
            "image, picture, photo, resize image, scale image, shrink image, compress image, optimize image, "
            "reduce image size, smaller image, crop image, convert image, image format, thumbnail, png to jpg, "
            "jpg to png, png to webp, jpg to webp, webp to png, avif, jpeg, jpg, png, tiff, gif to png, quality, "
            "remove exif, strip metadata, remove location, avatar, favicon, icon, pillow, sharp, imagemagick",
        ),
        "code_reader": Listing(
            "Find and decode every QR code and barcode in an image or a PDF.",
            "read qr code, scan qr, qr scanner, qr reader, read barcode, scan barcode, barcode scanner, barcode "
            "reader, decode qr, decode barcode, zbar, scan",
        ),
        "image_info": Listing(
            "Tell what an image is: size, colors, animation, EXIF, location, palette, hashes.",
            "exif, image metadata, photo metadata, photo location, gps, image size, dimensions, dpi, image "
            "colors, dominant color, main colors, color palette, perceptual hash, phash, camera, heic info",
        ),
        "image_watermark": Listing(
            "Put text or a logo on an image.",
            "watermark, watermark photo, logo on image, text on image, overlay, copyright, caption, stamp image, "
            "annotate image",
        ),
        "image_compare": Listing(
            "Compare two images pixel by pixel, and show what differs.",
            "compare images, image diff, difference of images, visual regression, pixel diff, screenshot diff, "
            "pixelmatch, before and after, similar images",
        ),
        "image_animate": Listing(
            "Make an animated WebP, GIF or PNG of images, or convert or retime an animation.",
            "gif, animated gif, make gif, animation, animated webp, apng, slideshow, images to gif, frames, gif "
            "frames, gif speed, gif maker",
        ),
        "table_image": Listing(
            "Render a table as an image, a PDF or an HTML page, without a browser.",
            "table as image, table to image, table to png, dataframe, data frame, dataframe to image, dataframe "
            "image, csv to image, excel to image, excel to pdf, spreadsheet to pdf, xlsx to pdf, csv to pdf, "
            "table to pdf, table picture, heatmap, sparkline, great tables, gt, dfi",
        ),
    },
    "PDF": {
        "pdf": Listing(
            "Render HTML to a PDF.",
            "html to pdf, print, print to pdf, make pdf, create pdf, invoice, bill, receipt, certificate, report, "
            "diploma, html template, weasyprint, wkhtmltopdf, pdfkit, letter",
        ),
        "pdf_merge": Listing(
            "Merge PDFs and images into one PDF.",
            "merge pdf, combine pdf, join pdf, concatenate pdf, append pdf, combine files, image to pdf, images "
            "to pdf, jpg to pdf, png to pdf, photos to pdf, scans to pdf, table of contents, pypdf",
        ),
        "pdf_split": Listing(
            "Split a PDF into several: by number of pages, page ranges, file size, bookmarks or blank pages.",
            "split pdf, cut pdf, separate pages, burst, pdf chapters, pdf parts, one file per page",
        ),
        "pdf_pages": Listing(
            "Select, reorder, remove, rotate, crop and resize the pages of a PDF, and put several on a sheet.",
            "rotate pdf, reorder pages, remove pages, delete pages, extract pages, select pages, crop pdf, resize "
            "pdf, turn pages, reverse pages, n-up, booklet, pages per sheet, imposition, page order",
        ),
        "pdf_compress": Listing(
            "Make a PDF smaller; the result is never larger than the input.",
            "compress pdf, shrink pdf, reduce pdf, smaller pdf, optimize pdf, pdf size, pdf too large, ghostscript",
        ),
        "pdf_stamp": Listing(
            "Stamp a PDF with text, an image, a QR code or another PDF.",
            "watermark pdf, stamp, page numbers, number pages, bates, header and footer, letterhead, draft, "
            "confidential, logo on pdf, qr on pdf, overlay pdf, background pdf, add text to pdf, signature image",
        ),
        "pdf_protect": Listing(
            "Encrypt a PDF with passwords and permissions, or decrypt it.",
            "unlock pdf, decrypt pdf, remove pdf password, encrypt pdf, lock pdf, pdf password, password protect, "
            "protect pdf, secure pdf, permissions, restrict printing, qpdf",
        ),
        "pdf_redact": Listing(
            "Remove words, personal data and areas from a PDF, and verify that they are gone.",
            "redact, black out, blackout, censor, anonymize pdf, hide text, remove text, remove words, personal "
            "data, pii, gdpr",
        ),
        "pdf_to_images": Listing(
            "Draw the pages of a PDF as PNG, JPEG or WebP images.",
            "pdf to image, pdf to png, pdf to jpg, pdf to jpeg, pdf thumbnail, pdf preview, thumbnail, page "
            "image, rasterize, render pdf, contact sheet, pdf2image, poppler, pdftoppm",
        ),
        "pdf_extract": Listing(
            "Extract text, Markdown, tables, words, links or images of a PDF.",
            "pdf to text, pdf text, read pdf, parse pdf, text of pdf, pdf to markdown, pdf tables, table from "
            "pdf, pdf to excel, pdf to csv, pdf to xlsx, pdf to json, images of pdf, pdf links, camelot, tabula, "
            "pdfplumber, pdfminer, scan",
        ),
        "pdf_info": Listing(
            "Describe a PDF, or write its metadata, outline, attachments and page labels.",
            "pdf metadata, pdf properties, page count, number of pages, pdf title, author, bookmarks, outline, "
            "attachments, attach file, page labels, clean pdf, sanitize pdf, remove metadata",
        ),
        "pdf_form": Listing(
            "List, fill and flatten the fields of a PDF form.",
            "fill pdf, fill form, pdf fields, acroform, form fields, flatten pdf, fillable, questionnaire, xfdf",
        ),
    },
    "Documents": {
        "web_to_markdown": Listing(
            "Convert a web page to Markdown, text or metadata.",
            "url to markdown, html to markdown, html to text, web page to text, website to text, url to text, "
            "scrape, scraping, crawl, article, readability, reader view, page metadata, open graph tags, "
            "html2text, trafilatura, beautifulsoup, llm",
        ),
        "markdown_convert": Listing(
            "Convert Markdown to an HTML page, a PDF or a Word document.",
            "markdown to html, markdown to pdf, markdown to word, markdown to docx, md to pdf, md to html, md to "
            "docx, readme, report, pandoc, word document, make word, create docx",
        ),
        "document_to_markdown": Listing(
            "Convert a document to Markdown or text.",
            "word to markdown, docx to markdown, docx to text, word to text, doc to text, read word, read docx, "
            "word, docx, powerpoint, pptx, pptx to text, excel to markdown, xlsx to markdown, odt, rtf, epub, "
            "ebook, email, eml, office, markitdown, slides to text, rag, llm",
        ),
        "docx_template": Listing(
            "Fill the placeholders of a Word document with data.",
            "word template, fill word, docx template, word placeholders, contract, letter, docxtpl, word form, "
            "word document from template, proposal",
        ),
        "notebook_convert": Listing(
            "Convert a Jupyter notebook to a web page, a PDF, Markdown or a script.",
            "ipynb, jupyter, notebook to pdf, notebook to html, ipynb to pdf, ipynb to html, ipynb to py, "
            "nbconvert, export notebook, notebook to script",
        ),
        "mail_merge": Listing(
            "Make a document for each row of a table.",
            "serial letter, form letter, bulk documents, many certificates, many invoices, name tags, badges, "
            "labels, tickets, one document per row, personalize, certificates, invoices, receipts",
        ),
    },
    "Files": {
        "zip": Listing(
            "Pack files into a ZIP file, optionally encrypted with AES-256.",
            "zip files, compress files, pack, archive, make zip, encrypted zip, zip password, bundle",
        ),
        "unzip": Listing(
            "List and unpack a ZIP, TAR, TAR.GZ or GZ file, and relatives of ZIP such as DOCX, XLSX, EPUB and JAR.",
            "unpack, extract zip, extract archive, decompress, open zip, untar, tar, tar gz, gz, gzip, list zip, "
            "jar, zip contents",
        ),
        "text_repair": Listing(
            "Convert text of any charset to clean UTF-8, and repair text that was decoded with the wrong one.",
            "mojibake, fix encoding, charset, character encoding, utf-8, utf8, latin1, windows-1252, broken "
            "accents, strange characters, ftfy, chardet, normalize text, line endings, bom",
        ),
        "file_info": Listing(
            "Identify a file by its content: media type, details, hashes, entropy.",
            "file type, mime type, media type, magic, identify file, file extension, checksum, hash, md5, sha1, "
            "sha256, sha512, file size, entropy",
        ),
        "file_encode": Listing(
            "Encode a file or text as base64, hex, a data URI and other text, compress it, or decode it.",
            "base64, base32, hex, data uri, data url, url encode, percent encoding, html escape, decode base64, "
            "gzip text, brotli, deflate, quoted printable, unescape",
        ),
    },
    "Validation": {
        "validate_email": Listing(
            "Check email addresses: syntax, domain, and typing errors in the names of common providers.",
            "email, e-mail, mail address, check email, email validator, verify email, disposable email",
        ),
        "validate_phone": Listing(
            "Check phone numbers, format them, and find their type, region and time zone.",
            "phone, telephone, mobile number, phone number, check phone, format phone, e164, libphonenumber, "
            "phonenumbers, whatsapp",
        ),
        "validate_iban": Listing(
            "Check account numbers (IBAN): structure, check digits, national check digits, bank.",
            "iban, bank account, account number, bic of iban, sepa, check iban, bank",
        ),
        "validate_tax_id": Listing(
            "Check tax, VAT, identity and company numbers of more than 80 countries.",
            "tax, vat, vat number, tax number, nif, cif, nie, dni, ein, ssn, tin, company number, identity "
            "number, personal number, stdnum",
        ),
        "validate_code": Listing(
            "Check codes: EAN, ISBN, GS1, payment cards, IMEI, ISIN, LEI, BIC, containers, vehicles, ORCID and others.",
            "isbn, ean check, gtin, credit card, card number, luhn, imei, isin, lei, swift, vin, orcid, check "
            "digit, container number, uuid, doi, issn, cusip",
        ),
    },
    "Data": {
        "data_convert": Listing(
            "Convert a table, or JSON, YAML and TOML of any shape, to another format.",
            "csv to json, json to csv, csv to excel, excel to csv, excel to json, xlsx to csv, json to excel, csv "
            "to parquet, parquet to csv, yaml to json, json to yaml, toml, csv to sql, tsv, jsonl, ndjson, "
            "spreadsheet, excel, xlsx, xls, csv, json, yaml, parquet, convert data, convert table, convert file, "
            "make excel",
        ),
        "data_profile": Listing(
            "Profile a table: types, statistics and problems of every column.",
            "profile, describe data, summary statistics, statistics, data quality, missing values, outliers, "
            "column types, schema, eda, validate csv, check csv, check excel, pandas profiling, json schema",
        ),
        "data_diff": Listing(
            "Compare two tables, or two JSON, YAML or TOML documents.",
            "compare csv, compare excel, compare tables, compare json, csv diff, json diff, excel diff, diff, "
            "changes, difference of files, json patch, reconcile",
        ),
        "data_query": Listing(
            "Query tables with SQL: CSV, Excel, Parquet, JSON and data frames.",
            "sql, query, select, duckdb, dataframe, data frame, group by, join tables, filter rows, aggregate, "
            "pivot, query csv, query excel, sql on csv, excel, csv",
        ),
        "data_sample": Listing(
            "Make up tables of test data: people, orders, sensors, or fields of your own.",
            "fake data, test data, mock data, dummy data, synthetic data, random data, faker, sample data, "
            "example data, seed data, generate data, anonymize data",
        ),
    },
    "Account": {},  # GET /status is not a tool
}
"""The tools by tag. The tool `qr` is the object `qr` in the module `mediakit.tools.images.qr`."""

SUMMARIES: Mapping[str, str] = {name: each.summary for names in CATALOGUE.values() for name, each in names.items()}
"""What each tool does, in one sentence."""

SYNONYMS: SynonymTable = {name: each.synonyms for names in CATALOGUE.values() for name, each in names.items()}
"""Other words for each tool."""


def tool_names() -> tuple[str, ...]:
    """Return the names of all tools, without importing them."""
    return tuple(SYNONYMS)


def command_names() -> tuple[str, ...]:
    """Return the names of the shell commands of all tools, without importing the tools."""
    return tuple(name.replace("_", "-") for name in tool_names())


def module_of(name: str) -> str:
    """Return the name of the module that defines a tool.

    Raises:
        NotFound: The tool is unknown.
    """
    for tag, names in CATALOGUE.items():
        if name in names:
            return f"mediakit.tools.{tag.lower()}.{name}"
    raise NotFound(f"tool: unknown tool {name}; {nearest(name, tool_names(), SYNONYMS)}")


@cache
def load_tool(name: str) -> "Tool[..., Any]":
    """Import and return a tool by its name in Python or in the shell.

    Raises:
        NotFound: The tool is unknown.
    """
    name = name.replace("-", "_")
    tool: Tool[..., Any] = getattr(import_module(module_of(name)), name)
    return tool


def all_tools() -> "tuple[Tool[..., Any], ...]":
    """Import and return all tools, in the order of the catalogue."""
    return tuple(map(load_tool, tool_names()))
