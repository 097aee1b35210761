import { resolve } from "node:path";
import type { RefusedFile } from "../agents/claw/managed-store.js";
import { type ExitCode, HiveError, UsageError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { RebindStep } from "../fleet/rebind-plan.js";
import type { SessionEntry } from "../fleet/session-list.js";
import type { Hive } from "../hive.js";
import { isField } from "../names/gates.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import { agreedTo } from "./agreement.js";
import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";
import { boundaryNote, workspaceHere } from "./here.js";
import { shown } from "./output.js";
import { type KnownSessions, knownSessions, refArgument, rolesThere } from "./sessions-known.js";

export const sessionsRebind: Command = {
  words: "sessions rebind",
  about: "sessions of a clone that was moved here become this folder's",
  args: [{ ...refArgument, isOptional: true }],
  options: [
    {
      name: "from",
      about: "all sessions of this folder, where the clone was before",
      value: "folder",
      meaning: "path",
    },
    {
      name: "copy",
      about: "the other folder is still there: make copies, under new ids where ids are global",
    },
  ],
  asks: "changes sessions that were not named one by one",
  examples: [
    "hivemind sessions rebind",
    "hivemind sessions rebind --from ~/src/old-name",
    "hivemind sessions rebind 15533422 --copy",
  ],
  get notes() {
    return (
      "Without REF or --from: the managed sessions that lie in this clone and are bound to another folder. A transcript of\n" +
      "Claude's is written anew under this folder, with this folder in its records, and the old file goes to the trash\n" +
      `(hivemind sessions restore). One that somebody works in is refused.\n${boundaryNote()}`
    );
  },
  async run(cli, input) {
    if (input.arg("ref") !== undefined && input.option("from") !== undefined) {
      throw new UsageError("sessions rebind takes REF or --from FOLDER, not both");
    }
    const here = workspaceHere();
    const known = await knownSessions(cli, input);
    const steps = await planOf(cli, input, known, here);
    if (steps.length === 0) throw nothing(known, here, input);
    await refuseBusy(cli, known.hive, steps, here);
    const lines = steps.map((step) => line(step, here));
    for (const each of lines) cli.out.note(`  ${each}`);
    const would = `change ${steps.length === 1 ? "this session" : `these ${steps.length} sessions`}`;
    const command = ["sessions rebind", ...asTyped(input)].join(" ");
    await agreedTo(input, { would: input.arg("ref") === undefined ? [would] : [], command });
    // A person may have thought about it for long.
    await refuseBusy(cli, known.hive, steps, here);
    return takeAll(cli, known, steps, here);
  },
};

async function planOf(cli: Cli, input: Input, known: KnownSessions, here: Workspace): Promise<RebindStep[]> {
  const { rebindManaged, rebindTranscript } = await import("../fleet/rebind-plan.js");
  const { openManagedSessions } = await import("../agents/claw/managed-store.js");
  const [ref, from, isCopyAllowed] = [input.arg("ref"), input.option("from"), input.flag("copy")];
  const old = from === undefined ? null : openWorkspace(resolve(from));
  if (old?.path === here.path) throw new HiveError(`${shown(here.path)} is this folder`);

  const isMeant = ({ id, workspaceRoot }: RefusedFile) =>
    old === null ? ref === undefined || id === ref : openWorkspace(workspaceRoot ?? "").path === old.path;
  const { refused } = openManagedSessions({ folder: here.path, env: cli.env }).list();
  const managed = rebindManaged(refused, isMeant, isCopyAllowed);
  if (ref !== undefined && managed.length > 0) return managed;
  const meant = ref === undefined ? held(known, old) : [await transcriptNamed(ref, known, here)].flat();
  return [...managed, ...meant.flatMap((entry) => rebindTranscript(entry, here, isCopyAllowed))];
}

/** What was said in that folder; an agent there that has not spoken yet has nothing to bring. */
function held({ every }: KnownSessions, old: Workspace | null): SessionEntry[] {
  return every.flatMap((entry) => {
    if (old === null || entry.store !== "transcripts" || entry.path === null) return [];
    return entry.workspace?.path === old.path ? entry : [];
  });
}

async function transcriptNamed(
  ref: string,
  { hive, fleet, every, problems, refused }: KnownSessions,
  here: Workspace,
): Promise<SessionEntry | []> {
  const { findSession } = await import("../fleet/session-find.js");
  // A run that was stopped leaves the session in both folders.
  const elsewhere = every.filter(({ workspace }) => workspace?.path !== here.path);
  const isElsewhere = elsewhere.some(({ id }) => id.startsWith(ref));
  const entry = findSession(ref, isElsewhere ? elsewhere : every, {
    here: null,
    paneNamed: (typed) => hive.paneNamed(fleet, typed),
    roles: rolesThere({ hive, fleet }),
    problems,
    refused,
  });
  if (entry.store === "transcripts") return entry;
  if (entry.workspace?.path === here.path) return [];
  throw new HiveError(`${entry.id} lies in the store of ${shown(entry.workspace?.path)}, not in this clone`, {
    hint: "a clone that is moved takes its managed sessions along; those that are here: hivemind sessions rebind",
  });
}

/** Before anything is changed. A copy leaves its original alone. */
async function refuseBusy(
  cli: Cli,
  hive: Hive,
  steps: readonly RebindStep[],
  here: Workspace,
): Promise<void> {
  const { refuseClawIn, refuseInUse } = await import("../teams/in-use.js");
  const fleet = await hive.observe();
  for (const step of steps) {
    if (step.how === "move") refuseInUse(step.entry, fleet, { env: cli.env, stores: hive.stores });
    if (step.how === "bind") refuseClawIn(here, step.id, fleet);
  }
}

/** One that is refused does not keep the others from coming over. */
async function takeAll(
  cli: Cli,
  known: KnownSessions,
  steps: readonly RebindStep[],
  here: Workspace,
): Promise<ExitCode | undefined> {
  let failure: ExitCode | undefined;
  for (const step of steps) {
    try {
      cli.out.print(await take(cli, known, step, here));
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      failure ??= error.exitCode;
      cli.out.note(`hivemind: ${shown(error.message)}`);
      if (error.hint) cli.out.note(`  ${shown(error.hint)}`);
    }
  }
  return failure;
}

/** What came of it, in words. */
async function take(
  { env }: Cli,
  { hive }: KnownSessions,
  step: RebindStep,
  here: Workspace,
): Promise<string> {
  if (step.how === "bind") {
    const { openManagedSessions } = await import("../agents/claw/managed-store.js");
    const rebound = await openManagedSessions({ folder: here.path, env }).rebind({ file: step.path });
    await log(hive, rebound.id, rebound.from, here);
    return `${rebound.id} belongs to ${shown(here.path)} now`;
  }
  const { copyTranscriptTo, moveTranscriptTo } = await import("../teams/rebind-transcript.js");
  const { entry, from } = step;
  if (step.how === "copy") {
    const child = copyTranscriptTo(entry, { from, to: here.path });
    await hive.emit({ name: "session.forked", parent: entry.id, child });
    return `copied ${entry.id} as ${child} to ${shown(here.path)}`;
  }
  await moveTranscriptTo(entry, { from, to: here.path }, hive.stores.trash);
  await log(hive, entry.id, from, here);
  return `${entry.id} belongs to ${shown(here.path)} now; its old file is in the trash`;
}

async function log(
  hive: Hive,
  session: string,
  from: string | null,
  { path, fingerprint }: Workspace,
): Promise<void> {
  // A folder may have characters in its name that no row can hold.
  const field = (text: string, or: string) => (isField(text) ? text : or);
  await hive.emit({
    name: "session.rebound",
    session,
    from: from === null ? null : field(from, openWorkspace(from).fingerprint),
    to: field(path, fingerprint),
  });
}

function line(step: RebindStep, here: Workspace): string {
  if (step.how === "bind") return `${step.id}: bound to ${shown(here.path)}, instead of: ${shown(step.why)}`;
  const { entry, from } = step;
  const title = entry.title === null ? "" : ` (${shown(entry.title)})`;
  const deed = step.how === "move" ? "moved" : "copied under a new id";
  return `${entry.id}${title}: ${deed} from ${shown(from)} to ${shown(here.path)}`;
}

function asTyped(input: Input): string[] {
  const [ref, from] = [input.arg("ref"), input.option("from")];
  return [
    ref === undefined ? [] : shellWord(ref),
    from === undefined ? [] : ["--from", shellWord(from)],
    input.flag("copy") ? "--copy" : [],
  ].flat();
}

/** A moved clone does not say where it was; folders that are gone and have sessions are what it may be. */
function nothing({ every }: KnownSessions, here: Workspace, input: Input): HiveError {
  if (input.arg("ref") !== undefined || input.option("from") !== undefined) {
    return new HiveError(
      `there is nothing to bring to ${shown(here.path)}: it is here already, or there is none`,
      {
        hint: "hivemind sessions --all",
      },
    );
  }
  const gone = every.flatMap(({ workspace }) =>
    workspace === null || workspace.isCanonical ? [] : workspace.path,
  );
  const [first] = [...new Set(gone)];
  return new HiveError(`no managed session in ${shown(here.path)} is bound to another folder`, {
    hint:
      first === undefined
        ? "hivemind sessions"
        : `if the clone was at ${shown(first)} before: hivemind sessions rebind --from ${shellWord(first)}`,
  });
}
