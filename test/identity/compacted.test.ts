import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { type AgentPane, startAgent, transcriptPath } from "../demo-agent/driver.js";
import { type TestHome, testHome } from "../home.js";
import { sayBlind, sessionsIn, uuid } from "./look.js";

const P = uuid(1);

interface Edge {
  parent: string;
  child: string;
  kind: string;
  source: string;
  forkPoint: string;
  inferred: boolean;
}

function edges(home: TestHome): Edge[] {
  return json<{ edges: Edge[] }>(home, ["lineage"]).edges.sort((a, b) => (a.kind > b.kind ? -1 : 1));
}

/** The last message that both sessions have. */
function lastShared(agent: AgentPane, child: string, parent: string): string {
  const uuids = (id: string) =>
    agent
      .transcript(id)!
      .filter(({ type }) => type === "user" || type === "assistant")
      .map((record) => record.uuid);
  const known = new Set(uuids(parent));
  return uuids(child).findLast((each) => known.has(each));
}

test.each(["2.1.197", "2.1.325"])(
  "a fork of a compacted session, and a branch of that fork, have their parents: %s",
  async (version) => {
    const home = testHome();
    const env = { DEMO_VERSION: version };
    const parent = startAgent(home, ["--session-id", P, "-n", "po"], { env });
    await parent.becomes("idle");
    for (const words of ["one", "two", "/compact", "more"]) await parent.say(words);
    const fork = startAgent(home, ["--resume", P, "--fork-session"], { env });
    const F = (await fork.becomes("idle")).sessionId;
    await fork.say("three");
    await parent.say("four");
    await fork.say("/branch side");
    await fork.say("five");
    const B = fork.registry()!.sessionId;

    const expected = [
      { parent: P, child: F, kind: "fork", source: "sharedMessages", inferred: false },
      { parent: F, child: B, kind: "branch", source: "forkedFrom", inferred: false },
    ].map((edge) => ({ ...edge, forkPoint: expect.any(String), forkedAt: expect.any(String) }));
    expected[0]!.forkPoint = lastShared(fork, F, P);
    expect(edges(home)).toEqual(expected);
    for (const agent of [parent, fork]) {
      agent.press("C-d");
      await agent.exitCode();
    }
    expect(edges(home)).toEqual(expected);
    expect(hivemind(home, ["lineage", F]).stdout).toMatch(/└─ [0-9a-f]{8} \* +fork at /);
  },
);

test("a fork of a compacted session and its parent are distinguished if the client has no registry", async () => {
  const home = testHome();
  const env = { DEMO_VERSION: "2.1.197", DEMO_NO_REGISTRY: "1" };
  const parent = startAgent(home, ["--session-id", P, "-n", "po"], { env });
  await parent.sees("❯");
  for (const words of ["one", "two"]) await sayBlind(parent, words);
  parent.type("/compact");
  parent.press("Enter");
  await parent.sees("Compacted");
  await sayBlind(parent, "more");
  const fork = startAgent(home, ["--resume", P, "--fork-session"], { env });
  await fork.sees("❯");
  await sayBlind(fork, "three");
  const names = readdirSync(dirname(transcriptPath(home, home.work, P)));
  const [F] = names.map((name) => name.replace(".jsonl", "")).filter((name) => name !== P);
  expect(await sessionsIn(home, parent, fork)).toEqual([P, F]);
});
