"""The OpenAPI document is valid, complete, and has an example for every answer."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest
import schemathesis
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from mediakit.api.openapi import SERVICE_TOOLS, document
from mediakit.core.tool import Tag
from mediakit.tools.catalogue import all_tools
from tests.conftest import Api
from tests.support.openapi_kit import resolved, validator

pytestmark = pytest.mark.anyio

SPECIFIED_TAGS = ["Images", "PDF", "Documents", "Files", "Validation", "Data", "Account"]
PUBLIC = {"/", "/files/{token}", "/templates", "/healthz", "/readyz", "/metrics"}
STANDARD_HEADERS = {
    "content-type",
    "content-length",
    "content-encoding",
    "vary",
    "cache-control",
    "etag",
    "accept-ranges",
    "connection",
}
"""Headers of HTTP itself, which the document does not describe."""
BROWSER_HEADERS = {
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cross-origin-resource-policy",
}
"""Headers that restrict browsers, which the document does not describe either."""


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return {**document(all_tools()), "servers": [{"url": "http://127.0.0.1:8000"}]}


def operations(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for operation in methods.values():
            yield path, operation


def answers(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return the path, the status and the response of every answer."""
    for path, operation in operations(described):
        for status, response in operation["responses"].items():
            yield path, status, resolved(described, response)


def test_document_passes_openapi_spec_validator(described: dict[str, Any]) -> None:
    validate(described)


def test_document_passes_validator_of_schemathesis(described: dict[str, Any]) -> None:
    schemathesis.openapi.from_dict(described).validate()


def test_every_schema_is_a_valid_json_schema(described: dict[str, Any]) -> None:
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_document_lists_the_seven_tags_with_descriptions(described: dict[str, Any]) -> None:
    assert [tag["name"] for tag in described["tags"]] == list(get_args(Tag)) == SPECIFIED_TAGS
    assert all(tag["description"] for tag in described["tags"])
    assert {tag for _, operation in operations(described) for tag in operation["tags"]} <= set(SPECIFIED_TAGS)


def test_document_lists_every_tool_in_the_group_of_the_catalogue(described: dict[str, Any]) -> None:
    listed = {
        path: operation["tags"]
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if method == "post" or path in SERVICE_TOOLS
    }
    assert listed == {tool.path: [tool.spec.tag] for tool in all_tools()} | {"/status": ["Account"]}
    assert {tag for tags in listed.values() for tag in tags} == set(SPECIFIED_TAGS)
    assert f": {len(listed)} tools in seven groups." in described["info"]["description"]


def test_every_operation_has_an_id_and_words(described: dict[str, Any]) -> None:
    ids = Counter(operation["operationId"] for _, operation in operations(described))
    assert max(ids.values()) == 1
    assert all(operation["summary"] for _, operation in operations(described))


def test_only_public_endpoints_need_no_key(described: dict[str, Any]) -> None:
    assert described["security"] == [{"ApiKey": []}]
    assert {path for path, operation in operations(described) if operation.get("security") == []} == PUBLIC


def test_every_answer_has_examples_that_match_its_schema(described: dict[str, Any]) -> None:
    for path, status, response in answers(described):
        for media_type, content in response.get("content", {}).items():  # 304 has no content
            assert content["examples"], (path, status, media_type)
            for example in content["examples"].values():
                validator(described, content["schema"]).validate(example["value"])


def test_json_answers_of_tools_have_an_example_of_each_output(described: dict[str, Any]) -> None:
    for tool in all_tools():
        content = described["paths"][tool.path]["post"]["responses"]["200"]["content"]
        assert set(content["application/json"]["examples"]) == {"json", "url"} & set(tool.wire.outputs)
        files = set(tool.produces) - {"application/json"} if "binary" in tool.wire.outputs else set()
        assert set(content) == {"application/json", *files}
        for media_type in files:
            assert content[media_type]["examples"]["file"]["value"].startswith("(the bytes of ")


def test_request_examples_match_their_schema(described: dict[str, Any]) -> None:
    for _, operation in operations(described):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for example in content.get("examples", {}).values():
                validator(described, content["schema"]).validate(example["value"])


def test_objects_and_choices_are_named_schemas(described: dict[str, Any]) -> None:
    named = described["components"]["schemas"].values()
    inline = [
        part
        for part in _parts({**described, "components": {"schemas": list(named)}})
        if "properties" in part and "type" in part and not any(part is schema for schema in named)
    ]
    assert inline == []


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for key, part in node.items():
            if key not in ("examples", "example", "x-docs"):
                yield from _parts(part)
    if isinstance(node, list):
        for part in node:
            yield from _parts(part)


def test_query_options_have_no_default(described: dict[str, Any]) -> None:
    """Generated clients send defaults, and a JSON body allows no query options."""
    for _, operation in operations(described):
        for parameter in operation.get("parameters", []):
            assert "default" not in parameter.get("schema", {}), parameter["name"]


def test_every_answer_describes_its_headers(described: dict[str, Any]) -> None:
    for path, status, response in answers(described):
        headers = set(response["headers"])
        assert "X-Request-Id" in headers, (path, status)
        assert ("Retry-After" in headers) == (status in ("202", "409", "429", "503")), (path, status)
        for header in response["headers"].values():
            assert resolved(described, header)["description"]


async def test_answers_have_only_described_headers(api: Api, described: dict[str, Any]) -> None:
    qr = described["paths"]["/qr"]["post"]["responses"]
    link = (await api.json("/qr", {"data": "x", "output": "url"})).json()["url"]
    calls = [
        (await api.json("/qr", {"data": "x"}), qr["200"]),
        (await api.raw("/qr", "x", "text/plain"), qr["200"]),
        (await api.json("/qr", {"data": "x", "size": 9}), qr["400"]),
        (await api.json("/qr", {"data": "x"}, key="wrong"), qr["401"]),
        (await api.http.get("/status", headers={"x-api-key": api.key}), _get(described, "/status")),
        (await api.http.get(link), _get(described, "/files/{token}")),
        (await api.http.get("/templates"), _get(described, "/templates")),
        (await api.http.get("/healthz"), _get(described, "/healthz")),
        (await api.http.get("/readyz"), _get(described, "/readyz")),
        (await api.http.get("/metrics"), _get(described, "/metrics")),
    ]
    for response, description in calls:
        known = {name.lower() for name in resolved(described, description)["headers"]}
        sent = {name.lower() for name in response.headers} - STANDARD_HEADERS - BROWSER_HEADERS
        assert sent <= known, response.request.url


def _get(described: dict[str, Any], path: str) -> dict[str, Any]:
    answer: dict[str, Any] = described["paths"][path]["get"]["responses"]["200"]
    return answer


async def test_query_options_beside_a_json_body_return_400_with_their_names(api: Api) -> None:
    response = await api.post("/qr", json={"data": "x"}, params={"size": 300, "ecc": "H"})
    assert response.status_code == 400
    assert response.json() == {
        "error": "size: must be in the JSON body, not in the query. (1 more in details)",
        "details": [
            {"field": "size", "message": "must be in the JSON body, not in the query."},
            {"field": "ecc", "message": "must be in the JSON body, not in the query."},
        ],
    }
    assert (await api.status())["used"] == 0
