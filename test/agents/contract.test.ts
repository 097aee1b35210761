// One contract for every agent in src/agents: what the rest of the program relies on.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { abilities, has, need } from "../../src/agents/abilities.js";
import type { Agent } from "../../src/agents/agent.js";
import { agentOf, agentOfKind } from "../../src/agents/all.js";
import type { SessionStart } from "../../src/agents/launch.js";
import { HiveError } from "../../src/base/errors.js";
import type { ProcessInfo } from "../../src/base/system/process.js";
import type { SessionId } from "../../src/names/gates.js";
import type { Kind } from "../../src/names/kind.js";
import { noFacts } from "../../src/transcripts/transcript.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome } from "../home.js";
import { runningContract } from "./running.js";

/** How each agent's process can appear: its short name, then its arguments. */
const forms: Partial<Record<Kind, [string, ...string[]][]>> = {
  claude: [
    ["claude", "claude"],
    ["claude", "/home/u/.local/bin/claude", "--session-id"],
    ["node", "node", "/usr/local/bin/claude", "-n", "lead"],
    ["node", "/usr/bin/node", "--max-old-space-size=4096", "/usr/local/bin/claude"],
    ["node", "node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
    ["claude", "/bin/sh", "/usr/local/bin/claude"],
  ],
  claw: [
    ["claw", "claw"],
    ["claw", "/usr/local/bin/claw", "--resume", "session-1700000000000-0"],
    ["node", "node", "/usr/local/bin/claw", "--model", "opus"],
  ],
  gemini: [
    ["node", "node", "/usr/local/bin/gemini"],
    ["node", "/usr/bin/node", "--max-old-space-size=4096", "/usr/local/bin/gemini", "--session-id"],
    ["node", "node", "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js", "-m", "gemini-2.5-pro"],
  ],
  codex: [
    ["codex", "codex"],
    ["codex", "/opt/codex/bin/codex", "resume", "--no-daemon", "--", "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c"],
    ["codex", "/usr/local/bin/codex", "--model", "gpt-5.5", "read PLAN.md"],
  ],
  opencode: [
    ["opencode", "opencode"],
    ["opencode", "/usr/local/bin/opencode", "--port", "0", "--session=ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg"],
    ["opencode.exe", "/usr/lib/node_modules/opencode-ai/bin/opencode.exe", "/srv/shop", "-m", "a/b"],
  ],
  demo: [
    ["node", "/usr/bin/node", "/opt/hivemind/dist/demo-agent.js"],
    ["MainThread", "node", "--no-warnings", "/opt/hivemind/dist/demo-agent.js", "-n", "lead"],
  ],
};

/** How an agent is asked to answer once and end. */
const once: Partial<Record<Kind, string[]>> = {
  codex: ["exec", "review"],
  opencode: ["run", "serve"],
};

/** Other programs in panes. */
const others: [string, ...string[]][] = [
  ["bash", "-bash"],
  ["sh", "sh", "-c", "claude"],
  ["sh", "sh", "-c", "exec node /opt/hivemind/dist/demo-agent.js"],
  ["vim", "vim", "/usr/local/bin/claude"],
  ["vim", "vim", "/opt/hivemind/dist/demo-agent.js"],
  ["man", "man", "claude"],
  ["sh", "sh", "-c", "claw"],
  ["vim", "vim", "/usr/local/bin/claw"],
  ["claw", "claw", "status"],
  ["vim", "vim", "/usr/local/bin/gemini"],
  ["node", "node", "/usr/local/bin/gemini", "mcp", "list"],
  ["node", "node"],
  ["node", "node", "/srv/server.js", "claude"],
  ["node", "node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"],
  ["codex", "codex", "app-server", "--listen", "unix://"],
  ["codex", "codex", "queue", "--thread", "x"],
  ["opencode", "opencode", "attach", "http://127.0.0.1:4096"],
  ["opencode", "opencode", "session", "list"],
  ["vim", "vim", "/usr/local/bin/opencode"],
  ["tmux", "tmux", "new-session", "claude"],
];

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const parent = "b63de03a-6d49-5f14-9be3-0aac60a859ed" as SessionId;

function running(command: string, ...args: string[]): ProcessInfo {
  return {
    pid: 4711,
    ppid: 1,
    startTicks: "39423",
    startedAtMs: 0,
    tty: "/dev/pts/1",
    leader: null,
    isForeground: true,
    command,
    args,
  };
}

const folder = new URL("../../src/agents/", import.meta.url);
const kinds = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name as Kind);

