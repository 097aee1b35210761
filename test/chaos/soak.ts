// Seeded chaos on real tmux servers: `npm run soak`, or one seed again with `--seed N --actions M`.

import { parseArgs } from "node:util";
import { tellStory } from "./story.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    actions: { type: "string", default: "200" },
    dist: { type: "string" },
    verbose: { type: "boolean", short: "v", default: false },
  },
});

const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
const actions = Number(values.actions);
const stopped = new AbortController();
// Also when pressed twice: running programs are ended before this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopped.abort());

const sum = { seeds: 0, actions: 0, checks: 0, violations: 0, repaired: 0, failures: 0 };
for (let seed = first; seed < first + count && !stopped.signal.aborted; seed++) {
  const begun = Date.now();
  const story = await tellStory({
    seed,
    actions,
    signal: stopped.signal,
    ...(values.dist === undefined ? {} : { dist: values.dist }),
    ...(values.verbose ? { onAction: (line: string) => console.log(line) } : {}),
  });
  sum.seeds += 1;
  for (const key of ["actions", "checks", "violations", "repaired"] as const) sum[key] += story[key];
  const counts = `${story.actions} actions, ${story.checks} checks, ${story.violations} violations, ${story.repaired} repaired`;
  const seconds = Math.round((Date.now() - begun) / 1000);
  const verdict = stopped.signal.aborted ? "stopped" : story.failure === null ? "ok" : "FAILED";
  console.log(`seed ${seed}: ${verdict}, ${counts}, ${seconds} s`);
  if (verdict !== "FAILED") continue;
  sum.failures += 1;
  console.log(
    `${story.failure}\n\nagain: npx tsx test/chaos/soak.ts --seed ${seed} --actions ${story.actions}\n`,
  );
}
console.log(
  Object.entries(sum)
    .map(([what, number]) => `${what} ${number}`)
    .join(", "),
);
process.exitCode = sum.failures > 0 ? 1 : 0;
