/* An image with modes: a crop, boxes, one of nine positions, a mark, or a divider between two images. See canvas.py. */

const POSITIONS = ["left top", "top", "right top", "left", "center", "right", "left bottom", "bottom", "right bottom"];
const CORNERS = { "top left": [0, 0], "top right": [1, 0], "bottom right": [1, 1], "bottom left": [0, 1] };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const RATIOS = [
  ["free", "Free"], ["output", "Output size"], ["original", "Original"], ["1:1", "1:1"], ["4:3", "4:3"],
  ["3:2", "3:2"], ["16:9", "16:9"], ["4:5", "4:5"], ["9:16", "9:16"],
];
const QUARTER = 90;

const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** Calls `onStep` with the steps of an arrow key, ten times as many with Shift. The notebook does not get the key. */
function onArrow(event, onStep) {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  onStep(...step.map((part) => part * (event.shiftKey ? 10 : 1)));
}

/** Follows a pointer, which does nothing else. */
function drag(event, onMove, onEnd) {
  if (event.button) return;
  event.preventDefault();
  event.stopPropagation();
  follow(event, onMove, onEnd);
}

/** The image, and what all modes share. Coordinates are in the unit of `width` and `height`. */
class Canvas extends View {
  minSide = 1;
  urls = {};

  constructor(model, el) {
    super(model, el);
    this.image = element("img", { alt: "", draggable: "false" });
    this.layer = element("div", { class: "mediakit-canvas-layer" });
    this.stage = element("div", { class: `mediakit-canvas mediakit-canvas-${model.get("mode")}` }, this.image, this.layer);
    this.root.append(this.stage);
  }

  stop() {
    super.stop();
    for (const url of Object.values(this.urls)) freeUrl(url);
  }

  get size() {
    return { width: this.model.get("width") || 1, height: this.model.get("height") || 1 };
  }

  /** The aspect ratio of boxes; 0 for any. */
  get ratio() {
    return 0;
  }

  /** Returns the URL of an image of the model; empty if there is none. */
  load(name) {
    freeUrl(this.urls[name]);
    this.urls[name] = imageUrl(this.model.get(name));
    return this.urls[name];
  }

  showImage() {
    const url = this.load("image");
    this.root.hidden = !url;
    if (!url) return this.image.removeAttribute("src");
    this.image.src = url;
    return this.show();
  }

  place(node, { x0, y0, x1, y1 }) {
    const { width, height } = this.size, percent = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(node.style, { left: percent(x0, width), top: percent(y0, height), width: percent(x1 - x0, width), height: percent(y1 - y0, height) });
  }

  /** Returns the point of the image where an event happened. */
  point(event) {
    const area = this.image.getBoundingClientRect(), { width, height } = this.size;
    const x = ((event.clientX - area.left) / area.width) * width, y = ((event.clientY - area.top) / area.height) * height;
    return { x: clamp(x, 0, width), y: clamp(y, 0, height) };
  }

  rounded(value) {
    return Math.round(value);
  }

  /** Returns the box between a fixed corner and another point, inside the image and with the aspect ratio. */
  between(fixed, at) {
    const whole = this.size, isRight = at.x >= fixed.x, isBelow = at.y >= fixed.y;
    const spaceX = isRight ? whole.width - fixed.x : fixed.x, spaceY = isBelow ? whole.height - fixed.y : fixed.y;
    let width = clamp(Math.abs(at.x - fixed.x), this.minSide, spaceX), height = clamp(Math.abs(at.y - fixed.y), this.minSide, spaceY);
    if (this.ratio) {
      width = Math.min(Math.max(width, height * this.ratio), spaceX, spaceY * this.ratio);
      height = width / this.ratio;
    }
    width = Math.max(this.minSide, this.rounded(width));
    height = Math.max(this.minSide, this.rounded(height));
    const x0 = clamp(this.rounded(isRight ? fixed.x : fixed.x - width), 0, whole.width - width);
    const y0 = clamp(this.rounded(isBelow ? fixed.y : fixed.y - height), 0, whole.height - height);
    return { x0, y0, x1: this.rounded(x0 + width), y1: this.rounded(y0 + height) };
  }

  moved({ x0, y0, x1, y1 }, across, down) {
    const right = clamp(across, -x0, this.size.width - x1), below = clamp(down, -y0, this.size.height - y1);
    return { x0: this.rounded(x0 + right), y0: this.rounded(y0 + below), x1: this.rounded(x1 + right), y1: this.rounded(y1 + below) };
  }

