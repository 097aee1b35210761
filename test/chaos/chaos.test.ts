import { expect, test } from "vitest";
import { tellStory } from "./story.js";

/** Seeds whose stories go through every part: more of them in `npm run soak`. */
const seeds = [2, 5, 21];

test.concurrent.each(seeds)(
  "seed %i: whatever happens, audits are right and repairs lose nothing",
  async (seed) => {
    const { failure } = await tellStory({ seed, actions: 40 });
    const again = `again: npx tsx test/chaos/soak.ts --seed ${seed} --actions 40`;
    expect(failure === null ? null : `${failure}\n\n${again}`).toBeNull();
  },
  300_000,
);
