import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { ManagedSessions } from "../../src/agents/claw/managed-store.js";
import { fingerprint } from "../../src/names/fingerprint.js";
import { WorkspaceMismatch } from "../../src/names/workspace-mismatch.js";
import { contentsOf } from "../contents.js";
import { clawHome, meta, said, texts, write } from "./stores.js";

const thrown = (look: () => unknown): unknown => {
  try {
    return look();
  } catch (error) {
    return error;
  }
};

const ids = ({ list }: ManagedSessions) => list().sessions.map(({ id }) => id);

describe("the table of answers", () => {
  type Row = [
    title: string,
    says: (clone: string, other: string) => object,
    store: "inside" | "outside",
    answer: "accept" | "mismatch" | "unbound",
  ];
  /** What the file says × whether its store is in the workspace or in a data folder outside it. */
  const rows: Row[] = [
    ["bound here", (clone) => ({ workspace_root: clone }), "inside", "accept"],
    ["bound here", (clone) => ({ workspace_root: clone }), "outside", "accept"],
    ["bound by another spelling", (clone) => ({ workspace_root: `${clone}/x/..//` }), "outside", "accept"],
    ["bound through a link", (clone) => ({ workspace_root: `${clone}-link` }), "outside", "accept"],
    ["bound to another", (_, other) => ({ workspace_root: other }), "inside", "mismatch"],
    ["bound to another", (_, other) => ({ workspace_root: other }), "outside", "mismatch"],
    ["bound to a missing folder", () => ({ workspace_root: "/nowhere/at/all" }), "inside", "mismatch"],
    [
      "bound to a relative path",
      (clone) => ({ workspace_root: relative(process.cwd(), clone) }),
      "inside",
      "mismatch",
    ],
    ["bound to a value that is not a path", () => ({ workspace_root: 5 }), "inside", "mismatch"],
    ["unbound", () => ({}), "inside", "accept"],
    ["bound to null", () => ({ workspace_root: null }), "inside", "accept"],
    ["unbound", () => ({}), "outside", "unbound"],
  ];
  const cases = rows.flatMap(([title, says, store, answer]) =>
    (["partition", "flat"] as const).map((place) => ({
      title,
      says,
      isOutside: store === "outside",
      store,
      answer,
      place,
    })),
  );

  test.each(cases)("$title, $store, $place: $answer", ({ says, isOutside, answer, place }) => {
    const { folder, open } = clawHome();
    const [clone, other] = [folder("clone"), folder("other")];
    mkdirSync(join(clone, "x"));
    symlinkSync(clone, `${clone}-link`);
    const store = open(clone, isOutside ? folder("data") : undefined);
    const under = place === "flat" ? store.legacyRoot : store.partition;
    write(join(under, "s.jsonl"), meta("s", says(clone, other)), said("hi"));

    const { sessions, refused } = store.list();
    if (answer === "accept") {
      expect(sessions).toMatchObject([{ id: "s", messages: 1, isLegacy: place === "flat" }]);
      expect(texts(store.load("s").records)).toEqual(["hi"]);
      expect(store.latest()?.id).toBe("s");
      expect(store.exists("s")).toBe(true);
      return;
    }
    expect(sessions).toEqual([]);
    expect(refused).toMatchObject([{ id: "s", path: join(under, "s.jsonl") }]);
    expect(store.latest()).toBeNull();
    expect(store.exists("s")).toBe(false);
    const error = thrown(() => store.load("s"));
    if (answer === "mismatch") {
      expect(error).toBeInstanceOf(WorkspaceMismatch);
      expect(error).toMatchObject({ expected: { path: clone, fingerprint: fingerprint(clone) } });
    } else {
      expect(refused[0]?.reason).toBe("unbound");
      expect(error).toMatchObject({ message: expect.stringMatching(/names no workspace/) });
    }
  });
});

test("the partition is named by the fingerprint, in the folder or in a data folder", () => {
  const { folder, open } = clawHome();
  const clone = folder("clone");
  expect(open(clone).partition).toBe(join(clone, ".claw/sessions", fingerprint(clone)));
  expect(open(clone).legacyRoot).toBe(join(clone, ".claw/sessions"));
  const data = folder("data");
  expect(open(clone, data).partition).toBe(join(data, "sessions", fingerprint(clone)));
  // The test vectors of the original, for folders that do not exist.
  expect(open("/home/user/project", data).partition).toBe(join(data, "sessions/f8a71a04e8340307"));
});

