import { describe, expect, test } from "vitest";
import { agentRow, fleetOf, madeServer, pane, seated, transcript, unread } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { HookClaim } from "../../fleet/identity/hook-claims.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { PaneId, SessionId, TeamName } from "../../names/gates.js";
import type { StoredRow } from "../../stores/text/snapshot-text.js";
import { lostIn, snapshotOf } from "./save.js";
import { savedBefore } from "./saved-before.js";

const teams = ["web", "ops"].map((team) => ({ team: team as TeamName, description: "" }));

function at(address: string, facts: Partial<FleetPane> = {}, startedAtMs = 0): FleetPane {
  const [windowIndex, paneIndex] = address.split(":")[1]!.split(".").map(Number) as [number, number];
  const plain = { windowIndex, paneIndex, title: "t", dead: false, startCommand: "" };
  return pane(address, { ...plain, ...facts }, startedAtMs);
}

const shell = { kind: "shell", process: null } as const;

const asked = (model: string | null) =>
  model === null ? null : { began: null, forkedFrom: null, model, name: null };

function fleet(
  panes: readonly (readonly [FleetPane, SessionId | null])[],
  ...transcripts: Parameters<typeof fleetOf>[0]
) {
  return fleetOf(
    transcripts,
    panes.map(([each, uuid]) => [each, uuid, "stable"]),
  );
}

/** With this role in the roster. */
const named = (address: string, role: string) => ({ agent: seated(address, role) });

test("every pane of a team is one row, in order, and two teams may have the same role (incident 19)", () => {
  const seen = fleet([
    [at("web:1.0", shell), null],
    [at("web:0.1"), idOf(2)],
    [at("web:0.0", named("web:0.0", "po")), idOf(1)],
    [at("ops:0.0", named("ops:0.0", "po")), idOf(3)],
  ]);
  const [web, ops] = ["web:0.0", "ops:0.0"].map((address) => seated(address, "po").id);
  expect(snapshotOf(seen, teams)).toEqual({
    rows: [
      {
        ...{ agent: ops, team: "ops", window: 0, pane: 0, role: "po", uuid: idOf(3) },
        ...{ kind: "claude" },
        ...rest,
      },
      {
        ...{ agent: web, team: "web", window: 0, pane: 0, role: "po", uuid: idOf(1) },
        ...{ kind: "claude" },
        ...rest,
      },
      {
        ...{ agent: null, team: "web", window: 0, pane: 1, role: null, uuid: idOf(2) },
        ...{ kind: "claude" },
        ...rest,
      },
      {
        ...{ agent: null, team: "web", window: 1, pane: 0, role: null, uuid: null },
        ...{ kind: "shell" },
        ...rest,
      },
    ],
    silent: new Set(),
    problems: [],
  });
});

const rest = { title: "t", cwd: "/a", model: "" };

test.each([
  ["that a killed command opened for an agent is left out", "env HIVEMIND_ROLE=dev cat", {}, ["0.0"]],
  ["with its name is saved", "env HIVEMIND_ROLE=dev cat", { role: "dev" }, ["0.0", "0.1"]],
  ["that a restore keeps open is saved", "env cat", {}, ["0.0", "0.1"]],
  ["in which a person runs cat is saved", "cat", {}, ["0.0", "0.1"]],
])("a pane %s", (_, startCommand, { role }: { role?: string }, saved) => {
  const seen = fleet([
    [at("web:0.0"), idOf(1)],
    [at("web:0.1", { ...shell, startCommand, ...(role ? named("web:0.1", role) : {}) }), null],
  ]);
  expect(snapshotOf(seen, teams).rows.map(({ window, pane }) => `${window}.${pane}`)).toEqual(saved);
});

test("registered teams and teams with agents are saved; --all adds the others; names match exactly", () => {
  const seen = fleet([
    [at("web:0.0", shell), null],
    [at("web2:0.0"), idOf(1)],
    [at("plain:0.0", shell), null],
    [at("my team:0.0"), idOf(2)],
  ]);
  const saved = (choice?: Parameters<typeof snapshotOf>[2]) =>
    snapshotOf(seen, teams, choice).rows.map(({ team }) => team);
  expect(saved()).toEqual(["web", "web2"]);
  expect(saved({ all: true })).toEqual(["plain", "web", "web2"]);
  expect(saved({ teams: ["web" as TeamName] })).toEqual(["web"]);
  expect(() => saved({ teams: ["we" as TeamName] })).toThrow('no team "we" is running');
  expect(snapshotOf(seen, teams).problems).toEqual([
    expect.stringContaining("my team is not saved: a team name is"),
  ]);
});

test("a team that runs on another tmux server is not saved", () => {
  const there = { server: { ...madeServer, pid: 11 }, pane: "%1" as PaneId };
  const elsewhere = agentRow("web:0.0", "po", { seat: there });
  const seen = fleetOf([], [[at("web:0.0"), idOf(1), "stable"]], [elsewhere]);
  expect(snapshotOf(seen, teams)).toMatchObject({
    rows: [],
    problems: ["web is not saved: that team runs on another tmux server"],
  });
});

