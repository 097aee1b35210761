// Gives an agent a task: the task is kept as a file, and a message with its path is sent.

import { HiveError } from "../base/errors.js";
import { rowAddress } from "../fleet/find-pane.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { PaneAddress } from "../names/gates.js";
import { type Sent, send } from "./send.js";
import { type Sender, speakerOf, withSender } from "./sender.js";
import { sentError, sentFacts } from "./sent-error.js";
import type { MessageWorld } from "./world.js";

export interface Delegated {
  address: PaneAddress;
  /** Of the task's file. */
  path: string;
  sent: Sent;
}

/** The file stays, whatever happens to the message. */
export async function delegateTask(
  world: MessageWorld,
  seen: Panes,
  pane: FleetPane,
  task: string,
  sender: Sender | null,
): Promise<Delegated> {
  const address = rowAddress(pane, world.tmux.server);
  const path = world.stores.tasks.write(pane.agent?.role ?? pane.agent?.id ?? address, task);
  const line = withSender(`Your task is in ${path}: read it and do it.`, sender);
  const sent = await send(world, pane.id, line, { seen, speaker: speakerOf(sender) });
  return { address, path, sent };
}

/** For programs. */
export function delegateFacts({ address, path, sent }: Delegated, { id }: FleetPane) {
  return { pane: address, paneId: id, task: path, ...sentFacts(sent) };
}

export function delegateError({ sent, path }: Delegated, pane: FleetPane): HiveError | null {
  const problem = sentError(sent, pane);
  if (problem === null) return null;
  return new HiveError(problem.message, { hint: `${problem.hint}; hivemind kept the task: ${path}` });
}
