"""The letters beyond a to z of languages, and the charsets that their texts are usually in."""

from collections.abc import Mapping
from dataclasses import dataclass

_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"

ALPHABETS: Mapping[str, str] = {
    "af": "áéèêëíîïóôöúûý",
    "az": "çəğıöşü",
    "br": "âêîôûùüñ",
    "ca": "àéèíïóòúüç",
    "cs": "áčďéěíňóřšťúůýž",
    "cy": "âêîôûŵŷáéíóúäëïöü",
    "da": "æøåéáíóúýäöü",
    "de": "äöüßé",
    "en": "éèêëïîöüñçàôûæœ",
    "eo": "ĉĝĥĵŝŭ",
    "es": "áéíóúüñ",
    "et": "äõöüšž",
    "eu": "ñçü",
    "fi": "åäöšžé",
    "fo": "áðíóúýæøå",
    "fr": "àâæçéèêëîïôœùûüÿñ",
    "ga": "áéíóú",
    "gd": "àèìòù",
    "gl": "áéíóúüñïç",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæöå",
    "it": "àèéìòóùî",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "mt": "ċġħżàèìòùî",
    "nl": "éèëêïíóöüáäçâôûà",
    "nb": "æøåéèêóòôâäöü",
    "nn": "æøåéèêóòôâäöü",
    "no": "æøåéèêóòôâäöü",
    "pl": "ąćęłńóśźż",
    "pt": "áâãàçéêíóôõúüòèñ",
    "ro": "ăâîșțşţé",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšžćđ",
    "sq": "çë",
    "sv": "åäöéàüáèçë",
    "tr": "çğıöşüâîû",
    "vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "id": "é",
    "ms": "é",
    "tl": "ñé",
    "sw": "",
    "la": "āēīōūæœ",
    "be": "абвгдежзйклмнопрстуфхцчшыьэюяёіў",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "ru": f"{_CYRILLIC}ё",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "uk": "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
    "kk": f"{_CYRILLIC}ёәғқңөұүһі",
    "tg": f"{_CYRILLIC}ёғӣқӯҳҷ",
    "mn": f"{_CYRILLIC}ёөү",
    "tt": f"{_CYRILLIC}ёәөүҗңһ",
    "el": "αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",
    "he": "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
}
"""Lower-case letters, with those of frequent loanwords, by language (ISO 639-1)."""


@dataclass(frozen=True)
class Language:
    """The letters of a language beyond ASCII, the most frequent first, and the usual charsets of its texts.

    The first charset is that of DOS, in which Windows writes names into ZIP files, and the second that of Windows.
    """

    letters: str
    charsets: tuple[str, ...]
    weight: float = 1.0
    """How usual names in this language are among those whose charset is unknown."""


WESTERN = ("cp850", "cp437", "cp1252", "mac-roman")
CENTRAL = ("cp852", "cp1250", "iso8859-2")
CYRILLIC = ("cp866", "cp1251", "koi8-r", "mac-cyrillic")
BALTIC = ("cp775", "cp1257")

LANGUAGES = (
    Language("äüößÄÜÖ–é", WESTERN),
    Language("éèàêçâîôùûïëœÉÀÈÊÇ’«»", WESTERN),
    Language("óíáéñúüÁÉÍÓÚÑ¿¡ºª", WESTERN),
    Language("ãçáéêíóõâôúàÁÉÍÓÚÂÊÔÃÕÇºª", WESTERN, 0.9),
    Language("àèìòùéÀÈÉÌÒÙ°", WESTERN, 0.9),
    Language("åäöéÅÄÖüÉ", WESTERN, 0.9),
    Language("æøåéÆØÅöäüôò", WESTERN, 0.9),
    Language("ëéïèöüçóáêûÉË", WESTERN, 0.7),
    Language("ðáíéóúýþæöÐÁÍÉÓÚÝÞÆÖ", WESTERN, 0.5),
    Language("íáéěýčřžšůúďňťóĎŤČŘŽŠÚÁÉÍÝ", CENTRAL),
    Language("łóąężśćńźŁÓĄĘŻŚĆŃŹ", CENTRAL),
    Language("áéöóőüíúűÁÉÖÓŐÜÍÚŰ", CENTRAL, 0.9),
    Language("áíéčýžšúťľôňďóäĺŕČŽŠÚĽŤÁÍÉ", CENTRAL, 0.8),
    Language("čšžćđČŠŽĆĐ", CENTRAL, 0.8),
    Language("ăîâşţșțĂÎÂŞŢȘȚ", CENTRAL, 0.7),
    Language("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёАОИВНКПСМДРТБГЛФЗУЕЧШХЯЭЮЦЖЩЙЫЪЬЁ№", CYRILLIC),
    Language("оаинівертслкмдупязьгбчйхїжюшцєщфґАОИІВНКПСМДРТБГЛФЗУЕЧШХЯЮЦЖЩЙЇЄҐ№", ("cp866", "cp1251"), 0.8),
    Language("аоиенртсвлкпдмзгъбуяцчжщхшюйфьАОИВНКПСМДРТБГЛФЗУЕЧШХЯЮЦЖЩЙ№", ("cp866", "cp1251"), 0.8),
    Language("αοιετνσρκπμςυληδγάίόήέωύχθφβώξζψΑΟΙΕΤΝΣΡΚΠΜΥΛΗΔΓΩΧΘΦΒΞΖΨΆΈΌΊΉΎΏϊΐϋ", ("cp737", "cp1253", "cp869")),
    Language("ışüöğçİŞÜÖĞÇâî", ("cp857", "cp1254"), 0.8),
    Language("יוהלאמרבתשנםחדקפעכטגסזצץןףךװ", ("cp862", "cp1255"), 0.9),
    Language("الينمرتبةدسفعقكأحجهوشصطخذضىزثئغءظإآؤ", ("cp720", "cp1256", "cp864"), 0.9),
    Language("āīēšņļūķčžģĀĪĒŠŅĻŪĶČŽĢ", BALTIC, 0.6),
    Language("ėšųįąžūčęĖŠŲĮĄŽŪČĘ", BALTIC, 0.6),
    Language("äõüöšžÄÕÜÖŠŽ", ("cp775", "cp1257", "cp1252"), 0.5),
    Language("านรอกงเมยลวดทสตะปบคหแจพชขใไโผฟซถศณฉภญธษฐฮฬ่้ีัิื์ุูำ็ๆ๊๋", ("cp874",), 0.8),
)
"""Languages by how usual they are. Letters that no language of a charset has make the charset unlikely."""
