/* Files in the order of the request: chosen or dropped, removed, and moved up. */

import { el, formatBytes, iconButton, ICONS } from "./dom.js";

export function fileInput(attributes, accept, multiple) {
  let files = [];
  let sample; // the values that are being loaded or shown; undefined once the user has changed the files
  let loading = Promise.resolve();
  const control = el("input", { ...attributes, type: "file", accept, multiple, oninput: () => { add([...control.files]); control.value = ""; } });
  const rows = el("ol", { class: "file-list", "aria-label": `Files of ${attributes.name}` });
  const prompt = el("span", {});
  const zone = el("div", { class: "drop", ondragover: () => zone.classList.add("over"), ondragleave: () => zone.classList.remove("over"),
    ondrop: () => zone.classList.remove("over") }, control, prompt);
  /** Adds files of the user. They replace the files of a sample. */
  function add(chosen) {
    if (!chosen.length) return;
    files = multiple && !sample ? [...files, ...chosen] : chosen.slice(0, multiple ? undefined : 1);
    sample = undefined;
    render();
  }
  /** Replaces the files, and notifies the form as if the user had chosen them. */
  function change(updated, focus) {
    files = updated;
    sample = undefined;
    render();
    notify();
    (rows.children[focus]?.querySelector("button:not(:disabled)") ?? control).focus();
  }
  const notify = () => zone.dispatchEvent(new Event("input", { bubbles: true }));
  const without = (index) => files.filter((_, other) => other !== index);
  const movedUp = (index) => [...files.slice(0, index - 1), files[index], files[index - 1], ...files.slice(index + 1)];
  function row(file, index) {
    return el("li", {}, fileName(file), el("span", { class: "file-size" }, formatBytes(file.size)),
      multiple ? iconButton(`Move ${file.name} up`, ICONS.up, () => change(movedUp(index), index - 1), { disabled: index === 0 }) : "",
      iconButton(`Remove ${file.name}`, ICONS.remove, () => change(without(index), Math.min(index, files.length - 2))));
  }
  const fileName = (file) => (file.url
    ? el("a", { class: "file-name", href: file.url, download: file.name, title: "Download this sample file" }, file.name)
    : el("span", { class: "file-name" }, file.name));
  function render() {
    rows.replaceChildren(...files.map(row));
    rows.hidden = !files.length;
    rows.classList.toggle("numbered", multiple);
    const action = !files.length ? "Choose" : sample || !multiple ? "Replace" : "Add";
    prompt.replaceChildren(el("b", {}, `${action} ${multiple ? "files" : files.length ? "the file" : "a file"}`), ` or drop ${multiple ? "them" : "it"} here`);
  }
  async function load(values) {
    const loaded = await Promise.all(values.map(fetchFile));
    if (sample !== values) return;
    files = loaded;
    render();
    notify();
  }
  render();
  return {
    node: el("div", {}, rows, zone), control,
    read: () => (multiple ? (files.length ? files : undefined) : files[0]),
    write: (value) => {
      files = [];
      sample = value && [value].flat();
      render();
      loading = sample ? load(sample) : Promise.resolve();
    },
    ready: () => loading,
  };
}

/** Returns the file of a sample, with the URL it was loaded from. */
async function fetchFile({ name, url }) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned status ${response.status}.`);
  const content = await response.blob();
  return Object.assign(new File([content], name, { type: content.type }), { url });
}
