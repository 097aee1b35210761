// The fields of rows: the checks of names/ in the form that a row parser needs.

import { parseUtc } from "../../base/text/utc.js";
import { type AgentId, isAgentId } from "../../names/agent-id.js";
import {
  isField,
  isPaneAddress,
  isProjectId,
  isRole,
  isTeamName,
  type PaneAddress,
  paneAddress,
  type Role,
  readSessionId,
  type SessionId,
  type TeamName,
} from "../../names/gates.js";
import type { RowFormat } from "./row-lines.js";

/** The value of a field's text; undefined for an invalid text. */
export type Read<Value> = (text: string) => Value | undefined;

export const readTeam: Read<TeamName> = (text) => (isTeamName(text) ? text : undefined);
export const readRole: Read<Role> = (text) => (isRole(text) ? text : undefined);
export const readAgent: Read<AgentId> = (text) => (isAgentId(text) ? text : undefined);
export const readProject: Read<string> = (text) => (isProjectId(text) ? text : undefined);
export const readText: Read<string> = (text) => (isField(text) ? text : undefined);
export const readFolder: Read<string> = (text) => (text.startsWith("/") ? readText(text) : undefined);
/** UTC, `…Z`. */
export const readTime: Read<string> = (text) => (parseUtc(text) === null ? undefined : text);
/** In canonical spelling: `a:00.1` is `a:0.1`. */
export const readPane: Read<PaneAddress> = (text) => (isPaneAddress(text) ? paneAddress(text) : undefined);
/** Upper case is accepted for the same session. */
export const readSession: Read<SessionId> = (text) => readSessionId(text) ?? undefined;
/** An integer from 0. */
export const readCount: Read<number> = (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

export function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (text) => words.find((word) => word === text);
}

/** An empty field is null. */
export function optional<Value>(read: Read<Value>): Read<Value | null> {
  return (text) => (text === "" ? null : read(text));
}

/** A row with its fields between `|`, in the order of `fields`. The last ones may be missing, down to `atLeast`. */
export function rowFormat<Row extends object>(
  rule: string,
  fields: { readonly [Name in keyof Row]: Read<Row[Name]> },
  key: (row: Row) => string,
  atLeast = Object.keys(fields).length,
): RowFormat<Row> {
  const names = Object.keys(fields) as (keyof Row)[];
  return {
    rule,
    parse(line) {
      const texts = line.split("|");
      if (texts.length < atLeast || texts.length > names.length) return rule;
      const row: Partial<Row> = {};
      for (const [at, name] of names.entries()) {
        const value = fields[name](texts[at] ?? "");
        if (value === undefined) return rule;
        row[name] = value;
      }
      return row as Row;
    },
    format: (row) => names.map((name) => row[name] ?? "").join("|"),
    key,
  };
}
