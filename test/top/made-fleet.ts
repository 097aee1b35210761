// A fleet as a value, with an agent in each activity, and a driver for what `top` makes of it.

import type { AgentView, TeamView } from "../../src/fleet/view.js";
import type { Attention } from "../../src/hive/attention.js";
import type { FleetView } from "../../src/hive/view-fleet.js";
import type { HostState } from "../../src/link/read-fleet.js";
import type { FarAgent } from "../../src/link/rows.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { Host, Role, SessionId } from "../../src/names/gates.js";
import { frameOf } from "../../src/top/screen/frame-of.js";
import { initialState, type TopState } from "../../src/top/state.js";
import { plainLine } from "../../src/top/terminal/frame.js";
import { lineText } from "../../src/top/terminal/sgr.js";
import { type TopEvent, update } from "../../src/top/update.js";
import type { Effect } from "../../src/top/updated.js";

export const nowMs = Date.parse("2026-11-18T12:00:00Z");
const id = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z2-7]/g, "a")
    .padEnd(10, "a")
    .slice(0, 10) as AgentId;

let panes = 0;

export function agent(
  role: string,
  activity: AgentView["activity"],
  facts: Partial<AgentView> = {},
): AgentView {
  const number = ++panes;
  return {
    ...{
      agent: id(role),
      standing: "present",
      pane: `shop:0.${number}`,
      paneId: `%${number}`,
      role: role as Role,
    },
    ...{ kind: "demo", uuid: "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId, state: "live", activity },
    ...{ since: "2026-11-18T11:56:00Z", waitingFor: null, requests: [], about: null, until: null },
    activityEvidence: [
      { source: "registry", activity: activity ?? "unknown", chosen: true, reason: "the client's registry" },
    ],
    ...{ model: "claude-opus-4-8", context: { used: 84_000, window: 200_000 }, queued: 0 },
    ...{ cwd: "/srv/shop", title: `✳ ${role}`, lastWords: "All tests are green." },
    ...facts,
  };
}

const asked = {
  ...{
    id: "req-k3j5n2ab" as const,
    since: "2026-11-18T11:59:48Z",
    tool: "Bash",
    line: "npm publish --dry-run",
  },
  ...{ questions: [], rules: ["allow Bash(npm publish:*) for this session"], subAgent: null, isPlain: true },
};

export function madeFleet(): FleetView {
  panes = 0;
  const team = (name: string, agents: AgentView[], facts: Partial<TeamView> = {}): TeamView => ({
    ...{ team: name, running: true, registered: true, active: false, description: null, agents },
    ...facts,
  });
  return {
    teams: [
      team("api", [agent("lead", "idle"), agent("builder", "busy", { queued: 3 })], {
        description: "The API",
      }),
      team("shop", [
        agent("architect", "idle", { context: { used: 191_000, window: 200_000 } }),
        agent("tester", "waiting", {
          ...{ since: asked.since, waitingFor: "Bash: npm publish --dry-run", requests: [asked] },
        }),
        agent("東京", "limited", { about: "5-hour limit", context: null }),
        agent("porter", "error", { about: "API Error: 500", lastWords: null }),
        agent("archivist", null, { standing: "away", paneId: null, pane: "", since: null, context: null }),
      ]),
    ],
    background: [],
  };
}

export function madeAttention(fleet: FleetView): Attention[] {
  const tester = fleet.teams.flatMap(({ agents }) => agents).find(({ role }) => role === "tester");
  if (tester === undefined) return [];
  const { agent: agentId, pane, paneId } = tester;
  const request = { ...asked, lines: ["npm publish --dry-run", "# Try the release"] };
  return [{ kind: "request", who: "tester", team: "shop", agent: agentId, pane, paneId, request }];
}

function farHost(host: string, facts: Partial<HostState> = {}): HostState {
  return {
    ...{ host: host as Host, isReached: true, isStopped: false, seenAtMs: nowMs - 2_000, ageMs: 2_000 },
    ...{ machine: `${host}-box`, version: "0.2.0", agents: 1, unreadable: 0 },
    ...facts,
  };
}

export function farAgent(
  host: string,
  role: string,
  activity: string,
  facts: Partial<FarAgent> = {},
): FarAgent {
  return {
    ...{ host: host as Host, agent: id(role), team: "shop", role: role as Role, kind: "demo", session: null },
    ...{ pane: "shop:0.1", standing: "present", activity, since: null, until: null, asks: 0, queued: 0 },
    ...{ model: "claude-opus-4-8", context: { used: 84_000, window: 200_000 }, folder: "shop" },
    writtenAtMs: nowMs - 240_000,
    ...facts,
  };
}

/** Three other hosts: one at rest, one with an agent that waits, one that is not reached. */
export function madeFar() {
  return {
    hosts: [
      farHost("alpha"),
      farHost("beta", { agents: 2 }),
      farHost("gone", { isReached: false, seenAtMs: nowMs - 480_000 }),
    ],
    agents: [
      farAgent("beta", "lead", "idle"),
      farAgent("beta", "tester", "waiting", {
        ...{ pane: "shop:0.2", asks: 1, queued: 2, writtenAtMs: nowMs - 12_000 },
        context: { used: 191_000, window: 200_000 },
      }),
      farAgent("alpha", "scout", "busy"),
      farAgent("gone", "ghost", "waiting", { asks: 1 }),
    ],
    ...{ serverMs: nowMs, readAtMs: nowMs },
  };
}

/** What a host answers about the request of its agent `tester`, with names that can be typed here. */
export function farAsks(host: string, lines: readonly string[]): Attention[] {
  const names = { who: `tester@${host}`, agent: `${id("tester")}@${host}` as AgentId, paneId: `%2@${host}` };
  const request = { ...asked, id: `${asked.id}@${host}` as typeof asked.id, lines: [...lines] };
  return [{ ...names, kind: "request", team: "shop", pane: "shop:0.2", request }];
}

/** Presses keys, and shows what came of it. */
export function driver(columns: number, rows: number, fleet: FleetView | null = madeFleet()) {
  let state: TopState = initialState(columns, rows, nowMs);
  const effects: Effect[] = [];
  const on = (event: TopEvent) => {
    const updated = update(state, event);
    state = updated.state;
    effects.push(...updated.effects);
  };
  const drive = {
    on(event: TopEvent) {
      on(event);
      return drive;
    },
    /** `C-u` is Ctrl-U; everything else is a key's name. */
    press(...keys: string[]) {
      for (const key of keys) {
        const isCtrl = /^C-./.test(key);
        const name = isCtrl ? key.slice(2) : key;
        on({ kind: "key", name, text: [...name].length === 1 && !isCtrl ? name : "", isCtrl, isAlt: false });
      }
      return drive;
    },
    type(text: string) {
      return drive.press(...text);
    },
    state: () => state,
    effects: () => effects.splice(0),
    lines: () => frameOf(state).lines.map(plainLine),
    text: () =>
      drive
        .lines()
        .map((line) => line.trimEnd())
        .join("\n"),
    coloured: (isColoured: boolean) =>
      frameOf(state)
        .lines.map((line) => lineText(line, { isColoured }))
        .join("\n"),
    cursor: () => frameOf(state).cursor,
  };
  if (fleet !== null)
    drive.on({
      kind: "looked",
      fleet,
      attention: madeAttention(fleet),
      worker: "watcher",
      comeback: null,
      nowMs,
    });
  return drive;
}
