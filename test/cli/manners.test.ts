import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandAliases } from "../../src/cli/aliases.js";
import type { Command } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { candidates } from "../../src/cli/completion/complete.js";
import { groups } from "../../src/cli/groups.js";
import { hivemind, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { makeHome, removeHome, testHome } from "../home.js";

describe("help", () => {
  test.each(commands.map(({ words }) => words))(
    "%s --help has its usage and an example of the command (incident 68)",
    (words) => {
      const home = testHome();
      const command = commands.find((each) => each.words === words)!;
      const { code, stdout, stderr } = hivemind(home, [...words.split(" "), "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`Usage: hivemind ${words}`);
      for (const example of command.examples) {
        expect(stdout).toContain(example);
        expect(example).toContain(`hivemind ${words}`);
      }
      expect(stdout.includes("--json")).toBe(
        command.hasJson === true || command.notes?.includes("--json") === true,
      );
      for (const { name } of command.options ?? []) expect(stdout).toContain(`--${name}`);
    },
  );

  test("--help alone lists every command or its group", () => {
    const { stdout } = hivemind(testHome(), ["--help"]);
    for (const { words } of commands) expect(stdout).toMatch(new RegExp(`^  ${words.split(" ")[0]}\\b`, "m"));
  });
});

describe("help asked for by words", () => {
  test.each([
    [["help"], /^Usage: hivemind \[/],
    [["help", "send"], /^Usage: hivemind send /],
    [["help", "team"], /^Usage: hivemind team /],
    [["help", "team", "list"], /^Usage: hivemind team list /],
    [["help", "team.list"], /^Usage: hivemind team list /],
    [["team", "help", "list"], /^Usage: hivemind team list /],
    [["sessions", "help"], /^Usage: hivemind sessions /],
    [["monitor", "help", "add"], /^Usage: hivemind monitor add /],
  ])("%j prints a page", (args, expected) => {
    const { code, stdout, stderr } = hivemind(testHome(), args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(expected);
  });

  test.each([
    [["help", "help"], ["--help"]],
    [
      ["help", "send", "tester", "stop"],
      ["send", "--help"],
    ],
    [
      ["help", "team", "activate"],
      ["team", "switch", "--help"],
    ],
    [
      ["send", "help", "me"],
      ["send", "help", "me"],
    ],
  ])("%j is %j", (typed, expected) => expect(expandAliases(typed)).toEqual(expected));
});

describe("usage", () => {
  test.each([
    [["frobnicate"], /unknown command 'frobnicate'/],
    [["stats"], /Did you mean status\?/],
    [["team", "regster"], /Did you mean register\?/],
    [["team", "register"], /missing required argument 'team'/],
    [["status", "--jsn"], /Did you mean --json\?/],
    [["status", "--jsn"], /Type `hivemind status --help`/],
    [["sessions", "show", "--jsn"], /Type `hivemind sessions show --help`/],
    [["regster"], /Type `hivemind --help`/],
    [["help", "nope"], /unknown command 'nope'/],
    [["nope", "--help"], /unknown command 'nope'/],
    [["stats", "-h"], /Did you mean status\?/],
    [["no.such.thing", "--help"], /unknown command 'no.such.thing'/],
    [["team", "nope", "--help"], /unknown command 'nope'/],
    [["team.nope", "--help"], /unknown command 'nope'/],
    [["sessions", "nope", "--help"], /unknown command 'nope'/],
    [["nope", "x", "--help", "--json"], /unknown command 'nope'/],
    [["nope", "--version"], /unknown command 'nope'/],
    [["help", "team", "nope"], /unknown command 'nope'/],
    [["help", "sessions", "nope"], /unknown command 'nope'/],
    [["agent", "rm", "x"], /Type `hivemind agent --help`/],
    [["status", "a", "b"], /too many arguments/],
    [["completion", "tcsh"], /no completion for "tcsh"/],
    [["forks", "list", "--state", "dead"], /"dead" is not a state/],
    [["events", "-n", "x"], /"x" is not a number of lines/],
    [["team"], /Usage: hivemind team/],
    [["id", "", "x"], /cannot be empty/],
    [["fingerprint", ""], /PATH is empty/],
    [["broadcast"], /broadcast needs TEXT/],
  ])("%j is exit code 2 with an explanation", (args, expected) => {
    const { code, stdout, stderr } = hivemind(testHome(), args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
  });
});

test.each([
  ["agent", "spawn", "po", "--team", "web", "--cwd=~/nope"],
  ["agent", "bootstrap", "po", "--team", "web", "--prompt=~/nope"],
  ["plan", "--file=~/nope"],
])("%s %s: a path after an option's = may begin with ~", (...args) => {
  const home = testHome();
  const { code, stderr } = hivemind(home, args);
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^hivemind: there is no (?:file|folder) ${home.home}/nope\\n {2}\\S`));
});

test("an unknown answer is exit code 1 with --json too", () => {
  const { code, stdout } = hivemind(testHome(), ["team", "active", "--json"]);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 1, version: 1, team: null, running: false });
});

test("a refusal prints nothing on stdout (incident 2)", () => {
  const home = testHome();
  tmuxTeam(home, "alpha");
  const refusals = [
    ["status", "nowhere"],
    ["registry", "set", "alpha:0.9", "po"],
    ["registry", "set", "%99", "po"],
    ["registry", "remove", "alpha:0.0"],
    ["queue", "append", "alpha:0.7", "text"],
    ["team", "switch", "nowhere"],
    ["team", "active"],
  ];
  for (const args of refusals) {
    const { code, stdout, stderr } = hivemind(home, args);
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: "" });
    expect(stderr).toMatch(/^hivemind: .+\n {2}.+/);
  }
});

describe("hostile names", () => {
  const attacks = [
    "../x",
    "a|b",
    "-rf",
    "a\nb",
    "$(touch x)",
    "#(touch x)",
    "=x",
    "`touch x`",
    "x".repeat(10_000),
    "\u001b[2J",
    "",
  ];
  const places = (bad: string): string[][] => [
    ["team", "register", "--", bad],
    ["team", "register", "--", "alpha", `${bad}|x`],
    ["team", "remove", "--", bad],
    ["team", "rename", "--", "alpha", bad],
    ["team", "switch", "--", bad],
    ["registry", "set", "--", bad, "po"],
    ["registry", "set", "--", "alpha:0.0", bad],
    ["registry", "set", "--", "alpha:0.0", "po", bad],
    ["registry", "remove", "--", bad],
    ["queue", "append", "--", bad, "text"],
    ["queue", "clear", "--", bad],
  ];

  test("are refused with the rule, nothing is written, nothing is run (incident 3)", () => {
    const home = testHome();
    tmuxTeam(home, "alpha");
    const sessions = home.tmux("list-sessions");
    for (const bad of attacks) {
      for (const args of places(bad)) {
        const { code, stdout, stderr } = hivemind(home, args);
        expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: "" });
        expect(stderr).toContain("refused");
        expect(stderr).not.toContain("\u001b");
      }
    }
    expect(contentsOf(home.config)).toEqual({});
    expect(existsSync(join(home.work, "x"))).toBe(false);
    expect(home.tmux("list-sessions")).toBe(sessions);
  }, 120_000);

  test("also random ones (property test)", () => {
    const home = makeHome();
    try {
      tmuxTeam(home, "alpha");
      const hostile = fc
        .string({ unit: "binary", minLength: 1, maxLength: 40 })
        .filter((text) => !text.includes("\0") && !/^[\w:.%-]+$/.test(text));
      fc.assert(
        fc.property(hostile, fc.integer({ min: 0, max: 10 }), (bad, at) => {
          // Arguments reach a program as bytes, so half a character never does.
          if (Buffer.from(bad).toString() !== bad) return;
          const args = places(bad)[at]!;
          expect({ args, ...hivemind(home, args) }).toMatchObject({ code: 1, stdout: "" });
        }),
        { numRuns: 40 },
      );
      expect(contentsOf(home.config)).toEqual({});
    } finally {
      removeHome(home);
    }
  }, 120_000);
});

describe("other spellings", () => {
  test.each([
    ["team.list", ["team", "list"]],
    ["registry.list", ["registry", "list"]],
    ["hiveMind.forks.list", ["forks", "list"]],
    ["agent.queue.show", ["queue", "list"]],
    ["team.activate", ["team", "switch"]],
    ["team.lst", ["team", "lst"]],
    ["status", ["status"]],
    ["no.such.thing", ["no.such.thing"]],
    ["../x", ["../x"]],
  ])("%s is %j", (typed, expected) => expect(expandAliases([typed])).toEqual(expected));

  test("every command has its dotted form", () => {
    for (const { words } of commands)
      expect(expandAliases([words.replaceAll(" ", "."), "x"])).toEqual([...words.split(" "), "x"]);
  });
});

describe("completion", () => {
  const values = async (meaning: string) =>
    ({
      team: ["alpha", "beta"],
      pane: ["alpha:0.0"],
      role: ["lead"],
      "agent of the team file": ["dev", "qa"],
    })[meaning] ?? [];
  const propose = async (...typed: string[]) =>
    (await candidates(commands, groups, typed, values)).map(({ word }) => word);

  test.each([
    [["sta"], ["status", "statusline"]],
    [["te"], ["team"]],
    [["teams", "re"], ["restore"]],
    [
      ["team", "re"],
      ["register", "remove", "rename", "restart"],
    ],
    [
      ["team", "switch", ""],
      ["alpha", "beta"],
    ],
    [["team.switch", "b"], ["beta"]],
    [["status", "--j"], ["--json"]],
    [["forks", "list", "--pane", ""], ["alpha:0.0"]],
    [["registry", "set", "a"], ["alpha:0.0"]],
    [["completion", "z"], ["zsh"]],
    [["nothing", "here", ""], []],
  ])("after %j: %j", async (typed, expected) => expect(await propose(...typed)).toEqual(expected));

  test.each([
    [
      ["up", ""],
      ["dev", "qa"],
    ],
    [["down", "dev", "q"], ["qa"]],
    [["reload", "--except", "d"], ["dev"]],
    [
      ["agent", "spawn", "x", "--kind", ""],
      ["claude", "codex", "opencode", "gemini", "demo", "shell"],
    ],
    [["wait", "lead", "--until", "a"], ["answered"]],
    [["send", "le"], ["lead"]],
    [["send", "alpha:"], ["alpha:0.0"]],
    [["send", "lead", "al"], []],
  ])("after %j: %j", async (typed, expected) => expect(await propose(...typed)).toEqual(expected));

  test.each([
    ["team.re", ["team.register", "team.remove", "team.rename", "team.restart"]],
    ["sessions.r", ["sessions.rm", "sessions.restore", "sessions.rebind"]],
  ])("%s is completed to %j", async (typed, expected) =>
    expect((await propose(typed)).sort()).toEqual([...expected].sort()),
  );

  test.each(["bash", "zsh", "fish"])("the %s script asks the command itself", (shell) => {
    const { code, stdout } = hivemind(testHome(), ["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("__complete");
  });

  test("a real bash completes a team's name and a pane's address", () => {
    const home = testHome();
    tmuxTeam(home, "alpha");
    const { stdout } = hivemind(home, ["__complete", "team", "register", "al"]);
    expect(stdout).toBe("alpha\tteam\n");
    expect(hivemind(home, ["__complete", "queue", "append", "alpha:"]).stdout).toBe("alpha:0.0\tpane\n");
  });

  test("agents of the team file and snapshots are proposed; an unreadable file proposes nothing", () => {
    const home = testHome();
    const propose = (...words: string[]) => hivemind(home, ["__complete", ...words]);
    const snapshot = "hivemind.snapshot.20260314T091500.env";
    mkdirSync(home.config);
    writeFileSync(join(home.config, snapshot), "");
    expect(propose("teams", "restore", "").stdout).toBe(`${snapshot}\tsnapshot\n`);
    const file = join(home.work, "hivemind.yaml");
    writeFileSync(file, "project: p\nagents:\n  lead:\n  builder:\n");
    expect(propose("up", "b").stdout).toBe("builder\tagent of the team file\n");
    writeFileSync(file, "agents: [");
    expect(propose("up", "")).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

test("every command has one or two words, and the first of two is a group", () => {
  const first = (command: Command) => command.words.split(" ");
  for (const command of commands) {
    const [group, verb, ...more] = first(command);
    expect(more).toEqual([]);
    if (verb !== undefined) expect(Object.keys(groups)).toContain(group);
  }
});
