// The remote side of `team pull` and `team migrate`. Another hivemind starts it over ssh; nobody types it.

import { type ExitCode, exitCodes } from "../../base/errors.js";
import { greetingLine } from "../../hosts/wire/far.js";
import { serve } from "../../hosts/wire/serve.js";
import { openWire } from "../../hosts/wire/wire.js";
import { TmuxError } from "../../tmux/error.js";
import type { Cli } from "../command.js";
import { watcherBack } from "../watch/bring-back.js";

export async function serveFar(cli: Cli): Promise<ExitCode> {
  const { stdin, stdout } = process;
  const gone = new AbortController();
  // The caller is gone: work stops between steps instead of in the middle of one.
  stdout.removeAllListeners("error").on("error", () => gone.abort());
  const hive = await cli.hive();
  cli.out.print(
    greetingLine({ version: HIVEMIND_VERSION, tmuxTrouble: await tmuxTrouble(() => hive.panes()) }),
  );
  const wire = openWire(stdin, stdout);
  const send = (message: { is: string; line: string | null }) => void wire.send(message).catch(() => {});
  const voice = {
    progress: (line: string | null) => send({ is: "progress", line }),
    note: (line: string) => send({ is: "said", line }),
  };
  const hasServer = async () =>
    hive.panes().then(
      (seen) => seen.server !== null,
      () => null,
    );
  const before = await hasServer();
  try {
    await serve({ ...hive.teamWorld(voice, gone.signal), whileChanging: hive.whileChanging }, wire);
    // The team that arrived is the first one here: the watcher ended with the tmux server before.
    if (before === false && (await hasServer()) === true) await watcherBack(cli, { isJson: true });
  } finally {
    // However this ends, the caller sees the end and does not wait for an answer that cannot come.
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
