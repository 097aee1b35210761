// One run of the program: opens the outside, runs the typed command, and prints any error.
//
// A reader that goes away (`hivemind events | head -1`) is not an error: work that can be interrupted stops between
// steps, everything else ends at once. Output that cannot be written for another reason is an error.

import { basename } from "node:path";
import { type ExitCode, errorCode, exitCodes, HiveError } from "../base/errors.js";
import { once } from "../base/once.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import type { Progress } from "../transcripts/scan/scan-all.js";
import { type Cli, type Draft, outputLost } from "./command.js";
import { byteBar, type Output, openOutput } from "./output.js";
import { runProgram } from "./program.js";
import { seedPrograms } from "./seed-names.js";
import { folderGone } from "./workspace.js";

export async function runCli(host: NodeJS.Process): Promise<ExitCode> {
  let interruption: AbortController | undefined;
  let lost: ExitCode = exitCodes.done;
  const watched = (stream: NodeJS.WriteStream) =>
    stream.on("error", (error) => {
      if (!isReaderGone(error) && lost === exitCodes.done) {
        lost = host.exitCode = exitCodes.refused;
        if (stream === host.stdout) out.note(`hivemind: could not write the output (${errorCode(error)})`);
      }
      if (interruption === undefined) host.exit(lost);
      interruption.abort(outputLost);
    });
  // Node takes a while to open a stream, and most commands have nothing to say on stderr.
  const errors = once(() => watched(host.stderr));
  const stderr = {
    get isTTY() {
      return errors().isTTY === true;
    },
    write: (text: string) => errors().write(text),
  };
  const out = openOutput(host.env, watched(host.stdout), stderr);
  const name = basename(host.argv[1] ?? "");
  let opened: Promise<Hive> | undefined;
  const cli: Cli = {
    env: host.env,
    out,
    self: selfOf(host.argv[1] ?? ""),
    program: [host.argv[0] ?? "", host.argv[1] ?? ""],
    hive: (draft) => (opened ??= openHive(cli, draft)),
    untilInterrupted() {
      interruption ??= abortedBySignals(host);
      return interruption.signal;
    },
  };
  try {
    const exitCode = await runProgram(cli, host.argv.slice(2), name);
    // A stream reports a failed write only in a later turn.
    await new Promise(setImmediate);
    return exitCode || lost;
  } catch (error) {
    return explain(folderGone(error), out);
  }
}

/** The program's name if installed, its path in a clone. Never a seed program: those know too few verbs. */
function selfOf(script: string): string {
  const name = basename(script);
  if (["hivemind", "hm", "hiveMind"].includes(name)) return name;
  return Object.hasOwn(seedPrograms, name) ? "hivemind" : `node ${script}`;
}

async function openHive(
  { env, program, out }: Pick<Cli, "env" | "program" | "out">,
  draft: Draft = () => [],
): Promise<Hive> {
  const { openHive } = await import("../hive/hive.js");
  return openHive({
    ...{ env, program, looksFirst: true },
    claims: async (stores) => (await import("../link/claims.js")).claimGate(env, stores),
    report: (warning) => out.note(`hivemind: ${harmless(warning)}`),
    onProgress(progress) {
      const line = readingLine(progress);
      out.progress(line === null ? null : [...draft(progress), line]);
    },
  });
}

/** Null unless there is enough to read that a person would notice: in practice the first scan of a large folder. */
function readingLine({ totalFiles, doneBytes, totalBytes }: Progress): string | null {
  const isMuch = totalBytes >= limits.progressFromBytes || totalFiles >= limits.progressFromFiles;
  if (doneBytes >= totalBytes || !isMuch) return null;
  return `reading transcripts ${byteBar(doneBytes, totalBytes)}`;
}

/** The other end of a pipe, or a terminal, was closed. */
function isReaderGone(error: Error): boolean {
  return ["EPIPE", "EIO", "ERR_STREAM_DESTROYED"].includes(errorCode(error) ?? "");
}

function abortedBySignals(host: NodeJS.Process): AbortController {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) host.once(name, () => controller.abort(name));
  return controller;
}

/** Prints a HiveError as message and hint. Any other error is a bug, printed with its stack. */
function explain(error: unknown, out: Output): ExitCode {
  out.progress(null);
  if (!(error instanceof HiveError)) {
    out.note(`hivemind ${HIVEMIND_VERSION}: this is a bug. Please report it with what you typed and this:`);
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of trace.split("\n")) out.note(harmless(line));
    return exitCodes.refused;
  }
  out.note(`hivemind: ${harmless(error.message)}`);
  if (error.hint) out.note(`  ${harmless(error.hint)}`);
  return error.exitCode;
}
