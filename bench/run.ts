// npm run bench [-- PART… OPTIONS]: measures, prints, and writes bench/RESULTS.md.
//
//   --transcripts N --megabytes N --seed N --shape usual|few-huge|no-family   the corpus
//   --panes N --agents N --rounds N    the panes, how many of them run agents, and how often each warm command runs
//   --huge                             20 GB in 20,000 transcripts, 200 agents; only `waits`
//   --watch-minutes N                  only `watch` with 50 agents that do nothing
//   --node N                           all of it under the newest node of this major
//
// The part `warm` is the warm commands of `waits` alone. The page is written by a run with all parts and the usual
// sizes, and by `warm --node N`, --huge and --watch-minutes.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { otherNode } from "../test/nodes.js";
import { actBars } from "./acts.js";
import { type Bar, isMet } from "./bar.js";
import { codexBars } from "./codex.js";
import { shapeNamed } from "./corpus.js";
import { hookBars } from "./hooks.js";
import { idleBars } from "./idle.js";
import { opencodeBars } from "./opencode.js";
import { printBars, type Section, writeBars } from "./results.js";
import { rowBars } from "./rows.js";
import { type WaitOptions, waitBars, warmOnlyBars } from "./waits.js";

const numbers = ["transcripts", "megabytes", "seed", "panes", "agents", "rounds"] as const;
const text = { type: "string" } as const;
const { values, positionals: wanted } = parseArgs({
  options: {
    node: text,
    ...{ transcripts: text, megabytes: text, seed: text, panes: text, agents: text, rounds: text },
    ...{ shape: text, "watch-minutes": text, huge: { type: "boolean", default: false } },
  },
  allowPositionals: true,
});
const major = values.node ?? process.versions.node.split(".")[0];
if (!process.version.startsWith(`v${major}.`)) {
  const again = ["--import", "tsx", fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exit(spawnSync(await otherNode(Number(major)), again, { stdio: "inherit" }).status ?? 1);
}
const given = Object.fromEntries(
  numbers.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])]])),
) as Partial<Record<(typeof numbers)[number], number>>;
const minutes = values["watch-minutes"];
const huge: WaitOptions = { transcripts: 20_000, megabytes: 20_000, panes: 200, agents: 200 };
const waits: WaitOptions = {
  ...(values.huge ? huge : {}),
  ...given,
  ...(values.shape === undefined ? {} : { shape: shapeNamed(values.shape) }),
};

const remarks: string[] = [];
const usual: Readonly<Record<string, () => Promise<Bar[]>>> = {
  waits: () => waitBars(waits, (remark) => remarks.push(remark)),
  codex: () => codexBars(),
  opencode: () => opencodeBars(),
  acts: () => actBars(),
  rows: () => rowBars(),
  hooks: hookBars,
};
const isWarmOnly = wanted.length === 1 && wanted[0] === "warm";
const { section, parts } = chosen();
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}; there are: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

const bars: Bar[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  bars.push(...(await measure()));
}

printBars(bars);
for (const remark of remarks) console.log(remark);
const isOther = Object.keys(given).length > 0 || values.shape !== undefined;
if (!isOther && (wanted.length === 0 || (isWarmOnly && values.node !== undefined)))
  writeBars(section, bars, remarks);
process.exitCode = bars.every(isMet) ? 0 : 1;

function chosen(): { section: Section; parts: typeof usual } {
  if (minutes !== undefined) {
    const { agents, transcripts } = given;
    const options = {
      ...(agents === undefined ? {} : { agents }),
      ...(transcripts === undefined ? {} : { transcripts }),
    };
    return { section: "idle", parts: { watch: () => idleBars({ minutes: Number(minutes), ...options }) } };
  }
  const warm = () => warmOnlyBars(waits, (remark) => remarks.push(remark));
  if (isWarmOnly) return { section: `warm${major}` as Section, parts: { warm } };
  if (values.huge) return { section: "huge", parts: { waits: usual.waits! } };
  return { section: "usual", parts: usual };
}
