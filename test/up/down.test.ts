import { describe, expect, test } from "vitest";
import { ended } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { idFor, writtenTeam } from "./written.js";

const slow = "env: { DEMO_ANSWER_MS: '60000' }";

test("[UD2] only what this project started goes; what others have in the team stays, and its tmux session with it", () => {
  const team = writtenTeam({ lead: [], dev: [], sh: ["kind: shell"] });
  const { home, run } = team;
  run("up");
  expect(run("agent", "spawn", "guest", "--kind", "demo", "--team", "shop").code).toBe(0);
  const { guest } = team.agents();
  expect(run("down", "dev")).toMatchObject({ code: 0 });
  expect(Object.keys(team.agents()).sort()).toEqual(["guest", "lead", "sh"]);
  expect(run("down")).toMatchObject({ code: 0 });
  expect(team.agents()).toMatchObject({ guest: { pid: guest!.pid, uuid: guest!.uuid } });
  // One that has the name of an agent, and is none of this project's, stays too.
  team.write({ guest: [] });
  expect(run("down")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not started by this project"),
  });
  expect(run("up")).toMatchObject({ code: 1, stderr: expect.stringContaining("shop:0.0 has its name") });
  expect(home.tmux("list-panes", "-a").trim().split("\n")).toHaveLength(1);
});

describe("[UD1] who listens is asked, who works is waited for as long as is said, and then ended", () => {
  test("[UD3] interrupted, who works goes on working, and who has left is tidied away", async () => {
    const team = writtenTeam({ idle: [], busy: [slow] });
    const { home, run } = team;
    run("up");
    expect(run("send", "busy", "think").code).toBe(0);
    const { child, ended: end } = team.begin("down", "--timeout", "600");
    await until("the idle one has left", () => team.agents().idle?.kind !== "demo");
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 1, stderr: expect.stringContaining("1 not ended") });
    expect(team.agents()).toMatchObject({ busy: { uuid: idFor("busy"), kind: "demo" } });
    expect(team.home.tmux("list-panes", "-a").trim().split("\n")).toHaveLength(1);

    const { busy } = team.agents();
    expect(run("down", "--timeout", "1").stdout).toBe(
      "✓ busy  shop:0.0: ended; it did not leave by itself\nshop: its tmux session is gone with its last pane\n",
    );
    await ended(busy!.pid);
    expect(() => home.tmux("list-panes", "-a")).toThrow();
    expect(run("down")).toMatchObject({ code: 0, stdout: "shop: nothing runs\n" });
  });
});
