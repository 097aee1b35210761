// The context windows of the client's models.
//
// - The table has what the client's status line shows for a model named without `[1m]`. With `[1m]` every model has
//   the large window.
// - For a client between two versions of the table, or of unknown version, a window is known only if both agree.
// - A model that is not in the table has no known window.

import { remembered } from "../../base/remembered.js";

export type WindowSize = "ordinary" | "large";

export function windowOfModel(model: string, version: string | null): WindowSize | null {
  const name = plainModel(model);
  const [older, newer] = tables.map(({ windows }) => windows.get(name) ?? null);
  const place = version === null ? null : numbered(version);
  if (place !== null && place <= numbered(tables[0]!.version)!) return older!;
  if (place !== null && place >= numbered(tables[1]!.version)!) return newer!;
  return older === newer ? older! : null;
}

export function asksForLarge(model: string): boolean {
  return /\[1m\]$/i.test(model);
}

/** Whether a model that answered can be the one that `asked` names, by a short name or without its date. */
export function isNamedBy(answered: string, asked: string): boolean {
  const [inUse, wanted] = [plainModel(answered), plainModel(asked)];
  return inUse === wanted || (families.has(wanted) && inUse.split("-").includes(wanted));
}

/** The variable that says what a short name means. */
export function variableOfFamily(asked: string): string | null {
  const family = plainModel(asked);
  return families.has(family) ? `ANTHROPIC_DEFAULT_${family.toUpperCase()}_MODEL` : null;
}

const families = new Set(["opus", "sonnet", "haiku", "fable"]);

/** Without the window, the date, and what other clouds add to a name: `us.anthropic.claude-opus-4-8-v1:0`. */
const plainModel = remembered((model) =>
  model
    .toLowerCase()
    .replace(/\[1m\]$/, "")
    .replace(/^(?:[a-z-]+\.)?anthropic\./, "")
    .replace(/@.*$/, "")
    .replace(/-v\d+(?::\d+)?$/, "")
    .replace(/-\d{8}$/, "")
    .replace(/-latest$/, ""),
);

/** `2.1.325` as a comparable number; null for any other text. */
const numbered = remembered((version): number | null => {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined ? null : (Number(major) * 1_000 + Number(minor)) * 100_000 + Number(patch);
});

const small = [
  "claude-opus-4-6",
  "claude-opus-4-5",
  "claude-sonnet-4-6",
  "claude-sonnet-4-5",
  "claude-sonnet-4-0",
  "claude-sonnet-4",
  "claude-haiku-4-5",
  "claude-3-7-sonnet",
  "claude-3-5-sonnet",
  "claude-3-5-haiku",
  "claude-3-opus",
  "claude-3-haiku",
];
/** In older clients their large window had to be requested; in newer ones it is the only one. */
const grown = [
  "claude-opus-4-8",
  "claude-opus-4-7",
  "claude-sonnet-5",
  "claude-fable-5",
  "claude-mythos-5",
  "claude-mythos-preview",
];
const large = [
  "claude-opus-5-5",
  "claude-opus-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
  "claude-fable-5-1",
  "claude-fable-5-2",
  "claude-mythos-5-1",
  "claude-mythos-5-2",
];

const tables = [
  { version: "2.1.197", windows: windowsOf([...small, ...grown], []) },
  { version: "2.1.325", windows: windowsOf(small, [...grown, ...large]) },
];

function windowsOf(ordinary: readonly string[], wide: readonly string[]): ReadonlyMap<string, WindowSize> {
  return new Map([
    ...ordinary.map((name) => [name, "ordinary"] as const),
    ...wide.map((name) => [name, "large"] as const),
  ]);
}
