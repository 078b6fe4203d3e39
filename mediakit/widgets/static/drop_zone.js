/* Gives dropped and pasted files to an upload button, one or several as it takes. See files.py. */

/** Returns whether a file has an accepted media type, such as `image/*`, or suffix, such as `.csv`. */
function isAccepted(file, accept) {
  const types = accept.split(",").filter(Boolean);
  const matches = (type) =>
    type.startsWith(".") ? file.name.toLowerCase().endsWith(type)
    : type.endsWith("/*") ? file.type.startsWith(type.slice(0, -1))
    : file.type === type;
  return !types.length || types.some(matches);
}

/** Returns a file as the model of an upload button has it. */
async function uploaded(file) {
  const content = await file.arrayBuffer();
  return { name: file.name, type: file.type, size: file.size, last_modified: file.lastModified, content };
}

export default {
  async render({ model, el }) {
    const form = () => el.closest(model.get("is_local") ? ".mediakit-field" : ".mediakit-form");
    const take = async (event, files) => {
      const upload = await model.widget_manager.get_model(model.get("upload"));
      const accepted = Array.from(files ?? []).filter((each) => isAccepted(each, upload.get("accept")));
      const taken = upload.get("multiple") ? accepted : accepted.slice(0, 1);
      if (!taken.length) return;
      upload.set({ value: await Promise.all(taken.map(uploaded)), error: "" });
      upload.save_changes();
    };
    const hasFiles = (event) => Array.from(event.dataTransfer?.types ?? []).includes("Files");
    const isVisible = () => el.getClientRects().length > 0;
    const isInForm = (event) => isVisible() && (form()?.contains(event.target) ?? false);
    const mark = (isOver) => form()?.classList.toggle("mediakit-drop-target", isOver);
    const onDrag = (event) => {
      if (!isInForm(event) || !hasFiles(event)) return mark(false);
      event.preventDefault();
      event.stopPropagation();
      mark(true);
    };
    const onDrop = (event) => {
      mark(false);
      if (!isInForm(event) || !hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      take(event, event.dataTransfer.files);
    };
    const onPaste = (event) => {
      const isHere = isInForm(event) || form()?.contains(document.activeElement) || form()?.matches(":hover");
      if (!isVisible() || !isHere || !event.clipboardData?.files.length) return;
      event.preventDefault();
      take(event, event.clipboardData.files);
    };
    el.textContent = model.get("text");
    // The notebook handles these events itself, so they are handled before they reach it.
    const events = { dragenter: onDrag, dragover: onDrag, dragleave: onDrag, drop: onDrop, paste: onPaste };
    return listen(document, events, true);
  },
};
