/* The keyboard of the chart's table. See table.py. */

const AT = /mediakit-at-(\d+)-(\d+)/;

/** Returns the row and the column of a cell. */
function positionOf(cell) {
  return cell.closest("[class*='mediakit-at-']")?.className.match(AT)?.slice(1).map(Number);
}

/** Returns how a key moves the focus from a cell, as rows and columns; undefined if the key edits the text. */
function step(event, cell) {
  const { key, shiftKey } = event;
  const { selectionStart: start, selectionEnd: end, value } = cell;
  const isSelected = start === 0 && end === value.length;
  if (key === "Enter") return [shiftKey ? -1 : 1, 0];
  if (key === "Tab") return [0, shiftKey ? -1 : 1];
  if (shiftKey) return undefined;
  if (key === "ArrowUp") return [-1, 0];
  if (key === "ArrowDown") return [1, 0];
  if (key === "ArrowLeft" && (isSelected || end === 0)) return [0, -1];
  if (key === "ArrowRight" && (isSelected || start === value.length)) return [0, 1];
  return undefined;
}

/** Moves the focus and returns whether there is a cell; Tab continues in the next or the previous row. */
function move(table, [row, column], [rows, columns], isTab) {
  const find = (...at) => table.querySelector(`.mediakit-at-${at.join("-")} textarea:not(:disabled)`);
  let target = find(row + rows, column + columns);
  if (!target && isTab && columns > 0) target = find(row + 1, 0);
  if (!target && isTab && columns < 0) {
    for (let last = column; !target && find(row - 1, last); last++) {
      if (!find(row - 1, last + 1)) target = find(row - 1, last);
    }
  }
  target?.focus();
  target?.select();
  return Boolean(target);
}

export default {
  render({ el }) {
    const onKey = (event) => {
      const table = event.target.closest?.(".mediakit-cells");
      if (!table || table.parentElement !== el.parentElement) return;
      if (event.target.tagName !== "TEXTAREA" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = positionOf(event.target);
      const by = at && step(event, event.target);
      if (!by) return;
      const isMoved = move(table, at, by, event.key === "Tab");
      // Tab leaves the table at its ends. Enter never adds a line break to a cell.
      if (isMoved || event.key !== "Tab") {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    return listen(document, { keydown: onKey }, true);
  },
};
