"""Writes animated AVIF files."""

from io import BytesIO

from mediakit.engines.animations.frames import Animation

SPEED = 9


def encode_avif_animation(animation: Animation, quality: int) -> bytes:
    """Encode an animated AVIF. The format plays endlessly.

    Args:
        animation: The frames.
        quality: 1 to 100.
    """
    frames = list(animation.frames())
    first, *rest = (frame.image for frame in frames)
    options = {"icc_profile": animation.icc_profile} if animation.icc_profile else {}
    buffer = BytesIO()
    first.save(
        buffer,
        "AVIF",
        save_all=True,
        append_images=rest,
        duration=[frame.delay_ms for frame in frames],
        quality=quality,
        speed=SPEED,
        autotiling=False,
        max_threads=4,
        **options,
    )
    return buffer.getvalue()
