"""What runs in the worker."""

from mediakit.tools.images.image_watermark.job import Watermarked, WatermarkJob


def watermark(job: WatermarkJob) -> Watermarked:
    """Put a mark on an image.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or no font has the text.
    """
    from mediakit.engines.animations.reading import read_animated
    from mediakit.tools.images.image_watermark.marks import load_mark
    from mediakit.tools.images.image_watermark.stamping_frames import stamp_frames
    from mediakit.tools.images.image_watermark.stamping_still import stamp_still

    warnings: list[str] = []
    file = read_animated(job.file)
    source = file.source
    kind = job.format or ("png" if source.format == "tiff" else source.format)
    mark = load_mark(job, warnings)
    if file.is_animated and kind != "jpeg":
        return stamp_frames(job, file, mark, kind, warnings)
    if file.is_animated:
        warnings.append("format: jpeg has no animations; only the first frame is kept.")
    return stamp_still(job, source, mark, kind, warnings)
