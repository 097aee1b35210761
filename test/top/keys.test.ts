// Every key of the help, pressed into the real program in a real pane, and its effect looked at.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TeamView } from "../../src/fleet/view.js";
import { type ActionName, bindings } from "../../src/top/bindings.js";
import { hivemind, json, mainProgram } from "../command.js";
import { makeHome, paneVariables, removeHome, type TestHome, until } from "../home.js";

let home: TestHome;
let pane: string;

const screen = () => home.tmux("capture-pane", "-p", "-t", pane);
const keys = (...names: string[]) => home.tmux("send-keys", "-t", pane, ...names);
const type = (text: string) => home.tmux("send-keys", "-t", pane, "-l", "--", text);
const has = (text: string | RegExp) =>
  typeof text === "string" ? screen().includes(text) : text.test(screen());
const looked = async (what: string, look: () => boolean) => {
  try {
    await until(what, look);
  } catch {
    throw new Error(`waited in vain for ${what}; the screen was:\n${screen()}`);
  }
};
const sees = (text: string | RegExp) => looked(`${text}`, () => has(text));
const misses = (text: string | RegExp) => looked(`no ${text}`, () => !has(text));
const agents = () => json<{ teams: TeamView[] }>(home, ["status"]).teams.flatMap((team) => team.agents);
const agentOf = (role: string) => agents().find((agent) => agent.role === role);
const becomes = (role: string, activity: string) =>
  until(`${role} is ${activity}`, () => agentOf(role)?.activity === activity);
const head = () => screen().split("\n")[1]?.split("│")[1]?.trim() ?? "";

/** Moves to the agent with this role. */
async function choose(role: string): Promise<void> {
  keys("Escape");
  keys("Home");
  await until("the first row", () => head() === "shop");
  await until(role, () => {
    if (head().startsWith(`${role} `)) return true;
    keys("Down");
    return new Promise<boolean>((rest) => setTimeout(() => rest(head().startsWith(`${role} `)), 80));
  });
}

/** The agent asks for permission, is chosen, and its request is on the screen. */
async function asks(role: string): Promise<void> {
  await sees(new RegExp(`${role} +idle`));
  hivemind(home, ["send", role, "please [ask]"]);
  await becomes(role, "waiting");
  await sees(new RegExp(`\\? ${role} +waiting`));
  await choose(role);
  keys("2");
  await sees(/req-[a-z2-7]{8}/);
}

beforeAll(async () => {
  home = makeHome();
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  expect(hivemind(home, ["team", "setup", "shop", "lead", "tester", "writer", "--kind", "demo"]).code).toBe(
    0,
  );
  const editor = join(home.root, "editor");
  writeFileSync(editor, '#!/bin/sh\necho "from the editor" > "$1"\n', { mode: 0o755 });
  const env = { ...home.env, EDITOR: editor, VISUAL: "" };
  pane = home
    .tmux(
      ...["new-session", "-d", "-P", "-F", "#{pane_id}", "-s", "me", "-x", "160", "-y", "45"],
      ...paneVariables(env),
      ...["-c", home.work, `exec ${process.execPath} ${mainProgram} top`],
    )
    .trim();
  await sees(/lead +idle/);
});
afterAll(() => removeHome(home));

const said = (role: string, text: string) =>
  until(`${text} in ${role}`, () => {
    const { uuid } = agentOf(role)!;
    const found = hivemind(home, ["sessions", "show", String(uuid), "--all"]).stdout;
    return found.includes(text);
  });

