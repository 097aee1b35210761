import { describe, expect, test } from "vitest";
import { agentRow, seated } from "../../../test/fleet/made.js";
import type { LiveSession } from "../../agents/agent.js";
import { nameInTitle } from "../../agents/all.js";
import type { FleetPane } from "../panes.js";
import { settleRoles, titledRole } from "./role-of.js";

const live = (facts: Partial<LiveSession>) =>
  ({ name: null, isNameSuffixed: false, ...facts }) as LiveSession;

let count = 0;
function pane(address: string, title: string, facts: Partial<FleetPane> = {}): FleetPane {
  const seen = {
    id: `%${++count}`,
    address,
    sessionName: address.split(":")[0],
    kind: "claude",
    title,
    name: nameInTitle(title),
  };
  return { ...seen, live: null, agent: null, ...facts } as FleetPane;
}

const known = (role: string) => ({ agent: seated("a:0.0", role) });

/** The finding for each agent: its role, or why it has none. */
function check(title: string, panes: FleetPane[], ...expected: string[]) {
  test(title, () => {
    const found = settleRoles(panes, "box.example.org");
    expect([...found.values()].map(({ role, why }) => role ?? why)).toEqual(expected);
  });
}

describe("roster, title", () => {
  check("the roster before the title", [pane("a:0.0", "✳ titled", known("from-roster"))], "from-roster");
  check("the title if the roster has none", [pane("a:0.0", "✳ titled")], "titled");
  check("a generic name that the user gave counts", [pane("a:0.0", "x", known("claude"))], "claude");
  check("a pane without an agent has no role to settle", [pane("a:0.0", "po", { kind: "shell" })]);
});

describe("the roles a title may name", () => {
  test.each([
    ["✳ web4-po", "web4-po"],
    ["⠐ web4-po", "web4-po"],
    ["web4-po@otherhost", "web4-po"],
    ["✳ teamctl:hello:mgr", "mgr"],
    ["teamctl:hello:mgr@host", "mgr"],
    ["teamctl:hello:node", "node"],
    ["teamctl:hello:a b", null],
    ["teamctl:hello", null],
    ["✳ Claude Code", null],
    ["claude", null],
    ["CLAUDE-code", null],
    ["unknown", null],
    ["bash", null],
    ["box", null],
    ["box.example.org", null],
    ["root@box: /srv", null],
    ["Read session/2026 and go on", null],
    ["Fix the parser", null],
    ["a|b", null],
    ["session/x", null],
    ["7up", null],
    ["b63de03a-6d49-5f14-9be3-0aac60a859ed", null],
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), null],
    ["", null],
  ])("%j names %j (incident 3)", (title, expected) => {
    const seen = { title, name: nameInTitle(title), live: null };
    expect(titledRole(seen, new Set(), "box.example.org")).toBe(expected);
  });
});

describe("a name that the client changed", () => {
  const suffixed = "po-graceful-kettle";
  test.each<[string, string, LiveSession | null, string[], string]>([
    ["the client says so", suffixed, live({ isNameSuffixed: true }), [], "po"],
    ["the client says the user chose it", suffixed, live({ name: suffixed }), ["po"], suffixed],
    ["the client does not say, and another has the rest as its name", suffixed, null, ["po"], "po"],
    ["the client does not say, and no other has that name", suffixed, null, ["p"], suffixed],
    ["a name of a team file", `teamctl:x:${suffixed}`, null, ["teamctl:x:po"], "po"],
    ["one word is not a suffix", "po-kettle", live({ isNameSuffixed: true }), ["po"], "po-kettle"],
  ])("%s", (_, title, registry, others, expected) => {
    expect(titledRole({ title, name: title, live: registry }, new Set(others), "box")).toBe(expected);
  });

  check(
    "the names of others come from titles and roles",
    [
      pane("a:0.0", "✳ po"),
      pane("b:0.0", "✳ po-graceful-kettle"),
      pane("c:0.0", "✳ dev-quiet-otter", known("qa")),
    ],
    "po",
    "po",
    "qa",
  );
});

describe("a title gives a role once per team", () => {
  const both = () => [pane("a:0.0", "✳ po"), pane("a:0.1", "✳ po")];
  check("two of one title", both(), "a:0.1 has the title po too", "a:0.0 has the title po too");
  check(
    "beside an agent that has it",
    [pane("a:0.0", "✳ po", known("po")), pane("a:0.1", "✳ po")],
    "po",
    "a:0.0 has the role po too",
  );
  check(
    "beside a pane whose agent ended",
    [pane("a:0.0", "", { kind: "shell", ...known("po") }), pane("a:0.1", "✳ po")],
    "a:0.0 has the role po too",
  );
  check(
    "the exact name, not its copy",
    [pane("a:0.0", "✳ po-quiet-otter", { live: live({ isNameSuffixed: true }) }), pane("a:0.1", "✳ po")],
    "a:0.1 has the title po too",
    "po",
  );
  check("in another team it is free", [pane("a:0.0", "✳ po"), pane("b:0.0", "✳ po")], "po", "po");
});

test("a title does not give the role of an away agent of the team", () => {
  const away = [agentRow("a:0.7", "po")];
  const settle = (...panes: FleetPane[]) =>
    [...settleRoles(panes, "box", away).values()].map(({ role, why }) => role ?? why);
  const free = "the agent po is away (forget it: hivemind agent forget po)";
  expect(settle(pane("a:0.0", "✳ po"), pane("b:0.0", "✳ po"), pane("a:0.1", "✳ dev"))).toEqual([
    free,
    "po",
    "dev",
  ]);
});
