import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { hivemind } from "../command.js";
import { makeHome, removeHome } from "../home.js";
import { evilName, type HostileHome, harmlessOutput, plantEvil, runName } from "./hostile.js";

let home: HostileHome;

const made = makeHome();
beforeAll(async () => {
  home = await plantEvil(made);
});
afterAll(() => removeHome(made));

/** The arguments of each reading command: at least once with none, and with the planted texts. */
const asked: Record<string, string[][]> = {
  status: [[], ["good"]],
  statusline: [[]],
  whoami: [[]],
  resolve: [["po"], ["EVIL"]],
  "team list": [[]],
  "team active": [[]],
  "team status": [["good"]],
  "team monitor": [["good"]],
  "agent monitor": [["good:0.0"]],
  "agent process": [["good:0.0"], ["EVIL"]],
  "pane get": [
    ["#{pane_title} #{pane_current_path}", "good:0.0"],
    ["EVIL", "good:0.0"],
    ["#T", "EVIL"],
  ],
  snapshots: [[]],
  "layout list": [[]],
  "layout show": [["lost"]],
  monitor: [[]],
  "monitor list": [[]],
  "monitor verify": [[]],
  "size status": [[]],
  "registry list": [[]],
  "consistency audit": [[]],
  "consistency reconcile": [[]],
  "sessions discover": [["good:0.0"], ["good:0.2", "--explain"], ["EVIL"]],
  "sessions current": [["good:0.2"]],
  "sessions state": [["good:0.2"]],
  context: [[], ["00000000-0000-4000-8000-000000000001"]],
  allow: [[], ["EVIL", "commands"]],
  "queue list": [[]],
  // Without a fleet they refuse; what other hosts write is in test/fleet-hosts.
  "fleet status": [[]],
  "fleet hosts": [[]],
  "fleet mail": [[]],
  "fleet allow": [[]],
  "fleet replicate": [[], ["EVIL"]],
  "team takeover": [[], ["EVIL@EVIL"]],
  "fleet doctor": [[]],
  sessions: [[], ["--all"]],
  "sessions show": [["00000000-0000-4000-8000-000000000001"]],
  "sessions latest": [[]],
  "sessions export": [["00000000-0000-4000-8000-000000000001"]],
  "sessions search": [["find"]],
  "sessions trash": [[]],
  lineage: [[]],
  "forks list": [[]],
  history: [["good:0.0"]],
  wait: [
    ["good:0.0", "--timeout", "1"],
    ["EVIL", "--timeout", "1"],
  ],
  events: [[]],
  "hooks status": [[]],
  inbox: [[]],
  "mcp status": [[]],
  "tmux status": [[]],
  id: [["p", "EVIL"]],
  fingerprint: [["EVIL"]],
  env: [[]],
  doctor: [[]],
  restore: [["--dry-run"]],
  plan: [[], ["--file", "EVIL"]],
};

/** These take --json and change something: they are tested below, or type into a pane. */
const changing = [
  "agent forget",
  "send",
  "broadcast",
  "delegate",
  "queue drain",
  "agent adopt",
  "save",
  "registry refresh",
  "watch",
  "watch install",
  "watch remove",
  "consistency fix",
  "sessions probe",
  "sessions keep",
  "up",
  "down",
  "reload",
  "team pull",
  "team migrate",
];

test("every reading command is tested here", () => {
  const reading = commands.filter(({ hasJson }) => hasJson === true).map(({ words }) => words);
  expect(Object.keys(asked).toSorted()).toEqual(
    reading.filter((words) => !changing.includes(words)).toSorted(),
  );
});

describe("foreign text cannot move a cursor, and runs nowhere", () => {
  test.each(Object.entries(asked))("%s", (words, calls) => {
    for (const typed of calls) {
      const args = [...words.split(" "), ...typed.map((word) => word.replace("EVIL", evilName(home.canary)))];
      harmlessOutput(home, args);
      harmlessOutput(home, [...args, "--json"]);
    }
  });

  test.each([
    "session current PANE",
    "session probe PANE",
    "context PANE",
    "history PANE",
    "go PANE",
    "send PANE text",
    "registry set PANE po",
    "agent adopt PANE",
    "agent kill PANE",
    "agent fork PANE",
    "agent restart PANE",
    "pane swap PANE good:0.0",
    "sessions show PANE",
  ])("%s, in a tmux session whose name is shell code", (typed) => {
    const listed = home.tmux("list-panes", "-a", "-F", "#{pane_id} #{session_name}").split("\n");
    const panes = listed.filter((line) => line.endsWith(` ${runName}`)).map((line) => line.split(" ")[0]!);
    expect(panes).toHaveLength(2);
    for (const pane of panes) harmlessOutput(home, typed.replace("PANE", pane).split(" "));
  });

  test.each(["plan", "up", "reload", "down"])("a team file: %s", (command) => {
    const evil = JSON.stringify(evilName(home.canary));
    const folder = mkdtempSync(join(home.work, "written-"));
    const file = (agents: string) =>
      writeFileSync(join(folder, "hivemind.yaml"), `project: p\nsession: good\nagents:\n${agents}`);
    file(`  ${evil}:\n    ${evil}: ${evil}\n`);
    harmlessOutput(home, [command, "--file", folder]);
    file(`  writer:\n    cwd: ${evil}\n    model: ${evil}\n    prompt: ${evil}\n`);
    harmlessOutput(home, [command, "--file", folder]);
  });

  test("the fleet list, and completion", () => {
    harmlessOutput(home, []);
    for (const words of [
      ["status", ""],
      ["agent", "kill", ""],
      ["queue", "append", ""],
    ]) {
      const proposed = hivemind(home, ["__complete", ...words]).stdout.split("\n");
      expect(proposed.length).toBeGreaterThan(1);
      // A shell puts it on the command line unchanged.
      for (const line of proposed) expect(line).toMatch(/^([\w:.%-]+\t[\w ]+)?$/);
    }
  });
});

describe("files with foreign text stay valid", () => {
  test.each([
    ["registry", "refresh"],
    ["agent", "adopt", "good", "--dry-run"],
    ["layout", "save", "good"],
    ["teams", "save"],
    ["teams", "save", "good"],
    ["teams", "restore", "--team", "good", "--dry-run"],
    ["watch", "--once", "--reconcile"],
    ["consistency", "fix", "--yes"],
  ])("%s %s %s", (...args) => harmlessOutput(home, args.filter(Boolean)));

  test("a snapshot has eight fields per row, and a layout one value per variable", () => {
    const newest = readdirSync(home.config)
      .filter((name) => /snapshot.*env$/.test(name))
      .toSorted()
      .at(-1)!;
    const rows = readFileSync(join(home.config, newest), "utf8")
      .split("\n")
      .filter((line) => /^[^#]/.test(line));
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) expect(row.split("|")).toHaveLength(8);
    const { stdout, code } = hivemind(home, ["layout", "show", "good", "--json"]);
    expect(code).toBe(0);
    const [window] = JSON.parse(stdout).windows;
    expect(window.name).toBe(home.tmux("display-message", "-p", "-t", "=good:0", "#{window_name}").trimEnd());
    expect(existsSync(home.canary)).toBe(false);
  });
});
