import { describe, expect, test } from "vitest";
import type { Decision } from "../asked.js";
import { requests } from "./request.js";
import { difference } from "./shown-tool.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const hook = (tool_name: string, tool_input: object, more: object = {}) => ({
  ...{ session_id: session, hook_event_name: "PermissionRequest", tool_name, tool_input },
  ...more,
});

test.each([
  ["Bash", { command: "make all" }, "make all", ["make all"]],
  ["Bash", { command: "cd x\nmake", description: "Build it" }, "cd x …", ["cd x", "make", "# Build it"]],
  [
    "Edit",
    { file_path: "/a", old_string: "1\n2\n3", new_string: "1\nB\n3" },
    "edit /a",
    ["/a", " 1", "-2", "+B", " 3"],
  ],
  [
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "", replace_all: true },
    "edit /a",
    ["/a", "-x", "(every occurrence)"],
  ],
  ["Write", { file_path: "/a", content: "x\ny\n" }, "write /a", ["/a", "+x", "+y"]],
  [
    "WebFetch",
    { url: "http://h/", prompt: "what" },
    "WebFetch url: http://h/",
    ["url: http://h/", "prompt: what"],
  ],
  ["ExitPlanMode", { plan: "# Plan\n1. go" }, "carry out its plan: # Plan …", ["# Plan", "1. go"]],
  ["mcp__x__y", { deep: { a: [1] } }, 'mcp__x__y deep: {"a":[1]}', ['deep: {"a":[1]}']],
  ["Odd", {}, "Odd", []],
])("%s %j is shown as %j", (tool, input, line, lines) => {
  expect(requests.read(hook(tool, input))).toMatchObject({ tool, line, lines, questions: [], session });
});

test("a question is shown with its numbered options", () => {
  const asked = requests.read(hook("AskUserQuestion", { questions: [colour, sizes] }));
  expect(asked).toMatchObject({
    line: "Which colour? Which sizes?",
    lines: [
      "Which colour?",
      "  1. Red",
      "  2. Blue",
      "Which sizes? (several are possible)",
      "  1. S",
      "  2. M",
    ],
  });
});

const colour = {
  question: "Which colour?",
  options: [{ label: "Red" }, { label: "Blue" }],
  multiSelect: false,
};
const sizes = { question: "Which sizes?", options: [{ label: "S" }, { label: "M" }], multiSelect: true };

test.each([
  ["make\tall\nnow", true],
  ["echo \u001b[2J", false],
  ["rm -rf /\u202egpj.x", false],
  ["a\u200bb", false],
  ["a\rb", false],
  ["grüße 東京 🚀", true],
])("a command %j is plain: %s", (command, isPlain) => {
  expect(requests.read(hook("Bash", { command }))?.isPlain).toBe(isPlain);
  expect(requests.read(hook("X", { deep: [{ [command]: 1 }] }))?.isPlain).toBe(isPlain);
});

test.each([{}, { tool_name: "" }, { tool_name: 1 }])("%j is no request", (input) => {
  expect(requests.read(input)).toBeNull();
});

const suggestions = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "make:*" }, { toolName: "Read" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "addDirectories", directories: ["/srv", "/var"], destination: "session" },
  { type: "setMode", mode: "acceptEdits", destination: "userSettings" },
  { type: "new", destination: 7 },
];

test("every rule of always is said in words", () => {
  expect(requests.read(hook("Bash", {}, { permission_suggestions: suggestions }))?.rules).toEqual([
    "allow Bash(make:*) and Read in .claude/settings.local.json of its folder",
    "allow access to /srv and /var for this session",
    "switch to the permission mode acceptEdits in your own settings, for every folder",
    '{"type":"new","destination":7}',
  ]);
});

