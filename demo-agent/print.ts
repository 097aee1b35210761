// `--print`: one answer on stdout, a transcript, and a registry entry while it runs.

import { readFileSync } from "node:fs";
import { HiveError } from "../src/base/errors.js";
import type { Launch } from "./arguments.js";
import { queueRecord } from "./conversation.js";
import type { Settings } from "./files/settings.js";
import { type HookEvent, runHooks } from "./hooks.js";
import type { Session } from "./session.js";
import { takeTurn } from "./turn.js";

export async function printAnswer(
  launch: Launch,
  session: Session,
  settings: Settings,
  source: string,
): Promise<void> {
  const message = (launch.prompt ?? (process.stdin.isTTY ? "" : readFileSync(0, "utf8"))).trim();
  if (message === "") {
    throw new HiveError(
      "Error: Input must be provided either through stdin or as a prompt argument when using --print",
    );
  }
  const { model, name, permissionMode } = launch;
  const { cwd } = session.facts.place;
  const stage = {
    session,
    model,
    answerMs: session.facts.knobs.answerMs,
    hook: (event: HookEvent) => {
      const facts = { session_id: session.conversation.id, transcript_path: session.transcript, cwd };
      return runHooks(settings.hooks, { ...facts, ...event }, cwd);
    },
    print: () => {},
    takePosted: () => [],
    mayRun: async () => ({ isAllowed: permissionMode === "bypassPermissions", hook: null, answers: {} }),
    afterLimit: async () => {},
    crash: () => process.exit(1),
  };
  session.register(name);
  await stage.hook({ hook_event_name: "SessionStart", source, model });
  session.setStatus("busy");
  session.record(
    queueRecord(session.conversation, "enqueue", message),
    queueRecord(session.conversation, "dequeue"),
  );
  const answer = await takeTurn({ kind: "typed", text: message }, stage, new AbortController().signal);
  session.leaveRegistry();
  process.stdout.write(`${answer ?? "Execution error"}\n`);
  await stage.hook({ hook_event_name: "SessionEnd", reason: "other" });
}
