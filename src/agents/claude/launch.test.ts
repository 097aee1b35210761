import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testHome } from "../../../test/home.js";
import type { SessionId } from "../../names/gates.js";
import { agentOfKind } from "../all.js";
import type { Launch } from "../launch.js";
import { sessionArguments } from "./arguments.js";
import { claudeProgram, launchArguments } from "./launch.js";

const child = "11111111-1111-4111-8111-111111111111" as SessionId;
const parent = "22222222-2222-4222-8222-222222222222" as SessionId;
const create = { how: "create", id: child } as const;

const accept = '{"crossSessionInbound":"accept"}';

describe("launchArguments", () => {
  const table: [string, Launch, string[]][] = [
    ["creates", { session: create, name: null }, ["--session-id", child]],
    ["resumes", { session: { how: "resume", id: child }, name: null }, ["--resume", child]],
    [
      "forks with the chosen id",
      { session: { how: "fork", id: child, parent }, name: "scout" },
      ["--resume", parent, "--fork-session", "--session-id", child, "-n", "scout"],
    ],
    [
      "gives name, model, mode, inbound and the rest, in one order",
      {
        session: create,
        name: "teamctl:web:po",
        model: "claude-opus-4-8[1m]",
        permissionMode: "plan",
        acceptsInbound: true,
        extra: ["--mcp-config", "mcp.json"],
        prompt: "You are the PO.",
      },
      [
        ...["--session-id", child, "-n", "teamctl:web:po", "--model", "claude-opus-4-8[1m]"],
        ...["--permission-mode", "plan", "--settings", accept, "--mcp-config", "mcp.json"],
        ...["--", "You are the PO."],
      ],
    ],
  ];
  const server = ["/usr/bin/node", "/opt/hivemind/main.cjs"] as const;
  const config = JSON.stringify({
    mcpServers: { hivemind: { type: "stdio", command: server[0], args: [server[1], "mcp"] } },
  });

  it("gives hivemind's tools and the rule for them, with an open inbox in the same settings", () => {
    const launch: Launch = { session: create, name: null, mcpServer: server };
    const allow = '"permissions":{"allow":["mcp__hivemind"]}';
    const start = ["--session-id", child, "--mcp-config", config, "--settings"];
    expect(launchArguments(launch)).toEqual([...start, `{${allow}}`]);
    expect(launchArguments({ ...launch, acceptsInbound: true })).toEqual([
      ...start,
      `{"crossSessionInbound":"accept",${allow}}`,
    ]);
    const own = { ...launch, extra: ["--settings", "mine.json"] };
    expect(() => launchArguments(own)).toThrow(/would hide the rule that allows hivemind's tools/);
  });

  it("the arguments tell whether the agent has hivemind's tools", () => {
    const read = (launch: Launch) => sessionArguments(["claude", ...launchArguments(launch)]).hasTools;
    const plain: Launch = { session: create, name: null };
    expect(read({ ...plain, mcpServer: server })).toBe(true);
    expect(read(plain)).toBeUndefined();
    expect(read({ ...plain, extra: ["--mcp-config", "mine.json"] })).toBeUndefined();
    expect(read({ ...plain, prompt: `--mcp-config ${config}` })).toBeUndefined();
  });

  it.each(table)("%s", (_, launch, expected) => {
    expect(launchArguments(launch)).toEqual(expected);
  });

  it.each<[string, Launch]>([
    ["a create", { session: create, name: "po", prompt: `--resume ${parent}` }],
    ["a resume", { session: { how: "resume", id: child }, name: "po", prompt: `--session-id ${parent}` }],
    ["a fork", { session: { how: "fork", id: child, parent }, name: "po", prompt: "-n other" }],
  ])("the arguments of %s read back as the same session", (_, launch) => {
    const read = sessionArguments(["claude", ...launchArguments(launch)]);
    const forkedFrom = launch.session.how === "fork" ? parent : null;
    expect(read).toMatchObject({ began: child, forkedFrom, name: "po" });
  });

  it.each(["--settings", "--settings=mine.json"])(
    "%s among its own arguments and an open inbox exclude each other",
    (word) => {
      const launch = { session: create, name: null, extra: [word, "mine.json"] };
      expect(launchArguments(launch).at(-1)).toBe("mine.json");
      expect(() => launchArguments({ ...launch, acceptsInbound: true })).toThrow(/would hide the setting/);
    },
  );

  it("a prompt that begins with a dash comes after --", () => {
    expect(launchArguments({ session: create, name: null, prompt: "-p\nsecond line" }).slice(-2)).toEqual([
      "--",
      "-p\nsecond line",
    ]);
  });

  it.each<[string, Partial<Launch>, RegExp]>([
    ["an empty prompt", { prompt: " \n" }, /the prompt is empty/],
    ["a prompt with an escape character", { prompt: "a\u001b[31mb" }, /control characters/],
    ["a prompt too long for tmux", { prompt: "x".repeat(20_000) }, /20000 bytes/],
    ["a name like an option", { name: "--resume" }, /cannot be the value of -n/],
    ["an empty model", { model: "" }, /cannot be the value of --model/],
    ["a model with a line break", { model: "opus\n--resume" }, /cannot be the value of --model/],
  ])("%s is refused", (_, wrong, message) => {
    expect(() => launchArguments({ session: create, name: null, ...wrong })).toThrow(message);
  });
});

describe("claudeProgram", () => {
  it("is the path of the program that a shell would run; a missing one has an install hint", () => {
    const home = testHome();
    expect(() => claudeProgram({ PATH: home.work })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("npm install") }),
    );
    const program = join(home.work, "claude");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    expect(claudeProgram({ PATH: `${home.root}:${home.work}` })).toEqual([program]);
  });

  it("is not needed to start a demo agent", () => {
    expect(agentOfKind("demo")!.program({})).toEqual([
      process.execPath,
      expect.stringMatching(/demo-agent\.js$/),
    ]);
  });
});
