// Looks at each screen of a long page, then goes back to its top; says whether the page changed meanwhile.
async (most, pause) => {
  const page = document.scrollingElement;
  if (!page || page.scrollHeight < 1.5 * innerHeight) return false;
  const size = () => document.getElementsByTagName("*").length;
  const before = size();
  for (let screen = 1; screen <= most && screen * innerHeight < page.scrollHeight + innerHeight; screen++) {
    page.scrollTo({ top: screen * innerHeight, behavior: "instant" });
    await new Promise((done) => setTimeout(done, pause));
  }
  page.scrollTo({ top: 0, behavior: "instant" });
  await new Promise((done) => setTimeout(done, pause));
  return size() !== before;
}
