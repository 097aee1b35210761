import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { panesOf, startFleet } from "./fleets.js";

const pids = (home: TestHome) => home.tmux("list-panes", "-a", "-F", "#{pane_pid} #{pane_dead}");

/** A link to itself fails for every user, the superuser too. */
function hide({ root }: TestHome, path: string): () => void {
  const away = join(root, "away");
  renameSync(path, away);
  symlinkSync(path, path);
  return () => {
    rmSync(path);
    renameSync(away, path);
  };
}

test("an agent with an unreadable conversation neither starts fresh nor counts as missing (incident 64)", async () => {
  const home = testHome();
  await startFleet(home, {
    web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "builder"] }],
  });
  const cwd = join(home.work, "web.builder");
  const projects = join(home.claude, "projects");
  const bring = hide(home, projects);
  expect(hivemind(home, ["teams", "save"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`whether ${idOf(2)} has a conversation could not be seen: ELOOP`),
  });
  const [name] = readdirSync(home.config).filter((each) => each.startsWith("hivemind.snapshot."));
  expect(readFileSync(join(home.config, name!), "utf8")).not.toContain("no word yet");

  home.tmux("set-option", "-p", "-t", "=web:0.1", "remain-on-exit", "on");
  process.kill(Number(home.tmux("display-message", "-p", "-t", "=web:0.1", "#{pane_pid}")), "SIGKILL");
  await until("a dead pane", () => pids(home).includes(" 1"));
  const sessions = () => readFileSync(join(home.config, "hivemind.sessions.env"), "utf8");
  const [before, stored] = [pids(home), sessions()];
  const refused = (...args: string[]) => {
    const { code, stdout, stderr } = hivemind(home, args, { cwd });
    expect({ args, code, stderr }).toEqual({
      args,
      code: 3,
      stderr: expect.stringContaining(projects),
    });
    expect([pids(home), sessions()]).toEqual([before, stored]);
    return stdout;
  };
  expect(refused("session", "discover", "web:0.1")).toMatch(`${idOf(2)}|unknown|`);
  for (const ref of [idOf(2), "builder"])
    for (const verb of ["export", "fork"]) expect(refused("sessions", verb, ref)).toBe("");
  expect(refused("sessions", "show", idOf(2))).toContain(idOf(2));
  for (const args of [
    ["sessions", "latest"],
    ["sessions", "show", "latest"],
  ])
    expect(refused(...args)).toBe("");
  refused("agent", "respawn", "builder");
  refused("agent", "respawn", "builder", "--from", idOf(2).slice(0, 8));
  refused("agent", "restart", "builder");
  refused("team", "restart", "web", "--yes");
  refused("teams", "restore");
  expect(hivemind(home, ["teams", "restore", "--dry-run"])).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`the transcript of ${idOf(2)} could not be seen`),
  });
  bring();

  const folder = join(projects, projectSlug(cwd));
  const bringOne = hide(home, folder);
  refused("sessions", "latest");
  refused("agent", "respawn", "builder");
  bringOne();
  expect(hivemind(home, ["sessions", "latest"], { cwd })).toMatchObject({ code: 0, stdout: `${idOf(2)}\n` });
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ role, uuid }) => [role, uuid])).toEqual([
    ["lead", idOf(1)],
    ["builder", idOf(2)],
  ]);
});
