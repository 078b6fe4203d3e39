"""The files in docs/deploy agree with the schemas of their formats, and with settings, commands and packages."""

import json
import re
import shlex
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
import yaml

from mediakit import settings as module
from mediakit.cli import main
from mediakit.diagnosis import SCRIPTS
from mediakit.engines.browser.command import HEADLESS_SHELLS, remote_flags
from mediakit.engines.browser.install import EXTRA_PACKAGES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs/deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
UNIT = (DEPLOY / "mediakit.service").read_text()

NAMESPACE_CALLS = {"clone", "unshare", "chroot"}
"""System calls that the sandbox of Chromium makes, and that its launcher makes for the network namespace."""
DANGEROUS_CALLS = {"bpf", "io_uring_setup", "kexec_load", "keyctl", "mount", "open_by_handle_at", "pivot_root"} | {
    "perf_event_open",
    "ptrace",
    "setns",
    "userfaultfd",
}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return content


@pytest.fixture(scope="module")
def settings() -> set[str]:
    """The names of all environment variables that are settings."""
    sections = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, module.Section)]
    return {f"MEDIAKIT_{name.upper()}" for section in sections for name in section.model_fields}


def instructions(name: str) -> list[str]:
    """Return the arguments of every instruction of a kind in the Dockerfile."""
    joined = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)", joined, flags=re.MULTILINE)


def installed_packages() -> set[str]:
    commands = " && ".join(instructions("RUN")).split("&&")
    return {word for command in commands if "apt-get install" in command for word in shlex.split(command)[2:]}


def check_command(words: list[str]) -> click.Context:
    """Parse the arguments of `mediakit`, and return the context of the subcommand."""
    command = main.get_command(click.Context(main), words[0])
    assert command
    return command.make_context(words[0], words[1:])


def test_compose_file_matches_schema(compose: dict[str, Any]) -> None:
    schema = json.loads(files("check_jsonschema.builtin_schemas.vendor").joinpath("compose-spec.json").read_text())

    jsonschema.validate(compose, schema)
    for service in compose["services"].values():
        assert set(service["networks"]) <= set(compose["networks"])
        assert set(service.get("depends_on", ())) <= set(compose["services"])


@pytest.mark.parametrize("file", ["compose.yaml", "kubernetes.yaml", "Dockerfile", "mediakit.service", "example.env"])
def test_every_variable_is_a_setting(file: str, settings: set[str]) -> None:
    named = set(re.findall(r"MEDIAKIT_[A-Z_]+", (DEPLOY / file).read_text()))

    assert named <= settings


def test_variables_of_compose_file_are_in_example(compose: dict[str, Any]) -> None:
    names = set(re.findall(r"\$\{([A-Z_]+)", json.dumps(compose)))

    assert names == set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))


