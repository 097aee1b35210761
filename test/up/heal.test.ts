import { expect, test } from "vitest";
import { ended } from "../demo-agent/driver.js";
import { idFor, writtenTeam } from "./written.js";

test("[UH1] a crashed agent that shall come back is back in its conversation; another stays where it fell", async () => {
  const team = writtenTeam({ lead: [], dev: [] });
  const { run } = team;
  expect(run("up").code).toBe(0);
  // The policy is followed without a restart.
  team.write({ lead: ["restart: on-crash"], dev: [] });
  expect(run("up")).toMatchObject({ code: 0, stdout: "shop: everything runs as it is written\n" });
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
