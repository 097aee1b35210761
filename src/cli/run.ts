// One run of the command: opens the outside, runs what was typed, and says what went wrong.
//
// [RUN1] A reader that went away (`hivemind events | head -1`) is no error of ours: work that can be interrupted stops at
//        a whole step, everything else ends at once.
// [RUN2] Output that could not be written for another reason is an error.

import { basename } from "node:path";
import { type ExitCode, errorCode, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Hive } from "../hive.js";
import { limits } from "../limits.js";
import type { Progress } from "../transcripts/scan-all.js";
import { byteBar } from "./byte-bar.js";
import { type Cli, outputLost } from "./cli.js";
import { folderGone } from "./here.js";
import { type Output, openOutput } from "./output.js";
import { runProgram } from "./program.js";
import { seedPrograms } from "./seed-names.js";

export async function runCli(host: NodeJS.Process): Promise<ExitCode> {
  const out = openOutput(host.env, host.stdout, host.stderr);
  let interruption: AbortController | undefined;
  let lost: ExitCode = exitCodes.done;
  for (const stream of [host.stdout, host.stderr]) {
    stream.on("error", (error) => {
      if (!isReaderGone(error) && lost === exitCodes.done) {
        lost = host.exitCode = exitCodes.refused;
        if (stream === host.stdout) out.note(`hivemind: could not write the output (${errorCode(error)})`);
      }
      if (interruption === undefined) host.exit(lost);
      interruption.abort(outputLost);
    });
  }
  const name = basename(host.argv[1] ?? "");
  let opened: Promise<Hive> | undefined;
  const cli: Cli = {
    env: host.env,
    out,
    self: selfOf(host.argv[1] ?? ""),
    hive: () => (opened ??= openHive(host.env, out)),
    untilInterrupted() {
      interruption ??= abortedBySignals(host);
      return interruption.signal;
    },
  };
  try {
    return (await runProgram(cli, host.argv.slice(2), name)) || lost;
  } catch (error) {
    return explain(folderGone(error), out);
  }
}

/** By its name when it is installed, by its path when it runs from a clone. The seeds' other programs have fewer verbs. */
function selfOf(script: string): string {
  const name = basename(script);
  if (["hivemind", "hm", "hiveMind"].includes(name)) return name;
  return Object.hasOwn(seedPrograms, name) ? "hivemind" : `node ${script}`;
}

async function openHive(env: NodeJS.ProcessEnv, out: Output): Promise<Hive> {
  const { openHive } = await import("../hive.js");
  return openHive({
    env,
    report: (warning) => out.note(`hivemind: ${harmless(warning)}`),
    onProgress: (progress) => out.progress(readingLine(progress)),
  });
}

/** Only the first look at a large folder takes long enough to be seen. */
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

/** A HiveError is for a person: message and what to type. Anything else is a bug and keeps its stack. */
function explain(error: unknown, out: Output): ExitCode {
  out.progress(null);
  if (!(error instanceof HiveError)) {
    out.note(`hivemind ${HIVEMIND_VERSION}: this is a bug. Please report it with what you typed and this:`);
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const line of told.split("\n")) out.note(harmless(line));
    return exitCodes.refused;
  }
  out.note(`hivemind: ${harmless(error.message)}`);
  if (error.hint) out.note(`  ${harmless(error.hint)}`);
  return error.exitCode;
}
