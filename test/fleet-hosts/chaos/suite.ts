// Everything that may happen to a fleet of four hosts on three nodes, for one version of the server.
//
// HIVEMIND_CHAOS_SEEDS=20 runs that many random sequences, HIVEMIND_CHAOS_SEED=7 the one of that number, and
// HIVEMIND_CHAOS_DEEDS=40 makes them longer.

import { expect, test } from "vitest";
import { limits } from "../../../src/limits.js";
import { until } from "../../home.js";
import { chaosFleet } from "./fleet.js";
import { atRandom, contend, killMailLeader, oldState, openRun, partition, standStill } from "./run.js";

const rounds = 4;
const deeds = Number(process.env.HIVEMIND_CHAOS_DEEDS ?? 10);

export function chaosSuite(program: () => Promise<string>, firstSeed: number): void {
  test("four hosts on three nodes: nothing is lost or doubled, whatever happens", async () => {
    const run = openRun(await chaosFleet(await program()));
    const { fleet, observer } = run;
    const [alpha, beta, gamma, delta] = fleet.hosts as [never, never, never, never];
    for (let round = 0; round < rounds; round++) expect(await contend(run)).not.toBeNull();

    const dead = await killMailLeader(run);
    await run.settle();

    partition(alpha, "up");
    partition(beta, "down");
    partition(gamma, "both");
    run.talk();
    for (const host of [alpha, beta, gamma])
      await until("its lease is old", () => observer.ageMs(host) > limits.leaseFreshMs, 60_000);
    // Nothing is typed and started there; the fourth host goes on.
    expect((await contend(run)) ?? delta).toBe(delta);
    await run.settle();

    await fleet.servers.kill((dead + 1) % 3);
    partition(delta, "cut");
    run.talk();
    await Promise.all([alpha, gamma].map((host) => standStill(run, host)));
    await run.settle();

    await oldState(run, beta);
    run.talk();
    await run.settle();
  }, 600_000);

  test.each(seeds(firstSeed))(
    "at random, seed %i",
    async (seed) => {
      const run = openRun(await chaosFleet(await program()));
      const done = await atRandom(run, seed, deeds);
      await run.settle().catch((error: Error) => {
        throw new Error(`${done.join(", ")}: ${error.message}`, { cause: error });
      });
    },
    900_000,
  );
}

function seeds(first: number): number[] {
  const { HIVEMIND_CHAOS_SEED: only, HIVEMIND_CHAOS_SEEDS: count = "1" } = process.env;
  if (only) return [Number(only)];
  return Array.from({ length: Number(count) }, (_, at) => first + at);
}
