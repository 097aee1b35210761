// What the agents of one other host ask, for a face that shows it before a person decides.

import { HiveError } from "../../base/errors.js";
import type { Attention } from "../../hive/attention.js";
import type { Host } from "../../names/gates.js";
import type { Cli } from "../command.js";
import { personIn } from "../person.js";
import { askOne } from "./ask-fleet.js";
import { atHost, farItems } from "./far-items.js";
import { hostNamed, withFar } from "./open-far.js";

/** With names that can be typed here. Lines are empty if that host does not show them to this one. */
export async function farRequests(cli: Cli, host: Host, interrupted: AbortSignal): Promise<Attention[]> {
  return withFar(cli, async (far) => {
    const by = { kind: "person" as const, name: personIn(cli.env), from: "top" };
    const asked = { words: "inbox", args: {}, options: { json: true as const, whole: true as const } };
    const { answer, why } = await askOne(far, await hostNamed(far, host), asked, by, interrupted);
    if (answer === null || answer.error !== null)
      throw new HiveError(`${host}: ${why}`, { hint: answer?.error?.hint ?? "hivemind fleet hosts" });
    return farItems(answer.value).items.map((item) => atHost(item, host));
  });
}
