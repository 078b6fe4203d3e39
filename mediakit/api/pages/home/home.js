// Show whether the services that calls need work. Without JavaScript, the link opens the result of each check.

const link = document.getElementById("status");

function show(isReady, text) {
  link.dataset.ready = isReady;
  link.textContent = text;
}

try {
  const response = await fetch(link.href, { headers: { accept: "application/json" } });
  const { checks } = await response.json();
  const failed = Object.keys(checks).filter((name) => checks[name] !== "ok");
  show(failed.length === 0, failed.length ? `Not working: ${failed.join(", ")}` : "All services work");
} catch {
  show(false, "The status is not available");
}
