// Starts new agents in a running team.

import { readFileSync } from "node:fs";
import { errorCode, HiveError, UsageError } from "../../base/errors.js";
import { role, type SessionId, sessionId, teamName } from "../../names/gates.js";
import { isPaneKind, type Kind, paneKinds } from "../../names/kind.js";
import { fits, forms } from "../../teamfile/forms.js";
import { type Argument, asTyped, type Cli, type Command, given, type Input, ifGiven } from "../command.js";
import { alsoFar } from "../far/also-far.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import { currentWorkspace } from "../workspace.js";
import { joiningTeam, sayWaiting, spawnOptions } from "./spawn-options.js";

const newName: Argument = { name: "name", about: "the new agent's role", meaning: "role" };

export const agentSpawn: Command = {
  words: "agent spawn",
  also: ["spawn"],
  about: "start a new agent in a running team",
  args: [newName],
  options: [
    ...spawnOptions,
    { name: "session", about: "the id of its new conversation (default: random)", value: "uuid" },
  ],
  examples: [
    "hivemind agent spawn reviewer",
    "hivemind agent spawn scout --team web4team --cwd ~/web4 --model opus",
  ],
  notes:
    "Opens a new pane, or a new window if the panes would get too small. The agent runs directly in it: when it ends, the\n" +
    "pane keeps its last output. The command returns when the agent runs and its session is known.",
  async run(cli, input) {
    const session = ifGiven(input.option("session"), sessionId);
    await spawn(cli, spawnInput(input), given({ session }));
  },
};

export const agentBootstrap: Command = {
  words: "agent bootstrap",
  about: "start a new agent with a first prompt",
  args: [newName],
  options: [
    { name: "prompt", about: "a file with its first prompt", value: "file", meaning: "path" },
    ...spawnOptions,
  ],
  examples: [
    "hivemind agent bootstrap po --prompt roles/po.md",
    "hivemind agent bootstrap tester --team web4team",
  ],
  notes:
    "Like agent spawn. The default prompt explains its role, its team, and how to find the other agents.",
  async run(cli, input) {
    const typed = spawnInput(input);
    if (typed.kind === "shell")
      throw new UsageError("a shell takes no prompt", {
        hint: `hivemind agent spawn ${typed.role} --kind shell`,
      });
    const file = input.option("prompt");
    const again = ["hivemind agent bootstrap", typed.role, ...asTyped(input, spawnOptions)].join(" ");
    const own = file === undefined ? null : readPrompt(file, again);
    await spawn(cli, typed, { prompt: (team) => own ?? standardPrompt(typed.role, team) });
  },
};

export const agentFork: Command = alsoFar({
  words: "agent fork",
  about: "start a second agent from the same conversation",
  args: [nameArgument],
  options: [
    {
      name: "as",
      about: "the new agent's role (default: the old role plus a number)",
      value: "role",
      meaning: "role",
    },
    {
      name: "permission-mode",
      about: "what it may do without asking (default: as its parent now); only a person may choose it",
      value: "mode",
    },
    { name: "allow-broad-cwd", about: "allow / and the home folder as work folders" },
    teamOption,
  ],
  examples: ["hivemind agent fork po", "hivemind agent fork po --as scout"],
  notes:
    "The original agent is not touched. An answer that it is still writing is not in the fork. The fork is in its\n" +
    "parent's permission mode as it is now. If the parent bypasses all checks, the fork asks before what it does.",
  async run(cli, input) {
    const permissionMode = ifGiven(input.option("permission-mode"), modeTyped);
    const wanted = given({ role: ifGiven(input.option("as"), role), permissionMode });
    const { rowAddress } = await import("../../fleet/find-pane.js");
    const { forkAgent } = await import("../../teams/fork.js");
    const { hive, pane: named } = await namedPane(cli, input);
    rowAddress(named, hive.tmux.server);
    if (permissionMode !== undefined) needPerson(cli, hive, await hive.panes());
    await joiningTeam(cli, teamName(named.sessionName), async (world, team) => {
      const fleet = await world.observe();
      const pane = hive.paneNamed(fleet, named.id);
      const isBroadAllowed = input.flag("allow-broad-cwd");
      const forked = await forkAgent(world, { pane, fleet, team, isBroadAllowed, ...wanted });
      cli.out.print(`started ${forked.role} in ${forked.address}, session ${forked.uuid}`);
      cli.out.print(`a fork of ${pane.address}, session ${forked.parent}`);
      sayWaiting(cli, forked.role, forked.waitsFor);
      return forked;
    });
  },
});

