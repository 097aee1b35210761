// One turn: a message, its control words, and the records and output of the answer.
//
// An interrupted or refused turn is recorded as such and has no answer. What the client says in place of the model
// (an error, a limit) is a record without usage.

import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { answerTo, failureWords, resetHour, steeringOf } from "./answers.js";
import { said, withStart } from "./command-records.js";
import { answerRecord, attachmentRecord, noUsage, systemRecord, usageAfter } from "./conversation.js";
import type { HookEvent } from "./hooks.js";
import { type PeerMessage, shownRows } from "./inbox/peer-message.js";
import { absorbed, posted } from "./inbox/peer-records.js";
import type { Verdict } from "./permission.js";
import type { Prompt } from "./queue.js";
import type { Session } from "./session.js";
import { answered, failed, remarked } from "./terminal/screen.js";
import { resultOf, type Tool } from "./tool.js";

/** What a turn needs from the program that runs it. */
export interface Stage {
  session: Session;
  model: string;
  answerMs: number;
  hook(event: HookEvent): Promise<void>;
  print(lines: readonly string[]): void;
  mayRun(tool: Tool, signal: AbortSignal): Promise<Verdict>;
  /** The posted messages that wait; they are told to the turn that takes them. */
  takePosted(): readonly PeerMessage[];
  /** After a limit, newer clients say when they continue (`at`), older ones ask (null). */
  afterLimit(at: string | null): Promise<void>;
  /** Ends the process without cleaning up. */
  crash(): never;
}

/** The answer, or null if there was none. */
export async function takeTurn(prompt: Prompt, stage: Stage, signal: AbortSignal): Promise<string | null> {
  const { session } = stage;
  const messages = prompt.kind === "typed" ? [] : prompt.messages;
  const message = prompt.kind === "typed" ? prompt.text : messages.map(({ body }) => body).join("\n");
  const steering = steeringOf(message);
  const startedAt = Date.now();
  // Installed before the work is visible: without a handler the signal would end the process.
  const release = steering.isHeld ? held(signal) : null;
  release?.catch(() => {});
  const submitted = prompt.kind === "typed" ? [message] : messages.map(({ content }) => content);
  for (const text of submitted) await stage.hook({ hook_event_name: "UserPromptSubmit", prompt: text });
  session.hear(prompt.kind === "typed" ? [said(message)] : messages.map(posted));
  if (steering.crashes) stage.crash();
  try {
    await pause(stage.answerMs + steering.busyMs, undefined, { signal });
    await release;
    if (steering.asks !== null && !(await useTool(steering.asks, message, stage, signal))) {
      if (session.facts.traits.isPeerAware) noteDuration(session, startedAt);
      return null;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    session.say([{ type: "text", text: "[Request interrupted by user]" }]);
    stage.print(remarked("Interrupted · What should Claude do instead?"));
    return null;
  }
  const { isPeerAware } = session.facts.traits;
  const { failure } = steering;
  const answer = failure === null ? answerTo(message) : failureWords(failure, isPeerAware, Date.now());
  const { conversation, author } = session;
  const content = [{ type: "text", text: answer }];
  if (failure === null) {
    const usage = usageAfter(conversation.usedTokens, message, answer, steering.usageTokens);
    session.record(answerRecord(conversation, author, { model: stage.model, content, usage }));
    stage.print(answered(answer));
  } else {
    const facts = { isApiErrorMessage: true };
    session.record(
      answerRecord(conversation, author, { model: "<synthetic>", content, usage: noUsage }, facts),
    );
    stage.print(failed(failure, answer));
  }
  const goesOnAt = failure === "limit" && isPeerAware ? resetHour(Date.now()) : null;
  if (goesOnAt !== null) await stage.afterLimit(goesOnAt);
  noteDuration(session, startedAt);
  await stage.hook({ hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: answer });
  if (failure === "limit" && !isPeerAware) await stage.afterLimit(null);
  return answer;
}

/** A signal handler does not keep the process alive. */
async function held(signal: AbortSignal): Promise<void> {
  const awake = setInterval(() => {}, 60_000);
  await once(process, "SIGUSR2", { signal }).finally(() => clearInterval(awake));
}

async function useTool(tool: Tool, message: string, stage: Stage, signal: AbortSignal): Promise<boolean> {
  const { session } = stage;
  const id = `toolu_${crypto.randomUUID().replaceAll("-", "")}`;
  const usage = usageAfter(session.conversation.usedTokens, message, tool.shown, null);
  const content = [{ type: "tool_use", id, name: tool.name, input: tool.input }];
  session.record(answerRecord(session.conversation, session.author, { model: stage.model, content, usage }));
  stage.print([`● ${tool.shown}`]);
  const { isAllowed, hook, answers } = await stage.mayRun(tool, signal);
  if (hook !== null) {
    const { decision } = hook;
    const facts = {
      type: "hook_permission_decision",
      decision,
      toolUseID: id,
      hookEvent: "PermissionRequest",
    };
    session.write([withStart((to, author) => attachmentRecord(to, author, facts))]);
    stage.print([`  ⎿  ${isAllowed ? "Allowed" : "Denied"} by PermissionRequest hook`]);
  }
  const told = (isAllowed ? stage.takePosted() : []).map((each) => ({ each, ...absorbed(each) }));
  session.record(...told.map(({ removed }) => removed(session.conversation)));
  const refusal = hook?.message ?? "The user doesn't want to proceed with this tool use.";
  const result = isAllowed ? resultOf(tool, answers) : refusal;
  session.say([{ type: "tool_result", tool_use_id: id, content: result, is_error: !isAllowed }]);
  session.write(told.map((each) => each.told));
  stage.print(told.flatMap(({ each }) => [...shownRows(each), ""]));
  // A hook's no is told to the agent, which goes on.
  if (isAllowed || hook !== null) return true;
  session.say([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
  stage.print(remarked("Interrupted · What should Claude do instead?"));
  return false;
}

function noteDuration(session: Session, startedAt: number): void {
  if (!session.facts.isInteractive) return;
  const durationMs = Date.now() - startedAt;
  session.record(systemRecord(session.conversation, session.author, "turn_duration", { durationMs }));
}