  /** Makes a box movable, and resizable at its corners: with the pointer, and with the arrow keys. */
  makeMovable(node, name, read, preview, save) {
    const change = (event, boxAt) => {
      let box = null;
      const before = read();
      node.contains(document.activeElement) || node.focus({ preventScroll: true });
      drag(event, (moved) => preview(box = boxAt(this.point(moved))), (isDone) => (isDone && box ? save(box) : preview(before)));
    };
    node.addEventListener("pointerdown", (event) => {
      const start = this.point(event), box = read();
      change(event, (at) => this.moved(box, at.x - start.x, at.y - start.y));
    });
    node.addEventListener("keydown", (event) => event.target === node && onArrow(event, (across, down) => save(this.moved(read(), across, down))));
    for (const [corner, [right, bottom]] of Object.entries(CORNERS)) {
      const handle = element("button", { type: "button", "aria-label": `${name}: ${corner} corner`, class: "mediakit-canvas-handle", "data-corner": corner });
      Object.assign(handle.style, { left: `${right * 100}%`, top: `${bottom * 100}%`, cursor: right === bottom ? "nwse-resize" : "nesw-resize" });
      const fixed = ({ x0, y0, x1, y1 }) => ({ x: right ? x0 : x1, y: bottom ? y0 : y1 });
      handle.addEventListener("pointerdown", (event) => {
        const start = fixed(read());
        change(event, (at) => this.between(start, at));
      });
      handle.addEventListener("keydown", (event) => onArrow(event, (across, down) => {
        // With an aspect ratio, the side along the arrow decides.
        const box = read(), start = fixed(box);
        const at = { x: (right ? box.x1 : box.x0) + across, y: (bottom ? box.y1 : box.y0) + down };
        if (this.ratio && across) at.y = start.y + ((bottom ? 1 : -1) * Math.abs(at.x - start.x)) / this.ratio;
        if (this.ratio && down) at.x = start.x + (right ? 1 : -1) * Math.abs(at.y - start.y) * this.ratio;
        save(this.between(start, at));
      }));
      node.append(handle);
    }
  }

  /** Draws a new box with the pointer. */
  draw(event, preview, save) {
    const start = this.point(event);
    let box = null;
    drag(event, (moved) => preview(box = this.between(start, this.point(moved))), (isDone) => save(isDone ? box : null));
  }
}

/** A rectangle; `value` is the crop as the field takes it, empty for the whole image. */
class Crop extends Canvas {
  constructor(model, el) {
    super(model, el);
    this.frame = element("div", { class: "mediakit-canvas-frame", tabindex: "0", role: "group" });
    this.shade = element("div", { class: "mediakit-canvas-shade" });
    const shaded = element("div", { class: "mediakit-canvas-shaded" }, this.shade);
    this.image.before(shaded);
    shaded.prepend(this.image);
    this.layer.append(this.frame);
    this.makeMovable(this.frame, "Crop", () => this.area, (box) => this.showArea(box), (box) => this.saveArea(box));
    this.frame.addEventListener("pointerdown", (event) => {
      if (!this.isWhole || event.target.closest("button")) return;
      event.stopImmediatePropagation(); // the whole image is not moved
      this.start(event);
    }, true);
    this.stage.addEventListener("pointerdown", (event) => this.start(event));
    this.numbers = ["left", "top", "width", "height"].map((name) => this.number(name));
    this.ratios = element("select", { "aria-label": "aspect ratio of the crop" }, ...RATIOS.map(([value, text]) => new Option(text, value)));
    this.ratios.addEventListener("change", () => this.save({ ratio: this.ratios.value }));
    this.whole = button("Whole image", "Whole image", () => this.save({ ratio: "free", value: "" }));
    const labels = [["aspect ratio", this.ratios], ...this.numbers.map((input) => [input.dataset.name, input])];
    this.root.append(element("div", { class: "mediakit-crop-tools" }, ...labels.map((parts) => element("label", {}, ...parts)), this.whole));
    this.observe({ image: () => this.showImage(), value: () => this.show(), "ratio output_width output_height": () => this.applyRatio() });
  }

  start(event) {
    this.draw(event, (box) => this.showArea(box), (box) => (box ? this.saveArea(box) : this.show()));
  }

  get ratio() {
    const name = this.model.get("ratio");
    const named = { original: [this.size.width, this.size.height], output: [this.model.get("output_width"), this.model.get("output_height")] };
    const [across, down] = named[name] ?? name.split(":").map(Number);
    return across && down ? across / down : 0;
  }

