"""`social`: a square image for social networks."""

from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox


def layout(texts: PageTexts) -> str:
    """Return the body of a post: tag, title, author and call to action."""
    width = texts.width - 2 * 88
    top = texts.logo() + texts.element("tag", TextBox(width - (320 if texts.has("logo") else 60), 30, 20, weight=650))
    title = texts.element(
        "title", TextBox(width, 132, 56, lines=6, weight=800, tracking=-0.045, height=430, line_height=1.02), tag="h1"
    )
    subtitle = texts.element(
        "subtitle", TextBox(width * 0.86, 40, 28, lines=4, weight=450, tracking=-0.012, height=164, line_height=1.36)
    )
    author = texts.element("author", TextBox(width * 0.5, 32, 22, lines=2, weight=700, tracking=-0.01, height=62))
    handle = texts.element("handle", TextBox(width * 0.5, 27, 20, weight=450))
    action = texts.element("cta", TextBox(width * 0.37, 30, 18, weight=700), css_class="action push")
    byline = f"<div>{author}{handle}</div>" if author or handle else ""
    footer = f"<footer>{byline}{action}</footer>" if byline or action else ""
    return f"<header>{top}</header><section>{title}{subtitle}</section>{footer}"


SOCIAL = Template.load("social", layout)
