import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HiveError } from "../../src/base/errors.js";
import { type AgentCounts, countAgents, statusText } from "../../src/cli/status/agent-counts.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { testHome, until } from "../home.js";

const none: AgentCounts = { waiting: [], busy: 0, idle: 0, limited: 0, error: 0, unknown: 0, crashed: 0 };

test.each<[Partial<AgentCounts>, string]>([
  [{}, ""],
  [{ idle: 3 }, "3 idle"],
  [{ busy: 10, idle: 3 }, "10 busy · 3 idle"],
  [{ idle: 1, limited: 2, error: 1 }, "1 idle · 2 limited · 1 in error"],
  [{ waiting: ["po"], busy: 2 }, "1 waiting (po) · 2 busy"],
  [
    { waiting: ["a", "b", "c", "d"], crashed: 1, unknown: 2 },
    "4 waiting (a, b, c, …) · 1 crashed · 2 unknown",
  ],
])("%j is shown as %s", (counts, expected) => expect(statusText({ ...none, ...counts })).toBe(expected));

test("a status bar shows names as they are, and runs nothing in them", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  const oops = join(home.root, "oops");
  const names = [`#(touch ${oops})`, "#{pane_id}", "#[fg=red]#S"];
  const text = statusText({ ...none, waiting: names });
  const line = join(home.root, "line");
  writeFileSync(line, text);
  home.tmux(
    "set-option",
    "-g",
    "status-left",
    `#(cat ${line})`,
    ";",
    "set-option",
    "-g",
    "status-left-length",
    "200",
  );
  // A client of that server, in a pane of the same, so that its status bar is drawn and can be read.
  const attach = `env -u TMUX tmux -S ${home.socket} attach -t =web`;
  home.tmux("new-session", "-d", "-s", "eye", "-x", "200", "-y", "20", attach);
  const bar = () => home.tmux("capture-pane", "-p", "-t", "=eye:").split("\n");
  const shown = await until("the status bar", () => bar().find((each) => each.includes("waiting")));
  expect(shown).toContain(`3 waiting (${names.join(", ")})`);
  expect(existsSync(oops)).toBe(false);
});

test("without tmux, or when it cannot be asked, the line is empty and the exit code 0", async () => {
  const home = testHome();
  const empty = { code: 0, stdout: "\n", stderr: "" };
  expect(hivemind(home, ["statusline"])).toEqual(empty);
  expect(hivemind(home, ["statusline"], { env: { PATH: home.work } })).toEqual(empty);
  const panes = () => Promise.reject(new HiveError("no"));
  expect(await countAgents({ panes } as never)).toEqual(none);
});

test("a fleet is counted, by role where there is one", async () => {
  const home = testHome();
  startAgents(home, "web", ["-n", "po"], ["-n", "dev"], ["-n", "qa"]);
  await idleAgents(home, 3);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  home.tmux("send-keys", "-t", "web:0.1", "-l", "please [ask]");
  home.tmux("send-keys", "-t", "web:0.1", "Enter");
  await until("one that waits", () => hivemind(home, ["statusline"]).stdout === "1 waiting (dev) · 2 idle\n");
  expect(json(home, ["statusline"])).toEqual({ version: 1, ...none, waiting: ["dev"], idle: 2 });
});