test("every agent of src/agents is in the list, and its processes are in this table", () => {
  expect(kinds.map((kind) => agentOfKind(kind)?.kind)).toEqual(kinds);
  expect(Object.keys(forms).sort()).toEqual([...kinds].sort());
});

test.each(others)("a process of %s (%s %s) is not an agent", (command, ...args) => {
  expect(agentOf(running(command, ...args))).toBeNull();
});

describe.each(kinds)("%s", (kind) => {
  test.each(forms[kind]!)("is recognised as %s (%s %s)", (command, ...args) => {
    expect(agentOf(running(command, ...args))?.kind).toBe(kind);
  });

  test.each(once[kind] ?? ["-p", "--print"])("is not an agent while it answers once, with %s", (flag) => {
    for (const [command, program, ...args] of forms[kind]!) {
      const words = once[kind] === undefined ? [...args, flag] : [flag];
      expect(agentOf(running(command, program!, ...words, "what is this?"))).toBeNull();
    }
  });

  test("is a program in PATH, or an error with an install hint", () => {
    try {
      expect(agentOfKind(kind)!.program({ PATH: "/nowhere" })).not.toEqual([]);
    } catch (error) {
      expect(error).toMatchObject({ name: "HiveError", hint: expect.any(String) });
    }
  });
});

