"""A server in a JupyterLab kernel: its output, its address through jupyter-server-proxy, and kernel restarts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.conftest import free_port
from tests.support.lab_kit import Lab, Open, load, run_all, save, write_notebook

pytest_plugins = ["tests.support.lab_fixtures"]
pytestmark = [pytest.mark.lab, pytest.mark.browser, pytest.mark.timeout(300)]

SERVE = "import mediakit\nserver = mediakit.serve()\nserver"
RESTART = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"


def outputs(page: Page) -> Locator:
    return page.locator(".jp-OutputArea-output")


def test_server_displays_once_and_prints_nothing_into_other_cells(open_notebook: Open) -> None:
    call = "with mediakit.Client(server.url, api_key=server.key) as client: print(client.qr('hi').width)"
    invalid = (
        "import socket\nwith socket.create_connection(('127.0.0.1', server.port)) as connection:\n"
        "    connection.sendall(b'invalid\\r\\n\\r\\n'); connection.recv(99)"
    )
    same = "mediakit.serve() is server"
    page = open_notebook("serve.ipynb", SERVE, same, call, invalid, "server.log", "server.stop(); server")
    run_all(page)
    shown = outputs(page)
    expect(shown.nth(0)).to_contain_text(re.compile(r"mediakit runs at .*Key: mk_live_....…", re.DOTALL))
    expect(shown.nth(1)).to_have_text("True")
    expect(shown.nth(2)).to_have_text("512")
    page.get_by_role("cell", name="POST /qr").wait_for()
    page.get_by_role("cell", name="Invalid HTTP request received.").wait_for()
    expect(shown.last).to_contain_text("mediakit has stopped. Its address was http://127.0.0.1:")
    expect(shown).to_have_count(5)


def test_docs_link_fills_in_key_without_saving_it(lab: Lab, open_notebook: Open) -> None:
    page = open_notebook("link.ipynb", SERVE, "print(server.key)")
    run_all(page)
    page.evaluate(RESTART)  # the widget of the first kernel stays in the page
    run_all(page)
    expect(outputs(page)).to_have_count(2)
    key = outputs(page).last.inner_text().strip()
    link = outputs(page).first.get_by_role("link", name="/docs")
    with page.expect_popup() as popup:
        link.click()
    docs = popup.value
    expect(docs.get_by_label("API key")).to_have_value(key)
    docs.wait_for_url("**/docs#/")
    docs.get_by_role("navigation").get_by_role("link", name="/qr").click()
    docs.get_by_role("button", name="Send").click()
    docs.get_by_role("region", name="Response").get_by_role("img").wait_for()
    assert len(page.context.pages) == 2
    docs.close()
    page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets[1].model.clearExecution()")
    save(page)
    assert key not in (lab.root / "link.ipynb").read_text()


def test_server_reuses_port_after_kernel_restart(open_notebook: Open) -> None:
    # Other tests use the default ports at the same time.
    port = f"import mediakit.server.process as process\nprocess.NOTEBOOK_PORT = {free_port()}"
    show = "import os; print(f'pid {os.getpid()} port {server.port}')"
    page = open_notebook("restart.ipynb", port, SERVE, show)
    run_all(page)
    before = outputs(page).last.inner_text().split()
    page.evaluate(RESTART)
    run_all(page)
    expect(outputs(page).last).not_to_contain_text(f"pid {before[1]} ")
    expect(outputs(page).last).to_contain_text(f"port {before[3]}")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Return a JupyterLab with jupyter-server-proxy below a path as under JupyterHub."""
    pytest.importorskip("jupyter_server_proxy")
    lab = Lab(tmp_path_factory.mktemp("hub"), "/user/ann/")
    yield lab
    lab.stop()


def test_server_link_uses_jupyter_server_proxy(hub: Lab, lab_browser: Browser) -> None:
    write_notebook(hub.root / "hub.ipynb", [SERVE, "print(server.key)"])
    with lab_browser.new_context() as context:
        page = context.new_page()
        load(page, hub, "hub.ipynb")
        run_all(page)
        key = outputs(page).last.inner_text().strip()
        address, link = (outputs(page).get_by_role("link").nth(index) for index in (0, 1))
        expect(link).to_have_text(re.compile(r"^/user/ann/proxy/\d+/docs$"))
        with context.expect_page() as opened:
            address.click()
        docs = opened.value
        docs.get_by_role("link", name="Documentation").click()
        expect(docs).to_have_title("mediakit API")
        assert docs.url == link.evaluate("link => link.href")
        console_errors: list[str] = []
        docs.on("console", lambda message: console_errors.append(message.text) if message.type == "error" else None)
        docs.goto(f"{docs.url}#/qr")
        docs.get_by_label("API key").fill(key)
        docs.get_by_role("button", name="Send").click()
        docs.get_by_role("region", name="Response").get_by_role("img").wait_for()

        base = docs.url.partition("/docs")[0]
        response = context.request.post(f"{base}/qr", data={"data": "hi", "output": "url"}, headers={"x-api-key": key})
        assert response.json()["url"].startswith(f"{base}/files/")
        assert context.request.get(response.json()["url"]).headers["content-type"] == "image/png"
        assert console_errors == []
