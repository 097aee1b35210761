// Carries out one answer: through the hook that waits for it, else by the keys of the dialog.

import { needOf } from "../../agents/all.js";
import type { Dialog } from "../../agents/box.js";
import { HiveError } from "../../base/errors.js";
import { forOneLook } from "../../base/system/processes.js";
import { requestLine } from "../../fleet/activity/activity.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import { type FoundRequest, openRequests } from "../../fleet/requests.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { type Answered, answer, Unanswered } from "../../messages/dialog/answer.js";
import type { Choice } from "../../messages/dialog/choose.js";
import { gone } from "../../messages/dialog/decide.js";
import { releaseStale } from "../../messages/dialog/release-stale.js";
import { agentName } from "../../messages/sent-error.js";
import { isRequestId } from "../../names/request-id.js";
import type { Cli, Input } from "../command.js";
import { agentNamed } from "../named-agent.js";
import { shown } from "../output.js";
import { needPerson, type Person } from "../person.js";
import { decisionFor } from "./decision-for.js";
import { decideRequest, recordDecision } from "./record-decision.js";

export type Wish =
  /** `rule` is the place of a suggestion; null if none was named. */
  | { kind: "approve"; isAlways: boolean; rule: number | null }
  | { kind: "reject"; reason: string | null }
  | { kind: "answer"; words: readonly string[] }
  | { kind: "option"; number: number }
  | { kind: "dismiss" };

export async function answerOne(cli: Cli, input: Input, wish: Wish): Promise<void> {
  const hive = await cli.hive();
  cli.untilInterrupted();
  const panes = await hive.panes();
  const person = needPerson(cli, hive, panes);
  releaseStale(hive.stores, panes, forOneLook());
  const meant = meantIn(hive, panes, input, wish);
  if ("asked" in meant) return answerRequest(cli, hive, person, meant, wish);
  needOf(meant.kind, "decide");
  await answerDialog(cli, hive, person, meant, keysFor(wish, meant));
}

/** The request that was named or that is the only one; a pane if its dialog is to be answered by key. */
function meantIn(hive: Hive, panes: Panes, input: Input, wish: Wish): FoundRequest | FleetPane {
  const typed = input.need("name");
  const open = openRequests(panes);
  const named = open.find(({ id }) => id === typed);
  if (named !== undefined && wish.kind !== "dismiss" && wish.kind !== "option") return named;
  if (named !== undefined && named.pane !== null) return named.pane;
  if (isRequestId(typed)) throw gone({ id: typed, who: "an agent" }, "it changed, or was answered already");
  const pane = agentNamed(hive, panes, input);
  if (wish.kind === "dismiss" || wish.kind === "option") return pane;
  const own = open.filter((request) => request.pane?.id === pane.id);
  if (own.length > 1) throw askWhich(pane, own);
  return own[0] ?? pane;
}

function askWhich(pane: FleetPane, open: readonly FoundRequest[]): HiveError {
  const listed = open.map(({ id, asked }) => `${id} ${requestLine(asked)}`).join("; ");
  return new HiveError(`${agentName(pane)} asks ${open.length} things: ${listed}`, {
    hint: `say which: hivemind approve ${open[0]!.id}`,
  });
}

async function answerRequest(
  cli: Cli,
  hive: Hive,
  person: Person,
  request: FoundRequest,
  wish: Wish,
): Promise<void> {
  const decided = decisionFor(request, wish);
  if (decided.rule !== null) cli.out.print(`adds a rule: ${shown(decided.rule)}`);
  await decideRequest(hive, person, request, decided);
  cli.out.print(`${shown(request.who)}: ${decided.word} ${shown(requestLine(request.asked))}`);
}

/** What the keys of a dialog can say. */
function keysFor(wish: Wish, pane: FleetPane): Choice {
  const needsHook = (what: string, instead: string) =>
    new HiveError(`${what} needs the client's hook, and none waits for ${agentName(pane)}`, {
      hint: `${instead}; for the next time: hivemind hooks install`,
    });
  switch (wish.kind) {
    case "approve":
      if (wish.isAlways) throw needsHook("--always", `choose by number: hivemind option ${pane.id} 2`);
      return "approve";
    case "reject":
      if (wish.reason !== null) throw needsHook("a reason", `without it: hivemind reject ${pane.id}`);
      return "reject";
    case "answer": {
      const [first = "", ...more] = wish.words;
      if (/^[1-9]\d?$/.test(first) && more.length === 0) return { option: Number(first) };
      throw needsHook("an answer in words", `answer in its pane: hivemind go ${pane.id}`);
    }
    case "option":
      return { option: wish.number };
    case "dismiss":
      return "dismiss";
  }
}

async function answerDialog(
  cli: Cli,
  hive: Hive,
  person: Person,
  pane: FleetPane,
  choice: Choice,
): Promise<void> {
  try {
    const work = () => answer(hive, pane.id, choice);
    // An agent that is not in the roster has no queue, so no other sender can interfere.
    const { question, label, after } =
      pane.agent === null
        ? await work()
        : await hive.stores.queues.whileDraining(pane.agent.id, work, limits.sendLockMs);
    await recordDecision(hive, person, { pane, what: `${question ?? ""} ${label}` }, wordFor(choice));
    cli.out.print(`${pane.address}: ${shown(question)} ${shown(label)}`);
    sayWhatCame(cli, pane.address, after);
  } catch (error) {
    if (error instanceof Unanswered && error.dialog !== null) showDialog(cli, pane.address, error.dialog);
    throw error;
  }
}

function wordFor(choice: Choice) {
  if (typeof choice === "object") return "chosen";
  return choice === "approve" ? "approved" : choice === "reject" ? "rejected" : "dismissed";
}

function sayWhatCame(cli: Cli, address: string, after: Answered["after"]): void {
  if (after?.kind === "ended") cli.out.note(`${address}: ${after.why}`);
  if (after?.kind !== "dialog") return;
  cli.out.note(`${address} now shows:`);
  showDialog(cli, address, after.dialog);
}

/** The dialog as the screen shows it. */
function showDialog(cli: Cli, address: string, { rows = [], question }: Dialog): void {
  const visible = rows.filter((row) => row.trim() !== "");
  if (visible.length === 0) cli.out.note(`${address}: ${shown(question)}`);
  for (const row of visible) cli.out.note(`  │ ${shown(row)}`);
}
