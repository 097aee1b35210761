import { readFileSync } from "node:fs";
import { errorCode, HiveError, UsageError } from "../base/errors.js";
import { spawn } from "./agent-spawn.js";
import type { Command } from "./command.js";
import { asTyped, spawnInput, spawnOptions } from "./spawning.js";

export const agentBootstrap: Command = {
  words: "agent bootstrap",
  about: "a new agent that is told its role",
  args: [{ name: "name", about: "its role in the team", meaning: "role" }],
  options: [
    { name: "prompt", about: "a file with what it is told first", value: "file", meaning: "path" },
    ...spawnOptions,
  ],
  examples: [
    "hivemind agent bootstrap po --prompt roles/po.md",
    "hivemind agent bootstrap tester --team web4team",
  ],
  notes: "Like agent spawn. Without --prompt it is told its role and team, and how to find the others.",
  async run(cli, input) {
    const typed = spawnInput(input);
    if (typed.kind === "shell")
      throw new UsageError("a shell cannot be told its role", {
        hint: `hivemind agent spawn ${typed.role} --kind shell`,
      });
    const file = input.option("prompt");
    const given =
      file === undefined
        ? null
        : readPrompt(file, ["hivemind agent bootstrap", typed.role, ...asTyped(input)].join(" "));
    await spawn(cli, typed, { prompt: (team) => given ?? standardPrompt(typed.role, team) });
    return undefined;
  },
};

function standardPrompt(role: string, team: string): string {
  return (
    `You are "${role}" in the team "${team}": several coding agents, each in a pane of one tmux session. ` +
    "`hivemind whoami` tells which one you are, `hivemind status` who else is there. " +
    "Say in one sentence what you understand your role to be, then wait for your first task."
  );
}

function readPrompt(path: string, without: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const isMissing = errorCode(cause) === "ENOENT";
    const what = isMissing ? `there is no file ${path}` : `${path} cannot be read (${errorCode(cause)})`;
    throw new HiveError(what, { hint: `name another, or leave --prompt out: ${without}`, cause });
  }
  if (text.trim() === "")
    throw new HiveError(`${path} is empty`, { hint: `write it, or leave --prompt out: ${without}` });
  return text.replaceAll("\r\n", "\n").trimEnd();
}
