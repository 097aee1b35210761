import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { Role } from "../../src/names/gates.js";
import { healAgent } from "../../src/up/heal.js";
import { ended } from "../demo-agent/driver.js";
import { idFor, writtenTeam } from "./written.js";

test("a crashed agent with restart on-crash resumes its conversation; another stays as it is", async () => {
  const team = writtenTeam({ lead: [], dev: [] });
  const { run } = team;
  expect(run("up").code).toBe(0);
  // The policy applies without a restart.
  team.write({ lead: ["restart: on-crash"], dev: [] });
  expect(run("up")).toMatchObject({ code: 0, stdout: "shop: everything runs as the file says\n" });
  expect(run("send", "lead", "--wait", "hello").code).toBe(0);
  const { lead, dev } = team.agents();
  for (const { pid } of [lead!, dev!]) process.kill(pid, "SIGKILL");
  for (const { pid } of [lead!, dev!]) await ended(pid);
  expect(run("watch", "--once")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("healed shop: lead is back"),
  });
  const after = team.agents();
  expect(after).toMatchObject({
    lead: { uuid: idFor("lead"), pane: lead!.pane, isDead: false },
    dev: { isDead: true },
  });
  expect(after.lead!.pid).not.toBe(lead!.pid);
  expect(run("watch", "--once").stdout).not.toContain("healed");
});

test("an agent that was ended, moved or restarted while waiting for the team is left alone", async () => {
  const team = writtenTeam({ lead: ["restart: on-crash"] });
  const { home, run } = team;
  const hive = openHive({ env: home.env });
  const world = hive.teamWorld({ progress: () => {}, note: () => {} });
  const healBehind = (before: () => void) => {
    const whileChanging: typeof hive.whileChanging = (name, work) => {
      before();
      return hive.whileChanging(name, work);
    };
    const { id } = hive.stores.roster.read().agents[0]!;
    return healAgent({ world, whileChanging }, { id, project: "shop", agent: "lead" as Role });
  };
  const crash = async () => {
    expect(run("up").code).toBe(0);
    const { pid } = team.agents().lead!;
    process.kill(pid, "SIGKILL");
    await ended(pid);
  };
  await crash();
  expect(await healBehind(() => home.tmux("rename-session", "-t", "=shop", "elsewhere"))).toBeNull();
  expect(home.tmux("list-panes", "-a", "-F", "#{session_name} #{pane_dead}")).toBe("elsewhere 1\n");
  home.tmux("rename-session", "-t", "=elsewhere", "shop");
  expect(await healBehind(() => run("up"))).toBeNull();
  await crash();
  expect(await healBehind(() => run("down"))).toBeNull();
  expect(() => home.tmux("list-panes", "-a")).toThrow();
});
