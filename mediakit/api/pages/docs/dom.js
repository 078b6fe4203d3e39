/* Elements. Texts from the OpenAPI document and from responses are inserted as text nodes, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element. Attributes that begin with "on" are listeners; false and undefined are omitted. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== ""));
  return node;
}

/** Returns an icon of 16 x 16 units, drawn as the strokes of a path. */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  svg.firstChild.setAttribute("d", path);
  return svg;
}

export function iconButton(label, path, onclick, options = {}) {
  return el("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...options }, icon(path));
}

export const ICONS = { remove: "m4 4 8 8m0-8-8 8", up: "M8 13V3M3.5 7.5 8 3l4.5 4.5", plus: "M8 3v10M3 8h10" };

/** Returns text nodes and `code` elements for text between backticks. */
export function inlineCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));
}

export function paragraphs(text) {
  return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => el("p", {}, ...inlineCode(part)));
}

/** Returns a button that copies text, and confirms it for a moment. */
export function copyButton(read, label = "Copy") {
  const button = el("button", { type: "button", class: "copy", onclick: async () => {
    await navigator.clipboard.writeText(read());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function serialize(value) {
  return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}
