import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import {
  actOutcomes,
  changeCauses,
  decisions,
  endCauses,
  eventNames,
  formatArguments,
  type HiveEvent,
  lastStates,
  parseEvent,
  plainArguments,
} from "./event.js";

const team = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,20}$/) as fc.Arbitrary<TeamName>;
const role = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,20}$/) as fc.Arbitrary<Role>;
const uuid = fc.uuid() as unknown as fc.Arbitrary<SessionId>;
const pane = fc.tuple(team, fc.nat(99), fc.nat(99)).map(([t, w, p]): PaneAddress => `${t}:${w}.${p}`);
const words = fc.oneof(
  fc.constantFrom("", "-", "\\", "\\e", "two words", " ", "a  b ", "\\ ", "ünï ✳"),
  fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !/[|\p{C}\u2028\u2029]/u.test(text)),
);
const agent = fc.stringMatching(/^[a-z2-7]{10}$/) as fc.Arbitrary<AgentId>;
const move = fc.record({ from: pane, to: pane, agent }, { requiredKeys: ["from", "to"] });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** With the agent's id as the last argument, or without it as earlier versions wrote it. */
function ofAgent<T extends object>(facts: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) {
  return fc.oneof(fc.record(facts), fc.record({ ...facts, agent })) as fc.Arbitrary<T & { agent?: AgentId }>;
}

const events: { [Name in HiveEvent["name"]]: fc.Arbitrary<Extract<HiveEvent, { name: Name }>> } = {
  "agent.spawned": ofAgent({
    name: fc.constant("agent.spawned"),
    pane,
    role: maybe(role),
    uuid: maybe(uuid),
  }),
  "agent.killed": ofAgent({
    name: fc.constant("agent.killed"),
    pane,
    cause: fc.constantFrom(...endCauses),
  }),
  "agent.forgotten": fc.record({ name: fc.constant("agent.forgotten"), role: maybe(role), agent }),
  "agent.renamed": ofAgent({
    name: fc.constant("agent.renamed"),
    pane,
    old: maybe(role),
    new: maybe(role),
  }),
  "agent.forked": ofAgent({
    name: fc.constant("agent.forked"),
    pane,
    role: maybe(role),
    parent: uuid,
    child: uuid,
  }),
  "panes.shifted": fc.record({ name: fc.constant("panes.shifted"), team, moves: fc.array(move) }),
  "panes.swapped": fc.record({ name: fc.constant("panes.swapped"), team, a: pane, b: pane }),
  "pane.moved": ofAgent({ name: fc.constant("pane.moved"), from: pane, to: pane }),
  "team.created": fc.record({ name: fc.constant("team.created"), team, description: words }),
  "team.destroyed": fc.record({ name: fc.constant("team.destroyed"), team }),
  "team.restored": fc.record({ name: fc.constant("team.restored"), team, snapshot: words }),
  "session.changed": ofAgent({
    name: fc.constant("session.changed"),
    pane,
    old: maybe(uuid),
    new: uuid,
    cause: fc.constantFrom(...changeCauses),
  }),
  "session.dropped": ofAgent({
    name: fc.constant("session.dropped"),
    pane,
    uuid,
    state: fc.constantFrom(...lastStates),
  }),
  "request.decided": ofAgent({
    name: fc.constant("request.decided"),
    decision: fc.constantFrom(...decisions),
    request: maybe(words),
    by: words,
    from: words,
    what: words,
    pane: maybe(pane),
  }),
  "web.acted": fc.record({
    name: fc.constant("web.acted"),
    action: words,
    what: maybe(words),
    by: words,
    from: words,
    outcome: fc.constantFrom(...actOutcomes),
  }),
  "far.acted": fc.record({
    name: fc.constant("far.acted"),
    action: words,
    what: maybe(words),
    by: words,
    from: words,
    outcome: fc.constantFrom(...actOutcomes),
  }),
  "session.forked": fc.record({ name: fc.constant("session.forked"), parent: uuid, child: uuid }),
  "session.rebound": fc.record({
    name: fc.constant("session.rebound"),
    session: words,
    from: maybe(words),
    to: words,
  }),
  "team.renamed": fc.record({ name: fc.constant("team.renamed"), old: team, new: team }),
};

describe("an event", () => {
  test.each(eventNames())("%s reads back as itself", (name) => {
    fc.assert(
      fc.property(events[name] as fc.Arbitrary<HiveEvent>, (event) => {
        const text = formatArguments(event);
        expect(text).not.toMatch(/[|\n]/);
        expect(parseEvent(event.name, text)).toEqual(event);
      }),
    );
  });

  test.each<[string, object]>([
    ["a team with a path", { name: "team.destroyed", team: "../x" }],
    ["a role with a pipe", { name: "agent.renamed", pane: "a:0.1", old: null, new: "a|b" }],
    ["an invalid pane", { name: "agent.killed", pane: "a\nb" }],
    ["a description of two lines", { name: "team.created", team: "a", description: "x\ny" }],
    ["a missing uuid", { name: "agent.forked", pane: "a:0.1", role: "x", parent: null, child: null }],
    ["a missing argument", { name: "agent.spawned", pane: "a:0.1", role: "x" }],
    ["a move without a target", { name: "panes.shifted", team: "a", moves: [{ from: "a:0.1", to: "$(x)" }] }],
  ])("with %s is refused", (_, event) =>
    expect(() => formatArguments(event as HiveEvent)).toThrow(/^refused event/),
  );

  test.each<[HiveEvent, string]>([
    [{ name: "agent.spawned", pane: "a:0.1", role: "dev" as Role, uuid: null }, "a:0.1 dev -"],
    [{ name: "team.created", team: "a" as TeamName, description: "two words" }, "a two\\ words"],
    [{ name: "team.created", team: "a" as TeamName, description: "" }, "a \\e"],
    [
      { name: "panes.shifted", team: "a" as TeamName, moves: [{ from: "a:0.1", to: "a:0.2" }] },
      "a a:0.1>a:0.2",
    ],
  ])("%j is logged as %j", (event, text) => expect(formatArguments(event)).toBe(text));

  test.each([
    ["", "a"],
    ["two \\ words", "a two \\ words"],
  ])("for users the description %j is printed as %j", (description, text) => {
    const event: HiveEvent = { name: "team.created", team: "a" as TeamName, description };
    expect(plainArguments(event)).toBe(text);
  });

  test("has the agent as its last argument, or none in the log of an earlier version", () => {
    const pane = "a:0.1" as PaneAddress;
    const agent = "abcdefghij" as AgentId;
    const killed = { name: "agent.killed", pane, cause: "gone", agent } as const;
    expect(formatArguments(killed)).toBe("a:0.1 gone abcdefghij");
    expect(parseEvent("agent.killed", "a:0.1 unasked")).toEqual({
      name: "agent.killed",
      pane,
      cause: "unasked",
    });
    expect(parseEvent("agent.killed", "a:0.1")).toEqual({ name: "agent.killed", pane });
  });

  test.each([
    ["agent.killed", "a:0.1 -"],
    ["agent.killed", "a:0.1 asked ABC"],
    ["nothing.known", "a"],
    ["__proto__", ""],
    ["team.destroyed", ""],
    ["team.destroyed", "a b"],
    ["agent.killed", "a:0"],
    ["agent.renamed", "a:0.1 old"],
    ["panes.shifted", "a b>c"],
  ])("%s %j is invalid", (name, text) => expect(parseEvent(name, text)).toBeTypeOf("string"));
});
