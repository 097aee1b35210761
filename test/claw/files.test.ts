import { mkdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentsOf } from "../contents.js";
import { clawHome, meta, said, texts, write } from "./stores.js";

function cloneHome() {
  const home = clawHome();
  const clone = home.folder("clone");
  const store = home.open(clone);
  return { ...home, ...store, clone, store };
}

const torn = '{"type":"message","message":{"ro';

describe("an unusual file", () => {
  test.each<[string, (path: string) => void, object]>([
    [
      "a folder named like an id",
      (path) => mkdirSync(path, { recursive: true }),
      { reason: "broken", why: "it is a folder" },
    ],
    ["rubbish", (path) => write(path, "\u0000\u0001rubbish"), { reason: "broken" }],
    [
      "another version",
      (path) => write(path, meta("s", { version: 2 }), said("hi")),
      { reason: "version", why: expect.stringContaining("version 2") },
    ],
    ["an invalid version", (path) => write(path, meta("s", { version: "1" })), { reason: "version" }],
    [
      "a link to a session",
      (path) => symlinkSync(write(`${path}-elsewhere`, said("hi")), path),
      { reason: "broken", why: "it is a symbolic link" },
    ],
    ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), { reason: "broken" }],
  ])("%s is refused and named", async (_, make, expected) => {
    const { partition, list, exists, load, store } = cloneHome();
    const path = join(partition, "s.jsonl");
    mkdirSync(partition, { recursive: true });
    make(path);
    expect(list().sessions).toEqual([]);
    expect(list().refused).toMatchObject([{ path, id: "s", ...expected }]);
    expect(exists("s")).toBe(false);
    expect(() => load("s")).toThrow(/^refused/);
    await expect(store.append("s", said("x"))).rejects.toThrow(/^refused/);
  });

  test("an empty file is a session without messages, which latest skips", () => {
    const { partition, list, latest, load } = cloneHome();
    write(join(partition, "empty.jsonl"));
    expect(list()).toMatchObject({ sessions: [{ id: "empty", messages: 0, sizeBytes: 0 }], refused: [] });
    expect(load("empty").summary.problems).toEqual(["it has no session_meta"]);
    expect(latest()).toBeNull();
  });

  test("a torn last line, unknown records and a foreign id are reported, and the session is read", () => {
    const { partition, load } = cloneHome();
    write(
      join(partition, "s.jsonl"),
      meta("another"),
      said("a"),
      { type: "vote" },
      "not json\n",
      said("b"),
      torn,
    );
    const { summary, records, messages } = load("s");
    expect(messages).toHaveLength(2);
    expect(records.map(({ type }) => type)).toEqual(["message", "vote", "message"]);
    expect(summary.problems).toEqual([
      "line 4 is not a record",
      "line 6 is torn: it was not written to its end",
      "its session_meta names another session",
    ]);
  });

  test("a dotted name is refused with its reason, never taken for an id", () => {
    const { partition, list, exists } = cloneHome();
    write(join(partition, "a.b.jsonl"), meta("a.b"), said("hi"));
    write(join(partition, "latest.jsonl"), meta("latest"), said("hi"));
    expect(list().sessions).toEqual([]);
    expect(list().refused.map(({ reason, id }) => [reason, id])).toEqual([
      ["name", null],
      ["name", null],
    ]);
    expect(exists("a.b")).toBe(false);
  });

  test("rotated, temporary and hidden files, locks and torn-off lines are not listed", () => {
    const { partition, list } = cloneHome();
    for (const name of [
      "s.rot-1700000000000.jsonl",
      "s.jsonl.tmp-1700000000000-0",
      "s.tmp-1.jsonl",
      ".s.jsonl.4711-0123456789ab.tmp",
      ".hidden.jsonl",
      "s.jsonl.lock",
      "s.jsonl.torn-5",
      "notes.txt",
    ])
      write(join(partition, name), meta("s"), said("hi"));
    expect(list()).toEqual({ sessions: [], refused: [], elsewhere: 0 });
  });

  test(".jsonl counts before .json, and the partition before the flat folder", () => {
    const { partition, legacyRoot, list, load } = cloneHome();
    const older = (text: string) => ({ version: 1, messages: [said(text).message] });
    write(join(legacyRoot, "s.json"), older("flat json"));
    expect(texts(load("s").records)).toEqual(["flat json"]);
    write(join(legacyRoot, "s.jsonl"), meta("s"), said("flat jsonl"));
    expect(texts(load("s").records)).toEqual(["flat jsonl"]);
    write(join(partition, "s.json"), older("json"));
    expect(texts(load("s").records)).toEqual(["json"]);
    write(join(partition, "s.jsonl"), meta("s"), said("jsonl"));
    expect(texts(load("s").records)).toEqual(["jsonl"]);
    const { sessions, refused } = list();
    expect(sessions).toMatchObject([{ id: "s", path: join(partition, "s.jsonl") }]);
    expect(refused.map(({ reason }) => reason)).toEqual(["hidden", "hidden", "hidden"]);
  });
});