test("every spelling of a folder opens the same store", async () => {
  const { root, folder, open } = clawHome();
  const clone = folder("clone");
  symlinkSync(clone, join(root, "link"));
  const store = open(clone);
  const made = await store.create({ records: [said("hi")] });
  made.close();
  for (const spelling of [
    `${clone}/`,
    join(root, "link"),
    `${root}/x/../clone`,
    relative(process.cwd(), clone),
  ]) {
    expect(open(spelling).partition).toBe(store.partition);
    expect(ids(open(spelling))).toEqual([made.id]);
  }
});

/** Both folders have a session with the same id. */
function collide(one: ManagedSessions, two: ManagedSessions): void {
  for (const { workspace, partition } of [one, two]) {
    const bound = meta("same", { workspace_root: workspace.path });
    write(join(partition, "same.jsonl"), bound, said(`of ${workspace.path}`));
  }
}

async function keepApart(one: ManagedSessions, two: ManagedSessions): Promise<void> {
  expect(one.partition).not.toBe(two.partition);
  collide(one, two);
  const before = contentsOf(two.partition);
  for (const ref of ["same", "latest"]) {
    expect(texts(one.load(ref).records)[0]).toBe(`of ${one.workspace.path}`);
    await one.append(ref, said("more"));
  }
  const fork = await one.fork("same", { branch: "side" });
  expect(fork.path.startsWith(one.partition)).toBe(true);
  expect(two.exists(fork.id)).toBe(false);
  await one.delete("same", { isForever: true });
  expect(contentsOf(two.partition)).toEqual(before);
  expect(ids(two)).toEqual(["same"]);
}

test("equal ids in two clones stay apart, also in a shared data folder", async () => {
  const { folder, open } = clawHome();
  const [one, two] = [folder("one"), folder("two")];
  await keepApart(open(one), open(two));
  const data = folder("data");
  await keepApart(open(one, data), open(two, data));
  expect(open(one, data).list()).toMatchObject({ refused: [], elsewhere: 1 });
});

test("equal ids in two worktrees of one repository stay apart", async () => {
  const { folder, open, env } = clawHome();
  const main = folder("main");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: main,
      env,
      stdio: "pipe",
    });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  git("worktree", "add", "--quiet", "-b", "side", "../side");
  await keepApart(open(main), open(folder("side")));
});

