// What happens in the demo: the agents get work, so that there is something to see.
//
// An agent gets a message only while it is idle, in one paste and one Enter.

import { setTimeout as delay } from "node:timers/promises";
import type { FleetPane } from "../fleet/panes.js";
import type { Hive } from "../hive/hive.js";
import type { Role } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { pasteText, sendKeys } from "../tmux/keys.js";

interface Line {
  role: string;
  text: string;
}

/** Repeats. The reviewer asks for permission and waits for a person to attach and answer. */
const story: readonly Line[] = [
  { role: "lead", text: "Plan the next step [busy 5000]" },
  { role: "builder", text: "Build what was planned [busy 9000]" },
  { role: "reviewer", text: "Run the tests of the change [ask]" },
  { role: "lead", text: "Sum up where we are [busy 4000]" },
  { role: "builder", text: "Fix what the review found [busy 12000]" },
];

const pauseMs = 2_500;
/** A client may take an Enter right after a paste as part of the paste. */
const enterGapMs = 300;

export async function tellStory(hive: Hive, until: AbortSignal): Promise<void> {
  for (let at = 0; !until.aborted; at++) {
    const { role, text } = story[at % story.length]!;
    const pane = (await hive.panes()).panes.find((each) => each.agent?.role === (role as Role));
    if (pane !== undefined && isIdle(pane) && !until.aborted) await send(hive, pane, text);
    await delay(pauseMs, undefined, { signal: until }).catch(() => {});
  }
}

/** A person who looks around may close a pane at any moment: the story continues without it. */
async function send({ tmux }: Hive, { id }: FleetPane, text: string): Promise<void> {
  try {
    await pasteText(tmux, id, text);
    await delay(enterGapMs);
    await sendKeys(tmux, id, ["Enter"]);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
  }
}

export function isIdle(pane: FleetPane): boolean {
  return pane.live?.activity === "idle" && !pane.dead && !pane.inMode;
}
