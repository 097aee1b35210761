// The slash commands, as a table.
//
// A message is a command only if its first word is one slash and a name; a path is not. A command that makes a new
// session ends the old one for its hooks, then starts the new one.

import { harmless } from "../src/base/text/escape-terminal.js";
import { fullModel } from "./arguments.js";
import type { HookEvent } from "./hooks.js";
import { findConversation } from "./opening.js";
import { nothingToCompact, type Session } from "./session.js";

/** What a command needs from the running program. */
export interface Desk {
  session: Session;
  model: string;
  hook(event: HookEvent): Promise<void>;
  sessionStart(source: string): Promise<void>;
  remark(text: string): void;
  /** Draws the screen of a fresh start. */
  beginAnew(): void;
  workFor(ms: number): Promise<void>;
  answerMs: number;
  openStatus(lines: readonly string[]): Promise<void>;
  exit(): void;
}

export interface Command {
  name: string;
  argument: string;
}

export function commandOf(message: string): Command | null {
  const match = /^\/([A-Za-z0-9:_-]+)(?:\s+(.*))?$/s.exec(message);
  return match === null ? null : { name: match[1]!, argument: harmless((match[2] ?? "").trim()) };
}

/** The known command that a draft begins with; null for any other draft. */
export function knownCommand(draft: string): string | null {
  const name = commandOf(draft)?.name;
  return name !== undefined && Object.hasOwn(commands, name) ? `/${name}` : null;
}

export async function runSlashCommand({ name, argument }: Command, desk: Desk): Promise<void> {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (run === undefined) desk.remark(`Unknown command: /${name}`);
  else await run(desk, argument);
}

const commands: Record<string, (desk: Desk, argument: string) => Promise<void> | void> = {
  async clear(desk) {
    await changeSession(desk, "clear", "clear", () => desk.session.clear());
    desk.beginAnew();
    desk.remark("(no content)");
  },

  async branch(desk, name) {
    if (desk.session.conversation.messages.length === 0) return desk.remark("No conversation to branch");
    const said = (parent: string) => `Branched conversation. To resume the original: claude -r ${parent}`;
    const parent = desk.session.conversation.id;
    await changeSession(desk, "other", "resume", () => desk.session.branch(name || null, said));
    desk.remark(said(parent));
  },

  async resume(desk, id) {
    const found = findConversation(id, desk.session.facts.place);
    if (found === null) return desk.remark(`Session ${id} was not found.`);
    await changeSession(desk, "resume", "resume", () => desk.session.resume(found));
    desk.remark(`Resumed session ${found.id}`);
  },

  async compact(desk) {
    await desk.hook({ hook_event_name: "PreCompact", trigger: "manual", custom_instructions: "" });
    await desk.workFor(desk.answerMs);
    const { length } = desk.session.conversation.messages;
    const isDone = desk.session.compact(
      `This session is being continued from a previous conversation that ran out of context. ${length} records were summarized.`,
    );
    if (!isDone) return desk.remark(nothingToCompact);
    await desk.sessionStart("compact");
    desk.remark("Compacted");
  },

  rename(desk, name) {
    if (name === "") return desk.remark("Usage: /rename <name>");
    desk.session.renameTo(name);
    desk.remark(`Session renamed to: ${desk.session.conversation.title}`);
  },

  model(desk, model) {
    if (model !== "") desk.model = fullModel(model);
    desk.remark(`${model === "" ? "Model is" : "Set model to"} ${desk.model}`);
  },

  async status(desk) {
    await desk.openStatus([...statusLines(desk), "", " Esc to cancel"]);
    desk.remark("Status dialog dismissed");
  },

  exit: (desk) => desk.exit(),
};

async function changeSession(desk: Desk, reason: string, source: string, change: () => void): Promise<void> {
  await desk.hook({ hook_event_name: "SessionEnd", reason });
  change();
  await desk.sessionStart(source);
}

function statusLines({ session, model }: Desk): string[] {
  const { id, title } = session.conversation;
  const { knobs, traits, place } = session.facts;
  return [
    " Settings:  Status   Config   Usage  (←/→ or tab to cycle)",
    "",
    ` Version: ${knobs.version}`,
    traits.isOld ? ` Session ID: ${id}` : ` Session name: ${title ?? "/rename to add a name"}`,
    ` cwd: ${place.cwd}`,
    "",
    ` Model: ${model}`,
  ];
}
