import { expect, test } from "vitest";
import { fleetOf, pane, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { Worktree, WorktreeLook } from "../../git/worktree.js";
import { limits } from "../../limits.js";
import { goneReason, sessionFates } from "./lifecycle.js";
import { listSessions } from "./session-list.js";

const day = 86_400_000;
const nowMs = 100 * day;
const clean: Worktree = { branch: "main", changedFiles: 0, unpushed: 0 };
const look = (more: Partial<WorktreeLook> | Partial<Worktree>): WorktreeLook => ({
  worktree: "isGone" in more || "unknown" in more ? null : { ...clean, ...more },
  unknown: null,
  isGone: false,
  ...("isGone" in more || "unknown" in more ? more : {}),
});

function fates(
  looked: WorktreeLook,
  sessions: readonly (readonly [number, number])[],
  found: Parameters<typeof fleetOf>[1] = [],
) {
  const made = sessions.map(([number, daysAgo]) =>
    transcript(number, {}, { modifiedAtMs: nowMs - daysAgo * day }),
  );
  const entries = listSessions(fleetOf(made, found), { ordinary: 1, large: 2 });
  const all = sessionFates(entries, new Map([["/a", looked]]), nowMs);
  return entries.map((entry) => [Number(entry.id.slice(-2)), all.get(entry)] as const);
}

test("running, idle shell and saved", () => {
  const rows = fates(
    look({}),
    [
      [1, 0],
      [2, 1],
      [3, 2],
    ],
    [
      [pane("t:0.0"), idOf(1), "live"],
      [pane("t:0.1", { process: null, kind: "shell" }), idOf(2), "stale"],
    ],
  );
  expect(rows.map(([, fate]) => fate?.lifecycle)).toEqual(["running", "idle shell", "saved"]);
});

const old = limits.abandonedDays;
test.each([
  ["clean", look({}), [[1, 90]], null],
  ["dirty and recently used", look({ changedFiles: 3 }), [[1, old - 1]], null],
  ["dirty and old", look({ changedFiles: 3 }), [[1, old]], `3 changed files, not touched for ${old} d`],
  ["one file", look({ changedFiles: 1 }), [[1, 30]], "1 changed file, not touched for 30 d"],
  ["unpushed commits", look({ unpushed: 2 }), [[1, 30]], "2 commits not pushed, not touched for 30 d"],
  [
    "both",
    look({ changedFiles: 2, unpushed: 1 }),
    [[1, 30]],
    "2 changed files and 1 commit not pushed, not touched for 30 d",
  ],
  ["no upstream", look({ unpushed: null }), [[1, 90]], null],
  ["its folder is gone", look({ isGone: true }), [[1, 0]], goneReason],
] as const)("%s", (_, looked, sessions, expected) =>
  expect(fates(looked, sessions)).toEqual([[1, { lifecycle: "saved", abandoned: expected }]]),
);

test("the leftovers belong to the last session, and to none while one runs", () => {
  const dirty = look({ changedFiles: 3 });
  const reasons = (rows: ReturnType<typeof fates>) =>
    rows.flatMap(([number, fate]) => (fate?.abandoned ? number : []));
  const both = [
    [1, 30],
    [2, 60],
  ] as const;
  expect(reasons(fates(dirty, both))).toEqual([1]);
  expect(reasons(fates(dirty, both, [[pane("t:0.0"), idOf(2), "live"]]))).toEqual([]);
});

test("an unreadable worktree proves nothing", () => {
  expect(fates(look({ unknown: "git took longer than 2000 ms" }), [[1, 90]])).toEqual([
    [1, { lifecycle: "saved", abandoned: null }],
  ]);
});
