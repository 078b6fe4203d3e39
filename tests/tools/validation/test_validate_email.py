"""The tool `validate_email`."""

import re

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import SUPPLIERS
from mediakit.tools.validation.validate_email.domains import (
    COMMON,
    FREE,
    PROVIDERS,
    is_disposable,
    is_one_edit,
    lists_date,
    meant,
)
from mediakit.tools.validation.validate_email.tool import check
from tests.conftest import Api
from tests.support.command_kit import run_command

pytestmark = pytest.mark.anyio

OTHER_REAL_DOMAINS = """
    att.net cox.net charter.net earthlink.net juno.com optonline.net frontier.com windstream.net centurylink.net q.com
    netzero.net roadrunner.com mindspring.com embarqmail.com suddenlink.net tds.net shaw.ca rogers.com sympatico.ca
    bell.net telus.net videotron.ca bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz
    ntlworld.com virginmedia.com virgin.net sky.com talktalk.net blueyonder.co.uk tiscali.co.uk btopenworld.com
    t-online.de arcor.de vodafone.de online.de 1und1.de kabelmail.de sfr.fr neuf.fr bbox.fr numericable.fr cegetel.net
    club-internet.fr aliceadsl.fr alice.it fastwebnet.it tin.it teletu.it poste.it pec.it telefonica.net ono.com ya.com
    terra.es movistar.es telenet.be skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl chello.nl
    hetnet.nl upcmail.nl bluewin.ch sunrise.ch hispeed.ch a1.net aon.at chello.at telia.com comhem.se spray.se
    online.no broadpark.no mail.dk jubii.dk stofanet.dk kolumbus.fi elisanet.fi luukku.com eircom.net vip.hr
    otenet.gr forthnet.gr globo.com globomail.com oi.com.br r7.com prodigy.net.mx fibertel.com.ar arnet.com.ar
    speedy.com.ar vtr.net entelchile.net une.net.co cantv.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp
    nifty.com biglobe.ne.jp ocn.ne.jp so-net.ne.jp vip.qq.com aliyun.com tom.com 21cn.com 188.com vip.163.com
    hinet.net seed.net.tw pchome.com.tw singnet.com.sg indiatimes.com sify.com bsnl.in vsnl.com mweb.co.za
    telkomsa.net webmail.co.za vodamail.co.za lantic.net mailbox.co.za mail.com email.com ymail.com cloud.com mailo.com
    gmx.co hey.com duck.com gmx.fr
""".split()  # noqa: SIM905


def test_valid_address_has_its_parts() -> None:
    result = mediakit.validate_email(" Ana.Diaz+News@GMail.com ")
    assert (result.valid, result.normalized) == (True, "Ana.Diaz+News@gmail.com")
    assert (result.local, result.domain, result.ascii_domain) == ("Ana.Diaz+News", "gmail.com", "gmail.com")
    assert (result.ascii, result.tag, result.base) == ("Ana.Diaz+News@gmail.com", "+News", "anadiaz@gmail.com")
    assert (result.provider, result.free, result.role, result.disposable) == ("gmail", True, False, False)
    assert (result.smtputf8, result.suggestion, result[0].code) == (False, None, None)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", result.meta["lists_date"])
    assert result.meta["lists_date"] == lists_date()


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("ana", "no_at"),
        ("ana＠example.com", "no_at"),
        ("@example.com", "empty_local"),
        ("ana@", "empty_domain"),
        ("a" * 65 + "@example.com", "local_too_long"),
        ("a@" + "b" * 64 + ".com", "domain_too_long"),
        ("a@" + "b." * 130 + "com", "domain_too_long"),
        ("a" * 60 + "@" + "b" * 63 + "." + "c" * 63 + "." + "d" * 63 + ".com", "domain_too_long"),
        ("ana diaz@example.com", "bad_local"),
        ("(comment)ana@example.com", "bad_local"),
        ("ana@exa mple.com", "bad_domain"),
        ("ana@-example.com", "bad_domain"),
        ("ana@exa_mple.com", "bad_domain"),
        ("ana@example.c", "bad_domain"),
        ("ana@192.0.2.1", "bad_domain"),
        ("ana@x@example.com", "bad_domain"),
        (".ana@example.com", "dots"),
        ("ana..diaz@example.com", "dots"),
        ("ana@example..com", "dots"),
        ("ana@example.com.", "dots"),
        ("ana@example", "no_dot"),
        ("ana@printer.local", "special_use"),
        ("ana@a.test", "special_use"),
        ('"ana diaz"@example.com', "quoted"),
        ("ana@[192.0.2.1]", "literal"),
        ("Ana <ana@example.com>", "display_name"),
        ("an\u200ba@example.com", "unicode"),
        ("an\u202ea@example.com", "unicode"),
        ("ana\u00a0diaz@example.com", "unicode"),
    ],
)
def test_invalid_address_has_a_code_and_a_reason(address: str, code: str) -> None:
    verdict = check(address, ())
    assert (verdict.valid, verdict.normalized, verdict.code) == (False, None, code)
    assert verdict.reason
    assert verdict.reason.endswith(".")


@pytest.mark.parametrize(
    ("address", "form", "normalized"),
    [
        ('"ana diaz"@example.com', "quoted", '"ana diaz"@example.com'),
        ("ana@[192.0.2.1]", "literal", "ana@[192.0.2.1]"),
        ("ana@intranet", "local", "ana@intranet"),
        ("ana@a.test", "local", "ana@a.test"),
        ("Ana Díaz <ana@Example.com>", "display_name", "ana@example.com"),
    ],
)
def test_allowed_forms_are_valid(address: str, form: str, normalized: str) -> None:
    assert not check(address, ()).valid
    assert check(address, (form,)).normalized == normalized


