import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { idOf } from "../../../test/transcripts/files.js";
import { noFacts, type Transcript } from "../../transcripts/transcript.js";
import type { HookClaim } from "./hook-claims.js";
import { type FilePane, transcriptOfPane } from "./pane-transcript.js";

const id = idOf(1);
const startMs = 100_000;

interface Made {
  slug?: string;
  folder?: string;
  bornAtMs?: number | null;
  modifiedAtMs?: number;
  lastCwd?: string;
}

function file({ slug = "-b", folder = "/one", bornAtMs = 5, modifiedAtMs = 9, lastCwd }: Made): Transcript {
  const path = `${folder}/projects/${slug}/${id}.jsonl`;
  const facts = { ...noFacts(), lastCwd: lastCwd ?? null };
  return { id, kind: "claude", folder, path, sizeBytes: 1, modifiedAtMs, bornAtMs, facts };
}

function pane(more: Partial<FilePane> & { cwd?: string; given?: "create" | "resume" | null } = {}): FilePane {
  const { cwd = "/b", given = "resume", ...rest } = more;
  const began = given === null ? null : id;
  return {
    process: { startedAtMs: startMs },
    folder: "/one",
    live: { sessionId: id, cwd, startedAtMs: startMs },
    arguments: { began, forkedFrom: null, model: null, name: null, isCreated: given === "create" },
    cwd,
    startPath: cwd,
    ...rest,
  } as unknown as FilePane;
}

/** The position of the file among the given ones, which are in index order: the last written first. */
function placeOf(files: readonly Transcript[], of: FilePane, hook: Partial<HookClaim> | null = null) {
  const found = transcriptOfPane({ byId: new Map([[id, files]]) }, id, of, hook as HookClaim | null);
  return found === null ? null : files.indexOf(found);
}

test.each<[string, Transcript[], FilePane, number | null]>([
  ["the one in its own config folder", [file({ folder: "/two" }), file({ folder: "/one" })], pane(), 1],
  ["none, if only another config folder has one", [file({ folder: "/two" })], pane(), null],
  ["the only one, if its folder is unknown", [file({ folder: "/two" })], pane({ live: null }), 0],
])("the file of a pane is %s", (_, files, of, place) => expect(placeOf(files, of)).toBe(place));

test("a config folder with two paths is one", () => {
  const root = mkdtempSync(join(tmpdir(), "hm-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  const files = [file({ folder: "/two" }), file({ folder: join(root, "real") })];
  expect(placeOf(files, pane({ folder: join(root, "link") }))).toBe(1);
});

test("a hook's report names the file, if it exists and is of this session", () => {
  const files = [file({ slug: "-b" }), file({ slug: "-a" })];
  const named = { sessionId: id, transcriptPath: files[1]!.path };
  expect(placeOf(files, pane(), named)).toBe(1);
  expect(placeOf(files, pane(), { ...named, sessionId: idOf(2) })).toBe(0);
  expect(placeOf(files, pane(), { ...named, transcriptPath: "/one/projects/-gone/x.jsonl" })).toBe(0);
});

const [before, after] = [startMs - 50_000, startMs + 50_000];

test("a file that seems a few milliseconds older than its process was created by it", () => {
  expect(placeOf([file({ bornAtMs: startMs - 4 })], pane({ given: "create" }))).toBe(0);
});

test.each<[string, Transcript[], FilePane, number | null]>([
  ["its folder's, though another was written later", [file({ slug: "-a" }), file({})], pane(), 1],
  ["the only one, resumed from another folder", [file({ slug: "-a" })], pane(), 0],
  [
    "the older one, if a later process created one in the same folder",
    [file({ slug: "-b", bornAtMs: after }), file({ slug: "-a", bornAtMs: before })],
    pane(),
    1,
  ],
  [
    "its own new one, if it was started to create it",
    [file({ slug: "-a", bornAtMs: before }), file({ slug: "-b", bornAtMs: after })],
    pane({ given: "create" }),
    1,
  ],
  [
    "none yet, if it was started to create it and has not written",
    [file({ slug: "-a", bornAtMs: before })],
    pane({ given: "create" }),
    null,
  ],
  [
    "the one that it began before it went into a worktree",
    [file({ slug: "-a", bornAtMs: before }), file({ slug: "-b", bornAtMs: after })],
    pane({ given: "create", cwd: "/b/.claude/worktrees/w" }),
    1,
  ],
  [
    "its folder's, if the file system has no birth times",
    [file({ slug: "-a", bornAtMs: null }), file({ slug: "-b", bornAtMs: null })],
    pane({ given: "create" }),
    1,
  ],
])("the file of a pane is %s", (_, files, of, place) => expect(placeOf(files, of)).toBe(place));

test.each<[string, Transcript[], FilePane, number | null]>([
  [
    "the one whose last record names its folder",
    [file({ slug: "-a", lastCwd: "/x" }), file({ slug: "-c", lastCwd: "/y" })],
    pane({ given: null, cwd: "/y" }),
    1,
  ],
  [
    "the one written since its start",
    [file({ slug: "-a", modifiedAtMs: after }), file({ slug: "-c", modifiedAtMs: before })],
    pane({ given: null, cwd: "/y" }),
    0,
  ],
  [
    "unknown, if both are possible",
    [file({ slug: "-a", modifiedAtMs: after }), file({ slug: "-c", modifiedAtMs: after })],
    pane({ given: null, cwd: "/y" }),
    null,
  ],
  [
    "its folder's, for an ended agent",
    [file({ slug: "-a" }), file({})],
    pane({ process: null, live: null }),
    1,
  ],
  [
    "the last written, for an ended agent of another folder",
    [file({ slug: "-a" }), file({ slug: "-c" })],
    pane({ process: null, live: null }),
    0,
  ],
  ["none, if there is none", [], pane(), null],
])("the file of a pane is %s", (_, files, of, place) => expect(placeOf(files, of)).toBe(place));
