// Team files and what is found of them, as plain values, for tests that need no tmux.

import type { FleetPane } from "../../src/fleet/panes.js";
import type { PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { projectSlug } from "../../src/names/slug.js";
import type { TeamFile, WantedAgent } from "../../src/teamfile/team-file.js";
import type { Transcript } from "../../src/transcripts/transcript.js";
import { formatLaunch, type Launch, launchOf } from "../../src/up/launch.js";
import { findSeats } from "../../src/up/seats.js";
import type { WantedFacts } from "../../src/up/wanted.js";
import { fleetOf, pane, transcript } from "../fleet/made.js";

export const lead = "lead" as Role;

export function agent(id: string, more: Partial<WantedAgent> = {}): WantedAgent {
  return {
    ...{ id: id as Role, kind: "demo", model: null, cwd: "/a", promptPaths: [], permissionMode: null },
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

/** A pane of the team in which this agent was started; with no session it has ended. */
export function seated(
  at: number,
  wanted: WantedAgent,
  session: SessionId | null,
  more: Partial<FleetPane> & { launched?: Partial<Launch> | null } = {},
): [FleetPane, SessionId | null, "stable"] {
  const { launched = {}, ...facts } = more;
  const id = `%${at}` as PaneId;
  const launch = { ...launchOf("shop", wanted, wanted.cwd, null), ...launched };
  const address = `web:0.${at}` as const;
  const ended = { dead: true, deadStatus: 1, process: null, kind: "shell", startCommand: "" };
  const made = pane(address, {
    ...{ kind: wanted.kind, dead: false, startCommand: "env node", command: "node" },
    ...(session === null ? ended : {}),
    launch: launched === null ? "" : formatLaunch(id, launch),
    mark: { address, role: wanted.id },
    ...facts,
  } as Partial<FleetPane>);
  return [{ ...made, id }, session, "stable"];
}

/** Of this session, under this folder. */
export function written(id: SessionId, cwd = "/a"): Transcript {
  const path = `/claude/projects/${projectSlug(cwd)}/${id}.jsonl`;
  return { ...transcript(1, { firstCwd: cwd, lastCwd: cwd, messages: 2 }), id, path };
}

export function factsOf(
  file: TeamFile,
  found: Parameters<typeof fleetOf>[1] = [],
  transcripts: readonly Transcript[] = [],
  more: Partial<WantedFacts> = {},
): WantedFacts {
  const fleet = fleetOf(transcripts, found);
  return {
    env: { HOME: "/home/me" },
    fleet,
    seats: findSeats(file, fleet, { roles: [], sessions: [] }),
    moved: [],
    stood: [],
    realFolder: (path) => (path.startsWith("/gone") ? null : path.replace(/^\/link/, "/a")),
    textOf: (path) => (path.startsWith("/gone") ? null : `words of ${path}`),
    kindOf: () => "nothing",
    worktreeOf: () => null,
    ...more,
  };
}
