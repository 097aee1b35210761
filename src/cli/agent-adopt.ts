import { exitCodes, UsageError } from "../base/errors.js";
import { textTable } from "../base/table.js";
import { isPaneId, role, teamName } from "../names/gates.js";
import type { Adoption } from "../teams/adopt.js";
import { type Command, type Input, yesOption } from "./command.js";
import { shown } from "./output.js";

export const agentAdopt: Command = {
  words: "agent adopt",
  about: "name agents that run already, all of a team in one command",
  args: [
    {
      name: "target",
      about: "a pane or a team; else the team you are in",
      meaning: "team",
      isOptional: true,
    },
  ],
  options: [
    { name: "role", value: "role", about: "the role of this one pane", meaning: "text" },
    yesOption("give the proposed roles without asking"),
    { name: "dry-run", about: "only show who would get which role" },
  ],
  examples: [
    "hivemind agent adopt web4team",
    "hivemind agent adopt web4team:0.1 --role reviewer",
    "hivemind agent adopt web4team --dry-run",
  ],
  notes: "The tmux session is registered as a team if it was none. Nothing is typed into any agent.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.arg("target");
    const isPane = typed !== undefined && (isPaneId(typed) || typed.includes(":"));
    const wished = input.option("role");
    if (wished !== undefined && !isPane) {
      throw new UsageError("--role names one pane", { hint: "hivemind agent adopt PANE --role ROLE" });
    }
    const wantedRole = wished === undefined ? undefined : role(wished);
    const hive = await cli.hive();
    const { findPaneIn } = await import("../fleet/find-pane.js");
    const { storedRows } = await import("../fleet/moves.js");
    const { runningTeam, whichTeam } = await import("../fleet/which-team.js");
    const { adopt, proposeRoles } = await import("../teams/adopt.js");
    const { sessionsKnown } = await import("./spawning.js");
    const fleet = await hive.observe();
    const pane = isPane ? findPaneIn(fleet, typed) : null;
    const whereabouts = { own: hive.ownPane(fleet), active: hive.stores.activeTeam.read() };
    const name =
      pane?.sessionName ??
      (typed === undefined ? whichTeam(fleet, whereabouts) : runningTeam(fleet, teamName(typed)));
    const team = teamName(name);
    const plan = proposeRoles(fleet, storedRows(hive.stores), {
      team,
      ...(pane === null ? {} : { pane: pane.id }),
      ...(wantedRole === undefined ? {} : { role: wantedRole }),
    });

    const isJson = input.flag("json");
    const print = (line: string) => (isJson ? cli.out.note(line) : cli.out.print(line));
    for (const line of plan.length > 0 ? tableOf(plan) : []) print(line);
    const answer = plan.length === 0 || input.flag("dry-run") ? "show" : await agreement(input, plan.length);
    if (answer !== "do") {
      if (plan.length === 0) print(`${pane?.address ?? team} has no agent without a role`);
      if (isJson) cli.out.json({ team, done: false, agents: plan });
      if (answer === "show") return undefined;
      cli.out.note("hivemind: nothing was changed");
      const given = wished === undefined ? "" : ` --role ${wished}`;
      cli.out.note(`  ${cli.self} agent adopt ${typed ?? team}${given} --yes`);
      return exitCodes.refused;
    }
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const adopted = await hive.whileChanging(team, () => adopt(world, team, plan));
    const count = adopted.length;
    print(`${team}: ${count === 1 ? "1 agent has its role" : `${count} agents have their roles`}`);
    const unknown = adopted.flatMap(({ uuid, paneId }) => (uuid === null ? [paneId] : []));
    await sessionsKnown(cli, world, team, unknown);
    const found = new Map(hive.stores.sessions.read().rows.map((row) => [row.pane, row.uuid]));
    const agents = adopted.map((each) => ({ ...each, uuid: each.uuid ?? found.get(each.pane) ?? null }));
    if (isJson) cli.out.json({ team, done: true, agents });
    for (const { pane: left } of plan.filter(({ paneId }) => !adopted.some((each) => each.paneId === paneId)))
      cli.out.note(`hivemind: ${left} was left out: it ended, or somebody named it meanwhile`);
    return count === plan.length ? undefined : exitCodes.refused;
  },
};

/** What is shown is done only when somebody said so, before or now. */
async function agreement(input: Input, count: number): Promise<"do" | "refused"> {
  // The role of this pane was typed: there is nothing to agree to.
  if (input.flag("yes") || input.option("role") !== undefined) return "do";
  const { confirmed } = await import("./ask.js");
  const question = count === 1 ? "Give it this role?" : "Give them these roles?";
  return (await confirmed(question)) === true ? "do" : "refused";
}

function tableOf(plan: readonly Adoption[]): string[] {
  const rows = plan.map(({ pane, role, kind, uuid, title }) => [
    shown(pane),
    role,
    kind,
    shown(uuid?.slice(0, 8)),
    shown(title),
  ]);
  return textTable([["PANE", "ROLE", "KIND", "SESSION", "TITLE"], ...rows], ["left"]);
}
