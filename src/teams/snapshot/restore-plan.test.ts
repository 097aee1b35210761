import { describe, expect, test } from "vitest";
import { agentRow, pane, seated, transcript, unread } from "../../../test/fleet/made.js";
import { facts, fresh, row, saved, shell, there, written } from "../../../test/teams/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { isFreePane } from "./place-rows.js";
import { isNothingToDo, planRestore, type Recorded, type RestoreFacts } from "./restore-plan.js";

describe("what comes back", () => {
  const rows = [row("0.0"), row("0.1", { model: "opus" }), shell("1.0")];

  test("each session is resumed in its folder with its model, in a team that is built", () => {
    const plan = planRestore(saved(rows), facts(written(rows[0]!, rows[1]!)), false);
    expect(plan).toMatchObject({
      shape: "build",
      refused: [],
      starts: [
        {
          saved: "web:0.0",
          pane: null,
          session: { how: "resume", id: rows[0]!.uuid },
          cwd: "/a",
          model: null,
        },
        { saved: "web:0.1", session: { how: "resume", id: rows[1]!.uuid }, cwd: "/a", model: "opus" },
      ],
      left: [{ pane: "web:1.0", why: "shell" }],
    });
  });

  test.each(["--dangerously-skip-permissions", "<synthetic>", "opus 4"])(
    "a saved model %s is not passed on, and the remark says so (incident 18)",
    (model) => {
      const odd = row("0.0", { model });
      const { starts } = planRestore(saved([odd]), facts(written(odd)), false);
      expect(starts).toMatchObject([{ model: null, remark: expect.stringContaining("is not a model") }]);
    },
  );

  test("a fork has its own id, chosen before the start, and the saved session as parent", () => {
    const { starts } = planRestore(saved([rows[0]!]), facts(written(rows[0]!)), true);
    expect(starts).toMatchObject([{ session: { how: "fork", id: fresh, parent: rows[0]!.uuid } }]);
  });

  test("a session is resumed in the folder of its transcript, not of its old pane", () => {
    const moved = row("0.0", { cwd: "/elsewhere" });
    const { starts } = planRestore(saved([moved]), facts(written(moved)), false);
    expect(starts).toMatchObject([{ cwd: "/a", remark: "in /a, the folder of its transcript" }]);
  });

  test.each<[string, Partial<SnapshotRow>, Recorded, number[], object]>([
    ["had no conversation", {}, { parent: null, wasWritten: false }, [], { how: "create", id: idOf(100) }],
    [
      "was started with a model and had no conversation",
      { model: "opus[1m]" },
      { parent: null, wasWritten: false },
      [],
      { how: "create", id: idOf(100) },
    ],
    [
      "was a fork without a conversation",
      { model: "opus" },
      { parent: idOf(5), wasWritten: false },
      [5],
      { how: "fork", id: idOf(100), parent: idOf(5) },
    ],
  ])("an agent that %s starts as it first did", (_, its, recorded, ids, session) => {
    const parents = ids.map((id) => transcript(id, {}, { path: `/c/projects/-a/${idOf(id)}.jsonl` }));
    const { starts } = planRestore(
      saved([row("0.0", its)], { silent: new Set([idOf(100)]) }),
      facts(parents, [], { recorded: () => recorded }),
      false,
    );
    const model = its.model ?? null;
    expect(starts).toMatchObject([
      { session, model, remark: expect.stringContaining("had no conversation yet") },
    ]);
  });
});

test("the fork of an agent without a conversation is a new session", () => {
  const { starts } = planRestore(saved([row("0.0")], { silent: new Set([idOf(100)]) }), facts([]), true);
  expect(starts).toMatchObject([{ session: { how: "create", id: fresh } }]);
});

test("a fork whose transcript is missing is not replaced by its parent", () => {
  const parent = transcript(5, {}, { path: `/c/projects/-a/${idOf(5)}.jsonl` });
  const recorded = () => ({ parent: idOf(5), wasWritten: false });
  const plan = planRestore(saved([row("0.0")]), facts([parent], [], { recorded }), false);
  expect(plan.starts).toEqual([]);
  const again = `hivemind sessions fork ${idOf(5)} --all --into web:0.0 --as ${row("0.0").role}`;
  expect(plan.refused).toMatchObject([
    { why: expect.stringContaining("no transcript"), hint: expect.stringContaining(again) },
  ]);
});