describe("the list", () => {
  /** A file with that modification time and those lines. */
  const at = (partition: string, id: string, fileMs: number, ...lines: object[]) => {
    const path = write(join(partition, `${id}.jsonl`), ...lines);
    utimesSync(path, fileMs / 1000, fileMs / 1000);
  };

  test("the newest of meta, last record and file counts as the last change", () => {
    const { partition, load } = cloneHome();
    const prompt = { type: "prompt_history", timestamp_ms: 7_000_000, text: "x" };
    at(partition, "by-file", 5_000_000, meta("by-file", { updated_at_ms: 1 }));
    at(partition, "by-meta", 1_000_000, meta("by-meta", { updated_at_ms: 6_000_000 }));
    at(partition, "by-record", 1_000_000, meta("by-record", { updated_at_ms: 1 }), prompt);
    const changed = ["by-file", "by-meta", "by-record"].map((id) => load(id).summary.updatedAtMs);
    expect(changed).toEqual([5_000_000, 6_000_000, 7_000_000]);
    const never = { type: "prompt_history", timestamp_ms: Number.MAX_SAFE_INTEGER, text: "x" };
    at(partition, "never", 3_000_000, meta("never", { updated_at_ms: Number.MAX_SAFE_INTEGER }), never);
    expect(load("never").summary.updatedAtMs).toBe(3_000_000);
  });

  test("the last changed comes first, then the newer file, then ids backwards", () => {
    const { partition, list } = cloneHome();
    at(partition, "old", 5_000_000, meta("old", { updated_at_ms: 5 }));
    at(partition, "new", 1_000_000, meta("new", { updated_at_ms: 6_000_000 }));
    at(partition, "tie-a", 2_000_000, meta("tie-a", { updated_at_ms: 4_000_000 }));
    at(partition, "tie-b", 2_000_000, meta("tie-b", { updated_at_ms: 4_000_000 }));
    at(partition, "tie-0", 3_000_000, meta("tie-0", { updated_at_ms: 4_000_000 }));
    expect(list().sessions.map(({ id }) => id)).toEqual(["new", "old", "tie-0", "tie-b", "tie-a"]);
  });

  test("latest skips sessions without messages", () => {
    const { partition, latest, load } = cloneHome();
    write(join(partition, "spoken.jsonl"), meta("spoken"), said("hi"));
    write(join(partition, "silent.jsonl"), meta("silent", { updated_at_ms: Date.now() + 60_000 }));
    expect(latest()?.id).toBe("spoken");
    for (const ref of ["latest", "last", "recent"]) expect(load(ref).summary.id).toBe("spoken");
  });

  test("has all facts of a session, and the reason for every other file", () => {
    const { partition, legacyRoot, list, clone } = cloneHome();
    const fork = { parent_session_id: "p", branch_name: "side" };
    const more = { workspace_root: clone, model: "opus", fork };
    write(join(partition, "s.jsonl"), meta("s", more), said("sys", "system"), said(" two\n lines ", "user"));
    write(join(legacyRoot, "other.jsonl"), meta("other", { workspace_root: "/nowhere" }), said("hi"));
    const { sessions, refused } = list();
    expect(sessions).toMatchObject([
      {
        id: "s",
        workspaceRoot: clone,
        isLegacy: false,
        createdAtMs: 5,
        messages: 2,
        model: "opus",
        parent: "p",
        branch: "side",
        firstPrompt: "two lines",
        problems: [],
      },
    ]);
    expect(refused).toEqual([
      {
        id: "other",
        path: join(legacyRoot, "other.jsonl"),
        reason: "moved",
        why: "it belongs to /nowhere, which no longer exists",
        workspaceRoot: "/nowhere",
      },
    ]);
  });

  test("never creates a folder", () => {
    const { root, list, latest, load, exists, partition } = cloneHome();
    const before = contentsOf(root);
    expect(list()).toEqual({ sessions: [], refused: [], elsewhere: 0 });
    expect(latest()).toBeNull();
    expect(exists("s")).toBe(false);
    for (const ref of ["s", "latest"]) expect(() => load(ref)).toThrow(partition);
    expect(contentsOf(root)).toEqual(before);
  });
});

