"""Email through real SMTP servers: encryption, login, errors, repeated attempts."""

import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
import trustme

from mediakit.accounts import Accounts
from mediakit.accounts.mail_delivery import MailDelivery, SmtpAddress
from mediakit.errors import InvalidInput
from mediakit.settings import AccountSettings, MailSettings
from tests.conftest import free_port
from tests.support.accounts_kit import ManualClock
from tests.support.smtp_kit import Mailbox, smtp_server

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
LOGIN = "mediakit%40example.com:s3cr3t%40%3A%2F"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def accounts(tmp_path: Path, clock: ManualClock) -> Iterator[Accounts]:
    with closing(Accounts.open(AccountSettings(home=tmp_path), clock)) as accounts:
        accounts.create_account(ADA)
        yield accounts


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The TLS context of a server, whose private authority is trusted."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


def delivery(accounts: Accounts, url: str, *, sign_up: str = "closed") -> MailDelivery:
    settings = MailSettings.model_validate(
        {"smtp_url": url, "mail_from": "mediakit <no-reply@example.com>", "sign_up": sign_up}
    )
    return MailDelivery(accounts.outbox, accounts.sign_in, settings, AccountSettings(home=Path("unused")))


def request(accounts: Accounts, email: str = ADA) -> None:
    accounts.sign_in.request_link(email, "https://api.example.com", "203.0.113.7")


async def test_message_has_text_and_html_with_working_link(accounts: Accounts) -> None:
    mailbox = Mailbox()
    request(accounts)
    with smtp_server(mailbox) as port:
        mail = delivery(accounts, f"smtp://127.0.0.1:{port}")
        assert await mail.send_next()
        assert not await mail.send_next()
    (message,) = mailbox.messages
    assert (message["From"], message["To"]) == ("mediakit <no-reply@example.com>", ADA)
    assert (mailbox.senders, mailbox.recipients) == (["no-reply@example.com"], [[ADA]])
    assert message["Subject"] == "Sign in to mediakit"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"]
    assert message["Message-ID"].endswith("@example.com>")
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    url = next(line for line in text.get_content().splitlines() if line.startswith("https://"))
    assert f'href="{url}"' in html.get_content()
    prefix, token = url.rsplit("/", 1)
    assert prefix == "https://api.example.com/dashboard/sign-in"
    assert accounts.sign_in.use_link(token, sign_up=False)
    assert accounts.outbox.size() == 0


async def test_new_address_gets_other_text_only_if_sign_up_is_open(accounts: Accounts) -> None:
    mailbox = Mailbox()
    with smtp_server(mailbox) as port:
        request(accounts, "eve@example.com")
        assert await delivery(accounts, f"smtp://127.0.0.1:{port}").send_next()
        assert mailbox.messages == []
        request(accounts, "eve@example.com")
        assert await delivery(accounts, f"smtp://127.0.0.1:{port}", sign_up="open").send_next()
    assert [message["Subject"] for message in mailbox.messages] == ["Create your mediakit account"]
    assert accounts.outbox.size() == 0


async def test_starttls_and_login(accounts: Accounts, tls: ssl.SSLContext) -> None:
    mailbox = Mailbox()
    request(accounts)
    with smtp_server(mailbox, starttls=tls, login=True) as port:
        assert await delivery(accounts, f"smtp://{LOGIN}@127.0.0.1:{port}?starttls=required").send_next()
    assert (mailbox.encrypted, mailbox.users) == ([True], [b"mediakit@example.com"])


async def test_tls_from_the_start_and_login(accounts: Accounts, tls: ssl.SSLContext) -> None:
    mailbox = Mailbox()
    request(accounts)
    with smtp_server(mailbox, tls=tls, login=True) as port:
        assert await delivery(accounts, f"smtps://{LOGIN}@127.0.0.1:{port}").send_next()
    assert (mailbox.encrypted, mailbox.users) == ([True], [b"mediakit@example.com"])