test.each<[string, string, Recorded, boolean]>([
  ["its file", `/c/projects/-a/${idOf(100)}.jsonl`, { parent: null, wasWritten: false }, true],
  ["the folder of all", "/c/projects", { parent: null, wasWritten: false }, true],
  ["a folder, and its transcript was seen once", "/c/projects/-b", { parent: null, wasWritten: true }, false],
  ["the file of its parent", `/c/projects/-a/${idOf(5)}.jsonl`, { parent: idOf(5), wasWritten: false }, true],
])(
  "while %s is unreadable, an agent neither starts fresh nor counts as missing (incident 64)",
  (_, path, recorded, isSilent) => {
    const seen = facts(written(row("0.1")), [], { recorded: () => recorded });
    const silent = new Set(isSilent ? [idOf(100)] : []);
    for (const isFork of [false, true]) {
      const now = { ...seen, fleet: unread(seen.fleet, path) };
      const { starts, refused } = planRestore(saved([row("0.0"), row("0.1")], { silent }), now, isFork);
      expect(starts).toMatchObject([{ saved: "web:0.1" }]);
      const why = expect.stringContaining(`could not be seen: ${path}: EACCES`);
      expect(refused).toMatchObject([{ pane: "web:0.0", why, hint: `see why: ls -ld ${path}`, exitCode: 3 }]);
    }
  },
);

test("an unreadable file of another session is no reason to refuse", () => {
  const seen = facts([]);
  const now = { ...seen, fleet: unread(seen.fleet, `/c/projects/-a/${idOf(5)}.jsonl`) };
  const { starts } = planRestore(saved([row("0.0")], { silent: new Set([idOf(100)]) }), now, false);
  expect(starts).toMatchObject([{ session: { how: "create", id: idOf(100) } }]);
});

