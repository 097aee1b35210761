import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import { identityText, ownIdentity } from "../../src/base/system/process-identity.js";
import { contentsOf } from "../contents.js";
import { hurry } from "../hurried.js";
import { clawHome, meta, said, texts, write } from "./stores.js";

function cloneHome() {
  const home = clawHome();
  const clone = home.folder("clone");
  return { ...home, clone, store: home.open(clone) };
}

describe("create", () => {
  test("writes a session like the test vectors", async () => {
    const { clone, store } = cloneHome();
    const made = await store.create({ model: "opus", records: [said("hi")] });
    await made.append([said("yes", "assistant"), { type: "prompt_history", timestamp_ms: 5, text: "hi" }]);
    made.close();
    expect(made.id).toMatch(/^session-\d{13}-\d+$/);
    expect(made.path).toBe(join(store.partition, `${made.id}.jsonl`));
    const [first, ...rest] = readFileSync(made.path, "utf8").split("\n");
    const at = JSON.parse(first!).created_at_ms as number;
    expect(first).toBe(
      `{"created_at_ms":${at},"model":"opus","session_id":"${made.id}","type":"session_meta",` +
        `"updated_at_ms":${at},"version":1,"workspace_root":${JSON.stringify(clone)}}`,
    );
    expect(rest).toEqual([
      '{"message":{"blocks":[{"text":"hi","type":"text"}],"role":"user"},"type":"message"}',
      '{"message":{"blocks":[{"text":"yes","type":"text"}],"role":"assistant"},"type":"message"}',
      '{"text":"hi","timestamp_ms":5,"type":"prompt_history"}',
      "",
    ]);
    expect(store.load(made.id).summary).toMatchObject({ messages: 2, model: "opus", problems: [] });
  });

  test("never takes an id that is in use, in any form", async () => {
    const { store } = cloneHome();
    const at = Date.now() + 60_000;
    vi.spyOn(Date, "now").mockReturnValue(at);
    onTestFinished(() => void vi.restoreAllMocks());
    write(join(store.partition, `session-${at}-0.jsonl`));
    write(join(store.partition, `session-${at}-1.json`));
    write(join(store.legacyRoot, `session-${at}-2.jsonl`));
    const before = contentsOf(store.legacyRoot);
    const handles = await Promise.all(Array.from({ length: 10 }, () => store.create()));
    for (const handle of handles) handle.close();
    const counters = handles.map(({ id }) => Number(id.slice(`session-${at}-`.length)));
    expect(counters.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(contentsOf(store.legacyRoot)).toMatchObject(before);
  });

  test("the next maker removes the leftovers of a killed one", async () => {
    const { store } = cloneHome();
    (await store.create()).close();
    // A dead process's lock, with its unfinished file.
    const left = join(store.partition, ".session-1-0.jsonl.999999-0123456789ab.tmp");
    writeFileSync(left, "half");
    const dead = identityText({ ...ownIdentity(), start: "1" });
    symlinkSync(`${dead},00000000000000000000`, join(store.partition, ".making.lock"));
    (await store.create()).close();
    expect(existsSync(left)).toBe(false);
  });
});

describe("append", () => {
  test("appends all records of a call, or none of them", async () => {
    const { store } = cloneHome();
    const path = write(join(store.partition, "s.jsonl"), meta("s"), { type: "vote", x: 1.5 });
    const before = readFileSync(path, "utf8");
    await store.append("s", [said("a"), said("b")]);
    const after = readFileSync(path, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(texts(store.load("s").records)).toEqual(["a", "b"]);
    const bad = { type: "compaction", count: 0.5, removed_message_count: 0, summary: "" };
    await expect(store.append("s", [said("c"), bad])).rejects.toThrow(/refused/);
    expect(readFileSync(path, "utf8")).toBe(after);
    await store.append("s", []);
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  test("a torn last line is saved beside the file, byte for byte, and the file is intact again", async () => {
    const { store } = cloneHome();
    const path = write(join(store.partition, "s.jsonl"), meta("s"), said("a"));
    const whole = readFileSync(path);
    const torn = Buffer.concat([
      Buffer.from('{"type":"mess'),
      Buffer.from([0xff, 0x00, 0xc3]),
      Buffer.alloc(700_000, "x"),
    ]);
    appendFileSync(path, torn);
    const { setAside } = await store.append("s", said("b"));
    expect(readFileSync(setAside!).equals(torn)).toBe(true);
    expect(readFileSync(path).subarray(0, whole.length).equals(whole)).toBe(true);
    expect(store.load("s").summary).toMatchObject({ messages: 2, problems: [] });
    expect(store.list().refused).toEqual([]);
    expect(await store.append("s", said("c"))).toEqual({ setAside: null });
  });

  test("a last line that only lacks its line end is a record, and gets one", async () => {
    const { store } = cloneHome();
    write(join(store.partition, "s.jsonl"), meta("s"), JSON.stringify(said("a")));
    expect(await store.append("s", said("b"))).toEqual({ setAside: null });
    expect(texts(store.load("s").records)).toEqual(["a", "b"]);
  });

  test("a missing session is not created again", async () => {
    const { store } = cloneHome();
    const made = await store.create();
    renameSync(made.path, `${made.path}.away`);
    await expect(made.append(said("a"))).rejects.toThrow(/is gone/);
    made.close();
    expect(existsSync(made.path)).toBe(false);
  });

  test("the older form cannot be extended: the refusal names fork, and fork continues in the new form", async () => {
    const { store } = cloneHome();
    const older = { version: 1, model: "opus", mystery: [1], messages: [said("a").message] };
    const path = write(join(store.legacyRoot, "old.json"), older);
    await expect(store.append("old", said("b"))).rejects.toMatchObject({
      hint: expect.stringContaining("fork old"),
    });
    const fork = await store.fork("old");
    await store.append(fork.id, said("b"));
    expect(texts(store.load(fork.id).records)).toEqual(["a", "b"]);
    expect(readFileSync(fork.path, "utf8")).toContain('"mystery":[1]');
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(older);
  });
});

describe("fork", () => {
  test("stays in the partition, has its parent and branch, and copies whole records unchanged", async () => {
    const { clone, store } = cloneHome();
    const lines = [said("a"), { type: "vote", when: 1.25, z: 1, a: 2 }, said("b")];
    const path = write(join(store.legacyRoot, "p.jsonl"), meta("p", { unknown: "key" }), ...lines, '{"torn');
    const before = readFileSync(path, "utf8");
    const fork = await store.fork("p", { branch: "a side way" });
    expect(fork).toMatchObject({
      path: join(store.partition, `${fork.id}.jsonl`),
      parent: "p",
      branch: "a side way",
      workspaceRoot: clone,
      messages: 2,
      isLegacy: false,
      problems: [],
    });
    expect(fork.createdAtMs).toBeGreaterThan(5);
    const [first, ...rest] = readFileSync(fork.path, "utf8").trimEnd().split("\n");
    expect(JSON.parse(first!)).toMatchObject({ unknown: "key", session_id: fork.id });
    expect(rest).toEqual(lines.map((line) => JSON.stringify(line)));
    expect(readFileSync(path, "utf8")).toBe(before);
    expect((await store.fork(fork.id)).parent).toBe(fork.id);
  });

  test.each(["", "  ", "a\nb", "a\u001b[2J", "x".repeat(500)])(
    "refuses the branch name %j",
    async (branch) => {
      const { store } = cloneHome();
      write(join(store.partition, "p.jsonl"), meta("p"));
      await expect(store.fork("p", { branch })).rejects.toThrow(/branch name/);
      expect(readdirSync(store.partition)).toEqual(["p.jsonl"]);
    },
  );
});

describe("delete", () => {
  test("gives the session and its rotated parts to the trash", async () => {
    const { folder, store } = cloneHome();
    write(join(store.partition, "s.jsonl"), meta("s"), said("a"));
    write(join(store.partition, "s.rot-5.jsonl"), meta("s"));
    write(join(store.partition, "s2.jsonl"), meta("s2"));
    write(join(store.legacyRoot, "s.jsonl"), meta("s"), said("older"));
    const trash = folder("trash");
    const toTrash = (path: string) => {
      renameSync(path, join(trash, basename(path)));
      return join(trash, basename(path));
    };
    expect(await store.delete("s", { toTrash })).toEqual({
      id: "s",
      files: ["s.jsonl", "s.rot-5.jsonl"].map((name) => ({
        path: join(store.partition, name),
        trash: join(trash, name),
      })),
      uncovers: join(store.legacyRoot, "s.jsonl"),
    });
    expect(readdirSync(store.partition)).toEqual(["s2.jsonl"]);
    await store.delete("s", { isForever: true });
    expect(store.exists("s")).toBe(false);
  });

  test("does not touch a session of another workspace", async () => {
    const { store, root } = cloneHome();
    write(join(store.legacyRoot, "s.jsonl"), meta("s", { workspace_root: "/nowhere" }));
    const before = contentsOf(root);
    await expect(store.delete("s", { isForever: true })).rejects.toThrow(/belongs to \/nowhere/);
    expect(contentsOf(root)).toEqual(before);
  });
});

describe("guards", () => {
  test("a session in use is refused to everyone else, naming the holder", async () => {
    hurry({ managedHeldMs: 300 });
    const { root, store } = cloneHome();
    const made = await store.create({ records: [said("a")] });
    const before = contentsOf(root);
    const inUse = `session ${made.id} is in use by process ${process.pid}`;
    await Promise.all([
      expect(store.resume("latest")).rejects.toThrow(inUse),
      expect(store.append(made.id, said("x"))).rejects.toThrow(inUse),
      expect(store.delete(made.id, { isForever: true })).rejects.toThrow(inUse),
    ]);
    expect(contentsOf(root)).toEqual(before);
    // A copy disturbs no other process.
    expect(texts(store.load((await store.fork(made.id)).id).records)).toEqual(["a"]);
    made.close();
    const again = await store.resume(made.id);
    await again.append(said("b"));
    again.close();
    await expect(again.append(said("c"))).rejects.toThrow(/was closed/);
    expect(texts(store.load(made.id).records)).toEqual(["a", "b"]);
  });

  test.each([
    ["the root", "/"],
    ["the home folder", "home"],
  ])("%s needs permission for create and resume; reading does not", async (_, path) => {
    const { root, folder, env } = clawHome();
    const dataFolder = folder("data");
    const store = openManagedSessions({ folder: path === "/" ? path : join(root, path), dataFolder, env });
    const before = contentsOf(root);
    await expect(store.create()).rejects.toThrow(/refused to begin a session in/);
    await expect(store.resume("latest")).rejects.toThrow(/refused to begin a session in/);
    expect(store.list().sessions).toEqual([]);
    expect(contentsOf(root)).toEqual(before);
    const made = await store.create({ isBroadAllowed: true });
    made.close();
    (await store.resume(made.id, { isBroadAllowed: true })).close();
  });

  test.each(["nothing", "latest", "theirs", "../x", "a.b"])(
    "a failed resume of %s leaves no trace",
    async (ref) => {
      const { root, store } = cloneHome();
      write(join(store.legacyRoot, "theirs.jsonl"), meta("theirs", { workspace_root: "/nowhere" }));
      const before = contentsOf(root);
      await expect(store.resume(ref)).rejects.toThrow();
      expect(contentsOf(root)).toEqual(before);
    },
  );

  test("a missing folder is not created", async () => {
    const { root, open } = clawHome();
    await expect(open(join(root, "missing")).create()).rejects.toThrow(/there is no folder/);
    expect(existsSync(join(root, "missing"))).toBe(false);
  });
});
