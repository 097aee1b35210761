import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyProgramName, expandAliases } from "../../src/cli/aliases.js";
import { commands } from "../../src/cli/commands.js";
import { seedPrograms } from "../../src/cli/seed-names.js";
import { hivemind, mainProgram, type Ran, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

const meaning = (name: string, ...argv: string[]) => expandAliases(applyProgramName(name, argv)).join(" ");

/** Every command line that the documents of the seeds print, or the verb with an argument of its kind. */
const printed: [program: string, typed: string, meant: string][] = [
  ["hiveMind", "", ""],
  ["hiveMind", "registry.refresh web4team", "registry refresh web4team"],
  ["hiveMind", "consistency.fix web4team", "consistency fix web4team"],
  ["hiveMind", "consistency.audit", "consistency audit"],
  ["hiveMind", "consistency.reconcile", "consistency reconcile"],
  ["hiveMind", "teams.save", "teams save"],
  ["hiveMind", "teams.restore --fork", "teams restore --fork"],
  ["hiveMind", "team.restart ./dir", "team restart ./dir"],
  ["hiveMind", "team.pull host", "team pull host"],
  ["hiveMind", "team.migrate web4team host", "team migrate web4team host"],
  ["hiveMind", "team.setup web4team po", "team setup web4team po"],
  ["hiveMind", "team.register web4team", "team register web4team"],
  ["hiveMind", "team.list", "team list"],
  ["hiveMind", "team.switch web4team", "team switch web4team"],
  ["hiveMind", "team.activate web4team", "team switch web4team"],
  ["hiveMind", "team activate web4team", "team switch web4team"],
  ["hiveMind", "resolve web4-po", "resolve web4-po"],
  ["hiveMind", "agent.monitor web4-po", "agent monitor web4-po"],
  ["hiveMind", "agent.spawn po", "agent spawn po"],
  ["hiveMind", "agent.bootstrap po", "agent bootstrap po"],
  ["hiveMind", "agent.rename po lead", "agent rename po lead"],
  ["hiveMind", "agent.respawn po", "agent respawn po"],
  ["hiveMind", "agent.restart po", "agent restart po"],
  ["hiveMind", "agent.session.probe web4team:0.1", "sessions probe web4team:0.1"],
  ["hiveMind", "agent.queue.append web4team:0.1 run it", "queue append web4team:0.1 run it"],
  ["hiveMind", "agent queue append web4team:0.1 run it", "queue append web4team:0.1 run it"],
  ["hiveMind", "agent.queue.drain web4team:0.1", "queue drain web4team:0.1"],
  ["hiveMind", "agent.queue.show", "queue list"],
  ["hiveMind", "send.message po run it", "send po run it"],
  ["hiveMind", "send message run it", "send message run it"],
  ["hiveMind", "delegate po run it", "delegate po run it"],
  ["hiveMind", "forks.list", "forks list"],
  ["hiveMind", "context.read", "context"],
  ["hiveMind", "private.hiveMind.registry.set web4team:0.1 po", "registry set web4team:0.1 po"],
  ["hiveMind", "private.hiveMind.registry.find po", "resolve po"],
  ["hiveMind", "private.hiveMind.session.lookup web4team:0.1", "sessions current web4team:0.1"],
  ["hiveMind", "private.hiveMind.session.resolve.uuid po", "sessions current po"],
  ["hiveMind", "private.hiveMind.active.team", "team active"],
  ["claudeCode", "fork 5b56e996", "sessions fork --all 5b56e996"],
  ["claudeCode", "claudeCode.fork 5b56e996", "sessions fork --all 5b56e996"],
  ["claudeCode", "process.find web4team:0.1", "agent process web4team:0.1"],
  ["claudeCode", "process find web4team:0.1", "agent process web4team:0.1"],
  ["claudeCode", "session.current web4team:0.1", "sessions current web4team:0.1"],
  ["claudeCode", "sessions current web4team:0.1", "sessions current web4team:0.1"],
  ["claudeCode", "session.state web4team:0.1", "sessions state web4team:0.1"],
  ["claudeCode", "session.probe web4team:0.1", "sessions probe web4team:0.1"],
  ["claudeCode", "private.claudeCode.session.discover web4team:0.1", "sessions discover web4team:0.1"],
  ["claudeCode", "context.read web4team:0.1", "context web4team:0.1"],
  ["claudeCode", "--version", "--version"],
  ["otmux", "pane.get #{pane_title}", "pane get #{pane_title}"],
  ["otmux", "pane get #{pane_current_path}", "pane get #{pane_current_path}"],
  ["otmux", "size.lock web4team 120x40", "size lock web4team 120x40"],
  ["otmux", "size.unlock web4team", "size unlock web4team"],
  ["otmux", "size.floor.apply", "size apply"],
  ["otmux", "size floor apply", "size apply"],
  ["otmux", "layout.save web4team", "layout save web4team"],
  ["otmux", "layout.restore web4team", "layout restore web4team"],
  ["otmux", "layout.list", "layout list"],
  ["otmux", "layout.show web4team", "layout show web4team"],
  ["tronMonitor", "", "monitor"],
  ["tronMonitor", "add web4team", "monitor add web4team"],
  ["tronMonitor", "tronMonitor.remove web4team", "monitor remove web4team"],
  ["tronMonitor", "sync", "monitor sync"],
  ["tronMonitor", "reset", "monitor reset"],
  ["tronMonitor", "list", "monitor list"],
  ["tronMonitor", "switch web4team", "monitor switch web4team"],
  ["tronMonitor", "private.tronMonitor.findWindow", "monitor list"],
  ["tronMonitor", "private.tronMonitor.tracked.teams", "monitor list"],
  ["tronMonitor", "help add", "monitor add --help"],
  ["scrumMaster", "cycle", "watch --once"],
  ["scrumMaster", "scrumMaster.cycle", "watch --once"],
  ["teamctl", "up", "up"],
  ["teamctl", "down", "down"],
];

describe("the verbs of the seeds", () => {
  test.each(printed)("%s %s is %s", (program, typed, expected) => {
    const argv = typed.split(" ").filter(Boolean);
    expect(meaning(program, ...argv)).toBe(expected);
  });

  test.each(printed.filter(([, typed]) => /^\w+\.\w/.test(typed)))(
    "%s.%s is the same without a link",
    (program, typed, expected) => {
      const dotted = /^private\.|^tronMonitor\.|^claudeCode\.|^scrumMaster\./.test(typed)
        ? typed
        : `${program}.${typed}`;
      expect(meaning("hivemind", ...dotted.split(" "))).toBe(expected);
    },
  );

  test("every verb maps to a command, and none hides a command", () => {
    const known = commands.map(({ words }) => words);
    for (const { verbs, group } of Object.values(seedPrograms)) {
      if (group !== "") expect(known).toContain(group);
      for (const [verb, words] of Object.entries(verbs)) {
        expect(known).toContain(words.replace(/ --.*/, ""));
        const same = known.find((each) => each.replaceAll(" ", ".") === verb);
        expect(same ?? words).toBe(words);
      }
    }
  });

  test.each([
    ["hiveMind", "private.hiveMind.session.store", "hivemind registry set PANE ROLE UUID"],
    ["hiveMind", "session.store.deferred", "hivemind registry refresh"],
    ["hiveMind", "private.hiveMind.snapshot.row.valid", "hivemind restore FILE --dry-run"],
    ["hiveMind", "private.hiveMind.snapshot.version.check", "hivemind restore FILE --dry-run"],
    ["hiveMind", "private.hiveMind.events.emit", "hivemind events"],
    ["hiveMind", "agent.spawned", "hivemind events"],
    ["hiveMind", "team.created.tronMonitor", "hivemind events"],
    ["claudeCode", "private.claudeCode.max.tokens.for.jsonl", "hivemind context UUID"],
    ["otmux", "pane.lock", "hivemind agent rename NAME NEW"],
  ])("%s %s does not exist here: one line says what to type", (program, verb, hint) => {
    expect(() => meaning(program, verb, "x")).toThrow(expect.objectContaining({ exitCode: 2, hint }));
  });
});

/** Runs a link of that name, as a shell finds it in PATH. */
function linked(home: TestHome, name: string, ...args: string[]): Ran {
  const path = join(home.root, name);
  symlinkSync(mainProgram, path);
  const { status, stdout, stderr } = spawnSync(path, args, {
    env: home.env,
    cwd: home.work,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

describe("a link to the program", () => {
  test.each([
    ["hiveMind", ["team.list"], 0, /web4team +running/],
    ["otmux", ["layout.list"], 0, /./],
    ["otmux", ["nosuch"], 2, /unknown command 'otmux.nosuch'/],
    ["tronMonitor", [], 0, /No viewer is running/],
    ["tronMonitor", ["nosuch"], 2, /unknown command 'nosuch' of monitor/],
    ["claudeCode", [], 0, /claudeCode fork +hivemind sessions fork/],
    ["claudeCode", ["--help"], 0, /claudeCode process\.find +hivemind agent process/],
    ["tronMonitor", ["--help"], 0, /tronMonitor add +hivemind monitor add/],
    ["scrumMaster", ["cycle"], 0, /^/],
    ["otmux", ["pane.lock"], 2, /hivemind agent rename/],
  ])("%s %j answers", (name, args, code, expected) => {
    const home = testHome();
    tmuxTeam(home, "web4team");
    const ran = linked(home, name, ...args);
    expect({ code: ran.code }).toEqual({ code });
    expect(ran.stdout + ran.stderr).toMatch(expected);
  });

  test("otmux pane.get prints tmux variables, and refuses formats that could run a program", () => {
    const home = testHome();
    tmuxTeam(home, "web4team");
    home.tmux("select-pane", "-t", "web4team:0.0", "-T", "web4-po");
    expect(linked(home, "otmux", "pane.get", "#{pane_title}", "web4team:0.0")).toEqual({
      code: 0,
      stdout: "web4-po\n",
      stderr: "",
    });
    for (const order of [
      ["web4team:0.0", "#{pane_index} #T"],
      ["#{pane_index} #T", "web4team:0.0"],
    ])
      expect(hivemind(home, ["pane", "get", ...order]).stdout).toBe("0 web4-po\n");
    for (const bad of ["#(touch x)", "#{E:pane_title}", "#{?1,#(touch x),}", "pane_title", "#{l:%H}", "%H"]) {
      const { code, stdout } = hivemind(home, ["pane", "get", bad, "web4team:0.0"]);
      expect({ bad, code, stdout }).toEqual({ bad, code: 2, stdout: "" });
    }
    expect(hivemind(home, ["pane", "get", "#{pane_title}"])).toMatchObject({ code: 1, stdout: "" });
  });

  test("claudeCode process.find prints nothing if no agent runs", () => {
    const home = testHome();
    tmuxTeam(home, "web4team");
    expect(linked(home, "claudeCode", "process.find", "web4team:0.0")).toMatchObject({ code: 1, stdout: "" });
  });

  test("claudeCode process.find prints the process of the agent", async () => {
    const home = testHome();
    expect(
      hivemind(home, ["team", "setup", "web4team", "po", "--kind", "demo", "--cwd", home.work]),
    ).toMatchObject({ code: 0 });
    const pid = home.tmux("display-message", "-p", "-t", "web4team:0.0", "#{pane_pid}").trim();
    const found = await until("its process", () => {
      const { code, stdout } = hivemind(home, ["claudeCode.process.find", "po"]);
      return code === 0 ? stdout.trim() : null;
    });
    expect(found).toBe(pid);
  });
});
