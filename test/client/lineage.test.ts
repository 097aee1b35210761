// Which conversation came from which, after forks that a person made by hand in the real client.

import { describe, expect, it } from "vitest";
import { utcSeconds } from "../../src/base/text/utc.js";
import type { PaneAddress, SessionId } from "../../src/names/gates.js";
import type { LineageEdge } from "../../src/transcripts/lineage/lineage.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { ask, edges, hiveOf, moveOn, newId, removeTranscript, say } from "./family.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

/** The last message before `word` was said in it. */
function lastBefore(client: RealClient, id: SessionId, word: string): string {
  const messages = client.transcript(id).filter(({ type }) => type === "user" || type === "assistant");
  const at = messages.findIndex((record) => JSON.stringify(record).includes(`"${word}"`));
  return String(messages[at - 1]?.uuid);
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("leaves a family whose tree is found, while it runs and when all have ended", async () => {
    const world = await testWorld();
    const { home, start } = world;
    const [root, elder, younger, grandchild] = [newId(), newId(), newId(), newId()];
    const fork = (parent: SessionId, ...args: string[]) =>
      start(version, { args: ["--resume", parent, "--fork-session", ...args], team: `team-${newId()}` });

    const parent = await start(version, { args: ["--session-id", root, "-n", "lead"] });
    await say(world, parent, "alpha");

    // Silent, it has no transcript: only its arguments tell.
    const first = await fork(root, "--session-id", elder);
    expect(await edges(home)).toEqual([
      {
        ...{ parent: root, child: elder, kind: "fork", source: "chosen" },
        ...{ forkPoint: null, forkPointAtMs: null, inferred: false },
      },
    ]);
    // The child speaks first, then the parent goes on.
    await say(world, first, "beta");
    await say(world, parent, "gamma");
    // The parent spoke last before this one was forked, and goes on before it says a word.
    const second = await fork(root, "--session-id", younger);
    await say(world, parent, "delta");
    await say(world, second, "epsilon");
    const third = await fork(elder, "--session-id", grandchild);
    await say(world, third, "zeta");
    const unnamed = await fork(root);
    const random = unnamed.registryFile()!.sessionId!;
    await say(world, unnamed, "eta");
    const branch = await moveOn(first, "/branch side");
    await say(world, first, "theta");
    const ofBranch = await fork(branch);
    const forkOfBranch = ofBranch.registryFile()!.sessionId!;
    await say(world, ofBranch, "iota");
    const cleared = await moveOn(second, "/clear");
    // 2.1.197 may keep an answer to itself until it has more to write, and would tell nothing by it here.
    const isTold = version !== "2.1.197";
    await (isTold ? say : ask)(world, second, "kappa");

    const point = (id: SessionId, word: string) => lastBefore(parent, id, word);
    const expected: Partial<LineageEdge>[] = [
      { parent: root, child: elder, kind: "fork", forkPoint: point(elder, "beta") },
      { parent: root, child: younger, kind: "fork", forkPoint: point(younger, "epsilon") },
      { parent: elder, child: grandchild, kind: "fork", forkPoint: point(grandchild, "zeta") },
      { parent: root, child: random, kind: "fork", forkPoint: point(random, "eta") },
      { parent: elder, child: branch, kind: "branch", forkPoint: point(branch, "theta") },
      { parent: branch, child: forkOfBranch, kind: "fork", forkPoint: point(forkOfBranch, "iota") },
    ];
    const clear: Partial<LineageEdge> = { parent: younger, child: cleared, kind: "clear", forkPoint: null };
    // 2.1.325 writes down which session a process began with; of 2.1.197 a hook, or S5, must tell of `/clear`.
    const all = isTold ? [...expected, clear] : expected;
    expect(byChild(await edges(home))).toEqual(byChild(all));

    // With nobody left the transcripts alone tell the same.
    await Promise.all([parent, first, second, third, unnamed, ofBranch].map((client) => client.end()));
    expect((await hiveOf(home).observe()).panes.filter(({ kind }) => kind !== "shell")).toEqual([]);
    expect(byChild(await edges(home))).toEqual(byChild(all));

    // Of one whose transcript is gone S5 keeps the place. Who wrote its words first is then a guess, and called one.
    const { forks } = hiveOf(home).stores;
    const at = utcSeconds(Date.now());
    const row = { at, pane: "team:0.0" as PaneAddress, role: null, state: "stale" } as const;
    await forks.append([
      { ...row, uuid: elder, parent: root },
      { ...row, uuid: cleared, parent: younger },
    ]);
    removeTranscript(home, elder);
    const left = await edges(home);
    expect(left.find(({ child }) => child === grandchild)).toMatchObject({ kind: "fork", inferred: true });
    expect(byChild(left)).toMatchObject({
      [elder]: { parent: root, kind: "fork", forkPoint: null },
      [branch]: { parent: elder, kind: "branch" },
      [cleared]: { parent: younger, kind: "clear" },
    });
  });

  it("leaves forks of a compacted session whose parents are found, while they run and when all have ended", async () => {
    const world = await testWorld();
    const { home, start } = world;
    const [root, early, late, grandchild] = [newId(), newId(), newId(), newId()];
    const fork = (parent: SessionId, id: SessionId) =>
      start(version, {
        args: ["--resume", parent, "--fork-session", "--session-id", id],
        team: `team-${newId()}`,
      });

    // Questions are enough: 2.1.197 may keep an answer to itself until it has more to write.
    const parent = await start(version, { args: ["--session-id", root, "-n", "lead"] });
    for (const word of ["alpha", "beta"]) await ask(world, parent, word);
    await compact(parent, root);
    // The first is forked where nothing was said since.
    const first = await fork(root, early);
    await ask(world, first, "gamma");
    await ask(world, parent, "delta");
    const second = await fork(root, late);
    await ask(world, second, "epsilon");
    await ask(world, parent, "zeta");
    for (const id of [early, late]) expect(messagesOf(parent, id)).not.toContain(messagesOf(parent, root)[0]);
    // A fork that was compacted itself.
    await compact(second, late);
    await ask(world, second, "eta");
    const third = await fork(late, grandchild);
    await ask(world, third, "theta");
    const branch = await moveOn(parent, "/branch side");
    await ask(world, parent, "iota");

    const forked = (of: SessionId, child: SessionId) => {
      const known = new Set(messagesOf(parent, of));
      const forkPoint = messagesOf(parent, child).findLast((each) => known.has(each))!;
      return { parent: of, child, kind: "fork" as const, forkPoint };
    };
    const expected: Partial<LineageEdge>[] = [
      forked(root, early),
      forked(root, late),
      forked(late, grandchild),
      { parent: root, child: branch, kind: "branch", forkPoint: lastBefore(parent, branch, "iota") },
    ];
    const compacted = parent.transcript(root).find((each) => JSON.stringify(each).includes("-stdout>"));
    expect(expected[0]).toMatchObject({ forkPoint: compacted?.uuid });
    expect(byChild(await edges(home))).toEqual(byChild(expected));
    await Promise.all([parent, first, second, third].map((client) => client.end()));
    const left = await edges(home);
    expect(byChild(left)).toEqual(byChild(expected));
    expect(left.filter(({ inferred }) => inferred)).toEqual([]);
  });
});

async function compact(client: RealClient, id: SessionId): Promise<void> {
  await client.settled();
  await client.submit("/compact");
  await until("the summary", () => client.transcript(id).some((each) => each.isCompactSummary === true));
  await client.waitForStatus("idle");
}

function messagesOf(client: RealClient, id: SessionId): string[] {
  const messages = client.transcript(id).filter(({ type }) => type === "user" || type === "assistant");
  return messages.map(({ uuid }) => String(uuid));
}

function byChild(all: readonly Partial<LineageEdge>[]): Record<string, unknown> {
  return Object.fromEntries(
    all.map(({ child, parent, kind, forkPoint }) => [child, { parent, kind, forkPoint }]),
  );
}
