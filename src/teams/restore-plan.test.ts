import { describe, expect, test } from "vitest";
import { pane, transcript, unread } from "../../test/fleet/made.js";
import { facts, fresh, row, saved, shell, there, written } from "../../test/teams/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { isFreePane } from "./place-rows.js";
import { isNothingToDo, planRestore, type Recorded, type RestoreFacts } from "./restore-plan.js";

describe("what comes back", () => {
  const rows = [row("0.0"), row("0.1", { model: "opus" }), shell("1.0")];

  test("[RS2] each session is resumed in its folder with its model, in a team that is built", () => {
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
    "[RS2] a saved model %s is not handed on, and that is said (incident 18)",
    (model) => {
      const odd = row("0.0", { model });
      const { starts } = planRestore(saved([odd]), facts(written(odd)), false);
      expect(starts).toMatchObject([{ model: null, remark: expect.stringContaining("is no model") }]);
    },
  );

  test("[RS2] a fork has an id of its own, chosen before, and the saved session for a parent", () => {
    const { starts } = planRestore(saved([rows[0]!]), facts(written(rows[0]!)), true);
    expect(starts).toMatchObject([{ session: { how: "fork", id: fresh, parent: rows[0]!.uuid } }]);
  });

  test("[RS2] a session is resumed where its transcript belongs, not where its pane once was", () => {
    const moved = row("0.0", { cwd: "/elsewhere" });
    const { starts } = planRestore(saved([moved]), facts(written(moved)), false);
    expect(starts).toMatchObject([{ cwd: "/a", remark: "in /a, where its transcript belongs" }]);
  });

  test.each<[string, Partial<SnapshotRow>, Recorded, number[], object]>([
    ["had said nothing", {}, { parent: null, wasWritten: false }, [], { how: "create", id: idOf(100) }],
    [
      "was started with a model and had said nothing",
      { model: "opus[1m]" },
      { parent: null, wasWritten: false },
      [],
      { how: "create", id: idOf(100) },
    ],
    [
      "was a fork that had said nothing",
      { model: "opus" },
      { parent: idOf(5), wasWritten: false },
      [5],
      { how: "fork", id: idOf(100), parent: idOf(5) },
    ],
  ])("[RS5] one that %s is as it was", (_, its, recorded, ids, session) => {
    const parents = ids.map((id) => transcript(id, {}, { path: `/c/projects/-a/${idOf(id)}.jsonl` }));
    const { starts } = planRestore(
      saved([row("0.0", its)], { silent: new Set([idOf(100)]) }),
      facts(parents, [], { recorded: () => recorded }),
      false,
    );
    const model = its.model ?? null;
    expect(starts).toMatchObject([{ session, model, remark: expect.stringContaining("had no word yet") }]);
  });
});

test("[RS5] the fork of one that had said nothing is a new one", () => {
  const { starts } = planRestore(saved([row("0.0")], { silent: new Set([idOf(100)]) }), facts([]), true);
  expect(starts).toMatchObject([{ session: { how: "create", id: fresh } }]);
});

test("[RS5] a fork whose transcript is missed is not taken for what it was forked from", () => {
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
  ["a folder, and it was seen once", "/c/projects/-b", { parent: null, wasWritten: true }, false],
  ["the file of its parent", `/c/projects/-a/${idOf(5)}.jsonl`, { parent: idOf(5), wasWritten: false }, true],
])(
  "[RS8] while %s cannot be read it neither begins anew nor is missed (incident 64)",
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

test("[RS8] what only hides another session is no reason", () => {
  const seen = facts([]);
  const now = { ...seen, fleet: unread(seen.fleet, `/c/projects/-a/${idOf(5)}.jsonl`) };
  const { starts } = planRestore(saved([row("0.0")], { silent: new Set([idOf(100)]) }), now, false);
  expect(starts).toMatchObject([{ session: { how: "create", id: idOf(100) } }]);
});

describe("what runs", () => {
  const rows = [row("0.0"), row("0.1"), row("0.2")];
  const [first, second, third] = rows.map(({ uuid }) => uuid) as [SessionId, SessionId, SessionId];

  test("[RS1] a team that is all there needs nothing", () => {
    const panes = [0, 1, 2].map((at) => [there(`0.${at}`), rows[at]!.uuid] as const);
    const plan = planRestore(saved(rows), facts(written(...rows), panes), false);
    expect(plan).toMatchObject({ shape: "there", starts: [], refused: [] });
    expect(plan.left.map(({ why }) => why)).toEqual(["runs", "runs", "runs"]);
    expect(isNothingToDo(plan)).toBe(true);
  });

  test("[RS6] a second fork of the same snapshot finds the panes taken", () => {
    const panes = [0, 1, 2].map((at) => {
      const mark = { address: `web:0.${at}` as const, role: rows[at]!.role! };
      return [there(`0.${at}`, { mark }), idOf(500 + at)] as const;
    });
    const plan = planRestore(saved(rows), facts(written(...rows), panes), true);
    expect(isNothingToDo(plan)).toBe(true);
    expect(plan.refused).toEqual([]);
    expect(plan.left[0]!.why).toBe(`it runs there already, in ${idOf(500)}`);
  });

  test.each([
    [
      "is another, where the stores keep a place for that one",
      ["r00"],
      [{ saved: "web:0.0", pane: null }],
      [],
    ],
    ["is a stranger, where nothing tells", [], [], []],
  ])("[RS9] who stands for a saved agent under another name %s", (_, awaited, starts, left) => {
    const [row] = rows;
    const mark = { address: "web:0.0" as PaneAddress, role: "fresh" as Role };
    const stored = () => ({ isEmpty: false, roles: new Map(), awaited: new Set(awaited as Role[]) });
    const panes = [[there("0.0", { mark }), idOf(500)]] as const;
    const plan = planRestore(saved([row!]), facts(written(row!), panes, { stored }), false);
    expect(plan.starts).toMatchObject(starts);
    expect(plan.left.map(({ is }) => is)).toEqual(left);
  });

  test("[PW1] the pane of a running agent is its own, also after one before it was closed", () => {
    const panes = [
      [there("0.0"), second],
      [there("0.1"), third],
    ] as const;
    const plan = planRestore(saved(rows), facts(written(...rows), panes), false);
    expect(plan.shape).toBe("complete");
    expect(plan.starts).toMatchObject([{ saved: "web:0.0", pane: null, session: { id: first } }]);
    expect(plan.left.map(({ why }) => why)).toEqual(["runs in web:0.0", "runs in web:0.1"]);
  });

  test("[PW1] a fork is known by its role after one before it was closed", () => {
    const panes = [1, 2].map((at) => {
      const mark = { address: `web:0.${at}` as const, role: rows[at]!.role! };
      return [there(`0.${at - 1}`, { mark }), idOf(500 + at)] as const;
    });
    const plan = planRestore(saved(rows), facts(written(...rows), panes), true);
    expect(plan.starts).toMatchObject([{ saved: "web:0.0", pane: null }]);
  });

  test("[PW2] a shell is not taken for the agent that stood before it", () => {
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

  test("[RS1] a session that runs in another team is named, not opened twice (incident 22)", () => {
    const elsewhere = pane("other:3.1");
    const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), [[elsewhere, first]]), false);
    expect(plan).toMatchObject({ starts: [], left: [{ why: "its session runs in other:3.1" }] });
  });

  test("[PW2] panes are counted from whatever tmux counts them from", () => {
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
  test.each(ended)("[PW3] a pane that %s is free, and gets its agent", (_, its) => {
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

test("[SRL1] an agent that was renamed since comes back under its later name", () => {
  const its = row("0.0");
  const stored = () => ({
    isEmpty: false,
    roles: new Map([[its.uuid!, "lead" as Role]]),
    awaited: new Set<Role>(),
  });
  const { starts } = planRestore(saved([its]), facts(written(its), [], { stored }), false);
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
      /there is no transcript of .*never had one/,
    ],
    ["nobody knows whether it ever spoke", row("0.1"), {}, /there is no transcript of .*never had one/],
    [
      "the transcript was there once",
      row("0.1"),
      { recorded: () => ({ parent: null, wasWritten: true }) },
      /the transcript of .* is gone/,
    ],
  ])("[RS3] a row is named when %s, and the others count", (_, bad, more, why) => {
    const plan = check(bad, more);
    expect(plan.refused).toMatchObject([{ pane: "web:0.1", role: "r01", why: expect.stringMatching(why) }]);
    expect(plan.refused[0]!.hint).not.toBeNull();
    expect(plan.starts).toMatchObject([{ saved: "web:0.0" }]);
  });

  test.each<[string, Partial<SnapshotRow>, Recorded, RegExp]>([
    ["it spoke after all", {}, { parent: null, wasWritten: true }, /the transcript of .* is gone/],
    ["its parent is gone", {}, { parent: idOf(5), wasWritten: false }, /which it was forked from, is gone/],
    ["its folder is", { cwd: "/gone" }, { parent: null, wasWritten: false }, /there is no folder \/gone/],
  ])("[RS3] one that had no word yet is named when %s", (_, its, recorded, why) => {
    const bad = row("0.1", its);
    expect(check(bad, { recorded: () => recorded }, [bad.uuid!]).refused).toMatchObject([
      { pane: "web:0.1", why: expect.stringMatching(why) },
    ]);
  });

  test("[RS3] the folder of a transcript is gone: it is named with what to type", () => {
    const bad = row("0.1", { cwd: "/gone" });
    const [file] = written(bad);
    const gone = {
      ...file!,
      path: `/c/projects/-gone/${bad.uuid}.jsonl`,
      facts: { ...file!.facts, lastCwd: "/gone" },
    };
    const plan = planRestore(saved([bad]), facts([gone]), false);
    expect(plan.refused).toMatchObject([
      { why: "there is no folder /gone", hint: "make it, and restore again: mkdir -p /gone" },
    ]);
  });

  test("[RS3] what is to be typed runs nothing that a snapshot says", () => {
    const bad = row("0.1", { cwd: "/a/$(touch x)" });
    const { refused } = check(bad, { realFolder: () => null }, [bad.uuid!]);
    expect(refused.find(({ pane }) => pane === "web:0.1")!.hint).toMatch(/mkdir -p '\/a\/\$\(touch x\)'$/);
  });

  test("[SV2] a session that two rows name is asked for once", () => {
    const plan = check(row("0.1", { uuid: good.uuid }), {});
    expect(plan.refused).toMatchObject([
      { pane: "web:0.1", why: `web:0.0 has the same session ${good.uuid}` },
    ]);
    expect(plan.starts).toMatchObject([{ saved: "web:0.0" }]);
    expect(plan.layout.windows[0]!.panes).toHaveLength(2);
  });

  test("[RS3] nothing is forked from what is not there", () => {
    const plan = check(row("0.1", { model: "opus" }), {}, [], true);
    expect(plan.refused).toMatchObject([
      { pane: "web:0.1", why: expect.stringContaining("there is no transcript") },
    ]);
  });
});
