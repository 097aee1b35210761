import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fleetOf, pane, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { SessionId } from "../../names/gates.js";
import { openWorkspace } from "../../names/workspace.js";
import type { FleetPane } from "../panes.js";
import {
  countSessions,
  listSessions,
  listSessionsIn,
  runningPane,
  type SessionEntry,
} from "./session-list.js";

const windows = { ordinary: 200_000, large: 1_000_000 };
const list = (...parts: Parameters<typeof fleetOf>) => listSessions(fleetOf(...parts), windows);
const folders = (entries: readonly SessionEntry[]) =>
  entries.map(({ id, workspace }) => [id, workspace?.path ?? null]);

describe("the workspace of a session", () => {
  test.each<[string, Parameters<typeof transcript>[1], string | null]>([
    ["the folder in its records", { firstCwd: "/a/b-c", lastCwd: "/a/b-c" }, "/a/b-c"],
    ["another folder with the same slug", { firstCwd: "/a-b/c", lastCwd: "/a-b/c" }, "/a-b/c"],
    ["the folder it began in, wherever it went later", { firstCwd: "/a/b-c", lastCwd: "/a/b-c/d" }, "/a/b-c"],
    ["the folder its file was moved to", { firstCwd: "/old/place", lastCwd: "/a/b-c" }, "/a/b-c"],
    ["the first folder, if neither matches", { firstCwd: "/old", lastCwd: "/new" }, "/old"],
    ["unknown without a record", { firstCwd: null, lastCwd: null }, null],
    ["unknown for a relative path", { firstCwd: "b", lastCwd: "b" }, null],
  ])("%s", (_, facts, expected) => {
    const [entry] = list([transcript(1, facts, { path: `/projects/-a-b-c/${idOf(1)}.jsonl` })]);
    expect(entry?.workspace?.path ?? null).toBe(expected);
  });

  test("every spelling of a folder is one workspace", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "hm-")));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "link"));
    const [entry] = list([transcript(1, { firstCwd: join(root, "link"), lastCwd: join(root, "link") })]);
    expect(entry?.workspace).toMatchObject({ path: join(root, "real"), isCanonical: true });
  });
});

describe("one id with several files", () => {
  test("a pane whose agent writes the older file of a workspace has its own entry", () => {
    const of = (title: string, modifiedAtMs: number, folder: string) =>
      transcript(
        1,
        { firstCwd: "/b", lastCwd: "/b", title },
        { modifiedAtMs, path: `/${folder}/projects/-b/${idOf(1)}.jsonl` },
      );
    const live = { sessionId: idOf(1), cwd: "/b" } as FleetPane["live"];
    const first = pane("t:0.0", { cwd: "/b", folder: "/one", live });
    const second = pane("t:0.1", { cwd: "/b", folder: "/two", live });
    const entries = list(
      [of("newer", 2, "two"), of("older", 1, "one")],
      [
        [first, idOf(1), "stable"],
        [second, idOf(1), "live"],
      ],
    );
    const seen = entries.map(({ title, panes }) => [title, panes.map(({ address }) => address)]);
    expect(seen).toEqual([
      ["newer", ["t:0.1"]],
      ["older", ["t:0.0"]],
    ]);
  });

  const older = transcript(1, { firstCwd: "/a", lastCwd: "/a", title: "in a" }, { modifiedAtMs: 1 });
  const newer = transcript(1, { firstCwd: "/b", lastCwd: "/b", title: "in b" }, { modifiedAtMs: 2 });
  const again = transcript(1, { firstCwd: "/b", lastCwd: "/b", title: "copy" }, { modifiedAtMs: 0 });

  test("each workspace has its own entry, and only one", () => {
    expect(list([newer, older, again]).map(({ title, workspace }) => [title, workspace?.path])).toEqual([
      ["in b", "/b"],
      ["in a", "/a"],
    ]);
  });

  test.each([
    ["/a", "in a"],
    ["/b", "in b"],
    ["/elsewhere", null],
  ])("the pane in %s runs the one %s", (cwd, title) => {
    const entries = list([newer, older], [[pane("t:0.0", { cwd }), idOf(1), "stable"]]);
    expect(entries.filter((entry) => runningPane(entry) !== null).map((entry) => entry.title)).toEqual([
      title,
    ]);
  });
});

