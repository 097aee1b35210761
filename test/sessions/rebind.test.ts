// `sessions rebind`: the sessions of a clone that has another path now.

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import { projectSlug } from "../../src/names/slug.js";
import { said, write } from "../claw/stores.js";
import { hivemind, json } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome } from "../home.js";
import { idOf, transcriptPath } from "../transcripts/files.js";
import { events, everything, managed, saved } from "./saved.js";

/** A clone that was at `old`, and is at `now`. */
function clones() {
  const home = testHome();
  const [old, now] = [join(home.root, "old"), join(home.root, "now")];
  mkdirSync(old);
  const run = (...args: string[]) => hivemind(home, ["sessions", ...args], { cwd: now });
  const list = () => JSON.parse(run("--json").stdout).sessions as { id: string; cwd: string }[];
  return { home, old, now, run, list };
}

const newPath = (now: string, path: string) => join(dirname(dirname(path)), projectSlug(now), basename(path));

describe("Claude's, of a clone that was moved", () => {
  test("[TRB1] belong to the new folder, and the old file is in the trash as it was", () => {
    const { home, old, now, run, list } = clones();
    const [one, two] = [saved(home, 1, old), saved(home, 2, old)];
    const beside = one.path.slice(0, -".jsonl".length);
    mkdirSync(beside);
    writeFileSync(join(beside, "x"), "side");
    const [before, text] = [readFileSync(one.path), readFileSync(one.path, "utf8")];
    renameSync(old, now);
    expect(list()).toEqual([]);

    const ran = run("rebind", "--from", old, "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`moved from ${old} to ${now}`) });
    expect(
      list()
        .map(({ id, cwd }) => [id, cwd])
        .sort(),
    ).toEqual([
      [one.id, now],
      [two.id, now],
    ]);
    const moved = newPath(now, one.path);
    expect(readFileSync(moved, "utf8")).toBe(text.replaceAll(`"cwd":"${old}"`, `"cwd":"${now}"`));
    expect([existsSync(one.path), existsSync(beside)]).toEqual([false, false]);
    expect(readFileSync(join(moved.slice(0, -".jsonl".length), "x"), "utf8")).toBe("side");
    expect(events(home).sort()).toEqual(
      [one, two].map(({ id }) => `session.rebound ${id} ${old} ${now}`).sort(),
    );

    const { trash } = json<{ trash: { id: string; path: string }[] }>(home, ["sessions", "trash", "--all"]);
    const aside = trash.find(({ id }) => id === one.id)!;
    expect(readFileSync(join(aside.path, basename(one.path)))).toEqual(before);
    expect(run("rebind", "--from", old, "--yes")).toMatchObject({ code: 1 });
    // Put back beside the moved one, there would be two of one id.
    const back = run("restore", one.id, "--all");
    expect(back).toMatchObject({ code: 1, stderr: expect.stringContaining(`by now: ${moved}`) });
  });

  test("[TRB1] nothing that was said keeps one of them, or the next, from coming over", () => {
    const { home, old, now, run, list } = clones();
    const [one, two, three] = [saved(home, 1, old), saved(home, 2, old), saved(home, 3, old)];
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    const line = (folder: string) =>
      Buffer.from(
        `{"cwd":"${folder}","uuid":"u","said":"he\xff\xfello","toolUseResult":${deep}}\n`,
        "latin1",
      );
    const before = readFileSync(two.path);
    writeFileSync(two.path, Buffer.concat([before, line(old)]));
    renameSync(old, now);
    expect(run("rebind", "--from", old, "--yes")).toMatchObject({ code: 0 });
    expect(
      list()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([one.id, two.id, three.id]);
    expect(readFileSync(newPath(now, two.path)).subarray(-line(now).length).equals(line(now))).toBe(true);
    expect(run("fork", two.id)).toMatchObject({ code: 0 });
  });

  test("[TRB1] where they cannot be written that is told of each, and they stay", () => {
    const { home, old, now, run } = clones();
    const both = [saved(home, 1, old), saved(home, 2, old)];
    renameSync(old, now);
    const inTheWay = dirname(newPath(now, both[0]!.path));
    writeFileSync(inTheWay, "");
    const before = everything(home);
    const { code, stdout, stderr } = run("rebind", "--from", old, "--yes");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const { path } of both)
      expect(stderr).toContain(`hivemind: could not write ${newPath(now, path)}: `);
    expect(everything(home)).toEqual(before);
  });

  test("[TRB2] stopped in the middle it can be said again, and another file of that id is never touched", () => {
    const { home, old, now, run, list } = clones();
    const mine = saved(home, 1, old);
    renameSync(old, now);
    const target = newPath(now, mine.path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, "something else\n");
    const before = everything(home);
    expect(run("rebind", "--from", old, "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("something else"),
    });
    expect(everything(home)).toEqual(before);
    // As a killed run leaves it: written there, and not yet gone here.
    writeFileSync(target, readFileSync(mine.path, "utf8").replaceAll(`"cwd":"${old}"`, `"cwd":"${now}"`));
    expect(run("rebind", mine.id, "--yes")).toMatchObject({ code: 0 });
    expect(existsSync(mine.path)).toBe(false);
    expect(list()).toHaveLength(1);
    expect(run("rebind", mine.id, "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("here already"),
    });
  });
});

describe("of a clone that was copied", () => {
  test("[RBD2] Claude's stay where they are, unless a copy was asked for", () => {
    const { home, old, now, run } = clones();
    const mine = saved(home, 1, old);
    cpSync(old, now, { recursive: true });
    const before = everything(home);
    for (const which of [[mine.id], ["--from", old]]) {
      const ran = run("rebind", ...which, "--yes");
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("--copy") });
    }
    expect(everything(home)).toEqual(before);
  });

  test("[TRB3] a copy of Claude's is a fork with an id of its own", () => {
    const { home, old, now, run, list } = clones();
    const mine = saved(home, 1, old);
    cpSync(old, now, { recursive: true });
    const bytes = readFileSync(mine.path);
    const ran = run("rebind", mine.id, "--copy", "--yes");
    expect(ran).toMatchObject({ code: 0 });
    const child = / as ([0-9a-f-]{36}) to/.exec(ran.stdout)![1]!;
    expect(readFileSync(mine.path)).toEqual(bytes);
    const row = { id: child, cwd: now, title: "talk 1", parent: mine.id };
    expect(list()).toEqual([expect.objectContaining(row)]);
    expect(existsSync(transcriptPath(home.claude, child, projectSlug(now)))).toBe(true);
  });

  test("[RBD2] claw's need --copy too, and the original keeps its own", async () => {
    const { home, old, now, run, list } = clones();
    const mine = await managed(home, old);
    cpSync(old, now, { recursive: true });
    expect(run("rebind", "--yes")).toMatchObject({ code: 1, stderr: expect.stringContaining("--copy") });
    expect(run("rebind", mine.id, "--copy", "--yes")).toMatchObject({ code: 0 });
    expect(list()).toEqual([expect.objectContaining({ id: mine.id, cwd: now })]);
    const there = hivemind(home, ["sessions", "--json"], { cwd: old });
    expect(JSON.parse(there.stdout).sessions).toEqual([expect.objectContaining({ id: mine.id, cwd: old })]);
  });
});

