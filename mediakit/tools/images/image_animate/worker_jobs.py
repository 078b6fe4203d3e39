"""What runs in the worker."""

from mediakit.tools.images.image_animate.job import Animated, AnimateJob, Separated, Timeline


def animate(job: AnimateJob) -> Animated:
    """Make an animation.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or the result does not fit.
    """
    from mediakit.tools.images.image_animate.encoding import Encoder
    from mediakit.tools.images.image_animate.fitting import animation_size
    from mediakit.tools.images.image_animate.input_images import read_inputs
    from mediakit.tools.images.image_animate.sequence import Sequence

    warnings: list[str] = []
    inputs = read_inputs(job, warnings)
    size = animation_size(inputs.size, job.width, job.height)
    sequence = Sequence(inputs, job, size)
    made = Encoder(sequence).encode()
    if made.size != size:
        warnings.append(f"max_bytes: the size was reduced to {made.size[0]} x {made.size[1]} pixels.")
    if job.max_bytes and made.quality is not None and made.quality < job.quality:
        warnings.append(f"max_bytes: the quality was reduced to {made.quality}.")
    if job.max_bytes and _has_fewer_colors(job, made.colors):
        warnings.append(f"max_bytes: the colors of a frame were reduced to {made.colors}.")
    timeline = Timeline(*made.size, sequence.delays_ms, inputs.loop, warnings)
    return Animated(made.content, timeline, made.colors, made.quality)


def separate(job: AnimateJob) -> Separated:
    """Return the frames.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large.
    """
    from mediakit.engines.raster.encode import encode
    from mediakit.tools.images.image_animate.fitting import animation_size
    from mediakit.tools.images.image_animate.input_images import read_inputs
    from mediakit.tools.images.image_animate.sequence import Sequence

    warnings: list[str] = []
    inputs = read_inputs(job, warnings)
    size = animation_size(inputs.size, job.width, job.height)
    sequence = Sequence(inputs, job, size)
    images = []
    for frame in sequence.animation().frames():
        opaque = frame.image.getchannel("A").getextrema() == (255, 255)
        images.append(encode(frame.image.convert("RGB") if opaque else frame.image, "png"))
    return Separated(images, Timeline(*size, sequence.delays_ms, inputs.loop, warnings))


def _has_fewer_colors(job: AnimateJob, colors: int | None) -> bool:
    return colors is not None and (job.format == "png" or (job.format == "gif" and colors <= 128))
