import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { testHome } from "../home.js";

interface Agent {
  agent: string | null;
  role: string | null;
  standing: string | null;
  pane: string;
  uuid: string | null;
  queued: number;
}

test("an away agent keeps its messages even if its old address is taken, and comes back with them (incident 45)", () => {
  const home = testHome();
  const run = (...args: string[]) => {
    const { code, stdout, stderr } = hivemind(home, args);
    expect({ code, stderr }, args.join(" ")).toMatchObject({ code: 0 });
    return stdout;
  };
  const agents = () =>
    json<{ teams: { agents: Agent[] }[] }>(home, ["status"]).teams.flatMap((t) => t.agents);
  const po = () => agents().find(({ role }) => role === "po")!;
  tmuxTeam(home, "keep", 1);
  run("team", "setup", "web", "po", "--kind", "demo");
  run("send", "po", "a first word");
  run("teams", "save");
  run("queue", "append", "po", "said while away");
  const { agent, uuid } = po();
  home.tmux("kill-session", "-t", "=web");

  // Another tmux session has the name, and other panes have the address.
  tmuxTeam(home, "web", 1);
  run("agent", "spawn", "fresh", "--team", "web", "--kind", "demo");
  home.tmux("kill-pane", "-t", "=web:0.0");
  run("registry", "refresh");
  expect(po()).toMatchObject({ agent, uuid, standing: "away", queued: 1 });
  expect(readFileSync(join(home.config, "hivemind.sessions.env"), "utf8")).not.toContain(uuid);

  expect(run("teams", "restore", "--team", "web")).toMatch(
    new RegExp(`po {2}web:0\\.\\d {2}${uuid!.slice(0, 8)}`),
  );
  expect(po()).toMatchObject({ agent, uuid, standing: "present", queued: 1 });
  run("queue", "drain", "po");
  expect(run("queue", "list")).toBe("Nothing is queued.\n");
  expect(run("consistency", "audit")).toBe("nothing is wrong\n");
});
