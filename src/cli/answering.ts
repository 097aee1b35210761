// What approve, reject, dismiss and option have in common.

import type { Dialog } from "../agents/agent.js";
import type { Answered } from "../messages/answer.js";
import type { Choice } from "../messages/choose.js";
import type { Cli } from "./cli.js";
import type { Input } from "./command.js";
import { agentNamed } from "./named-agent.js";
import { shown } from "./output.js";

export async function answerDialog(cli: Cli, input: Input, choice: Choice): Promise<undefined> {
  const hive = await cli.hive();
  const { answer, Unanswered } = await import("../messages/answer.js");
  const { limits } = await import("../limits.js");
  const { refuseAgents } = await import("./sending.js");
  const { rowAddress } = await import("../fleet/find-pane.js");
  cli.untilInterrupted();
  const panes = await hive.panes();
  refuseAgents(hive, panes);
  const pane = agentNamed(hive, panes, input);
  try {
    const { question, label, after } = await hive.stores.queues.whileDraining(
      rowAddress(pane, hive.tmux.server),
      () => answer(hive, pane.id, choice),
      limits.sendLockMs,
    );
    cli.out.print(`${pane.address}: ${shown(question)} ${shown(label)}`);
    sayWhatCame(cli, pane.address, after);
  } catch (error) {
    if (error instanceof Unanswered && error.dialog !== null) showDialog(cli, pane.address, error.dialog);
    throw error;
  }
  return undefined;
}

export const answerNotes =
  "The cursor is moved by arrow keys to the option that is meant, and Enter is pressed when it is seen there.\n" +
  "Nothing is pressed into an agent that works.";

function sayWhatCame(cli: Cli, address: string, after: Answered["after"]): void {
  if (after?.kind === "ended") cli.out.note(`${address}: ${after.why}`);
  if (after?.kind !== "dialog") return;
  cli.out.note(`${address} now shows:`);
  showDialog(cli, address, after.dialog);
}

/** As it stands on the screen. */
function showDialog(cli: Cli, address: string, { rows = [], question }: Dialog): void {
  const visible = rows.filter((row) => row.trim() !== "");
  if (visible.length === 0) cli.out.note(`${address}: ${shown(question)}`);
  for (const row of visible) cli.out.note(`  │ ${shown(row)}`);
}
