// Reads a page of scores.py with Readability.js: its text and what it says of itself, as JSON.

const { Readability } = require("@mozilla/readability");
const { JSDOM, VirtualConsole } = require("jsdom");

module.exports = ({ html, url }) => () => {
  const page = new JSDOM(html, { url: url || undefined, virtualConsole: new VirtualConsole() });
  const article = new Readability(page.window.document).parse();
  page.window.close();
  return JSON.stringify(article ?? {});
};
