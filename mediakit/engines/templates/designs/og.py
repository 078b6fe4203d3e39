"""`og`: a share image for links (Open Graph)."""

from mediakit.engines.templates.page_texts import PageTexts
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.text_fitting import TextBox


def layout(texts: PageTexts) -> str:
    """Return the body of a share image: tag and site, title and description, author and date."""
    width = texts.width - 2 * 80
    side = width / 2 - 24
    top = texts.logo() + texts.element("tag", TextBox(side - (280 if texts.has("logo") else 40), 22, 16, weight=600))
    site = texts.element("site", TextBox(side, 22, 16, weight=550))
    title = texts.element(
        "title", TextBox(width, 82, 44, lines=4, weight=750, tracking=-0.035, height=238, line_height=1.06), tag="h1"
    )
    description = texts.element(
        "description", TextBox(width * 0.82, 32, 24, lines=3, weight=400, tracking=-0.01, height=101, line_height=1.38)
    )
    author = texts.element("author", TextBox(width * 0.42, 24, 18, weight=600))
    date = texts.element("date", TextBox(width * 0.3, 24, 18))
    dot = "<i></i>" if author and date else ""
    return (
        f'<header><div class="mark">{top}</div>{site}</header><section>{title}{description}</section>'
        f"<footer>{author}{dot}{date}</footer>"
    )


OG = Template.load("og", layout)
