// The gates: every name is validated where it enters the program, before anything is written or run.
//
// [G1] A gate returns a valid value in canonical form. Any other value is an error with the rule and the value.
// [G2] A valid value contains no row delimiter, line break or control character.
// [G3] A gate checks the form only. The command checks whether the thing exists.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";
import { type AgentKind, idForms } from "./kind.js";

/** tmux's own id of a pane, `%5`. It never changes while the pane lives. */
export type PaneId = `%${number}`;
/**
 * The address of a pane, `team:window.pane`. It changes when panes move, so it is resolved to an id before any
 * action.
 */
export type PaneAddress = `${string}:${number}.${number}`;
/** The id of a conversation: a UUID, or the form of a kind that has its own. */
export type SessionId = string & { readonly brand: "SessionId" };
/** A tmux session's name that may be registered. */
export type TeamName = string & { readonly brand: "TeamName" };
/** An agent's name in its team. */
export type Role = string & { readonly brand: "Role" };
export type Host = string & { readonly brand: "Host" };

const teamForm = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
const roleForm = /^[A-Za-z][A-Za-z0-9._-]*$/;
const addressForm = /^([A-Za-z0-9_][A-Za-z0-9_-]*):(\d{1,5})\.(\d{1,5})$/;
const paneIdForm = /^%\d{1,9}$/;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** OpenCode's own ids. Their case counts. */
const sesForm = /^ses_[0-9A-Za-z]{12,40}$/;
const hostForm = /^[A-Za-z0-9._][A-Za-z0-9._-]*$/;
const projectForm = /^[A-Za-z0-9._-]+$/;

/** The rules in words, for messages and documentation. */
export const rules = {
  team: `a team name is letters, digits, _ and -, does not start with -, and has at most ${limits.teamNameLength} characters`,
  role: `a role starts with a letter, continues with letters, digits, . _ -, and has at most ${limits.roleLength} characters`,
  pane: "a pane is team:window.pane (web4team:0.1) or tmux's id (%5)",
  session: "a session id is a UUID, 8-4-4-4-12 hexadecimal digits, or OpenCode's ses_ and letters and digits",
  project: `a project id is letters, digits, . _ -, and has at most ${limits.projectLength} characters`,
  host: `a host is letters, digits, . _ -, does not start with -, and has at most ${limits.hostLength} characters`,
  field: `a field has no "|", line break or control character, and at most ${limits.fieldLength} characters`,
} as const;

export function isTeamName(value: string): value is TeamName {
  return value.length <= limits.teamNameLength && teamForm.test(value);
}

export function isRole(value: string): value is Role {
  return value.length <= limits.roleLength && roleForm.test(value);
}

export function isPaneId(value: string): value is PaneId {
  return paneIdForm.test(value);
}

export function isPaneAddress(value: string): value is PaneAddress {
  const match = addressForm.exec(value);
  return match !== null && isTeamName(match[1]!);
}

export function isSessionId(value: string): value is SessionId {
  return isUuid(value) || sesForm.test(value);
}

export function isUuid(value: string): value is SessionId {
  return uuidForm.test(value) && value === value.toLowerCase();
}

/** Whether agents of this kind can have a session of this id. */
export function isSessionOf(kind: AgentKind, value: string): value is SessionId {
  return idForms[kind] === "ses" ? sesForm.test(value) : idForms[kind] === "uuid" && isUuid(value);
}

/** A value that fits into a row: no delimiter, no line break, no terminal control. */
export function isField(value: string): boolean {
  return value.length <= limits.fieldLength && !/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value);
}

export const teamName = gate<TeamName>("team", isTeamName);
export const role = gate<Role>("role", isRole);
export const projectId = gate<string>("project", isProjectId);
export const field = gate<string>("field", isField);
export const hostName = gate<Host>("host", isHost);

export function paneAddress(value: string): PaneAddress {
  return isPaneAddress(value) ? canonicalAddress(value) : refuse("pane", value);
}

/** Accepts both forms of naming a pane. */
export function paneName(value: string): PaneId | PaneAddress {
  return isPaneId(value) ? value : paneAddress(value);
}

export function sessionId(value: string): SessionId {
  return readSessionId(value) ?? refuse("session", value);
}

/** For a value from a foreign file; null if it is not a session id. A UUID in upper case is the same session. */
export function readSessionId(value: unknown): SessionId | null {
  if (typeof value !== "string") return null;
  if (uuidForm.test(value)) return value.toLowerCase() as SessionId;
  return sesForm.test(value) ? (value as SessionId) : null;
}

export function isProjectId(value: string): boolean {
  return value.length <= limits.projectLength && projectForm.test(value);
}

export function isHost(value: string): value is Host {
  return value.length <= limits.hostLength && hostForm.test(value);
}

export function addressParts(address: PaneAddress): { team: TeamName; window: number; pane: number } {
  const match = addressForm.exec(address);
  if (match === null) return refuse("pane", address);
  return { team: match[1] as TeamName, window: Number(match[2]), pane: Number(match[3]) };
}

export function addressOf(team: string, window: number, pane: number): PaneAddress {
  return `${team}:${window}.${pane}`;
}

/** `a:00.1` and `a:0.1` are one pane; rows must not have two spellings of it. */
function canonicalAddress(value: PaneAddress): PaneAddress {
  const { team, window, pane } = addressParts(value);
  return addressOf(team, window, pane);
}

function gate<Name extends string>(rule: keyof typeof rules, is: (value: string) => boolean) {
  return (value: string): Name => (is(value) ? (value as Name) : refuse(rule, value));
}

function refuse(rule: keyof typeof rules, value: string): never {
  const shown = value.length > 80 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  throw new HiveError(`refused "${harmless(shown)}": ${rules[rule]}`);
}
