// The built `hivemind watch`, running beside a test.

import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { mainProgram } from "../command.js";
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

/** Resolves when it has begun to watch. */
export async function startWatching(
  home: TestHome,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Watching> {
  const child: ChildProcess = spawn(
    process.execPath,
    [mainProgram, "watch", "--json", "--every", "1", ...args],
    {
      env: { ...home.env, ...env },
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
  await tells("began", "watching");
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