/** As in a team file: the client knows its modes, and a word keeps everything else out of its arguments. */
function modeTyped(text: string): string {
  if (fits(forms.mode, text)) return text;
  throw new UsageError(`--permission-mode is one word, such as plan, not "${shown(text)}"`);
}

/** Checks everything that was typed before tmux is asked. */
function spawnInput(input: Input) {
  const kind = input.option("kind") ?? "claude";
  if (!isPaneKind(kind))
    throw new UsageError(`--kind is one of ${paneKinds.join(", ")}, not "${shown(kind)}"`);
  return {
    role: role(input.need("name")),
    team: ifGiven(input.option("team"), teamName) ?? null,
    kind,
    cwd: input.option("cwd") ?? currentWorkspace("name a folder: --cwd FOLDER").path,
    model: input.option("model") ?? null,
    acceptsInbound: input.flag("accept-inbound"),
    hasTools: input.flag("mcp"),
    isBroadAllowed: input.flag("allow-broad-cwd"),
  } as const;
}

interface SpawnMore {
  session?: SessionId;
  /** Its first prompt, made once its team is known. */
  prompt?: (team: string) => string;
}

async function needChosenId(kind: Kind): Promise<void> {
  const { agentOfKind } = await import("../../agents/all.js");
  if (agentOfKind(kind)?.start?.make === undefined) return;
  throw new HiveError(`${kind} chooses the ids of its conversations itself`, { hint: "leave out --session" });
}

async function spawn(cli: Cli, typed: ReturnType<typeof spawnInput>, more: SpawnMore): Promise<void> {
  const { workFolder } = await import("../../teams/start/broad-folder.js");
  const { spawnAgent, spawnShell } = await import("../../teams/spawn.js");
  const cwd = workFolder(typed.cwd, cli.env, typed.isBroadAllowed);
  if (typed.acceptsInbound) {
    const hive = await cli.hive();
    needPerson(cli, hive, await hive.panes());
  }
  await joiningTeam(cli, typed.team, async (world, team) => {
    const { role, kind, model, acceptsInbound, hasTools } = typed;
    const wanted = { team, role, kind, cwd, model, acceptsInbound, hasTools };
    if (kind === "shell") {
      const shell = await spawnShell(world, wanted);
      cli.out.print(`${role} is a shell in ${shell.address}`);
      return shell;
    }
    if (more.session !== undefined) await needChosenId(kind);
    const session = ifGiven(more.session, (id) => ({ how: "create" as const, id }));
    const started = await spawnAgent(world, {
      ...wanted,
      ...given({ session, prompt: more.prompt?.(team) }),
    });
    cli.out.print(`started ${role} in ${started.address}, session ${started.uuid}`);
    sayWaiting(cli, role, started.waitsFor);
    return started;
  });
}

function standardPrompt(role: string, team: string): string {
  return (
    `You are "${role}" in the team "${team}": several coding agents, each in a pane of one tmux session. ` +
    "`hivemind whoami` prints which one you are, `hivemind status` lists the others. " +
    "Say in one sentence what you understand your role to be, then wait for your first task."
  );
}

function readPrompt(path: string, without: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const isMissing = errorCode(cause) === "ENOENT";
    const what = isMissing ? `there is no file ${path}` : `${path} cannot be read (${errorCode(cause)})`;
    throw new HiveError(what, { hint: `name another file, or leave --prompt out: ${without}`, cause });
  }
  if (text.trim() === "")
    throw new HiveError(`${path} is empty`, { hint: `fill it, or leave --prompt out: ${without}` });
  return text.replaceAll("\r\n", "\n").trimEnd();
}
