/* The code of a call in a tab for each language. */

import { copyButton, el } from "./dom.js";
import { SNIPPETS, withPlaceholders } from "./snippets.js";

const LANGUAGES = Object.keys(SNIPPETS);
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
let selected = LANGUAGES[0]; // for as long as the page is open

export function renderCode(operation, values) {
  const code = el("code");
  const select = (name, focus) => { selected = name; update(); if (focus) tabs[LANGUAGES.indexOf(name)].focus(); };
  const tabs = LANGUAGES.map((name) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "snippet", onclick: () => select(name) }, name));
  const list = el("div", { role: "tablist", "aria-label": "Language", onkeydown: (event) => {
    if (STEPS[event.key]) select(LANGUAGES[(LANGUAGES.indexOf(selected) + STEPS[event.key] + LANGUAGES.length) % LANGUAGES.length], true);
  } }, ...tabs);
  const panel = el("pre", { role: "tabpanel", id: "snippet", tabindex: "0" }, code);
  function update() {
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", LANGUAGES[index] === selected);
      tab.tabIndex = LANGUAGES[index] === selected ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${selected}`);
    code.textContent = SNIPPETS[selected](operation, withPlaceholders(operation, values()));
  }
  const node = el("section", { class: "box", "aria-label": "Code" }, el("div", { class: "tabs" }, list, copyButton(() => code.textContent)), panel);
  return { node, update };
}
