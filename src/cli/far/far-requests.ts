// What waits for a person on one other host, for a face that shows it before a person decides.

import type { Attention } from "../../hive/attention.js";
import type { Host } from "../../names/gates.js";
import type { Cli } from "../command.js";
import { personIn } from "../person.js";
import { askOne } from "./ask-fleet.js";
import { atHost, farItems } from "./far-items.js";
import { hostNamed, withFar } from "./open-far.js";
import { answeredBy } from "./show-fleet.js";

export interface FarInbox {
  host: Host;
  /** How old the answer is at most. */
  ageMs: number;
  /** That host does not show this one what its agents ask: lines are empty. */
  isTextHidden: boolean;
  /** With names that can be typed here. */
  items: readonly Attention[];
}

/** `from` is the face that asks. */
export async function farInbox(
  cli: Cli,
  host: Host,
  from: "top" | "web",
  interrupted: AbortSignal,
): Promise<FarInbox> {
  return withFar(cli, async (far) => {
    const by = { kind: "person" as const, name: personIn(cli.env), from };
    const asked = { words: "inbox", args: {}, options: { json: true as const, whole: true as const } };
    const found = await askOne(far, await hostNamed(far, host), asked, by, interrupted);
    const answer = answeredBy(found);
    return {
      ...{ host, ageMs: found.ageMs ?? 0, isTextHidden: answer.value?.isTextHidden === true },
      items: farItems(answer.value).items.map((item) => atHost(item, host)),
    };
  });
}
