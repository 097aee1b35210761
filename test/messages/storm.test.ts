import { expect, test } from "vitest";
import { lastSteps } from "../../src/stores/receipts.js";
import type { Json } from "../demo-agent/driver.js";
import { testHome } from "../home.js";
import { type Storm, type StormAgent, storm } from "./storm.js";

/** HIVEMIND_STORM=1000 runs it in full, with ten agents (default: as much as fits the suite). */
const messages = Number(process.env.HIVEMIND_STORM || 40);
const agents = messages >= 1000 ? 10 : 4;
const seed = Number(process.env.HIVEMIND_STORM_SEED || 1);

test(
  "every message is taken once, or its receipts show its outcome; in order, with one Enter each (incident 38)",
  async () => {
    const began = Date.now();
    const result = await storm(testHome(), { messages, agents, seed });
    const steps = lastSteps(result.hive.stores.receipts.read().rows);
    const byStep: Record<string, number> = {};
    for (const id of result.sent.keys()) {
      const step = steps.get(id)?.step ?? "none";
      byStep[step] = (byStep[step] ?? 0) + 1;
    }
    if (process.env.HIVEMIND_STORM) {
      const { kills, refusals, outcomes } = result;
      console.log(
        JSON.stringify({ seconds: (Date.now() - began) / 1000, byStep, kills, refusals, outcomes }),
      );
    }
    expect(result.sent.size).toBe(messages);
    expect(Object.keys(byStep).filter((step) => step !== "accepted" && step !== "uncertain")).toEqual([]);
    expect(byStep.accepted).toBeGreaterThan(messages * 0.8);
    let lost = 0;
    for (const [id, { text, agent }] of result.sent) {
      const { heard, events } = result.agents[agent]!;
      const typed = timesTyped(events, text);
      const written = heard.filter((each) => each === text).length;
      const isAccepted = steps.get(id)?.step === "accepted";
      expect({ text, typed, written }).toEqual({
        text,
        typed: isAccepted ? 1 : Math.min(typed, 1),
        written: Math.min(written, 1),
      });
      if (isAccepted && written === 0) lost++;
    }
    // A killed agent loses what it took and never recorded.
    expect(lost).toBeLessThanOrEqual(result.kills);
    for (const agent of result.agents) {
      expect(outOfOrder(result, agent)).toEqual([]);
      const count = (kind: string) => agent.events.filter((event) => event.kind === kind).length;
      // One per message, and one for the dialog that some of them open.
      const asks = agent.events.filter(
        (event) => event.kind === "paste" && event.text?.includes("[ask]"),
      ).length;
      const typed = agent.events.filter(({ text }) => text?.startsWith("message ")).length;
      expect(count("enter")).toBeLessThanOrEqual(typed + asks);
      expect(count("escape")).toBe(0);
    }
  },
  messages * 1_500 + 60_000,
);

/** tmux pastes without brackets into an agent that is just restarting: its lines then arrive as keys. */
function timesTyped(events: readonly Json[], text: string): number {
  const keys = events.map(({ kind, text: piece }) => (kind === "newline" ? "\n" : (piece ?? `<${kind}>`)));
  return keys
    .join("")
    .split(/(?=message |<)/)
    .filter((each) => each === text).length;
}

/** Messages of one sender that arrived before an earlier one of the same sender. */
function outOfOrder({ sent }: Storm, { heard }: StormAgent): string[] {
  const known = new Set([...sent.values()].map(({ text }) => text));
  const last = new Map<string, number>();
  return heard.filter((text) => {
    const [, sender, at] = /^message (\d)-(\d+)/.exec(text) ?? [];
    if (sender === undefined || !known.has(text)) return false;
    const isEarlier = Number(at) < (last.get(sender) ?? -1);
    last.set(sender, Number(at));
    return isEarlier;
  });
}
