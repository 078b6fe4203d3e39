/* An image with a mark to drag to one of nine positions, and a slider for its size. See mark_editor.py. */

const POSITIONS = ["left top", "top", "right top", "left", "center", "right", "left bottom", "bottom", "right bottom"];
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SIZE_STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class MarkEditor {
  constructor(model, el) {
    this.model = model;
    this.urls = { image: "", marked: "" };
    this.image = element("img", { alt: "", draggable: "false" });
    this.targets = element("div", { class: "mediakit-mark-targets", "aria-hidden": "true" });
    this.mark = element("button", { type: "button", class: "mediakit-mark", "aria-label": "Mark" });
    this.stage = element("div", { class: "mediakit-mark-stage" }, this.image, this.targets, this.mark);
    this.range = element("input", { type: "range", min: "1", max: "100", step: "1", "aria-label": "Size of the mark in percent" });
    this.output = element("output", { "aria-hidden": "true" });
    this.help = element("div", { class: "mediakit-mark-help" });
    const foot = element("label", { class: "mediakit-mark-size" }, "Size", this.range, this.output);
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.stage, this.help, foot);
    el.append(this.root);
    this.mark.addEventListener("pointerdown", (event) => this.drag(event));
    this.mark.addEventListener("keydown", (event) => this.onArrow(event));
    this.range.addEventListener("input", () => this.save("size_pct", Number(this.range.value)));
    this.range.addEventListener("keydown", (event) => this.onSizeKey(event));
    this.observed = {
      "change:image": () => this.load("image"),
      "change:marked": () => this.load("marked"),
      "change:position change:size_pct change:box change:box_size_pct change:margin change:is_tiled change:width change:height": () => this.show(),
    };
    for (const [names, handle] of Object.entries(this.observed)) model.on(names, handle);
    for (const handle of Object.values(this.observed)) handle();
  }

  stop() {
    for (const [names, handle] of Object.entries(this.observed)) this.model.off(names, handle);
    for (const url of Object.values(this.urls)) URL.revokeObjectURL(url);
  }

  load(name) {
    const content = this.model.get(name);
    URL.revokeObjectURL(this.urls[name]);
    this.urls[name] = content?.byteLength ? URL.createObjectURL(new Blob([content], { type: "image/webp" })) : "";
    this.show();
  }

  save(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
    this.show();
  }

  get size() {
    return [this.model.get("width") || 1, this.model.get("height") || 1];
  }

  /** Returns width and height of the mark, scaled from those of the last result. */
  get markSize() {
    const [, , width, height] = this.model.get("box");
    const scale = this.model.get("size_pct") / this.model.get("box_size_pct");
    const fitted = Math.min(scale, this.size[0] / width, this.size[1] / height);
    return [width * fitted, height * fitted];
  }

  /** Returns left and top of the mark at a position. */
  corner(position) {
    const words = position.split(" "), margin = this.model.get("margin");
    return [["left", "right"], ["top", "bottom"]].map(([start, end], axis) => {
      const free = this.size[axis] - this.markSize[axis];
      if (words.includes(start)) return clamp(margin, 0, free);
      return words.includes(end) ? clamp(free - margin, 0, free) : free / 2;
    });
  }

  show() {
    const isTiled = this.model.get("is_tiled"), hasMark = this.model.get("box").length === 4 && !!this.urls.marked;
    const shown = isTiled && this.urls.marked ? this.urls.marked : this.urls.image;
    this.root.hidden = !shown;
    if (!shown) return this.image.removeAttribute("src");
    if (this.image.src !== shown) this.image.src = shown;
    const percent = Math.round(this.model.get("size_pct") * 10) / 10;
    this.range.value = percent;
    this.range.setAttribute("aria-valuetext", `${percent} %`);
    this.output.textContent = `${percent} %`;
    this.mark.hidden = !hasMark;
    this.targets.hidden = true;
    this.help.textContent = isTiled ? "The mark is repeated: the position is not used." : hasMark ? "Drag the mark, or move it with the arrow keys." : "Enter a text or choose a logo.";
    if (!hasMark || this.isDragged) return;
    const position = this.model.get("position");
    this.mark.setAttribute("aria-label", `Mark: ${position}. Arrow keys move it.`);
    this.place(this.mark, this.corner(position));
    this.fillMark();
  }

  /** Shows the part of the result with the mark. */
  fillMark() {
    const box = this.model.get("box");
    const at = [0, 1].map((axis) => (100 * box[axis]) / (this.size[axis] - box[axis + 2] || 1));
    Object.assign(this.mark.style, {
      backgroundImage: `url("${this.urls.marked}")`,
      backgroundSize: [0, 1].map((axis) => `${(100 * this.size[axis]) / box[axis + 2]}%`).join(" "),
      backgroundPosition: at.map((share) => `${share}%`).join(" "),
    });
  }

  place(node, [left, top]) {
    const [width, height] = this.size, [across, down] = this.markSize;
    Object.assign(node.style, {
      left: `${(100 * left) / width}%`, top: `${(100 * top) / height}%`,
      width: `${(100 * across) / width}%`, height: `${(100 * down) / height}%`,
    });
  }

  drag(event) {
    if (event.button) return;
    event.preventDefault();
    this.mark.focus({ preventScroll: true });
    const start = this.corner(this.model.get("position")), area = this.stage.getBoundingClientRect();
    let nearest = null;
    const move = (moved) => {
      this.isDragged = true;
      const at = [(moved.clientX - event.clientX) / area.width, (moved.clientY - event.clientY) / area.height]
        .map((share, axis) => clamp(start[axis] + share * this.size[axis], 0, this.size[axis] - this.markSize[axis]));
      nearest = this.nearest(at);
      this.place(this.mark, at);
      this.showTargets(nearest);
    };
    const end = (ended) => {
      for (const [name, handle] of Object.entries(listeners)) document.removeEventListener(name, handle);
      this.isDragged = false;
      if (nearest && ended.type === "pointerup") this.save("position", nearest);
      else this.show();
    };
    const listeners = { pointermove: move, pointerup: end, pointercancel: end };
    for (const [name, handle] of Object.entries(listeners)) document.addEventListener(name, handle);
  }

  nearest(at) {
    const distance = (position) => {
      const [left, top] = this.corner(position);
      return Math.hypot(left - at[0], top - at[1]);
    };
    return POSITIONS.reduce((best, position) => (distance(position) < distance(best) ? position : best));
  }

  showTargets(nearest) {
    this.targets.hidden = false;
    this.targets.replaceChildren(...POSITIONS.map((position) => {
      const target = element("div", position === nearest ? { class: "mediakit-mark-nearest" } : {});
      this.place(target, this.corner(position));
      return target;
    }));
  }

  onArrow(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const index = POSITIONS.indexOf(this.model.get("position"));
    const column = clamp((index % 3) + step[0], 0, 2), row = clamp(Math.floor(index / 3) + step[1], 0, 2);
    this.save("position", POSITIONS[row * 3 + column]);
  }

  /** Changes the size with an arrow key, which the notebook would take otherwise. */
  onSizeKey(event) {
    const step = SIZE_STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.save("size_pct", clamp(Math.round(this.model.get("size_pct")) + step * (event.shiftKey ? 10 : 1), 1, 100));
  }
}

export default {
  render({ model, el }) {
    const editor = new MarkEditor(model, el);
    return () => editor.stop();
  },
};
