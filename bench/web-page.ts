// What a page of `hivemind serve` tells about itself: when it showed which agent in which state, and what it loaded.

import { setTimeout as rest } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";

/** An agent's state, when it was painted. */
export interface Painted {
  /** As in the agent's address: its id, else its pane. */
  key: string;
  state: string;
  atMs: number;
}

export interface WatchedPage {
  page: Page;
  /** From the navigation to the paint that showed the agents. */
  firstViewMs: number;
  /** As transferred: compressed, with headers, until the agents were shown. */
  bytes: { files: number; fleet: number };
  painted(): Promise<Painted[]>;
  close(): Promise<void>;
}

export async function openWatched(browser: Browser, address: string, agents: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const loaded = countBytes(await context.newCDPSession(page));
  await page.addInitScript({ content: watchRows.replace("AGENTS", String(agents)) });
  await page.goto(address);
  const firstViewMs = await awaited(page, "watched.firstViewMs");
  return {
    page,
    firstViewMs,
    bytes: await loaded(),
    painted: () => page.evaluate("watched.painted"),
    close: () => context.close(),
  };
}

/** The number that the page has some time. Playwright's own waiting evaluates text in the page, which its policy forbids. */
export async function awaited(page: Page, expression: string): Promise<number> {
  for (const endMs = Date.now() + 60_000; ; await rest(50)) {
    const value = await page.evaluate(expression);
    if (typeof value === "number") return value;
    if (Date.now() > endMs) throw new Error(`the page never had ${expression}`);
  }
}

/**
 * Runs in the page. A text, because the compiler would add references to what is not there. A task that is posted in a
 * frame runs after its paint.
 */
const watchRows = `
  const watched = globalThis.watched = { firstViewMs: null, painted: [] };
  const known = new Map();
  const look = () => {
    const atMs = Date.now();
    for (const row of document.querySelectorAll("li.agent-row")) {
      const address = row.querySelector("a")?.getAttribute("href");
      const state = row.querySelector("[data-state]")?.getAttribute("data-state");
      if (!address || !state || known.get(address) === state) continue;
      known.set(address, state);
      watched.painted.push({ key: decodeURIComponent(address.replace("#/agent/", "")), state, atMs });
    }
    if (known.size >= AGENTS) watched.firstViewMs ??= performance.now();
  };
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = look;
  let isAwaited = false;
  new MutationObserver(() => {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(() => {
      isAwaited = false;
      port1.postMessage(null);
    });
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
`;

/** Call the result to have the sums. A stream never ends, so its bytes count as they arrive. */
function countBytes(session: CDPSession): () => Promise<WatchedPage["bytes"]> {
  const requests = new Map<string, { url: string; bytes: number }>();
  const of = (id: string) => requests.get(id) ?? { url: "", bytes: 0 };
  session.on("Network.requestWillBeSent", ({ requestId, request }) =>
    requests.set(requestId, { url: request.url, bytes: 0 }),
  );
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    of(requestId).bytes += encodedDataLength;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    of(requestId).bytes = encodedDataLength;
  });
  const enabled = session.send("Network.enable");
  return async () => {
    await enabled;
    const sum = (isApi: boolean) =>
      [...requests.values()]
        .filter(({ url }) => url.includes("/api/") === isApi)
        .reduce((total, { bytes }) => total + bytes, 0);
    return { files: sum(false), fleet: sum(true) };
  };
}
