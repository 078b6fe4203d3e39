/* The list of pages, and the page of the address. Pages keep their values and scroll position until this page is closed. */

import { el } from "./dom.js";
import { takeKeyFromFragment } from "./key.js";
import { groupByTag } from "./openapi.js";
import { renderOverview } from "./overview.js";
import { renderOperation } from "./tool_page.js";

const nav = document.getElementById("nav");
const main = document.getElementById("main");

export function renderNavigation(spec, operations) {
  const link = (path, text) => el("li", {}, el("a", { href: `#${path}`, class: path === "/" ? false : "path" }, text));
  const option = (path, text) => el("option", { value: path }, text);
  const groups = groupByTag(spec, operations);
  const select = el("select", { "aria-label": "Page", onchange: () => { location.hash = select.value; } }, option("/", "Overview"),
    ...groups.map(({ name, members }) => el("optgroup", { label: name }, ...members.map(({ path }) => option(path, path)))));
  nav.replaceChildren(select, el("ul", {}, link("/", "Overview")), ...groups.flatMap(({ name, members }) =>
    [el("h2", {}, name), el("ul", {}, ...members.map(({ path }) => link(path, path)))]));
}

function markCurrent(path) {
  for (const link of nav.querySelectorAll("a")) {
    if (link.hash.slice(1) === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  nav.querySelector("select").value = path;
}

/** Shows the page of the address, now and whenever it changes. */
export function startRouting(spec, operations) {
  const pages = new Map();
  let current;
  let isNew = false; // whether a link was followed, in contrast to "back" and "forward"
  function open(path, asked) {
    const operation = operations.find((operation) => operation.path === path);
    const missing = operation || path !== "/" || asked === "/" ? undefined : asked;
    if (missing || !pages.has(path)) pages.set(path, { scroll: 0, ...(operation ? renderOperation(operation) : renderOverview(spec, operations, missing)) });
    return pages.get(path);
  }
  function show() {
    takeKeyFromFragment();
    const asked = decodeURIComponent(location.hash.slice(1)) || "/";
    const path = operations.some((operation) => operation.path === asked) ? asked : "/";
    const isFirst = !current;
    const page = open(path, asked);
    current = page;
    page.update?.();
    main.replaceChildren(...page.nodes.filter(Boolean));
    document.title = page.title;
    markCurrent(path);
    if (!isFirst) {
      main.querySelector("h1").focus({ preventScroll: true });
      scrollTo(0, isNew ? 0 : page.scroll);
    }
    isNew = false;
  }
  history.scrollRestoration = "manual";
  addEventListener("scroll", () => { if (current) current.scroll = scrollY; }, { passive: true });
  document.addEventListener("click", ({ target }) => { if (target.closest("a[href^='#']")) isNew = true; });
  nav.addEventListener("change", () => { isNew = true; });
  addEventListener("hashchange", show);
  show();
}
