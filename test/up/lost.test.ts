import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { idFor, type WrittenTeam, writtenTeam } from "./written.js";

/** Where the row of each role is, with its session, and what waits there. */
function kept({
  home,
}: WrittenTeam): Record<string, [pane: string, session: string | null, waiting: string]> {
  const { roles, sessions, queues } = openStores(home.env);
  const sessionAt = new Map<string, string>(sessions.read().rows.map(({ pane, uuid }) => [pane, uuid]));
  return Object.fromEntries(
    roles.read().rows.map(({ pane, role }) => {
      const waiting = queues.read(pane).messages.map(({ text }) => text);
      return [role, [pane, sessionAt.get(pane) ?? null, waiting.join()]];
    }),
  );
}

/** Its tmux session ends an hour after its roles were given. */
function lose({ home }: WrittenTeam, how: readonly string[]): void {
  home.tmux("new-session", "-d", "-s", "beside", "cat");
  home.tmux(...how);
  const path = join(home.config, "hivemind.roles.env");
  const earlier = (_: string, row: string, epoch: string) => `${row}|${Number(epoch) - 3600}`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/^(.*)\|(\d+)$/gm, earlier));
}

test.each([
  [
    "[US5] a lost team takes along what waits for its agents, also elsewhere; who does not come back keeps it, and is told",
    "server",
  ],
  ["[QH5] so it does where the server lives on (incident 45)", "session"],
])("%s", (_, lost) => {
  const shell = ["kind: shell"];
  const team = writtenTeam({ aa: shell, bb: shell, cc: shell });
  const { run } = team;
  expect(run("up").code).toBe(0);
  for (const [at, text] of ["for aa", "for bb", "for cc"].entries())
    expect(run("queue", "append", `shop:0.${at}`, text).code).toBe(0);
  lose(team, lost === "server" ? ["kill-server"] : ["kill-session", "-t", "=shop"]);
  // Who is new comes to stand where nobody comes back.
  team.write({ cc: shell, bb: shell, dd: shell });
  expect(run("up")).toMatchObject({
    code: 0,
    stderr: "not brought back, and kept: aa (hivemind teams restore --team shop)\n",
  });
  expect(kept(team)).toEqual({
    aa: ["shop:0.3", null, "for aa"],
    bb: ["shop:0.0", null, "for bb"],
    cc: ["shop:0.1", null, "for cc"],
    dd: ["shop:0.2", null, ""],
  });
});

test("[US5] a stranger in a tmux session of the team's name gets nothing, and nobody loses anything to it", () => {
  const team = writtenTeam({ po: [], dev: [] });
  const { home, run } = team;
  expect(run("up").code).toBe(0);
  expect(run("agent", "spawn", "extra", "--team", "shop", "--kind", "demo").code).toBe(0);
  for (const role of ["po", "dev", "extra"]) expect(run("queue", "append", role, `for ${role}`).code).toBe(0);
  const before = kept(team);
  expect(before.po).toEqual(["shop:0.0", idFor("po"), "for po"]);
  lose(team, ["kill-session", "-t", "=shop"]);
  home.tmux("new-session", "-d", "-s", "shop", "-x", "200", "-y", "50", "cat");

  expect(run("up")).toMatchObject({ code: 0, stderr: expect.stringContaining("and kept: extra (") });
  expect(team.agents()).toMatchObject({
    po: { pane: "shop:0.1", uuid: idFor("po"), isDead: false },
    dev: { pane: "shop:0.2", uuid: idFor("dev"), isDead: false },
  });
  const after = kept(team);
  expect(after).toEqual({
    po: ["shop:0.1", idFor("po"), "for po"],
    dev: ["shop:0.2", idFor("dev"), "for dev"],
    extra: ["shop:0.0", before.extra![1], "for extra"],
  });
  expect(existsSync(join(home.config, "hivemind.queue", "dead"))).toBe(false);
  expect(run("up")).toMatchObject({ code: 0, stdout: "shop: everything runs as it is written\n" });
  expect(kept(team)).toEqual(after);
  expect(run("queue", "drain", "shop:0.1").stdout).toContain("delivered");
  expect(run("queue", "drain", "shop:0.0").code).toBe(4);
  expect(home.tmux("capture-pane", "-p", "-t", "=shop:0.0").trim()).toBe("");
});
