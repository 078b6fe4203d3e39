/* Two images on top of each other with a divider to drag. See slider.py. */

const START = 50;
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class Slider {
  constructor(model, el) {
    this.model = model;
    this.images = { before: this.newImage(), after: this.newImage() };
    this.clip = element("div", { class: "mediakit-compare-clip" }, this.images.before);
    this.outlines = element("div", { class: "mediakit-compare-outlines" });
    this.labels = { before: element("span"), after: element("span") };
    const labels = element("div", { class: "mediakit-compare-labels", "aria-hidden": "true" }, this.labels.before, this.labels.after);
    this.divider = element("div", { class: "mediakit-compare-divider" });
    this.range = element("input", { type: "range", min: "0", max: "100", step: "0.5", "aria-label": "Divider between before and after" });
    this.range.value = START;
    this.stage = element("div", { class: "mediakit-compare-stage" }, this.images.after, this.clip, this.outlines, labels, this.range, this.divider);
    this.check = element("input", { type: "checkbox" });
    this.check.checked = true;
    this.count = element("span");
    this.switch = element("label", {}, this.check, this.count);
    const foot = element("div", { class: "mediakit-compare-foot" }, element("span", {}, "Drag the divider, or move it with the arrow keys."), this.switch);
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" }, this.stage, foot);
    el.append(this.root);
    this.range.addEventListener("input", () => this.showDivider());
    this.range.addEventListener("keydown", (event) => this.onArrow(event));
    this.check.addEventListener("change", () => { this.outlines.hidden = !this.check.checked; });
    this.observed = {
      "change:before change:after": () => this.showImages(),
      "change:before_name change:after_name": () => this.showNames(),
      "change:width change:height change:before_box change:after_box": () => this.place(),
      "change:regions": () => this.showRegions(),
    };
    for (const [names, handle] of Object.entries(this.observed)) model.on(names, handle);
    for (const handle of Object.values(this.observed)) handle();
    this.showDivider();
  }

  stop() {
    for (const [names, handle] of Object.entries(this.observed)) this.model.off(names, handle);
    for (const image of Object.values(this.images)) URL.revokeObjectURL(image.src);
  }

  newImage() {
    return element("img", { alt: "", draggable: "false" });
  }

  get size() {
    return { width: this.model.get("width") || 1, height: this.model.get("height") || 1 };
  }

  showImages() {
    const sides = Object.keys(this.images);
    this.root.hidden = sides.some((side) => !this.model.get(side)?.byteLength);
    for (const side of sides) {
      const image = this.images[side], content = this.model.get(side);
      URL.revokeObjectURL(image.src);
      if (this.root.hidden) image.removeAttribute("src");
      else image.src = URL.createObjectURL(new Blob([content], { type: "image/webp" }));
    }
  }

  showNames() {
    for (const side of Object.keys(this.labels)) {
      const name = this.model.get(`${side}_name`);
      this.labels[side].textContent = name ? `${side}: ${name}` : side;
    }
  }

  place() {
    const { width, height } = this.size;
    this.stage.style.aspectRatio = `${width} / ${height}`;
    this.stage.style.setProperty("--mediakit-compare-ratio", width / height);
    for (const [side, image] of Object.entries(this.images)) this.putAt(image, this.model.get(`${side}_box`));
  }

  putAt(node, [left = 0, top = 0, across = 0, down = 0]) {
    const { width, height } = this.size;
    Object.assign(node.style, {
      left: `${(100 * left) / width}%`, top: `${(100 * top) / height}%`,
      width: `${(100 * across) / width}%`, height: `${(100 * down) / height}%`,
    });
  }

  showRegions() {
    const regions = this.model.get("regions");
    this.outlines.replaceChildren(...regions.map((box) => {
      const outline = element("div", { class: "mediakit-compare-region" });
      this.putAt(outline, box);
      return outline;
    }));
    this.count.textContent = `Outline ${regions.length} ${regions.length === 1 ? "region" : "regions"} that ${regions.length === 1 ? "differs" : "differ"}`;
    this.switch.hidden = !regions.length;
  }

  /** Moves the divider with an arrow key, which the notebook would take otherwise. */
  onArrow(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.range.value = Number(this.range.value) + step * (event.shiftKey ? 10 : 1);
    this.showDivider();
  }

  showDivider() {
    const share = Number(this.range.value);
    this.stage.style.setProperty("--mediakit-compare-at", `${share}%`);
    this.range.setAttribute("aria-valuetext", `${share} % before, ${100 - share} % after`);
  }
}

export default {
  render({ model, el }) {
    const slider = new Slider(model, el);
    return () => slider.stop();
  },
};