def test_compose_file_sets_valid_settings(compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    example = dict(re.findall(r"^([A-Z_]+)=(.*)", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    for name, value in compose["services"]["server"]["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{([A-Z_]+)[^}]*\}", lambda match: example[match[1]], value))
    settings = module.Settings()

    assert settings.server.public_url == "https://api.example.com"
    assert str(settings.accounts.database_url).endswith("@postgres/mediakit")
    assert settings.mail.smtp_url is None
    assert settings.browser.render_slots == 1


def test_commands_are_valid(compose: dict[str, Any]) -> None:
    command = re.search(r"^ExecStart=\S+/mediakit (.*)", UNIT, re.MULTILINE)
    assert command

    assert check_command(json.loads(instructions("CMD")[-1])).params["host"] == "0.0.0.0"
    assert check_command(compose["services"]["server"]["command"]).params["workers"] == 2
    assert check_command(shlex.split(command[1])).params["host"] == "127.0.0.1"


def test_image_has_every_package_that_doctor_asks_for() -> None:
    required = {"chromium-headless-shell", *EXTRA_PACKAGES, *(package for _, package, _ in SCRIPTS.values())}

    assert required <= installed_packages()
    assert re.findall(r"MEDIAKIT_BROWSER=(\S+)", DOCKERFILE) == [HEADLESS_SHELLS[0]]


def test_image_contains_package_and_existing_extras() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = re.search(r"/src\[([a-z,]+)\]", DOCKERFILE)
    copied = [source for copy in instructions("COPY") if "--from" not in copy for source in copy.split()[:-1]]
    included = re.findall(r"^!(.+)", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)

    assert extras
    assert set(extras[1].split(",")) <= set(project["optional-dependencies"])
    assert sorted(copied) == sorted(included)
    assert {project["readme"], *project["license-files"], "mediakit", "pyproject.toml"} == set(copied)
    assert all((ROOT / source).exists() for source in copied)


def test_containers_run_without_root_and_privileges(compose: dict[str, Any]) -> None:
    server = compose["services"]["server"]
    profile = next(option for option in server["security_opt"] if option.startswith("seccomp:"))

    assert instructions("USER") == ["10001:10001"]
    assert server["cap_drop"] == ["ALL"]
    assert server["read_only"]
    assert "no-new-privileges:true" in server["security_opt"]
    assert (DEPLOY / profile.removeprefix("seccomp:")).is_file()
    assert "ports" not in server
    assert compose["networks"]["data"]["internal"]


def test_seccomp_profile_allows_namespaces_and_denies_dangerous_calls() -> None:
    profile = json.loads((DEPLOY / "seccomp.json").read_text())
    allowed = {name for rule in profile["syscalls"] if not rule.get("args") for name in rule["names"]}

    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW"}
    assert allowed >= NAMESPACE_CALLS
    assert not allowed & DANGEROUS_CALLS


def test_unit_allows_namespaces_of_chromium() -> None:
    options = dict(re.findall(r"^(\w+)=(.*)", UNIT, re.MULTILINE))

    assert set(options["RestrictNamespaces"].split()) == {"user", "pid", "net"}
    assert "chroot" in options["SystemCallFilter"].split()
    assert options["DynamicUser"] == options["NoNewPrivileges"] == "yes"
    assert f"/var/lib/{options['StateDirectory']}" == options["WorkingDirectory"]


def test_trusted_proxies_are_network_of_caddy(compose: dict[str, Any]) -> None:
    (config,) = compose["networks"]["web"]["ipam"]["config"]

    assert compose["services"]["server"]["environment"]["MEDIAKIT_TRUSTED_PROXIES"] == config["subnet"]
    assert [name for name, service in compose["services"].items() if "web" in service["networks"]] == [
        "caddy",
        "server",
    ]


def test_documented_command_of_remote_chromium_has_every_required_flag() -> None:
    running = (ROOT / "docs/running.md").read_text()
    block = re.search(r"```sh\n( *chromium-headless-shell .*?)```", running, re.DOTALL)
    assert block

    assert set(remote_flags("SERVER")) <= set(shlex.split(block[1]))


def test_kubernetes_objects_refer_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
    by_kind: dict[str, dict[str, Any]] = {}
    for each in found:
        by_kind.setdefault(each["kind"], {})[each["metadata"]["name"]] = each
    pods = {name: each["spec"]["template"] for name, each in by_kind["Deployment"].items()}
    for name, pod in pods.items():
        assert pod["metadata"]["labels"] == by_kind["Deployment"][name]["spec"]["selector"]["matchLabels"]
        (container,) = pod["spec"]["containers"]
        assert {mount["name"] for mount in container["volumeMounts"]} == {
            each["name"] for each in pod["spec"]["volumes"]
        }
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]
    for service in by_kind["Service"].values():
        (port,) = service["spec"]["ports"]
        ports = pods[service["spec"]["selector"]["app"]]["spec"]["containers"][0]["ports"]
        assert port["targetPort"] in {each["name"] for each in ports}
    for name, value in by_kind["ConfigMap"]["mediakit"]["data"].items():
        monkeypatch.setenv(name, value)
    assert module.Settings().server.executor == "tcp://dask-scheduler:8786"
    assert "dask-scheduler" in by_kind["Service"]
    assert check_command(pods["mediakit"]["spec"]["containers"][0]["args"]).params["host"] == "0.0.0.0"
    policy = by_kind["NetworkPolicy"]["dask"]["spec"]["podSelector"]["matchExpressions"][0]
    assert set(policy["values"]) == {"dask-scheduler", "dask-worker"}
