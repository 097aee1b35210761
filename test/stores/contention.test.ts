import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { identityText, ownIdentity } from "../../src/base/system/process-identity.js";
import type { AgentId } from "../../src/names/agent-id.js";
import { openStores } from "../../src/stores/stores.js";
import { fixturePrograms } from "../fixture-programs.js";
import { testHome } from "../home.js";

const program = fixturePrograms("stores/writer", "stores/contender");

function start(
  env: Record<string, string>,
  ...args: string[]
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("many processes", () => {
  test("[LK1] that write to the same stores lose no acknowledged row, though a third is killed (incident 6)", async () => {
    const home = testHome();
    const acknowledged: string[] = [];
    const run = async (at: number) => {
      const child = start(home.env, program("writer"), `w${at}`, "200");
      const lastWords = at % 3 === 0 ? 5 + Math.floor(Math.random() * 120) : Number.POSITIVE_INFINITY;
      let seen = 0;
      const ended = once(child, "close");
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged.push(line);
        if (++seen === lastWords) child.kill("SIGKILL");
      }
      const [code] = await ended;
      expect(code).toBe(at % 3 === 0 ? null : 0);
    };
    await Promise.all(Array.from({ length: 16 }, (_, at) => run(at)));

    const stores = openStores(home.env);
    // One last write each: it would fail on a lock that a killed writer left for good.
    await stores.roles.update((rows) => [...rows, { pane: "last:0.1", role: "x" as never, epoch: null }]);
    await stores.queues.append("lastlastla" as AgentId, "inform", "last");
    await stores.forks.append([
      { at: "2026-04-22T08:52:40Z", pane: "last:0.1", role: null, uuid: null, state: "live", parent: null },
    ]);
    await stores.events.log([{ name: "agent.killed", pane: "last:0.1" }]);

    const idOf = (pane: string) => pane.slice(0, -":0.1".length);
    const found = [
      ...stores.roles.read().rows.map(({ pane }) => `role ${idOf(pane)}`),
      ...stores.queues
        .agents()
        .flatMap((agent) => stores.queues.read(agent).messages.map(({ text }) => `queue ${text}`)),
      ...[...stores.forks.scan()].map(({ pane }) => `fork ${idOf(pane ?? "")}`),
      ...stores.events
        .read()
        .rows.map(({ event }) => `event ${"pane" in event ? idOf(event.pane ?? "") : ""}`),
    ];
    expect(new Set(found).size).toBe(found.length);
    expect(acknowledged.filter((row) => !found.includes(row))).toEqual([]);
    // A killed writer may have written one row more than it reported.
    expect(found.length - acknowledged.length - 4).toBeLessThanOrEqual(6);
    expect(stores.problems()).toEqual([]);
    const left = readdirSync(home.config, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => /\.lock|\.tmp$|\.commit$/.test(name))).toEqual([]);
  });

  test("[LK3] that contend for the locks of dead holders are never two inside", async () => {
    const { config, env } = testHome();
    mkdirSync(config);
    const dead = (nonce: string) => `${identityText({ ...ownIdentity(), start: "1" })},${nonce}`;
    const locks = Array.from({ length: 200 }, (_, round) => {
      const path = join(config, `round${round}`);
      symlinkSync(dead("aa"), path);
      // In every second round a process had already died while taking it over, in every fourth one more.
      if (round % 2 === 0) symlinkSync(dead("bb"), `${path}.~aa`);
      if (round % 4 === 0) symlinkSync(dead("cc"), `${path}.~aa.~bb`);
      return path;
    });
    const contenders = Array.from({ length: 8 }, () => {
      const child = start(env, program("contender"));
      return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    });
    const answers: unknown[] = [];
    for (let first = 0; first < locks.length; first += 10) {
      for (const { child } of contenders) child.stdin!.write(`${locks.slice(first, first + 10).join(" ")}\n`);
      answers.push(...(await Promise.all(contenders.map(async ({ lines }) => (await lines.next()).value))));
    }
    expect(answers.filter((answer) => answer !== "done")).toEqual([]);
    expect(answers).toHaveLength(160);
    expect(readdirSync(config)).toEqual([]);
  });
});
