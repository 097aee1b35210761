import { counted } from "../base/counted.js";
import { exitCodes } from "../base/errors.js";
import { limits } from "../limits.js";
import type { DownOutcome } from "../up/down.js";
import { agreedTo } from "./agreement.js";
import { agentsArgument, agentsMeant, exceptOption } from "./bringing.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { teamFileMeant, teamFileOptions } from "./team-file.js";

export const down: Command = {
  words: "down",
  about: "end the agents of hivemind.yaml; their conversations stay",
  args: [agentsArgument],
  options: [
    exceptOption,
    ...teamFileOptions,
    {
      name: "timeout",
      value: "seconds",
      about: `how long agents that work are waited for; ${limits.leaveMs / 1000} without it`,
    },
    { name: "worktrees", about: "also remove their worktrees, where no work would be lost" },
  ],
  asks: "ends agents that the file does not have, or puts away messages that wait",
  examples: ["hivemind down", "hivemind down tester --timeout 120", "hivemind down --worktrees"],
  notes:
    "An agent is asked to leave (/exit) as soon as it is idle with an empty input box; one that is not by the time given\n" +
    "is ended. `hivemind up` brings each back in its conversation. A worktree with changed, untracked or ignored files,\n" +
    "or with commits that are neither pushed nor merged, is never removed.",
  hasJson: true,
  async run(cli, input) {
    const { timeoutOf } = await import("./sending.js");
    const timeoutMs = timeoutOf(input) ?? limits.leaveMs;
    const file = await teamFileMeant(cli, input);
    const hive = await cli.hive();
    const { bringDown, goesToo, leftAgents } = await import("../up/down.js");
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const only = agentsMeant(file, input, await leftAgents(world, file));
    const own = hive.ownPane(await hive.panes())?.id ?? null;
    if (!input.flag("yes")) {
      const { left, messages } = await goesToo(world, file, { only, own });
      const would = [
        ...(left.length > 0 ? [`end ${left.join(", ")}, which the file does not have`] : []),
        ...(messages > 0 ? [`put away ${counted(messages, "waiting message")} for agents that end`] : []),
      ];
      await agreedTo(input, { would, command: ["down", ...input.words("agents")].join(" ") });
    }
    const options = { only, timeoutMs, own, removesWorktrees: input.flag("worktrees") };
    const outcome = await hive.whileChanging(file.team, () => bringDown(world, file, options));
    if (input.flag("json")) cli.out.json({ project: file.project, team: file.team, ...outcome });
    else show(cli, file.team, outcome);
    const { left, notReached, worktrees } = outcome;
    const isWhole = left.length + notReached === 0 && worktrees.every(({ why }) => why === null);
    return isWhole ? undefined : exitCodes.refused;
  },
};

function show({ out }: Cli, team: string, outcome: DownOutcome): void {
  const { ended, left, notReached, isGone, worktrees } = outcome;
  const { green, yellow } = out.colours;
  for (const { agent, address, how, buried } of ended) {
    out.print(`${green("✓")} ${agent}  ${shown(address)}: ${words[how]}`);
    if (buried > 0) out.note(`    messages that waited for it: ${buried}, kept among the dead letters`);
  }
  for (const { agent, why } of left) out.note(`${yellow("!")} ${agent}: left alone: ${shown(why)}`);
  for (const { agent, path, why } of worktrees) {
    if (why === null) out.print(`${green("✓")} ${agent}: the worktree ${shown(path)} is removed`);
    else out.note(`${yellow("!")} ${agent}: the worktree ${shown(path)} stays: ${shown(why)}`);
  }
  if (notReached > 0) out.note(`stopped; ${notReached} not ended: the same command goes on`);
  if (isGone) out.print(`${team}: its tmux session is gone with its last pane`);
  else if (ended.length + left.length + notReached === 0) out.print(`${team}: nothing runs`);
}

const words = {
  left: "left when it was asked",
  ended: "ended; it did not leave by itself",
  closed: "its pane is closed",
};
