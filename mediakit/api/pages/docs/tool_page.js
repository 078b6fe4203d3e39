/* The page of an operation: its description, form, response, code and details. */

import { renderCode } from "./code_box.js";
import { renderDetails } from "./details.js";
import { el, formatBytes, paragraphs } from "./dom.js";
import { renderForm } from "./form.js";
import { focusKey } from "./key.js";
import { send } from "./request.js";
import { renderResponse } from "./response.js";

const ONE_COLUMN = matchMedia("(max-width: 1080px)");
const UNAUTHORIZED = 401;

/** Returns the error message of a file above the size limit. The server would close the connection before a response can be read. */
function tooLarge({ maxBytes, read }) {
  const file = maxBytes && [read()].flat().find((file) => file?.size > maxBytes);
  return file && `must be at most ${maxBytes / 2 ** 20} MB, got ${formatBytes(file.size)} in ${file.name}.`;
}

/** Returns a function that sends the values of a form, and shows the response or its error. */
function sender(operation, form, response) {
  async function call() {
    await form.ready();
    const result = await send(operation, form.values());
    if (!result.ok) return showError(result);
    await response.show(result);
    if (ONE_COLUMN.matches) response.node.scrollIntoView({ block: "nearest" });
  }
  function showError({ status, body }) {
    response.showError(`Error ${status}`, body.error ?? "The server sent no error message.");
    const invalid = (body.details ?? []).map(({ field, message }) => [form.inputs.find((input) => input.name === field.split(/[[.]/)[0]), message]);
    invalid.forEach(([input, message]) => input?.setError(message));
    if (status === UNAUTHORIZED) focusKey();
    else invalid[0]?.[0]?.focus();
  }
  function setBusy(on) {
    response.setBusy(on);
    form.button.disabled = on;
    form.button.textContent = on ? "Waiting…" : "Send";
  }
  return async () => {
    if (form.button.disabled) return;
    form.inputs.forEach((input) => input.setError(tooLarge(input)));
    const invalid = form.inputs.find(tooLarge);
    if (invalid) {
      response.showError("Not sent", `${invalid.name}: ${tooLarge(invalid)}`);
      return void invalid.focus();
    }
    setBusy(true);
    try {
      await call();
    } catch (error) {
      response.showError("No response", `The server is not reachable, or its response is not valid. ${error.message}`);
    } finally {
      setBusy(false);
    }
  };
}

// The page of a tool in the documentation site, if the server has it.
function guide(operation) {
  const { site } = document.documentElement.dataset;
  if (!site || operation.method !== "POST") return [];
  return [el("p", {}, el("a", { href: `${site}${operation.path.slice(1)}.html` }, "Guide with images and examples"))];
}

export function renderOperation(operation) {
  let run;
  const code = renderCode(operation, () => form.shownValues());
  const response = renderResponse(operation);
  const form = renderForm(operation, () => code.update(), () => run());
  run = sender(operation, form, response);
  form.fill(operation.samples[0]?.value ?? {});
  return {
    title: `${operation.path} · mediakit API`,
    update: code.update,
    nodes: [
      el("header", { class: "head" },
        el("p", { class: "where" }, el("span", { class: "method" }, operation.method), el("span", { class: "path" }, operation.path)),
        el("h1", { tabindex: "-1" }, operation.summary.replace(/\.$/, "")),
        el("div", { class: "lead" }, ...paragraphs(operation.description ?? ""), ...guide(operation))),
      el("div", { class: "tool" },
        form.node,
        el("div", { class: "side" }, response.node, code.node),
        renderDetails(operation)),
    ],
  };
}
