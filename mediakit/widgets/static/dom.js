/* What several scripts share. It is put before each of them, because the script of a widget cannot import a file. */

const DRAG_DISTANCE = 4;

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

/** Adds listeners to a target, and returns a function that removes them. */
function listen(target, listeners, ...options) {
  for (const [name, handle] of Object.entries(listeners)) target.addEventListener(name, handle, ...options);
  return () => {
    for (const [name, handle] of Object.entries(listeners)) target.removeEventListener(name, handle, ...options);
  };
}

/** Returns the URL of a WebP image; empty if there is none. */
function imageUrl(content) {
  return content?.byteLength ? URL.createObjectURL(new Blob([content], { type: "image/webp" })) : "";
}

/** Frees the URL of an image, after images that may still be loading it. */
function freeUrl(url) {
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Follows a pointer until it is released; `onMove` gets each event, `onEnd` whether the pointer was moved. */
function follow(event, onMove, onEnd) {
  let isMoved = false;
  const move = (moved) => {
    isMoved ||= Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > DRAG_DISTANCE;
    if (isMoved) onMove(moved);
  };
  const end = (ended) => {
    stop();
    onEnd(isMoved && ended.type === "pointerup");
  };
  const stop = listen(document, { pointermove: move, pointerup: end, pointercancel: end });
}

/** The view of a model in an element. */
class View {
  constructor(model, el) {
    this.model = model;
    this.root = element("div", { "data-lm-suppress-shortcuts": "true" });
    el.append(this.root);
  }

  /** Observes the model, and shows its state. The names of several traits are separated by spaces. */
  observe(handles) {
    this.observed = Object.entries(handles).map(([names, handle]) => [names.replace(/\w+/g, "change:$&"), handle]);
    for (const [names, handle] of this.observed) this.model.on(names, handle);
    for (const [, handle] of this.observed) handle();
  }

  stop() {
    for (const [names, handle] of this.observed) this.model.off(names, handle);
  }

  save(values) {
    this.model.set(values);
    this.model.save_changes();
  }

  /** Replaces the children of a list; the control with the same label is focused again. */
  replace(list, children) {
    const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    list.replaceChildren(...children);
    if (focused) list.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

/** Returns the module of a widget whose view is made by a function. */
function viewOf(make) {
  return {
    render({ model, el }) {
      const view = make(model, el);
      return () => view.stop();
    },
  };
}
