import { exitCodes } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { DownOutcome } from "../../up/down.js";
import { confirmOrRefuse } from "../ask.js";
import type { Cli, Command } from "../command.js";
import { shown } from "../output.js";
import { agentsArgument, agentsMeant, exceptOption, teamFileMeant, teamFileOptions } from "./up.js";

export const down: Command = {
  words: "down",
  about: "end the agents of hivemind.yaml",
  args: [agentsArgument],
  options: [
    exceptOption,
    ...teamFileOptions,
    {
      name: "timeout",
      value: "seconds",
      about: `how long to wait for busy agents (default: ${limits.leaveMs / 1000})`,
    },
    { name: "worktrees", about: "also remove their worktrees if no work would be lost" },
  ],
  asks: "ends agents that are not in the file",
  examples: ["hivemind down", "hivemind down tester --timeout 120", "hivemind down --worktrees"],
  notes:
    "Types /exit into each agent as soon as it is idle with an empty input box; after the timeout it ends the process.\n" +
    "Conversations stay: `hivemind up` continues them. Never removes a worktree with changed, untracked or ignored\n" +
    "files, or with commits that are neither pushed nor merged.",
  hasJson: true,
  async run(cli, input) {
    const { timeoutOf } = await import("../send/send-shared.js");
    const timeoutMs = timeoutOf(input) ?? limits.leaveMs;
    const file = await teamFileMeant(cli, input);
    const hive = await cli.hive();
    const { bringDown, leftAgents } = await import("../../up/down.js");
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const left = await leftAgents(world, file);
    const only = agentsMeant(file, input, left);
    const own = hive.ownPane(await hive.panes())?.id ?? null;
    if (!input.flag("yes") && only === null) {
      const would = left.length > 0 ? [`end ${left.join(", ")} (not in the file)`] : [];
      await confirmOrRefuse(input, { would, command: "down" });
    }
    const options = { only, timeoutMs, own, removesWorktrees: input.flag("worktrees") };
    const outcome = await hive.whileChanging(file.team, () => bringDown(world, file, options));
    if (input.flag("json")) cli.out.json({ project: file.project, team: file.team, ...outcome });
    else show(cli, file.team, outcome);
    const { notReached, worktrees } = outcome;
    const isWhole = outcome.left.length + notReached === 0 && worktrees.every(({ why }) => why === null);
    return isWhole ? undefined : exitCodes.refused;
  },
};

function show({ out }: Cli, team: string, outcome: DownOutcome): void {
  const { ended, left, notReached, isGone, worktrees } = outcome;
  const { green, yellow } = out.colours;
  for (const { agent, address, how, waiting } of ended) {
    out.print(`${green("✓")} ${agent}  ${shown(address)}: ${words[how]}`);
    if (waiting > 0) out.note(`    queued messages: ${waiting}`);
  }
  for (const { agent, why } of left) out.note(`${yellow("!")} ${agent}: not ended: ${shown(why)}`);
  for (const { agent, path, why } of worktrees) {
    if (why === null) out.print(`${green("✓")} ${agent}: removed the worktree ${shown(path)}`);
    else out.note(`${yellow("!")} ${agent}: kept the worktree ${shown(path)}: ${shown(why)}`);
  }
  if (notReached > 0)
    out.note(`interrupted, ${notReached} not ended; run the same command again to continue`);
  if (isGone) out.print(`${team}: its last pane closed, so its tmux session has ended`);
  else if (ended.length + left.length + notReached === 0) out.print(`${team}: nothing runs`);
}

const words = {
  left: "left on /exit",
  ended: "ended; it did not leave on /exit",
  closed: "closed its pane",
};
