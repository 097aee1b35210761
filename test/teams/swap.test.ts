import { describe, expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { countFrom } from "./fleets.js";

interface Agent {
  pane: string;
  paneId: string;
  role: string | null;
  queued: number;
}

/** Two teams of registered panes, each with a queued message. */
function twoTeams(): TestHome {
  const home = testHome();
  for (const [team, roles] of [
    ["alpha", ["lead", "builder", "tester"]],
    ["beta", ["chief", "scout"]],
  ] as const) {
    tmuxTeam(home, team, roles.length);
    hivemind(home, ["team", "register", team]);
    for (const [at, role] of roles.entries()) {
      hivemind(home, ["registry", "set", `${team}:0.${at}`, role]);
      hivemind(home, ["queue", "append", `${team}:0.${at}`, `for ${role}`]);
    }
  }
  return home;
}

/** For each role: its address, its tmux pane, and its queued messages. */
function places(home: TestHome): Record<string, string> {
  const { teams } = json<{ teams: { agents: Agent[] }[] }>(home, ["status"]);
  const { queues } = json<{ queues: { pane: string; messages: { text: string }[] }[] }>(home, [
    "queue",
    "list",
  ]);
  const waiting = new Map(
    queues.map(({ pane, messages }) => [pane, messages.map(({ text }) => text).join()]),
  );
  return Object.fromEntries(
    teams
      .flatMap(({ agents }) => agents)
      .map(({ role, pane, paneId }) => [role ?? pane, `${pane} ${paneId} ${waiting.get(pane)}`]),
  );
}

function lastEvents(home: TestHome, count: number): string[] {
  return hivemind(home, ["events"])
    .stdout.trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => line.replace(/^\S+ /, ""));
}

test("two agents of a team swap, with everything they have (incident 45)", () => {
  const home = twoTeams();
  const before = places(home);
  expect(hivemind(home, ["pane", "swap", "lead", "alpha:0.2"])).toMatchObject({
    code: 0,
    stdout: "alpha:0.0 is alpha:0.2 now\nalpha:0.2 is alpha:0.0 now\n",
  });
  expect(places(home)).toEqual({
    ...before,
    lead: before.lead!.replace("alpha:0.0", "alpha:0.2"),
    tester: before.tester!.replace("alpha:0.2", "alpha:0.0"),
  });
  expect(lastEvents(home, 1)).toEqual(["panes.swapped alpha alpha:0.0 alpha:0.2"]);
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  expect(lastEvents(home, 1)).toEqual(["panes.swapped alpha alpha:0.0 alpha:0.2"]);
});

test("a pane moves to another team, the others close up, all in one event (incident 45)", () => {
  const home = twoTeams();
  const before = places(home);
  expect(hivemind(home, ["pane", "move", "builder", "beta:0.0"])).toMatchObject({ code: 0, stderr: "" });
  const after = places(home);
  expect(after).toEqual({
    lead: before.lead,
    tester: before.tester!.replace("alpha:0.2", "alpha:0.1"),
    chief: before.chief,
    builder: before.builder!.replace("alpha:0.1", "beta:0.1"),
    scout: before.scout!.replace("beta:0.1", "beta:0.2"),
  });
  expect(lastEvents(home, 1)[0]).toMatch(/^panes\.shifted /);
  expect(hivemind(home, ["events"]).stdout.match(/panes\./g)).toHaveLength(1);
});

test("a pane moves to a team by name; moving the last pane ends its tmux session and row", () => {
  const home = twoTeams();
  const before = places(home);
  for (const role of ["chief", "scout"]) {
    expect(hivemind(home, ["pane", "move", role, "alpha"]).code).toBe(0);
  }
  const ids = (all: Record<string, string>) =>
    Object.entries(all).map(([role, place]) => `${role} ${place.split(" ").slice(1).join(" ")}`);
  expect(ids(places(home)).sort()).toEqual(ids(before).sort());
  expect(home.tmux("list-sessions", "-F", "#S").trim()).toBe("alpha");
});

test("panes that a person moved by hand are followed first", () => {
  const home = twoTeams();
  const before = places(home);
  home.tmux("swap-pane", "-d", "-s", "=alpha:0.0", "-t", "=alpha:0.1");
  expect(hivemind(home, ["pane", "swap", "alpha:0.1", "alpha:0.2"]).code).toBe(0);
  const after = places(home);
  expect(after.lead).toBe(before.lead!.replace("alpha:0.0", "alpha:0.2"));
  expect(after.builder).toBe(before.builder!.replace("alpha:0.1", "alpha:0.0"));
  expect(after.tester).toBe(before.tester!.replace("alpha:0.2", "alpha:0.1"));
});

test("panes count from 1 if pane-base-index is 1", () => {
  const home = testHome();
  countFrom(home, 1);
  tmuxTeam(home, "one", 2);
  hivemind(home, ["team", "register", "one"]);
  hivemind(home, ["registry", "set", "one:1.1", "lead"]);
  expect(hivemind(home, ["pane", "swap", "lead", "one:1.2"]).code).toBe(0);
  expect(json(home, ["resolve", "lead"])).toMatchObject({ pane: "one:1.2" });
});

describe("nothing moves if", () => {
  test.each([
    ["a team would have a role twice", ["pane", "move", "alpha:0.0", "beta"], /beta:0\.1 is lead already/],
    ["a swap would bring it there", ["pane", "swap", "alpha:0.0", "beta:0.0"], /beta:0\.1 is lead already/],
    ["it is the same pane", ["pane", "swap", "builder", "alpha:0.1"], /with itself/],
    ["it would stand beside itself", ["pane", "move", "builder", "alpha:0.1"], /beside itself/],
    ["it is in that team already", ["pane", "move", "builder", "alpha"], /in alpha already/],
    ["there is no such pane", ["pane", "swap", "builder", "alpha:0.9"], /no pane alpha:0\.9/],
    ["the name is unknown", ["pane", "move", "builder", "gamma"], /no agent has the role "gamma"/],
  ])("%s", (_, args, why) => {
    const home = twoTeams();
    hivemind(home, ["registry", "set", "beta:0.1", "lead"]);
    const before = places(home);
    const { code, stdout, stderr } = hivemind(home, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(why);
    expect(places(home)).toEqual(before);
  });
});

test("a pane without room beside the target gets its own window", () => {
  const home = testHome();
  home.tmux("new-session", "-d", "-x", "20", "-y", "2", "-s", "tiny", "cat");
  tmuxTeam(home, "alpha", 2);
  hivemind(home, ["registry", "set", "alpha:0.1", "lead"]);
  const { code, stderr } = hivemind(home, ["pane", "move", "lead", "tiny:0.0"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/tiny is not a team yet/);
  expect(json(home, ["resolve", "lead"])).toMatchObject({ pane: "tiny:1.0" });
});
