// Which model a client was started with, and what disables its large window.
//
// - Arguments, variables and settings files count in the client's own order: `--model`, then ANTHROPIC_MODEL, then
//   the settings. A short name means what the variable of its family says.
// - Settings files: `--settings` first, then the folder's local ones, the folder's, the user's. Their `env` comes
//   before the process's environment.
// - Settings written after the start are ignored: the client may not have started with them.
// - A custom agent (`--agent`) brings its own model, so the model is unknown.

import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { limits } from "../../limits.js";
import type { ModelSetup, ModelStart } from "../launch.js";
import { type Json, objectOrNull, parseRecord, readRecordFile, wordsOrNull } from "../record.js";
import { optionValues } from "./arguments.js";
import { asksForLarge, variableOfFamily } from "./models.js";

const variables = {
  model: "ANTHROPIC_MODEL",
  families: ["OPUS", "SONNET", "HAIKU", "FABLE"].map((family) => `ANTHROPIC_DEFAULT_${family}_MODEL`),
  isLargeOff: "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  isCompactOff: "DISABLE_COMPACT",
  tokens: "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
} as const;

/** The only variables that this file reads from a process. */
export const modelVariables: readonly string[] = Object.values(variables).flat();

export function modelSetup(start: ModelStart): ModelSetup {
  const settings = settingsOf(start);
  const variable = (name: string) => {
    const inSettings = settings.map(({ json }) => wordsOrNull(objectOrNull(json.env)?.[name]));
    return inSettings.find((value) => value !== null) ?? start.variables.get(name) ?? null;
  };
  const hasOwnAgent =
    optionValues(start.args, "--agent").length > 0 || settings.some(({ json }) => wordsOrNull(json.agent));
  const given = optionValues(start.args, "--model").at(-1) ?? variable(variables.model);
  return {
    pinned: hasOwnAgent ? null : resolved(given, variable),
    usual: hasOwnAgent ? null : resolved(modelIn(settings, start.startedAtMs), variable),
    isLargeOff: isOn(variable(variables.isLargeOff)),
    // The client uses this number only if it may not compact.
    windowTokens: isOn(variable(variables.isCompactOff)) ? positive(variable(variables.tokens)) : null,
  };
}

function modelIn(settings: readonly Settings[], startedAtMs: number): string | null {
  const chosen = settings.find(({ json }) => wordsOrNull(json.model) !== null);
  return chosen === undefined || chosen.writtenAtMs > startedAtMs ? null : wordsOrNull(chosen.json.model);
}

/** A variable can make a short name mean another model than the client's own. */
function resolved(asked: string | null, variable: (name: string) => string | null): string | null {
  const name = asked === null ? null : variableOfFamily(asked);
  const instead = name === null ? null : variable(name);
  if (asked === null || instead === null) return asked;
  return asksForLarge(asked) && !asksForLarge(instead) ? `${instead}[1m]` : instead;
}

interface Settings {
  json: Json;
  writtenAtMs: number;
}

/** In order of precedence, highest first. */
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

/** A path, or the JSON itself. */
function givenSettings(given: string | null, cwd: string | null): Settings | null {
  if (given === null) return null;
  const json = parseRecord(given);
  if (json !== null) return { json, writtenAtMs: 0 };
  if (cwd === null && !isAbsolute(given)) return null;
  return readSettings(resolve(cwd ?? "/", given));
}

function readSettings(path: string | null): Settings | null {
  // Most of these files do not exist, and a failed read takes many times as long as this question.
  const stat = path === null ? undefined : statOrNothing(path);
  const json = stat === undefined ? null : readRecordFile(path!, limits.settingsBytes);
  // Unreadable settings say nothing.
  return json === null ? null : { json, writtenAtMs: stat!.mtimeMs };
}

function statOrNothing(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The client's own rule for a switch. */
function isOn(value: string | null): boolean {
  return value !== null && /^(?:1|true|yes|on)$/i.test(value.trim());
}

function positive(value: string | null): number | null {
  return value !== null && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : null;
}
