// Hooks and status line, from the user's settings and from `--settings FILE|JSON`.
//
// `--settings` adds to the user's settings and does not replace them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../../src/base/errors.js";

export interface Settings {
  hooks: readonly Hook[];
  statusLine: string | null;
  /** A client that asks for no permissions holds posted messages back, unless it is told to accept them. */
  acceptsPosted: boolean;
}

export interface Hook {
  event: string;
  /** Matched against the event's detail (source, trigger, tool); null matches all. */
  matcher: RegExp | null;
  command: string;
}

export function readSettings(configDir: string, given: string | null): Settings {
  const own = settingsOf(parse(ownText(configDir)));
  const added = settingsOf(given === null ? {} : parse(givenText(given)));
  return {
    hooks: [...own.hooks, ...added.hooks],
    statusLine: added.statusLine ?? own.statusLine,
    acceptsPosted: own.acceptsPosted || added.acceptsPosted,
  };
}

function ownText(configDir: string): string {
  try {
    return readFileSync(join(configDir, "settings.json"), "utf8");
  } catch {
    return "{}";
  }
}

function givenText(given: string): string {
  if (given.trimStart().startsWith("{")) return given;
  try {
    return readFileSync(given, "utf8");
  } catch {
    throw new HiveError(`Error: Settings file not found: ${given}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HiveError("Error: Invalid JSON provided to --settings");
  }
}

function settingsOf(value: unknown): Settings {
  const statusLine = field(field(value, "statusLine"), "command");
  return {
    hooks: Object.entries(field(value, "hooks") ?? {}).flatMap(([event, groups]) =>
      list(groups).flatMap((group) =>
        list(field(group, "hooks")).flatMap((hook) => {
          const command = field(hook, "command");
          return typeof command === "string"
            ? [{ event, matcher: matcherOf(field(group, "matcher")), command }]
            : [];
        }),
      ),
    ),
    statusLine: typeof statusLine === "string" ? statusLine : null,
    acceptsPosted: field(value, "crossSessionInbound") === "accept",
  };
}

function matcherOf(value: unknown): RegExp | null {
  return typeof value === "string" && value !== "" && value !== "*" ? new RegExp(`^(?:${value})$`) : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
