/* Keys and pasted text in a table of inputs: Enter and the arrow keys move between cells as in a spreadsheet. */

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Adds the keys and `paste(text, row, column)` to a table. */
export function enableSheet(table, paste) {
  table.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const position = positionOf(event.target);
    if (!step || !position || event.ctrlKey || event.metaKey || event.altKey || !leavesCell(event)) return;
    const [row, column] = position;
    event.preventDefault();
    event.stopPropagation();
    focusCell(table, row + (event.shiftKey && event.key === "Enter" ? -1 : step[0]), column + step[1]);
  });
  table.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
    const position = positionOf(event.target);
    if (!position || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    paste(text.split(/\r?\n/).map((line) => line.split("\t")), ...position);
    focusCell(table, ...position);
  });
}

/** Returns whether a key moves to another cell instead of moving the caret in the text. */
function leavesCell({ key, target }) {
  if (target.tagName === "SELECT") return key === "ArrowLeft" || key === "ArrowRight" || key === "Enter";
  const { selectionStart: start, selectionEnd: end, value } = target;
  const isAllSelected = start === 0 && end === value.length;
  if (key === "ArrowLeft") return isAllSelected || end === 0;
  if (key === "ArrowRight") return isAllSelected || start === value.length;
  return true;
}

function positionOf(target) {
  const cell = target.closest("td, th");
  return cell && target.matches("input:not([type=button]), select") && [cell.parentNode.rowIndex, cell.cellIndex];
}

export function focusCell(table, row, column) {
  const control = table.rows[row]?.cells[column]?.querySelector("input, select");
  control?.focus();
  control?.select?.();
}
