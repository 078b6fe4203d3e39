/* Cards with thumbnails that are dragged or moved with the keyboard. See pages.py. */

class PageList extends View {
  constructor(model, el) {
    super(model, el);
    this.urls = [];
    this.shown = new Map();
    this.list = element("ol", { class: "mediakit-page-list" });
    this.status = element("div", { class: "mediakit-page-status", "aria-live": "polite" });
    this.reset = button("All pages", "All pages", () => this.saveOrder(this.cards.map((card) => card.id)));
    this.foot = element("div", { class: "mediakit-page-foot" }, this.status, this.reset);
    this.root.append(this.list, this.foot);
    this.observe({ "images cards": () => this.update(), order: () => this.show() });
    this.showImages();
  }

  stop() {
    super.stop();
    this.urls.forEach(freeUrl);
  }

  get cards() {
    return this.model.get("cards");
  }

  /** The ids of the cards in their order. The kernel may not know a removed card any more. */
  get order() {
    return this.model.get("order").filter((id) => this.shown.has(id));
  }

  /** Shows other cards and images once, after all changes of one message. */
  update() {
    if (!this.isUpdating) queueMicrotask(() => { this.isUpdating = false; this.showImages(); });
    this.isUpdating = true;
  }

  showImages() {
    this.urls.forEach(freeUrl);
    this.urls = this.model.get("images").map(imageUrl);
    this.shown = new Map(this.cards.map((card, index) => [card.id, { ...card, url: this.urls[index] }]));
    this.show();
  }

  show() {
    const order = this.order, cards = this.cards, noun = this.model.get("noun");
    const focused = this.list.contains(document.activeElement) ? Number(document.activeElement.closest("li").dataset.place) : -1;
    const top = this.list.scrollTop;
    this.list.replaceChildren(...order.map((id, place) => this.card(this.shown.get(id), place, order.length)));
    this.list.scrollTop = top;
    this.root.hidden = !cards.length;
    this.list.hidden = !order.length;
    const isWhole = order.length === cards.length && order.every((id, place) => id === cards[place].id);
    this.foot.hidden = !this.model.get("can_reset") || isWhole;
    this.status.textContent = `${order.length} of ${cards.length} ${noun}s`;
    const next = this.next ?? focused;
    this.next = undefined;
    if (next >= 0) this.list.children[Math.min(next, order.length - 1)]?.focus({ preventScroll: this.isDragged });
  }

  card(card, place, count) {
    const noun = this.model.get("noun");
    const help = "Press Shift and an arrow key to move it, Delete to remove it.";
    const item = element("li", { tabindex: "0", "data-place": place, title: card.title, "aria-label": `${card.title}, position ${place + 1} of ${count}. ${help}` });
    const image = card.url ? element("img", { src: card.url, alt: "", draggable: "false" }) : element("span", { class: "mediakit-page-blank" });
    item.append(element("div", { class: "mediakit-page-image" }, image), element("div", { class: "mediakit-page-label" }, card.label));
    const buttons = element("div", { class: "mediakit-page-buttons" });
    const add = (icon, label, change) => {
      const made = button("", `${label} ${card.title}`, (event) => { event.stopPropagation(); change(); });
      Object.assign(made, { title: `${label} this ${noun}`, tabIndex: -1 });
      made.append(element("i", { class: `fa fa-${icon}`, "aria-hidden": "true" }));
      buttons.append(made);
    };
    if (this.model.get("can_repeat")) add("clone", "Repeat", () => this.repeat(place));
    add("times", "Remove", () => this.remove(place));
    item.append(buttons);
    item.addEventListener("keydown", (event) => this.onKey(event, place, count));
    item.addEventListener("pointerdown", (event) => this.onPointer(event, item, place));
    return item;
  }

  onKey(event, place, count) {
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const to = place + (steps[event.key] ?? 0);
    if (event.key === "Delete" || event.key === "Backspace") this.remove(place);
    else if (!(event.key in steps)) return;
    else if (to < 0 || to >= count) { /* The first and the last card stay. */ }
    else if (event.shiftKey) this.move(place, to);
    else this.list.children[to].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  onPointer(event, item, place) {
    if (event.button || event.target.closest("button")) return;
    let target = null;
    follow(event, (moved) => {
      moved.preventDefault();
      item.classList.add("mediakit-page-dragged");
      target = this.placeAt(moved.clientX, moved.clientY);
      this.mark(target);
    }, (isDone) => {
      item.classList.remove("mediakit-page-dragged");
      this.mark(null);
      if (!isDone) return;
      this.isDragged = true;
      this.move(place, target > place ? target - 1 : target);
      this.isDragged = false;
    });
  }

  /** Returns the place before which a card would be inserted at a point. */
  placeAt(x, y) {
    const items = [...this.list.children];
    const found = items.findIndex((item) => {
      const box = item.getBoundingClientRect();
      return y < box.top || (y <= box.bottom && x < box.left + box.width / 2);
    });
    return found < 0 ? items.length : found;
  }

  /** Marks the place before which a card would be inserted. */
  mark(place) {
    [...this.list.children].forEach((item, index) => {
      item.classList.toggle("mediakit-page-before", index === place);
      item.classList.toggle("mediakit-page-after", place === this.list.children.length && index === place - 1);
    });
  }

  move(from, to) {
    const order = this.order;
    order.splice(to, 0, ...order.splice(from, 1));
    this.saveOrder(order, to);
  }

  repeat(place) {
    this.saveOrder(this.order.toSpliced(place, 0, this.order[place]), place + 1);
  }

  remove(place) {
    this.saveOrder(this.order.toSpliced(place, 1), place);
  }

  /** Saves the ids of the cards, and focuses the card at a place. */
  saveOrder(order, focused) {
    this.next = focused;
    this.save({ order });
  }
}

export default viewOf((model, el) => new PageList(model, el));
