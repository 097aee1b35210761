// claw as an agent. It keeps its sessions inside the workspace and has no registry of running processes. hivemind
// knows only its process, so it reads no name from the title and no box from the screen.
//
// - `--resume ID` with the id of a managed session: the process began in it. `latest` and paths cannot be resolved
//   from outside.
// - A process that answers once and ends is not a conversation: with `-p` or `--print`, or if its first word is not
//   an option but a command or a question.

import { basename } from "node:path";
import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { readManagedId } from "../../names/managed-id.js";
import type { Agent } from "../agent.js";
import type { SessionArguments } from "../launch.js";
import { scriptOf } from "../script.js";

const byHand = "start it by hand in a pane (claw, or claw --resume latest): hivemind shows it from then on";

export const claw: Agent = {
  kind: "claw",
  recognises,
  program,
  argumentsOf: clawArguments,
  // Its sessions are files of the workspace, and hivemind keeps that store itself (managed-store.ts).
  files: { copy: true, archive: true, rebind: true },
  lacks: {
    start: {
      why: "claw chooses its own session ids, so hivemind cannot verify that it started",
      hint: byHand,
    },
    fork: { why: "hivemind does not start claw, so it cannot fork one in a pane", hint: byHand },
    message: {
      why: "hivemind knows claw only by its process and types nothing into it",
      hint: "type the message in its pane: hivemind go NAME",
    },
    decide: {
      why: "hivemind presses no key in claw, so it cannot answer its questions",
      hint: "answer in its pane: hivemind go NAME",
    },
    probe: { why: "claw has no status dialog", hint: "hivemind session discover PANE --explain" },
    tools: { why: "hivemind does not start claw, so it cannot give it tools", hint: byHand },
    move: {
      why: "a claw session belongs to its workspace and does not move to another host",
      hint: "copy the workspace with its .claw folder",
    },
  },
};

function recognises({ command, args }: ProcessInfo): boolean {
  const isClaw =
    command === "claw" || basename(args[0] ?? "") === "claw" || basename(scriptOf(args) ?? "") === "claw";
  return isClaw && isConversation(args);
}

function program(env: NodeJS.ProcessEnv): string[] {
  const [found] = onPath("claw", env);
  if (found !== undefined) return [found];
  throw new HiveError("there is no claw in PATH", {
    hint: "install claw, or use another kind: --kind claude",
  });
}

export function clawArguments(argv: readonly string[]): SessionArguments {
  return {
    began: null,
    forkedFrom: null,
    managed: readManagedId(optionValue(argv, "--resume")),
    model: optionValue(argv, "--model"),
    name: null,
  };
}

export function isConversation(argv: readonly string[]): boolean {
  if (argv.includes("-p") || argv.includes("--print")) return false;
  const first = argv[argv.findIndex((word) => /(^|\/)claw$/.test(word)) + 1];
  return first === undefined || first.startsWith("-");
}

function optionValue(argv: readonly string[], option: string): string | null {
  for (const [at, word] of argv.entries()) {
    if (word.startsWith(`${option}=`)) return word.slice(option.length + 1);
    if (word !== option) continue;
    const value = argv[at + 1];
    return value === undefined || value.startsWith("-") ? null : value;
  }
  return null;
}
