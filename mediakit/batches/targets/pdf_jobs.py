"""Functions on PDFs that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.core.inputs import FileBytes


def merge_group(files: list[FileBytes], titles: list[str]) -> bytes:
    """Return files as one PDF that has equal fonts and images once, so that few objects are left to join."""
    from io import BytesIO

    import pikepdf

    from mediakit.engines.pdf.saving import save
    from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects
    from mediakit.tools.pdf.pdf_merge.inputs import open_inputs
    from mediakit.tools.pdf.pdf_merge.merging import Merge

    merged = Merge(open_inputs(files, [""] * len(files), titles)).run()
    with pikepdf.open(BytesIO(merged.content)) as pdf:
        share_equal_objects(pdf)
        return save(pdf)


def join(paths: list[str], target: str, title: str) -> int:
    """Write the pages of PDFs, with their bookmarks, to one PDF; equal fonts and images are stored once.

    Args:
        paths: The PDFs.
        target: The file to write.
        title: Title of the document.

    Returns:
        The number of pages.
    """
    import pikepdf
    from pikepdf import Name, String

    from mediakit.engines.pdf.assembly import Assembly
    from mediakit.engines.pdf.opening import Source
    from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects

    assembly = Assembly("keep")
    for path in paths:
        source = Source(pikepdf.open(path))
        assembly.add(source, range(len(source.pages)))
    assembly.finish()
    share_equal_objects(assembly.pdf)
    pdf = assembly.pdf
    pdf.docinfo[Name.Title] = String(title)
    pdf.Root.PageMode = Name.UseOutlines
    pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return assembly.count


def split(path: str, titles: list[str], folder: str) -> bool:
    """Write the pages below each bookmark of the first level to a PDF, `0.pdf`, `1.pdf` and so on.

    Args:
        path: The PDF.
        titles: The titles that the bookmarks must have.
        folder: Where the PDFs are written.

    Returns:
        False if the PDF is damaged or has other bookmarks; then nothing is written.
    """
    from pathlib import Path

    import pikepdf

    from mediakit.engines.pdf.destinations import Part
    from mediakit.engines.pdf.opening import Source
    from mediakit.engines.pdf.outlines import first_level
    from mediakit.tools.pdf.pdf_split.splitting import PartMaker

    try:
        source = Source(pikepdf.open(path))
    except pikepdf.PdfError:
        return False
    entries = first_level(Part(source, list(range(len(source.pages))), 0))
    starts = [entry.page for entry in entries]
    if [entry.title for entry in entries] != titles or starts != sorted(set(starts)):
        return False
    maker = PartMaker(source)
    for index, (start, end) in enumerate(zip(starts, [*starts[1:], len(source.pages)], strict=True)):
        Path(folder, f"{index}.pdf").write_bytes(maker.make(range(start, end), attachments=True))
    return True
