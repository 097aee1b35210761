import { describe, expect, test } from "vitest";
import type { LiveSession } from "../agents/agent.js";
import { nameInTitle } from "../agents/all.js";
import type { PaneAddress, Role } from "../names/gates.js";
import type { FleetPane } from "./panes.js";
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
  return { ...seen, live: null, mark: null, ...facts } as FleetPane;
}

const marked = (role: string) => ({ mark: { address: "a:0.0" as PaneAddress, role: role as Role } });

/** What each agent becomes: its role, or why it has none. */
function check(title: string, panes: FleetPane[], rows: Record<string, string>, ...expected: string[]) {
  test(title, () => {
    const roles = new Map(Object.entries(rows) as [PaneAddress, Role][]);
    const found = settleRoles(panes, roles, "box.example.org");
    expect([...found.values()].map(({ role, why }) => role ?? why)).toEqual(expected);
  });
}

describe("[RO1] mark, row, title", () => {
  const row = { "a:0.0": "from-row" };
  check("[RO1] the mark before the row", [pane("a:0.0", "✳ titled", marked("from-mark"))], row, "from-mark");
  check("[RO1] the row before the title", [pane("a:0.0", "✳ titled")], row, "from-row");
  check("[RO1] the title where nothing else is", [pane("a:0.0", "✳ titled")], {}, "titled");
  check(
    "[RO1] a generic name that a person gave counts",
    [pane("a:0.0", "x")],
    { "a:0.0": "claude" },
    "claude",
  );
  check("[RO1] a pane without an agent has none to settle", [pane("a:0.0", "po", { kind: "shell" })], {});
});

describe("[RO2] what a title may name", () => {
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
  ])("[RO2] %j names %j (incident 3)", (title, expected) => {
    const seen = { title, name: nameInTitle(title), live: null };
    expect(titledRole(seen, new Set(), "box.example.org")).toBe(expected);
  });
});

describe("[RO3] a name that the client changed", () => {
  const suffixed = "po-graceful-kettle";
  test.each<[string, string, LiveSession | null, string[], string]>([
    ["the client says so", suffixed, live({ isNameSuffixed: true }), [], "po"],
    ["the client says a person chose it", suffixed, live({ name: suffixed }), ["po"], suffixed],
    ["nobody says, and another is called the rest", suffixed, null, ["po"], "po"],
    ["nobody says, and no other is called so", suffixed, null, ["p"], suffixed],
    ["of a team file", `teamctl:x:${suffixed}`, null, ["teamctl:x:po"], "po"],
    ["one word is no suffix", "po-kettle", live({ isNameSuffixed: true }), ["po"], "po-kettle"],
  ])("[RO3] %s", (_, title, registry, others, expected) => {
    expect(titledRole({ title, name: title, live: registry }, new Set(others), "box")).toBe(expected);
  });

  check(
    "[RO3] what others are called is taken from titles and roles",
    [
      pane("a:0.0", "✳ po"),
      pane("b:0.0", "✳ po-graceful-kettle"),
      pane("c:0.0", "✳ dev-quiet-otter", marked("qa")),
    ],
    {},
    "po",
    "po",
    "qa",
  );
});

describe("[RO4] a title gives a role once in a team", () => {
  const both = () => [pane("a:0.0", "✳ po"), pane("a:0.1", "✳ po")];
  check("[RO4] two of one title", both(), {}, "a:0.1 is called po as well", "a:0.0 is called po as well");
  check("[RO4] beside one that has it", both(), { "a:0.0": "po" }, "po", "a:0.0 is po as well");
  check(
    "[RO4] beside a pane whose agent ended",
    [pane("a:0.0", "", { kind: "shell" }), pane("a:0.1", "✳ po")],
    { "a:0.0": "po" },
    "a:0.0 is po as well",
  );
  check(
    "[RO4] the one that is called so, not its copy",
    [pane("a:0.0", "✳ po-quiet-otter", { live: live({ isNameSuffixed: true }) }), pane("a:0.1", "✳ po")],
    {},
    "a:0.1 is called po as well",
    "po",
  );
  check("[RO4] in another team it is free", [pane("a:0.0", "✳ po"), pane("b:0.0", "✳ po")], {}, "po", "po");
});

test("[RO5] an agent whose place is kept for another has no role, but by its own mark", () => {
  const kept = new Map([["a:0.0" as PaneAddress, "po" as Role]]);
  const settle = (...panes: FleetPane[]) =>
    [...settleRoles(panes, new Map(), "box", kept).values()].map(({ role, why }) => role ?? why);
  const waiting = expect.stringMatching(/^its place is kept for po, .*registry remove a:0\.0 \)$/);
  expect(settle(pane("a:0.0", "✳ dev"), pane("a:0.1", "✳ dev"))).toEqual([waiting, "dev"]);
  expect(settle(pane("a:0.0", "✳ dev", marked("dev")))).toEqual(["dev"]);
});