test("[RBD1] claw's of a moved clone are bound to the new folder, when that was said", async () => {
  const { home, old, now, run, list } = clones();
  const [one, two] = [await managed(home, old), await managed(home, old)];
  renameSync(old, now);
  expect(list()).toEqual([]);
  expect(run("rebind")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("hivemind sessions rebind --yes"),
  });
  expect(run("rebind", one.id, "--yes")).toMatchObject({ code: 0 });
  expect(list()).toEqual([expect.objectContaining({ id: one.id, cwd: now })]);
  expect(run("rebind", "--from", old, "--yes")).toMatchObject({ code: 0 });
  expect(
    list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual([one.id, two.id].sort());
  expect(events(home)).toEqual([one, two].map(({ id }) => `session.rebound ${id} ${old} ${now}`));
});

test("one of claw's that cannot be bound is told, and the others are bound", async () => {
  const { home, old, now, run, list } = clones();
  const store = openManagedSessions({ folder: old, env: home.env });
  const strays = openManagedSessions({ folder: now, env: home.env });
  renameSync(old, now);
  const stray = (name: string) => join(strays.legacyRoot, basename(store.partition), name);
  const bound = { version: 1, workspace_root: old };
  write(stray("session-7-0.json"), { ...bound, messages: [said("older").message] });
  for (const id of ["session-8-0", "session-9-0"])
    write(stray(`${id}.jsonl`), { ...bound, type: "session_meta", session_id: id }, said(id));
  write(join(strays.partition, "session-9-0.jsonl"), { type: "session_meta", version: 1 }, said("mine"));
  expect(run("rebind", "session-7-0", "--yes")).toMatchObject({ code: 0 });
  expect(run("rebind", "--yes")).toMatchObject({
    code: 1,
    stdout: `session-8-0 belongs to ${now} now\n`,
    stderr: expect.stringMatching(/there is another session session-9-0 (?!.*session-7-0)/s),
  });
  expect(
    list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["session-7-0", "session-8-0", "session-9-0"]);
});

test("[RBD3] what is here is left alone, and a hint says where the clone may have been", () => {
  const { home, old, now, run } = clones();
  saved(home, 1, old);
  const here = saved(home, 2, now);
  renameSync(old, now);
  saved(home, 2, now);
  const before = everything(home);
  const check = (args: string[], code: number, why: string) =>
    expect(run("rebind", ...args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(why) });
  check([], 1, `hivemind sessions rebind --from ${old}`);
  check([here.id, "--yes"], 1, "here already");
  check(["--from", now, "--yes"], 1, "is this folder");
  check(["--from", join(home.root, "nowhere"), "--yes"], 1, "there is none");
  check(["latest", "--from", old], 2, "not both");
  expect(everything(home)).toEqual(before);
});

test("one that somebody works in is left alone", async () => {
  const { home, old, now, run } = clones();
  const agent = startAgent(home, ["--session-id", idOf(5)], { cwd: old });
  await agent.becomes("idle");
  await agent.say("hello");
  renameSync(old, now);
  const before = everything(home);
  expect(run("rebind", idOf(5), "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("in use"),
  });
  expect(everything(home)).toEqual(before);
});
