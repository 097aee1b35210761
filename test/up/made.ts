// Team files and the facts about them, as plain values, for tests without tmux.

import type { FleetPane } from "../../src/fleet/panes.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { projectSlug } from "../../src/names/slug.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";
import type { TeamFile, WantedAgent } from "../../src/teamfile/team-file.js";
import type { Transcript } from "../../src/transcripts/transcript.js";
import { findAgentPanes } from "../../src/up/agent-panes.js";
import { type Launch, type Launches, launchOf } from "../../src/up/launch.js";
import type { WantedFacts } from "../../src/up/wanted.js";
import { agentRow, fleetOf, madeServer, pane, transcript } from "../fleet/made.js";

export const lead = "lead" as Role;

export function agent(id: string, more: Partial<WantedAgent> = {}): WantedAgent {
  return {
    ...{ id: id as Role, kind: "demo", model: null, cwd: "/a", promptPaths: [] },
    ...{ permissionMode: null, inbound: "hold", mcp: false },
    ...{ args: [], env: {}, fork: null, worktree: null, start: "resume", restart: "never" },
    ...{ reportsTo: null, line: 1 },
    ...more,
  };
}

export function fileOf(...agents: readonly WantedAgent[]): TeamFile {
  const place = { path: "/a/hivemind.yaml", written: "/a", folder: "/a" };
  return {
    ...place,
    project: "shop",
    team: "web" as TeamName,
    layout: "tiled",
    adopts: false,
    agents,
    notes: [],
  };
}

/** A pane with its session, and how its agent was started. */
export type SeatedPane = [FleetPane, SessionId | null, "stable", Launch | null];

/** A pane of the team in which this agent was started; without a session it has ended. */
export function seated(
  at: number,
  wanted: WantedAgent,
  session: SessionId | null,
  more: Partial<FleetPane> & { launched?: Partial<Launch> | null } = {},
): SeatedPane {
  const { launched = {}, ...facts } = more;
  const id = `%${at}` as PaneId;
  const launch = { ...launchOf("shop", wanted, wanted.cwd, null), ...launched };
  const address = `web:0.${at}` as const;
  const ended = { dead: true, deadStatus: 1, process: null, kind: "shell", startCommand: "" };
  const made = pane(address, {
    ...{ kind: wanted.kind, dead: false, startCommand: "env node", command: "node" },
    ...(session === null ? ended : {}),
    agent: agentRow(address, wanted.id, { id: idAt(at), session, seat: { server: madeServer, pane: id } }),
    ...facts,
  } as Partial<FleetPane>);
  return [{ ...made, id }, session, "stable", launched === null ? null : launch];
}

/** The id of the agent in this pane. */
export function idAt(at: number): AgentId {
  return String.fromCharCode(97 + at).repeat(10) as AgentId;
}

/** The transcript of this session, under this folder. */
export function written(id: SessionId, cwd = "/a"): Transcript {
  const path = `/claude/projects/${projectSlug(cwd)}/${id}.jsonl`;
  return { ...transcript(1, { firstCwd: cwd, lastCwd: cwd, messages: 2 }), id, path };
}

export function launchesOf(found: readonly SeatedPane[]): Launches {
  return new Map(
    found.flatMap(([{ agent: row }, , , launch]) => (launch === null ? [] : [[row!.id, launch] as const])),
  );
}

export function factsOf(
  file: TeamFile,
  found: readonly SeatedPane[] = [],
  transcripts: readonly Transcript[] = [],
  more: Partial<WantedFacts> = {},
  absent: readonly AgentRow[] = [],
): WantedFacts {
  const fleet = fleetOf(
    transcripts,
    found.map(([each, session, state]) => [each, session, state]),
    absent,
  );
  return {
    env: { HOME: "/home/me" },
    fleet,
    seats: findAgentPanes(file, fleet, launchesOf(found)),
    moved: [],
    realFolder: (path) => (path.startsWith("/gone") ? null : path.replace(/^\/link/, "/a")),
    textOf: (path) => (path.startsWith("/gone") ? null : `words of ${path}`),
    kindOf: () => "nothing",
    worktreeOf: () => null,
    ...more,
  };
}
