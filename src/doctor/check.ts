// What a check is, and what it can find.
//
// A command in a fix works as pasted: it targets the examined tmux server and names only the affected files, and
// foreign text in it stays one word.

import type { World } from "./world.js";

/** `problem`: something does not work. `warning`: it will fail, or surprise. `info`: good to know. */
export const levels = ["problem", "warning", "info", "ok"] as const;
export type Level = (typeof levels)[number];

export interface Finding {
  level: Level;
  /** The id of the check. */
  check: string;
  message: string;
  /** A command to type, or one sentence; null if there is nothing to do. */
  fix: string | null;
}

export type Found = Omit<Finding, "check">;

export interface Check {
  id: string;
  /** What is true if nothing is found. */
  title: string;
  look(world: World): Found[] | Promise<Found[]>;
}

export function ok(message: string): Found {
  return { level: "ok", message, fix: null };
}

export function info(message: string, fix: string | null): Found {
  return { level: "info", message, fix };
}

export function warning(message: string, fix: string | null): Found {
  return { level: "warning", message, fix };
}

export function problem(message: string, fix: string | null): Found {
  return { level: "problem", message, fix };
}
