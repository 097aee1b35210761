import { describe, expect, test } from "vitest";
import { fleetOf, pane } from "../../test/fleet/made.js";
import type { HiveEvent } from "../events/event.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { clearPlaces, type Naming, refuseKept, wayBack } from "./kept.js";
import type { TeamWorld } from "./world.js";

/** Every tmux session was created at 100 s, and is looked at at 300. */
const sessionCreatedMs = 100_000;
const [earlier, during] = [99, 200];

interface Given {
  /** Address → the role of the pane's mark, null for none. */
  panes: Record<string, string | null>;
  /** Address → role, and when it was written. */
  roles?: Record<string, readonly [string, number]>;
  /** Where S2 has a session. */
  sessions?: readonly string[];
}

function worldOf({ panes, roles = {}, sessions = [] }: Given) {
  const events: HiveEvent[] = [];
  const rows = {
    roles: Object.entries(roles).map(([at, [role, epoch]]) => ({ pane: at, role, epoch })),
    sessions: sessions.map((at) => ({ pane: at, uuid: `of-${at}` })),
  };
  const stores = {
    roles: { read: () => ({ rows: rows.roles }) },
    sessions: { read: () => ({ rows: rows.sessions }) },
  };
  const emit = async (event: HiveEvent) => void events.push(event);
  const made = Object.entries(panes).map(([at, role]) =>
    pane(at, {
      sessionCreatedMs,
      name: null,
      title: "",
      mark: role && { address: at, role },
    } as Partial<FleetPane>),
  );
  const seen: Panes = { ...fleetOf([]), panes: made, takenAtMs: 300_000 };
  return { world: { stores, emit } as unknown as TeamWorld, seen, events };
}

/** Each name is an address, a role, and a session where one is known. */
async function named(given: Given, ...names: string[]) {
  const { world, seen, events } = worldOf(given);
  const namings = names.map((words) => {
    const [pane, role, uuid = null] = words.split(" ");
    return { pane, role, uuid } as Naming;
  });
  const refused = await clearPlaces(world, seen, namings).then(
    () => null,
    (error: Error) => error.message,
  );
  return { refused, told: events.map(({ name, ...facts }) => [name, ...Object.values(facts)].join(" ")) };
}

describe("who gets a name where it stands", () => {
  const both = { "a:0.0": "lead", "a:0.1": null };
  test.each<[string, Given, string[], string | null, string[]]>([
    ["[KP4] finds nothing where nothing is", { panes: both }, ["a:0.1 foo"], null, []],
    [
      "[KP4] keeps what its own mark speaks for",
      { panes: both, roles: { "a:0.0": ["po", earlier] } },
      ["a:0.0 foo"],
      null,
      [],
    ],
    [
      "[KP4] gets nothing of one whose pane is gone",
      { panes: both, roles: { "a:0.1": ["dev", during] }, sessions: ["a:0.1"] },
      ["a:0.0 foo", "a:0.1 dev"],
      null,
      ["agent.killed a:0.1 unasked"],
    ],
    [
      "[KP3] does not take the place of one who can come back",
      { panes: both, roles: { "a:0.1": ["dev", earlier] } },
      ["a:0.1 foo"],
      "a:0.1 is kept for dev, who was not brought back",
      [],
    ],
    [
      "[KP3] not even by that one's name, while a conversation waits there",
      { panes: both, roles: { "a:0.1": ["dev", earlier] }, sessions: ["a:0.1"] },
      ["a:0.1 dev"],
      "a:0.1 is kept for dev, who was not brought back",
      [],
    ],
    [
      "[KP3] nor in another conversation",
      { panes: both, roles: { "a:0.1": ["dev", earlier] }, sessions: ["a:0.1"] },
      ["a:0.1 dev other"],
      "a:0.1 is kept for dev, who was not brought back",
      [],
    ],
    [
      "[KP3] but is that one in the very conversation",
      { panes: both, roles: { "a:0.1": ["dev", earlier] }, sessions: ["a:0.1"] },
      ["a:0.1 dev of-a:0.1"],
      null,
      [],
    ],
    [
      "[KP3] or where nothing but its name waits",
      { panes: both, roles: { "a:0.1": ["dev", earlier] } },
      ["a:0.1 dev other"],
      null,
      [],
    ],
    [
      "[KP3] nor one where only a session waits with the others of its team",
      { panes: both, roles: { "a:0.2": ["dev", earlier] }, sessions: ["a:0.1"] },
      ["a:0.1 dev"],
      "a:0.1 is kept for one who was not brought back",
      [],
    ],
    [
      "[KP3] where one of several is refused, nothing is told of the others",
      {
        panes: { ...both, "a:0.2": null },
        roles: { "a:0.1": ["qa", during], "a:0.2": ["dev", earlier] },
      },
      ["a:0.1 foo", "a:0.2 bar"],
      "a:0.2 is kept for dev, who was not brought back",
      [],
    ],
  ])("%s", async (_, given, places, refused, told) =>
    expect(await named(given, ...places)).toEqual({ refused, told }),
  );
});

test("[KP1] a new agent takes the place that is kept for its very role", () => {
  const { world, seen } = worldOf({ panes: { "a:0.0": null }, roles: { "a:0.0": ["po", earlier] } });
  const rows = { roles: world.stores.roles.read().rows, sessions: [] };
  const start = (role: string | null) => () => refuseKept(seen, rows, "a:0.0" as PaneAddress, role as Role);
  expect(start("po")).not.toThrow();
  expect(start("dev")).toThrow("kept for po");
  expect(start(null)).toThrow("kept for po");
});

test.each<[string, string | null, string | null, string]>([
  [
    "the name is free, where nothing of the team runs",
    null,
    "a:0.0",
    "free its name: tmux rename-session -t '=a' NAME – then: hivemind team restart a",
  ],
  ["nothing else has to be done, where something runs", "lead", null, "hivemind teams restore --team a"],
  [
    "the place is free, where somebody stands there",
    "lead",
    "a:0.1",
    "free its place: hivemind agent kill a:0.1 – then: hivemind teams restore --team a",
  ],
])("[KP2] who was not brought back comes once %s", (_, mark, taken, way) => {
  const { seen } = worldOf({ panes: { "a:0.0": mark, "a:0.1": null } });
  expect(wayBack(seen, "a" as TeamName, taken as PaneAddress | null)).toBe(way);
});
