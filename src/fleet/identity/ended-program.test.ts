import { expect, test } from "vitest";
import { idOf } from "../../../test/transcripts/files.js";
import { endedProgram } from "./ended-program.js";

const id = idOf(1);

test.each([
  [`env "PATH=/a b:/c" /usr/bin/node /opt/demo-agent.js --session-id ${id}`, "demo", id, null],
  [`env PATH=/b claude --resume ${id} --model "opus[1m]"`, "claude", id, "opus[1m]"],
  [`env PATH=/b env -u CLAUDE_CONFIG_DIR /opt/x/claude --resume=${id}`, "claude", id, null],
  ["claude", "claude", null, null],
])("%s is an agent of its kind", (command, kind, began, model) => {
  expect(endedProgram(command)).toMatchObject({ kind, given: { began, model } });
});

test.each(["", "sh", "node", "env", "env -u", 'env "PATH=/a b" cat', "vim claude.md", "sh -c claude"])(
  "%j is no agent",
  (command) => {
    expect(endedProgram(command)).toBeNull();
  },
);
