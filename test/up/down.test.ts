import { describe, expect, test } from "vitest";
import { ended } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { idFor, writtenTeam } from "./written.js";

const slow = "env: { DEMO_ANSWER_MS: '60000' }";

test("only agents of this project end; other panes of the team stay, and so does its tmux session", () => {
  const team = writtenTeam({ lead: [], dev: [], sh: ["kind: shell"] });
  const { home, run } = team;
  run("up");
  expect(run("agent", "spawn", "guest", "--kind", "demo", "--team", "shop").code).toBe(0);
  const { guest } = team.agents();
  expect(run("down", "dev")).toMatchObject({ code: 0 });
  expect(Object.keys(team.agents()).sort()).toEqual(["guest", "lead", "sh"]);
  expect(run("down")).toMatchObject({ code: 0 });
  expect(team.agents()).toMatchObject({ guest: { pid: guest!.pid, uuid: guest!.uuid } });
  // A pane with the name of an agent that is not this project's stays too.
  team.write({ guest: [] });
  expect(run("down")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not started by this project"),
  });
  expect(run("up")).toMatchObject({ code: 1, stderr: expect.stringContaining("shop:0.0 has its name") });
  expect(home.tmux("list-panes", "-a").trim().split("\n")).toHaveLength(1);
});

describe("an idle agent is asked to exit, a working one is waited for up to the time limit, then ended", () => {
  test("interrupted, a working agent continues, and panes of exited agents close", async () => {
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
      "✓ busy  shop:0.0: ended; it did not leave on /exit\nshop: its last pane closed, so its tmux session has ended\n",
    );
    await ended(busy!.pid);
    expect(() => home.tmux("list-panes", "-a")).toThrow();
    expect(run("down")).toMatchObject({ code: 0, stdout: "shop: nothing runs\n" });
  });
});
