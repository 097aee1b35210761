// What approve, reject, dismiss and option have in common.

import type { Choice } from "../messages/choose.js";
import type { Cli } from "./cli.js";
import type { Input } from "./command.js";
import { agentNamed } from "./named-agent.js";
import { shown } from "./output.js";

export async function answerDialog(cli: Cli, input: Input, choice: Choice): Promise<undefined> {
  const hive = await cli.hive();
  const { answer } = await import("../messages/answer.js");
  const { limits } = await import("../limits.js");
  const { rowAddress } = await import("../fleet/find-pane.js");
  cli.untilInterrupted();
  const pane = agentNamed(hive, await hive.panes(), input);
  const { question, label } = await hive.stores.queues.whileDraining(
    rowAddress(pane, hive.tmux.server),
    () => answer(hive, pane.id, choice),
    limits.sendLockMs,
  );
  cli.out.print(`${pane.address}: ${shown(question)} ${shown(label)}`);
  return undefined;
}

export const answerNotes =
  "One key, read from the dialog that is seen, and only while one is. Nothing is pressed into an agent that works.";
