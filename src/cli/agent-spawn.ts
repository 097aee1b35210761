import { type SessionId, sessionId } from "../names/gates.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { joiningTeam, type SpawnInput, sayWaiting, spawnInput, spawnOptions } from "./spawning.js";

export const agentSpawn: Command = {
  words: "agent spawn",
  about: "a new agent in a running team",
  args: [{ name: "name", about: "its role in the team", meaning: "role" }],
  options: [
    ...spawnOptions,
    { name: "session", about: "the id of its new conversation; else a random one", value: "uuid" },
  ],
  examples: [
    "hivemind agent spawn reviewer",
    "hivemind agent spawn scout --team web4team --cwd ~/web4 --model opus",
  ],
  notes:
    "It gets a pane of its own (a window, where panes would become too small) and runs directly in it: when it ends, the\n" +
    "pane stays with its last words. It has started when it was seen alive with its session.",
  async run(cli, input) {
    const typed = input.option("session");
    await spawn(cli, spawnInput(input), typed === undefined ? {} : { session: sessionId(typed) });
    return undefined;
  },
};

export interface SpawnMore {
  session?: SessionId;
  /** What it is told first, once its team is known. */
  prompt?: (team: string) => string;
}

export async function spawn(cli: Cli, typed: SpawnInput, more: SpawnMore): Promise<void> {
  const { workFolder } = await import("../teams/broad.js");
  const { spawnAgent, spawnShell } = await import("../teams/spawn.js");
  const cwd = workFolder(typed.cwd, cli.env, typed.isBroadAllowed);
  await joiningTeam(cli, typed.team, async (world, team) => {
    const { role, kind, model } = typed;
    const wanted = { team, role, kind, cwd, model };
    if (kind === "shell") {
      const shell = await spawnShell(world, wanted);
      cli.out.print(`${role} is a shell in ${shell.address}`);
      return shell;
    }
    const session = more.session ? { session: { how: "create", id: more.session } as const } : {};
    const prompt = more.prompt === undefined ? {} : { prompt: more.prompt(team) };
    const started = await spawnAgent(world, { ...wanted, ...session, ...prompt });
    cli.out.print(`started ${role} in ${started.address}, session ${started.uuid}`);
    sayWaiting(cli, role, started.waitsFor);
    return started;
  });
}
