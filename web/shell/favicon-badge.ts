// The title and the icon of the browser's tab say how many agents wait.

import { effect } from "@preact/signals";
import { waitingCount } from "../fleet/fleet.js";
import { found } from "./navigate.js";

export function badgeTheTab(): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  effect(() => {
    const title = found.value?.route.title;
    const page = title === undefined || title === "Board" ? "hivemind" : `${title} · hivemind`;
    document.title = waitingCount.value === 0 ? page : `(${waitingCount.value}) ${page}`;
  });
  effect(() => {
    const count = waitingCount.value;
    if (icon !== null) icon.href = count === 0 ? "/icon.svg" : drawn(count);
    // An installed app shows the number on its own icon.
    void navigator.setAppBadge?.(count).catch(() => undefined);
  });
}

/** A picture as data: the content policy allows that for images. */
function drawn(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f2430"/>` +
    `<path d="M32 10l17 10v20L32 50 15 40V20z" fill="none" stroke="#f2b134" stroke-width="5" stroke-linejoin="round"/>` +
    `<circle cx="45" cy="45" r="19" fill="#d3382c"/>` +
    `<text x="45" y="54" font-family="sans-serif" font-weight="700" font-size="27" fill="#fff" text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
