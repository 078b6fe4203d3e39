"""Letters of languages beyond ASCII, by how often they are used, and the charsets of file names in these languages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Alphabet:
    """The letters of a language beyond ASCII, the most frequent first, and the charsets that Windows has for it.

    The first charset is the one in which Windows writes names into ZIP files.
    """

    letters: str
    charsets: tuple[str, ...]
    weight: float = 1.0
    """How usual names in this language are among those whose charset is unknown."""


WESTERN = ("cp850", "cp437", "cp1252", "mac-roman")
CENTRAL = ("cp852", "cp1250", "iso8859-2")
CYRILLIC = ("cp866", "cp1251", "koi8-r", "mac-cyrillic")
BALTIC = ("cp775", "cp1257")

ALPHABETS = (
    Alphabet("äüößÄÜÖ–é", WESTERN),
    Alphabet("éèàêçâîôùûïëœÉÀÈÊÇ’«»", WESTERN),
    Alphabet("óíáéñúüÁÉÍÓÚÑ¿¡ºª", WESTERN),
    Alphabet("ãçáéêíóõâôúàÁÉÍÓÚÂÊÔÃÕÇºª", WESTERN, 0.9),
    Alphabet("àèìòùéÀÈÉÌÒÙ°", WESTERN, 0.9),
    Alphabet("åäöéÅÄÖüÉ", WESTERN, 0.9),
    Alphabet("æøåéÆØÅöäüôò", WESTERN, 0.9),
    Alphabet("ëéïèöüçóáêûÉË", WESTERN, 0.7),
    Alphabet("ðáíéóúýþæöÐÁÍÉÓÚÝÞÆÖ", WESTERN, 0.5),
    Alphabet("íáéěýčřžšůúďňťóĎŤČŘŽŠÚÁÉÍÝ", CENTRAL),
    Alphabet("łóąężśćńźŁÓĄĘŻŚĆŃŹ", CENTRAL),
    Alphabet("áéöóőüíúűÁÉÖÓŐÜÍÚŰ", CENTRAL, 0.9),
    Alphabet("áíéčýžšúťľôňďóäĺŕČŽŠÚĽŤÁÍÉ", CENTRAL, 0.8),
    Alphabet("čšžćđČŠŽĆĐ", CENTRAL, 0.8),
    Alphabet("ăîâşţșțĂÎÂŞŢȘȚ", CENTRAL, 0.7),
    Alphabet("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёАОИВНКПСМДРТБГЛФЗУЕЧШХЯЭЮЦЖЩЙЫЪЬЁ№", CYRILLIC),
    Alphabet("оаинівертслкмдупязьгбчйхїжюшцєщфґАОИІВНКПСМДРТБГЛФЗУЕЧШХЯЮЦЖЩЙЇЄҐ№", ("cp866", "cp1251"), 0.8),
    Alphabet("аоиенртсвлкпдмзгъбуяцчжщхшюйфьАОИВНКПСМДРТБГЛФЗУЕЧШХЯЮЦЖЩЙ№", ("cp866", "cp1251"), 0.8),
    Alphabet("αοιετνσρκπμςυληδγάίόήέωύχθφβώξζψΑΟΙΕΤΝΣΡΚΠΜΥΛΗΔΓΩΧΘΦΒΞΖΨΆΈΌΊΉΎΏϊΐϋ", ("cp737", "cp1253", "cp869")),
    Alphabet("ışüöğçİŞÜÖĞÇâî", ("cp857", "cp1254"), 0.8),
    Alphabet("יוהלאמרבתשנםחדקפעכטגסזצץןףךװ", ("cp862", "cp1255"), 0.9),
    Alphabet("الينمرتبةدسفعقكأحجهوشصطخذضىزثئغءظإآؤ", ("cp720", "cp1256", "cp864"), 0.9),
    Alphabet("āīēšņļūķčžģĀĪĒŠŅĻŪĶČŽĢ", BALTIC, 0.6),
    Alphabet("ėšųįąžūčęĖŠŲĮĄŽŪČĘ", BALTIC, 0.6),
    Alphabet("äõüöšžÄÕÜÖŠŽ", ("cp775", "cp1257", "cp1252"), 0.5),
    Alphabet("านรอกงเมยลวดทสตะปบคหแจพชขใไโผฟซถศณฉภญธษฐฮฬ่้ีัิื์ุูำ็ๆ๊๋", ("cp874",), 0.8),
)
"""Letters that no alphabet of a charset has make the charset unlikely."""

EAST_ASIAN = ("cp932", "gbk", "big5", "cp949", "euc_jp")
"""Charsets of two bytes a character; Windows writes names in them without saying so."""
