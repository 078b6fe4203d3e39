/* The link between a form and the notebook in JupyterLab and Notebook 7. See notebook.py. */

const VIEW = "application/vnd.jupyter.widget-view+json";
const WRAPPED = Symbol.for("mediakit.toJSON");
const BUSY_DELAY_MS = 700;
const ADDED_TIMEOUT_MS = 3000;
const BUSY_TEXT = "The kernel is busy; the form updates when it is free.";

/** Returns the notebook's context, or undefined in front ends without one. */
function contextOf(model) {
  const context = model.widget_manager?.context;
  return context?.model?.sharedModel?.insertCell ? context : undefined;
}

/** Returns an output as it is saved: without the id of a form, because saved notebooks do not contain widgets. */
function savedOutput(output) {
  if (!output.metadata?.mediakit?.form || !output.data?.[VIEW]) return output;
  return { ...output, data: { ...output.data, [VIEW]: { ...output.data[VIEW], model_id: "" } } };
}

/** Saves the notebook without its forms, so that JupyterLab does not report missing widgets when it is opened again. */
function saveWithoutForms(notebook) {
  if (notebook[WRAPPED]) return;
  notebook[WRAPPED] = true;
  const toJSON = notebook.toJSON.bind(notebook);
  notebook.toJSON = () => {
    const file = toJSON();
    const saved = (cell) => (cell.outputs ? { ...cell, outputs: cell.outputs.map(savedOutput) } : cell);
    return { ...file, cells: file.cells.map(saved) };
  };
}

/** Shows a form again in the outputs from which saving removed it; its kernel runs if its model exists. */
function restoreForm(notebook, form) {
  const isSaved = (output) => output.metadata?.mediakit?.form === form && output.data?.[VIEW]?.model_id === "";
  const restored = (output) =>
    isSaved(output) ? { ...output, data: { ...output.data, [VIEW]: { ...output.data[VIEW], model_id: form } } } : output;
  for (const cell of notebook.cells) {
    const outputs = cell.outputs?.toJSON() ?? [];
    // All outputs are replaced, because the renderer of an output without model stays hidden.
    if (outputs.some(isSaved)) cell.outputs.fromJSON(outputs.map(restored));
  }
}

/** Returns the index of the cell that displays a form; -1 if there is none. */
function cellIndex(notebook, form, element) {
  const index = element.closest(".jp-Cell")?.dataset.windowedListIndex;
  if (index !== undefined) return Number(index);
  return notebook.sharedModel.cells.findIndex((cell) =>
    cell.toJSON().outputs?.some((output) => output.metadata?.mediakit?.form === form),
  );
}

/** Reads the values of earlier runs from the metadata of the form's cell, and writes those of this run to it. */
function keepValues(context, model, element) {
  const cell = () => context.model.sharedModel.cells[cellIndex(context.model, model.get("form"), element)];
  const kept = cell()?.getMetadata("mediakit")?.[model.get("key")];
  if (kept && kept !== model.get("values")) {
    model.set("previous", kept);
    model.save_changes();
  }
  const write = () => {
    const shared = cell();
    if (!shared || context.model.readOnly) return;
    shared.setMetadata("mediakit", { ...shared.getMetadata("mediakit"), [model.get("key")]: model.get("values") });
  };
  model.on("change:values", write);
  return () => model.off("change:values", write);
}

/** Scrolls to the cell below the form and makes it active, so that Shift+Enter runs it, and not the form's cell. */
function activateNext(cell, attempts = 30) {
  const editor = cell?.nextElementSibling?.querySelector(".cm-content");
  if (editor) {
    cell.nextElementSibling.scrollIntoView({ block: "nearest" });
    editor.focus();
  } else if (attempts) {
    requestAnimationFrame(() => activateNext(cell, attempts - 1));
  }
}

/** Inserts a code cell below the form and returns whether that was possible. */
function insertCell(context, form, element, source) {
  const index = context && !context.model.readOnly ? cellIndex(context.model, form, element) : -1;
  if (index < 0) return false;
  context.model.sharedModel.insertCell(index + 1, { cell_type: "code", source, metadata: { trusted: true } });
  requestAnimationFrame(() => activateNext(element.closest(".jp-Cell")));
  return true;
}

