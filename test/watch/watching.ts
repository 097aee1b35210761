// The built `hivemind watch`, running beside a test.

import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { mainProgram } from "../command.js";
import { hurriedProgram } from "../commands/build.js";
import type { TestLimits } from "../commands/client.js";
import { type TestHome, until } from "../home.js";

export interface Watching {
  pid: number;
  /** What it told so far, one JSON value a line. */
  facts(): Record<string, unknown>[];
  /** Resolves when a fact of this kind, with this in its text, was told. */
  tells(kind: string, text: string | RegExp): Promise<Record<string, unknown>>;
  /** Resolves to its exit code. */
  ends(signal: NodeJS.Signals): Promise<number | null>;
}

/** Resolves when it has begun to watch, or to look on. */
export async function startWatching(
  home: TestHome,
  args: readonly string[] = [],
  { env = {}, limits }: { env?: Record<string, string>; limits?: TestLimits } = {},
): Promise<Watching> {
  const hurry = limits === undefined ? {} : { HIVEMIND_TEST_LIMITS: JSON.stringify(limits) };
  const child: ChildProcess = spawn(
    process.execPath,
    [limits === undefined ? mainProgram : hurriedProgram, "watch", "--json", "--every", "1", ...args],
    {
      env: { ...home.env, ...env, ...hurry },
      cwd: home.work,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let printed = "";
  child.stdout!.setEncoding("utf8").on("data", (text) => (printed += text));
  const facts = () =>
    printed
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const tells: Watching["tells"] = (kind, text) =>
    until(`${kind}: ${text}`, () =>
      facts().find((each) => each.fact === kind && String(each.text).match(text) !== null),
    );
  await tells("began", /watching|looking on/);
  return {
    pid: child.pid!,
    facts,
    tells,
    ends(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
