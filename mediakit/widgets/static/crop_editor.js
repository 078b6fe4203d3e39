/* An image with a rectangle that is dragged or moved with the keyboard. See crop_input.py. */

const RATIOS = [
  ["free", "Free"], ["output", "Output size"], ["original", "Original"], ["1:1", "1:1"], ["4:3", "4:3"],
  ["3:2", "3:2"], ["16:9", "16:9"], ["4:5", "4:5"], ["9:16", "9:16"],
];
const HANDLES = { "top left": [0, 0], "top right": [1, 0], "bottom right": [1, 1], "bottom left": [0, 1] };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIN_SIDE = 1;

const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Returns the rectangle of a value such as `10,20,300,200` or `10%,0%,50%,100%`; the whole image for an empty one. */
function parse(value, size) {
  const parts = value.split(",");
  if (parts.length !== 4) return { left: 0, top: 0, width: size.width, height: size.height };
  const pixels = (part, side) => Math.round(part.endsWith("%") ? (parseFloat(part) * side) / 100 : Number(part));
  const [left, top, width, height] = parts.map((part, index) => pixels(part, index % 2 ? size.height : size.width));
  return { left, top, width, height };
}

/** Returns the value of a rectangle; empty for the whole image. */
function format({ left, top, width, height }, size) {
  const isWhole = !left && !top && width === size.width && height === size.height;
  return isWhole ? "" : [left, top, width, height].join(",");
}

/** Returns the rectangle between a fixed corner and another one, inside the image and with the aspect ratio. */
function between(fixed, moved, size, ratio) {
  const right = moved.x >= fixed.x, down = moved.y >= fixed.y;
  const spaceX = right ? size.width - fixed.x : fixed.x, spaceY = down ? size.height - fixed.y : fixed.y;
  let width = clamp(Math.abs(moved.x - fixed.x), MIN_SIDE, spaceX);
  let height = clamp(Math.abs(moved.y - fixed.y), MIN_SIDE, spaceY);
  if (ratio) {
    width = Math.min(Math.max(width, height * ratio), spaceX, spaceY * ratio);
    height = width / ratio;
  }
  width = Math.max(MIN_SIDE, Math.round(width));
  height = Math.max(MIN_SIDE, Math.round(height));
  const left = right ? fixed.x : fixed.x - width, top = down ? fixed.y : fixed.y - height;
  return { left: clamp(left, 0, size.width - width), top: clamp(top, 0, size.height - height), width, height };
}

/** Returns the largest rectangle with an aspect ratio and the center of another one. */
function withRatio(area, size, ratio) {
  const factor = Math.min(size.width / ratio, size.height, Math.max(area.width / ratio, area.height));
  const width = Math.max(MIN_SIDE, Math.round(factor * ratio)), height = Math.max(MIN_SIDE, Math.round(factor));
  const left = Math.round(area.left + (area.width - width) / 2), top = Math.round(area.top + (area.height - height) / 2);
  return { left: clamp(left, 0, size.width - width), top: clamp(top, 0, size.height - height), width, height };
}