async def test_required_starttls_sends_nothing_without_it(accounts: Accounts) -> None:
    mailbox = Mailbox()
    request(accounts)
    with smtp_server(mailbox) as port:
        assert not await delivery(accounts, f"smtp://{LOGIN}@127.0.0.1:{port}?starttls=required").send_next()
    assert (mailbox.messages, mailbox.users, accounts.outbox.size()) == ([], [], 1)


@pytest.mark.parametrize("scheme", ["smtps", "smtp"])
async def test_untrusted_certificate_gets_neither_password_nor_message(accounts: Accounts, scheme: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    mailbox = Mailbox()
    request(accounts)
    tls, starttls = (context, None) if scheme == "smtps" else (None, context)
    with smtp_server(mailbox, login=True, tls=tls, starttls=starttls) as port:
        assert not await delivery(accounts, f"{scheme}://{LOGIN}@127.0.0.1:{port}").send_next()
    assert (mailbox.messages, mailbox.users, accounts.outbox.size()) == ([], [], 1)


async def test_wrong_password_is_logged_and_repeated(
    accounts: Accounts, tls: ssl.SSLContext, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox = Mailbox()
    request(accounts)
    with smtp_server(mailbox, starttls=tls, login=True) as port:
        assert not await delivery(accounts, f"smtp://mediakit:wr0ng-pass@127.0.0.1:{port}").send_next()
        assert "SMTPAuthenticationError, status 535" in caplog.text
        assert "wr0ng-pass" not in caplog.text
        assert ADA not in caplog.text
        clock.forward(seconds=30)
        assert await delivery(accounts, f"smtp://{LOGIN}@127.0.0.1:{port}").send_next()
    assert len(mailbox.messages) == 1


@pytest.mark.parametrize("phase", ["errors", "recipient_errors"])
async def test_temporary_error_is_repeated_with_new_link(accounts: Accounts, clock: ManualClock, phase: str) -> None:
    mailbox = Mailbox()
    getattr(mailbox, phase).extend(["451 Try again later", "450 Greylisted"])
    request(accounts)
    with smtp_server(mailbox) as port:
        mail = delivery(accounts, f"smtp://127.0.0.1:{port}")
        for seconds in (30, 60):
            assert await mail.send_next()
            clock.forward(seconds=seconds - 1)
            assert not await mail.send_next()
            clock.forward(seconds=1)
        clock.forward(hours=2)  # longer than a link works
        assert await mail.send_next()
    (message,) = mailbox.messages
    text = message.get_body(("plain",))
    assert text is not None
    token = next(line for line in text.get_content().split() if "/sign-in/" in line).rsplit("/", 1)[1]
    assert accounts.sign_in.use_link(token, sign_up=False)


@pytest.mark.parametrize("phase", ["errors", "recipient_errors"])
async def test_permanent_error_is_given_up(accounts: Accounts, phase: str, caplog: pytest.LogCaptureFixture) -> None:
    mailbox = Mailbox()
    getattr(mailbox, phase).append(f"550 No mailbox {ADA}")
    request(accounts)
    with smtp_server(mailbox) as port:
        assert await delivery(accounts, f"smtp://127.0.0.1:{port}").send_next()
    assert (mailbox.messages, accounts.outbox.size()) == ([], 0)
    assert "was not delivered: the mail server responded with status 550" in caplog.text
    assert ADA not in caplog.text


async def test_rejected_message_does_not_delay_others(accounts: Accounts) -> None:
    mailbox = Mailbox(errors=["451 Try again later"])
    accounts.create_account("bob@example.com")
    request(accounts)
    request(accounts, "bob@example.com")
    with smtp_server(mailbox) as port:
        mail = delivery(accounts, f"smtp://127.0.0.1:{port}")
        while await mail.send_next():
            pass
    assert (len(mailbox.messages), accounts.outbox.size()) == (1, 1)


async def test_message_waits_for_server_that_is_down(accounts: Accounts, clock: ManualClock) -> None:
    mailbox, port = Mailbox(), free_port()
    mail = delivery(accounts, f"smtp://127.0.0.1:{port}")
    request(accounts)
    assert not await mail.send_next()
    clock.forward(minutes=5)
    assert not await mail.send_next()
    clock.forward(minutes=5)
    with smtp_server(mailbox, port):
        assert await mail.send_next()
    assert [message["To"] for message in mailbox.messages] == [ADA]


async def test_message_is_given_up_after_a_day(
    accounts: Accounts, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    mail = delivery(accounts, f"smtp://127.0.0.1:{free_port()}")
    request(accounts)
    await mail.send_next()
    clock.forward(hours=24)
    await mail.send_next()
    assert accounts.outbox.size() == 0
    assert "was given up after attempt 2" in caplog.text


async def test_international_domain_is_encoded(accounts: Accounts) -> None:
    mailbox = Mailbox()
    accounts.create_account("ada@bücher.example")
    request(accounts, "ada@bücher.example")
    with smtp_server(mailbox) as port:
        assert await delivery(accounts, f"smtp://127.0.0.1:{port}").send_next()
    assert mailbox.recipients == [["ada@xn--bcher-kva.example"]]
    assert mailbox.messages[0]["To"] == "ada@xn--bcher-kva.example"
    with pytest.raises(InvalidInput, match=r"^email: must have only ASCII characters before the @"):
        request(accounts, "адa@example.com")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example.com", ("mail.example.com", 587, None, None, False, "required")),
        ("smtp://a%40b:p%3A%2F@mail.example.com:25", ("mail.example.com", 25, "a@b", "p:/", False, "required")),
        ("smtp://mail.example.com?starttls=never", ("mail.example.com", 587, None, None, False, "never")),
        ("smtps://u:p@mail.example.com", ("mail.example.com", 465, "u", "p", True, "never")),
        ("smtp://localhost:1025", ("localhost", 1025, None, None, False, "optional")),
        ("smtp://[::1]", ("::1", 587, None, None, False, "optional")),
    ],
)
def test_smtp_url_is_parsed(url: str, expected: tuple[object, ...]) -> None:
    parsed = SmtpAddress.parse(url)
    address = (parsed.host, parsed.port, parsed.username, parsed.password, parsed.tls, parsed.start_tls)
    assert address == expected


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.com",
        "http://h",
        "smtp://",
        "smtp://u:secret@h:port",
        "smtp://u:secret@h/path",
        "smtp://h?tls=1",
        "smtp://h?starttls=maybe",
        "smtps://h?starttls=required",
    ],
)
def test_invalid_smtp_url_is_rejected_without_its_password(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_SMTP_URL: ") as caught:
        SmtpAddress.parse(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("sender", ["", "ada", "a@b", "x\r\nBcc: y <a@example.com>", "a@example.com, b@example.com"])
def test_invalid_sender_is_rejected(accounts: Accounts, sender: str) -> None:
    settings = MailSettings(smtp_url="smtp://127.0.0.1", mail_from=sender or "<>")
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_MAIL_FROM: must be an address"):
        MailDelivery(accounts.outbox, accounts.sign_in, settings, AccountSettings(home=Path("unused")))


def test_settings_do_not_show_the_password() -> None:
    assert "s3cr3t" not in repr(MailSettings(smtp_url="smtp://u:s3cr3t@h"))


async def test_stop_finishes_the_message_that_is_being_sent(accounts: Accounts) -> None:
    mailbox = Mailbox()
    with smtp_server(mailbox) as port:
        for _ in range(5):
            request(accounts)
            mail = delivery(accounts, f"smtp://127.0.0.1:{port}")
            mail.start()
            deadline = time.monotonic() + 30
            while not mailbox.messages:
                assert time.monotonic() < deadline
                await anyio.sleep(0.001)
            await mail.stop()
            assert accounts.outbox.size() == 0
            mailbox.messages.clear()
