import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { hivemind } from "../command.js";
import { idFor, type WrittenTeam, writtenTeam } from "./written.js";

/** For each agent of the roster: its id, its session and its queued messages. */
function known({ home }: WrittenTeam): Record<string, [id: string, session: string | null, waiting: string]> {
  const { roster, queues } = openStores(home.env);
  return Object.fromEntries(
    roster.read().agents.map(({ id, role, session }) => {
      const waiting = queues.read(id).messages.map(({ text }) => text);
      return [role, [id, session, waiting.join()]];
    }),
  );
}

test.each([
  ["server", ["kill-server"]],
  ["tmux session (incident 45)", ["kill-session", "-t", "=shop"]],
])("agents lost with their %s come back as themselves, with their messages", (_, lose) => {
  const shell = ["kind: shell"];
  const team = writtenTeam({ aa: shell, bb: shell, cc: shell });
  const { home, run } = team;
  expect(run("up").code).toBe(0);
  for (const role of ["aa", "bb", "cc"]) expect(run("queue", "append", role, `for ${role}`).code).toBe(0);
  const before = known(team);
  home.tmux("new-session", "-d", "-s", "beside", "cat");
  home.tmux(...lose);
  // The new agent has the address of an agent that does not come back.
  team.write({ dd: shell, cc: shell, bb: shell });
  expect(run("up")).toMatchObject({ code: 0, stderr: "" });
  const { dd, ...after } = known(team);
  expect(after).toEqual(before);
  expect(dd).toEqual([expect.any(String), null, ""]);
  const places = Object.entries(team.agents()).map(([role, { pane }]) => [role, pane]);
  expect(Object.fromEntries(places)).toEqual({ dd: "shop:0.0", cc: "shop:0.1", bb: "shop:0.2" });
});

test("a stranger in a tmux session with the team's name gets nothing, and no agent loses anything to it", () => {
  const team = writtenTeam({ po: [], dev: [] });
  const { home, run } = team;
  expect(run("up").code).toBe(0);
  expect(run("agent", "spawn", "extra", "--team", "shop", "--kind", "demo").code).toBe(0);
  for (const role of ["po", "dev", "extra"]) expect(run("queue", "append", role, `for ${role}`).code).toBe(0);
  const before = known(team);
  expect(before.po).toEqual([expect.any(String), idFor("po"), "for po"]);
  home.tmux("new-session", "-d", "-s", "beside", "cat");
  home.tmux("kill-session", "-t", "=shop");
  home.tmux("new-session", "-d", "-s", "shop", "-x", "200", "-y", "50", "cat");

  expect(run("up").code).toBe(0);
  expect(team.agents()).toMatchObject({
    po: { pane: "shop:0.1", uuid: idFor("po"), isDead: false },
    dev: { pane: "shop:0.2", uuid: idFor("dev"), isDead: false },
  });
  expect(known(team)).toEqual(before);
  expect(existsSync(join(home.config, "hivemind.queue", "dead"))).toBe(false);
  expect(run("up")).toMatchObject({ code: 0, stdout: "shop: everything runs as the file says\n" });
  expect(run("queue", "drain", "po").stdout).toContain("delivered");
  expect(known(team).extra).toEqual(before.extra);
  expect(home.tmux("capture-pane", "-p", "-t", "=shop:0.0").trim()).toBe("");
});

test("an agent that runs on a second tmux server is left alone, and never started twice", () => {
  const team = writtenTeam({ lead: [], dev: [] });
  const { home, run } = team;
  expect(run("up", "lead").code).toBe(0);
  const { lead } = team.agents();
  const other = { HIVEMIND_TMUX_SOCKET: join(home.root, "other.sock") };
  const there = (...args: string[]) => hivemind(home, args, { env: other });
  const first = there("up");
  expect(first.code).toBe(1);
  expect(first.stderr).toContain("lead: runs on another tmux server, in shop:0.0");
  expect(first.stderr).toContain("dev: shop runs on another tmux server");
  expect(there("down")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("lead: not ended: it runs on another tmux server"),
  });
  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 started, 1 unchanged") });
  expect(team.agents().lead).toEqual(lead);
});
