/* Lists the files of a ZIP file from its central directory (APPNOTE.TXT 4.3.12 and 4.3.16). */

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const MAX_COMMENT_BYTES = 65535;

/** Returns the names and sizes of the files; an empty list if the file is not a ZIP file. */
export async function zipEntries(file) {
  const view = new DataView(await file.arrayBuffer());
  const end = endOfDirectory(view);
  const entries = [];
  if (end < 0) return entries;
  let offset = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left && offset + 46 <= view.byteLength && view.getUint32(offset, true) === DIRECTORY_ENTRY; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((start) => view.getUint16(offset + start, true));
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, offset + 46, nameLength));
    entries.push({ name, size: view.getUint32(offset + 24, true) });
    offset += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

function endOfDirectory(view) {
  const first = Math.max(0, view.byteLength - MAX_COMMENT_BYTES - 22);
  for (let offset = view.byteLength - 22; offset >= first; offset--) {
    if (view.getUint32(offset, true) === END_OF_DIRECTORY) return offset;
  }
  return -1;
}
