// The far side of `team pull` and `team migrate`: started over ssh by another hivemind, never typed by a person.

import { type ExitCode, exitCodes } from "../base/errors.js";
import { greetingLine } from "../moving/greeting.js";
import { serve } from "../moving/serve.js";
import { openWire } from "../moving/wire.js";
import { TmuxError } from "../tmux/error.js";
import type { Cli } from "./cli.js";

export async function serveFar(cli: Cli): Promise<ExitCode> {
  const { stdin, stdout } = process;
  const gone = new AbortController();
  // Whoever asked is gone: what is being done stops at a whole step instead of in the middle.
  stdout.removeAllListeners("error").on("error", () => gone.abort());
  const hive = await cli.hive();
  cli.out.print(
    greetingLine({ version: HIVEMIND_VERSION, tmuxTrouble: await tmuxTrouble(() => hive.panes()) }),
  );
  const wire = openWire(stdin, stdout);
  const tell = (message: { is: string; line: string | null }) => void wire.send(message).catch(() => {});
  const voice = {
    progress: (line: string | null) => tell({ is: "progress", line }),
    note: (line: string) => tell({ is: "said", line }),
  };
  try {
    await serve({ ...hive.teamWorld(voice, gone.signal), whileChanging: hive.whileChanging }, wire);
  } finally {
    // However it ended: whoever asked sees the end, and does not wait for an answer that cannot come.
    stdin.destroy();
  }
  return exitCodes.done;
}

async function tmuxTrouble(ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof TmuxError) return error.message;
    throw error;
  }
}
