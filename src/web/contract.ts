// What the server and the page say to each other. Pure: the page imports these types.
//
// - Every answer is a JSON object with `"version": 1`. A read has the same value as the `--json` of its command.
// - A failure is a `Failure`, with a status that says whose fault it is.
// - A stream sends named events; their data is JSON.

import type { AgentView, BackgroundView, TeamView } from "../fleet/view.js";
import type { Attention } from "../hive/attention.js";
import type { FleetView } from "../hive/view-fleet.js";

/** Where the page finds everything. */
export const apiRoot = "/api/v1";

export interface Failure {
  version: 1;
  error: { message: string; hint: string | null };
  /** What the command reports besides: which agents got the message, which steps failed. */
  value?: object;
}

/** `GET /api/v1/server`: what this server is and allows. */
export interface ServerFacts {
  version: 1;
  /** Of hivemind. */
  release: string;
  host: string;
  /** The config folder. */
  folder: string;
  allowsActions: boolean;
  allowsTyping: boolean;
}

/** `POST /api/v1/login`: the one-time secret of the printed address for a token. */
export interface LoginRequest {
  secret: string;
}
export interface LoginAnswer {
  version: 1;
  token: string;
}

/** How an agent is known while it moves between panes: `@id`, else its pane. */
export type AgentKey = string;

/** A team without its agents, which the delta names by key. */
export interface TeamFrame extends Omit<TeamView, "agents"> {
  agents: readonly AgentKey[];
}

/** The difference of two looks. What did not change is absent. */
export interface FleetDelta {
  teams?: readonly TeamFrame[];
  agents?: Readonly<Record<AgentKey, AgentView>>;
  background?: readonly BackgroundView[];
}

/** Who delivers and saves: this server, another process, or nobody. */
export type Worker = "this server" | "another process" | null;

export interface LookState {
  /** `2026-04-22T08:52:40.123Z` */
  lookedAt: string;
  /** Why the last look failed; null if it did not. The fleet is as old as `lookedAt`. */
  problem: string | null;
  worker: Worker;
}

export interface LoggedFact {
  at: string;
  event: string;
  args: Readonly<Record<string, unknown>>;
}

/** `GET /api/v1/stream`: the fleet, live. The first events are `fleet`, `inbox` and `look`. */
export type StreamEvent =
  | { event: "fleet"; data: FleetView }
  | { event: "delta"; data: FleetDelta }
  | { event: "inbox"; data: { items: readonly Attention[] } }
  | { event: "look"; data: LookState }
  /** New rows of the event log. */
  | { event: "facts"; data: { facts: readonly LoggedFact[] } };

/** `GET /api/v1/panes/{pane}/stream`: what one pane shows, whole, whenever it changes. */
export type PaneEvent =
  | { event: "screen"; data: PaneScreen }
  /** The pane is gone; the stream ends. */
  | { event: "gone"; data: Record<string, never> };

export interface PaneScreen {
  columns: number;
  rows: number;
  /** From 0; null if it is hidden. */
  cursor: { column: number; row: number } | null;
  /** One string per row, with SGR sequences for colours and nothing else. */
  lines: readonly string[];
}
