// Keeps the page's own files, so that an installed app opens at once and can say that the server is gone.
// It never keeps or answers anything of /api or /metrics.

const cacheName = "hivemind-page";

self.addEventListener("install", (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname === "/") event.respondWith(freshOrKept(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(keptOrFresh(request));
});

/** The frame of the page names the files of one build, so the newest one counts. */
async function freshOrKept(request) {
  const cache = await caches.open(cacheName);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const before = await cache.match("/");
      await cache.put("/", answer.clone());
      if (before !== undefined) await forgetOldFiles(cache, before, answer.clone());
    }
    return answer;
  } catch {
    return (await cache.match("/")) ?? Response.error();
  }
}

/** The name of such a file has a hash of its contents. */
async function keptOrFresh(request) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function forgetOldFiles(cache, before, now) {
  if ((await before.text()) === (await now.text())) return;
  for (const request of await cache.keys())
    if (new URL(request.url).pathname !== "/") await cache.delete(request);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showInbox());
});

async function showInbox() {
  const [open] = await self.clients.matchAll({ type: "window" });
  if (open === undefined) return self.clients.openWindow("/#/inbox");
  open.postMessage("inbox");
  return open.focus();
}
