import { expect, test } from "vitest";
import { parseStatus } from "./worktree.js";

const nothing = { branch: null, changedFiles: 0, unpushed: null };
const oid = "# branch.oid 1111111111111111111111111111111111111111";

test.each([
  ["nothing", [], nothing],
  ["a branch", [oid, "# branch.head main"], { ...nothing, branch: "main" }],
  ["no branch", [oid, "# branch.head (detached)"], nothing],
  [
    "an upstream",
    ["# branch.head x/y z", "# branch.upstream o/x", "# branch.ab +2 -5"],
    { ...nothing, branch: "x/y z", unpushed: 2 },
  ],
  ["an unborn branch", ["# branch.oid (initial)", "# branch.head main"], { ...nothing, branch: "main" }],
  [
    "changed, untracked and unmerged files",
    ["1 .M N... 1 1 1 a b a.ts", "? new", "u UU N... 1 1 1 1 a b c x"],
    { ...nothing, changedFiles: 3 },
  ],
  [
    "a renamed file counts once, whatever its old name",
    ["2 R. N... 1 1 1 a b R100 new", "? old", "? x"],
    { ...nothing, changedFiles: 2 },
  ],
  ["a name with a line break", ["? a\n? b"], { ...nothing, changedFiles: 1 }],
])("git's status of %s", (_, records, expected) =>
  expect(parseStatus(records.map((record) => `${record}\0`).join(""))).toEqual(expected),
);

const changed = (record: string) => `1 .M N... 100644 100644 100644 a b ${record}`;
test.each([
  ["? .claw/", 0],
  ["? .claw/sessions/", 0],
  ["? a b/.claw/sessions/0123456789abcdef/s.jsonl", 0],
  ["? .clawed/", 1],
  ["? x.claw/", 1],
  ["? .claw", 1],
  ["? .claw.json", 1],
  [changed(".claw/sessions/s.jsonl"), 0],
  [changed("sub/.claw/sessions/0123456789abcdef/s.jsonl"), 0],
  [changed(".claw/settings.json"), 1],
  [changed("src/main.ts"), 1],
  ["2 R. N... 100644 100644 100644 a b R100 .claw/sessions/s.jsonl\0.claw/sessions/t.jsonl", 0],
  ["2 R. N... 100644 100644 100644 a b R100 kept.jsonl\0.claw/sessions/t.jsonl", 1],
  ["u UU N... 100644 100644 100644 100644 a b c .claw/sessions/s.jsonl", 0],
])("%j: %i changed files, and claw's own count only before a removal", (record, expected) => {
  expect(parseStatus(`${record}\0`).changedFiles).toBe(expected);
  expect(parseStatus(`${record}\0`, { hasClawFiles: true }).changedFiles).toBe(1);
});
