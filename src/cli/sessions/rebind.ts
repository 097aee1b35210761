import { resolve } from "node:path";
import type { RefusedFile } from "../../agents/claw/managed-store.js";
import { type ExitCode, HiveError, UsageError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import type { RebindStep } from "../../fleet/sessions/rebind-plan.js";
import type { SessionEntry } from "../../fleet/sessions/session-list.js";
import type { Hive } from "../../hive/hive.js";
import { isField } from "../../names/gates.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";
import { confirmOrRefuse } from "../ask.js";
import { asTyped, type Cli, type Command, type Input } from "../command.js";
import { shown } from "../output.js";
import { boundaryNote, currentWorkspace } from "../workspace.js";
import { type KnownSessions, knownSessions, refArgument, sessionNamed } from "./known.js";

export const sessionsRebind: Command = {
  words: "sessions rebind",
  about: "assign sessions of a moved folder to this folder",
  args: [{ ...refArgument, isOptional: true }],
  options: [
    {
      name: "from",
      about: "all sessions of the folder this clone was moved from",
      value: "folder",
      meaning: "path",
    },
    {
      name: "copy",
      about: "copy, if the other folder still exists; Claude's copies get new ids",
    },
  ],
  asks: "changes several sessions",
  examples: [
    "hivemind sessions rebind",
    "hivemind sessions rebind --from ~/src/old-name",
    "hivemind sessions rebind 15533422 --copy",
  ],
  get notes() {
    return (
      "Without REF and --from: claw's sessions in this clone that are bound to another folder. A Claude transcript is\n" +
      "rewritten with this folder in its records, and the old file goes to the trash (hivemind sessions restore).\n" +
      `Refuses a session that is in use.\n${boundaryNote()}`
    );
  },
  async run(cli, input) {
    if (input.arg("ref") !== undefined && input.option("from") !== undefined) {
      throw new UsageError("sessions rebind takes REF or --from FOLDER, not both");
    }
    const here = currentWorkspace();
    const known = await knownSessions(cli, input);
    const steps = await planOf(cli, input, known, here);
    if (steps.length === 0) throw nothing(known, here, input);
    await refuseBusy(cli, known.hive, steps, here);
    for (const step of steps) cli.out.note(`  ${line(step, here)}`);
    const would = `change ${steps.length === 1 ? "this session" : `these ${steps.length} sessions`}`;
    const command = ["sessions rebind", ...asTyped(input, this.options!)].join(" ");
    await confirmOrRefuse(input, { would: input.arg("ref") === undefined ? [would] : [], command });
    // A session may have been opened during the question.
    await refuseBusy(cli, known.hive, steps, here);
    return takeAll(cli, known, steps, here);
  },
};

async function planOf(cli: Cli, input: Input, known: KnownSessions, here: Workspace): Promise<RebindStep[]> {
  const { rebindManaged, rebindTranscript } = await import("../../fleet/sessions/rebind-plan.js");
  const { openManagedSessions } = await import("../../agents/claw/managed-store.js");
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

/** The sessions of that folder that have a transcript; one without a message has none to move. */
function held({ every }: KnownSessions, old: Workspace | null): SessionEntry[] {
  return every.flatMap((entry) => {
    if (old === null || entry.store !== "transcripts" || entry.path === null) return [];
    return entry.workspace?.path === old.path ? entry : [];
  });
}

async function transcriptNamed(
  ref: string,
  known: KnownSessions,
  here: Workspace,
): Promise<SessionEntry | []> {
  // An interrupted run leaves the session in both folders.
  const elsewhere = known.every.filter(({ workspace }) => workspace?.path !== here.path);
  const every = elsewhere.some(({ id }) => id.startsWith(ref)) ? elsewhere : known.every;
  const wide = { ...known, here: null, every };
  const entry = await sessionNamed(ref, wide, { isRunningElsewhereMeant: false });
  if (entry.store === "transcripts") return entry;
  if (entry.workspace?.path === here.path) return [];
  throw new HiveError(`${entry.id} is stored in ${shown(entry.workspace?.path)}, not in this clone`, {
    hint: "claw's sessions move with their clone; to rebind those in this clone: hivemind sessions rebind",
  });
}

/** Runs before any change. A copy does not touch its original, so it may be in use. */
async function refuseBusy(
  cli: Cli,
  hive: Hive,
  steps: readonly RebindStep[],
  here: Workspace,
): Promise<void> {
  const { refuseClawIn, refuseInUse } = await import("../../teams/in-use.js");
  const fleet = await hive.observe();
  for (const step of steps) {
    if (step.how === "move") refuseInUse(step.entry, fleet, { env: cli.env, stores: hive.stores });
    if (step.how === "bind") refuseClawIn(here, step.id, fleet);
  }
}

/** A refused session does not stop the others. */
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

/** Returns the line to print. */
async function take(
  { env }: Cli,
  { hive }: KnownSessions,
  step: RebindStep,
  here: Workspace,
): Promise<string> {
  if (step.how === "bind") {
    const { openManagedSessions } = await import("../../agents/claw/managed-store.js");
    const rebound = await openManagedSessions({ folder: here.path, env }).rebind({ file: step.path });
    await log(hive, rebound.id, rebound.from, here);
    return `${rebound.id} now belongs to ${shown(here.path)}`;
  }
  const { copyTranscriptTo, moveTranscriptTo } = await import("../../teams/rebind-transcript.js");
  const { entry, from } = step;
  if (step.how === "copy") {
    const child = copyTranscriptTo(entry, { from, to: here.path });
    await hive.emit({ name: "session.forked", parent: entry.id, child });
    return `copied ${entry.id} as ${child} to ${shown(here.path)}`;
  }
  await moveTranscriptTo(entry, { from, to: here.path }, hive.stores.trash);
  await log(hive, entry.id, from, here);
  return `${entry.id} now belongs to ${shown(here.path)}; its old file is in the trash`;
}

async function log(
  hive: Hive,
  session: string,
  from: string | null,
  { path, fingerprint }: Workspace,
): Promise<void> {
  // A folder name may contain characters that a row cannot hold.
  const field = (text: string, or: string) => (isField(text) ? text : or);
  await hive.emit({
    name: "session.rebound",
    session,
    from: from === null ? null : field(from, openWorkspace(from).fingerprint),
    to: field(path, fingerprint),
  });
}

function line(step: RebindStep, here: Workspace): string {
  if (step.how === "bind") return `${step.id}: bind to ${shown(here.path)}; now: ${shown(step.why)}`;
  const { entry, from } = step;
  const title = entry.title === null ? "" : ` (${shown(entry.title)})`;
  const deed = step.how === "move" ? "move" : "copy under a new id";
  return `${entry.id}${title}: ${deed} from ${shown(from)} to ${shown(here.path)}`;
}

/** A moved clone does not record where it was, so the hint proposes a missing folder that has sessions. */
function nothing({ every }: KnownSessions, here: Workspace, input: Input): HiveError {
  if (input.arg("ref") !== undefined || input.option("from") !== undefined) {
    const why = "already there, or no such session";
    return new HiveError(`nothing to rebind to ${shown(here.path)}: ${why}`, {
      hint: "hivemind sessions --all",
    });
  }
  const gone = every.flatMap(({ workspace }) =>
    workspace === null || workspace.isCanonical ? [] : workspace.path,
  );
  const [first] = [...new Set(gone)];
  return new HiveError(`no claw session in ${shown(here.path)} is bound to another folder`, {
    hint:
      first === undefined
        ? "hivemind sessions"
        : `if this clone was at ${shown(first)}: hivemind sessions rebind --from ${shellWord(first)}`,
  });
}
