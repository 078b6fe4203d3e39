/* The form of an operation: a row for each field, samples, and the button to send. */

import { el, inlineCode } from "./dom.js";
import { INPUTS, isWide } from "./inputs.js";
import { FORM_TYPE, JSON_TYPE } from "./openapi.js";
import { constraints, maxBytes } from "./rules.js";
import { seriesInputs } from "./series_input.js";

const SECRET = "...";

/** Returns the name, the rule and the help of a field. */
function caption(field, target) {
  const id = `field-${field.name}`;
  return el("div", { class: "caption" },
    el("label", { for: target ?? id, id: `${id}-label`, class: "name" }, field.name), field.required ? el("span", { class: "need" }, "required") : "",
    el("div", { class: "rule", id: `${id}-rule` }, constraints(field)),
    el("p", { class: "help", id: `${id}-help` }, ...inlineCode(field.description ?? "")));
}

/** Returns an input with its row and the element of its error message. */
function complete(input, field, row, error) {
  const setError = (message) => {
    error.textContent = message ?? "";
    error.hidden = !message;
    input.control.setAttribute("aria-invalid", Boolean(message));
  };
  const focus = () => (input.control.matches("table") ? input.control.querySelector("input") : input.control).focus();
  return { ready: () => undefined, ...input, setError, focus, name: field.name, maxBytes: maxBytes(field), isSecret: field.kind === "password", row };
}

function errorOf(field) {
  return el("p", { class: "field-error", id: `field-${field.name}-error`, hidden: true });
}

function renderField(field, accept) {
  const id = `field-${field.name}`;
  const attributes = { id, name: field.name, "aria-describedby": `${id}-rule ${id}-help ${id}-error`, "aria-required": field.required && "true" };
  const input = INPUTS[field.kind](field, attributes, accept);
  const error = errorOf(field);
  const row = el("div", { class: isWide(field) ? "field wide" : "field" }, caption(field), el("div", {}, input.node), error);
  return complete(input, field, row, error);
}

/** Returns the inputs of fields that share a table, in one row. */
function renderSeries(series, labels) {
  const fields = [labels, series].filter(Boolean);
  const inputs = seriesInputs(series, labels);
  const errors = fields.map(errorOf);
  const row = el("div", { class: "field wide" }, el("div", { class: "captions" }, ...fields.map((field) => caption(field, false))),
    el("div", { class: "sheet-frame" }, inputs[0].node), ...errors);
  return fields.map((field, index) => complete(inputs.find(({ name }) => name === field.name), field, row, errors[index]));
}

function renderInputs(operation) {
  const types = Object.keys(operation.bodies).filter((type) => ![JSON_TYPE, FORM_TYPE].includes(type));
  // Systems know no media type for extensions such as .jsonl, and a file dialog would hide those files.
  const accept = types.length && types.every((type) => type === "image/*" || type === "application/pdf") ? types.join(",") : false;
  const labels = operation.fields.find(({ kind }) => kind === "labels");
  return operation.fields.filter((field) => field !== labels).flatMap((field) =>
    (field.kind === "series" ? renderSeries(field, labels) : [renderField(field, accept)]));
}

/** Returns a button for each sample, and one for an empty form. */
function renderSamples(samples, fill) {
  if (!samples.length) return "";
  const chips = [...samples, { summary: "Empty form", value: {} }].map((sample, index) => el("button", { type: "button", class: "chip", "aria-pressed": String(index === 0), onclick: () => {
    chips.forEach((chip, other) => chip.setAttribute("aria-pressed", other === index));
    fill(sample.value);
  } }, sample.summary));
  return el("div", { class: "samples", role: "group", "aria-label": "Samples" }, ...chips);
}

export function renderForm(operation, onchange, onsend) {
  const inputs = renderInputs(operation);
  const fill = (values) => { inputs.forEach((input) => { input.write(values[input.name]); input.setError(); }); onchange(); };
  const button = el("button", { type: "submit" }, "Send");
  const form = el("form", { class: "fields", novalidate: true, "aria-label": `Try ${operation.path}`, oninput: onchange,
    onsubmit: (event) => { event.preventDefault(); onsend(); },
    onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); onsend(); } } },
  ...new Set(inputs.map((input) => input.row)),
  el("div", { class: "send" }, button, el("span", {}, operation.method === "POST" ? "A successful call costs one credit. Press Ctrl + Enter to send." : "Costs no credit.")));
  const values = () => Object.fromEntries(inputs.map((input) => [input.name, input.read()]).filter(([, value]) => value !== undefined));
  const shownValues = () => Object.fromEntries(Object.entries(values()).map(([name, value]) =>
    [name, inputs.find((input) => input.name === name).isSecret ? SECRET : value]));
  return {
    node: el("section", { "aria-label": "Call" }, renderSamples(operation.samples, fill), form), button, inputs, values, shownValues, fill,
    ready: () => Promise.all(inputs.map((input) => input.ready())),
  };
}
