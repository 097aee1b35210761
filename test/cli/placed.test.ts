import { beforeEach, describe, expect, test } from "vitest";
import { type Hive, openHive } from "../../src/hive.js";
import type { PaneAddress, Role, TeamName } from "../../src/names/gates.js";
import { hivemind, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

let home: TestHome;
let hive: Hive;

/** Two registered panes, each with a message, that a person has swapped behind hivemind's back. */
beforeEach(async () => {
  home = testHome();
  hive = openHive({ env: home.env });
  tmuxTeam(home, "web", 2);
  await hive.emit({ name: "team.created", team: "web" as TeamName, description: "" });
  for (const [at, role] of ["po", "dev"].entries()) {
    const pane = `web:0.${at}` as PaneAddress;
    await hive.emit({ name: "agent.spawned", pane, role: role as Role, uuid: null });
    await hive.stores.queues.append(pane, "inform", `first for ${role}`);
  }
  home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.1");
});

const roles = () =>
  hive.stores.roles
    .read()
    .rows.map(({ pane, role }) => `${pane}|${role}`)
    .sort();
const queued = () =>
  hive.stores.queues
    .panes()
    .flatMap((pane) => hive.stores.queues.read(pane).messages.map(({ text }) => `${pane} ${text}`));

describe("what is written by address after panes were moved by tmux alone", () => {
  test.each(["web:0.0", "dev"])(
    "[PD1] a message for %s goes to the pane that stands there now (incident 45)",
    async (name) => {
      expect(hivemind(home, ["queue", "append", name, "second for dev"])).toMatchObject({
        code: 0,
        stderr: "",
      });
      await hive.refreshAll();
      expect(queued()).toEqual(["web:0.0 first for dev", "web:0.0 second for dev", "web:0.1 first for po"]);
    },
  );

  test("[PD1] a message for a team that was renamed is not lost with the old name (incident 45)", async () => {
    home.tmux("rename-session", "-t", "=web", "net");
    hivemind(home, ["queue", "append", "po", "second for po"]);
    await hive.refreshAll();
    expect(queued()).toEqual(["net:0.0 first for dev", "net:0.1 first for po", "net:0.1 second for po"]);
  });

  test("[PD1] a role that is set, and one that is removed, is that of the pane that stands there now", () => {
    hivemind(home, ["registry", "set", "web:0.0", "tester"]);
    expect(roles()).toEqual(["web:0.0|tester", "web:0.1|po"]);
    home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.1");
    hivemind(home, ["registry", "remove", "web:0.0", "--yes"]);
    expect(roles()).toEqual(["web:0.1|tester"]);
  });

  test("[PD1] a queue that is cleared is that of the pane that stands there now", () => {
    expect(hivemind(home, ["queue", "clear", "web:0.0"]).stdout).toBe("cleared 1 message of web:0.0\n");
    expect(queued()).toEqual(["web:0.1 first for po"]);
  });

  test("[PD1] a team that is removed takes nothing from an agent that went to another team", async () => {
    tmuxTeam(home, "net");
    await hive.emit({ name: "team.created", team: "net" as TeamName, description: "" });
    await hive.stores.holds.update(() => [
      { pane: "web:0.1" as PaneAddress, word: "HELD", since: "2026-01-01T00:00:00Z", by: "me" },
    ]);
    home.tmux("join-pane", "-d", "-s", "=web:0.0", "-t", "=net:0.0");
    const refused = hivemind(home, ["team", "remove", "web"]);
    expect(refused.stderr).toContain("1 roles, 0 sessions, 1 queued messages");
    expect(hivemind(home, ["team", "remove", "web", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(roles()).toEqual(["net:0.1|dev"]);
    expect(queued()).toEqual(["net:0.1 first for dev"]);
    expect(hive.stores.holds.read().rows).toMatchObject([{ pane: "net:0.1" }]);
  });

  test("[PD2] rows and messages of a pane that is gone are still named by its address", () => {
    home.tmux("kill-pane", "-t", "=web:0.1");
    expect(hivemind(home, ["queue", "clear", "web:0.1"])).toMatchObject({ code: 0, stderr: "" });
    expect(hivemind(home, ["registry", "remove", "web:0.1"])).toMatchObject({ code: 0, stderr: "" });
  });
});
