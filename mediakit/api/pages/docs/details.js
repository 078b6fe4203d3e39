/* The bodies, media types and errors of an operation. */

import { el, inlineCode } from "./dom.js";
import { FORM_TYPE, isData, JSON_TYPE, mediaTypes } from "./openapi.js";

function bodyHelp(operation, type, { schema }) {
  if (type === JSON_TYPE) return "A JSON object with the fields; files as base64, or as objects with `name` and `file`.";
  if (type === FORM_TYPE) return "A form with the fields; files as file parts, lists as repeated parts, objects as JSON text.";
  const output = isData(operation) ? "" : " The response is the file unless `output` requests another form.";
  return `The input as the raw body, with options in the query.${output} ${schema.description ?? ""}`;
}

function renderList(title, rows, kind = "") {
  return el("section", {}, el("h2", {}, title), el("dl", { class: kind }, ...rows.flatMap(([terms, text, note]) =>
    [...[terms].flat().map((term) => el("dt", {}, term)), el("dd", {}, ...inlineCode(text), note ? el("small", {}, note) : "")])));
}

export function renderDetails(operation) {
  const bodies = [...Map.groupBy(Object.entries(operation.bodies), ([type, body]) => bodyHelp(operation, type, body))]
    .map(([text, group]) => [group.map(([type]) => type), text]);
  const errors = operation.errors.map((error) => {
    const { schema } = error.content[JSON_TYPE];
    const fields = new Set((schema.anyOf ?? [schema]).flatMap(({ properties }) => Object.keys(properties)));
    return [error.status, error.description, `Fields: ${[...fields].join(", ")}`];
  });
  const types = mediaTypes(operation);
  return el("div", { class: "more" },
    bodies.length ? renderList("Request body", bodies, "stacked") : "",
    types.length ? el("section", {}, el("h2", {}, "Response types"), el("p", { class: "types" }, ...types.map((type) => el("code", {}, type)))) : "",
    renderList("Errors", errors));
}