test.each<[Decision, object]>([
  [{ kind: "allow" }, { behavior: "allow" }],
  [
    { kind: "always", rule: 1 },
    { behavior: "allow", updatedPermissions: [suggestions[1]] },
  ],
  [
    { kind: "deny", reason: "no" },
    { behavior: "deny", message: "no" },
  ],
  [
    { kind: "answers", answers: ["Blue", "S, M"] },
    {
      behavior: "allow",
      updatedInput: {
        questions: [colour, sizes],
        answers: { "Which colour?": "Blue", "Which sizes?": "S, M" },
      },
    },
  ],
])("%j is handed over in the client's form", (decision, expected) => {
  const input = hook(
    "AskUserQuestion",
    { questions: [colour, sizes] },
    { permission_suggestions: suggestions },
  );
  expect(JSON.parse(requests.decisionText(input, decision))).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: expected },
  });
});

test.each([
  [null, "/p/s.jsonl"],
  ["a1b2", "/p/s/subagents/agent-a1b2.jsonl"],
  ["../../x", "/p/s.jsonl"],
])("the records of sub-agent %j are in %s", (subAgent, path) => {
  expect(requests.recordFile("/p/s.jsonl", { subAgent })).toBe(path);
});

describe("the records of a request", () => {
  const asked = hook("Bash", { command: "make" });
  const use = (id: string, command = "make") => ({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name: "Bash", input: { command, flag: false } }] },
  });
  const result = (id: string, at: string) => ({
    type: "user",
    timestamp: at,
    message: { content: [{ type: "tool_result", tool_use_id: id }] },
  });
  const decided = (id: string, decision: string) => ({
    type: "attachment",
    attachment: { type: "hook_permission_decision", toolUseID: id, decision },
  });
  const [before, after] = ["2026-11-18T00:00:00.000Z", "2026-11-18T00:00:02.000Z"];
  const askedAtMs = Date.parse("2026-11-18T00:00:01.000Z");

  test.each([
    [{}, []],
    [{}, [use("t1", "make clean")]],
    [{ t1: "open" }, [use("t1")]],
    [{}, [use("t1"), result("t1", before)]],
    [{ t2: "open" }, [use("t1"), result("t1", before), use("t2")]],
    [{ t1: "ended" }, [use("t1"), result("t1", after)]],
    [{ t1: "ended", t2: "open" }, [use("t1"), result("t1", after), use("t2")]],
    [{ t1: "allowed" }, [use("t1"), decided("t1", "allow"), result("t1", after)]],
    [{ t1: "allowed" }, [use("t1"), decided("t1", "allow")]],
    [{ t1: "allowed", t2: "open" }, [use("t1"), use("t2"), decided("t1", "allow")]],
    [{ t1: "denied" }, [use("t1"), decided("t1", "deny"), result("t1", after)]],
    [{ t1: "open" }, [use("t1"), decided("t0", "allow")]],
    [{ t1: "open" }, [{ type: "user", message: { content: "a tool_use in words" } }, use("t1")]],
  ] as const)("show its fate %j: %j", (fates, records) => {
    const lines = [...records.map((each) => JSON.stringify(each)), '{"half'].join("\n");
    expect(Object.fromEntries(requests.fatesIn(lines, asked, askedAtMs))).toEqual(fates);
  });

  test("name the tools without a result, and none of a sub-agent", () => {
    const records = [
      use("t1", "one"),
      result("t1", before),
      use("t2", "two"),
      { ...use("t3", "three"), isSidechain: true },
    ];
    const pending = requests.pendingIn(records.map((each) => JSON.stringify(each)).join("\n"));
    expect(pending.map(({ line }) => line)).toEqual(["two"]);
  });
});

test.each([
  ["a", "b", ["-a", "+b"]],
  ["", "new\nfile", ["+new", "+file"]],
  ["old", "", ["-old"]],
  ["1\n2\n3\n4", "1\n2\nx\n3\n4", [" 2", "+x", " 3"]],
  ["same", "same", [" same"]],
])("from %j to %j is %j", (old, now, lines) => expect(difference(old, now)).toEqual(lines));
