/* A page to draw boxes on, or to choose one of nine positions on. See page_editor.py. */

const POSITIONS = ["left top", "top", "right top", "left", "center", "right", "left bottom", "bottom", "right bottom"];
const CORNERS = { "top left": [0, 0], "top right": [1, 0], "bottom right": [1, 1], "bottom left": [0, 1] };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIN_SIDE = 2;
const DRAG_DISTANCE = 4;

const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function button(text, label, onClick) {
  const made = element("button", { type: "button", "aria-label": label }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** Follows the pointer until it is released; `onMove` gets each event, `onEnd` whether the pointer was moved. */
function follow(event, onMove, onEnd) {
  const startX = event.clientX, startY = event.clientY;
  let isMoved = false;
  const move = (moved) => {
    isMoved ||= Math.hypot(moved.clientX - startX, moved.clientY - startY) > DRAG_DISTANCE;
    if (isMoved) onMove(moved);
  };
  const end = (ended) => {
    for (const [name, handle] of Object.entries(listeners)) document.removeEventListener(name, handle);
    onEnd(isMoved && ended.type === "pointerup");
  };
  const listeners = { pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, handle] of Object.entries(listeners)) document.addEventListener(name, handle);
}

class PageEditor {
  constructor(model, el) {
    this.model = model;
    this.image = element("img", { alt: "", draggable: "false" });
    this.layer = element("div", { class: "mediakit-page-layer" });
    this.stage = element("div", { class: "mediakit-page-stage" }, this.image, this.layer);
    this.previous = button("‹", "Previous page", () => this.turn(-1));
    this.next = button("›", "Next page", () => this.turn(1));
    this.number = element("span", { "aria-live": "polite" });
    this.add = button("Add a box", "Add a box", () => this.addBox());
    this.clear = button("Remove all boxes", "Remove all boxes", () => this.save([]));
    this.status = element("span", { class: "mediakit-page-status" });
    const pager = element("span", { class: "mediakit-page-pager" }, this.previous, this.number, this.next);
    this.foot = element("div", { class: "mediakit-page-foot" }, pager, this.status, this.add, this.clear);
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.stage, this.foot);
    el.append(this.root);
    this.stage.classList.add(`mediakit-page-${model.get("mode")}`);
    this.stage.addEventListener("pointerdown", (event) => this.onPointer(event));
    this.observed = { "change:image": () => this.showImage(), "change:count": () => this.show(), "change:boxes": () => this.show(), "change:position": () => this.show() };
    for (const [name, handle] of Object.entries(this.observed)) model.on(name, handle);
    this.showImage();
  }

  stop() {
    for (const [name, handle] of Object.entries(this.observed)) this.model.off(name, handle);
    URL.revokeObjectURL(this.image.src);
  }

  get hasBoxes() {
    return this.model.get("mode") === "boxes";
  }

  /** Rounds to tenths of points, or to whole pixels. */
  rounded(value) {
    return this.model.get("unit") === "pixels" ? Math.round(value) : Math.round(value * 10) / 10;
  }

  get size() {
    return { width: this.model.get("width"), height: this.model.get("height") };
  }

  get boxes() {
    return this.model.get("boxes").map((box) => ({ ...box }));
  }

  turn(step) {
    this.model.set("page", clamp(this.model.get("page") + step, 1, this.model.get("count")));
    this.model.save_changes();
    this.showPager();
  }

  showImage() {
    const content = this.model.get("image"), isEmpty = !content?.byteLength;
    URL.revokeObjectURL(this.image.src);
    this.root.hidden = isEmpty;
    if (isEmpty) return this.image.removeAttribute("src");
    this.image.src = URL.createObjectURL(new Blob([content], { type: "image/webp" }));
    this.show();
  }

  showPager() {
    const page = this.model.get("page"), count = this.model.get("count");
    this.number.textContent = `Page ${page} of ${count}`;
    this.previous.disabled = page <= 1;
    this.next.disabled = page >= count;
    this.previous.parentNode.hidden = count < 2;
  }

  show() {
    this.showPager();
    for (const control of [this.add, this.clear]) control.hidden = !this.hasBoxes;
    if (!this.hasBoxes) return this.showPositions();
    const boxes = this.boxes, page = this.model.get("page");
    const focused = this.focused ?? Number(document.activeElement?.closest?.(".mediakit-page-box")?.dataset.index ?? -1);
    this.focused = undefined;
    const shown = boxes.map((box, index) => box.page === page && this.box(box, index)).filter(Boolean);
    this.layer.replaceChildren(...shown);
    this.clear.hidden = !boxes.length;
    this.status.textContent = boxes.length ? `${boxes.length} ${boxes.length === 1 ? "box" : "boxes"}` : `Drag on the ${this.model.get("surface")} to draw a box.`;
    shown.find((node) => Number(node.dataset.index) === focused)?.focus({ preventScroll: true });
  }

  showPositions() {
    const chosen = this.model.get("position");
    this.layer.replaceChildren(...POSITIONS.map((position) => {
      const made = button("", position, () => {
        this.model.set("position", position);
        this.model.save_changes();
        this.layer.querySelector("[aria-pressed=true]")?.focus();
      });
      made.setAttribute("aria-pressed", String(this.isSame(position, chosen)));
      made.title = position;
      return made;
    }));
  }

  /** Returns whether two positions are the same, in either order of their words. */
  isSame(one, other) {
    const words = (text) => text.split(" ").sort().join(" ");
    return words(one) === words(other);
  }

  box(box, index) {
    const { width, height } = this.size;
    const unit = this.model.get("unit");
    const help = `Arrow keys move it; with Shift by 10 ${unit}. Delete removes it.`;
    const label = `Box ${index + 1}: ${this.rounded(box.x1 - box.x0)} by ${this.rounded(box.y1 - box.y0)} ${unit}. ${help}`;
    const node = element("div", { class: "mediakit-page-box", tabindex: "0", role: "group", "data-index": index, "aria-label": label });
    this.place(node, box);
    for (const [name, [x, y]] of Object.entries(CORNERS)) {
      const handle = element("span", { class: "mediakit-page-handle", title: `${name} corner` });
      Object.assign(handle.style, { left: `${x * 100}%`, top: `${y * 100}%`, cursor: x === y ? "nwse-resize" : "nesw-resize" });
      handle.addEventListener("pointerdown", (event) => {
        event.stopPropagation();
        const fixed = { x: x ? box.x0 : box.x1, y: y ? box.y0 : box.y1 };
        this.change(event, node, index, (at) => this.between(fixed, at));
      });
      node.append(handle);
    }
    node.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      const start = this.point(event);
      this.change(event, node, index, (at) => this.moved(box, at.x - start.x, at.y - start.y));
    });
    node.addEventListener("keydown", (event) => {
      const step = STEPS[event.key], points = event.shiftKey ? 10 : 1;
      if (event.key === "Delete" || event.key === "Backspace") this.save(this.boxes.filter((_, other) => other !== index));
      else if (step) this.replace(index, this.moved(box, step[0] * points, step[1] * points));
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return node;
  }

  place(node, box) {
    const { width, height } = this.size;
    Object.assign(node.style, {
      left: `${(100 * box.x0) / width}%`, top: `${(100 * box.y0) / height}%`,
      width: `${(100 * (box.x1 - box.x0)) / width}%`, height: `${(100 * (box.y1 - box.y0)) / height}%`,
    });
  }

  onPointer(event) {
    if (event.button || !this.hasBoxes) return;
    event.preventDefault();
    const start = this.point(event), node = element("div", { class: "mediakit-page-box" });
    let box = null;
    follow(event, (moved) => {
      box = this.between(start, this.point(moved));
      if (!node.isConnected) this.layer.append(node);
      this.place(node, box);
    }, (isDone) => {
      node.remove();
      if (isDone && box) this.append(box);
    });
  }

  /** Moves or resizes a box with the pointer. */
  change(event, node, index, boxAt) {
    if (event.button) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    let box = null;
    follow(event, (moved) => {
      box = boxAt(this.point(moved));
      this.place(node, box);
    }, (isDone) => isDone && box ? this.replace(index, box) : this.show());
  }

  addBox() {
    const { width, height } = this.size;
    this.append({ x0: this.rounded(width * 0.35), y0: this.rounded(height * 0.45), x1: this.rounded(width * 0.65), y1: this.rounded(height * 0.55) });
  }

  append(box) {
    this.focused = this.boxes.length;
    this.save([...this.boxes, { page: this.model.get("page"), ...box }]);
  }

  replace(index, box) {
    const boxes = this.boxes;
    boxes[index] = { page: boxes[index].page, ...box };
    this.focused = index;
    this.save(boxes);
  }

  between(one, other) {
    const { width, height } = this.size;
    const sides = (first, second, whole) => {
      const low = Math.min(first, second), high = Math.max(first, second, low + MIN_SIDE);
      return [this.rounded(Math.min(low, whole - MIN_SIDE)), this.rounded(Math.min(high, whole))];
    };
    const [x0, x1] = sides(one.x, other.x, width), [y0, y1] = sides(one.y, other.y, height);
    return { x0, y0, x1, y1 };
  }

  moved({ x0, y0, x1, y1 }, across, down) {
    const right = clamp(across, -x0, this.size.width - x1), below = clamp(down, -y0, this.size.height - y1);
    return { x0: this.rounded(x0 + right), y0: this.rounded(y0 + below), x1: this.rounded(x1 + right), y1: this.rounded(y1 + below) };
  }

  /** Returns the point of the page, in points from its top left corner, where an event happened. */
  point(event) {
    const area = this.image.getBoundingClientRect(), { width, height } = this.size;
    const x = ((event.clientX - area.left) / area.width) * width, y = ((event.clientY - area.top) / area.height) * height;
    return { x: clamp(x, 0, width), y: clamp(y, 0, height) };
  }

  save(boxes) {
    this.model.set("boxes", boxes);
    this.model.save_changes();
  }
}

export default {
  render({ model, el }) {
    const editor = new PageEditor(model, el);
    return () => editor.stop();
  },
};