describe.each(kinds)("%s", (kind) => {
  const agent: Agent = agentOfKind(kind)!;

  test.each(abilities)("[AB1] can %s, or says in words why not and what to type", (ability) => {
    const lack = agent.lacks[ability];
    if (has[ability](agent)) {
      expect(lack).toBeUndefined();
      return;
    }
    expect(lack?.why).toMatch(/\w+ \w+/);
    expect(lack?.hint).not.toBe("");
    expect(() => need(agent, ability)).toThrow(HiveError);
  });

  test("has a folder, a registry and conversations of its own kind only", () => {
    const { home, registry, transcripts, messages } = agent;
    // A registry and transcripts lie in the folder; records of messages lie in transcripts.
    if (registry !== undefined || transcripts !== undefined) expect(home).toBeDefined();
    expect(messages === undefined).toBe(transcripts === undefined);
    if (home !== undefined) {
      expect(home.folderOf(null, {})).toBeNull();
      expect(home.folderOf(null, { HOME: "/home/u" })).toMatch(/^\/home\/u\//);
    }
  });
});

test("claw has its managed session in its arguments, and no other", () => {
  const [, ...words] = forms.claw![0]!;
  const given = agentOfKind("claw")!.argumentsOf([...words, "--resume", "session-1-0", "--model", "opus"]);
  expect(given).toMatchObject({ managed: "session-1-0", model: "opus", began: null, forkedFrom: null });
  expect(agentOfKind("claw")!.argumentsOf([...words, "--resume", uuid])).toMatchObject({ began: null });
});

describe.each(["claude", "demo"] as const)("%s, which keeps Claude Code's files,", (kind) => {
  const agent: Agent = agentOfKind(kind)!;

  test.each([
    ["/own", { CLAUDE_CONFIG_DIR: "/ours", HOME: "/home/u" }, "/own"],
    [null, { CLAUDE_CONFIG_DIR: "/ours", HOME: "/home/u" }, "/ours"],
    [null, { HOME: "/home/u" }, "/home/u/.claude"],
    [null, {}, null],
  ])("with its own folder %j and our environment %j keeps its files in %j", (own, env, expected) => {
    expect(agent.home!.folderOf(own, env)).toBe(expected);
  });

  test.each([
    ["its own", { pid: 4711, procStart: "39423", sessionId: uuid, status: "busy" }, uuid],
    ["one of an earlier process (incident 32)", { pid: 4711, procStart: "1", sessionId: uuid }, undefined],
    ["one with no session", { pid: 4711, procStart: "39423" }, undefined],
    ["one that is not an object", ["x"], undefined],
  ])("accepts only its own registry file: %s", (_, file, expected) => {
    const { claude } = testHome();
    mkdirSync(join(claude, "sessions"));
    writeFileSync(join(claude, "sessions", "4711.json"), JSON.stringify(file));
    expect(agent.registry!.liveSession(claude, running("x"))?.sessionId).toBe(expected);
    expect(agent.registry!.liveSession(claude, { ...running("x"), pid: 4712 })).toBeNull();
  });

  test.each([
    [["--session-id", uuid, "-n", "lead"], { began: uuid, forkedFrom: null, name: "lead" }],
    [["--resume", parent], { began: parent, forkedFrom: null }],
    [["--resume", parent, "--fork-session"], { began: null, forkedFrom: parent }],
    [["--resume", parent, "--fork-session", "--session-id", uuid], { began: uuid, forkedFrom: parent }],
    [["--model", "opus[1m]"], { began: null, model: "opus[1m]" }],
  ])("reads its session from the arguments %j", (args, expected) => {
    const [, ...words] = forms[kind]![0]!;
    expect(agent.argumentsOf([...words, ...args])).toMatchObject(expected);
  });

  test.each<[SessionStart, object]>([
    [
      { how: "create", id: uuid },
      { began: uuid, forkedFrom: null, isCreated: true },
    ],
    [
      { how: "resume", id: uuid },
      { began: uuid, forkedFrom: null },
    ],
    [
      { how: "fork", id: uuid, parent },
      { began: uuid, forkedFrom: parent, isCreated: true },
    ],
  ])("is launched with arguments that read back the same: %j", (session, expected) => {
    const args = agent.start!.launch({ session, name: "lead", model: "opus", prompt: `--resume ${parent}` });
    expect(agent.argumentsOf([...forms[kind]![0]!, ...args])).toEqual({
      ...expected,
      name: "lead",
      model: "opus",
    });
  });

  test.each([
    ["✳ lead", "lead"],
    ["⠐ lead@host", "lead"],
    ["✳ Claude Code", null],
    ["", null],
  ])("reads from the title %j the name %j", (title, expected) =>
    expect(agent.titles!.nameInTitle(title)).toBe(expected),
  );

  test("has transcripts with title, folder, model and context", () => {
    const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300 };
    const records = [
      { type: "custom-title", customTitle: "before", sessionId: uuid },
      { type: "user", uuid: "a", cwd: "/srv", message: { role: "user", content: "hi" } },
      { type: "assistant", uuid: "b", isSidechain: false, message: { model: "opus", usage } },
      {
        type: "assistant",
        uuid: "c",
        isSidechain: true,
        message: { model: "haiku", usage: { input_tokens: 9 } },
      },
      { type: "custom-title", customTitle: "lead", sessionId: uuid },
    ];
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const facts = noFacts();
    agent.transcripts!.parser.addFacts(facts, bytes, 0, bytes.length);
    expect(facts).toMatchObject({ title: "lead", firstCwd: "/srv", model: "opus", usedTokens: 321 });
  });

  const rule = "─".repeat(40);
  test.each([
    ["an empty box", [rule, "❯\u00a0", rule, "  ? for shortcuts"], { kind: "empty" }],
    ["a draft", [rule, "❯\u00a0my words", rule], { kind: "draft", text: "my words" }],
    [
      "a suggestion",
      [rule, "❯\u00a0\u001b[2mrun it\u001b[22m", rule],
      { kind: "suggestion", text: "run it" },
    ],
    ["a question", [rule, " Go on?", " ❯ 1. Yes", "   2. No"], { kind: "dialog", question: "Go on?" }],
    ["a shell", ["$ ls", "$ "], { kind: "none" }],
  ])("shows %s", (_, lines, expected) => expect(agent.keyboard!.readBox(lines)).toMatchObject(expected));

  test("shows its session in a status dialog, and nowhere else", () => {
    const dialog = [rule, " Version: 2.0.14", ` Session ID: ${uuid}`, "", " Esc to cancel"];
    expect(agent.screen!.readStatus!(dialog)).toEqual({ id: uuid, name: null });
    expect(agent.screen!.readStatus!([...dialog, rule, "❯\u00a0", rule])).toBeNull();
  });
});

test("a running demo agent fulfils the contract", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "-n", "lead"]);
  await agent.becomes("idle");
  await agent.sees("❯\u00a0");
  await runningContract(
    home,
    { kind: "demo", pane: agent.pane, pid: agent.pid, uuid, name: "lead" },
    async () => {
      await agent.say("hello");
    },
  );
});
