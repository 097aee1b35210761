import stringWidth from "fast-string-width";
import pico from "picocolors";
import { expect, test } from "vitest";
import { fleetOf, pane, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import { sessionFates } from "../../fleet/sessions/lifecycle.js";
import { type AnySession, listSessions } from "../../fleet/sessions/session-list.js";
import type { WorktreeLook } from "../../git/worktree.js";
import { managedId } from "../../names/managed-id.js";
import { openWorkspace } from "../../names/workspace.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import { abandonedLines, headline, nothingLines, refusedLines, sessionLines } from "./table.js";

const colours = pico.createColors(false);
const view = { nowMs: 5000, hasFolder: false, columns: 100, colours };
const dirty: WorktreeLook = {
  worktree: { branch: "main", changedFiles: 3, unpushed: 1 },
  unknown: null,
  isGone: false,
};
const gone: WorktreeLook = { worktree: null, unknown: null, isGone: true };

function rowsOf(
  entries: readonly AnySession[],
  look: WorktreeLook | null,
  parents = new Map<string, string>(),
) {
  const fates = sessionFates(entries, new Map(look ? [["/a", look]] : []), view.nowMs);
  return entries.map((entry) => ({
    entry,
    edge: parents.has(entry.id) ? ({ parent: parents.get(entry.id) } as LineageEdge) : null,
    fate: fates.get(entry)!,
    look,
  }));
}

const list = (...parts: Parameters<typeof fleetOf>) =>
  listSessions(fleetOf(...parts), { ordinary: 200_000, large: 1_000_000 });
const two = list(
  [
    transcript(
      1,
      { title: "漢字", usedTokens: 50_000, messages: 12, askedModel: "x[1m]", model: "x", usedAtMs: 1e12 },
      { modifiedAtMs: 2, sizeBytes: 1_500_000 },
    ),
    transcript(2, { title: "b", gitBranch: "fix/x" }, { modifiedAtMs: 1 }),
  ],
  [
    [pane("t:0.0"), idOf(1), "live"],
    [pane("t:0.1", { process: null }), idOf(2), "stale"],
  ],
);

test("a row shows lifecycle, message count, parent and branch", () => {
  const rows = rowsOf(two, dirty, new Map([[idOf(2), idOf(1)]]));
  expect(sessionLines(rows, view)).toEqual([
    "SESSION   AGENT   LIFE                       CONTEXT  MSGS    SIZE  AGE  PARENT    BRANCH  TITLE",
    "00000000  claude  running t:0.0, dirty 3         5 %    12  1.5 MB  4 s  –         –       漢字",
    "00000000  claude  idle shell t:0.1, dirty 3        –     0     1 B  4 s  00000000  fix/x   b",
  ]);
  expect(sessionLines(rows, { ...view, hasFolder: true })[1]).toMatch(/ +\/a {6}漢字$/);
});

test("a session whose agent crashed is shown as crashed, as in status", () => {
  const ended = pane("t:0.1", { process: null, kind: "shell", dead: true, deadStatus: null });
  const [, line] = sessionLines(rowsOf(list([transcript(1)], [[ended, idOf(1), "stale"]]), null), view);
  expect(line).toMatch(/^00000000 {2}claude {2}crashed t:0\.1 /);
});

test("rows of several folders show the end of the path, the whole path when piped", () => {
  const far = list([
    transcript(1, { firstCwd: `/${"x".repeat(40)}/end`, lastCwd: `/${"x".repeat(40)}/end` }),
  ]);
  const line = (columns: number) => sessionLines(rowsOf(far, null), { ...view, hasFolder: true, columns })[1];
  expect(line(100)).toMatch(/ …x{23}\/end {2}–$/);
  expect(line(Number.POSITIVE_INFINITY)).toMatch(/ \/x{40}\/end {2}–$/);
});

test("empty columns are left out", () => {
  const [heading] = sessionLines(rowsOf(list([transcript(1)]), null), view);
  expect(heading).toBe("SESSION   AGENT   LIFE   MSGS  SIZE  AGE  TITLE");
});

test("only the title is cut at the edge of the screen", () => {
  const long = list([transcript(1, { title: "word ".repeat(40), gitBranch: "feature/".repeat(9) })]);
  for (const columns of [120, 100]) {
    const lines = sessionLines(rowsOf(long, dirty), { ...view, columns });
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    expect(lines[1]).toMatch(/…$/);
  }
  expect(sessionLines(rowsOf(long, dirty), { ...view, columns: 20 })[1]).toMatch(/word word/);
});

test("claw sessions are listed with their whole id and their own parent", () => {
  const claw: AnySession = {
    ...two[1]!,
    ...{ store: "managed", agent: "claw", id: managedId("session-1-0"), panes: [], branch: "try" },
    ...{ parent: managedId("session-0-0"), isLegacy: false, modifiedAtMs: 0 },
  };
  expect(sessionLines(rowsOf([claw], null), view)[1]).toBe(
    "session-1-0  claw   saved     0   1 B  4 s  session-0-0  try     b",
  );
});

test("each reason for abandoned sessions is printed once", () => {
  const many = list([1, 2, 3, 4, 5].map((number) => transcript(number)));
  expect(abandonedLines(rowsOf(many, gone))).toEqual([
    "abandoned? 00000000, 00000000, 00000000 and 2 more: its folder is gone (/a)",
  ]);
  expect(abandonedLines(rowsOf(many, dirty))).toEqual([]);
});

test("the headline names folder, fingerprint, count and worktree", () => {
  const here = openWorkspace("/a");
  expect(headline(here, { found: 1, inside: 2 }, dirty, colours)).toBe(
    `/a  fingerprint ${here.fingerprint}, 1 of 2 sessions, branch main, 3 changed, 1 not pushed`,
  );
  const unknown = { ...gone, unknown: "git took longer than 2000 ms" };
  expect(headline(here, { found: 1, inside: 1 }, unknown, colours)).toMatch(/1 session, git took longer/);
  expect(headline(null, { found: 2, inside: 2 }, null, colours)).toBe("every folder  2 sessions");
});

test("an empty list says how many are hidden, and how to rebind sessions of a moved folder", () => {
  const here = openWorkspace("/new/app");
  const moved = { firstCwd: "/old/app", lastCwd: "/old/app" };
  const other = { firstCwd: "/old/web", lastCwd: "/old/web" };
  expect(nothingLines(here, list([transcript(1, moved), transcript(2, other)]))).toEqual([
    `No sessions in /new/app (fingerprint ${here.fingerprint}).`,
    "Sessions in other folders: 2 (hivemind sessions --all)",
    "/old/app is gone and has 1; if it was moved here, rebind them:",
    "  hivemind sessions rebind --from /old/app",
  ]);
  expect(nothingLines(here, []).at(-1)).toMatch(/^Sessions in other folders: none$/);
});

test("a file that belongs elsewhere is reported with the command that rebinds it", () => {
  const file = {
    path: "/a/x\u001b.jsonl",
    id: managedId("x"),
    workspace: openWorkspace("/a"),
    workspaceRoot: null,
  };
  expect(
    refusedLines([
      { ...file, reason: "moved", why: "made in /old" },
      { ...file, reason: "copied", why: "of /b" },
      { ...file, reason: "version", why: "version 7" },
    ]),
  ).toEqual([
    "hivemind: not shown: /a/x␛.jsonl: made in /old; to use it here: hivemind sessions rebind x",
    "hivemind: not shown: /a/x␛.jsonl: of /b; to use it here: hivemind sessions rebind x --copy",
    "hivemind: not shown: /a/x␛.jsonl: version 7",
  ]);
});
