// How fast the command starts, compared with an empty node.

import { fileURLToPath } from "node:url";
import { type Bar, medianTimes } from "./bar.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));

export async function startBars(): Promise<Bar[]> {
  const node = process.execPath;
  const [empty, help] = medianTimes(
    [
      { program: node, args: ["-e", "0"] },
      { program: node, args: [main, "--help"] },
    ],
    41,
  );
  const detail = `${help!.toFixed(0)} ms against ${empty!.toFixed(0)} ms`;
  return [{ name: "`hivemind --help` against `node -e 0`", ratio: help! / empty!, bar: 1.6, detail }];
}
