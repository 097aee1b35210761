// Reads the settings at one place of a team file, each checked against its row in the table of keys.
//
// - Every wrong key or value is a separate problem with its place; the others are still read.
// - A problem suggests the nearest valid key or value, or lists all that are allowed there.

import { type Form, fits } from "./forms.js";
import { type Key, type KeyPlace, keys, keysAt, type Shape } from "./keys.js";
import { meant, type Place, type Problem, quoted } from "./problem.js";
import type { Yaml, YamlEntry } from "./yaml-text.js";

export type Report = (problem: Problem) => void;

/** The settings at one place, by key. A key with a wrong value is not in it. */
export type Settings = ReadonlyMap<string, Setting>;

export interface Setting extends Place {
  value: Value;
}

type Value =
  | { is: "text"; text: string }
  | { is: "list"; items: readonly string[] }
  | { is: "mapping"; entries: Readonly<Record<string, string>> }
  /** Nested settings, to be read later. */
  | { is: "settings"; entries: readonly YamlEntry[] };

export function settingsAt(place: KeyPlace, entries: readonly YamlEntry[], report: Report): Settings {
  const known = keysAt(place);
  const read = new Map<string, Setting>();
  for (const { key: name, value, line, column } of entries) {
    const key = known.find((each) => each.name === name);
    if (key === undefined) {
      report({ line, column, message: unknownKey(name, place, known) });
      continue;
    }
    const setting = checkedValue(key.name, key.shape, value, report);
    if (setting !== null) read.set(name, { line, column, value: setting });
  }
  return read;
}

export function textIn(settings: Settings, name: string): string | null {
  const value = settings.get(name)?.value;
  return value?.is === "text" ? value.text : null;
}

export function listIn(settings: Settings, name: string): readonly string[] | null {
  const value = settings.get(name)?.value;
  return value?.is === "list" ? value.items : null;
}

export function mappingIn(settings: Settings, name: string): Readonly<Record<string, string>> {
  const value = settings.get(name)?.value;
  return value?.is === "mapping" ? value.entries : {};
}

export function entriesIn(settings: Settings, name: string): readonly YamlEntry[] {
  const value = settings.get(name)?.value;
  return value?.is === "settings" ? value.entries : [];
}

function unknownKey(name: string, place: KeyPlace, known: readonly Key[]): string {
  const elsewhere = keys.find((key) => key.name === name);
  if (elsewhere !== undefined) return `\`${name}\` belongs ${where(elsewhere)}, not here`;
  const alias = known.find(({ alsoCalled }) => alsoCalled?.includes(name));
  const names = known.map((key) => key.name);
  const hint =
    alias === undefined
      ? meant(name, names, `the keys here are ${names.join(", ")}`)
      : `here it is called \`${alias.name}\``;
  const here = { top: "a team file", defaults: "`defaults`", agent: "an agent" }[place];
  return `${quoted(name)} is not a key of ${here}: ${hint}`;
}

function where({ places }: Key): string {
  const words = { top: "at the top of the file", defaults: "under `defaults`", agent: "under an agent" };
  return places.map((place) => words[place]).join(" or ");
}

/** Null if it is wrong, after reporting it. */
function checkedValue(key: string, shape: Shape, value: Yaml, report: Report): Value | null {
  const name = `\`${key}\``;
  switch (shape.is) {
    case "text": {
      const text = textOf(name, shape.form, value, report);
      return text === null ? null : { is: "text", text };
    }
    case "choice": {
      const text = plainText(name, value, report);
      if (text === null) return null;
      if (shape.choices.includes(text)) return { is: "text", text };
      const all = `it is one of ${shape.choices.join(", ")}`;
      return refuse(value, `${name} cannot be ${quoted(text)}: ${meant(text, shape.choices, all)}`, report);
    }
    case "flag": {
      // YAML also reads `True`.
      if (value.is === "boolean") return { is: "text", text: value.text.toLowerCase() };
      return wrong(name, value, "`true` or `false`, without quotes", report);
    }
    case "list": {
      if (value.is !== "list")
        return wrong(name, value, "a list: `[one, two]`, or one item per line after `- `", report);
      const items = value.items.map((item) => textOf(`an item of ${name}`, shape.of, item, report));
      return items.includes(null) ? null : { is: "list", items: items as string[] };
    }
    case "mapping": {
      if (value.is !== "mapping") return wrong(name, value, "a mapping: `NAME: value`, one per line", report);
      const entries = value.entries.flatMap((entry) => {
        if (!fits(shape.names, entry.key))
          refuse(entry, `refused ${quoted(entry.key)}: ${shape.names.rule}`, report);
        const form = Object.hasOwn(shape.special, entry.key) ? shape.special[entry.key]! : shape.values;
        const text = textOf(quoted(entry.key), form, entry.value, report);
        return text === null ? [] : [[entry.key, text] as const];
      });
      return { is: "mapping", entries: Object.fromEntries(entries) };
    }
    case "defaults":
      return value.is === "nothing"
        ? { is: "settings", entries: [] }
        : settingsOf(name, value, "a mapping: `model: opus`, one key per line", report);
    case "agents":
      return settingsOf(
        name,
        value,
        "a mapping: each agent's id and a colon, with its settings below",
        report,
      );
  }
}

function settingsOf(name: string, value: Yaml, wanted: string, report: Report): Value | null {
  return value.is === "mapping"
    ? { is: "settings", entries: value.entries }
    : wrong(name, value, wanted, report);
}

function textOf(name: string, form: Form, value: Yaml, report: Report): string | null {
  const text = plainText(name, value, report);
  if (text === null || fits(form, text)) return text;
  return refuse(value, `${name}: refused ${quoted(text)}: ${form.rule}`, report);
}

function plainText(name: string, value: Yaml, report: Report): string | null {
  if (value.is === "text") return value.text;
  if (value.is !== "number" && value.is !== "boolean") return wrong(name, value, "text", report);
  return refuse(
    value,
    `${name} must be text, but this is a ${value.is}: put it in quotes, "${value.text}"`,
    report,
  );
}

function wrong(name: string, value: Yaml, wanted: string, report: Report): null {
  const what = value.is === "nothing" ? "has no value" : `is a ${value.is}`;
  return refuse(value, `${name} ${what}: it must be ${wanted}`, report);
}

function refuse({ line, column }: Place, message: string, report: Report): null {
  report({ line, column, message });
  return null;
}
