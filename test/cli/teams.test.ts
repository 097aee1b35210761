import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";

const store = (home: TestHome, name: string) => readFileSync(join(home.config, name), "utf8");

test("a tmux session is registered, selected, renamed and removed as a team", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  expect(hivemind(home, ["team", "register", "alpha", "The", "first", "team"])).toMatchObject({
    code: 0,
    stdout: "registered alpha\n",
  });
  expect(store(home, "hivemind.teams.env")).toBe("alpha|The first team\n");

  expect(hivemind(home, ["team", "switch", "alpha"]).code).toBe(0);
  expect(hivemind(home, ["team", "active"]).stdout).toBe("alpha\n");
  hivemind(home, ["registry", "set", "alpha:0.1", "tester"]);
  hivemind(home, ["queue", "append", "alpha:0.1", "hello"]);

  expect(hivemind(home, ["team", "rename", "alpha", "beta"])).toMatchObject({ code: 0, stderr: "" });
  expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("beta\n");
  expect(store(home, "hivemind.teams.env")).toBe("beta|The first team\n");
  expect(store(home, "hivemind.roles.env")).toMatch(/^beta:0\.1\|tester\|\d+\n$/);
  expect(hivemind(home, ["team", "active"]).stdout).toBe("beta\n");
  expect(json(home, ["queue", "list", "beta:0.1"])).toMatchObject({
    queues: [{ messages: [{ text: "hello" }] }],
  });
  expect(home.tmux("list-panes", "-t", "=beta:", "-F", "#{@hivemind}")).toContain("|beta:0.1|tester");

  const refused = hivemind(home, ["team", "remove", "beta"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("forget 1 agent, 1 queued message of beta");
  expect(hivemind(home, ["team", "remove", "beta", "--yes"]).code).toBe(0);
  expect(store(home, "hivemind.teams.env")).toBe("");
  expect(store(home, "hivemind.roles.env")).toBe("");
  expect(Object.keys(contentsOf(join(home.config, "hivemind.queue", "dead")))).toHaveLength(1);
  expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("beta\n");
});

test("every change is in the event log and can be read back", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  hivemind(home, ["team", "register", "alpha", "with spaces"]);
  hivemind(home, ["registry", "set", "alpha:0.0", "po"]);
  hivemind(home, ["registry", "set", "alpha:0.0", "lead"]);
  hivemind(home, ["registry", "remove", "alpha:0.0"]);
  const { events } = json<{ events: { event: string }[] }>(home, ["events"]);
  expect(events.map(({ event }) => event)).toEqual([
    "team.created",
    "agent.spawned",
    "agent.renamed",
    "agent.forgotten",
  ]);
  expect(hivemind(home, ["events", "-n", "1"]).stdout).toMatch(/^\S+Z agent\.forgotten lead [a-z2-7]{10}\n$/);
});

test("words of an error message are not teams: only a running tmux session can be registered (incident 1)", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  for (const word of ["Did", "you", "mean"]) {
    const { code, stdout, stderr } = hivemind(home, ["team", "register", word]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`there is no tmux session "${word}"`);
    expect(stderr).toContain(`\n  tmux -S ${home.socket} new-session -d -s ${word}\n`);
  }
  expect(contentsOf(home.config)).toEqual({});
});

test("an active team that does not run is printed, with a warning that it is ignored (incident 4)", () => {
  const home = testHome();
  mkdirSync(home.config);
  writeFileSync(join(home.config, "hivemind.active.team"), "__test_old\n");
  const { code, stdout, stderr } = hivemind(home, ["team", "active"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "__test_old\n" });
  expect(stderr).toContain("is not running");
});

test("renaming to an existing team, or from an unknown one, changes nothing", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  tmuxTeam(home, "beta");
  hivemind(home, ["team", "register", "alpha"]);
  const before = contentsOf(home.config);
  expect(hivemind(home, ["team", "rename", "alpha", "beta"]).stderr).toContain(
    'there is already a team "beta"',
  );
  expect(hivemind(home, ["team", "rename", "gamma", "delta"]).stderr).toContain('there is no team "gamma"');
  expect(contentsOf(home.config)).toEqual(before);
});

test("a tmux session is found by its whole name, not by a prefix (incident 58)", () => {
  const home = testHome();
  tmuxTeam(home, "name2");
  expect(hivemind(home, ["team", "register", "name"]).code).toBe(1);
  expect(hivemind(home, ["status", "name"]).code).toBe(1);
});
