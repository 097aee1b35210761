import { describe, expect, it } from "vitest";
import type { SessionId } from "../../names/gates.js";
import type { Launch } from "../launch.js";
import { sessionArguments } from "./arguments.js";
import { codexProgram, launchArguments } from "./launch.js";
import { titleSetting } from "./title.js";

const id = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c" as SessionId;
const session = { how: "resume", id } as const;
const always = ["resume", "--no-daemon", "-c", titleSetting, "-c", 'tui.resume_cwd="current"'];

describe("launchArguments", () => {
  it.each<[string, Launch, string[]]>([
    ["resumes", { session, name: null }, ["--", id]],
    [
      "starts in a conversation that the client made before",
      { session: { how: "create", id }, name: "po" },
      ["--", id],
    ],
    [
      "gives model, mode, the rest and the prompt, in one order",
      {
        session,
        name: null,
        model: "gpt-5.5",
        permissionMode: "read-only",
        extra: ["--search"],
        prompt: "-x\nsecond",
      },
      [
        ...["--model", "gpt-5.5", "--sandbox", "read-only", "--ask-for-approval", "on-request"],
        ...["--search", "--", id, "-x\nsecond"],
      ],
    ],
    [
      "bypasses",
      { session, name: null, permissionMode: "bypass" },
      ["--dangerously-bypass-approvals-and-sandbox", "--", id],
    ],
    [
      "gives hivemind's tools",
      { session, name: null, mcpServer: ["/usr/bin/node", "/opt/hive mind/main.cjs"] },
      [
        ...["-c", 'mcp_servers.hivemind.command="/usr/bin/node"'],
        ...["-c", 'mcp_servers.hivemind.args=["/opt/hive mind/main.cjs","mcp"]'],
        ...["-c", 'mcp_servers.hivemind.default_tools_approval_mode="approve"', "--", id],
      ],
    ],
  ])("%s", (_, launch, expected) => {
    expect(launchArguments(launch)).toEqual([...always, ...expected]);
    const { began, model } = sessionArguments(["codex", ...launchArguments(launch)]);
    expect({ began, model }).toEqual({ began: id, model: launch.model ?? null });
  });

  it.each<[string, Partial<Launch>, RegExp]>([
    ["an empty prompt", { prompt: " \n" }, /the prompt is empty/],
    ["a prompt with an escape character", { prompt: "a\u001b[31mb" }, /control characters/],
    ["a prompt too long for tmux", { prompt: "x".repeat(20_000) }, /20000 bytes/],
    ["an empty model", { model: "" }, /cannot be the value of --model/],
    ["a mode of another client", { permissionMode: "plan" }, /no permission mode "plan"/],
  ])("%s is refused", (_, wrong, message) => {
    expect(() => launchArguments({ session, name: null, ...wrong })).toThrow(message);
  });
});

it("a missing program has an install hint", () => {
  expect(() => codexProgram({ PATH: "/nowhere" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("npm install") }),
  );
});
