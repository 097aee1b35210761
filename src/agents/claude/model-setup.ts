// Which model a client was started with, and what bars its large window: arguments, variables and settings files, in the
// order in which the client itself takes them.
//
// `--model` comes before ANTHROPIC_MODEL, and that before the settings. A short name stands for what the variable
// of its family says.
// Of settings files `--settings` comes first, then the folder's local ones, the folder's, the user's. Their `env`
// comes before the process's own environment.
// Settings that were written after the start do not say what the client was started with. An agent of its own
// (`--agent`) brings its own model: then nothing is known.

import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readBytes } from "../../base/atomic-file.js";
import { limits } from "../../limits.js";
import type { ModelSetup, ModelStart } from "../agent.js";
import { optionValues } from "./arguments.js";
import { asksForLarge, variableOfFamily } from "./models.js";
import { type Json, objectOrNull, parseRecord } from "./record.js";

const variables = {
  model: "ANTHROPIC_MODEL",
  families: ["OPUS", "SONNET", "HAIKU", "FABLE"].map((family) => `ANTHROPIC_DEFAULT_${family}_MODEL`),
  isLargeOff: "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  isCompactOff: "DISABLE_COMPACT",
  tokens: "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
} as const;

/** The only variables of a process that are looked at for this. */
export const modelVariables: readonly string[] = Object.values(variables).flat();

export function modelSetup(start: ModelStart): ModelSetup {
  const settings = settingsOf(start);
  const variable = (name: string) => {
    const inSettings = settings.map(({ json }) => text(objectOrNull(json.env)?.[name]));
    return inSettings.find((value) => value !== null) ?? start.variables.get(name) ?? null;
  };
  const hasOwnAgent =
    optionValues(start.args, "--agent").length > 0 || settings.some(({ json }) => text(json.agent));
  const given = optionValues(start.args, "--model").at(-1) ?? variable(variables.model);
  return {
    pinned: hasOwnAgent ? null : meant(given, variable),
    usual: hasOwnAgent ? null : meant(modelIn(settings, start.startedAtMs), variable),
    isLargeOff: isOn(variable(variables.isLargeOff)),
    // The client minds this number only where it may not compact.
    windowTokens: isOn(variable(variables.isCompactOff)) ? positive(variable(variables.tokens)) : null,
  };
}

function modelIn(settings: readonly Settings[], startedAtMs: number): string | null {
  const chosen = settings.find(({ json }) => text(json.model) !== null);
  return chosen === undefined || chosen.writtenAtMs > startedAtMs ? null : text(chosen.json.model);
}

/** A short name may stand for another model than the client's own. */
function meant(asked: string | null, variable: (name: string) => string | null): string | null {
  const name = asked === null ? null : variableOfFamily(asked);
  const instead = name === null ? null : variable(name);
  if (asked === null || instead === null) return asked;
  return asksForLarge(asked) && !asksForLarge(instead) ? `${instead}[1m]` : instead;
}

interface Settings {
  json: Json;
  writtenAtMs: number;
}

/** The strongest first. */
function settingsOf({ args, folder, cwd }: ModelStart): Settings[] {
  const given = optionValues(args, "--settings").at(-1) ?? null;
  const inFolder = (name: string) => (cwd === null ? null : join(cwd, ".claude", name));
  const files = [
    inFolder("settings.local.json"),
    inFolder("settings.json"),
    folder === null ? null : join(folder, "settings.json"),
  ];
  return [givenSettings(given, cwd), ...files.map(readSettings)].filter((each) => each !== null);
}

/** A file, or the JSON itself. */
function givenSettings(given: string | null, cwd: string | null): Settings | null {
  if (given === null) return null;
  const json = parseRecord(given);
  if (json !== null) return { json, writtenAtMs: 0 };
  if (cwd === null && !isAbsolute(given)) return null;
  return readSettings(resolve(cwd ?? "/", given));
}

function readSettings(path: string | null): Settings | null {
  if (path === null) return null;
  try {
    const json = parseRecord(readBytes(path, limits.settingsBytes)?.toString("utf8") ?? "");
    return json === null ? null : { json, writtenAtMs: statSync(path).mtimeMs };
  } catch {
    // Settings that cannot be read say nothing.
    return null;
  }
}

/** As the client reads a switch. */
function isOn(value: string | null): boolean {
  return value !== null && /^(?:1|true|yes|on)$/i.test(value.trim());
}

function positive(value: string | null): number | null {
  return value !== null && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
