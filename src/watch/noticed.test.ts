import { expect, test } from "vitest";
import { fleetOf, pane, seated } from "../../test/fleet/made.js";
import type { SeenActivity } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { type Noticed, notice, type Sight } from "./noticed.js";

/** What an agent says of itself, or how its pane is; `7:idle` is the process 7. */
type Doing = "idle" | "busy" | "waiting" | "dead" | "failed" | "shell" | `${number}:idle`;

function made(address: string, doing: Doing): FleetPane {
  const [pid = "1", activity = doing] = doing.includes(":") ? doing.split(":") : [];
  const facts = { dead: false, deadStatus: null, process: { pid: Number(pid) } };
  const gone = { kind: "shell", process: null } as const;
  if (doing === "shell") return pane(address, { ...facts, ...gone } as Partial<FleetPane>);
  if (doing === "dead" || doing === "failed") {
    const dead = { dead: true, deadStatus: doing === "dead" ? 0 : 3 };
    return pane(address, { ...facts, ...gone, ...dead } as Partial<FleetPane>);
  }
  const live = { activity, waitingFor: activity === "waiting" ? "permission prompt" : null };
  return pane(address, { ...facts, live } as unknown as Partial<FleetPane>);
}

interface Given extends Partial<Pick<Sight, "killed" | "changing">> {
  panes?: Record<string, Doing>;
  server?: number | null;
  /** The agent that sits in each pane. */
  agent?: AgentRow | null;
  screens?: Record<string, SeenActivity>;
}

function sight({ panes = {}, server = 1, screens = {}, agent = null, ...rest }: Given): Sight {
  const found = Object.entries(panes).map(([address, doing]) => ({ ...made(address, doing), agent }));
  const fleet = fleetOf(
    [],
    found.map((each) => [each, null, "stable"]),
  );
  return {
    fleet: { ...fleet, server: server === null ? null : ({ pid: server } as Sight["fleet"]["server"]) },
    screens: new Map(Object.entries(screens).map(([address, seen]) => [`%${address}` as PaneId, seen])),
    killed: new Set(),
    changing: new Set(),
    ...rest,
  };
}

/** The facts of each look behind the first. */
function told(...looks: Given[]): string[][] {
  let before: Noticed | null = null;
  return looks
    .map((given) => {
      const { now, facts } = notice(before, sight(given));
      before = now;
      return facts.map((fact) =>
        "pane" in fact
          ? `${fact.kind} ${fact.pane}${fact.about === null ? "" : ` (${fact.about})`}`
          : "text" in fact
            ? fact.text
            : fact.kind,
      );
    })
    .slice(1);
}

const at = (doing: Doing): Given => ({ panes: { "web:0.0": doing } });
const limit: SeenActivity = { activity: "limited", about: "usage limit", untilMs: 5, by: "its bottom" };

function asking(about: string): Given {
  const seen: SeenActivity = { activity: "waiting", about, untilMs: null, by: "a dialog" };
  return { ...at("idle"), screens: { "web:0.0": seen } };
}

test("what is so at the first look is no news", () => {
  expect(notice(null, sight(at("waiting"))).facts).toEqual([]);
});

test.each<[string, Given[], string[][]]>([
  [
    "an agent that begins to wait",
    [at("busy"), at("waiting"), at("waiting")],
    [["waiting web:0.0 (permission prompt)"], []],
  ],
  [
    "an agent that waits again",
    [at("waiting"), at("busy"), at("waiting")],
    [[], ["waiting web:0.0 (permission prompt)"]],
  ],
  [
    "a limit, which only the screen shows",
    [
      at("idle"),
      { ...at("idle"), screens: { "web:0.0": limit } },
      { ...at("idle"), screens: { "web:0.0": limit } },
    ],
    [["limited web:0.0 (usage limit)"], []],
  ],
  [
    "each of two questions, one behind the other,",
    [at("busy"), asking("This?"), asking("That?"), asking("That?")],
    [["waiting web:0.0 (This?)"], ["waiting web:0.0 (That?)"], []],
  ],
  [
    "an agent that crashed",
    [at("busy"), at("failed"), at("failed")],
    [["crashed web:0.0 (its program ended with exit code 3)"], []],
  ],
  [
    "an agent that ended in order",
    [at("busy"), at("dead")],
    [["ended web:0.0 (its program ended normally)"]],
  ],
  [
    "an agent that left a shell behind",
    [at("busy"), at("shell")],
    [["ended web:0.0 (no agent runs in the pane)"]],
  ],
  ["an agent whose pane went", [at("busy"), {}], [["ended web:0.0 (its pane is gone)"]]],
  ["a new agent that waits at once", [{}, at("waiting")], [["waiting web:0.0 (permission prompt)"]]],
])("%s is told once", (_, looks, expected) => expect(told(...looks)).toEqual(expected));

test.each<[string, Given[], string[][]]>([
  ["gone", [at("busy"), { server: null }, { server: null }], [["the tmux server has ended"], []]],
  [
    "back with other agents",
    [at("busy"), { server: null }, { ...at("waiting"), server: 2 }],
    [["the tmux server has ended"], ["a tmux server started"]],
  ],
  ["another", [at("busy"), { ...at("waiting"), server: 2 }], [["another tmux server runs now"]]],
])("a tmux server that is %s is one fact", (_, looks, expected) => expect(told(...looks)).toEqual(expected));

const changing = new Set(["web"]);
const killed = new Set(["web:0.0"]);
const po = seated("web:0.0", "po");
const named = (doing: Doing): Given => ({ ...at(doing), agent: po });

test.each<[string, Given[], string[][]]>([
  ["ended by a command", [at("busy"), { killed }], [[]]],
  ["ended by a command that names its id", [named("busy"), { killed: new Set([po.id]) }], [[]]],
  ["ended by a command whose work goes on", [at("busy"), { killed, changing }, {}], [[], []]],
  ["restarted by a command", [at("busy"), { ...at("dead"), changing }, at("7:idle")], [[], []]],
])("an agent that is %s is no alarm", (_, looks, expected) => expect(told(...looks)).toEqual(expected));

test("an address that a command names is not that of an agent with an id", () => {
  expect(told(named("busy"), { killed })).toEqual([["ended web:0.0 (its pane is gone)"]]);
});

test("a fact from the time of a command's change is reported after the change", () => {
  const looks = [at("busy"), { ...at("dead"), changing }, at("dead")];
  expect(told(...looks)).toEqual([[], ["ended web:0.0 (its program ended normally)"]]);
  const asked = [at("busy"), { ...at("waiting"), changing }, at("waiting")];
  expect(told(...asked)).toEqual([[], ["waiting web:0.0 (permission prompt)"]]);
});

test("another process in the same pane waits anew", () => {
  const waiting = sight(at("waiting"));
  const other = sight(at("waiting"));
  for (const each of other.fleet.panes) Object.assign(each.process!, { pid: 8 });
  const { now } = notice(null, waiting);
  expect(notice(now, waiting).facts).toEqual([]);
  expect(notice(now, other).facts).toMatchObject([{ kind: "waiting" }]);
});
