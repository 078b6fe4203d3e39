/* The response of a call: a preview of its file or its fields, its meta, and a link. */

import { el, formatBytes, serialize } from "./dom.js";
import { showCredits } from "./key.js";
import { isData } from "./openapi.js";
import { fileViews, message, textView } from "./previews.js";
import { fileOf } from "./request.js";
import { extension } from "./snippets.js";
import { fieldsView } from "./tables.js";

const MAX_FACT_CHARACTERS = 60;

function renderMeta(meta) {
  const { size_bytes: size, width, height, used, remaining, unlimited, warnings, ...others } = meta;
  const entries = { ...(width && { pixels: `${width} × ${height}` }), ...(size && { size: formatBytes(size) }), ...others };
  const shown = Object.entries(entries).filter(([, value]) => value !== null && value !== "" && (typeof value !== "object" || Object.keys(value).length));
  return shown.map(([name, value]) => renderFact(name, metaText(value)));
}

function renderFact(name, text) {
  return el("div", { class: text.length > MAX_FACT_CHARACTERS && "long" }, el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, text));
}

function metaText(value) {
  if (Array.isArray(value)) return value.map((item) => item?.name ?? metaText(item)).join(", ");
  return typeof value === "number" ? value.toLocaleString("en") : serialize(value);
}

function renderWarnings({ warnings = [] }) {
  return warnings.length ? [el("ul", { class: "warnings", "aria-label": "Warnings" }, ...warnings.map((warning) => el("li", {}, warning.message ?? serialize(warning))))] : [];
}

/** Returns views of which one is shown, with a button for each if there are several. */
function renderViews(views) {
  const names = Object.keys(views);
  const select = (name) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", button.textContent === name));
    Object.entries(views).forEach(([other, node]) => { node.hidden = other !== name; });
  };
  const buttons = names.map((name) => el("button", { type: "button", onclick: () => select(name) }, name));
  select(names[0]);
  return el("div", { class: "views" }, names.length > 1 ? el("div", { class: "switch", role: "group", "aria-label": "View" }, ...buttons) : "", ...Object.values(views));
}

function renderFacts(body, file, name, link) {
  const expiry = body.expires_at ? renderMeta({ "link expires": new Date(body.expires_at).toLocaleTimeString() }) : [];
  const size = body.meta?.size_bytes ?? body.size_bytes ?? file?.size;
  return el("div", { class: "facts" },
    el("dl", {}, ...(body.expires_at ? [] : renderMeta({ file: name })), ...renderMeta({ ...body.meta, size_bytes: size }), ...expiry), link);
}

export function renderResponse(operation) {
  const node = el("section", { class: "box response", "aria-label": "Response", "aria-live": "polite" }, message("The response appears here."));
  let objectUrl;
  const replace = (...children) => { URL.revokeObjectURL(objectUrl); node.replaceChildren(...children); };

  function showData(body) {
    const facts = renderMeta(body.meta ?? {});
    replace(renderViews({ Fields: fieldsView(body), JSON: textView(JSON.stringify(body, null, 2)) }), ...renderWarnings(body.meta ?? {}),
      facts.length ? el("div", { class: "facts" }, el("dl", {}, ...facts)) : "");
  }
  async function showFile(result, file) {
    const { body } = result;
    const type = (file?.type || body.mime_type).split(";")[0];
    const href = file ? URL.createObjectURL(file) : body.url;
    const name = result.filename ?? body.filename ?? `${operation.command}.${extension(type)}`;
    const link = body.expires_at
      ? el("a", { href: body.url, rel: "noreferrer", target: "_blank" }, "Open link")
      : el("a", { href, download: name, title: name }, "Download");
    const { pdf, mime_type: _type, ...fields } = body;
    const dataViews = pdf && isData(operation) ? { Fields: fieldsView(fields) } : {};
    replace(renderViews({ ...(await fileViews(file, type, href)), ...dataViews }), ...renderWarnings(body.meta), renderFacts(body, file, name, link));
    if (file) objectUrl = href;
  }
  return {
    node,
    setBusy(on) { node.setAttribute("aria-busy", on); node.classList.toggle("busy", on); },
    showError(title, text) { replace(el("p", { class: "error", role: "alert" }, el("b", {}, title), text)); },
    async show(result) {
      const { body } = result;
      const file = await fileOf(result);
      showCredits(body.meta ?? body);
      if (file || body.expires_at) await showFile(result, file);
      else showData(body);
    },
  };
}
