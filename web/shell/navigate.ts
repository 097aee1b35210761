// The address as signals, and going to another one.

import { computed, signal } from "@preact/signals";
import { routes } from "../routes.js";
import { findRoute, pathIn, queryIn } from "./router.js";

const fragment = signal(location.hash);
addEventListener("hashchange", () => (fragment.value = location.hash));

export const path = computed(() => pathIn(fragment.value));
export const query = computed(() => queryIn(fragment.value));
/** Null for an address that names no view. */
export const found = computed(() => findRoute(routes, path.value));

export function goTo(address: string): void {
  location.hash = address;
}

/** Changes what follows `?` without a step in the history. */
export function changeQuery(name: string, value: string | null): void {
  const next = new URLSearchParams(query.peek());
  if (value === null) next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  history.replaceState(null, "", `#${path.peek()}${text === "" ? "" : `?${text}`}`);
  fragment.value = location.hash;
}
