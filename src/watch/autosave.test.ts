import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role, TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import { endedIn, planAutosave } from "./autosave.js";

/** `web:0.1 dev 3`: address, role or -, number of its session or -; a row without a role and a session is a shell. */
function row(text: string, facts: Partial<SnapshotRow> = {}): SnapshotRow {
  const [, team, window, pane, role, session] = /^(\w+):(\d)\.(\d) (\S+) (\S+)$/.exec(text)!;
  return {
    agent: null,
    team: team as TeamName,
    window: Number(window),
    pane: Number(pane),
    role: role === "-" ? null : (role as Role),
    uuid: session === "-" ? null : idOf(Number(session)),
    title: "t",
    cwd: "/a",
    model: "opus",
    kind: role === "-" && session === "-" ? "shell" : "claude",
    ...facts,
  };
}

const rows = (...texts: string[]) => texts.map((text) => row(text));

function plan(now: SnapshotRow[], saved: SnapshotRow[], ended: SnapshotRow[] = [], lost: SnapshotRow[] = []) {
  const byTeam = new Map<TeamName, SnapshotRow[]>();
  for (const each of saved) byTeam.set(each.team, [...(byTeam.get(each.team) ?? []), each]);
  const { teams, missing } = planAutosave({ rows: now, lost, saved: byTeam }, ended);
  return { teams, missing: missing.map(({ team, agents }) => `${team}: ${agents.join(" ")}`) };
}

const agent = "aaaaaaaaaa" as AgentId;
const nothing = { teams: [], missing: [] };
const saves = { teams: ["web"], missing: [] };
const two = rows("web:0.0 po 1", "web:0.1 dev 2");

test.each<[string, SnapshotRow[], SnapshotRow[]]>([
  ["that was never saved", two, []],
  ["with another agent", rows("web:0.0 po 1", "web:0.1 dev 2", "web:0.2 qa 3"), two],
  ["with another shell", rows("web:0.0 po 1", "web:0.1 dev 2", "web:0.2 - -"), two],
  ["without a shell that it had", two, rows("web:0.0 po 1", "web:0.1 dev 2", "web:0.2 - -")],
  ["with a renamed agent", rows("web:0.0 po 1", "web:0.1 coder 2"), two],
  ["whose agent began another session", rows("web:0.0 po 1", "web:0.1 dev 9"), two],
  ["whose unnamed agent began another session", rows("web:0.0 - 9"), rows("web:0.0 - 1")],
  ["whose panes changed places", rows("web:0.1 po 1", "web:0.0 dev 2"), two],
  ["whose agent works elsewhere", [row("web:0.0 po 1", { cwd: "/b" })], rows("web:0.0 po 1")],
  ["whose agent got an id", [row("web:0.0 po 1", { agent })], rows("web:0.0 po 1")],
  ["whose agent has another model", [row("web:0.0 po 1", { model: "haiku" })], rows("web:0.0 po 1")],
])("a team %s is saved", (_, now, saved) => expect(plan(now, saved)).toEqual(saves));

test("a team that is as it was saved is not saved again", () => expect(plan(two, two)).toEqual(nothing));

test("a team is not saved while one of its agents ended without a command, also when others came", () => {
  const now = rows("web:0.0 po 1", "web:0.1 qa 3");
  expect(plan(now, two)).toEqual({ teams: [], missing: ["web: dev"] });
  expect(plan(rows("web:0.0 po 1", "web:0.1 - -"), two)).toEqual({ teams: [], missing: ["web: dev"] });
});

test("it is saved when a command ended the agent, when it is back, and when it moved to another team", () => {
  const left = rows("web:0.0 po 1");
  expect(plan(left, two, rows("web:0.1 dev 2"))).toEqual(saves);
  expect(plan([...two, ...rows("web:0.2 qa 3")], two)).toEqual(saves);
  const moved = plan([...left, ...rows("ops:0.0 dev 2")], two);
  expect(moved).toEqual({ teams: ["web", "ops"], missing: [] });
});

test("of two teams the one that is whole is saved", () => {
  const saved = [...two, ...rows("ops:0.0 po 5")];
  const now = [...rows("web:0.0 po 1"), ...rows("ops:0.0 po 5", "ops:0.1 qa 6")];
  expect(plan(now, saved)).toEqual({ teams: ["ops"], missing: ["web: dev"] });
});

test("a command ended the agent whose id it names, else the one at the address, as they were last seen", () => {
  const known = row("web:0.1 qa 3", { agent });
  expect(endedIn(new Set(["web:0.1"]), two)).toEqual(rows("web:0.1 dev 2"));
  expect(endedIn(new Set(["web:0.1"]), [known])).toEqual([]);
  expect(endedIn(new Set([agent]), [...two, known])).toEqual([known]);
  expect(endedIn(new Set([agent]), [])).toEqual([]);
});

test("an agent that is known by its id is not missed, whatever it is called and wherever it stands", () => {
  const saved = [row("web:0.0 po 1", { agent }), row("web:0.1 dev 2")];
  const now = [row("web:0.4 lead 9", { agent }), row("web:0.1 dev 2")];
  expect(plan(now, saved)).toEqual(saves);
});

test.each<[string, SnapshotRow, SnapshotRow[], { teams: string[]; missing: string[] }]>([
  [
    "that no snapshot has is not saved",
    row("web:0.1 qa 3"),
    rows("web:0.0 po 9"),
    { teams: [], missing: ["web: qa"] },
  ],
  [
    "whose session is not known any more is not saved",
    row("web:0.1 dev -", { kind: "claude" }),
    rows("web:0.0 po 9", "web:0.1 dev 2"),
    { teams: [], missing: ["web: dev"] },
  ],
  ["that was saved so before is saved", row("web:0.1 dev 2"), rows("web:0.0 po 9", "web:0.1 dev 2"), saves],
])("a team with a crashed agent %s", (_, crashed, saved, expected) =>
  expect(plan([row("web:0.0 po 1"), crashed], saved, [], [crashed])).toEqual(expected),
);

test("another title, or a shell in another folder, is no reason to save", () => {
  const saved = rows("web:0.0 po 1", "web:0.1 - -");
  const now = [row("web:0.0 po 1", { title: "✳ thinking" }), row("web:0.1 - -", { cwd: "/b", title: "vi" })];
  expect(plan(now, saved)).toEqual(nothing);
});

test("a team that does not run is not among those that are saved", () => {
  expect(plan(rows("web:0.0 po 1"), rows("web:0.0 po 1", "ops:0.0 qa 5"))).toEqual(nothing);
});
