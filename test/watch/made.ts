// A fleet in memory over real stores: what the loop looks at in a test that needs no tmux.

import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import type { AgentId } from "../../src/names/agent-id.js";
import { addressOf, type PaneAddress, type PaneId, type Role, type TeamName } from "../../src/names/gates.js";
import { openStores, type Stores } from "../../src/stores/stores.js";
import { saveFleet } from "../../src/teams/snapshot/save.js";
import { placesOf } from "../../src/tmux/glance.js";
import type { WatchWorld } from "../../src/watch/world.js";
import { agentRow, fleetOf, madeServer, pane } from "../fleet/made.js";
import type { TestHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

export interface Stage {
  world: WatchWorld;
  stores: Stores;
  /** How often each was called. */
  calls: Record<string, number>;
  /** What the agents are: changed by the test between turns. */
  agents: FleetPane[];
}

const team = "web" as TeamName;

/** A registered team of idle agents whose rows are all as they should be. */
export async function stageOf(home: TestHome, count: number): Promise<Stage> {
  const stores = openStores(home.env);
  const places = Array.from({ length: count }, (_, at) => addressOf(team, at, 0));
  const agents = places.map((address, at) => agentAt(address, at));
  await stores.teams.update(() => [{ team, description: "" }]);
  await stores.roles.update(() => places.map((each, at) => ({ pane: each, role: roleOf(at), epoch: 1 })));
  await stores.sessions.update(() => places.map((each, at) => ({ pane: each, uuid: idOf(at) })));
  const row = { at: "2026-01-01T00:00:00Z", state: "stable", parent: null } as const;
  await stores.forks.append(
    places.map((each, at) => ({ ...row, pane: each, role: roleOf(at), uuid: idOf(at) })),
  );

  const calls: Record<string, number> = {};
  const count1 = (name: string) => {
    calls[name] = (calls[name] ?? 0) + 1;
  };
  const world: WatchWorld = {
    stores,
    hostName: "box",
    async observe() {
      count1("observe");
      return fleetWith(agents);
    },
    async isStill({ places }) {
      count1("glance");
      return places === placesOf(fleetWith(agents).panes);
    },
    async screens() {
      count1("screens");
      return new Map();
    },
    changing: () => new Set(),
    folders: () => [stores.paths.folder, stores.paths.queueFolder, stores.paths.hookFolder],
    holdRequests: () => {},
    async refresh() {
      count1("refresh");
    },
    async drain() {
      count1("drain");
      return { fates: [], stopped: null };
    },
    async heal() {
      count1("heal");
      return true;
    },
    async save(fleet, teams) {
      count1("save");
      return saveFleet(stores, fleet, { teams, isAutosave: true });
    },
    async size() {
      count1("size");
      return { detached: [], grown: [], stuck: [] };
    },
    async show() {
      count1("show");
    },
    async hide() {},
    async repair() {
      count1("repair");
      return null;
    },
  };
  return { world, stores, calls, agents };
}

function fleetWith(agents: readonly FleetPane[]): Fleet {
  const found = agents.map((each, at) => [each, idOf(at), "stable"] as const);
  const fleet = fleetOf(
    [],
    found.map(([each, uuid, state]) => [each, uuid, state]),
  );
  return {
    ...fleet,
    server: {
      pid: 1,
      startedAtMs: 0,
      socketPath: "/s",
      version: "3.3a",
      ...{ shows: "", status: "", statusUntil: "" },
      choice: { flags: [], isNamed: false },
    },
  };
}

/** The id of the agent with this number. */
export function agentId(at: number): AgentId {
  return [...String(at).padStart(10, "0")].map((digit) => "abcdefghij"[Number(digit)]).join("") as AgentId;
}

/** It sits in its pane, and the pane carries what the roster says. */
function agentAt(address: PaneAddress, at: number): FleetPane {
  const id = `%${at}` as PaneId;
  const role = roleOf(at);
  const facts = { id: agentId(at), session: idOf(at), seat: { server: madeServer, pane: id }, epoch: 1 };
  const known = {
    agent: agentRow(address, role, facts),
    agentOption: `${id}|${agentId(at)}`,
    hivemind: `${id}|${address}|${role}`,
    team: `$1|${team}`,
  };
  const shape = { windowIndex: at, paneIndex: 0, windowName: "w", windowLayout: "l", command: "demo" };
  const text = { title: "t", startCommand: "", dead: false, deadStatus: null, folder: null, name: null };
  const live = { activity: "idle", waitingFor: null };
  return { ...pane(address, { ...shape, ...text, live, ...known } as unknown as Partial<FleetPane>), id };
}

function roleOf(at: number): Role {
  return `agent${at}` as Role;
}