  get isWhole() {
    const { x0, y0, x1, y1 } = this.area, { width, height } = this.size;
    return !x0 && !y0 && x1 === width && y1 === height;
  }

  number(name) {
    const isSide = name === "width" || name === "height";
    const input = element("input", { type: "number", min: isSide ? "1" : "0", "aria-label": `crop ${name}`, "data-name": name });
    input.addEventListener("change", () => {
      const [left, top, ...sides] = this.numbers.map((each) => Math.round(Number(each.value)) || 0), ratio = this.ratio, { width, height } = this.size;
      if (ratio && name === "width") sides[1] = Math.round(sides[0] / ratio);
      if (ratio && name === "height") sides[0] = Math.round(sides[1] * ratio);
      const x0 = clamp(left, 0, width - 1), y0 = clamp(top, 0, height - 1);
      this.saveArea({ x0, y0, x1: x0 + clamp(sides[0], 1, width - x0), y1: y0 + clamp(sides[1], 1, height - y0) });
    });
    return input;
  }

  show() {
    if (!this.model.get("width")) return;
    const sides = [this.size.width, this.size.height], parts = this.model.get("value").split(",");
    const pixels = (part, side) => Math.round(part.endsWith("%") ? (parseFloat(part) * side) / 100 : Number(part));
    const [left, top, width, height] = parts.length === 4 ? parts.map((part, index) => pixels(part, sides[index % 2])) : [0, 0, ...sides];
    this.showArea({ x0: left, y0: top, x1: left + width, y1: top + height });
  }

  showArea(area) {
    this.area = area;
    for (const node of [this.frame, this.shade]) this.place(node, area);
    const shown = [area.x0, area.y0, area.x1 - area.x0, area.y1 - area.y0];
    this.numbers.forEach((input, index) => { input.value = shown[index]; });
    const help = "Arrow keys move it; with Shift by 10 pixels. The corners resize it.";
    this.frame.setAttribute("aria-label", `Crop: ${shown[2]} × ${shown[3]} pixels at ${shown[0]}, ${shown[1]}. ${help}`);
    this.whole.disabled = this.isWhole;
  }

  saveArea(area) {
    this.showArea(area);
    this.save({ value: this.isWhole ? "" : [area.x0, area.y0, area.x1 - area.x0, area.y1 - area.y0].join(",") });
  }

  /** Shows the largest rectangle with the aspect ratio and the center of the current one. */
  applyRatio() {
    this.ratios.value = this.model.get("ratio");
    this.ratios.querySelector("[value=output]").disabled = !(this.model.get("output_width") && this.model.get("output_height"));
    const ratio = this.ratio, { width, height } = this.size;
    if (!ratio || !this.area || !this.model.get("width")) return;
    const { x0, y0, x1, y1 } = this.area;
    const factor = Math.min(width / ratio, height, Math.max((x1 - x0) / ratio, y1 - y0));
    const across = Math.max(1, Math.round(factor * ratio)), down = Math.max(1, Math.round(factor));
    const left = clamp(Math.round((x0 + x1 - across) / 2), 0, width - across), top = clamp(Math.round((y0 + y1 - down) / 2), 0, height - down);
    this.saveArea({ x0: left, y0: top, x1: left + across, y1: top + down });
  }
}

/** The pages of a PDF, or one image. */
class Pages extends Canvas {
  constructor(model, el) {
    super(model, el);
    this.previous = button("‹", "Previous page", () => this.turn(-1));
    this.next = button("›", "Next page", () => this.turn(1));
    this.number = element("span", { "aria-live": "polite" });
    this.pager = element("span", { class: "mediakit-page-pager" }, this.previous, this.number, this.next);
    this.foot = element("div", { class: "mediakit-page-foot" }, this.pager);
    this.root.append(this.foot);
  }

  turn(step) {
    this.save({ page: clamp(this.model.get("page") + step, 1, this.model.get("count")) });
    this.show();
  }

  show() {
    const page = this.model.get("page"), count = this.model.get("count");
    this.number.textContent = `Page ${page} of ${count}`;
    this.previous.disabled = page <= 1;
    this.next.disabled = page >= count;
    this.pager.hidden = count < 2;
  }
}

class Boxes extends Pages {
  minSide = 2;

