"""`youtube`: the still picture of a video."""

from mediakit.engines.templates.fit import Fit
from mediakit.engines.templates.keys import Key
from mediakit.engines.templates.template import Template
from mediakit.engines.templates.texts import Texts

KEYS = (
    Key("title", 120, "Learn Python in one weekend", "Aprende Python en un fin de semana"),
    Key("highlight", 60, "Step by step", "Paso a paso"),
    Key("subtitle", 120, "No experience needed", "Sin experiencia previa"),
    Key("channel", 60, "Data Corner", "El Rincón de los Datos"),
    Key("episode", 40, "Episode 12", "Episodio 12"),
    Key("duration", 12, "18:45", "18:45"),
)


def layout(texts: Texts) -> str:
    """Write the still: words to read at the size of a stamp."""
    room = texts.width - 2 * 72
    channel = texts.logo() + texts.put(
        "channel", Fit(room * 0.58 - (260 if texts.has("logo") else 0), 34, 22, weight=700, tracking=-0.01)
    )
    episode = texts.put("episode", Fit(room * 0.38, 32, 22, weight=600))
    title = texts.put("title", Fit(room, 124, 70, lines=3, weight=900, tracking=-0.05, height=340, leading=1), tag="h1")
    highlight = texts.put("highlight", Fit(room * 0.9, 64, 36, weight=800, tracking=-0.03, leading=1.15))
    subtitle = texts.put("subtitle", Fit(room * 0.78, 42, 26, lines=2, weight=500, tracking=-0.015, height=74))
    duration = texts.put("duration", Fit(180, 34, 22, weight=700), name="duration push")
    return (
        f'<header><div class="mark">{channel}</div>{episode}</header><section>{title}{highlight}</section>'
        f"<footer>{subtitle}{duration}</footer>"
    )


YOUTUBE = Template("youtube", "The still picture of a video.", 1280, 720, KEYS, layout)
