// Messages of agents into real clients in every state, with senders that are killed: each arrives once or provably
// not, none in another conversation, and no key is pressed where the inbox is open.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import type { SessionId } from "../../src/names/gates.js";
import { historyOf, lastSteps } from "../../src/stores/receipts.js";
import { until } from "../home.js";
import { agentIn } from "../messages/known.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { testWorld } from "./world.js";

/** Messages per state and agent; HIVEMIND_STORM asks for more in all. */
const perState = Math.ceil(Number(process.env.HIVEMIND_STORM ?? 20) / 10);

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hm-senders-"));
  await build({
    entryPoints: [new URL("../fixtures/messages/agent-sender.ts", import.meta.url).pathname],
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
    outfile: join(folder, "agent-sender.mjs"),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stage(version: ClientVersion) {
  const { home, api, start } = await testWorld();
  const env = { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const hive = openHive({ env });
  const uuid = randomUUID() as string as SessionId;
  const args = ["--session-id", uuid, "-n", "lead", "--permission-mode", "default"];
  const client = await start(version, { args });
  await client.settled();
  const { id } = await agentIn(hive, client.paneId);
  /** Every third sender is killed at some moment. */
  let count = 0;
  const sends = async (text: string) => {
    const child = spawn(process.execPath, [join(folder, "agent-sender.mjs"), client.paneId, "tester", text], {
      env,
      stdio: "ignore",
    });
    const killer = ++count % 3 === 0 ? setTimeout(() => child.kill("SIGKILL"), 60 * (count % 17)) : undefined;
    await new Promise((ended) => child.on("close", ended));
    clearTimeout(killer);
  };
  return { home, api, hive, id, client, uuid, sends };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** How a client comes into a state, and how it leaves it. */
interface State {
  name: string;
  enter(stage: Stage): Promise<void>;
  leave(stage: Stage): Promise<void>;
}

const idle = ({ client }: Stage) => client.waitForStatus("idle").then(() => undefined);
const bash = { tool: "Bash", input: { command: "touch made", description: "Make it" } };
const asks = {
  tool: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which colour?",
        header: "Colour",
        multiSelect: false,
        options: [
          { label: "Blue", description: "b" },
          { label: "Red", description: "r" },
        ],
      },
    ],
  },
};

const states: State[] = [
  { name: "idle", enter: idle, leave: idle },
  {
    name: "a text turn",
    async enter({ api, client }) {
      api.next({ text: "done", held: true });
      await client.submit("think");
      await client.waitForStatus("busy");
    },
    leave: ({ api }) => api.release(),
  },
  {
    name: "a permission dialog, then its tool",
    async enter({ api, client }) {
      api.next(bash);
      await client.submit("make it");
      await client.waitForScreen(/❯ 1\. Yes/);
    },
    async leave({ client }) {
      await client.settled();
      client.keys("Enter");
    },
  },
  {
    name: "a question",
    async enter({ api, client }) {
      api.next(asks);
      await client.submit("ask me");
      await client.waitForScreen(/Which colour/);
    },
    async leave({ client }) {
      await client.settled();
      client.keys("Enter");
    },
  },
  {
    name: "a draft in the box",
    async enter({ client }) {
      client.type("half a senten");
      await client.waitForScreen(/half a senten/);
    },
    async leave({ client }) {
      expect(client.screen().join("\n")).toMatch(/❯\u00a0half a senten\s*$/m);
      client.keys("C-u");
      await until("an empty box", () => !client.screen().join("\n").includes("half a senten"));
    },
  },
  {
    name: "a compaction",
    async enter({ client }) {
      await client.submit("/compact");
    },
    leave: idle,
  },
  {
    name: "a cleared conversation",
    async enter({ client }) {
      const before = client.registryFile()?.sessionId;
      await client.submit("/clear");
      await until("another session", () => client.registryFile()?.sessionId !== before);
    },
    leave: idle,
  },
];

/** The texts of the letters that any conversation of this home shows as taken. */
function takenIn({ client }: Stage, sessions: readonly SessionId[]): string[] {
  return sessions.flatMap((session) =>
    client.transcript(session).flatMap((record) => {
      const attached = record.attachment as Record<string, unknown> | undefined;
      const origin = (record.origin ?? attached?.origin) as Record<string, unknown> | undefined;
      return origin?.kind === "peer" ? [String(origin.body)] : [];
    }),
  );
}

async function emptied({ hive, id }: Stage): Promise<void> {
  await until(
    "an empty queue",
    async () => {
      await drain(hive, id, { waitMs: 5_000 });
      return hive.stores.queues.read(id).messages.length === 0;
    },
    120_000,
  );
}

const withInbox = clientVersions.filter((version) => version !== "2.1.197");

describe.each(withInbox)("the real client %s", (version) => {
  it(`takes ${states.length * perState} messages of agents, each once, in every state`, async () => {
    const on = await stage(version);
    on.api.when(/./, { text: "well" });
    const sessions = new Set<SessionId>([on.uuid]);
    const texts: string[] = [];
    for (const { name, enter, leave } of states) {
      await enter(on);
      for (let at = 0; at < perState; at++) {
        const text = `${name} ${at}: ${randomUUID()}`;
        texts.push(text);
        await on.sends(text);
      }
      await leave(on);
      sessions.add(on.client.registryFile()!.sessionId as SessionId);
      await emptied(on);
      await on.client.waitForStatus("idle");
      sessions.add(on.client.registryFile()!.sessionId as SessionId);
    }
    const taken = takenIn(on, [...sessions]);
    expect(taken.filter((text, at) => taken.indexOf(text) !== at)).toEqual([]);
    const { rows } = on.hive.stores.receipts.read();
    const last = [...lastSteps(rows).values()].map(({ step }) => step);
    const lost = texts.filter((text) => !taken.includes(text));
    const uncertain = last.filter((step) => step === "uncertain").length;
    // A sender that was killed before it queued its message sent nothing.
    const unsent = texts.length - last.length;
    console.log(`${taken.length} taken, ${unsent} never queued, ${uncertain} uncertain of ${texts.length}`);
    expect(lost.length).toBeLessThanOrEqual(unsent + uncertain);
    expect(rows.filter(({ step }) => step === "typing")).toEqual([]);
    expect(neverDecided(on.hive)).toEqual([]);
  }, 600_000);
});

/** Messages whose receipts have no end. */
function neverDecided({ stores }: Hive): string[] {
  const { rows } = stores.receipts.read();
  const ids = [...new Set(rows.map(({ id }) => id))];
  const isOpen = (step: string | undefined) => !["accepted", "answered", "uncertain"].includes(step ?? "");
  return ids.filter((id) => isOpen(historyOf(rows, id).at(-1)?.step));
}