/** Keeps keys without Ctrl or Command from the notebook, where `x` or `d d` would remove the cell of the form. */
function keepKeys(isInForm) {
  const onKey = (event) => {  // on the element itself, because the notebook's keys are for whatever has the focus
    const { target, ctrlKey, metaKey } = event;
    if (isInForm(target)) target.toggleAttribute("data-lm-suppress-shortcuts", !(ctrlKey || metaKey));
  };
  return listen(window, { keydown: onKey }, true);  // before the notebook's own listener
}

/** Focuses the first new field after a click on a button that adds a row, a series, an item or a field. */
function focusAdded(isInForm) {
  const onClick = (event) => {
    const button = event.target.closest?.("button");
    if (!button || !isInForm(button) || !/^Add an? /.test(button.textContent.trim())) return;
    const root = button.closest(".mediakit-form");  // the button may be replaced
    const fields = () => [...root.querySelectorAll("input:not(:disabled), textarea:not(:disabled)")];
    const before = new Set(fields());
    const observer = new MutationObserver(() => {
      const added = fields().find((field) => !before.has(field));
      if (!added) return;
      observer.disconnect();
      added.focus();
    });
    observer.observe(root, { childList: true, subtree: true });
    setTimeout(() => observer.disconnect(), ADDED_TIMEOUT_MS);
  };
  return listen(document, { click: onClick }, true);
}

/** Calls `show(true)` when the form is edited while the kernel is busy, and `show(false)` when the kernel is free. */
function watchKernel(session, isInForm, show) {
  let timer, isBusy = false, isEdited = false;
  const update = () => show(isBusy && isEdited);
  const onStatus = () => {
    clearTimeout(timer);
    if (session.kernelDisplayStatus === "busy" && session.session?.kernel?.status === "busy") {
      timer = setTimeout(() => { isBusy = true; update(); }, BUSY_DELAY_MS);
    } else {
      isBusy = isEdited = false;
      update();
    }
  };
  const onEdit = (event) => {
    if (isInForm(event.target) && session.session?.kernel?.status === "busy") {
      isEdited = true;
      update();
    }
  };
  session.statusChanged.connect(onStatus);
  const stop = listen(document, { input: onEdit }, true);
  onStatus();
  return () => {
    clearTimeout(timer);
    session.statusChanged.disconnect(onStatus);
    stop();
  };
}

export default {
  async initialize({ model }) {
    const context = contextOf(model);
    if (!context) return;
    saveWithoutForms(context.model);
    await context.ready;
    restoreForm(context.model, model.get("form"));
  },

  render({ model, el }) {
    const context = contextOf(model);
    const form = () => el.closest(".mediakit-form");
    const isInForm = (target) => form()?.contains(target) ?? false;
    const showBusy = (isBusy) => {
      form()?.classList.toggle("mediakit-kernel-busy", isBusy);
      el.textContent = isBusy ? BUSY_TEXT : "";
    };
    const onInsert = (event) => {
      if (!isInForm(event.target)) return;
      saveFiles();
      if (insertCell(context, model.get("form"), el, event.detail)) event.preventDefault();
    };
    const saveFiles = () => model.send("save");  // before the inserted cell runs, because the kernel keeps the order
    const onSave = (event) => isInForm(event.target) && saveFiles();
    el.setAttribute("role", "status");
    const events = { "mediakit-insert": onInsert, "mediakit-save": onSave };
    const stops = [listen(document, events), keepKeys(isInForm), focusAdded(isInForm)];
    if (context) {
      stops.push(watchKernel(context.sessionContext, isInForm, showBusy));
      const frame = requestAnimationFrame(() => stops.push(keepValues(context, model, el)));
      stops.push(() => cancelAnimationFrame(frame));
    }
    return () => stops.forEach((stop) => stop());
  },
};
