// The one session that a command is about: named by REF, or by its file.

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, exitCodes, HiveError, UsageError } from "../base/errors.js";
import type { AnySession } from "../fleet/session-list.js";
import { isSessionId } from "../names/gates.js";
import { isManagedId } from "../names/managed-id.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import type { Cli } from "./cli.js";
import type { Argument, Command, Input, Option } from "./command.js";
import { workspaceOrNull } from "./here.js";
import { shown } from "./output.js";
import { type KnownSessions, knownSessions, refArgument, sessionMeant } from "./sessions-known.js";

export const refOrFile: Argument = {
  ...refArgument,
  about: `${refArgument.about}; needed unless --file`,
  isOptional: true,
};

export const fileOption: Option = {
  name: "file",
  about: "the session with this file, in whichever folder, instead of REF",
  value: "path",
  meaning: "path",
};

export type Meant = KnownSessions & { entry: AnySession };

export async function meantOrFile(cli: Cli, input: Input, words: Command["words"]): Promise<Meant> {
  const { known, entry } = await fileOrMeant(cli, input, words);
  if (entry !== null) return { ...known, entry };
  await refuseManagedFile(cli, input.option("file")!);
  throw new HiveError(`${shown(input.option("file"))} is no session that is known`, {
    hint: "those that are: hivemind sessions --all",
  });
}

/** `entry` is null for a file that belongs to no session that is known. */
export async function fileOrMeant(
  cli: Cli,
  input: Input,
  words: Command["words"],
): Promise<{ known: KnownSessions; entry: AnySession | null }> {
  const [ref, file] = [input.arg("ref"), input.option("file")];
  if ((ref === undefined) === (file === undefined)) {
    const what = ref === undefined ? "needs REF or --file PATH" : "takes REF or --file PATH, not both";
    throw new UsageError(`${words} ${what}`, { hint: `hivemind ${words} --help` });
  }
  if (file === undefined) {
    const meant = await sessionMeant(cli, input, words !== "sessions rm");
    return { known: meant, entry: meant.entry };
  }
  const path = realPath(file);
  const known = await knownSessions(cli, input);
  const named = known.every.filter((each) => each.path !== null && basename(each.path) === basename(path));
  const entry = named.find((each) => realPath(each.path!) === path);
  const id = basename(path, ".jsonl");
  if (entry === undefined && isSessionId(id)) refuseUnseen(`session ${id}`, id, known.problems);
  return { known, entry: entry ?? null };
}

/** A file of claw's that no list has is refused with the store's reason, such as the folder it is bound to. */
async function refuseManagedFile({ env }: Cli, file: string): Promise<void> {
  const name = basename(realPath(file)).replace(/\.jsonl?$/, "");
  const folder = workspaceOrNull()?.path;
  if (folder === undefined || isSessionId(name) || !isManagedId(name)) return;
  const { openManagedSessions } = await import("../agents/claw/managed-store.js");
  openManagedSessions({ folder, env }).load({ file });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes(errorCode(cause) ?? "");
    if (isMissing) throw new HiveError(`there is no file ${shown(path)}`, { cause });
    const exitCode = exitCodes.couldNotLook;
    throw new HiveError(`could not read ${shown(path)}: ${(cause as Error).message}`, { exitCode, cause });
  }
}
