// What tests ask of teams that move between hosts.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestHome } from "../home.js";
import { panesOf } from "../teams/fleets.js";

/** The folders of the agents exist on both hosts, each under its own path. Returns the value of `--map`. */
export function sameFolders(from: TestHome, to: TestHome): string {
  for (const name of readdirSync(from.work)) mkdirSync(join(to.work, name), { recursive: true });
  return `${from.work}=${to.work}`;
}

/** The conversations of the agents that run there, by role. */
export function running(home: TestHome): Record<string, string | null> {
  return Object.fromEntries(
    panesOf(home).flatMap(({ role, uuid, kind, paneId }) =>
      kind === "demo" && paneId !== null ? [[role!, uuid]] : [],
    ),
  );
}