  constructor(model, el) {
    super(model, el);
    this.status = element("span", { class: "mediakit-page-status" });
    this.clear = button("Remove all boxes", "Remove all boxes", () => this.save({ value: [] }));
    this.foot.append(this.status, button("Add a box", "Add a box", () => this.addBox()), this.clear);
    this.stage.addEventListener("pointerdown", (event) => {
      const node = element("div", { class: "mediakit-box" });
      this.draw(event, (box) => { this.layer.append(node); this.place(node, box); }, (box) => { node.remove(); if (box) this.append(box); });
    });
    this.observe({ image: () => this.showImage(), "count value": () => this.show() });
  }

  /** Rounds to tenths of points, or to whole pixels. */
  rounded(value) {
    return this.model.get("unit") === "pixels" ? Math.round(value) : Math.round(value * 10) / 10;
  }

  show() {
    super.show();
    const boxes = this.model.get("value"), page = this.model.get("page"), active = document.activeElement;
    const focused = this.focused ?? Number(active?.closest?.(".mediakit-box")?.dataset.index ?? -1), corner = active?.dataset?.corner;
    this.focused = undefined;
    const shown = boxes.map((box, index) => box.page === page && this.box(box, index)).filter(Boolean);
    this.layer.replaceChildren(...shown);
    this.clear.hidden = !boxes.length;
    this.status.textContent = boxes.length ? `${boxes.length} ${boxes.length === 1 ? "box" : "boxes"}` : `Drag on the ${this.model.get("surface")} to draw a box.`;
    const node = shown.find((each) => Number(each.dataset.index) === focused);
    (node?.querySelector(`[data-corner="${corner}"]`) ?? node)?.focus({ preventScroll: true });
  }

  box(box, index) {
    const unit = this.model.get("unit"), sides = [box.x1 - box.x0, box.y1 - box.y0].map((side) => this.rounded(side));
    const help = `Arrow keys move it; with Shift by 10 ${unit}. The corners resize it. Delete removes it.`;
    const label = `Box ${index + 1}: ${sides.join(" by ")} ${unit}. ${help}`;
    const node = element("div", { class: "mediakit-box", tabindex: "0", role: "group", "data-index": index, "aria-label": label });
    this.place(node, box);
    this.makeMovable(node, `Box ${index + 1}`, () => box, (at) => this.place(node, at), (at) => this.replace(index, at));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      event.stopPropagation();
      this.save({ value: this.model.get("value").filter((_, other) => other !== index) });
    });
    return node;
  }

  addBox() {
    const { width, height } = this.size, at = (share, whole) => this.rounded(share * whole);
    this.append({ x0: at(0.35, width), y0: at(0.45, height), x1: at(0.65, width), y1: at(0.55, height) });
  }

  append(box) {
    this.focused = this.model.get("value").length;
    this.save({ value: [...this.model.get("value"), { page: this.model.get("page"), ...box }] });
  }

  replace(index, box) {
    this.focused = index;
    this.save({ value: this.model.get("value").map((each, other) => (other === index ? { page: each.page, ...box } : each)) });
  }
}

class Position extends Pages {
  constructor(model, el) {
    super(model, el);
    this.layer.append(...POSITIONS.map((position) => Object.assign(button("", position, () => this.save({ position })), { title: position })));
    this.observe({ image: () => this.showImage(), "count position": () => this.show() });
  }

  show() {
    super.show();
    const words = (text) => text.split(" ").sort().join(" "), chosen = words(this.model.get("position"));
    for (const each of this.layer.children) each.setAttribute("aria-pressed", String(words(each.title) === chosen));
  }
}

/** A mark that is dragged to one of nine positions, scaled and rotated. It is a part of the image with the mark. */
class Mark extends Canvas {
  constructor(model, el) {
    super(model, el);
    this.targets = element("div", { class: "mediakit-mark-targets", "aria-hidden": "true" });
    this.mark = element("button", { type: "button", class: "mediakit-mark", "aria-label": "Mark" });
    this.turner = element("button", { type: "button", class: "mediakit-canvas-handle mediakit-mark-turner", title: "Rotate the mark" });
    this.layer.append(this.targets, this.mark, this.turner);
    this.range = element("input", { type: "range", min: "1", max: "100", step: "1", "aria-label": "Size of the mark in percent" });
    this.output = element("output", { "aria-hidden": "true" });
    this.help = element("div", { class: "mediakit-page-foot" });
    this.root.append(this.help, element("label", { class: "mediakit-mark-size" }, "Size", this.range, this.output));
    this.mark.addEventListener("pointerdown", (event) => this.drag(event));
    this.mark.addEventListener("keydown", (event) => onArrow(event, (across, down) => this.step(across, down)));
    this.turner.addEventListener("pointerdown", (event) => this.turn(event));
    this.turner.addEventListener("keydown", (event) => onArrow(event, (across, down) => this.saveAngle(this.model.get("rotate") + across + down)));
    this.range.addEventListener("input", () => this.update({ size_pct: Number(this.range.value) }));
    this.range.addEventListener("keydown", (event) => onArrow(event, (across, down) => this.update({ size_pct: clamp(Math.round(this.model.get("size_pct")) + across - down, 1, 100) })));
    const loads = Object.fromEntries(["image", "marked"].map((name) => [name, () => { this.load(name); this.show(); }]));
    this.observe({ ...loads, "position size_pct rotate box box_size_pct margin is_tiled width height": () => this.show() });
  }

