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

describe("Claude sessions of a moved clone", () => {
  test("belong to the new folder, and the old file is in the trash unchanged", () => {
    const { home, old, now, run, list } = clones();
    const [one, two] = [saved(home, 1, old), saved(home, 2, old)];
    const beside = one.path.slice(0, -".jsonl".length);
    mkdirSync(beside);
    writeFileSync(join(beside, "x"), "side");
    const [before, text] = [readFileSync(one.path), readFileSync(one.path, "utf8")];
    renameSync(old, now);
    expect(list()).toEqual([]);

    const ran = run("rebind", "--from", old, "--yes");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`: move from ${old} to ${now}`) });
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
    expect(back).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is already a session ${one.id}: ${moved}`),
    });
  });

  test("are moved whatever text they contain", () => {
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

  test("stay where they are if they cannot be written, and each is reported", () => {
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

  test("can be moved again after an interruption, and another file of that id is never touched", () => {
    const { home, old, now, run, list } = clones();
    const mine = saved(home, 1, old);
    renameSync(old, now);
    const target = newPath(now, mine.path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, "something else\n");
    const before = everything(home);
    expect(run("rebind", "--from", old, "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("other contents"),
    });
    expect(everything(home)).toEqual(before);
    // As a killed run leaves it: written there, and not yet gone here.
    writeFileSync(target, readFileSync(mine.path, "utf8").replaceAll(`"cwd":"${old}"`, `"cwd":"${now}"`));
    expect(run("rebind", mine.id, "--yes")).toMatchObject({ code: 0 });
    expect(existsSync(mine.path)).toBe(false);
    expect(list()).toHaveLength(1);
    expect(run("rebind", mine.id, "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already there"),
    });
  });
});

describe("sessions of a copied clone", () => {
  test("Claude sessions stay where they are without --copy", () => {
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

  test("a copied Claude session is a fork with its own id", () => {
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

  test("claw sessions need --copy too, and the original keeps its own", async () => {
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

test("claw sessions of a moved clone are bound to the new folder after confirmation", async () => {
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

test("a claw session that cannot be bound is reported, and the others are bound", async () => {
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
    stdout: `session-8-0 now belongs to ${now}\n`,
    stderr: expect.stringMatching(/already has another session session-9-0\n(?!.*session-7-0)/s),
  });
  expect(
    list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["session-7-0", "session-8-0", "session-9-0"]);
});

test("sessions of this folder stay, and a hint says where the clone may have been", () => {
  const { home, old, now, run } = clones();
  saved(home, 1, old);
  const here = saved(home, 2, now);
  renameSync(old, now);
  saved(home, 2, now);
  const before = everything(home);
  const check = (args: string[], code: number, why: string) =>
    expect(run("rebind", ...args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(why) });
  check([], 1, `hivemind sessions rebind --from ${old}`);
  check([here.id, "--yes"], 1, "already there");
  check(["--from", now, "--yes"], 1, "is this folder");
  check(["--from", join(home.root, "nowhere"), "--yes"], 1, "no such session");
  check(["latest", "--from", old], 2, "not both");
  expect(everything(home)).toEqual(before);
});

test("a session in use is refused", async () => {
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
