import { exitCodes, UsageError } from "../../base/errors.js";
import { textTable } from "../../base/text/table.js";
import { isPaneId, role, teamName } from "../../names/gates.js";
import { shortId } from "../../names/short-id.js";
import type { Adoption } from "../../teams/adopt.js";
import { confirmed } from "../ask.js";
import { type Command, given, type Input, ifGiven, yesOption } from "../command.js";
import { teamMeant } from "../named-agent.js";
import { shown } from "../output.js";

export const agentAdopt: Command = {
  words: "agent adopt",
  about: "give roles to agents that are already running",
  args: [
    {
      name: "target",
      about: "a pane or a team (default: the team you are in)",
      meaning: "team",
      isOptional: true,
    },
  ],
  options: [
    { name: "role", value: "role", about: "the role for this one pane" },
    yesOption("assign the proposed roles without asking"),
    { name: "dry-run", about: "show the proposed roles, and change nothing" },
  ],
  examples: [
    "hivemind agent adopt web4team",
    "hivemind agent adopt web4team:0.1 --role reviewer",
    "hivemind agent adopt web4team --dry-run",
  ],
  notes: "Registers the tmux session as a team if needed. Types nothing into any pane.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.arg("target");
    const isPane = typed !== undefined && (isPaneId(typed) || typed.includes(":"));
    const wished = input.option("role");
    if (wished !== undefined && !isPane) {
      throw new UsageError("--role needs one pane", { hint: "hivemind agent adopt PANE --role ROLE" });
    }
    const wantedRole = ifGiven(wished, role);
    const hive = await cli.hive();
    const { findPaneIn } = await import("../../fleet/find-pane.js");
    const { adopt, proposeRoles } = await import("../../teams/adopt.js");
    const { sessionsKnown } = await import("./spawn-options.js");
    const fleet = await hive.observe();
    const pane = isPane ? findPaneIn(fleet, typed) : null;
    const team = teamName(pane?.sessionName ?? teamMeant(hive, fleet, ifGiven(typed, teamName)));
    const plan = proposeRoles(fleet, { team, ...given({ pane: pane?.id, role: wantedRole }) });

    const isJson = input.flag("json");
    const print = (line: string) => (isJson ? cli.out.note(line) : cli.out.print(line));
    for (const line of plan.length > 0 ? tableOf(plan) : []) print(line);
    const answer = plan.length === 0 || input.flag("dry-run") ? "show" : await agreement(input, plan.length);
    if (answer !== "do") {
      if (plan.length === 0) print(`${pane?.address ?? team} has no agent without a role`);
      if (isJson) cli.out.json({ team, done: false, agents: plan });
      if (answer === "show") return undefined;
      cli.out.note("hivemind: nothing was changed");
      const named = wished === undefined ? "" : ` --role ${wished}`;
      cli.out.note(`  ${cli.self} agent adopt ${typed ?? team}${named} --yes`);
      return exitCodes.refused;
    }
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const adopted = await hive.whileChanging(team, () => adopt(world, team, plan));
    const count = adopted.length;
    print(`${team}: ${count === 1 ? "1 agent has its role" : `${count} agents have their roles`}`);
    const unknown = adopted.flatMap(({ uuid, paneId }) => (uuid === null ? [paneId] : []));
    await sessionsKnown(cli, world, team, unknown);
    const { panes: now } = await hive.panes();
    const sessionIn = new Map(now.map(({ id, agent }) => [id, agent?.session ?? null]));
    const agents = adopted.map((each) => ({
      ...each,
      uuid: each.uuid ?? sessionIn.get(each.paneId) ?? null,
    }));
    if (isJson) cli.out.json({ team, done: true, agents });
    for (const { pane: left } of plan.filter(({ paneId }) => !adopted.some((each) => each.paneId === paneId)))
      cli.out.note(`hivemind: skipped ${left}: it ended or got a role in the meantime`);
    return count === plan.length ? undefined : exitCodes.refused;
  },
};

/** The proposed roles are assigned only with --yes or after a yes. */
async function agreement(input: Input, count: number): Promise<"do" | "refused"> {
  // The role was typed, so there is nothing to confirm.
  if (input.flag("yes") || input.option("role") !== undefined) return "do";
  const question = count === 1 ? "Give it this role?" : "Give them these roles?";
  return (await confirmed(question)) === true ? "do" : "refused";
}

function tableOf(plan: readonly Adoption[]): string[] {
  const rows = plan.map(({ pane, role, kind, uuid, title }) => [
    shown(pane),
    role,
    kind,
    shown(uuid && shortId(uuid)),
    shown(title),
  ]);
  return textTable([["PANE", "ROLE", "KIND", "SESSION", "TITLE"], ...rows], ["left"]);
}
