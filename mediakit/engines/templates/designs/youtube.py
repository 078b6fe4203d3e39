"""`youtube`: a video thumbnail."""

from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox


def layout(texts: PageTexts) -> str:
    """Return the body of a thumbnail. Its texts are large, so that they are readable in small previews."""
    width = texts.width - 2 * 72
    channel = texts.logo() + texts.element(
        "channel", TextBox(width * 0.58 - (260 if texts.has("logo") else 0), 34, 22, weight=700, tracking=-0.01)
    )
    episode = texts.element("episode", TextBox(width * 0.38, 32, 22, weight=600))
    title = texts.element(
        "title", TextBox(width, 124, 70, lines=3, weight=900, tracking=-0.05, height=340, line_height=1), tag="h1"
    )
    highlight = texts.element("highlight", TextBox(width * 0.9, 64, 36, weight=800, tracking=-0.03, line_height=1.15))
    subtitle = texts.element("subtitle", TextBox(width * 0.78, 42, 26, lines=2, weight=500, tracking=-0.015, height=74))
    duration = texts.element("duration", TextBox(180, 34, 22, weight=700), css_class="duration push")
    return (
        f'<header><div class="mark">{channel}</div>{episode}</header><section>{title}{highlight}</section>'
        f"<footer>{subtitle}{duration}</footer>"
    )


YOUTUBE = Template.load("youtube", layout)
