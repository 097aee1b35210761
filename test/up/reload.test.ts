import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ended, transcriptPath } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { idFor, writtenTeam } from "./written.js";

const names = Array.from({ length: 10 }, (_, at) => `agent${at}`);

test("one changed model among ten restarts one agent, and the others are not touched", () => {
  // Shells start quickly and count too: only the one agent may be touched.
  const settings = Object.fromEntries(
    names.map((name, at) => [name, at < 4 ? ["model: opus"] : ["kind: shell"]]),
  );
  const team = writtenTeam(settings);
  const { run } = team;
  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("shop: 10 started") });
  const before = team.agents();
  expect(run("reload")).toMatchObject({ code: 0, stdout: "shop: everything runs as the file says\n" });
  team.write({ ...settings, agent3: ["model: sonnet"] });
  expect(run("up")).toMatchObject({
    code: 0,
    stderr: "agent3: differs: model opus → sonnet (hivemind reload agent3)\n",
  });
  expect(team.agents()).toEqual(before);
  const { stdout } = run("reload", "--dry-run");
  expect(stdout.match(/^ {2}[~+-] .*/gm)).toEqual([
    expect.stringContaining("~ change agent3 in shop:0.3: model opus → sonnet"),
  ]);
  expect(run("reload")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 restarted, 9 unchanged"),
  });
  const { agent3, ...others } = team.agents();
  const { agent3: was, ...same } = before;
  expect(others).toEqual(same);
  expect(agent3).toMatchObject({ uuid: was!.uuid, pane: was!.pane });
  expect(agent3!.pid).not.toBe(was!.pid);
  expect(run("plan").stdout).toContain("everything runs as the file says");
});

test("a renamed agent is a new one; the old conversation stays where the plan shows, and strangers stay", () => {
  const team = writtenTeam({ old: [], shell: ["kind: shell"] });
  const { home, run } = team;
  run("up");
  expect(run("agent", "spawn", "guest", "--kind", "demo", "--team", "shop").code).toBe(0);
  expect(run("send", "old", "--wait", "remember the milk").code).toBe(0);
  const path = transcriptPath(home, home.work, idFor("old"));
  team.write({ new: [] });
  const plan = run("plan");
  expect(plan.stdout).toContain("- remove old in shop:0.0: no longer in the file");
  expect(plan.stdout).toContain(
    `its conversation stays: ${path} (cd ${home.work} && claude --resume ${idFor("old")})`,
  );
  expect(plan.stdout).toContain("- remove shell");
  expect(plan.stdout).toContain("+ add new: starts a new conversation");
  expect(plan.stdout).toContain("not in the file, left alone: shop:0.2 (demo)");
  expect(run("queue", "append", "old", "too late").code).toBe(0);
  expect(run("reload")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /this would end old, shell \(no longer in the file\)\n {2}hivemind reload --yes/,
    ),
  });
  expect(Object.keys(team.agents()).sort()).toEqual(["guest", "old", "shell"]);
  expect(run("reload", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("messages queued for it: 1 (forget it: hivemind agent forget @"),
  });
  expect(team.agents()).toMatchObject({ new: { uuid: idFor("new") }, guest: { kind: "demo" } });
  expect(Object.keys(team.agents()).sort()).toEqual(["guest", "new"]);
  expect(readFileSync(path, "utf8")).toContain("remember the milk");
});

test("an agent that becomes a shell is ended, and its pane has the user's shell", async () => {
  const team = writtenTeam({ lead: [] });
  const { home, run } = team;
  expect(run("up").code).toBe(0);
  const { pid, pane } = team.agents().lead!;
  home.tmux("set-option", "-g", "default-command", "exec sh -c 'exec cat -u'");
  team.write({ lead: ["kind: shell"] });
  expect(run("reload")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 restarted") });
  await ended(pid);
  expect(team.agents().lead).toMatchObject({ pane, kind: "shell", isDead: false });
  const runs = () => home.tmux("display-message", "-p", "-t", pane, "#{pane_current_command}").trim();
  await until("the user's own command", () => runs() === "cat");
  expect(run("reload").stdout).toBe("shop: everything runs as the file says\n");
});
