"""Tasks that take several tools, and what mediakit cannot do: the answers of searches and error messages."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from mediakit.core.messages import quote
from mediakit.core.suggestions import SIMILARITY, rank
from mediakit.tools.catalogue import SYNONYMS

MAX_SUGGESTIONS = 3


class Task(NamedTuple):
    """Something that people look for, and no tool does alone."""

    words: str
    """What people call it, separated by commas; the first is its title."""
    answer: str
    """How it is done, or what there is instead."""
    tools: tuple[str, ...]
    """The tools of the answer, in the order of the calls."""
    call: str = ""
    """The call in Python; empty if there is none."""

    @property
    def title(self) -> str:
        """What most people call it."""
        return self.words.partition(",")[0]

    @property
    def called(self) -> list[str]:
        """The tools that `call` uses, in the order in which they run."""
        return [name for name in reversed(re.findall(r"mediakit\.(\w+)\(", self.call)) if name in SYNONYMS]


TASKS = (
    Task(
        "invoice, bill, invoice pdf, invoice template, receipt, receipt pdf",
        "Keys that data omits print example text. mediakit.invoice_data calculates the totals.",
        ("pdf", "mail_merge"),
        'mediakit.pdf(template="invoice", data={"number": "2026-001", "client": "Ada Lovelace"})',
    ),
    Task(
        "certificate, diploma, award, certificate of completion, certificate pdf",
        "Keys that data omits print example text. mail_merge makes one for each row of a table.",
        ("pdf", "mail_merge"),
        'mediakit.pdf(template="certificate", data={"recipient": "Ada Lovelace"})',
    ),
    Task(
        "social card, social media image, og image, open graph image, share image, link preview, twitter card",
        "The templates og and social have the sizes of link previews and posts.",
        ("capture",),
        'mediakit.capture(template="og", data={"title": "Hello"})',
    ),
    Task(
        "youtube thumbnail, video thumbnail, video cover",
        "The template youtube has the size of a thumbnail, 1280 x 720 pixels.",
        ("capture",),
        'mediakit.capture(template="youtube", data={"title": "Hello"})',
    ),
    Task(
        "word to pdf, docx to pdf, doc to pdf, odt to pdf, rtf to pdf, word document to pdf, office to pdf",
        "Converts the text, tables and images; the layout of the pages is new.",
        ("document_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.document_to_markdown("notes.docx").content, to="pdf")',
    ),
    Task(
        "powerpoint to pdf, pptx to pdf, ppt to pdf, slides to pdf, presentation to pdf",
        "Converts the text, tables and images of the slides; the layout is new.",
        ("document_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.document_to_markdown("talk.pptx").content, to="pdf")',
    ),
    Task(
        "word to html, docx to html, odt to html",
        "Converts the text, tables and images; the styles are new.",
        ("document_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.document_to_markdown("notes.docx").content, to="html")',
    ),
    Task(
        "pdf to word, pdf to docx, pdf to doc",
        "Converts headings, paragraphs, lists and tables; the layout of the pages is new.",
        ("document_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.document_to_markdown("report.pdf").content, to="docx")',
    ),
    Task(
        "pdf to html",
        "Converts headings, paragraphs, lists and tables; the layout of the pages is new.",
        ("document_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.document_to_markdown("report.pdf").content, to="html")',
    ),
    Task(
        "url to pdf, website to pdf, web page to pdf, webpage to pdf, save page as pdf, link to pdf",
        "Prints the look of a page; web_to_markdown and markdown_convert print its text. `pdf` renders HTML only.",
        ("screenshot", "pdf_merge"),
        'mediakit.pdf_merge([mediakit.screenshot("https://example.com", full_page=True)])',
    ),
    Task(
        "url to word, web page to word, url to docx, web page to docx",
        "Converts the main text of a page.",
        ("web_to_markdown", "markdown_convert"),
        'mediakit.markdown_convert(mediakit.web_to_markdown("https://example.com").content, to="docx")',
    ),
    Task(
        "bulk, many files, every row, each row, for each row, loop, mass production, batch of files",
        "Calls a tool for each row of a table.",
        ("qr",),
        'mediakit.batch(mediakit.qr, "guests.csv")',
    ),
    Task(
        "heic, heif, iphone photo, heic to jpg, heic to jpeg, heic to png, convert heic, apple photo",
        "image_info and file_info read HEIC files. To convert one, open it with pillow-heif first.",
        ("image_info", "images"),
        'mediakit.images(pillow_heif.open_heif("photo.heic").to_pillow(), format="jpeg")',
    ),
    Task(
        "ocr, text recognition, image to text, photo to text, scan to text, scanned pdf, handwriting, tesseract",
        "mediakit has no OCR. pdf_extract reads the text that a PDF contains, also the text layer of a scan; "
        "code_reader reads QR codes and barcodes.",
        ("pdf_extract", "code_reader"),
    ),
    Task(
        "sign pdf, digital signature, electronic signature, e-sign, esign, docusign",
        "mediakit has no digital signatures. pdf_stamp puts an image of a signature on a page.",
        ("pdf_stamp",),
        'mediakit.pdf_stamp("contract.pdf", image="signature.png", position="right bottom")',
    ),
    Task(
        "remove background, background removal, rembg, cut out, upscale, enhance photo, face detection, generate image",
        "mediakit changes images without artificial intelligence: images resizes, crops and converts them.",
        ("images",),
    ),
    Task(
        "video, mp4, movie, film, audio, mp3, youtube download, ffmpeg",
        "mediakit has no video and no audio. image_animate makes animated GIF, WebP and PNG files of images.",
        ("image_animate",),
    ),
    Task(
        "pdfa, archive pdf, long-term archive, zugferd, facturx",
        "mediakit writes no PDF/A and no electronic invoices. pdf_info attaches files to a PDF.",
        ("pdf_info",),
    ),
)


def find(words: str, *, others: Iterable[str] = (), minimum: float = SIMILARITY) -> list[tuple[str | Task, float]]:
    """Return the tools and tasks that fit words, each with a score from 0 to 1, the best first. No tool is imported.

    Args:
        words: A name that does not exist, or what people call a task.
        others: Further names that can be meant.
        minimum: The lowest score.
    """
    table = {**{str(place): task.words for place, task in enumerate(TASKS)}, **dict.fromkeys(others, ""), **SYNONYMS}
    matches = rank(words, table, minimum=minimum)
    return [(TASKS[int(name)] if name.isdigit() else name, score) for name, score in matches]


def keywords(name: str) -> str:
    """Return other words for a tool and for the tasks that it is part of, for searches in other languages."""
    return ", ".join([SYNONYMS.get(name, ""), *(task.words for task in TASKS if name in task.tools)])


def suggestion(name: str, others: Iterable[str], search: str, spell: Callable[[str], str] | None = None) -> str:
    """Return the end of the error for a name that does not exist: what is meant, or how to search.

    Args:
        name: The name that does not exist.
        others: Names beside those of the tools that can be meant.
        search: How to search for words.
        spell: Spells the name of a tool, where it is not called in Python.
    """
    found = find(name, others=others)
    if not found:
        return f". {search}"
    best = [each for each, score in found if score >= found[0][1] - 0.01][:MAX_SUGGESTIONS]
    if isinstance(task := best[0], Task):
        if not task.called:
            return f". {task.answer}"
        steps = ", then ".join(quote(spell(each)) for each in task.called) if spell else task.call
        return f"; did you mean {steps}? {task.answer}"
    names = [quote(spell(each) if spell else each) for each in best if isinstance(each, str)]
    return f"; did you mean {' or '.join(names)}?"


def command_of(name: str) -> str:
    """Return the name of a tool in the shell."""
    return name.replace("_", "-")