describe("what runs", () => {
  const rows = [row("0.0"), row("0.1"), row("0.2")];
  const [first, second, third] = rows.map(({ uuid }) => uuid) as [SessionId, SessionId, SessionId];

  test("[RS1] a team that runs completely needs nothing", () => {
    const panes = [0, 1, 2].map((at) => [there(`0.${at}`), rows[at]!.uuid] as const);
    const plan = planRestore(saved(rows), facts(written(...rows), panes), false);
    expect(plan).toMatchObject({ shape: "there", starts: [], refused: [] });
    expect(plan.left.map(({ why }) => why)).toEqual(["runs", "runs", "runs"]);
    expect(isNothingToDo(plan)).toBe(true);
  });

  test("[RS6] a second fork of the same snapshot finds the panes in use", () => {
    const panes = [0, 1, 2].map((at) => {
      const agent = seated(`web:0.${at}`, rows[at]!.role);
      return [there(`0.${at}`, { agent }), idOf(500 + at)] as const;
    });
    const plan = planRestore(saved(rows), facts(written(...rows), panes), true);
    expect(isNothingToDo(plan)).toBe(true);
    expect(plan.refused).toEqual([]);
    expect(plan.left[0]!.why).toBe(`it already runs there, in ${idOf(500)}`);
  });

  test("[RS9] a saved agent gets its own pane if another agent of the roster has the old one", () => {
    const [row] = rows;
    const panes = [[there("0.0", { agent: seated("web:0.0", "fresh") }), idOf(500)]] as const;
    const plan = planRestore(saved([row!]), facts(written(row!), panes), false);
    expect(plan).toMatchObject({ starts: [{ saved: "web:0.0", pane: null }], left: [], refused: [] });
  });

  test.each([
    ["its role", agentRow("web:0.7", "r00", { session: idOf(500) }), {}],
    ["its id", agentRow("web:0.7", "other", { session: first }), { role: null }],
    ["its session", agentRow("web:0.7", null, { session: first }), { role: null, agent: null }],
  ])("an away agent comes back as itself, by %s", (_, agent, facts_) => {
    const its = row("0.0", { agent: agent.id, ...facts_ });
    const { starts } = planRestore(saved([its]), facts(written(its), [], {}, [agent]), false);
    expect(starts).toMatchObject([{ agent: agent.id }]);
  });

  test("an agent on another living tmux server is left alone", () => {
    const seat = { server: { socket: "/other", pid: 11, startedAt: 1 }, pane: "%3" as PaneId };
    const agent = agentRow("web:0.0", "r00", { session: first, seat });
    const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), [], {}, [agent]), false);
    expect(plan).toMatchObject({ starts: [], left: [{ is: "elsewhere" }], refused: [] });
    expect(isNothingToDo(plan)).toBe(true);
  });

  test("a running agent keeps its pane, also after a pane before it was closed", () => {
    const panes = [
      [there("0.0"), second],
      [there("0.1"), third],
    ] as const;
    const plan = planRestore(saved(rows), facts(written(...rows), panes), false);
    expect(plan.shape).toBe("complete");
    expect(plan.starts).toMatchObject([{ saved: "web:0.0", pane: null, session: { id: first } }]);
    expect(plan.left.map(({ why }) => why)).toEqual(["runs in web:0.0", "runs in web:0.1"]);
  });

  test("a fork is matched by its role after a pane before it was closed", () => {
    const panes = [1, 2].map((at) => {
      const agent = seated(`web:0.${at - 1}`, rows[at]!.role);
      return [there(`0.${at - 1}`, { agent }), idOf(500 + at)] as const;
    });
    const plan = planRestore(saved(rows), facts(written(...rows), panes), true);
    expect(plan.starts).toMatchObject([{ saved: "web:0.0", pane: null }]);
  });

  test("a shell is not matched with the agent before it", () => {
    const sh = there("0.0", { kind: "shell", process: null, command: "sh" });
    const plan = planRestore(
      saved([row("0.0"), shell("0.1")]),
      facts(written(row("0.0")), [[sh, null]]),
      false,
    );
    expect(plan).toMatchObject({
      shape: "complete",
      refused: [],
      starts: [{ saved: "web:0.0", pane: null }],
    });
  });

  test("[RS1] a session that runs in another team is reported, not opened twice (incident 22)", () => {
    const elsewhere = pane("other:3.1");
    const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), [[elsewhere, first]]), false);
    expect(plan).toMatchObject({ starts: [], left: [{ why: "its session runs in other:3.1" }] });
  });

  test("panes match whatever number tmux counts from", () => {
    const panes = [1, 2, 3].map((at) => [there(`0.${at}`, { dead: true, kind: "shell" }), null] as const);
    const plan = planRestore(saved(rows), facts(written(...rows), panes), false);
    expect(plan.shape).toBe("there");
    expect(plan.starts.map((step) => step.pane)).toEqual(["%web:0.1", "%web:0.2", "%web:0.3"]);
  });

  const ended: [string, Partial<FleetPane>][] = [
    ["is dead", { dead: true }],
    ["was kept open", { startCommand: "env cat" }],
    ["was kept open with a PATH", { startCommand: 'env "PATH=/a b:/c" cat' }],
  ];
  test.each(ended)("a pane that %s is free, and gets its agent", (_, its) => {
    const at = there("0.0", { kind: "shell", process: null, ...its });
    expect(isFreePane(at)).toBe(true);
    const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), [[at, null]]), false);
    expect(plan).toMatchObject({ refused: [], starts: [{ pane: at.id }] });
  });

  const busy: [string, Partial<FleetPane>][] = [
    ["runs an editor", { startCommand: "", command: "vim" }],
    ["runs a shell", { startCommand: "sh", command: "sh" }],
    ["shows a file", { startCommand: "env cat notes", command: "cat" }],
  ];
  test.each(busy)("[RS4] a pane that %s is not taken", (_, its) => {
    const at = there("0.0", { kind: "shell", process: null, ...its });
    const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), [[at, null]]), false);
    expect(plan).toMatchObject({
      starts: [],
      refused: [{ pane: "web:0.0", hint: expect.stringContaining("tmux kill-pane -t %web:0.0") }],
    });
  });
});

