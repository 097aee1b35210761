// Which view an address names, and the other way round. Pure.

import type { Place, Route } from "../routes.js";

export interface Found {
  route: Route;
  place: Place;
}

/** The path of a fragment: `#/agent/%2540a?tab=x` is `/agent/%2540a`. */
export function pathIn(fragment: string): string {
  const path = fragment.replace(/^#/, "").replace(/\?.*$/s, "");
  return path.startsWith("/") ? path : "/";
}

/** What follows `?` in a fragment. */
export function queryIn(fragment: string): URLSearchParams {
  return new URLSearchParams(/\?(.*)$/s.exec(fragment)?.[1] ?? "");
}

export function findRoute(routes: readonly Route[], path: string): Found | null {
  const parts = partsOf(path);
  for (const route of routes) {
    const place = match(partsOf(route.pattern), parts);
    if (place !== null) return { route, place };
  }
  return null;
}

/** `to("/agent/:key", { key: "%1" })` is `#/agent/%251`. */
export function to(pattern: string, place: Place = {}): string {
  return `#${pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(place[name] ?? ""))}`;
}

function match(pattern: readonly string[], parts: readonly string[]): Place | null {
  if (pattern.length !== parts.length) return null;
  const place: Record<string, string> = {};
  for (const [at, word] of pattern.entries()) {
    if (!word.startsWith(":")) {
      if (word !== parts[at]) return null;
      continue;
    }
    const value = decoded(parts[at]!);
    if (value === null || value === "") return null;
    place[word.slice(1)] = value;
  }
  return place;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
