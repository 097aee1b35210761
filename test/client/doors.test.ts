// Messages of agents into real clients in every state, with senders that are killed: each arrives once or provably
// not, none in another conversation, and no key is pressed where the inbox is open. HIVEMIND_STORM=200 sends that
// many to four agents.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import type { AgentId } from "../../src/names/agent-id.js";
import { historyOf, lastSteps } from "../../src/stores/receipts.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, until } from "../home.js";
import { agentIn } from "../messages/known.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { parkedStates, type Stage, type State, states } from "./states.js";
import { testWorld } from "./world.js";

const wanted = Number(process.env.HIVEMIND_STORM ?? 0);
const names = wanted === 0 ? ["lead"] : ["lead", "builder", "tester", "writer"];
const perState = Math.max(1, Math.ceil(wanted / names.length / (states.length + parkedStates.length)));

const program = fixturePrograms("messages/agent-sender");

interface Receiver extends Stage {
  name: string;
  id: AgentId;
}

async function receivers(version: ClientVersion) {
  const { home, api, start } = await testWorld();
  api.when(/./, { text: "well" });
  const env = { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const hive = openHive({ env });
  const all: Receiver[] = [];
  for (const name of names) {
    const own = ["--session-id", randomUUID(), "-n", name, "--permission-mode", "default"];
    const client = await start(version, { args: [...own, "--allowedTools", "Bash(sleep:*)"], team: name });
    await client.settled();
    const { id } = await agentIn(hive, client.paneId);
    all.push({ name, home, api, env, client, pane: client.paneId, id });
  }
  return { home, hive, all };
}

let sent = 0;

/** Every third sender is killed at some moment. Resolves to its outcome, or to "killed". */
async function sends({ pane, env }: Receiver, text: string): Promise<string> {
  const args = [program("agent-sender"), pane, "colleague", text];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (part) => (printed += part));
  const at = ++sent;
  const killer = at % 3 === 0 ? setTimeout(() => child.kill("SIGKILL"), 60 * (at % 17)) : undefined;
  await new Promise((ended) => child.on("close", ended));
  clearTimeout(killer);
  return printed === "" ? "killed" : JSON.parse(printed).outcome;
}

async function emptied(hive: Hive, { id }: Receiver): Promise<void> {
  await until(
    "an empty queue",
    async () => {
      await drain(hive, id, { waitMs: 5_000 });
      return hive.stores.queues.read(id).messages.length === 0;
    },
    120_000,
  );
}

/** One round: each agent in its own state, then messages to all of them at once. Returns their outcomes by text. */
async function round(hive: Hive, all: readonly Receiver[], stateOf: (at: number) => State) {
  const outcomes = new Map<string, string>();
  for (const [at, agent] of all.entries()) await stateOf(at).enter(agent);
  await Promise.all(
    all.map(async (agent, at) => {
      for (let count = 0; count < perState; count++) {
        const text = `to ${agent.name} in ${stateOf(at).name}: ${randomUUID()}`;
        outcomes.set(text, await sends(agent, text));
      }
    }),
  );
  for (const [at, agent] of all.entries()) await stateOf(at).leave(agent);
  for (const agent of all) await emptied(hive, agent);
  return outcomes;
}

/** What the conversations of this home show as taken, by file. A copied record counts once. */
function takenIn({ claude }: TestHome): Map<string, string[]> {
  const projects = join(claude, "projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const seen = new Set<unknown>();
  return new Map(
    files.map((file) => {
      const lines = readFileSync(join(projects, file), "utf8").split("\n").slice(0, -1);
      const fresh = lines
        .map((line) => JSON.parse(line))
        .filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)));
      return [file, fresh.flatMap(textIn)];
    }),
  );
}

interface TakenRecord {
  type?: string;
  origin?: { kind?: string; body?: string };
  message?: { content?: unknown };
  attachment?: { origin?: TakenRecord["origin"]; prompt?: unknown };
}

/** A letter, or typed words, or words that were queued in the client's own box. */
function textIn(record: TakenRecord): string[] {
  const origin = record.origin ?? record.attachment?.origin;
  if (origin?.kind === "peer") return [String(origin.body)];
  const content = record.type === "user" ? record.message?.content : record.attachment?.prompt;
  return typeof content === "string" && content.startsWith("to ") ? [content] : [];
}

describe.each(clientVersions)("the real client %s", (version) => {
  const hasInbox = version !== "2.1.197";
  const rounds: ((at: number) => State)[] = states.map(
    (_, turn) => (at) => states[(turn + at) % states.length]!,
  );
  if (hasInbox) rounds.push(...parkedStates.map((state) => () => state));

  it("takes messages of agents once in every state, and none for another agent", async () => {
    const { home, hive, all } = await receivers(version);
    const outcomes = new Map<string, string>();
    for (const stateOf of rounds) {
      for (const [text, outcome] of await round(hive, all, stateOf)) outcomes.set(text, outcome);
      // A parked one reports its state elsewhere.
      if (!parkedStates.includes(stateOf(0)))
        for (const { client } of all) await client.waitForStatus("idle");
    }

    const files = takenIn(home);
    const taken = [...files.values()].flat();
    expect(taken.filter((text, at) => taken.indexOf(text) !== at)).toEqual([]);
    for (const [file, own] of files)
      expect(new Set(own.map((text) => text.split(" ")[1])).size, file).toBeLessThanOrEqual(1);
    const { rows } = hive.stores.receipts.read();
    const last = [...lastSteps(rows).values()].map(({ step }) => step);
    const uncertain = last.filter((step) => step === "uncertain").length;
    // A refused message was never queued, and a sender that was killed may have queued nothing.
    const [lost, refused] = ["killed", "refused"].map((outcome) =>
      [...outcomes].filter(([text, was]) => was === outcome && !taken.includes(text)),
    );
    console.log(
      `${version}: ${outcomes.size} sent, ${taken.length} taken, ${refused!.length} refused, ` +
        `${lost!.length} lost with their sender, ${uncertain} uncertain`,
    );
    const missing = outcomes.size - taken.length - refused!.length - lost!.length;
    expect(missing).toBeLessThanOrEqual(uncertain);
    const steps = new Set(rows.map(({ step }) => step));
    expect([steps.has("posting"), steps.has("typing")]).toEqual(hasInbox ? [true, false] : [false, true]);
    expect(neverDecided(hive)).toEqual([]);
  }, 1_200_000);
});

/** Messages whose receipts have no end. One that nobody queued has only its first. */
function neverDecided({ stores }: Hive): string[] {
  const { rows } = stores.receipts.read();
  const ids = [...new Set(rows.map(({ id }) => id))];
  const ends = ["queued", "accepted", "answered", "uncertain"];
  return ids.filter((id) => !ends.includes(historyOf(rows, id).at(-1)?.step ?? ""));
}
