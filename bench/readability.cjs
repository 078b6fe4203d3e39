// Reads a page of scores.py with Readability.js: its text and what it says of itself, as JSON.

const { Readability } = require("@mozilla/readability");
const { JSDOM, VirtualConsole } = require("jsdom");

const END = /<\/(?:p|div|section|article|li|ul|ol|dd|dt|h[1-6]|t[dhr]|table|pre|blockquote|figure|figcaption)>|<br[^>]*>/g;

module.exports = ({ html, url }) => () => {
  const page = new JSDOM(html, { url: url || undefined, virtualConsole: new VirtualConsole() });
  const { content, ...article } = new Readability(page.window.document).parse() ?? {};
  page.window.close();
  // Its own textContent glues the last word of a paragraph to the first one of the next.
  const text = content ? JSDOM.fragment(content.replace(END, "$&\n")).textContent : "";
  return JSON.stringify({ ...article, text });
};
