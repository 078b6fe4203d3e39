/* The overview: what the API is, and a card for each operation, with a search. */

import { el, paragraphs } from "./dom.js";
import { groupByTag } from "./openapi.js";

const MAX_FIELDS = 5;

function renderCard(operation) {
  const names = operation.fields.map(({ name }) => name).filter((name) => name !== "output");
  const rest = names.length - MAX_FIELDS;
  const fields = rest > 1 ? `${names.slice(0, MAX_FIELDS).join(", ")} and ${rest} more` : names.join(", ") || "no fields";
  const image = operation.thumbnail ? el("img", { src: operation.thumbnail, alt: "", width: 264, height: 148, loading: "lazy" }) : "";
  return el("li", {}, el("a", { href: `#${operation.path}` },
    el("span", { class: "thumbnail" }, image),
    el("span", { class: "path" }, operation.path), el("span", { class: "summary" }, operation.summary), el("small", {}, fields)));
}

/** Returns the lowercase text that a search looks in. */
function searchText(operation) {
  return [operation.path, operation.summary, operation.description ?? "", operation.keywords, ...operation.tags, ...operation.fields.map(({ name }) => name)].join(" ").toLowerCase();
}

function renderSearch(groups, cards) {
  const count = el("span", { class: "count", role: "status" });
  const texts = new Map([...cards.keys()].map((operation) => [operation, searchText(operation)]));
  function update() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    cards.forEach((card, operation) => { card.hidden = !words.every((word) => texts.get(operation).includes(word)); });
    groups.forEach((group) => { group.hidden = ![...group.querySelectorAll("li")].some((card) => !card.hidden); });
    const found = [...cards.values()].filter((card) => !card.hidden).length;
    count.textContent = words.length ? (found ? `${found} of ${cards.size} tools` : "No tool matches.") : "";
  }
  const open = (event) => {
    const first = [...cards.values()].find((card) => !card.hidden);
    if (event.key === "Enter" && input.value.trim() && first) first.querySelector("a").click();
  };
  const input = el("input", { type: "search", id: "search", placeholder: "Search tools and fields", "aria-label": "Search tools", autocomplete: "off", oninput: update, onkeydown: open });
  return el("div", { class: "search", role: "search" }, input, count);
}

export function renderOverview(spec, operations, missing) {
  const cards = new Map(operations.map((operation) => [operation, renderCard(operation)]));
  const groups = groupByTag(spec, operations).map(({ name, members }) => el("section", { class: "group" }, el("h2", {}, name),
    el("ul", { class: "cards" }, ...members.map((operation) => cards.get(operation)))));
  return {
    title: "mediakit API",
    nodes: [
      missing ? el("p", { class: "notice", role: "status" }, `This API has no tool ${missing}. All tools are listed below.`) : "",
      el("header", { class: "head" },
        el("h1", { tabindex: "-1" }, "mediakit API"),
        el("div", { class: "lead" }, ...paragraphs(spec.info.description),
          ...paragraphs("To send requests from this page, enter an API key at the top. `mediakit key create EMAIL` creates one. The key stays in this page until you close it."))),
      renderSearch(groups, cards),
      ...groups,
      el("p", { class: "end" }, "The OpenAPI 3.1 document is at ", el("a", { href: "openapi.json" }, "openapi.json"), "."),
    ],
  };
}
