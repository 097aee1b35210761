// Many messages to agents that work, ask, crash and come back, while many processes send and drain at once.

import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../../src/base/errors.js";
import { LockedError } from "../../src/base/files/lock.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { answer } from "../../src/messages/dialog/answer.js";
import { drain } from "../../src/messages/drain.js";
import { send } from "../../src/messages/send.js";
import type { PaneId, TeamName } from "../../src/names/gates.js";
import type { MessageId } from "../../src/stores/queue/queue-rows.js";
import { type Random, randomOf, uuidOf } from "../chaos/random.js";
import { demoAgent } from "../command.js";
import { type Json, readLines, readTranscript, texts } from "../demo-agent/driver.js";
import { type TestHome, until } from "../home.js";
import { agentIn } from "./known.js";

export interface StormOptions {
  messages: number;
  agents: number;
  seed: number;
}

export interface StormAgent {
  pane: PaneId;
  /** The messages it took, in the order of its records. */
  heard: string[];
  /** Every key and text that reached it. */
  events: Json[];
}

export interface Storm {
  agents: StormAgent[];
  /** By message id: who sent what to whom. */
  sent: Map<MessageId, { text: string; agent: number; sender: number }>;
  kills: number;
  refusals: number;
  outcomes: Record<string, number>;
  hive: Hive;
}

const senders = 3;

export async function storm(home: TestHome, { messages, agents: count, seed }: StormOptions): Promise<Storm> {
  const hive = openHive({ env: home.env });
  const random = randomOf(seed, 0);
  const agents = await startAgents(home, hive, count, random);
  const result: Storm = { agents: [], sent: new Map(), kills: 0, refusals: 0, outcomes: {}, hive };
  let isOver = false;
  const whileOn = async (work: (random: Random) => Promise<void>, pauseMs: number, step: number) => {
    const own = randomOf(seed, step);
    while (!isOver) {
      await work(own);
      await rest(own.below(pauseMs));
    }
  };
  const failed: unknown[] = [];
  const helpers = [
    whileOn(() => drainAll(hive), 200, 1),
    whileOn(() => drainAll(hive), 200, 2),
    whileOn(() => approveAll(hive, agents), 200, 3),
    whileOn(() => revive(home, agents), 300, 4),
    whileOn((own) => killOne(hive, agents, own, result), 5_000, 5),
  ].map((helper) => helper.catch((error) => failed.push(error)));
  await Promise.all(
    Array.from({ length: senders }, (_, sender) => sendAll(hive, agents, sender, messages, result, seed)),
  );
  await until("empty queues", () => waiting(hive) === 0, 300_000);
  isOver = true;
  await Promise.all(helpers);
  if (failed.length > 0) throw failed[0];
  await revive(home, agents);
  result.agents = agents.map(({ pane, session, keylog }) => ({
    pane,
    heard: texts(readTranscript(home, home.work, session), "user"),
    events: readLines(keylog),
  }));
  return result;
}

interface Started {
  pane: PaneId;
  session: string;
  keylog: string;
  program: string[];
}

async function startAgents(home: TestHome, hive: Hive, count: number, random: Random): Promise<Started[]> {
  const started: Started[] = [];
  await hive.emit({ name: "team.created", team: "storm" as TeamName, description: "" });
  for (let at = 0; at < count; at++) {
    const session = uuidOf(random);
    const keylog = join(home.root, `keys-${at}`);
    // A respawned pane keeps its program's arguments, not the variables it was made with.
    const knobs = [`DEMO_KEYLOG=${keylog}`, `DEMO_ANSWER_MS=${random.below(80)}`];
    const program = ["env", ...knobs, process.execPath, demoAgent];
    const [verb, ...place] = at === 0 ? ["new-session", "-s", "storm"] : ["new-window", "-t", "=storm:"];
    const size = at === 0 ? ["-x", "100", "-y", "30"] : [];
    const pane = home
      .tmux(
        ...["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"],
        ...[verb!, "-d", "-P", "-F", "#{pane_id}", ...place, ...size, "-c", home.work],
        ...[...program, "--session-id", session],
      )
      .trim() as PaneId;
    started.push({ pane, session, keylog, program });
  }
  await until("idle agents", async () => {
    const { panes } = await hive.panes();
    return panes.length === count && panes.every(({ live }) => live?.activity === "idle");
  });
  for (const { pane } of started) await agentIn(hive, pane);
  return started;
}

async function sendAll(
  hive: Hive,
  agents: readonly Started[],
  sender: number,
  messages: number,
  result: Storm,
  seed: number,
): Promise<void> {
  const random = randomOf(seed, 10 + sender);
  for (let at = sender; at < messages; at += senders) {
    const agent = random.below(agents.length);
    const text = `message ${sender}-${at}${steering(random)}`;
    // A refused sender got an error and nothing was written: it may try again.
    for (;;) {
      const sent = await send(hive, agents[agent]!.pane, text).catch(whenRefused);
      const outcome = sent?.outcome ?? "full";
      result.outcomes[outcome] = (result.outcomes[outcome] ?? 0) + 1;
      if (sent !== null && sent.id !== null) {
        result.sent.set(sent.id, { text, agent, sender });
        break;
      }
      result.refusals++;
      await rest(50 + random.below(200));
    }
  }
}

function whenRefused(error: unknown): null {
  if (error instanceof HiveError && /full/.test(error.message)) return null;
  throw error;
}

function steering(random: Random): string {
  if (random.chance(0.25)) return ` [busy ${random.below(400)}]`;
  if (random.chance(0.08)) return " [ask]";
  if (random.chance(0.02)) return " [crash]";
  return random.chance(0.1) ? "\nin two lines" : "";
}

function waiting({ stores: { queues } }: Hive): number {
  return queues.ids().length;
}

async function drainAll(hive: Hive): Promise<void> {
  for (const agent of hive.stores.queues.agents()) {
    if (hive.stores.queues.read(agent).messages.length === 0) continue;
    await drain(hive, agent, { settleMs: 3_000 }).catch((error) => {
      if (!(error instanceof LockedError)) throw error;
    });
  }
}

async function approveAll(hive: Hive, agents: readonly Started[]): Promise<void> {
  const { panes } = await hive.panes();
  for (const { pane } of agents) {
    if (panes.find(({ id }) => id === pane)?.live?.activity !== "waiting") continue;
    await answer(hive, pane, "approve").catch((error) => {
      if (!(error instanceof HiveError)) throw error;
    });
  }
}

/** A dead agent comes back with its conversation. */
async function revive(home: TestHome, agents: readonly Started[]): Promise<void> {
  home.tmux("run-shell", "-b", "true");
  for (const { pane, session, program } of agents) {
    if (home.tmux("display-message", "-p", "-t", pane, "#{pane_dead}").trim() !== "1") continue;
    const how = readTranscript(home, home.work, session) === null ? "--session-id" : "--resume";
    home.tmux("respawn-pane", "-t", pane, "-c", home.work, ...program, how, session);
  }
}

async function killOne(hive: Hive, agents: readonly Started[], random: Random, result: Storm): Promise<void> {
  const { pane } = random.pick(agents);
  const found = (await hive.panes()).panes.find(({ id }) => id === pane);
  if (found?.process == null) return;
  process.kill(found.process.pid, "SIGKILL");
  result.kills++;
}
