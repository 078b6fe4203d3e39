/* The API key. It is only in its input field, until the page is closed. */

const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const input = document.getElementById("key");
const credits = document.getElementById("credits");

export function readKey() {
  return input.value.trim();
}

export function focusKey() {
  input.focus();
}

export function showCredits({ remaining, unlimited }) {
  if (unlimited) credits.textContent = "Unlimited";
  else if (Number.isFinite(remaining)) credits.textContent = `${remaining.toLocaleString("en")} credits left`;
}

/** Moves a key from the fragment (`#key=...`) to its field, and removes it from the address bar.
 *
 * Browsers do not send fragments to servers. A key is used only on this machine: other addresses get a shared link's key removed, not filled in.
 */
export function takeKeyFromFragment() {
  if (!location.hash.startsWith("#key=")) return;
  const values = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", `${location.pathname}${location.search}#${values.get("page") ?? "/"}`);
  if (LOOPBACK.test(location.hostname)) input.value = values.get("key");
}
