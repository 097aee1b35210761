import { describe, expect, it } from "vitest";
import type { ProcessInfo } from "../../base/system/process.js";
import type { SessionId } from "../../names/gates.js";
import type { Launch } from "../launch.js";
import { sessionArguments } from "./arguments.js";
import { endSteps } from "./ending.js";
import { geminiHome } from "./home.js";
import { geminiProgram, launchArguments } from "./launch.js";
import { recognises } from "./recognise.js";
import { stateInTitle } from "./title.js";

const id = "0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const script = "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js";

function processOf(args: readonly string[], pid = 1): ProcessInfo {
  const rest = { ppid: 0, startTicks: null, startedAtMs: 0, leader: null, tty: null, isForeground: true };
  return { pid, ...rest, command: "node", args: [...args] };
}

describe("recognises", () => {
  it.each([
    [["node", script], true],
    [["node", "/usr/local/bin/gemini", "--resume", id], true],
    [["/usr/bin/node", "--max-old-space-size=12052", "/usr/local/bin/gemini"], true],
    [["/opt/bin/gemini", "-i", "hello"], true],
    [["node", script, "fix the tests"], true],
    [["node", script, "-p", "hello"], false],
    [["node", script, "--prompt=hello"], false],
    [["node", script, "mcp", "list"], false],
    [["node", script, "--acp"], false],
    [["node", script, "--list-sessions"], false],
    [["vim", script], false],
    [["sh", "-c", "gemini"], false],
    [["node", "/srv/gemini.js"], false],
  ])("%j: %s", (args, expected) => {
    expect(recognises(processOf(args))).toBe(expected);
  });
});

describe("the session in its arguments", () => {
  it.each([
    [["--session-id", id], { began: id, isCreated: true }],
    [[`--session-id=${id}`, "-m", "gemini-2.5-pro"], { began: id, model: "gemini-2.5-pro" }],
    [["--resume", id], { began: id }],
    [["-r", id], { began: id }],
    [["--resume", "latest"], { began: null }],
    [["--resume"], { began: null }],
    [["--session-id", "my-own-name"], { began: null }],
    [["-i", "--resume", "--session-id", id], { began: id, isCreated: true }],
    [[`--prompt-interactive=--resume ${id}`], { began: null }],
    [["-i", `--resume=${id}`], { began: null }],
    [[], { began: null, model: null }],
  ])("%j", (words, expected) => {
    expect(sessionArguments(["node", "--max-old-space-size=1", script, ...words])).toMatchObject(expected);
  });
});

describe("a start", () => {
  const start = (launch: Partial<Launch>) =>
    launchArguments({ session: { how: "create", id }, name: null, ...launch });

  it.each<[Partial<Launch>, string[]]>([
    [{}, ["--session-id", id]],
    [{ session: { how: "resume", id } }, ["--resume", id]],
    [{ name: "lead", model: "gemini-2.5-pro" }, ["--session-id", id, "--model", "gemini-2.5-pro"]],
    [{ permissionMode: "auto_edit" }, ["--session-id", id, "--approval-mode", "auto_edit"]],
    [
      { extra: ["--skip-trust"], prompt: "- begin" },
      ["--session-id", id, "--skip-trust", "--prompt-interactive=- begin"],
    ],
    [{ prompt: "/clear is a command" }, ["--session-id", id, "--prompt-interactive=> /clear is a command"]],
  ])("%j", (launch, expected) => {
    expect(start(launch)).toEqual(expected);
  });

  it("is read back from its arguments, whatever the prompt", () => {
    const prompt = "--resume 11111111-2222-4333-8444-555555555555";
    const resumed = start({ session: { how: "resume", id }, prompt });
    expect(sessionArguments(["node", script, ...resumed]).began).toBe(id);
    expect(sessionArguments(["node", script, ...start({ prompt })])).toMatchObject({
      began: id,
      isCreated: true,
    });
  });

  it.each<[string, Partial<Launch>]>([
    ["cannot continue a copy", { session: { how: "fork", id, parent: id } }],
    ["has no permission mode", { permissionMode: "acceptEdits" }],
    ["the prompt is empty", { prompt: " " }],
    ["control characters", { prompt: "a\u001bb" }],
    ["cannot be the value of --model", { model: "-x" }],
  ])("%s: refused", (words, launch) => {
    expect(() => start(launch)).toThrow(words);
  });
});

it("its end begins at the process that holds the conversation", () => {
  const tree = [
    processOf(["-zsh"], 10),
    processOf(["node", script], 11),
    processOf(["/usr/bin/node", "--max-old-space-size=1", script], 12),
    processOf(["bash", "-c", "sleep 9"], 13),
  ];
  expect(endSteps(tree)).toEqual([
    { pid: 12, signal: "SIGTERM" },
    { pid: 12, signal: "SIGKILL" },
    { pid: 11, signal: "SIGKILL" },
  ]);
  expect(endSteps(tree.slice(0, 1))).toEqual([]);
});

it.each([
  [{ HOME: "/home/ada" }, "/home/ada/.gemini"],
  [{ HOME: "/home/ada", GEMINI_CLI_HOME: "/srv/g" }, "/srv/g/.gemini"],
  [{}, null],
])("the folder of %j is %s", (env, folder) => {
  expect(geminiHome(env)).toBe(folder);
});

it.each([
  ["◇  Ready (w3)          ", "ready"],
  ["✦  Working… (w3)", "working"],
  ["✋  Action Required (a b)", "asks"],
  ["✳ Ready", null],
  ["bash", null],
])("the title %j says %s", (title, state) => {
  expect(stateInTitle(title)).toBe(state);
});

it("a missing program is an error that says how to install it", () => {
  expect(() => geminiProgram({ PATH: "/nowhere" })).toThrow("there is no gemini in PATH");
});
