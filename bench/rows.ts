// Questions to a million rows of the forks file (S5), against an awk that reads all of it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bar } from "./bar.js";
import { whole } from "./bar.js";
import { makeCorpus } from "./corpus.js";
import { makeBenchHome } from "./home.js";
import { medianOf, type Timed, usedInTurns } from "./used.js";

const rows = 1_000_000;
const sessionOf = (at: number) => `${at.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

const questions: readonly { args: string[]; bar: number }[] = [
  { args: ["forks", "list", "--uuid", sessionOf(77)], bar: 2 },
  { args: ["history", "team7:0.0"], bar: 3 },
  { args: ["lineage"], bar: 5 },
  { args: ["sessions"], bar: 2 },
];

export async function rowBars(count = rows): Promise<Bar[]> {
  const home = makeBenchHome("rows");
  try {
    const { root, env } = home;
    makeCorpus({ folder: env.CLAUDE_CONFIG_DIR!, transcripts: 100, bytes: 20e6, workFolder: root });
    const path = join(env.HIVEMIND_CONFIG_DIR!, "hivemind.forks.env");
    const state = (at: number) => (at % 9 === 0 ? "live" : "stable");
    const row = (at: number) =>
      `2026-04-22T08:52:40Z|team${at % 40}:0.${at % 7}|role-${at % 40}|${sessionOf(at % 5000)}|${state(at)}|`;
    writeFileSync(path, `${Array.from({ length: count }, (_, at) => row(at)).join("\n")}\n`);
    const awk: Timed = { program: "awk", args: ["-F|", `$4 == "${sessionOf(77)}"`, path] };
    const commands = questions.map(({ args }) => home.hivemind(...args));
    const [least, ...own] = usedInTurns([awk, ...commands], 5);
    const awkMs = medianOf(least!, "wallMs");
    return questions.map(({ args, bar }, at) => {
      const ms = medianOf(own[at]!, "wallMs");
      const spent = `${whole(medianOf(own[at]!, "cpuMs"))} ms of processor time, ${whole(medianOf(own[at]!, "residentMb"))} MB`;
      const name = `\`${args.slice(0, 2).join(" ")}\` with ${count / 1e6} M rows / awk`;
      return { name, ratio: ms / awkMs, bar, detail: `${whole(ms)} ms to ${whole(awkMs)} ms; ${spent}` };
    });
  } finally {
    home.remove();
  }
}