describe("a clone at a new path", () => {
  const made = async () => {
    const home = clawHome();
    const old = home.folder("old");
    const store = home.open(old);
    const handle = await store.create({ model: "opus", records: [said("hi")] });
    handle.close();
    write(join(store.legacyRoot, "flat.jsonl"), meta("flat", { workspace_root: old }), said("flat"));
    return { ...home, old, id: handle.id };
  };

  test("moved: the refusal says that the other folder no longer exists", async () => {
    const { root, old, id, open } = await made();
    const moved = join(root, "new");
    renameSync(old, moved);
    const { sessions, refused } = open(moved).list();
    expect(sessions).toEqual([]);
    expect(refused.map(({ id, reason }) => [id, reason]).sort()).toEqual([
      ["flat", "moved"],
      [id, "moved"],
    ]);
    for (const { why } of refused) expect(why).toBe(`it belongs to ${old}, which no longer exists`);
    expect(thrown(() => open(moved).load(id))).toMatchObject({
      name: "WorkspaceMismatch",
      expected: { path: moved },
      actual: { path: old, fingerprint: fingerprint(old) },
      hint: `was this folder moved? then: hivemind sessions rebind ${id}`,
    });
  });

  test("copied: the refusal says that the other folder still exists", async () => {
    const { root, old, id, open } = await made();
    const copy = join(root, "copy");
    cpSync(old, copy, { recursive: true });
    const { sessions, refused } = open(copy).list();
    expect(sessions).toEqual([]);
    expect(new Set(refused.map(({ reason, why }) => `${reason}: ${why}`))).toEqual(
      new Set([`copied: it belongs to ${old}, which still exists`]),
    );
    expect(thrown(() => open(copy).load(id))).toMatchObject({
      hint: `is this folder a copy? then: hivemind sessions rebind ${id} --copy`,
    });
  });

  test("rebind appends a binding, and the session belongs to this folder", async () => {
    const { root, old, id, open } = await made();
    const before = contentsOf(old);
    const copy = join(root, "copy");
    cpSync(old, copy, { recursive: true });
    const store = open(copy);
    const text = () => contentsOf(store.legacyRoot)["flat.jsonl"] ?? "";
    const flat = text();
    expect(await store.rebind("flat")).toMatchObject({ from: old, broughtFrom: null, isChanged: true });
    expect(text().startsWith(flat)).toBe(true);
    expect(await store.rebind(id)).toEqual({
      id,
      path: join(store.partition, `${id}.jsonl`),
      from: old,
      broughtFrom: join(store.legacyRoot, fingerprint(old), `${id}.jsonl`),
      isChanged: true,
    });
    expect(store.list()).toMatchObject({ sessions: [{}, {}], refused: [] });
    expect(store.load(id).summary).toMatchObject({
      workspaceRoot: copy,
      model: "opus",
      messages: 1,
      problems: [],
    });
    // The folder it was copied from is not affected.
    expect(contentsOf(old)).toEqual(before);
  });

  test("rotated and torn-off parts of a session are moved with it", async () => {
    const { root, old, id, open } = await made();
    renameSync(old, join(root, "new"));
    const store = open(join(root, "new"));
    const stray = join(store.legacyRoot, fingerprint(old));
    const parts = [`${id}.rot-5.jsonl`, `${id}.jsonl.torn-7`];
    for (const name of parts) write(join(stray, name), meta(id));
    write(join(stray, "another.rot-5.jsonl"), meta("another"));
    appendFileSync(join(stray, `${id}.jsonl`), '{"half');
    await store.rebind(id);
    const names = Object.keys(contentsOf(store.partition));
    expect(names).toEqual(expect.arrayContaining([`${id}.jsonl`, ...parts]));
    expect(names.filter((name) => name.includes(".torn-"))).toHaveLength(2);
    expect(Object.keys(contentsOf(stray))).toEqual(["another.rot-5.jsonl"]);
  });

  test("from outside, and for the older form, a copy is bound and the original stays", async () => {
    const { old, folder, open, id } = await made();
    const store = open(folder("third"));
    const file = open(old).load(id).summary.path;
    const before = contentsOf(old);
    expect(await store.rebind({ file })).toMatchObject({ id, broughtFrom: file });
    expect(contentsOf(old)).toEqual(before);

    const older = { version: 1, workspace_root: old, strange: 1, messages: [said("old").message] };
    write(join(store.legacyRoot, "older.json"), older);
    expect(await store.rebind("older")).toMatchObject({ path: join(store.partition, "older.jsonl") });
    expect(texts(store.load("older").records)).toEqual(["old"]);
    expect(store.list().refused).toMatchObject([{ id: "older", reason: "hidden" }]);
    expect(contentsOf(store.partition)["older.jsonl"]).toContain('"strange":1');
  });

  test("rebind can be repeated, also after it was interrupted", async () => {
    const { root, old, id, open } = await made();
    const moved = join(root, "new");
    renameSync(old, moved);
    const store = open(moved);
    // Already bound, but not yet moved.
    const stray = join(store.legacyRoot, fingerprint(old), `${id}.jsonl`);
    write(stray, meta(id, { workspace_root: moved }), said("hi"));
    expect(store.list().refused).toContainEqual(expect.objectContaining({ path: stray, reason: "moved" }));
    expect(await store.rebind(id)).toMatchObject({ isChanged: true, broughtFrom: stray });
    expect(await store.rebind(id)).toMatchObject({ isChanged: false, broughtFrom: null });
    expect(ids(store)).toEqual([id]);
  });

  test("a copied session of the older form is hidden, and not copied again", async () => {
    const { root, old, open } = await made();
    const moved = join(root, "new");
    renameSync(old, moved);
    const store = open(moved);
    const older = { version: 1, workspace_root: old, messages: [said("old").message] };
    const stray = write(join(store.legacyRoot, fingerprint(old), "older.json"), older);
    const { path } = await store.rebind("older");
    await store.append("older", said("new"));
    const before = contentsOf(moved);
    expect(store.list().refused).toContainEqual(expect.objectContaining({ path: stray, reason: "hidden" }));
    expect(await store.rebind({ file: stray })).toMatchObject({ path, isChanged: false });
    expect(contentsOf(moved)).toEqual(before);
    // One with other records is another session and stays visible; so does one that could not be copied.
    for (const messages of [[{ role: "user", blocks: [], cost: 0.5 }], [said("another").message]]) {
      write(stray, { ...older, messages });
      expect(store.list().refused).toContainEqual(expect.objectContaining({ path: stray, reason: "moved" }));
    }
    await expect(store.rebind({ file: stray })).rejects.toThrow(/already has another session/);
  });

  test("rebind never replaces a session that is here", async () => {
    const { root, old, id, open } = await made();
    const copy = join(root, "copy");
    cpSync(old, copy, { recursive: true });
    const store = open(copy);
    write(join(store.partition, `${id}.jsonl`), meta(id, { workspace_root: copy }), said("mine"));
    const stray = join(store.legacyRoot, fingerprint(old), `${id}.jsonl`);
    const before = contentsOf(copy);
    await expect(store.rebind({ file: stray })).rejects.toThrow(/already has another session/);
    expect(contentsOf(copy)).toEqual(before);
  });
});