class Editor {
  constructor(model, el) {
    this.model = model;
    this.image = element("img", { alt: "", draggable: "false" });
    this.frame = element("div", { class: "mediakit-crop-frame", tabindex: "0", role: "group" });
    this.handles = Object.keys(HANDLES).map((name) => this.handle(name));
    this.frame.append(...this.handles);
    this.shade = element("div", { class: "mediakit-crop-shade" });
    const content = element("div", { class: "mediakit-crop-image" }, this.image, this.shade);
    this.stage = element("div", { class: "mediakit-crop-stage" }, content, this.frame);
    this.numbers = ["left", "top", "width", "height"].map((name) => this.number(name));
    this.ratios = element("select", { "aria-label": "aspect ratio of the crop" });
    for (const [value, text] of RATIOS) this.ratios.append(new Option(text, value));
    this.whole = element("button", { type: "button" }, "Whole image");
    const ratio = element("label", {}, "aspect ratio", this.ratios);
    this.tools = element("div", { class: "mediakit-crop-tools" }, ratio, ...this.numbers.map((input) => input.parentNode), this.whole);
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.stage, this.tools);
    el.append(this.root);
    this.listen();
    this.showImage();
  }

  get size() {
    return { width: this.model.get("image_width"), height: this.model.get("image_height") };
  }

  get ratio() {
    const name = this.model.get("ratio"), { width, height } = this.size;
    if (name === "original") return width / height;
    if (name === "output") {
      const across = this.model.get("output_width"), down = this.model.get("output_height");
      return across && down ? across / down : 0;
    }
    const [across, down] = name.split(":").map(Number);
    return across && down ? across / down : 0;
  }

  handle(name) {
    const button = element("button", { type: "button", "aria-label": `Crop: ${name} corner`, class: "mediakit-crop-handle" });
    const [x, y] = HANDLES[name];
    button.style.left = `${x * 100}%`;
    button.style.top = `${y * 100}%`;
    button.style.cursor = x === y ? "nwse-resize" : "nesw-resize";
    button.addEventListener("pointerdown", (event) => {
      const { left, top, width, height } = this.area;
      const fixed = { x: left + (1 - x) * width, y: top + (1 - y) * height };
      this.drag(event, (at) => between(fixed, at, this.size, this.ratio));
    });
    button.addEventListener("keydown", (event) => {
      const { left, top, width, height } = this.area, fixed = { x: left + (1 - x) * width, y: top + (1 - y) * height };
      const corner = { x: left + x * width, y: top + y * height };
      this.onArrow(event, (across, down) => {
        // With an aspect ratio, the side along the arrow decides.
        const ratio = this.ratio, moved = { x: corner.x + across, y: corner.y + down };
        if (ratio && across) moved.y = fixed.y + (y ? 1 : -1) * Math.abs(moved.x - fixed.x) / ratio;
        if (ratio && down) moved.x = fixed.x + (x ? 1 : -1) * Math.abs(moved.y - fixed.y) * ratio;
        return between(fixed, moved, this.size, ratio);
      });
    });
    return button;
  }

  number(name) {
    const input = element("input", { type: "number", min: name === "width" || name === "height" ? "1" : "0", "aria-label": `crop ${name}` });
    element("label", {}, name, input);
    input.addEventListener("change", () => {
      const area = { ...this.area, [name]: Math.round(Number(input.value)) || 0 }, { width, height } = this.size, ratio = this.ratio;
      if (ratio && name === "width") area.height = Math.round(area.width / ratio);
      if (ratio && name === "height") area.width = Math.round(area.height * ratio);
      area.left = clamp(area.left, 0, width - MIN_SIDE);
      area.top = clamp(area.top, 0, height - MIN_SIDE);
      area.width = clamp(area.width, MIN_SIDE, width - area.left);
      area.height = clamp(area.height, MIN_SIDE, height - area.top);
      this.show(area);
      this.save();
    });
    return input;
  }

  listen() {
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.button || event.target.closest(".mediakit-crop-handle")) return;
      const start = this.point(event), area = this.area, isMove = event.target === this.frame && !this.isWhole;
      this.drag(event, (at) => isMove ? this.moved(area, at.x - start.x, at.y - start.y) : between(start, at, this.size, this.ratio));
    });
    this.frame.addEventListener("keydown", (event) => {
      if (event.target === this.frame) this.onArrow(event, (across, down) => this.moved(this.area, across, down));
    });
    this.ratios.addEventListener("change", () => {
      this.model.set("ratio", this.ratios.value);
      this.model.save_changes();
    });
    this.whole.addEventListener("click", () => {
      this.model.set("ratio", "free");
      this.show({ left: 0, top: 0, ...this.size });
      this.save();
    });
    const observed = {
      "change:image": () => this.showImage(),
      "change:value": () => this.showValue(),
      "change:ratio change:output_width change:output_height": () => this.onRatio(),
    };
    for (const [names, handle] of Object.entries(observed)) this.model.on(names, handle);
    this.stop = () => {
      for (const [names, handle] of Object.entries(observed)) this.model.off(names, handle);
      URL.revokeObjectURL(this.image.src);
    };
  }

  /** Follows the pointer until it is released; `areaAt` returns the rectangle for a point of the image. */
  drag(event, areaAt) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.focus({ preventScroll: true });
    const start = this.area, startX = event.clientX, startY = event.clientY;
    let isMoved = false;
    const onMove = (moved) => {
      isMoved ||= Math.hypot(moved.clientX - startX, moved.clientY - startY) > 3;
      if (isMoved) this.show(areaAt(this.point(moved)));
    };
    const onEnd = (ended) => {
      document.removeEventListener("pointermove", onMove);
      document.removeEventListener("pointerup", onEnd);
      document.removeEventListener("pointercancel", onEnd);
      if (ended.type === "pointercancel") this.show(start);
      else if (isMoved) this.save();
    };
    document.addEventListener("pointermove", onMove);
    document.addEventListener("pointerup", onEnd);
    document.addEventListener("pointercancel", onEnd);
  }

  onArrow(event, change) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const pixels = event.shiftKey ? 10 : 1;
    this.show(change(step[0] * pixels, step[1] * pixels));
    this.save();
  }

  moved(area, across, down) {
    const left = clamp(Math.round(area.left + across), 0, this.size.width - area.width);
    return { ...area, left, top: clamp(Math.round(area.top + down), 0, this.size.height - area.height) };
  }

  /** Returns the point of the image, in its pixels, where an event happened. */
  point(event) {
    const box = this.image.getBoundingClientRect(), { width, height } = this.size;
    const x = ((event.clientX - box.left) / box.width) * width, y = ((event.clientY - box.top) / box.height) * height;
    return { x: clamp(Math.round(x), 0, width), y: clamp(Math.round(y), 0, height) };
  }

  get isWhole() {
    return !format(this.area, this.size);
  }

  showImage() {
    const content = this.model.get("image"), isEmpty = !content?.byteLength;
    URL.revokeObjectURL(this.image.src);
    this.root.hidden = isEmpty;
    if (isEmpty) return this.image.removeAttribute("src");
    this.image.src = URL.createObjectURL(new Blob([content], { type: "image/webp" }));
    this.showValue();
    this.showRatio();
  }

  showValue() {
    this.show(parse(this.model.get("value"), this.size));
  }

  showRatio() {
    this.ratios.value = this.model.get("ratio");
    this.ratios.querySelector("[value=output]").disabled = !(this.model.get("output_width") && this.model.get("output_height"));
  }

  onRatio() {
    this.showRatio();
    this.applyRatio();
    this.model.save_changes();
  }

  applyRatio() {
    const ratio = this.ratio;
    if (!ratio || !this.size.width) return;
    this.show(withRatio(this.area, this.size, ratio));
    this.model.set("value", format(this.area, this.size));
  }

  /** Draws a rectangle. */
  show(area) {
    this.area = area;
    const { width, height } = this.size;
    if (!width) return;
    const percent = (part, whole) => `${(100 * part) / whole}%`;
    for (const layer of [this.frame, this.shade]) {
      Object.assign(layer.style, {
        left: percent(area.left, width), top: percent(area.top, height),
        width: percent(area.width, width), height: percent(area.height, height),
      });
    }
    this.numbers.forEach((input, index) => { input.value = [area.left, area.top, area.width, area.height][index]; });
    const help = "Arrow keys move it; with Shift by 10 pixels. The corners resize it.";
    this.frame.setAttribute("aria-label", `Crop: ${area.width} × ${area.height} pixels at ${area.left}, ${area.top}. ${help}`);
    this.whole.disabled = this.isWhole;
  }

  save() {
    this.model.set("value", format(this.area, this.size));
    this.model.save_changes();
  }
}

export default {
  render({ model, el }) {
    const editor = new Editor(model, el);
    return () => editor.stop();
  },
};
