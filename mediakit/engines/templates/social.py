"""`social`: a square post."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.keys import Key
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

KEYS = (
    Key("title", 160, "Five ideas for a better week", "Cinco ideas para una semana mejor"),
    Key(
        "subtitle",
        240,
        "Small habits that make room for the work that matters.",
        "Pequeños hábitos que dejan espacio a lo que importa.",
    ),
    Key("tag", 40, "Tips", "Consejos"),
    Key("author", 60, "Alex Morgan", "Alejandra Moreno"),
    Key("handle", 60, "@alexmorgan", "@alejandramoreno"),
    Key("cta", 40, "Read more", "Leer más"),
)


def layout(texts: Texts) -> str:
    """Write the post: a tag, the title, who says so, and what to do next."""
    room = texts.width - 2 * 88
    top = texts.logo() + texts.put("tag", Fit(room - (320 if texts.has("logo") else 60), 30, 20, weight=650))
    title = texts.put(
        "title", Fit(room, 132, 56, lines=6, weight=800, tracking=-0.045, height=430, leading=1.02), tag="h1"
    )
    subtitle = texts.put(
        "subtitle", Fit(room * 0.86, 40, 28, lines=4, weight=450, tracking=-0.012, height=164, leading=1.36)
    )
    author = texts.put("author", Fit(room * 0.5, 32, 22, lines=2, weight=700, tracking=-0.01, height=62))
    handle = texts.put("handle", Fit(room * 0.5, 27, 20, weight=450))
    action = texts.put("cta", Fit(room * 0.37, 30, 18, weight=700), name="action push")
    who = f"<div>{author}{handle}</div>" if author or handle else ""
    footer = f"<footer>{who}{action}</footer>" if who or action else ""
    return f"<header>{top}</header><section>{title}{subtitle}</section>{footer}"


SOCIAL = Template("social", "A square post.", 1080, 1080, KEYS, layout, pdf_format="A4")