test("the list of one workspace is its part of the list of all", () => {
  const files = [
    transcript(1, { firstCwd: "/a", lastCwd: "/a" }, { modifiedAtMs: 1 }),
    transcript(1, { firstCwd: "/b", lastCwd: "/b" }, { modifiedAtMs: 2 }),
    transcript(2, { firstCwd: "/b", lastCwd: "/b" }),
    transcript(3, { firstCwd: "/b", lastCwd: "/a" }, { path: `/projects/-a/${idOf(3)}.jsonl` }),
    transcript(4, { firstCwd: "/a", lastCwd: "/b" }, { path: `/projects/-b/${idOf(4)}.jsonl` }),
    transcript(5, { firstCwd: null, lastCwd: null }),
  ];
  const fleet = fleetOf(files, [
    [pane("t:0.0", { cwd: "/a" }), idOf(2), "stable"],
    [pane("t:0.1", { cwd: "/a" }), idOf(6), "stable"],
    [pane("t:0.2", { cwd: "/b" }), idOf(1), "stable"],
  ]);
  const every = listSessions(fleet, windows);
  expect(countSessions(fleet)).toBe(every.length);
  for (const path of ["/a", "/b", "/c"]) {
    const inside = every.filter(({ workspace }) => workspace?.path === path);
    expect(listSessionsIn(openWorkspace(path), fleet, windows)).toEqual(inside);
  }
});

describe("running sessions", () => {
  test("a session before its first message is in the workspace of its pane", () => {
    const silent = pane("t:0.0", { cwd: "/a", kind: "demo" });
    expect(list([], [[silent, idOf(1), "stable"]])).toMatchObject([
      { id: idOf(1), agent: "demo", path: null, sizeBytes: null, context: null, state: "stable" },
    ]);
    expect(folders(list([], [[silent, idOf(1), "stable"]]))).toEqual([[idOf(1), "/a"]]);
  });

  test("the pane of an ended agent gives its state, and nothing runs", () => {
    const [entry] = list([transcript(1)], [[pane("t:0.0", { process: null }), idOf(1), "stale"]]);
    expect(entry).toMatchObject({ agent: "claude", state: "stale", panes: [{ address: "t:0.0" }] });
    expect(runningPane(entry!)).toBeNull();
  });

  test("of two panes with one session the running one comes first", () => {
    const ended = pane("t:0.0", { process: null });
    const [entry] = list(
      [transcript(1)],
      [
        [ended, idOf(1), "stale"],
        [pane("t:0.1"), idOf(1), "live"],
      ],
    );
    expect(entry?.panes.map(({ address }) => address)).toEqual(["t:0.1", "t:0.0"]);
    expect(entry?.state).toBe("live");
  });

  test("model and context come from the transcript, the window from the start of the process", () => {
    const spoken = transcript(1, { model: "claude-opus-4-8", usedTokens: 50_000, largestTokens: 50_000 });
    const here = pane("t:0.0");
    const fleet = fleetOf([spoken], [[here, idOf(1), "live"]]);
    const setup = { pinned: "opus[1m]", usual: null, isLargeOff: false, windowTokens: null };
    const [entry] = listSessions({ ...fleet, models: new Map([[here.id, setup]]) }, windows);
    expect(entry).toMatchObject({ model: "claude-opus-4-8", context: { used: 50_000, window: 1_000_000 } });
    const [unknown] = listSessions(fleet, windows);
    expect(unknown).toMatchObject({ context: { used: 50_000, window: null } });
  });
});

test("newest first, equal ones by id in reverse; a saved one is stale", () => {
  const at = (number: number, modifiedAtMs: number) => transcript(number, {}, { modifiedAtMs });
  const entries = list([at(1, 5), at(3, 9), at(2, 9)]);
  expect(entries.map(({ id }) => id)).toEqual([idOf(3), idOf(2), idOf(1)] satisfies SessionId[]);
  expect(entries[0]).toMatchObject({ state: "stale", title: null, model: null, context: null, panes: [] });
});
