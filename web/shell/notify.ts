// A notification when an agent begins to wait while nobody looks at the page. Permission is asked only by a button.

import { effect, signal } from "@preact/signals";
import type { Attention } from "../../src/hive/attention.js";
import { inbox } from "../fleet/fleet.js";
import { goTo } from "./navigate.js";
import { newIn, wordsOf } from "./waiting-words.js";

export type Permission = NotificationPermission | "unsupported";

export const permission = signal<Permission>(
  "Notification" in window ? Notification.permission : "unsupported",
);

const place = "hivemind.notify";
/** A person can turn it off without the browser's settings. */
export const isWanted = signal(localStorage.getItem(place) === "yes");

export async function askPermission(): Promise<void> {
  if (permission.value === "unsupported") return;
  permission.value = await Notification.requestPermission();
  want(permission.value === "granted");
}

export function want(wanted: boolean): void {
  isWanted.value = wanted;
  localStorage.setItem(place, wanted ? "yes" : "no");
}

export function notifyOfWaiting(): void {
  // The service worker says so after a click on its notification.
  navigator.serviceWorker?.addEventListener("message", () => goTo("#/inbox"));
  let known: readonly Attention[] | null = null;
  effect(() => {
    const items = inbox.value;
    const fresh = known === null ? [] : newIn(known, items);
    // What waited before the page was opened is no news.
    known = items;
    const isSeen = document.visibilityState === "visible" && document.hasFocus();
    if (isWanted.peek() && permission.peek() === "granted" && !isSeen)
      for (const item of fresh) void show(item);
  });
}

/** A phone shows notifications of a service worker only. */
async function show(item: Attention): Promise<void> {
  const { title, body, tag } = wordsOf(item);
  const options = { body, tag, icon: "/icon-192.png", data: "#/inbox" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    goTo("#/inbox");
  };
}
