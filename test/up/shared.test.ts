import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { ended } from "../demo-agent/driver.js";
import { writtenTeam } from "./written.js";

test("the ended agent of another project in the same tmux session keeps its pane and its messages", async () => {
  const team = writtenTeam({});
  const { home, run } = team;
  team.write({ lead: [] }, ["project: one", "session: shared"]);
  const other = join(home.root, "other");
  mkdirSync(other);
  const text = "project: two\nsession: shared\nagents: { lead: { kind: demo } }\n";
  writeFileSync(join(other, "hivemind.yaml"), text);
  const there = (...args: string[]) => hivemind(home, args, { cwd: other });
  expect(run("up").code).toBe(0);
  const { pid } = team.agents().lead!;
  process.kill(pid, "SIGKILL");
  await ended(pid);
  expect(run("queue", "append", "lead", "for the lead of one").code).toBe(0);

  for (const command of ["up", "reload"])
    expect(there(command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("! lead: shared:0.0 has its name but was started by the project one"),
    });
  expect(there("down")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("shared:0.0 has its name but was started by the project one"),
  });
  expect(team.agents().lead).toMatchObject({ pane: "shared:0.0", isDead: true });
  expect(JSON.stringify(json(home, ["queue", "list"]))).toContain("for the lead of one");
  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 healed") });
});
