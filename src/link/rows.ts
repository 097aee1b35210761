// What hosts write about themselves and their agents, and how others read it. Pure.
//
// [FR1] A row of another host is foreign text: each field passes its own gate, and a field that does not is null. The
//       host comes from the key, which the server lets only that host write.
// [FR2] Nothing of a conversation is in a row: no title, no words, no question, and of a folder only its name.

import { basename } from "node:path";
import { harmless } from "../base/text/escape-terminal.js";
import { jsonObject } from "../base/text/json-object.js";
import { parseUtc } from "../base/text/utc.js";
import type { AgentView, BackgroundView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import { limits } from "../limits.js";
import { type AgentId, isAgentId } from "../names/agent-id.js";
import { type Host, isRole, type Role, readSessionId, type SessionId } from "../names/gates.js";
import { type Kind, kinds } from "../names/kind.js";

/** The lease of a host. */
export interface HostRow {
  /** One config folder on one machine. */
  instance: string;
  /** Null in the first write of a lease, whose own revision it is. */
  epoch: number | null;
  /** The machine's own name. */
  machine: string;
  /** Of hivemind. */
  version: string;
}

/** What stays of a host when its lease is gone. */
export interface SignRow extends Pick<HostRow, "machine" | "version"> {
  /** Its worker ended in order; its agents may run on. */
  isStopped: boolean;
}

/** An agent of any host, as its host published it. */
export interface FarAgent {
  host: Host;
  /** Null for a client that the roster of its host does not know. */
  agent: AgentId | null;
  team: string | null;
  role: Role | null;
  kind: Kind | null;
  session: SessionId | null;
  /** Its address there; null without a pane. */
  pane: string | null;
  standing: FarStanding | null;
  activity: string | null;
  since: string | null;
  /** When a limit ends. */
  until: string | null;
  /** Requests that wait for a person. */
  asks: number;
  queued: number;
  model: string | null;
  context: { used: number; window: number | null } | null;
  /** The name of the folder it works in, without its path. */
  folder: string | null;
  /** When its host wrote this, by the server's clock. */
  writtenAtMs: number;
}

const standings = ["present", "elsewhere", "away", "background"] as const;
export type FarStanding = (typeof standings)[number];

export type AgentFields = Omit<FarAgent, "host" | "writtenAtMs">;

/** The key of a host's sign, beside those of its agents, which have ten letters. */
export const signKey = "host";

/** The rows of a look, by the last word of their key. Panes without an agent have none. */
export function rowsOf({ teams, background }: FleetView): Map<string, AgentFields> {
  const rows = new Map<string, AgentFields>();
  for (const { team, agents } of teams)
    for (const agent of agents) {
      const key = keyOf(agent);
      if (key !== null) rows.set(key, fieldsOf(agent, team));
    }
  for (const each of background) rows.set(`bg-${each.uuid}`, inBackground(each));
  return rows;
}

function keyOf({ agent, kind, paneId }: AgentView): string | null {
  if (agent !== null) return agent;
  return paneId === null || kind === null || kind === "shell" || kind === "monitor"
    ? null
    : `pane-${paneId.slice(1)}`;
}

function fieldsOf(view: AgentView, team: string): AgentFields {
  const { agent, role, kind, uuid, pane, standing, activity, since, until, model, context, queued } = view;
  return {
    ...{ agent, team, role, kind, standing, activity, since, until, model, context, queued },
    session: readSessionId(uuid),
    pane: pane || null,
    asks: view.requests.length,
    folder: view.cwd === null ? null : basename(view.cwd),
  };
}

function inBackground({ uuid, name, kind, activity, model, context, cwd, requests }: BackgroundView) {
  return {
    ...{ agent: null, team: null, kind, session: uuid, pane: null, activity, model, context },
    role: name !== null && isRole(name) ? name : null,
    standing: "background" as const,
    ...{ since: null, until: null, asks: requests.length, queued: 0 },
    folder: cwd === null ? null : basename(cwd),
  };
}

/** The conversations that are open in a look: their programs run. */
export function openSessions({ teams, background }: FleetView): Map<SessionId, Claimant> {
  const open = new Map<SessionId, Claimant>();
  for (const { team, agents } of teams)
    for (const { uuid, paneId, kind, activity, role } of agents) {
      const session = readSessionId(uuid);
      const isRunning = paneId !== null && kind !== null && kind !== "shell" && activity !== "crashed";
      if (session !== null && isRunning) open.set(session, { role, team });
    }
  for (const { uuid } of background) open.set(uuid, { role: null, team: null });
  return open;
}

export interface Claimant {
  role: string | null;
  team: string | null;
}

export const textOf = (row: object): Uint8Array => Buffer.from(JSON.stringify({ v: 1, ...row }));

/** Null for what is no row. */
export function readAgentRow(host: Host, bytes: Uint8Array, writtenAtMs: number): FarAgent | null {
  const row = rowIn(bytes);
  if (row === null) return null;
  const { context } = row;
  const isPair = typeof context === "object" && context !== null;
  const { used, window } = (isPair ? context : {}) as Record<string, unknown>;
  return {
    host,
    agent: typeof row.agent === "string" && isAgentId(row.agent) ? row.agent : null,
    team: readText(row.team),
    role: typeof row.role === "string" && isRole(row.role) ? row.role : null,
    kind: oneOf(kinds, row.kind),
    session: readSessionId(row.session),
    pane: readText(row.pane),
    standing: oneOf(standings, row.standing),
    activity: typeof row.activity === "string" && /^[a-z-]{1,20}$/.test(row.activity) ? row.activity : null,
    since: readTime(row.since),
    until: readTime(row.until),
    asks: readCount(row.asks) ?? 0,
    queued: readCount(row.queued) ?? 0,
    model: readText(row.model),
    context: readCount(used) === null ? null : { used: readCount(used)!, window: readCount(window) },
    folder: readText(row.folder),
    writtenAtMs,
  };
}

export function readHostRow(bytes: Uint8Array): HostRow | null {
  const row = rowIn(bytes);
  if (row === null || typeof row.instance !== "string" || !/^[0-9a-f]{32}$/.test(row.instance)) return null;
  return {
    instance: row.instance,
    epoch: readCount(row.epoch),
    machine: readText(row.machine) ?? "",
    version: readText(row.version) ?? "",
  };
}

export function readSignRow(bytes: Uint8Array): SignRow | null {
  const row = rowIn(bytes);
  if (row === null) return null;
  return {
    machine: readText(row.machine) ?? "",
    version: readText(row.version) ?? "",
    isStopped: row.isStopped === true,
  };
}

export function rowIn(bytes: Uint8Array): Record<string, unknown> | null {
  if (bytes.length > limits.farRowBytes) return null;
  const row = jsonObject(Buffer.from(bytes).toString("utf8"));
  return row?.v === 1 ? row : null;
}

export function readText(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return null;
  return harmless(value.slice(0, limits.farTextLength));
}

export function readCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function readTime(value: unknown): string | null {
  return typeof value === "string" && parseUtc(value) !== null ? value : null;
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return (words as readonly unknown[]).includes(value) ? (value as Word) : null;
}