test("characters that a row cannot hold become spaces, or the field is left empty and reported", () => {
  const seen = fleet([[at("web:0.0", { title: "a|b\tc", cwd: "/x\n|y", ...named("web:0.0", "po") }), null]]);
  const { rows, problems } = snapshotOf(seen, teams);
  expect(rows).toMatchObject([{ title: "a b c", cwd: "" }]);
  expect(problems).toEqual([
    "web:0.0 (po): its session is unknown",
    expect.stringContaining("web:0.0: its folder cannot be saved"),
  ]);
});

test.each([
  ["✳ web4-po", "web4-po"],
  ["⠐ fix the build", "fix the build"],
  ["⏵⏵ web4-po", "web4-po"],
  ["web4-po@otherhost", "web4-po@otherhost"],
  ["✳ a|b", "a b"],
  ["✳ ", ""],
  ["a shell's own", "a shell's own"],
])("the title %j is saved as %j", (title, expected) => {
  const seen = fleet([[at("web:0.0", { title }), idOf(1)]]);
  const { rows } = snapshotOf(seen, teams);
  expect(rows).toMatchObject([{ title: expected }]);
});

describe("an agent that was killed before its conversation began", () => {
  const killed = {
    ...{ ...shell, dead: true, deadStatus: null, name: null },
    ...named("web:0.0", "po"),
  } as const;
  const start = (model: string) => ({ startCommand: `env claude --session-id ${idOf(1)}${model}` });
  const saved = (model: string, isSilent: boolean) => () => ({ model, isSilent });
  const nothing = () => null;

  test.each<[string, string, ReturnType<typeof saved> | typeof nothing, string, boolean]>([
    ["keeps the saved model and silence", "", saved("haiku", true), "haiku", true],
    ["keeps the model it was started with", " --model opus", saved("haiku", true), "opus", true],
    ["is not silent if it was not saved so", "", saved("haiku", false), "haiku", false],
    ["has no model if none was saved", "", nothing, "", false],
  ])("%s", (_, model, before, expected, isSilent) => {
    const seen = fleet([[at("web:0.0", { ...killed, ...start(model) }), idOf(1)]]);
    const now = snapshotOf(seen, teams, {}, before);
    expect(now.rows).toMatchObject([{ uuid: idOf(1), model: expected, kind: "claude" }]);
    expect(now.silent.has(idOf(1))).toBe(isSilent);
    expect(lostIn(now, seen)).toEqual(isSilent ? [] : now.rows);
  });

  test("has a transcript now, and is neither silent nor lost", () => {
    const seen = fleet(
      [[at("web:0.0", { ...killed, ...start("") }), idOf(1)]],
      transcript(1, { model: "opus", usedAtMs: 1 }),
    );
    const now = snapshotOf(seen, teams, {}, saved("haiku", true));
    expect(now).toMatchObject({ rows: [{ model: "opus" }], silent: new Set() });
    expect(lostIn(now, seen)).toEqual([]);
  });

  test("ended in order: not counted as lost", () => {
    const seen = fleet([[at("web:0.0", { ...killed, ...start(""), deadStatus: 0 }), idOf(1)]]);
    const now = snapshotOf(seen, teams);
    expect(lostIn(now, seen)).toEqual([]);
  });

  test("runs: the saved state does not count", () => {
    const seen = fleet([[at("web:0.0"), idOf(1)]]);
    const now = snapshotOf(seen, teams, {}, saved("haiku", true));
    expect(now).toMatchObject({ rows: [{ model: "" }], silent: new Set() });
  });
});

test("the last saved state of a session comes from the newest snapshot that has it", () => {
  const of = (id: number, model: string, isSilent: boolean) => ({
    rows: [{ uuid: idOf(id), model } as StoredRow],
    silent: new Set(isSilent ? [idOf(id)] : []),
  });
  const before = savedBefore([of(1, "opus", false), of(2, "", true), of(1, "haiku", true)]);
  expect([3, 2, 1].map((id) => before(idOf(id)))).toEqual([
    null,
    { model: "", isSilent: true },
    { model: "opus", isSilent: false },
  ]);
});

test("one session in two panes is reported (incident 27)", () => {
  const seen = fleet([
    [at("web:0.0"), idOf(1)],
    [at("web:0.1"), idOf(1)],
  ]);
  expect(snapshotOf(seen, teams).problems).toEqual([`web:0.0 and web:0.1 have the same session, ${idOf(1)}`]);
});

