"""The PDF tools compared with command-line programs and pypdf, on files that the benchmark generates.

`python -m bench.pdf_tools` measures the peak memory of each tool with 500 pages instead; Linux only.
"""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case, NotMeasured
from bench.worker import Worker, ours, python, python_peer
from mediakit.samples import LANDSCAPE

TEXT = """
    annual harbor report of the council on water quality
    measured in twelve towns between spring and autumn
"""
LINES = 45
MANY_PAGES = 500

Run = Callable[[], bytes]


@cache
def document(pages: int, photos: int = 0, first: int = 1) -> bytes:
    """Return a PDF of A4 pages with 45 lines of text each, and photos of 300 dpi on the first ones."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
    for number in range(first, first + pages):
        resources = Dictionary(Font=Dictionary(F1=font))
        drawn = b""
        if number - first < photos:
            resources.XObject = Dictionary(Photo=_photo(pdf, number))
            drawn = b"q 400 0 0 250 90 30 cm /Photo Do Q "
        lines = b" T* ".join(b"(" + _line(number * LINES + line).encode() + b") Tj" for line in range(LINES))
        content = pdf.make_stream(drawn + b"BT /F1 10 Tf 12 TL 50 800 Td " + lines + b" ET")
        page = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, 595, 842]), Resources=resources, Contents=content)
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    pdf.save(target := io.BytesIO(), static_id=True)
    return target.getvalue()


def _line(number: int) -> str:
    words = TEXT.split()
    return f"{number} " + " ".join(words[(number * 7 + step * step) % len(words)] for step in range(12))


def _photo(pdf: pikepdf.Pdf, number: int) -> pikepdf.Object:
    with Image.open(LANDSCAPE) as opened:
        image = opened.rotate(number % 7, resample=Image.Resampling.BICUBIC).resize((1667, 1042))
    image.save(target := io.BytesIO(), "JPEG", quality=92)
    stream = pdf.make_stream(target.getvalue(), Type=Name.XObject, Subtype=Name.Image, Filter=Name.DCTDecode)
    stream.ColorSpace, stream.BitsPerComponent = Name.DeviceRGB, 8
    stream.Width, stream.Height = image.size
    return stream


def inputs(values: Mapping[str, Any]) -> list[bytes]:
    """Return the files of a case."""
    pages, photos = values["pages"], values.get("photos", 0)
    return [document(pages, photos, 1 + index * pages) for index in range(values.get("files", 1))]


TOOLS: Mapping[str, Callable[[list[bytes]], bytes]] = {
    "merge": lambda files: mediakit.pdf_merge(files, bookmarks="none").content,
    "split": lambda files: mediakit.pdf_split(files[0], mode="every", every=1).content,
    "split in threes": lambda files: mediakit.pdf_split(files[0], mode="every", every=3).content,
    "pages": lambda files: mediakit.pdf_pages(files[0], rotate=90).content,
    "compress": lambda files: mediakit.pdf_compress(files[0]).content,
    "stamp": lambda files: mediakit.pdf_stamp(files[0], "Draft").content,
    "protect": lambda files: mediakit.pdf_protect(files[0], "secret").content,
    "images": lambda files: mediakit.pdf_to_images(files[0], "1-20").content,
    "text": lambda files: _joined_text(files[0]),
}
"""The job of each case, with mediakit."""

COMMANDS: Mapping[str, str] = {
    "merge": "qpdf --empty --pages {inputs} -- {folder}/out.pdf",
    "split": "qpdf --split-pages {input} {folder}/out.pdf",
    "compress": "gs -q -dSAFER -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -dPDFSETTINGS=/ebook "
    "-sOutputFile={folder}/out.pdf {input}",
    "images": "pdftoppm -png -r 150 -l 20 {input} {folder}/out",
    "text": "pdftotext {input} {folder}/out.txt",
}
"""The same with a command-line program, whose output is `out*`."""


def _joined_text(content: bytes) -> bytes:
    return mediakit.pdf_extract(content, max_chars=1_000_000).content.encode()


def with_mediakit(values: Mapping[str, Any]) -> Job:
    files, run = inputs(values), TOOLS[values["job"]]
    return lambda: run(files)


def with_command(values: Mapping[str, Any]) -> Job:
    """Return a job that runs the program of a case, with its input in files already."""
    command = COMMANDS[values["job"]]
    if not shutil.which(command.split()[0]):
        raise NotMeasured(f"{command.split()[0]} is not installed")
    folder = Path(tempfile.mkdtemp())
    paths = [folder / f"{index}.pdf" for index in range(values.get("files", 1))]
    for path, content in zip(paths, inputs(values), strict=True):
        path.write_bytes(content)

    def run() -> bytes:
        with tempfile.TemporaryDirectory() as results:
            filled = command.format(inputs=" ".join(map(str, paths)), input=paths[0], folder=results)
            subprocess.run(filled.split(), check=True, capture_output=True)
            return b"".join(path.read_bytes() for path in sorted(Path(results).glob("out*")))

    return run


def with_pypdf(values: Mapping[str, Any]) -> Job:
    from pypdf import PdfReader

    [content] = inputs(values)
    return lambda: "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).encode()


def read_back(case: Case, content: bytes) -> str:
    """Return what a result holds, as far as one file shows it."""
    if case.values["job"] == "text":
        return f"{len(content.split()):,} words"
    if content.startswith(b"%PDF-") and content.count(b"%%EOF") < 3:
        return f"{len(pypdfium2.PdfDocument(content))} pages"
    return f"{len(content) / 1e6:.1f} MB"


TEXT_CASE = Case("text of 200 pages", {"job": "text", "pages": 200})

BENCHES = [
    Bench(
        tool="pdf_tools",
        about="PDFs with 45 lines of text a page. The programs are started for each call and read and write files; "
        "mediakit parses in a separate process, which is running.",
        cases=[
            Case("merge 20 files of 10 pages", {"job": "merge", "files": 20, "pages": 10}),
            Case("split 200 pages", {"job": "split", "pages": 200}),
            Case("20 pages to PNG at 150 dpi", {"job": "images", "pages": 20, "photos": 5}),
            TEXT_CASE,
            Case("compress 20 pages, 10 photos", {"job": "compress", "pages": 20, "photos": 10}),
            Case("compress 100 pages of text", {"job": "compress", "pages": 100}),
        ],
        ours=ours("bench.pdf_tools:with_mediakit"),
        peers=[Worker("qpdf, Poppler, Ghostscript", python("bench.pdf_tools:with_command"))],
        inspect=read_back,
    ),
    Bench(
        tool="pdf_tools: text",
        about="The same text with pypdf.",
        cases=[TEXT_CASE],
        ours=ours("bench.pdf_tools:with_mediakit"),
        peers=[python_peer("pypdf", "bench.pdf_tools:with_pypdf")],
        inspect=read_back,
    ),
]


def main() -> None:
    print(f"| Tool, {MANY_PAGES} pages | peak of the worker, MB |\n| --- | --: |")
    for job in [job for job in TOOLS if job != "split"]:  # into at most 200 parts
        worker = ours("bench.pdf_tools:with_mediakit")
        worker.start()
        try:
            worker.make(Case(job, {"job": job, "pages": MANY_PAGES}))
            print(f"| {job} | {max(worker.peaks()) / 1e6:.0f} |", flush=True)
        finally:
            worker.stop()


if __name__ == "__main__":
    main()
