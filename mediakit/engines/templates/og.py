"""`og`: the card that a link shows when it is shared."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.keys import Key
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

KEYS = (
    Key("title", 200, "How we cut our report time in half", "Cómo redujimos a la mitad el tiempo de informes"),
    Key(
        "description",
        300,
        "A short story about data, templates and one good notebook.",
        "Una historia breve sobre datos, plantillas y un buen cuaderno.",
    ),
    Key("site", 80, "example.com", "ejemplo.com"),
    Key("author", 80, "Alex Morgan", "Alejandra Moreno"),
    Key("date", 40, "March 3, 2026", "3 de marzo de 2026"),
    Key("tag", 40, "Blog", "Blog"),
)


def layout(texts: Texts) -> str:
    """Write the card: tag and site above, title and description, then who and when."""
    room = texts.width - 2 * 80
    side = room / 2 - 24
    top = texts.logo() + texts.put("tag", Fit(side - (280 if texts.has("logo") else 40), 22, 16, weight=600))
    site = texts.put("site", Fit(side, 22, 16, weight=550))
    title = texts.put(
        "title", Fit(room, 82, 44, lines=4, weight=750, tracking=-0.035, height=238, leading=1.06), tag="h1"
    )
    description = texts.put(
        "description", Fit(room * 0.82, 32, 24, lines=3, weight=400, tracking=-0.01, height=101, leading=1.38)
    )
    author = texts.put("author", Fit(room * 0.42, 24, 18, weight=600))
    date = texts.put("date", Fit(room * 0.3, 24, 18))
    dot = "<i></i>" if author and date else ""
    return (
        f'<header><div class="mark">{top}</div>{site}</header><section>{title}{description}</section>'
        f"<footer>{author}{dot}{date}</footer>"
    )


OG = Template("og", "A card for a link that is shared.", 1200, 630, KEYS, layout)