test.each([
  ["as it was started", "opus[1m]", null, 0, "opus[1m]"],
  ["as it answered, if none was given", null, "claude-opus-4-1", 9, "claude-opus-4-1"],
  ["with its window, if that model answered", "opus[1m]", "claude-opus-4-1", 9, "opus[1m]"],
  ["as it was changed meanwhile", "opus[1m]", "claude-sonnet-4-5", 9, "claude-sonnet-4-5"],
  ["as it was started anew, whatever answered before", "opus", "claude-sonnet-4-5", 3, "opus"],
  [
    "with its window, whatever is behind the name",
    "claude-opus-4-1-20250805[1m]",
    "claude-opus-4-1",
    9,
    "claude-opus-4-1-20250805[1m]",
  ],
  ["as it answered later, without the window of another", "opus[1m]", "claude-haiku-4", 9, "claude-haiku-4"],
  ["not at all if it is unknown", null, null, 0, ""],
])("the model is saved %s (incident 18)", (_, model, answered, usedAtMs, expected) => {
  const facts = { model: answered, usedAtMs };
  const seen = fleet([[at("web:0.0", { arguments: asked(model) }, 5), idOf(1)]], transcript(1, facts));
  expect(snapshotOf(seen, teams).rows).toMatchObject([{ model: expected }]);
});

test.each([
  [
    "what a hook reported without it",
    { arguments: asked("opus[1m]") },
    "claude-opus-4-8",
    "claude-opus-4-8[1m]",
  ],
  [
    "what a hook reported with it",
    { arguments: asked("opus[1m]") },
    "claude-opus-4-8[1m]",
    "claude-opus-4-8[1m]",
  ],
  [
    "what answered before it ended",
    { ...shell, dead: true, startCommand: "env PATH=/b claude --resume x --model opus[1m]" },
    null,
    "opus[1m]",
  ],
])("the window from the start is kept with %s (incident 18)", (_, facts, told, expected) => {
  const seen = fleet(
    [[at("web:0.0", { ...facts, ...named("web:0.0", "po") }), idOf(1)]],
    transcript(1, { model: "claude-opus-4-8", usedAtMs: 9 }),
  );
  const claim = { sessionId: idOf(1), atMs: 9, model: told } as unknown as HookClaim;
  const claims = new Map(told === null ? [] : [[at("web:0.0").id, claim]]);
  const hooked = { ...seen, hooks: { ...seen.hooks, claims } };
  expect(snapshotOf(hooked, teams).rows).toMatchObject([{ model: expected }]);
});

test("a running agent without a transcript is saved as silent if its client reports the session", () => {
  const seen = fleet(
    [
      [at("web:0.0"), idOf(1)],
      [at("web:0.1"), idOf(2)],
      [at("web:0.2"), idOf(3)],
      [at("web:0.3", { ...shell, dead: true, startCommand: "claude", ...named("web:0.3", "d") }), idOf(4)],
    ],
    transcript(1),
  );
  const sources = ["registry", "args", "cache", "registry"] as const;
  const sessions = [...seen.sessions].map(([id, found], index) => {
    const evidence = {
      source: sources[index]!,
      uuid: found.uuid!,
      chosen: true,
      ambiguous: false,
      reason: "",
    };
    return [id, { ...found, evidence: [evidence] }] as [typeof id, typeof found];
  });
  const told = { ...seen, sessions: new Map(sessions) };
  expect(snapshotOf(told, teams)).toMatchObject({ silent: new Set([idOf(2)]), problems: [] });
  const others = unread(told, `/c/projects/-a/${idOf(1)}.jsonl`);
  expect(snapshotOf(others, teams)).toMatchObject({ silent: new Set([idOf(2)]), problems: [] });
  for (const path of [`/c/projects/-a/${idOf(2)}.jsonl`, "/c/projects/-a", "/c/projects"]) {
    const { silent, problems } = snapshotOf(unread(told, path), teams);
    expect(silent).toEqual(new Set());
    expect(problems).toEqual([`whether ${idOf(2)} has a conversation could not be seen: ${path}: EACCES`]);
  }
});

test("an ended agent is saved as that agent, a pane that returned to a shell as a shell", () => {
  const ended = { ...shell, dead: true };
  const resumed = "env PATH=/b claude --resume x";
  const demo = 'env "PATH=/a b:/c" /usr/bin/node /opt/demo-agent.js --session-id x';
  const seen = fleet([
    [at("web:0.0", { ...ended, startCommand: demo, ...named("web:0.0", "a") }), idOf(1)],
    [at("web:0.1", { ...ended, startCommand: resumed, ...named("web:0.1", "b") }), idOf(2)],
    [at("web:0.2", ended), idOf(3)],
    [at("web:0.3", { ...shell, ...named("web:0.3", "d") }), idOf(4)],
  ]);
  expect(snapshotOf(seen, teams).rows.map(({ kind, uuid }) => [kind, uuid])).toEqual([
    ["demo", idOf(1)],
    ["claude", idOf(2)],
    ["shell", null],
    ["shell", null],
  ]);
});
