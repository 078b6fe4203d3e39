// The search and the tags of the gallery and of the table of tasks. Each item has further words in a JSON list.
for (const form of document.querySelectorAll('form.filter')) {
  const input = form.querySelector('input'), output = form.querySelector('output');
  const fold = text => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[_-]/g, ' ');
  const words = JSON.parse(form.querySelector('script').textContent);
  const items = [...document.querySelectorAll(form.dataset.items)].map(
    (element, place) => ({ element, text: fold(`${element.textContent} ${words[place]}`), words: words[place].split(/[ ,]+/) }));
  const tag = () => form.querySelector('[aria-pressed="true"]')?.dataset.tag;
  const filter = () => {
    const wanted = fold(input.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of items) {
      const shown = wanted.every(word => item.text.includes(word)) && (!tag() || item.words.includes(tag()));
      item.element.hidden = !shown;
      count += shown;
    }
    output.textContent = `${count} of ${items.length}`;
  };
  input.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  for (const button of form.querySelectorAll('button')) {
    button.addEventListener('click', () => {
      const pressed = button.getAttribute('aria-pressed') === 'true';
      for (const each of form.querySelectorAll('button')) each.setAttribute('aria-pressed', 'false');
      button.setAttribute('aria-pressed', String(!pressed));
      filter();
    });
  }
  filter();
}

// What the theme and the outputs of notebooks lack for screen readers and keyboards.
for (const summary of document.querySelectorAll('summary')) {
  if (!summary.textContent.trim()) summary.setAttribute('aria-label', 'Pages of this section');
}
for (const box of document.querySelectorAll('.cell_output [style*="overflow"]')) box.tabIndex = 0;
