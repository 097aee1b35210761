// What is true for every agent in a pane, seen from outside: for the demo agent and the real client.

import { realpathSync } from "node:fs";
import { expect } from "vitest";
import { agentOfKind } from "../../src/agents/all.js";
import { openHive } from "../../src/hive/hive.js";
import type { SessionId } from "../../src/names/gates.js";
import type { Kind } from "../../src/names/kind.js";
import { type TestHome, until } from "../home.js";

export interface RunningAgent {
  kind: Kind;
  pane: string;
  pid: number;
  /** Its start arguments; it runs in the folder `work` of its home. */
  uuid: SessionId;
  name: string;
}

/** For an idle agent without messages; `speak` makes it answer once. */
export async function runningContract(
  home: TestHome,
  { kind, pane, pid, uuid, name }: RunningAgent,
  speak: () => Promise<void>,
): Promise<void> {
  const agent = agentOfKind(kind)!;
  const cwd = realpathSync(home.work);
  const box = () =>
    agent.keyboard!.readBox(home.tmux("capture-pane", "-e", "-p", "-t", pane).replace(/\n$/, "").split("\n"));
  const look = async () => {
    const fleet = await openHive({ env: home.env }).observe();
    const seen = fleet.panes.find(({ id }) => id === pane)!;
    return { seen, found: fleet.sessions.get(seen.id)!, transcript: fleet.index.byId.get(uuid)?.[0] };
  };

  // 2.1.197 writes the name a moment after the rest.
  const { seen, found } = await until("its name in the registry", async () => {
    const now = await look();
    return now.seen.live?.name ? now : null;
  });
  expect(seen).toMatchObject({ kind, folder: home.claude, name, process: { pid } });
  expect(seen.arguments).toMatchObject({ began: uuid, forkedFrom: null, name });
  expect(seen.live).toMatchObject({ sessionId: uuid, name, cwd, activity: "idle", waitingFor: null });
  expect(seen.live?.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(found).toMatchObject({ uuid, state: "stable" });
  // A later process with the same pid does not count.
  const reused = { ...seen.process!, startTicks: "1" };
  expect(agent.registry!.liveSession(home.claude, reused)).toBeNull();

  await until("an empty box", () => ["empty", "suggestion"].includes(box().kind));
  home.tmux("send-keys", "-t", pane, "-l", "my words");
  await until("the draft", () => {
    const shown = box();
    return shown.kind === "draft" && shown.text === "my words";
  });
  home.tmux("send-keys", "-t", pane, "C-u");
  await until("an empty box", () => ["empty", "suggestion"].includes(box().kind));

  await speak();
  const facts = await until("the answer in its transcript", async () => {
    const { transcript } = await look();
    return transcript?.facts.usedTokens ? transcript.facts : null;
  });
  expect(facts).toMatchObject({
    title: name,
    firstCwd: cwd,
    lastCwd: cwd,
    beginsWithClear: false,
    messages: 2,
  });
  expect(facts.model).toEqual(expect.any(String));
}
