import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentsOf } from "../../test/contents.js";
import { testHome } from "../../test/home.js";
import { identityText, ownIdentity } from "../base/system/process-identity.js";
import type { Problem } from "./file/error.js";
import { openTrash } from "./trash.js";

function trash() {
  const { config, claude } = testHome();
  const owner = { id: "s1", agent: "claude", title: null, workspace: null, within: claude };
  const path = join(claude, "projects", "-srv-a", "s1.jsonl");
  const folder = join(path, "..", "s1");
  mkdirSync(join(folder, "subagents"), { recursive: true });
  writeFileSync(path, "one\n");
  writeFileSync(join(folder, "subagents", "agent-x.jsonl"), "side\n");
  const longAgo = new Date("2020-01-01");
  utimesSync(path, longAgo, longAgo);
  const problems: Problem[] = [];
  const store = openTrash(join(config, "hivemind.trash"), (problem) => void problems.push(problem));
  const remove = () => store.put(owner, async (take) => [path, folder].map(take));
  const page = () => join(store.list()[0]!.path, "manifest.json");
  return { owner, claude, path, folder, store, problems, remove, page };
}

describe("the trash", () => {
  test("holds a session's own files, and restores them unchanged", async () => {
    const { owner, claude, path, store, remove } = trash();
    const before = contentsOf(claude);
    await remove();
    expect(contentsOf(claude)).toEqual({ projects: "(not a file)", "projects/-srv-a": "(not a file)" });
    expect(store.list()).toEqual([
      expect.objectContaining({ ...owner, name: expect.stringMatching(/^\d{8}T\d{6}-s1$/) }),
    ]);
    await store.restore(store.list()[0]!);
    expect(contentsOf(claude)).toEqual(before);
    expect(statSync(path).mtime).toEqual(new Date("2020-01-01"));
    expect(store.list()).toEqual([]);
    expect(contentsOf(store.folder)).toEqual({});
  });

  test("holds two sessions of one name and second", async () => {
    const { path, store, remove } = trash();
    await remove();
    mkdirSync(join(path, "..", "s1"));
    writeFileSync(path, "another\n");
    await remove();
    expect(store.list()).toHaveLength(2);
  });

  test("killed between two files, it knows the place of both", async () => {
    const { owner, claude, path, folder, store } = trash();
    const before = contentsOf(claude);
    await expect(
      store.put(owner, async (take) => {
        take(path);
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    const [left] = store.list();
    // As if the next file had been recorded but not moved yet, and the first not yet removed.
    const text = readFileSync(join(left!.path, "manifest.json"), "utf8");
    const page = JSON.parse(text);
    page.files.push({ name: "s1", from: folder });
    writeFileSync(join(left!.path, "manifest.json"), JSON.stringify(page));
    linkSync(join(left!.path, "s1.jsonl"), path);
    await store.restore(store.list()[0]!);
    expect(contentsOf(claude)).toEqual(before);
    expect(store.list()).toEqual([]);
  });

  test("restores nothing where a file exists again", async () => {
    const { claude, folder, store, remove } = trash();
    await remove();
    mkdirSync(folder);
    const before = [contentsOf(claude), contentsOf(store.folder)];
    await expect(store.restore(store.list()[0]!)).rejects.toThrow(/exists again/);
    expect([contentsOf(claude), contentsOf(store.folder)]).toEqual(before);
  });

  test("puts nothing back into a folder that is gone", async () => {
    const { claude, store, remove } = trash();
    await remove();
    rmSync(claude, { recursive: true });
    await expect(store.restore(store.list()[0]!)).rejects.toThrow(/is gone/);
    expect(store.list()).toHaveLength(1);
  });

  test("if two commands remove a session at once, the second is refused, and there is one copy", async () => {
    const { store, claude, remove } = trash();
    const before = contentsOf(claude);
    const done = await Promise.allSettled([remove(), remove()]);
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const reason = done.find((each) => each.status === "rejected")?.reason;
    expect(reason).toMatchObject({ name: "HiveError", message: expect.stringMatching(/is already gone$/) });
    expect(Object.keys(contentsOf(store.folder)).filter((name) => !name.includes("/"))).toHaveLength(1);
    await store.restore(store.list()[0]!);
    expect(contentsOf(claude)).toEqual(before);
  });

  test("a file that cannot be moved leaves nothing behind", async () => {
    const { owner, store } = trash();
    // A folder cannot go into itself.
    await expect(store.put(owner, async (take) => take(join(store.folder, "..")))).rejects.toThrow(/EINVAL/);
    expect(contentsOf(store.folder)).toEqual({});
  });

  test("a file that cannot be removed from its place leaves nothing behind, and the error names that place", async () => {
    const { owner, store } = trash();
    const put = store.put(owner, async (take) => take("/proc/version"));
    const message = expect.stringMatching("^could not move /proc/version to ");
    await expect(put).rejects.toMatchObject({ name: "HiveError", message, exitCode: 1 });
    expect([store.list(), contentsOf(store.folder)]).toEqual([[], {}]);
  });

  test("a folder that no file reached, or that all have left, is not listed", async () => {
    const { store, problems, remove, page } = trash();
    await remove();
    const [text, name] = [readFileSync(page(), "utf8"), store.list()[0]!.name];
    const left = join(store.folder, `${name}-2`);
    mkdirSync(left);
    writeFileSync(join(left, "manifest.json"), text);
    expect(store.list().map((each) => each.name)).toEqual([name]);
    expect(problems).toEqual([]);
  });

  test("leftovers of a process killed while writing a manifest are not listed, and the next change removes them", async () => {
    const { store, problems, remove } = trash();
    const left = join(store.folder, "20261115T090000-killed");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, ".manifest.json.4242-0123456789ab.tmp"), "{");
    expect([store.list(), problems]).toEqual([[], []]);
    symlinkSync(`${identityText({ ...ownIdentity(), start: "1" })},abc`, `${store.folder}.lock`);
    await remove();
    expect(existsSync(left)).toBe(false);
    expect(store.list()).toHaveLength(1);
  });

  test.each<[string, (page: Record<string, unknown>, elsewhere: string) => object]>([
    ["leads out of its folder", (page, path) => ({ ...page, files: [{ name: "x", from: `${path}/x` }] })],
    [
      "has a path with ..",
      ({ within, ...rest }) => ({ ...rest, within, files: [{ name: "x", from: `${within}/../x` }] }),
    ],
    ["has a name of another folder", (page) => ({ ...page, files: [{ name: "../x", from: "/tmp/../x" }] })],
    ["has no time", (page) => ({ ...page, atMs: Number.MAX_SAFE_INTEGER })],
    ["is of a newer version", (page) => ({ ...page, version: 2 })],
    ["is empty", () => ({ version: 1 })],
  ])("ignores a manifest that %s", async (_, spoilt) => {
    const { store, problems, remove, page } = trash();
    await remove();
    const path = page();
    writeFileSync(path, JSON.stringify(spoilt(JSON.parse(readFileSync(path, "utf8")), "/srv/elsewhere")));
    expect(store.list()).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ path })]);
  });
});
