// Commands that name a pane, after a person moved panes behind hivemind's back: they mean the agent that sits there now.

import { beforeEach, expect, test } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { hivemind, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

let home: TestHome;
let hive: Hive;

/** Two registered panes, each with a message, that a person has swapped. */
beforeEach(() => {
  home = testHome();
  hive = openHive({ env: home.env });
  tmuxTeam(home, "web", 2);
  hivemind(home, ["team", "register", "web"]);
  for (const [at, role] of ["po", "dev"].entries()) {
    hivemind(home, ["registry", "set", `web:0.${at}`, role]);
    hivemind(home, ["queue", "append", role, `first for ${role}`]);
  }
  home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.1");
});

const agents = () => hive.stores.roster.read().agents;
const roles = () =>
  hive.stores.roles
    .read()
    .rows.map(({ pane, role }) => `${pane}|${role}`)
    .sort();
const queued = () =>
  agents().flatMap(({ id, role }) =>
    hive.stores.queues.read(id).messages.map(({ text }) => `${role}: ${text}`),
  );

test.each(["web:0.0", "dev"])(
  "a message for %s goes to the agent that is there now (incident 45)",
  (name) => {
    expect(hivemind(home, ["queue", "append", name, "second for dev"])).toMatchObject({
      code: 0,
      stderr: "Nobody is delivering: hivemind watch --background\n",
    });
    expect(queued()).toEqual(["po: first for po", "dev: first for dev", "dev: second for dev"]);
  },
);

test("a message for an agent whose team was renamed is not lost with the old name (incident 45)", () => {
  home.tmux("rename-session", "-t", "=web", "net");
  hivemind(home, ["queue", "append", "net:0.1", "second for po"]);
  hivemind(home, ["registry", "refresh"]);
  expect(queued()).toEqual(["po: first for po", "po: second for po", "dev: first for dev"]);
  expect(roles()).toEqual(["net:0.0|dev", "net:0.1|po"]);
});

test("registry set and registry remove change the agent that is in the pane now", () => {
  hivemind(home, ["registry", "set", "web:0.0", "tester"]);
  expect(roles()).toEqual(["web:0.0|tester", "web:0.1|po"]);
  expect(queued()).toEqual(["po: first for po", "tester: first for dev"]);
  home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.1");
  hivemind(home, ["registry", "remove", "web:0.0", "--yes"]);
  expect(roles()).toEqual(["web:0.1|tester"]);
  expect(queued()).toEqual(["tester: first for dev"]);
});

test("queue clear empties the queue of the agent that is in the pane now", () => {
  expect(hivemind(home, ["queue", "clear", "web:0.0"]).stdout).toBe("cleared 1 message of dev\n");
  expect(queued()).toEqual(["po: first for po"]);
});

test("team remove takes nothing from an agent that moved to another team", () => {
  tmuxTeam(home, "net");
  hivemind(home, ["team", "register", "net"]);
  hivemind(home, ["hold", "dev"]);
  home.tmux("join-pane", "-d", "-s", "=web:0.0", "-t", "=net:0.0");
  expect(hivemind(home, ["team", "remove", "web", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(roles()).toEqual(["net:0.1|dev"]);
  expect(queued()).toEqual(["dev: first for dev"]);
  expect(hive.stores.holds.read().rows).toMatchObject([{ agent: agents()[0]!.id, word: "HELD" }]);
});

test("the queue of an agent whose pane is closed is still found by its last address", () => {
  hivemind(home, ["registry", "refresh"]);
  home.tmux("kill-pane", "-t", "=web:0.1");
  expect(hivemind(home, ["queue", "list", "web:0.1"]).stdout).toMatch(/^po \(away\)\n {2}1\. first for po /);
  expect(hivemind(home, ["queue", "clear", "web:0.1"])).toMatchObject({
    code: 0,
    stdout: "cleared 1 message of po\n",
  });
});
