// The demo agent and the real client are played the same steps; what can be seen of both is the same at each.

import { expect, it } from "vitest";
import { type ClientVersion, clientVersions } from "./install.js";
import { lookerAt } from "./look.js";
import { differences, newScene, type Step, steps } from "./parity.js";
import { inboxSteps } from "./parity-inbox.js";
import { demoStage, realStage, type Stage } from "./stage.js";

it.each(clientVersions)(
  "the demo agent is seen to do what the client %s does",
  async (version) => {
    const found = await compared(version, steps);
    const listed = differences.filter((each) => each.version === undefined || each.version === version);
    const isListed = ({ step, fact }: Found) =>
      listed.some((each) => each.fact === fact && each.steps.includes(step));
    expect(found.filter((each) => !isListed(each))).toEqual([]);
    const stale = listed.flatMap(({ fact, steps, comesAndGoes = false }) =>
      (comesAndGoes ? [] : steps)
        .filter((step) => !found.some((each) => each.fact === fact && each.step === step))
        .map((step) => ({ step, fact })),
    );
    expect(stale, "a difference is listed that is none").toEqual([]);
  },
  400_000,
);

it("the demo agent takes posted messages as the client 2.1.325 does", async () => {
  expect(await compared("2.1.325", inboxSteps)).toEqual([]);
}, 240_000);

interface Found {
  step: string;
  fact: string;
  real: unknown;
  demo: unknown;
}

async function compared(version: ClientVersion, steps: readonly Step[]): Promise<Found[]> {
  const played = async (stage: Promise<Stage>) => playAll(await stage, steps);
  // Both are waited for, also when one fails: nobody may go on playing in a home that is removed.
  const outcomes = await Promise.allSettled([played(realStage(version)), played(demoStage(version))]);
  const [real, demo] = outcomes.map(playedOut) as [Seen, Seen];
  return steps.flatMap(({ name }) =>
    differing(real.get(name), demo.get(name)).map((line) => ({ step: name, ...line })),
  );
}

type Seen = Map<string, unknown>;

function playedOut<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

async function playAll(stage: Stage, steps: readonly Step[]): Promise<Seen> {
  const scene = newScene(stage);
  const look = lookerAt(stage);
  const seen: Seen = new Map();
  for (const { name, who, play } of steps) {
    try {
      await play(scene);
      seen.set(name, who === null ? scene.told : await look(scene[who]));
    } catch (cause) {
      throw new Error(
        `at "${name}": ${(cause as Error).message}\n${screenOf(stage, scene[who ?? "lead"]?.pane)}`,
        { cause },
      );
    }
  }
  return seen;
}

function screenOf({ home }: Stage, pane: string | undefined): string {
  return pane === undefined ? "" : home.tmux("capture-pane", "-p", "-t", pane).trimEnd();
}

/** The leaves in which two values differ, by their path. */
function differing(
  real: unknown,
  demo: unknown,
  path = "",
): { fact: string; real: unknown; demo: unknown }[] {
  if (isTree(real) && isTree(demo)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(demo)])];
    return keys.flatMap((key) => differing(real[key], demo[key], path === "" ? key : `${path}.${key}`));
  }
  return JSON.stringify(real) === JSON.stringify(demo) ? [] : [{ fact: path, real, demo }];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