test("an agent renamed after the snapshot comes back with its new name", () => {
  const its = row("0.0");
  const agent = agentRow("web:0.0", "lead", { session: its.uuid });
  const { starts } = planRestore(saved([its]), facts(written(its), [], {}, [agent]), false);
  expect(starts).toMatchObject([{ saved: "web:0.0", role: "lead" }]);
});

describe("what is refused", () => {
  const good = row("0.0");
  const check = (bad: SnapshotRow, more: Partial<RestoreFacts>, silent: string[] = [], isFork = false) =>
    planRestore(
      saved([good, bad], { silent: new Set(silent as SessionId[]) }),
      facts(written(good), [], more),
      isFork,
    );

  test.each<[string, SnapshotRow, Partial<RestoreFacts>, RegExp]>([
    ["no session is known", row("0.1", { uuid: null }), {}, /no session was known/],
    [
      "its transcript is nowhere",
      row("0.1", { model: "opus" }),
      {},
      /there is no transcript of .*ever had one/,
    ],
    [
      "it is unknown whether it ever had a conversation",
      row("0.1"),
      {},
      /there is no transcript of .*ever had one/,
    ],
    [
      "the transcript was there once",
      row("0.1"),
      { recorded: () => ({ parent: null, wasWritten: true }) },
      /the transcript of .* is gone/,
    ],
  ])("[RS3] a row is refused if %s, and the others still count", (_, bad, more, why) => {
    const plan = check(bad, more);
    expect(plan.refused).toMatchObject([{ pane: "web:0.1", role: "r01", why: expect.stringMatching(why) }]);
    expect(plan.refused[0]!.hint).not.toBeNull();
    expect(plan.starts).toMatchObject([{ saved: "web:0.0" }]);
  });

  test.each<[string, Partial<SnapshotRow>, Recorded, RegExp]>([
    [
      "it had a conversation after all",
      {},
      { parent: null, wasWritten: true },
      /the transcript of .* is gone/,
    ],
    ["its parent is gone", {}, { parent: idOf(5), wasWritten: false }, /which it was forked from, is gone/],
    ["its folder is", { cwd: "/gone" }, { parent: null, wasWritten: false }, /there is no folder \/gone/],
  ])("[RS3] a row without a conversation is refused if %s", (_, its, recorded, why) => {
    const bad = row("0.1", its);
    expect(check(bad, { recorded: () => recorded }, [bad.uuid!]).refused).toMatchObject([
      { pane: "web:0.1", why: expect.stringMatching(why) },
    ]);
  });

  test("[RS3] a missing folder is reported with the command that creates it", () => {
    const bad = row("0.1", { cwd: "/gone" });
    const [file] = written(bad);
    const gone = {
      ...file!,
      path: `/c/projects/-gone/${bad.uuid}.jsonl`,
      facts: { ...file!.facts, lastCwd: "/gone" },
    };
    const plan = planRestore(saved([bad]), facts([gone]), false);
    expect(plan.refused).toMatchObject([
      { why: "there is no folder /gone", hint: "create it, then restore again: mkdir -p /gone" },
    ]);
  });

  test("[RS3] a hint quotes text of the snapshot, so a shell runs none of it", () => {
    const bad = row("0.1", { cwd: "/a/$(touch x)" });
    const { refused } = check(bad, { realFolder: () => null }, [bad.uuid!]);
    expect(refused.find(({ pane }) => pane === "web:0.1")!.hint).toMatch(/mkdir -p '\/a\/\$\(touch x\)'$/);
  });

  test("a session in two rows is opened once", () => {
    const plan = check(row("0.1", { uuid: good.uuid }), {});
    expect(plan.refused).toMatchObject([
      { pane: "web:0.1", why: `web:0.0 has the same session ${good.uuid}` },
    ]);
    expect(plan.starts).toMatchObject([{ saved: "web:0.0" }]);
    expect(plan.layout.windows[0]!.panes).toHaveLength(2);
  });

  test("[RS3] a missing transcript is not forked", () => {
    const plan = check(row("0.1", { model: "opus" }), {}, [], true);
    expect(plan.refused).toMatchObject([
      { pane: "web:0.1", why: expect.stringContaining("there is no transcript") },
    ]);
  });
});