describe("a reference", () => {
  const hostile = [
    "../s",
    "../../s",
    "..",
    ".",
    "/etc/passwd",
    "a/b",
    "a.b",
    "s.jsonl",
    "-s",
    "",
    "a\nb",
    "x".repeat(300),
  ];

  test("that is not an id touches nothing, inside or outside", async () => {
    const { root, partition, legacyRoot, store } = cloneHome();
    write(join(partition, "s.jsonl"), meta("s"), said("hi"));
    write(join(legacyRoot, "..", "s.jsonl"), meta("s"), said("canary"));
    write(join(root, "s.jsonl"), meta("s"), said("canary"));
    const before = contentsOf(root);
    for (const ref of hostile) {
      expect(store.exists(ref), ref).toBe(false);
      expect(() => store.load(ref)).toThrow(/^refused/);
      await expect(store.append(ref, said("x"))).rejects.toThrow(/^refused/);
      await expect(store.resume(ref)).rejects.toThrow(/^refused/);
      await expect(store.fork(ref)).rejects.toThrow(/^refused/);
      await expect(store.delete(ref, { isForever: true })).rejects.toThrow(/^refused/);
      await expect(store.rebind(ref)).rejects.toThrow(/^refused/);
    }
    expect(contentsOf(root)).toEqual(before);
  });

  test("by path reads a file outside by the same rules, and never changes one", async () => {
    const { root, clone, store } = cloneHome();
    const bound = write(
      join(root, "a b", "bound.jsonl"),
      meta("bound", { workspace_root: clone }),
      said("hi"),
    );
    const unbound = write(join(root, "unbound.jsonl"), meta("unbound"), said("hi"));
    expect(texts(store.load({ file: bound }).records)).toEqual(["hi"]);
    expect(store.exists({ file: unbound })).toBe(false);
    const stray = join(store.legacyRoot, "0123456789abcdef", "stray.jsonl");
    write(stray, meta("stray", { workspace_root: clone }), said("stray"));
    expect(texts(store.load({ file: stray }).records)).toEqual(["stray"]);
    await expect(store.append({ file: stray }, said("x"))).rejects.toThrow(/is outside this workspace/);
    expect(store.exists({ file: join(root, "nothing.jsonl") })).toBe(false);
    const before = contentsOf(root);
    await expect(store.append({ file: bound }, said("x"))).rejects.toMatchObject({
      message: expect.stringContaining("is outside this workspace"),
      hint: `hivemind sessions fork --file '${bound}'`,
    });
    await expect(store.delete({ file: bound }, { isForever: true })).rejects.toThrow(
      /is outside this workspace/,
    );
    expect(contentsOf(root)).toEqual(before);
    expect((await store.fork({ file: bound })).parent).toBe("bound");
  });

  test.each([".claw", ".claw/sessions", "partition"])(
    "is not followed through a link at %s that leads away",
    async (where) => {
      const { root, clone, folder, store } = cloneHome();
      const away = folder("away");
      const link = where === "partition" ? store.partition : join(clone, where);
      mkdirSync(join(link, ".."), { recursive: true });
      symlinkSync(away, link);
      write(join(away, "s.jsonl"), meta("s"), said("canary"));
      const before = contentsOf(root);
      const { sessions, refused } = store.list();
      expect(sessions).toEqual([]);
      if (where !== ".claw")
        expect(refused[0]).toMatchObject({
          reason: "unreadable",
          why: expect.stringMatching("leads out of"),
        });
      await expect(store.create()).rejects.toThrow(/leads out of/);
      expect(contentsOf(root)).toEqual(before);
    },
  );
});

test.each([".claw", "sessions", "partition"])(
  "a file in place of the folder %s is reported, and nothing is created",
  async (where) => {
    const { root, clone, store } = cloneHome();
    const places: Record<string, string> = { sessions: store.legacyRoot, partition: store.partition };
    write(places[where] ?? join(clone, where), "x");
    const before = contentsOf(root);
    expect(store.list().sessions).toEqual([]);
    expect(store.list().refused[0]).toMatchObject({ reason: "unreadable" });
    await expect(store.create()).rejects.toMatchObject({ name: "HiveError", hint: expect.any(String) });
    expect(contentsOf(root)).toEqual(before);
  },
);

test("files are private, and so is every new folder", async () => {
  const { clone, partition, legacyRoot, create } = cloneHome();
  const made = await create({ records: [said("hi")] });
  made.close();
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(made.path)).toBe("600");
  for (const folder of [join(clone, ".claw"), legacyRoot, partition]) expect(mode(folder)).toBe("700");
});