  update(values) {
    this.save(values);
    this.show();
  }

  /** Returns the box of the mark at a position, scaled from that of the last result. */
  boxAt(position) {
    const words = position.split(" "), margin = this.model.get("margin"), [, , width, height] = this.model.get("box"), whole = this.size;
    const scale = Math.min(this.model.get("size_pct") / this.model.get("box_size_pct"), whole.width / width, whole.height / height);
    const starts = [["left", "right", whole.width - width * scale], ["top", "bottom", whole.height - height * scale]].map(([start, end, free]) => {
      if (words.includes(start)) return clamp(margin, 0, free);
      return words.includes(end) ? clamp(free - margin, 0, free) : free / 2;
    });
    return { x0: starts[0], y0: starts[1], x1: starts[0] + width * scale, y1: starts[1] + height * scale };
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
    this.mark.hidden = this.turner.hidden = !hasMark;
    this.targets.hidden = true;
    this.help.textContent = isTiled ? "The mark is repeated: the position is not used." : hasMark ? "Drag the mark, or move it with the arrow keys. The round handle rotates it." : "Enter a text or choose a logo.";
    if (!hasMark || this.isDragged) return;
    const position = this.model.get("position");
    this.mark.setAttribute("aria-label", `Mark: ${position}. Arrow keys move it.`);
    this.turner.setAttribute("aria-label", `Rotation: ${this.model.get("rotate")} degrees. Arrow keys change it.`);
    this.mark.style.transform = "";
    this.placeMark(this.boxAt(position));
    this.fillMark();
  }

  placeMark(box) {
    this.place(this.mark, box);
    this.place(this.turner, { x0: (box.x0 + box.x1) / 2, y0: box.y0, x1: box.x1, y1: box.y1 });
    this.turner.style.width = this.turner.style.height = "";
  }

  /** Shows the part of the result with the mark. */
  fillMark() {
    const box = this.model.get("box"), sides = [this.size.width, this.size.height];
    const each = (value) => [0, 1].map((axis) => `${100 * value(axis)}%`).join(" ");
    Object.assign(this.mark.style, {
      backgroundImage: `url("${this.urls.marked}")`,
      backgroundSize: each((axis) => sides[axis] / box[axis + 2]),
      backgroundPosition: each((axis) => box[axis] / (sides[axis] - box[axis + 2] || 1)),
    });
  }

  drag(event) {
    this.mark.focus({ preventScroll: true });
    const start = this.point(event), box = this.boxAt(this.model.get("position"));
    let nearest = null;
    drag(event, (moved) => {
      this.isDragged = true;
      const at = this.point(moved), there = this.moved(box, at.x - start.x, at.y - start.y);
      const distance = (position) => Math.hypot(this.boxAt(position).x0 - there.x0, this.boxAt(position).y0 - there.y0);
      nearest = POSITIONS.reduce((best, position) => (distance(position) < distance(best) ? position : best));
      this.placeMark(there);
      this.showTargets(nearest);
    }, (isDone) => {
      this.isDragged = false;
      if (isDone && nearest) this.update({ position: nearest });
      else this.show();
    });
  }

  showTargets(nearest) {
    this.targets.hidden = false;
    this.targets.replaceChildren(...POSITIONS.map((position) => {
      const target = element("div", position === nearest ? { class: "mediakit-mark-nearest" } : {});
      this.place(target, this.boxAt(position));
      return target;
    }));
  }

  step(across, down) {
    const index = POSITIONS.indexOf(this.model.get("position"));
    const column = clamp((index % 3) + Math.sign(across), 0, 2), row = clamp(Math.floor(index / 3) + Math.sign(down), 0, 2);
    this.update({ position: POSITIONS[row * 3 + column] });
  }

