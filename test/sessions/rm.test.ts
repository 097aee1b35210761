// `sessions rm`, `sessions trash`, `sessions restore`.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { everything, inConfig, managed, saved, sessions } from "./saved.js";

interface Trashed {
  name: string;
  id: string;
  agent: string;
  cwd: string;
  files: string[];
}

const trash = (home: ReturnType<typeof testHome>, ...more: string[]) =>
  json<{ trash: Trashed[] }>(home, ["sessions", "trash", ...more]).trash;

describe("sessions rm", () => {
  test("moves a session with its folder to the trash, and restore brings it back unchanged", () => {
    const home = testHome();
    const [kept, gone] = [saved(home, 1), saved(home, 2)];
    const beside = gone.path.slice(0, -".jsonl".length);
    mkdirSync(join(beside, "subagents"), { recursive: true });
    writeFileSync(join(beside, "subagents", "agent-x.jsonl"), "{}\n");
    const before = contentsOf(home.claude);

    expect(sessions(home, "rm", gone.id, "--yes")).toMatchObject({
      code: 0,
      stdout: `moved ${gone.id} to the trash\n`,
    });
    expect([existsSync(gone.path), existsSync(beside), existsSync(kept.path)]).toEqual([false, false, true]);
    expect(trash(home)).toEqual([
      expect.objectContaining({ id: gone.id, agent: "claude", cwd: home.work, files: [gone.path, beside] }),
    ]);
    expect(sessions(home, "trash").stdout).toContain(trash(home)[0]!.name);
    expect(sessions(home, "show", gone.id)).toMatchObject({ code: 1 });

    const [{ name }] = trash(home) as [Trashed];
    expect(sessions(home, "restore", name)).toMatchObject({ code: 0, stdout: `restored ${gone.id}\n` });
    expect(contentsOf(home.claude)).toEqual(before);
    expect(trash(home)).toEqual([]);
  });

  test("a claw session can be restored too", async () => {
    const home = testHome();
    const gone = await managed(home);
    const before = contentsOf(home.work);
    expect(sessions(home, "rm", gone.id, "--yes")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("restore"),
    });
    expect(existsSync(gone.path)).toBe(false);
    expect(sessions(home, "restore", gone.id)).toMatchObject({ code: 0 });
    expect(contentsOf(home.work)).toEqual(before);
    expect(json<{ sessions: object[] }>(home, ["sessions"]).sessions).toHaveLength(1);
  });

  test("removes at once by id or file, otherwise asks, and only from its own folder", () => {
    const home = testHome();
    const other = join(home.root, "other");
    mkdirSync(other);
    const [mine, theirs] = [saved(home, 1), saved(home, 2, other)];
    const before = everything(home);
    const check = (args: string[], code: number, why: string) => {
      expect(sessions(home, ...args)).toMatchObject({
        code,
        stdout: "",
        stderr: expect.stringContaining(why),
      });
      expect(everything(home)).toEqual(before);
    };
    check(["rm", "latest"], 1, `hivemind sessions rm ${mine.id} --yes`);
    check(["rm", "latest", "--all"], 1, `hivemind sessions rm --file `);
    check(["rm", theirs.id, "--yes"], 1, `belongs to ${other}`);
    check(["rm", "--yes"], 2, "needs REF or --file PATH");
    check(["rm", "nobody", "--yes"], 1, "nobody");
    check(["restore", mine.id], 1, "hivemind sessions trash --all");
    expect(sessions(home, "rm", mine.id)).toMatchObject({ code: 0 });
    expect(sessions(home, "restore", mine.id)).toMatchObject({ code: 0 });
    expect(everything(home)).toMatchObject(before);
    expect(sessions(home, "rm", "--file", theirs.path)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`sessions restore ${theirs.id} --all\n`),
    });
    expect(trash(home)).toEqual([]);
    expect(sessions(home, "trash").stdout).toContain("(other folders: 1, ");
    expect(sessions(home, "trash", "--all").stderr).toContain("sessions restore NAME --all ");
    expect(sessions(home, "restore", theirs.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`one belongs to ${other}`),
    });
    expect(sessions(home, "restore", theirs.id, "--all")).toMatchObject({ code: 0 });
  });

  test("refuses a running session, in a pane or elsewhere, and names its holder", async () => {
    const home = testHome();
    const agent = startAgent(home, ["--session-id", idOf(3), "-n", "po"]);
    await agent.becomes("idle");
    expect(sessions(home, "rm", idOf(3), "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no file yet"),
    });
    await agent.say("hello");
    const before = everything(home);
    const address = home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}:0.0").trim();
    const inUse = (env: Record<string, string>, where: string) =>
      expect(hivemind(home, ["sessions", "rm", idOf(3), "--yes"], { env })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(
            `in use: ${where}, process ${agent.pid}\n.*: hivemind sessions fork --file \\S+.jsonl\n$`,
          ),
        ),
      });
    inUse({}, address);
    inUse({ HIVEMIND_TMUX_SOCKET: join(home.root, "other.sock") }, "outside this tmux");
    expect(everything(home)).toEqual(before);
  });

  test("refuses a session that a claw may be using", async () => {
    const home = testHome();
    const mine = await managed(home);
    // From long before the claw began: one that was made as it began would be its own.
    const text = readFileSync(mine.path, "utf8").replaceAll(/_at_ms":\d+/g, '_at_ms":5');
    writeFileSync(mine.path, text);
    utimesSync(mine.path, 5, 5);
    const claw = join(home.root, "claw");
    writeFileSync(claw, "#!/bin/sh\nread line\n", { mode: 0o755 });
    home.tmux("new-session", "-d", "-s", "web", "-c", home.work, claw, "--model", "x");
    const refused = () => sessions(home, "rm", mine.id, "--yes");
    expect(refused()).toMatchObject({ code: 1, stderr: expect.stringContaining("a claw runs in web:0.0") });
    expect(existsSync(mine.path)).toBe(true);
    home.tmux("kill-server");
    expect(refused()).toMatchObject({ code: 0 });
  });

  test("restore does not overwrite a session, nor restore into a missing folder", async () => {
    const home = testHome();
    const odd = join(home.root, "an odd folder");
    mkdirSync(odd);
    const mine = saved(home, 1, odd);
    const claude = join(home.root, "a client");
    renameSync(home.claude, claude);
    const run = (...args: string[]) =>
      hivemind(home, ["sessions", ...args], { cwd: odd, env: { CLAUDE_CONFIG_DIR: claude } });
    const path = mine.path.replace(home.claude, claude);
    run("rm", mine.id, "--yes");
    writeFileSync(path, readFileSync(saved(home, 1, odd).path));
    const before = [everything(home), contentsOf(claude)];
    const refused = run("restore", mine.id);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is already a session ${mine.id}`),
    });
    expect([everything(home), contentsOf(claude)]).toEqual(before);
    // The printed command works even with two files of one id.
    expect(refused.stderr).toContain(`hivemind sessions rm --file '${path}'`);
    const again = run("rm", "--file", path, "--yes");
    const name = /sessions restore (\d{8}T\d{6}\S+)$/m.exec(again.stderr)?.[1];
    expect(run("restore", name!)).toMatchObject({ code: 0 });

    const clone = join(home.root, "clone");
    mkdirSync(clone);
    const theirs = await managed(home, clone);
    hivemind(home, ["sessions", "rm", theirs.id, "--yes"], { cwd: clone });
    rmSync(clone, { recursive: true });
    expect(sessions(home, "restore", theirs.id, "--all")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is gone"),
    });
    expect(existsSync(clone)).toBe(false);
  });

  test("restore keeps the file's age, and warns that the client deletes old files", () => {
    const home = testHome();
    const mine = saved(home, 1);
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    utimesSync(mine.path, longAgo, longAgo);
    sessions(home, "rm", mine.id, "--yes");
    expect(sessions(home, "restore", mine.id).stderr).toContain("it was last written 40 days ago");
    expect(existsSync(inConfig(home, "hivemind.trash.lock"))).toBe(false);
  });
});
