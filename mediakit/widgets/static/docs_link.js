/* Opens the documentation page with the API key in the fragment of its address. See notebook.py. */

const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const ANSWER_TIMEOUT_MS = 8000;

export default {
  initialize({ model }) {
    let tab, timer;
    const target = () => new URL(model.get("url"), location.href);
    /** Loads the page in the tab that the click has opened; without a key if the kernel does not answer. */
    const load = (key) => {
      clearTimeout(timer);
      tab?.location.replace(target() + (key ? `#key=${encodeURIComponent(key)}` : ""));
      tab = undefined;
    };
    const onClick = (event) => {
      const link = event.target.closest?.("a");
      // If the notebook is on another machine, the address in the link is not the address of the kernel's server.
      if (link?.href !== target().href || ![link, location].every(({ hostname }) => LOOPBACK.test(hostname))) return;
      if (event.defaultPrevented) return; // a server of another kernel has the same address
      try {
        model.send("key");
      } catch {
        return; // the kernel of this model has ended or restarted
      }
      tab = window.open("", "_blank"); // a browser blocks it after the answer, which is not a click
      if (!tab) return;
      event.preventDefault();
      event.stopPropagation();
      tab.opener = null;
      timer = setTimeout(load, ANSWER_TIMEOUT_MS);
    };
    model.on("msg:custom", load);
    document.addEventListener("click", onClick, true);
    return () => {
      model.off("msg:custom", load);
      document.removeEventListener("click", onClick, true);
    };
  },
};
