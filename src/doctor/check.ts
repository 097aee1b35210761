// What a check is, and what it can find.
//
// [DF1] A command in a fix does what it is for when it is pasted: it leads to the tmux server that was looked at, names
//       only what would be taken, and what others wrote stays one word in it.

import type { World } from "./world.js";

/** `problem`: something does not work. `warning`: it will not, or not as one expects. `info`: good to know. */
export const levels = ["problem", "warning", "info", "ok"] as const;
export type Level = (typeof levels)[number];

export interface Finding {
  level: Level;
  /** The id of the check. */
  check: string;
  message: string;
  /** A command to type, or one sentence; null where there is nothing to do. */
  fix: string | null;
}

export type Found = Omit<Finding, "check">;

export interface Check {
  id: string;
  /** What holds when nothing is found. */
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
