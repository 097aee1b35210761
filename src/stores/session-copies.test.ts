import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentsOf } from "../../test/contents.js";
import { testHome } from "../../test/home.js";
import { openSessionCopies } from "./session-copies.js";

function kept() {
  const { root, config, claude } = testHome();
  const owner = { id: "s1", agent: "claude", title: "po", workspace: "/srv/a", within: claude };
  const path = join(claude, "projects", "-srv-a", "s1.jsonl");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "one\n");
  return { root, owner, path, store: openSessionCopies(join(config, "hivemind.kept")) };
}

describe("a kept session", () => {
  test("is one copy, the newer, however often it is kept", async () => {
    const { owner, path, store } = kept();
    await store.keep(owner, [path]);
    writeFileSync(path, "one\ntwo\n");
    const { replaced } = await store.keep(owner, [path]);
    expect(replaced).toHaveLength(1);
    const [only, ...more] = store.list();
    expect(more).toEqual([]);
    expect(readFileSync(join(only!.path, "s1.jsonl"), "utf8")).toBe("one\ntwo\n");
    expect(only).toMatchObject({ ...owner, files: [{ name: "s1.jsonl", from: path }] });
  });

  test("is unchanged if a file cannot be copied or a run was killed", async () => {
    const { owner, path, store } = kept();
    await store.keep(owner, [path]);
    const before = contentsOf(store.folder);
    await expect(store.keep(owner, [path, `${path}.gone`])).rejects.toThrow();
    expect(store.list()).toHaveLength(1);
    mkdirSync(join(store.folder, ".unfinished", "x"), { recursive: true });
    await store.keep(owner, [path]);
    expect(Object.keys(contentsOf(store.folder))).toHaveLength(Object.keys(before).length);
  });

  test("stays beside a newer copy that does not continue it", async () => {
    const { owner, path, store } = kept();
    const folder = join(path, "..", "s1");
    mkdirSync(folder);
    writeFileSync(join(folder, "agent.jsonl"), "side\n");
    await store.keep(owner, [path, folder]);
    writeFileSync(path, "begun anew\n");
    expect((await store.keep(owner, [path, folder])).replaced).toEqual([]);
    rmSync(folder, { recursive: true });
    expect((await store.keep(owner, [path])).replaced).toEqual([]);
    expect(store.list()).toHaveLength(3);
    const other = { ...owner, workspace: "/srv/b" };
    expect((await store.keep(other, [path])).replaced).toEqual([]);
  });

  test("goes back where it was, with a fresh time, and stays kept", async () => {
    const { owner, path, store } = kept();
    const longAgo = new Date("2020-01-01");
    utimesSync(path, longAgo, longAgo);
    await store.keep(owner, [path]);
    const [copy] = store.list();
    await expect(store.copyBack(copy!)).rejects.toThrow(/exists again/);
    rmSync(path);
    expect(await store.copyBack(copy!)).toEqual([path]);
    expect(readFileSync(path, "utf8")).toBe("one\n");
    expect(statSync(path).mtime.getTime()).toBeGreaterThan(longAgo.getTime());
    expect(store.list()).toHaveLength(1);
  });
});
