import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { drain } from "../../src/messages/drain.js";
import { historyOf } from "../../src/stores/receipts.js";
import { letters, texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { fixturePrograms } from "../fixture-programs.js";
import { until } from "../home.js";
import { agentIn } from "./known.js";

const program = fixturePrograms("messages/killed-sender");

/** An agent, and a sender that was killed at this moment of its message to that agent. */
async function killedAt(moment: number, ...speaker: readonly string[]) {
  const { home, agent, keys } = await startLogged();
  const args = [program("killed-sender"), agent.pane, "run it", String(moment), ...speaker];
  const { signal } = spawnSync(process.execPath, args, { env: home.env, encoding: "utf8" });
  expect(signal).toBe("SIGKILL");
  const hive = openHive({ env: home.env });
  const { queues, receipts } = hive.stores;
  const { id } = await agentIn(hive, agent.pane);
  const [message] = queues.read(id).messages;
  /** Of the message that the killed sender left in the queue; null if it left none. */
  const lastStep = () =>
    message === undefined ? null : (historyOf(receipts.read().rows, message.id).at(-1)?.step ?? null);
  const drains = () => drain(hive, id, { settleMs: 2_000, waitMs: 1_000 });
  return { agent, keys, queues, lastStep, drains };
}

/** The outcome of the next drain, what was typed, and how often the agent got it. */
const table = [
  ["before it was queued", null, [], 0],
  ["before its first receipt", null, [], 0],
  ["behind its first receipt", null, [], 0],
  ["when it was queued", "accepted", ["run it", "<enter>"], 1],
  ["before it was called typing", "accepted", ["run it", "<enter>"], 1],
  ["when it was called typing", "uncertain", [], 0],
  ["before the paste", "uncertain", [], 0],
  ["behind the paste", "accepted", ["run it", "<enter>"], 1],
  ["before the Enter", "accepted", ["run it", "<enter>"], 1],
  ["behind the Enter", "accepted", ["run it", "<enter>"], 1],
  ["before it was called accepted", "accepted", ["run it", "<enter>"], 1],
  ["when it was called accepted", "accepted", ["run it", "<enter>"], 1],
  ["before it left the queue", "accepted", ["run it", "<enter>"], 1],
  ["when it had left the queue", null, ["run it", "<enter>"], 1],
] as const;

test.each(table.map((row, moment) => [moment, ...row] as const))(
  "[MN1] a sender killed at moment %i, %s, loses nothing and types nothing twice (incident 38)",
  async (moment, _, step, typed, heard) => {
    const { agent, keys, queues, lastStep, drains } = await killedAt(moment);
    const { fates } = await drains();
    expect(fates.map((fate) => fate.step)).toEqual(step === null ? [] : [step]);
    expect(queues.ids()).toEqual([]);
    expect(lastStep()).toBe(step);
    expect(await keys()).toEqual(typed);
    await agent.becomes("idle");
    expect(texts(agent.transcript(), "user")).toEqual(heard === 1 ? ["run it"] : []);
  },
);

/** The last receipt after the next sender's look, and how often the agent got it. Nothing is ever typed. */
const byInbox = [
  ["before it was queued", null, 0],
  ["before its first receipt", null, 0],
  ["behind its first receipt", null, 0],
  ["when it was queued", "accepted", 1],
  ["before it was called posting", "accepted", 1],
  ["when it was called posting", "uncertain", 0],
  ["before it went into the socket", "uncertain", 0],
  ["behind the socket", "accepted", 1],
] as const;

test.each(byInbox.map((row, moment) => [moment, ...row] as const))(
  "[MN1] an agent that is killed at moment %i, %s, loses no words, and none arrive twice",
  async (moment, _, step, heard) => {
    const { agent, keys, queues, lastStep, drains } = await killedAt(moment, "tester");
    // So long does silence last until a message counts as uncertain.
    const own = limits.inboxProofMs;
    Object.assign(limits, { inboxProofMs: 3_000 });
    onTestFinished(() => void Object.assign(limits, { inboxProofMs: own }));
    await until("an empty queue", async () => {
      await drains();
      return queues.ids().length === 0;
    });
    expect(lastStep()).toBe(step);
    await agent.becomes("idle");
    expect(letters(agent.transcript())).toEqual(heard === 1 ? ["run it"] : []);
    expect(await keys()).toEqual([]);
  },
);
