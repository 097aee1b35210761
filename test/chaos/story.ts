// One seed from beginning to end: actions in batches, and all checks after each batch.

import { type Action, Finding, type Scene } from "./action.js";
import { checkAll, type Tally } from "./checks.js";
import { damageActions } from "./damage.js";
import { keepingActions, opened } from "./keeping.js";
import { lifecycleActions } from "./lifecycle.js";
import { Memory } from "./memory.js";
import { moveActions } from "./moves.js";
import { randomOf } from "./random.js";
import { picture } from "./settled.js";
import { Stage, storeFiles } from "./stage.js";

export interface StoryOptions {
  seed: number;
  actions: number;
  /** The folder of the built programs (default: this repository's dist/). */
  dist?: string;
  /** Called with each action when it is done. */
  onAction?: (line: string) => void;
  /** Ends the story early, with cleanup. */
  signal?: AbortSignal;
}

export interface Story extends Tally {
  seed: number;
  actions: number;
  /** What went wrong, with everything that was done before; null if all is well. */
  failure: string | null;
}

const all: readonly Action[] = [...lifecycleActions, ...moveActions, ...keepingActions, ...damageActions];

export async function tellStory({ seed, actions, dist, onAction, signal }: StoryOptions): Promise<Story> {
  const stage = new Stage(dist);
  const memory = new Memory(stage);
  const tally: Tally = { checks: 0, violations: 0, repaired: 0 };
  const log: string[] = [];
  let step = 0;
  const note = (line: string) => {
    log.push(`${step}  ${line}`);
    onAction?.(log.at(-1)!);
  };
  const sceneAt = (number: number): Scene => ({ stage, memory, random: randomOf(seed, number) });
  try {
    const first = sceneAt(-1);
    countFrom(first);
    await opened(first);
    let untilCheck = 0;
    while (step < actions && !signal?.aborted) {
      step += 1;
      const scene = sceneAt(step);
      note(await act(scene));
      memory.now();
      untilCheck = untilCheck > 0 ? untilCheck - 1 : 3 + scene.random.below(6);
      if (untilCheck > 0 && step < actions) continue;
      await checkAll(scene, tally, note);
    }
    return { seed, actions: step, ...tally, failure: null };
  } catch (error) {
    const said = error instanceof Finding ? error.message : ((error as Error).stack ?? String(error));
    const failure = [said, "", ...log, "", scenery(stage)].join("\n");
    return { seed, actions: step, ...tally, failure };
  } finally {
    await stage.close();
  }
}

/** tmux counts windows and panes from 0 or 1, also in a server that hivemind starts. */
function countFrom({ stage, random }: Scene): void {
  const base = random.below(2);
  const lines = ["base-index", "pane-base-index"].map((option) => `set -g ${option} ${base}\n`);
  stage.write(`${stage.home.home}/.tmux.conf`, lines.join(""));
  stage.tmux("-f", `${stage.home.home}/.tmux.conf`, "start-server", ";", "set", "-g", "exit-empty", "off");
}

async function act(scene: Scene): Promise<string> {
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  for (;;) {
    const action = chosen(scene.random.below(total));
    try {
      const did = await action.run(scene);
      if (did !== null) return did;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      error.message = `${action.name}: ${error.message}`;
      throw error;
    }
  }
}

/** Each action has as many numbers as its weight. */
function chosen(number: number): Action {
  let end = 0;
  for (const action of all) {
    end += action.weight;
    if (number < end) return action;
  }
  throw new Error(`no action has the number ${number}`);
}

function scenery(stage: Stage): string {
  const files = (["S0", "S1", "S2", "S3"] as const).map((id) => `${storeFiles[id]}:\n${stage.read(id)}`);
  return [picture(stage), ...files].join("\n\n");
}
