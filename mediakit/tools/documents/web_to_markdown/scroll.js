// Scrolls through a long page once and back to its top. Returns whether elements were added or removed meanwhile.
async (maxScreens, pauseMs) => {
  const page = document.scrollingElement;
  if (!page || page.scrollHeight < 1.5 * innerHeight) return false;
  const size = () => document.getElementsByTagName("*").length;
  const before = size();
  for (let screen = 1; screen <= maxScreens && screen * innerHeight < page.scrollHeight + innerHeight; screen++) {
    page.scrollTo({ top: screen * innerHeight, behavior: "instant" });
    await new Promise((done) => setTimeout(done, pauseMs));
  }
  page.scrollTo({ top: 0, behavior: "instant" });
  await new Promise((done) => setTimeout(done, pauseMs));
  return size() !== before;
}