const checks: Record<ActionName, () => Promise<unknown>> = {
  down: async () => {
    await choose("lead");
    keys("Down");
    await until("tester", () => head().startsWith("tester "));
  },
  up: async () => {
    keys("k");
    await until("lead", () => head().startsWith("lead "));
  },
  last: async () => {
    keys("G");
    await until("writer", () => head().startsWith("writer "));
  },
  first: async () => {
    keys("Home");
    await until("the team", () => head() === "shop");
  },
  "page-down": async () => {
    keys("PageDown");
    await until("writer", () => head().startsWith("writer "));
  },
  "page-up": async () => {
    keys("PageUp");
    await until("the team", () => head() === "shop");
  },
  fold: async () => {
    keys("Left");
    await sees(/▸ shop/);
    await misses(/lead +idle/);
  },
  unfold: async () => {
    keys("Right");
    await sees(/lead +idle/);
  },
  tab: async () => {
    await choose("lead");
    keys("3");
    await sees(/session +[0-9a-f]{8}-/);
    keys("4");
    await sees(/│.*lead.*\n/);
    keys("6");
    await sees(/│/);
    keys("1");
    await sees(/Claude Code v/);
  },
  "next-tab": async () => {
    keys("Tab");
    await sees("It asks nothing.");
    keys("1");
  },
  "scroll-up": async () => {
    keys("3", "[");
    await sees(/session/);
  },
  "scroll-down": async () => {
    keys("]", "1");
    await sees(/Claude Code v/);
  },
  order: async () => {
    keys("o");
    await sees("by tmux");
    keys("o", "o", "o");
    await misses(/by (tmux|context|name)/);
  },
  filter: async () => {
    keys("/");
    type("writ");
    await misses(/tester +idle/);
    keys("Enter");
    await sees("/writ");
  },
  back: async () => {
    keys("Escape");
    await sees(/tester +idle/);
  },
  help: async () => {
    keys("?");
    await sees("approve its request; shows the command and asks");
    keys("Escape");
    await misses("approve its request; shows");
  },
  mark: async () => {
    await choose("lead");
    keys("Space");
    await sees(/\*○ lead/);
  },
  unmark: async () => {
    keys("u");
    await misses(/\*○ lead/);
  },
  send: async () => {
    await choose("lead");
    keys("s");
    await sees("to lead:");
    type("--now is no option");
    keys("Enter");
    await sees("delivered to lead");
    await said("lead", "--now is no option");
    keys("s");
    type("-");
    keys("Enter");
    await sees("- alone reads a pipe");
  },
  edit: async () => {
    await becomes("lead", "idle");
    keys("e");
    await sees(/delivered to lead[\s\S]*/);
    await said("lead", "from the editor");
  },
  approve: async () => {
    await becomes("tester", "idle");
    await asks("tester");
    keys("a");
    await sees("Approve this? y/n");
    await sees("touch demo");
    keys("y");
    await sees("tester: approved Bash: touch demo");
    await becomes("tester", "idle");
  },
  reject: async () => {
    await asks("tester");
    keys("r");
    type("not now");
    keys("Enter");
    await sees("tester: rejected Bash: touch demo");
    await becomes("tester", "idle");
  },
  always: async () => {
    await asks("tester");
    keys("A");
    await sees(/allow Bash\(touch demo\)/);
    keys("y");
    await sees("tester: always Bash: touch demo");
    await becomes("tester", "idle");
  },
  answer: async () => {
    await asks("writer");
    keys("n");
    type("1");
    keys("Enter");
    await sees("wants a yes or a no");
    keys("a", "y");
    await becomes("writer", "idle");
  },
  hold: async () => {
    await choose("lead");
    keys("h");
    await sees("lead is on hold");
    keys("5");
    await sees("Nothing is queued.");
    expect(hivemind(home, ["send", "lead", "later"]).code).toBe(5);
    // The view follows what others do.
    await sees(/│.*later/);
    keys("1");
  },
  release: async () => {
    keys("H");
    await sees("lead is released");
    hivemind(home, ["queue", "drain", "lead"]);
    await said("lead", "later");
  },
  rename: async () => {
    await choose("writer");
    keys("m");
    type("author");
    keys("Enter");
    await until("its role", () => agentOf("author") !== undefined);
    await sees(/author +idle/);
  },
  fork: async () => {
    await choose("lead");
    keys("f");
    type("second");
    keys("Enter");
    await until("the fork", () => agentOf("second")?.activity === "idle");
    await sees(/second +idle/);
  },
  save: async () => {
    keys("S");
    await sees(/saved|snapshot/i);
    expect(hivemind(home, ["snapshots"]).stdout).toContain("shop");
  },
  kill: async () => {
    await choose("second");
    keys("K");
    await sees("End second? y/n");
    keys("n");
    await misses("End second");
    keys("K", "y");
    await until("its end", () => agentOf("second")?.standing === "away");
  },
  restart: async () => {
    const before = agentOf("author")?.uuid;
    await choose("author");
    keys("R");
    await sees("Restart author? y/n");
    keys("y");
    await sees(/author/);
    await becomes("author", "idle");
    expect(agentOf("author")?.uuid).toBe(before);
  },
  restore: async () => {
    home.tmux("kill-session", "-t", "=shop");
    await sees(/lead +away/);
    keys("B");
    await sees("Bring the saved teams back? y/n");
    keys("y");
    await becomes("lead", "idle");
    await sees(/lead +idle/);
    await misses("running:");
  },
  watch: async () => {
    await sees("no watcher: w starts one");
    keys("w");
    await misses("no watcher");
    expect(hivemind(home, ["watch", "--stop"]).code).toBe(0);
  },
  command: async () => {
    keys(":");
    type("fingerp");
    keys("Tab");
    await sees(/:fingerprint/);
    keys("Enter");
    await sees("[Enter returns to top]");
    expect(screen()).toMatch(/[0-9a-f]{16}/);
    keys("Enter");
    await sees(/lead +idle/);
  },
  go: async () => {
    // Outside of a client tmux has nothing to switch: this terminal attaches, and comes back.
    await choose("lead");
    keys("Enter");
    const clients = () => home.tmux("list-clients", "-F", "#{session_name} #{pane_id}").trim();
    await looked("the client", () => clients() === `shop ${agentOf("lead")!.paneId}`);
    home.tmux("detach-client", "-s", "=shop");
    await sees(/lead +idle/);
    await misses("this is a bug");
  },
  quit: async () => {
    keys("q");
    await until(
      "its end",
      () => !home.tmux("list-panes", "-a", "-F", "#{pane_id}").split("\n").includes(pane),
    );
  },
};

test("every key of the help has a check", () => {
  expect(Object.keys(checks).toSorted()).toEqual(
    [...new Set(bindings.map(({ action }) => action))].toSorted(),
  );
});

test.each(Object.keys(checks) as ActionName[])("%s", async (action) => void (await checks[action]()));