def test_ascii_only_refuses_other_characters() -> None:
    verdict = check("ana@münchen.de", ("ascii_only",))
    assert (verdict.valid, verdict.code, verdict.suggestion) == (False, "unicode", "ana@xn--mnchen-3ya.de")
    assert check("ana@xn--mnchen-3ya.de", ("ascii_only",)).valid


def test_international_addresses_have_ascii_forms() -> None:
    domain = check("ana@MÜNCHEN.de", ())
    assert (domain.normalized, domain.details["ascii"]) == ("ana@münchen.de", "ana@xn--mnchen-3ya.de")
    assert domain.details["smtputf8"] is False
    local = check("jose\u0301@münchen.de", ())
    assert (local.normalized, local.details["ascii"]) == ("jos\u00e9@münchen.de", None)
    assert (local.details["ascii_domain"], local.details["smtputf8"]) == ("xn--mnchen-3ya.de", True)


@pytest.mark.parametrize(
    ("address", "suggestion"),
    [
        ("ana@gmial.com", "ana@gmail.com"),
        ("ana@gmail.con", "ana@gmail.com"),
        ("ana@gmail.co", "ana@gmail.com"),
        ("ana@hotmal.com", "ana@hotmail.com"),
        ("ana@yaho.com", "ana@yahoo.com"),
        ("ana@outloook.com", "ana@outlook.com"),
        ("ana@iclod.com", "ana@icloud.com"),
        ("ana@aol.con", "ana@aol.com"),
        ("ana@gmailcom", "ana@gmail.com"),
        ("ana@gmail,com", "ana@gmail.com"),
        ("ana,diaz@example.com", "ana.diaz@example.com"),
        ("Ana <ana@example.com>", "ana@example.com"),
        ("an\u200ba@example.com", "ana@example.com"),
        ("ana@example.com", None),
        ("ana@gmxx.example.org", None),
    ],
)
def test_typing_errors_get_a_suggestion(address: str, suggestion: str | None) -> None:
    assert check(address, ()).suggestion == suggestion


def test_suggestion_does_not_make_an_address_invalid() -> None:
    assert check("ana@gmial.com", ()).valid


def test_real_domains_are_not_taken_for_typing_errors() -> None:
    real = [*COMMON, *PROVIDERS, *FREE, *OTHER_REAL_DOMAINS]
    assert len(set(real)) > 500
    assert {domain: meant(domain) for domain in real if meant(domain)} == {}


def test_one_edit_is_an_insertion_a_deletion_a_replacement_or_a_swap() -> None:
    assert all(is_one_edit("gmail", other) for other in ("gmil", "ggmail", "gmaill", "gnail", "gmial", "mgail"))
    assert not any(is_one_edit("gmail", other) for other in ("gmail", "gmlia", "gm", "gmailxx", "liamg", ""))


def test_line_break_in_one_of_several_is_not_removed() -> None:
    result = mediakit.validate_email(["ana@example.com\r\n", " ana@example.com ", "\n"])
    assert [each.code for each in result] == ["bad_domain", None, "empty"]
    assert result[0].suggestion == "ana@example.com"
    assert mediakit.validate_email("ana@example.com\n").valid


def test_kinds_of_mailboxes_are_known() -> None:
    role = check("INFO@example.com", ()).details
    assert (role["role"], role["free"], role["disposable"], role["provider"]) == (True, False, False, None)
    assert check("ana@mailinator.com", ()).details["disposable"]
    assert is_disposable("inbox.mailinator.com")
    assert not is_disposable("com")
    assert check("a@yahoo.co.uk", ()).details["provider"] == "yahoo"
    assert check("a.b+c@Hotmail.fr", ()).details["base"] == "a.b@hotmail.fr"
    assert check("a.b+c@example.com", ()).details["base"] is None
    assert check("A.B+c@googlemail.com", ()).details["base"] == "ab@gmail.com"


def test_large_providers_are_not_in_the_list_of_temporary_mailboxes() -> None:
    assert [domain for domain in (*COMMON, *PROVIDERS, *OTHER_REAL_DOMAINS) if is_disposable(domain)] == []


async def test_http_answers_one_and_several(api: Api) -> None:
    one = await api.json("/validate-email", {"email": "Ana <ana@example.com>", "allow": ["display_name"]})
    assert (one.status_code, one.json()["normalized"]) == (200, "ana@example.com")
    raw = await api.raw("/validate-email", b"ana@example.com\nbo@example\n", "text/plain")
    assert [each["code"] for each in raw.json()["results"]] == [None, "no_dot"]
    wrong = await api.json("/validate-email", {"email": "x", "allow": ["all"]})
    assert wrong.status_code == 400
    assert wrong.json()["error"].startswith("allow[0]: must be one of ")


def test_text_in_place_of_a_list_is_an_error_of_its_field() -> None:
    with pytest.raises(InvalidInput, match=r'^allow: must be a list such as \["literal"\], got "literal"\.$'):
        mediakit.validate_email("ana@example.com", allow="literal")  # type: ignore[call-overload,arg-type,unused-ignore]


def test_command_checks_column_of_a_table() -> None:
    ran = run_command(["validate-email", "--file", str(SUPPLIERS), "--column", "email"])
    assert ran.exit_code == 0, ran.output
    assert '"input": "orders@example.com"' in ran.stdout


def test_column_of_a_table_is_checked() -> None:
    result = mediakit.validate_email(file=SUPPLIERS, column="email")
    assert (result.count, result.invalid_count, result.duplicates) == (8, 2, [[0, 7]])
    assert [each.suggestion for each in result.invalid] == ["accounts@example.com", None]