  /** Rotates the mark so that the handle follows the pointer. */
  turn(event) {
    this.turner.focus({ preventScroll: true });
    const area = this.mark.getBoundingClientRect(), center = [area.left + area.width / 2, area.top + area.height / 2];
    const angleOf = (at) => (Math.atan2(at.clientY - center[1], at.clientX - center[0]) * 180) / Math.PI + QUARTER;
    const start = angleOf(event), before = this.model.get("rotate");
    let angle = before;
    drag(event, (moved) => {
      this.isDragged = true;
      angle = before + angleOf(moved) - start;
      this.mark.style.transform = `rotate(${angle - before}deg)`;
    }, (isDone) => {
      this.isDragged = false;
      if (isDone) this.saveAngle(angle);
      else this.show();
    });
  }

  /** Saves an angle as whole degrees from -180 to 180. */
  saveAngle(angle) {
    this.update({ rotate: ((((Math.round(angle) + 180) % 360) + 360) % 360) - 180 });
  }
}

/** Two images on top of each other with a divider. Regions that differ are outlined. */
class Divider extends Canvas {
  constructor(model, el) {
    super(model, el);
    this.after = element("img", { alt: "", draggable: "false" });
    this.clip = element("div", { class: "mediakit-compare-clip" }, this.image);
    this.outlines = element("div", { class: "mediakit-canvas-layer" });
    this.labels = { before: element("span"), after: element("span") };
    this.range = element("input", { type: "range", min: "0", max: "100", step: "0.5", value: "50", "aria-label": "Divider between before and after" });
    const labels = element("div", { class: "mediakit-compare-labels", "aria-hidden": "true" }, ...Object.values(this.labels));
    this.stage.replaceChildren(this.after, this.clip, this.outlines, labels, this.range, element("div", { class: "mediakit-compare-divider" }));
    this.check = element("input", { type: "checkbox" });
    this.check.checked = true;
    this.count = element("span");
    this.switch = element("label", {}, this.check, this.count);
    this.root.append(element("div", { class: "mediakit-page-foot" }, element("span", { class: "mediakit-page-status" }, "Drag the divider, or move it with the arrow keys."), this.switch));
    this.range.addEventListener("input", () => this.showDivider());
    this.range.addEventListener("keydown", (event) => onArrow(event, (across, down) => {
      this.range.value = Number(this.range.value) + across - down;
      this.showDivider();
    }));
    this.check.addEventListener("change", () => { this.outlines.hidden = !this.check.checked; });
    this.observe({
      "before after": () => this.showImages(),
      "before_name after_name": () => this.showNames(),
      "width height before_box after_box": () => this.placeImages(),
      regions: () => this.showRegions(),
    });
    this.showDivider();
  }

  showImages() {
    const urls = [this.load("before"), this.load("after")];
    this.root.hidden = !urls.every(Boolean);
    [this.image, this.after].forEach((image, index) => (this.root.hidden ? image.removeAttribute("src") : image.setAttribute("src", urls[index])));
  }

  showNames() {
    for (const [side, label] of Object.entries(this.labels)) {
      const name = this.model.get(`${side}_name`);
      label.textContent = name ? `${side}: ${name}` : side;
    }
  }

  placeImages() {
    const { width, height } = this.size;
    this.stage.style.aspectRatio = `${width} / ${height}`;
    this.stage.style.setProperty("--mediakit-compare-ratio", width / height);
    this.placeArea(this.image, this.model.get("before_box"));
    this.placeArea(this.after, this.model.get("after_box"));
  }

  placeArea(node, [left = 0, top = 0, across = 0, down = 0]) {
    this.place(node, { x0: left, y0: top, x1: left + across, y1: top + down });
  }

  showRegions() {
    const regions = this.model.get("regions"), isOne = regions.length === 1;
    this.outlines.replaceChildren(...regions.map((area) => {
      const outline = element("div", { class: "mediakit-compare-region" });
      this.placeArea(outline, area);
      return outline;
    }));
    this.count.textContent = `Outline ${regions.length} ${isOne ? "region" : "regions"} that ${isOne ? "differs" : "differ"}`;
    this.switch.hidden = !regions.length;
  }

  showDivider() {
    const share = Number(this.range.value);
    this.stage.style.setProperty("--mediakit-compare-at", `${share}%`);
    this.range.setAttribute("aria-valuetext", `${share} % before, ${100 - share} % after`);
  }
}

const MODES = { crop: Crop, boxes: Boxes, position: Position, mark: Mark, divider: Divider };

export default viewOf((model, el) => new MODES[model.get("mode")](model, el));
