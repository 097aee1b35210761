import { clientFor } from "../../agents/claude/client-for.js";
import { HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import type { ManagedEntry, SessionEntry } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import { role, teamName } from "../../names/gates.js";
import { isStartedKind, startedKinds } from "../../names/kind.js";
import { refuseUnseen } from "../../transcripts/unreadable.js";
import { joiningTeam, sayWaiting } from "../agent/spawn-options.js";
import { type Cli, type Command, given, type Input, ifGiven } from "../command.js";
import { shown } from "../output.js";
import { boundaryNote, currentWorkspace } from "../workspace.js";
import { allOption, fileOption, fileOrMeant, type KnownSessions, refOrFile } from "./known.js";

export const sessionsFork: Command = {
  words: "sessions fork",
  about: "copy a session; needs no running agent",
  args: [refOrFile],
  options: [
    {
      name: "branch",
      about: "the copy's name (default: the session's title plus \"(branch)\")",
      value: "name",
    },
    {
      name: "into",
      about: "start the copy in this pane: an ended one, or an idle shell",
      value: "pane",
      meaning: "pane",
    },
    {
      name: "as",
      about: "with --into: the new agent's role (default: the pane's)",
      value: "role",
      meaning: "role",
    },
    {
      name: "kind",
      about: "with --into: the kind of the new agent (default: the session's)",
      value: "kind",
      choices: startedKinds,
    },
    { name: "allow-broad-cwd", about: "with --into: allow / and the home folder as work folders" },
    fileOption,
    allOption,
  ],
  examples: [
    "hivemind sessions fork latest",
    "hivemind sessions fork 15533422 --branch try-two",
    "hivemind sessions fork po --into web4team:0.2 --as scout",
  ],
  get notes() {
    return (
      "The original session is not changed. An unfinished turn is left out: a question without an answer, or a tool call\n" +
      `without its result.\n${boundaryNote()}`
    );
  },
  async run(cli, input) {
    const branch = branchOf(input);
    if (input.option("into") === undefined) refuseWithoutInto(input);
    const { known, entry } = await fileOrMeant(cli, input, this.words);
    if (entry?.path === null) {
      refuseUnseen(`the transcript of ${entry.id}`, entry.id, known.problems);
      throw new HiveError(`${entry.id} has no messages yet, so there is nothing to fork`);
    }
    const { needOf } = await import("../../agents/all.js");
    if (entry !== null) needOf(entry.agent, input.option("into") === undefined ? "copy" : "fork");
    if (entry?.store === "transcripts") {
      if (input.option("into") === undefined) await forkOffline(cli, known, entry, branch);
      else await forkIntoPane(cli, input, known, entry, branch);
    } else await forkManaged(cli, input, entry, branch);
  },
};

async function forkOffline(
  cli: Cli,
  { hive, every }: KnownSessions,
  entry: SessionEntry,
  branch: string | undefined,
): Promise<void> {
  const { forkTranscript } = await import("../../agents/claude/transcript/offline-fork.js");
  const titles = new Set(every.map(({ title }) => title));
  const title = branch ?? branchTitle(entry.title ?? entry.id.slice(0, 8), titles);
  const fork = forkTranscript(entry.path!, { parent: entry.id, title });
  cli.out.print(`forked ${entry.id} into ${fork.id}, named ${shown(title)}`);
  cli.out.print(`${fork.messages} messages, up to ${shown(fork.forkPoint)}`);
  if (fork.leftOut > 0) cli.out.note(`left out ${counted(fork.leftOut, "message")} of an unfinished turn`);
  const client = shown(clientFor(entry.path!, cli.env));
  cli.out.note(`  to continue it, in ${shown(entry.workspace?.path)}: ${client} --resume ${fork.id}`);
  // Last: if the lineage cannot be written, the copy exists anyway, and its id has been printed.
  await hive.emit({ name: "session.forked", parent: entry.id, child: fork.id });
}

async function forkIntoPane(
  cli: Cli,
  input: Input,
  { hive, fleet }: KnownSessions,
  entry: SessionEntry,
  branch: string | undefined,
): Promise<void> {
  const typed = input.option("kind") ?? entry.agent;
  if (!isStartedKind(typed))
    throw new UsageError(`--kind is one of ${startedKinds.join(", ")}, not "${shown(typed)}"`);
  const pane = hive.paneNamed(fleet, input.option("into")!);
  const team = teamName(pane.sessionName);
  const fork = {
    ...given({ role: ifGiven(input.option("as"), role), name: branch }),
    parent: entry.id,
    path: entry.path!,
    pane: pane.id,
    team,
    kind: typed,
    model: entry.model,
    isBroadAllowed: input.flag("allow-broad-cwd"),
  } as const;
  const { forkIntoPane, forkPlan } = await import("../../teams/fork-session.js");
  forkPlan(fork, fleet, { env: cli.env });
  await joiningTeam(cli, team, async (world) => {
    const forked = await forkIntoPane(world, fork);
    cli.out.print(`started ${forked.role ?? "an agent"} in ${forked.address}, session ${forked.uuid}`);
    cli.out.print(`a fork of ${entry.id}`);
    sayWaiting(cli, forked.role ?? forked.address, forked.waitsFor);
    if (forked.role === null)
      cli.out.note(`  to give it a role: ${cli.self} agent adopt ${forked.address} --role ROLE`);
    return forked;
  });
}

/** `entry` is null for a file that no list has; the store decides whether it may be forked into this workspace. */
async function forkManaged(
  cli: Cli,
  input: Input,
  entry: ManagedEntry | null,
  branch: string | undefined,
): Promise<void> {
  const { openManagedSessions } = await import("../../agents/claw/managed-store.js");
  const folder = entry?.workspace?.path ?? currentWorkspace().path;
  const store = openManagedSessions({ folder, env: cli.env });
  const ref = entry?.id ?? { file: input.option("file")! };
  if (input.option("into") !== undefined) {
    const { id } = store.load(ref).summary;
    throw new HiveError("claw chooses its own session ids, so hivemind cannot start one in a pane", {
      hint: `fork it, then start it there by hand: hivemind sessions fork ${id}`,
    });
  }
  const fork = await store.fork(ref, given({ branch }));
  cli.out.print(
    `forked ${fork.parent} into ${fork.id}${branch === undefined ? "" : `, named ${shown(branch)}`}`,
  );
  cli.out.print(`${fork.messages} messages`);
  cli.out.note(`  to continue it, in ${shown(folder)}: claw --resume ${fork.id}`);
}

function branchOf(input: Input): string | undefined {
  const name = input.option("branch")?.trim();
  if (name === undefined) return undefined;
  const isFit = name !== "" && !name.startsWith("-") && name.length <= limits.branchNameLength;
  if (isFit && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return name;
  throw new HiveError(
    `refused "${shown(name.slice(0, 80))}": a branch name has 1 to ${limits.branchNameLength} characters, no control characters, and does not start with -`,
  );
}

function refuseWithoutInto(input: Input): void {
  const alone = ["as", "kind"].filter((name) => input.option(name) !== undefined);
  if (alone.length === 0 && !input.flag("allow-broad-cwd")) return;
  throw new UsageError(`--${alone[0] ?? "allow-broad-cwd"} needs --into PANE`);
}

/** A title that no other session has. */
function branchTitle(title: string, taken: ReadonlySet<string | null>): string {
  const stem = title.replace(/ \(branch(?: \d+)?\)$/, "").slice(0, limits.branchNameLength - 20);
  for (let count = 1; ; count++) {
    const name = `${stem} (branch${count === 1 ? "" : ` ${count}`})`;
    if (!taken.has(name)) return name;
  }
}
